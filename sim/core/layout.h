/*
 * layout.h - the places of files on the device.
 *
 *	packed	 end to end in order of first use
 *	accusim	 as AccuSim (Butt, Gniady, Hu 2005) placed them: every inode
 *		 owns 1 MiB, longer files run into the next inodes' room, and
 *		 the address wraps at the size of its disk
 */
#ifndef SIM_LAYOUT_H
#define SIM_LAYOUT_H

#include "sim/trace/trace.h"

enum layout_kind { LAYOUT_PACKED, LAYOUT_ACCUSIM };

struct layout {
	enum layout_kind    kind;
	const struct trace *trace;
	uint32_t	    block_sectors;
	uint64_t	    capacity; /* sectors */
};

/* The sectors that the files take; whole: the last file ends with a whole block. */
uint64_t layout_sectors(enum layout_kind kind, bool whole, const struct trace *t);

/* Fails if the files do not fit on a device of that many sectors. */
int layout_init(struct layout *l, enum layout_kind kind, const struct trace *t, uint64_t capacity,
    struct error *e);

/* The same for files that need `sectors` sectors. */
int layout_check(uint64_t needed, uint64_t capacity, struct error *e);

uint64_t layout_accusim_sector(const struct layout *l, block_t b);

/* The first sector of block b; the whole block lies below capacity. */
ALWAYS_INLINE uint64_t
layout_sector(const struct layout *l, block_t b)
{
	return likely(l->kind == LAYOUT_PACKED) ? (uint64_t)(b - 1) * l->block_sectors
						: layout_accusim_sector(l, b);
}

#endif
