/*
 * checksum.c - XXH3-64 by libxxhash, or its AVX2 code where that runs.
 *
 * Distributions compile the library for the oldest processor, where it takes
 * three times as long.  The faster code is in the header of libxxhash.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "sim/base/checksum.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

static uint64_t
by_library(const void *bytes, size_t n)
{
	return XXH3_64bits(bytes, n);
}

#define XXH_INLINE_ALL
#define XXH_VECTOR 2 /* AVX2 */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#include <xxhash.h>

static uint64_t
by_avx2(const void *bytes, size_t n)
{
	return XXH3_64bits(bytes, n);
}

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

uint64_t
checksum(const void *bytes, size_t n)
{
	return __builtin_cpu_supports("avx2") ? by_avx2(bytes, n) : by_library(bytes, n);
}

#else

uint64_t
checksum(const void *bytes, size_t n)
{
	return XXH3_64bits(bytes, n);
}

#endif
