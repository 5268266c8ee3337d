/* memory.h - how much memory this machine has. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/types.h"

/* Bytes; UINT64_MAX if it cannot be known. */
uint64_t memory_bytes(void);

#endif
