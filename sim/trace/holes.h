/*
 * holes.h - leave the unused parts out of volumes that are too large together.
 *
 * A trace of a thousand volumes names addresses of many terabytes and uses few
 * of them, but blocks are numbered with 31 bits.  Pieces of 64 MiB without any
 * call are cut out; the others keep their order and their contents.
 */
#ifndef SIM_HOLES_H
#define SIM_HOLES_H

#include "sim/trace/store.h"
#include "sim/trace/trace.h"

#define HOLES_FROM_BYTES (TRACE_BLOCKS_MAX << 12) /* of all volumes: 8 TiB */
enum { HOLES_PIECE_SHIFT = 26 };

/* Of a trace whose files are volumes.  1: cut; 0: not necessary; -1: out of memory. */
int holes_cut(struct trace *t, const struct store *s, struct error *e);

#endif
