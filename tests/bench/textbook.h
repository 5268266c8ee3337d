/*
 * textbook.h - LRU as a textbook has it: a chained hash table of entries
 * obtained from malloc() one by one, linked in order of use.  The peer that
 * the bench compares the untimed replay with.
 */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include "sim/types.h"

/* Reference n blocks in order with room for nframes of them; the number of hits, or -1. */
int64_t textbook_replay(uint32_t nframes, const block_t *ref, size_t n);

#endif
