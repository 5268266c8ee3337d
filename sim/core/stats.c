/* stats.c - the counters and ratios as tables, for output. */
#include <math.h>

#include "sim/core/stats.h"

const struct counter stat_info[] = {
#define STAT(name, unit, meaning) { #name, unit, meaning, offsetof(struct stats, name) },
#include "sim/core/stats.def"
#undef STAT
	{ 0 }
};

void
stats_add(struct stats *to, const struct stats *what)
{
#define STAT(name, unit, meaning) to->name += what->name;
#include "sim/core/stats.def"
#undef STAT
}

void
stats_unknown(struct stats *s)
{
	*s = (struct stats){
#define STAT(name, unit, meaning) .name = STAT_UNKNOWN,
#include "sim/core/stats.def"
#undef STAT
	};
}

/* The counters of that plug-in, or a free place for them. */
static const struct plugin_stats *
own_of(const struct stats *s, const struct plugin *p)
{
	const struct plugin_stats *t = s->own;

	while (t < s->own + PLUGIN_STATS_MAX && t->plugin && t->plugin != p)
		t++;
	return t;
}

static void
take_over(struct stats *s, const struct instance *i)
{
	struct plugin_stats   *t = &s->own[own_of(s, i->plugin) - s->own];
	const struct counter  *all = i->plugin->counters;
	const struct instance *inner;

	ASSERT(!all || t < s->own + PLUGIN_STATS_MAX);
	if (all)
		t->plugin = i->plugin;
	for (const struct counter *c = all; c && c->name; c++)
		t->value[c - all] += counter_value(i->self, c);
	for (unsigned n = 0; (inner = instance_inner(i, n)); n++)
		take_over(s, inner);
}

void
stats_start(struct stats *s, const struct instance *part, unsigned n)
{
	*s = (struct stats){ 0 };
	for (const struct instance *i = part; i < part + n; i++)
		counters_zero(i);
}

void
stats_end(struct stats *s, const struct instance *part, unsigned n)
{
	for (const struct instance *i = part; i < part + n; i++)
		take_over(s, i);
}

uint64_t
stats_own(const struct stats *s, const struct plugin *p, const struct counter *c)
{
	const struct plugin_stats *t = own_of(s, p);

	return t < s->own + PLUGIN_STATS_MAX && t->plugin ? t->value[c - p->counters]
							  : STAT_UNKNOWN;
}

/* The counters for ratios: NaN if unknown, so that ratios of them are NaN, too. */
struct quantities {
#define STAT(name, unit, meaning) double name;
#include "sim/core/stats.def"
#undef STAT
};

static double
quantity(uint64_t counter)
{
	return counter == STAT_UNKNOWN ? NAN : (double)counter;
}

static struct quantities
quantities(const struct stats *s)
{
	return (struct quantities){
#define STAT(name, unit, meaning) .name = quantity(s->name),
#include "sim/core/stats.def"
#undef STAT
	};
}

static bool
divide(double a, double b, double *out)
{
	bool defined = b > 0 && !isnan(a);

	*out = defined ? a / b : 0;
	return defined;
}

#define RATIO(name, unit, meaning, num, den)                                                       \
	static bool name##_value(const struct stats *stats, uint32_t block_bytes, double *out)     \
	{                                                                                          \
		const struct quantities of = quantities(stats), *s = &of;                          \
                                                                                                   \
		return divide(num, den, out);                                                      \
	}
#include "sim/core/ratios.def"
#undef RATIO

static const struct ratio_info ratios[] = {
#define RATIO(name, unit, meaning, num, den) { #name, unit, meaning, name##_value },
#include "sim/core/ratios.def"
#undef RATIO
	{ 0 }
};
const struct ratio_info *const ratio_info = ratios;

unsigned
size_class(uint32_t blocks)
{
	unsigned class = 0;

	for (uint32_t top = 1; blocks > top && class < SIZE_CLASSES - 1; top *= 2)
		class ++;
	return class;
}

unsigned
seek_class(uint64_t distance)
{
	unsigned bits = distance ? 64 - (unsigned)__builtin_clzll(distance) : 0;

	return bits < SEEK_CLASSES ? bits : SEEK_CLASSES - 1;
}
