/*
 * backing.h - where Linux keeps the readahead of a folder's files.
 *
 * A disk has it in its queue.  A file system without a disk has a backing
 * device of its own, /sys/class/bdi/NAME: NFS and FUSE by the device number
 * that stat() tells, others by their type and a count.
 */
#ifndef SIM_ADVISE_BACKING_H
#define SIM_ADVISE_BACKING_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum backing_kind { BACKING_UNTOLD, BACKING_DISK, BACKING_NFS, BACKING_FUSE, BACKING_OTHER };

enum { BACKING_ROOM = 512, DISK_ROOM = 64 };

struct backing {
	enum backing_kind kind;
	char		  disk[DISK_ROOM];    /* "sda"; "DEV": not known; "": none */
	char		  file[BACKING_ROOM]; /* that has read_ahead_kb */
	char		  mount[BACKING_ROOM];
	bool		  tells; /* now_kb is known */
	uint32_t	  now_kb;
};

/* dir may be NULL: BACKING_UNTOLD, a disk DEV. */
int backing_find(struct backing *p, const char *dir, struct error *e);

/* The same by what stat() and statfs() tell, and a folder in the place of /sys. */
int backing_of(struct backing *p, const char *sys, unsigned major, unsigned minor, uint32_t magic,
    struct error *e);

/* Has it a queue, with a scheduler and a largest request? */
bool backing_has_queue(const struct backing *p);

/* What to type to set the window; of a disk there are two commands. */
unsigned backing_ncommands(const struct backing *p);
void	 backing_command(const struct backing *p, uint32_t kb, unsigned i, FILE *out);

/* What to write so that it lasts, and where. */
const char *backing_lasts_where(const struct backing *p);
void	    backing_lasting(const struct backing *p, uint32_t kb, FILE *out);

#endif
