/*
 * records.h - binary files for tests, written number by number.
 */
#ifndef TESTS_UNIT_TRACES_RECORDS_H
#define TESTS_UNIT_TRACES_RECORDS_H

#include "sim/trace/format.h"
#include "tests/unit/loading.h"

static unsigned char bytes[1 << 17];
static size_t	     n;

static inline void
records_start(void)
{
	scratch_make();
	n = 0;
}

static inline void
put_le(uint64_t value, unsigned width)
{
	for (; width; width--, value >>= 8)
		bytes[n++] = (unsigned char)value;
}

static inline void
put_be(uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		bytes[n++] = (unsigned char)(value >> shift);
}

static inline void
loads_as(const char *format)
{
	ck_assert_msg(!load_bytes(bytes, n), "%s", error.text);
	ck_assert_str_eq(trace.format, format);
}

#endif
