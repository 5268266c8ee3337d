/* own.h - what a plug-in has counted in a run, by the counter's name. */
#ifndef TESTS_OWN_H
#define TESTS_OWN_H

#include <check.h>
#include <string.h>

#include "sim/core/stats.h"

static inline uint64_t
own_count(const struct stats *s, const struct plugin *p, const char *name)
{
	for (const struct counter *c = p->counters; c && c->name; c++)
		if (!strcmp(c->name, name))
			return stats_own(s, p, c);
	ck_abort_msg("%s has no counter %s", p->name, name);
}

#endif
