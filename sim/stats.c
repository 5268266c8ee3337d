/* stats.c - the counters and ratios as tables, for whoever prints them. */
#include "sim/stats.h"

const struct stat_info stat_info[] = {
#define STAT(name, unit, meaning) { #name, unit, meaning, offsetof(struct stats, name) },
#include "sim/stats.def"
#undef STAT
	{ 0 }
};

static bool
divide(double a, double b, double *out)
{
	*out = b > 0 ? a / b : 0;
	return b > 0;
}

#define RATIO(name, unit, meaning, num, den)                                                       \
	static bool name##_value(const struct stats *s, uint32_t block_bytes, double *out)         \
	{                                                                                          \
		return divide((double)(num), (double)(den), out);                                  \
	}
#include "sim/ratios.def"
#undef RATIO

const struct ratio_info ratio_info[] = {
#define RATIO(name, unit, meaning, num, den) { #name, unit, meaning, name##_value },
#include "sim/ratios.def"
#undef RATIO
	{ 0 }
};

unsigned
size_class(uint32_t blocks)
{
	unsigned class = 0;

	for (uint32_t top = 1; blocks > top && class < SIZE_CLASSES - 1; top *= 2)
		class ++;
	return class;
}
