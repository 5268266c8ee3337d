/* sharing.h - programs of shared memory from text, and what a run of them counts. */
#ifndef TESTS_UNIT_SHARING_H
#define TESTS_UNIT_SHARING_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/registry.h"
#include "sim/studies/share/model/registry.h"
#include "sim/studies/share/model/share.h"
#include "tests/unit/support.h"

static inline struct program
program_of(const char *text)
{
	struct program p;
	struct error   e;

	ck_assert_msg(!program_parse(&p, text, strlen(text), &e), "%s", e.text);
	return p;
}

struct way {
	const char    *protocol, *allocator;
	uint32_t       page_bytes; /* 0: 4096 */
	unsigned       nodes;
	bool	       from_create;
	enum cold_rule cold;
};

struct outcome_of_run {
	uint64_t       references, cold, true_, false_, upgrades;
	uint32_t       pages;
	struct sharing sharing;
};

/* The protocol has the counter. */
static inline uint64_t
counted(const struct instance *i, const char *name)
{
	for (const struct counter *c = i->plugin->counters; c && c->name; c++)
		if (!strcmp(c->name, name))
			return counter_value(i->self, c);
	ck_abort_msg("%s has no counter %s", i->plugin->name, name);
}

static inline void
count_faults(struct outcome_of_run *o, const struct instance *i)
{
	if (strcmp(i->plugin->name, "invalidate"))
		return;
	o->cold = counted(i, "cold_faults");
	o->true_ = counted(i, "true_faults");
	o->false_ = counted(i, "false_faults");
	o->upgrades = counted(i, "upgrades");
}

static inline int
run_program(struct outcome_of_run *o, const struct program *p, const struct way *w,
    const struct share_observer *observer, struct error *e)
{
	struct share_config c = { .page_bytes = w->page_bytes ? w->page_bytes : 4096,
		.nodes = w->nodes,
		.from_create = w->from_create,
		.cold = w->cold,
		.observer = observer };
	struct share_result r;

	if (registry_choose(PLUGIN_PROTOCOL, w->protocol ? w->protocol : "invalidate", &c.protocol,
		e) ||
	    registry_choose(PLUGIN_ALLOCATOR, w->allocator ? w->allocator : "sequential",
		&c.allocator, e) ||
	    share_run(&r, &c, p, e))
		return -1;
	*o = (struct outcome_of_run){ .references = r.references,
		.pages = r.pages,
		.sharing = r.sharing };
	count_faults(o, &r.protocol);
	share_release(&r);
	return 0;
}

static inline struct outcome_of_run
run_of(const char *text, const struct way *w)
{
	struct program	      p = program_of(text);
	struct outcome_of_run o = { 0 };
	struct error	      e;

	ck_assert_msg(!run_program(&o, &p, w, NULL, &e), "%s", e.text);
	program_release(&p);
	return o;
}

/* The program of a kind with its parameters.  0 or -1. */
static inline int
make_kind(struct program *p, const char *text, struct error *e)
{
	struct choice kind;
	int	      failed;

	*e = (struct error){ 0 };
	if (registry_choose(PLUGIN_KIND, text, &kind, e))
		return -1;
	failed = kind_make(p, &kind, text, e);
	choice_release(&kind);
	return failed;
}

#endif
