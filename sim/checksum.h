/*
 * checksum.h - XXH3-64 of bytes in memory, as fast as this machine can.
 */
#ifndef SIM_CHECKSUM_H
#define SIM_CHECKSUM_H

#include "sim/types.h"

uint64_t checksum(const void *bytes, size_t n);

#endif
