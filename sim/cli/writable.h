/*
 * writable.h - the format in which a trace is written.
 */
#ifndef SIM_WRITABLE_H
#define SIM_WRITABLE_H

#include "sim/trace/format.h"

enum { WRITABLE_ROOM = 512 };

/* "bst, text", or their endings, ".bst, .txt": the formats that can be written. */
void writable_list(char text[WRITABLE_ROOM], bool endings);

/* The format that the name's ending tells; NULL: none, a usage error that ends in `otherwise`. */
const struct format *writable_by_ending(const char *name, const char *otherwise, struct error *e);

/* 0, or a usage error: the name is that of another format, or of a packing that is not written. */
int writable_place(const struct format *f, const char *name, struct error *e);

#endif
