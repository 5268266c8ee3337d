/* memory.h - how much memory this machine has, and tables in large pages of it. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/base/types.h"

/* Bytes; UINT64_MAX if it cannot be known. */
uint64_t memory_bytes(void);

/*
 * calloc(), in huge pages where the system gives them: a table that is read
 * all over then misses the processor's cache, but not its page tables'.
 */
void *memory_table(size_t n, size_t element_bytes);

#endif
