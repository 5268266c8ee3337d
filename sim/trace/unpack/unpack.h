/*
 * unpack.h - packed files: gzip, and zstd, xz and bzip2 where their libraries
 * were there at build time.
 *
 * A packing is one file, pack_<id>.c, and one line of packings.def.  A packed
 * file has members, one after the other, each of which unpacks on its own.
 */
#ifndef SIM_UNPACK_H
#define SIM_UNPACK_H

#include <string.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { UNPACK_MAGIC = 8 }; /* bytes that are enough to know a packing */

/* What is left of packed bytes, and of the room for what they unpack to. */
struct unpacking {
	const unsigned char *in;
	unsigned char	    *out;
	size_t		     left, room;
};

struct packing {
	const char *name;    /* "zstd" */
	const char *library; /* "libzstd" */
	const char *command; /* that unpacks to standard output: "zstd -dc" */
	const char *ending;  /* of the names of files: ".zst" */
	size_t	    magic;   /* bytes that begins() looks at */
	size_t	    state_size;

	/* Can a member begin with these bytes?  There may be fewer than it looks at. */
	bool (*begins)(const unsigned char *b, size_t n);

	/* These are NULL if the library was not there. */
	int (*start)(void *self, struct error *e); /* a member; self is zeroed before the first */
	int (*step)(void *self, struct unpacking *u, struct error *e); /* 1: the member has ended */
	void (*end)(void *self);
};

extern const struct packing *const packings[]; /* NULL-terminated */

/* The packing of a file that begins with these bytes, or NULL. */
const struct packing *unpack_find(const unsigned char *head, size_t n);

/* -1, and what to type instead, if no packing of ours is meant: zip, lz4, ...; else 0. */
int unpack_refuse(const unsigned char *head, size_t n, struct error *e);

/* The same for an archive, by its first bytes after unpacking. */
int unpack_refuse_archive(const unsigned char *head, size_t n, struct error *e);

/* -1, and what to type instead: its library was not there. */
int unpack_missing(const struct packing *p, struct error *e);

/* For begins(): are the first bytes, as many as there are, those of magic? */
static inline bool
unpack_begins(const unsigned char *b, size_t n, const char *magic, size_t length)
{
	return !memcmp(b, magic, n < length ? n : length);
}

/* The length of a name without the ending of a packing: "csq.txt.gz" is "csq.txt". */
size_t unpack_name(const char *name);

#endif
