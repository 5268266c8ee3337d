/* types.h - integer types and constants for all rooms. */
#ifndef SIM_TYPES_H
#define SIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/assert.h"
#include "sim/base/names.h"

/*
 * A block is a dense number: the trace loader lays files end to end, so that
 * one number is the cache key, an array index and the order on disk.  Block 0
 * and frame 0 do not exist; a zeroed structure is therefore empty.
 */
typedef uint32_t block_t;
typedef uint32_t frame_t;
typedef uint32_t file_t;
typedef int64_t	 usec_t; /* simulated time or duration, microseconds */

#define NIL 0u
#define USEC_MAX INT64_MAX	      /* later than anything: never */
#define SPAN_MAX_US ((usec_t)1 << 52) /* longest trace, 142 years: exact in a double */

enum { SECTOR_BYTES = 512 }; /* the unit of devices */

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* Of a function: kept out of the loops that seldom call it. */
#define RARE __attribute__((noinline, cold))
/* Of a function: its frequent caller saves no registers for it. */
#define OUT_OF_LINE __attribute__((noinline))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
