/* trying.h - loads by name, and trials of them. */
#ifndef TESTS_UNIT_FRAMES_TRYING_H
#define TESTS_UNIT_FRAMES_TRYING_H

#include <stdlib.h>
#include <string.h>

#include "sim/registry.h"
#include "sim/studies/frames/model/player.h"
#include "sim/studies/frames/model/registry.h"
#include "sim/studies/frames/model/trial.h"
#include "tests/unit/support.h"

/* "churn:n=100"; release it with free(self). */
static inline struct instance
load_by_name(const char *text)
{
	struct instance load;
	struct choice	c;
	struct error	e;

	ck_assert_msg(!registry_choose(PLUGIN_LOAD, text, &c, &e), "%s", e.text);
	load = (struct instance){ c.plugin, plugin_state(c.plugin, c.params, &e) };
	ck_assert_msg(load.self != NULL, "%s", e.text);
	return load;
}

static inline struct choice
pool_by_name(const char *text)
{
	struct choice c;
	struct error  e;

	ck_assert_msg(!registry_choose(PLUGIN_POOL, text, &c, &e), "%s", e.text);
	return c;
}

static inline struct choice
cores_by_name(const char *text)
{
	struct choice c;
	struct error  e;

	ck_assert_msg(!registry_choose(PLUGIN_CORE, text, &c, &e), "%s", e.text);
	return c;
}

/* Checked, of 4 blocks of 1024 pages, once, on real cores. */
static inline struct trial
trial_of(const char *pool, struct instance load, unsigned threads)
{
	return (struct trial){ .shape = { 4, 1024, threads, true },
		.pool = pool_by_name(pool),
		.cores = cores_by_name("real"),
		.load = load,
		.repeat = 1 };
}

static inline struct trial_result
result_of(const struct trial *t)
{
	struct trial_result r;
	struct error	    e;

	ck_assert_msg(!trial_run(&r, t, &e), "%s", e.text);
	return r;
}

/* ---- a load from text: "t00 t11 g00": kind (take, give, send, receive), slot, order ---- */

struct typed {
	const char *of[2]; /* of even and odd threads */
	uint64_t    rounds;
};

static inline int
typed_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	static const char   kinds[] = "tgsr";
	const struct typed *typed = self;

	(void)shape;
	s->rounds = typed->rounds;
	for (const char *c = typed->of[thread % 2]; *c; c += c[3] ? 4 : 3)
		if (script_add(s, (enum move_kind)(strchr(kinds, *c) - kinds),
			(uint32_t)(c[1] - '0'), (unsigned)(c[2] - '0'), e))
			return -1;
	return 0;
}

static const struct load typed_load = { .plugin = { .name = "typed" }, .write = typed_write };

static inline struct instance
load_typed(struct typed *t)
{
	return (struct instance){ &typed_load.plugin, t };
}

#endif
