/*
 * window.c - sets of a fixed size.
 *
 * A miss reads the `degree` blocks behind it.  When the program comes to the
 * block that lies `trigger` blocks before the end of this set, the next set is
 * read, so that a run misses once:
 *
 *	      |<--- degree --->|
 *	------x set        #   |next set        |
 *			   |<->| trigger
 *
 * Without a trigger each set is followed by a miss.
 *
 *	B. S. Gill, L. A. D. Bathen.  AMP: adaptive multi-stream prefetching
 *	in a shared cache.  5th USENIX Conference on File and Storage
 *	Technologies (FAST), 2007: there called fixed synchronous (FS) and
 *	fixed asynchronous (FA).
 *
 * A trigger at half of the set is the paper's choice; the size of the set is
 * bufsim's own.  O(1) a reference, 20 bytes per file.
 */
#include "prefetch/sets.h"

#define NOT_GIVEN UINT64_MAX

struct stream { /* of a file */
	struct set set;
	uint32_t   last; /* block of the last reference */
	uint32_t   run;	 /* blocks in order that end with it; 0: there was none */
};

struct window {
	uint64_t	    degree, trigger, run;
	struct stream	   *stream; /* by file */
	const struct trace *trace;
	uint64_t	    missed_sets, triggered_sets;
};

static const char *const off[] = { "off", NULL };

static const struct param window_params[] = {
	{ "degree", PARAM_COUNT, 8, 0, SET_MAX, offsetof(struct window, degree),
	    "blocks of a set; 0: nothing is read ahead", NULL },
	{ "trigger", PARAM_COUNT, NOT_GIVEN, 0, SET_MAX, offsetof(struct window, trigger),
	    "the next set is read so many blocks before the end of the set; half of degree if not given",
	    off },
	{ "run", PARAM_COUNT, 1, 1, SET_MAX, offsetof(struct window, run),
	    "a miss reads a set if it ends so many blocks in order", NULL },
	{ 0 },
};

static const struct counter window_counters[] = {
	{ "missed_sets", "sets", "read at a miss", offsetof(struct window, missed_sets) },
	{ "triggered_sets", "sets", "read at a trigger", offsetof(struct window, triggered_sets) },
	{ 0 },
};

static void
follow(struct stream *s, uint32_t index)
{
	if (s->run && index == s->last + 1)
		s->run++;
	else if (!s->run || index != s->last)
		s->run = 1;
	s->last = index;
}

static uint32_t
distance(const struct window *w)
{
	if (w->trigger == NOT_GIVEN)
		return (uint32_t)w->degree / 2;
	return w->trigger > SET_MAX ? NO_BLOCK : (uint32_t)w->trigger;
}

static void
window_access(void *self, const struct demand *d, struct plan *plan)
{
	struct window *w = self;
	struct stream *s = &w->stream[d->file];
	bool	       missed;

	follow(s, d->index);
	missed = d->how == REF_MISS && s->run >= w->run;
	if (!w->degree || (!missed && !set_triggers(&s->set, d)))
		return;
	plan_note(plan, missed ? "it was missing: a set behind it" : "the trigger: the next set");
	s->set = set_read(plan, d, (missed ? d->index : s->set.end) + 1, (uint32_t)w->degree,
	    distance(w));
	w->missed_sets += missed && s->set.count;
	w->triggered_sets += !missed && s->set.count;
}

static int
window_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct window *w = self;

	w->trace = t;
	w->stream = file_states_new(t, sizeof(*w->stream), e);
	return w->stream ? 0 : -1;
}

static void
window_release(void *self)
{
	free(((struct window *)self)->stream);
}

static const char *const window_state_names[] = { SET_STATE_NAMES, "run", NULL };

static void
window_state(const void *self, uint32_t open, int64_t *value)
{
	const struct window *w = self;
	const struct stream *s = &w->stream[w->trace->open[open].file];

	set_state(&s->set, value);
	value[2] = s->run;
}

PREFETCHER(window,
    .plugin = { .name = "window",
	.summary = "the next blocks, always so many (Gill and Bathen 2007: FS and FA)",
	.source =
	    "B. S. Gill, L. A. D. Bathen: AMP: adaptive multi-stream prefetching in a shared cache, FAST 2007",
	.state_size = sizeof(struct window),
	.params = window_params,
	.counters = window_counters },
    .init = window_init, .release = window_release, .access = window_access,
    .state_names = window_state_names, .state = window_state);
