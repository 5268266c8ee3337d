/* modelling.h - loads of a few steps and a pool of a few costs, on modelled cores. */
#ifndef TESTS_UNIT_FRAMES_MODELLING_H
#define TESTS_UNIT_FRAMES_MODELLING_H

#include "sim/registry.h"
#include "sim/studies/frames/model/cores.h"
#include "sim/studies/frames/model/pool.h"
#include "sim/studies/frames/model/registry.h"

/* ---- a load: t takes a page, g frees it, s sends it, r receives one ---- */

struct steps {
	const char *of[2]; /* even and odd threads */
	uint64_t    rounds;
};

static int
steps_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	static const char   letters[] = { [MOVE_TAKE] = 't',
		  [MOVE_GIVE] = 'g',
		  [MOVE_SEND] = 's',
		  [MOVE_RECEIVE] = 'r',
		  0 };
	const struct steps *steps = self;

	(void)shape;
	s->rounds = steps->rounds;
	for (const char *c = steps->of[thread % 2]; *c; c++)
		if (script_add(s, (enum move_kind)(strchr(letters, *c) - letters), 0, 0, e))
			return -1;
	return 0;
}

static LOAD(steps, .plugin = { .name = "steps" }, .write = steps_write);

/* ---- a pool: each operation does the same, and gives out pages that do not matter ---- */

struct line {
	_Alignas(LINE_BYTES) char byte[LINE_BYTES];
};

struct work {
	struct guard *guard;
	struct line  *line; /* [0] is shared, [1] of thread 0, and so on */

	/* Parameters: what is done. */
	uint64_t early; /* touches of lines of its own before the lock, by thread 0 */
	uint64_t lock, share, touch_own;
};

static int
work_init(void *self, const struct arena *a, unsigned threads, struct error *e)
{
	struct work *w = self;

	(void)a;
	w->guard = guard_new(e);
	w->line = lines_new(threads + 1, sizeof(*w->line));
	return w->guard && w->line ? 0 : -1;
}

static void
work_release(void *self)
{
	struct work *w = self;

	lines_free(w->guard);
	lines_free(w->line);
}

static page_t
work_alloc(void *self, struct frames_thread *t, unsigned order)
{
	struct work *w = self;

	(void)order;
	for (uint64_t i = 0; !t->number && i < w->early; i++)
		touch(t, &w->line[1 + t->number]);
	if (w->lock)
		guard_lock(w->guard, t);
	if (w->share)
		touch(t, &w->line[0]);
	if (w->lock)
		guard_unlock(w->guard, t);
	if (w->touch_own)
		touch(t, &w->line[1 + t->number]);
	return t->number;
}

static void
work_free(void *self, struct frames_thread *t, page_t page, unsigned order)
{
	(void)page;
	work_alloc(self, t, order);
}

static const struct param work_params[] = {
	{ "early", PARAM_COUNT, 0, 0, 1000, offsetof(struct work, early), "", NULL },
	{ "lock", PARAM_COUNT, 0, 0, 1, offsetof(struct work, lock), "", NULL },
	{ "share", PARAM_COUNT, 0, 0, 1, offsetof(struct work, share), "", NULL },
	{ "own", PARAM_COUNT, 0, 0, 1, offsetof(struct work, touch_own), "", NULL },
	{ 0 },
};

static POOL(work,
    .plugin = { .name = "work", .state_size = sizeof(struct work), .params = work_params },
    .init = work_init, .release = work_release, .alloc = work_alloc, .free = work_free);

/* ---- a run ---- */

struct modelled {
	double		     elapsed_ns;
	struct frames_counts counts;
	struct trial_latency latency;
};

static inline int
run_modelled(struct modelled *r, const struct choice *pool, const char *name, struct instance load,
    unsigned threads, struct error *e)
{
	const struct frames_shape shape = { .blocks = 4, .block_pages = 1024, .threads = threads };
	struct choice		  cores;
	struct players		  players;
	struct frames		 *f;
	int			  failed;

	if (registry_choose(PLUGIN_CORE, name, &cores, e))
		return -1;
	f = frames_open(pool, &shape, e);
	if (!f)
		return -1;
	failed = players_open(&players, f, &load, &shape, e);
	if (!failed) {
		failed = cores_run(f, &players, &cores, &r->elapsed_ns, &r->latency, e);
		r->counts = frames_counts(f);
		players_close(&players);
	}
	frames_close(f);
	return failed;
}

#endif
