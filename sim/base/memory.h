/* memory.h - the size of this machine's memory, tables in huge pages, and pages given back. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/base/types.h"

/* Bytes; UINT64_MAX if the system does not report it. */
uint64_t memory_bytes(void);

/*
 * calloc(), in huge pages where the system has them: random accesses to the
 * table then miss the processor's cache, but not its TLB.
 */
void *memory_table(size_t n, size_t element_bytes);

/*
 * Whole pages among these bytes no longer take memory.  Those of a mapped file
 * come back from the file when they are used again; others may then be zero.
 */
void memory_drop(const void *start, size_t bytes);

#endif
