/*
 * checksum.h - XXH3-64 of bytes in memory, as fast as this machine can.
 */
#ifndef SIM_CHECKSUM_H
#define SIM_CHECKSUM_H

#include "sim/base/types.h"

uint64_t checksum(const void *bytes, size_t n);

/* The checksum of a sequence of checksums: begin with 0, add each. */
static inline uint64_t
checksum_add(uint64_t so_far, uint64_t next)
{
	const uint64_t both[] = { so_far, next };

	return checksum(both, sizeof(both));
}

#endif
