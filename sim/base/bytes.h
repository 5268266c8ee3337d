/*
 * bytes.h - numbers in the bytes of binary files, of either byte order.
 *
 * Compilers make one load of each.
 */
#ifndef SIM_BYTES_H
#define SIM_BYTES_H

#include "sim/base/types.h"

ALWAYS_INLINE uint32_t
bytes_le16(const unsigned char *b)
{
	return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

ALWAYS_INLINE uint32_t
bytes_le32(const unsigned char *b)
{
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

ALWAYS_INLINE uint64_t
bytes_le64(const unsigned char *b)
{
	return bytes_le32(b) | (uint64_t)bytes_le32(b + 4) << 32;
}

ALWAYS_INLINE uint32_t
bytes_be32(const unsigned char *b)
{
	return (uint32_t)b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
}

static inline void
bytes_put_le16(unsigned char *b, uint32_t n)
{
	b[0] = (unsigned char)n;
	b[1] = (unsigned char)(n >> 8);
}

static inline void
bytes_put_le32(unsigned char *b, uint32_t n)
{
	for (int i = 0; i < 4; i++, n >>= 8)
		b[i] = (unsigned char)n;
}

static inline void
bytes_put_le64(unsigned char *b, uint64_t n)
{
	bytes_put_le32(b, (uint32_t)n);
	bytes_put_le32(b + 4, (uint32_t)(n >> 32));
}

#endif
