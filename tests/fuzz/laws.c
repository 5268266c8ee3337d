/* laws.c - what a trace that loads, and a run of it, obey. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/mrc.h"
#include "sim/base/number.h"
#include "sim/trace/format.h"
#include "sim/trace/place_steps.h"
#include "tests/fuzz/harness.h"

enum {
	RUNS = 2,
	ARGUMENTS = 64,
	FEW_REFERENCES = 3000,
	MANY_REFERENCES = 60000, /* of one input in eight */
	ROUND_TRIP_MAX = 20000
};

/* ---- settings ---- */

struct line {
	char  text[ARGUMENTS][DRAW_TEXT];
	char *word[ARGUMENTS];
	int   n;
	char  all[4 * DRAW_TEXT]; /* for messages */
};

static void
add(struct line *l, const char *word)
{
	size_t used = strlen(l->all);

	snprintf(l->text[l->n], DRAW_TEXT, "%s", word);
	l->word[l->n] = l->text[l->n];
	l->n++;
	snprintf(l->all + used, sizeof(l->all) - used, "%s%s", used ? " " : "", word);
}

static void
add_option(struct line *l, const char *name, const char *value)
{
	char option[DRAW_TEXT];

	snprintf(option, sizeof(option), "--%s", name);
	add(l, option);
	add(l, value);
}

/* Options of a simulation; those of loading and of counting are left to the caller. */
static void
draw_settings(struct draw *d, uint32_t block_bytes, struct line *l)
{
	char block[NUMBER_TEXT];

	memset(l, 0, sizeof(*l));
	add(l, "run");
	add(l, "trace");
	for (const struct option_info *i = option_info; i->name; i++) {
		char value[DRAW_TEXT];

		if (!option_takes_list(i, COMMAND_SWEEP) || i == &option_info[OPTION_warmup] ||
		    !draw_below(d, 2))
			continue;
		draw_value(d, i, value);
		add_option(l, i->name, value);
	}
	add_option(l, "block", number_format(block, block_bytes, PARAM_BYTES));
}

/* 0: settings that contradict each other. */
static bool
set_up(const struct line *l, struct options *o, struct setup *s)
{
	struct error e = { 0 };

	if (!options_parse(o, COMMAND_RUN, l->n, (char **)(uintptr_t)l->word, &e) &&
	    !setup_init(s, o, &e))
		return true;
	harness_refused(&e);
	return false;
}

/* ---- runs ---- */

static uint64_t
count_references(const struct trace *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->naccess; i++)
		n += access_count(t, &t->access[i]);
	return n;
}

void
run_laws(const struct config *c, const struct trace *t, const char *what)
{
	struct stats st;
	struct error e = { 0 };

	if (getenv("FUZZ_SHOW"))
		fprintf(stderr, "%s\n", what);
	if (simulate(c, t, &st, &e)) {
		harness_refused(&e);
		return;
	}
	if (!c->cache_blocks)
		return;
	LAW(st.references == count_references(t), "%s", what);
	if (c->replay == REPLAY_UNTIMED) {
		LAW(st.references == st.hits + st.misses, "%s", what);
		return;
	}
	LAW(st.references == st.hits + st.late_hits + st.delayed_hits + st.misses, "%s", what);
	LAW(st.first_hits <= st.hits && st.cold_misses <= st.misses, "%s", what);
	LAW(st.prefetched_blocks ==
		st.prefetch_used_blocks + st.prefetch_late_blocks + st.prefetch_wasted_blocks +
		    st.prefetch_unused_blocks + st.prefetch_inflight_blocks,
	    "%s", what);
	LAW(st.demand_requests + st.prefetch_requests == st.read_requests, "%s", what);
	LAW(st.device_busy_us + st.device_idle_us == st.elapsed_us, "%s", what);
}

/* The curve has the misses of LRU. */
static void
curve_law(const struct trace *t, uint64_t cache_blocks, uint64_t misses)
{
	struct mrc   m;
	struct error e = { 0 };

	if (mrc_init(&m, t->nblocks, &e)) {
		harness_refused(&e);
		return;
	}
	LAW(!mrc_trace(&m, t, &e), "%s", e.text);
	LAW(mrc_misses(&m, cache_blocks) == misses, "%llu blocks",
	    (unsigned long long)cache_blocks);
	mrc_release(&m);
}

/* A device without time has the hits and misses of the replay without a clock, where no block is dirty. */
static void
untimed_laws(struct trace *t, struct draw *d)
{
	char  policy[DRAW_TEXT], cache[NUMBER_TEXT];
	char *word[] = { "run", "trace", "--policy", policy, "--cache", cache, "--device", "null",
		"--wait", "block", "--writes", "through", NULL };
	struct options o;
	struct setup   s;
	struct stats   timed, untimed;
	struct error   e = { 0 };

	draw_plugin(d, PLUGIN_POLICY, policy);
	snprintf(cache, sizeof(cache), "%u%s", 1 + draw_below(d, 40), "b");
	if (options_parse(&o, COMMAND_RUN, (int)(sizeof(word) / sizeof(*word)) - 1, word, &e) ||
	    setup_init(&s, &o, &e))
		return;
	if (simulate(&s.config, t, &timed, &e))
		harness_refused(&e);
	s.config.replay = REPLAY_UNTIMED;
	if (!e.exit_code && !simulate(&s.config, t, &untimed, &e)) {
		LAW(timed.hits == untimed.hits && timed.misses == untimed.misses, "%s, %s", policy,
		    cache);
		if (!strcmp(policy, "lru"))
			curve_law(t, s.config.cache_blocks, untimed.misses);
	}
	setup_release(&s);
}

void
simulation_laws(struct trace *t, struct draw *d)
{
	if (count_references(t) > (draw_below(d, 8) ? FEW_REFERENCES : MANY_REFERENCES))
		return;
	for (int i = 0; i < RUNS; i++) {
		struct line    l;
		struct options o;
		struct setup   s;
		struct error   e = { 0 };

		draw_settings(d, t->block_bytes, &l);
		if (!set_up(&l, &o, &s))
			continue;
		if (setup_fit(&s, &o, t, &e))
			harness_refused(&e);
		else
			run_laws(&s.config, t, l.all);
		setup_release(&s);
	}
	untimed_laws(t, d);
}

/* ---- traces ---- */

static void
promises(const struct trace *t)
{
	block_t next = 1;
	usec_t	time = 0;

	LAW(t->naccess && t->nfiles && t->nopen && t->nprocesses, "something of each");
	LAW(!t->access[0].time, "the first call is at 0");
	for (file_t f = 0; f < t->nfiles; f++) {
		LAW(t->file[f].base == next, "file %u", f);
		next += t->file[f].nblocks;
	}
	LAW(t->nblocks == next, "%u blocks, %u in files", t->nblocks, next);
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];

		LAW(a->open < t->nopen && t->open[a->open].file < t->nfiles &&
			t->open[a->open].process < t->nprocesses,
		    "access %zu", i);
		LAW(a->time >= time && a->length && a->length <= t->longest_bytes, "access %zu", i);
		time = a->time;
		LAW((uint64_t)access_first(t, a) + access_count(t, a) <=
			t->file[t->open[a->open].file].nblocks,
		    "access %zu", i);
	}
	LAW(steps_sound(t), "the steps");
	for (size_t i = 0; i < t->nadvice; i++)
		LAW(t->advice[i].before < t->naccess && t->advice[i].open < t->nopen &&
			t->access[t->advice[i].before].advised,
		    "advice %zu", i);
}

static void
same_access(const struct access *a, const struct access *b, const char *format, size_t i)
{
	LAW(a->time == b->time && a->offset == b->offset && a->file_size == b->file_size &&
		a->length == b->length && a->write == b->write && a->open == b->open &&
		a->advised == b->advised && a->fresh == b->fresh,
	    "%s: access %zu", format, i);
}

static void
same(const struct trace *a, const struct trace *b, const char *format)
{
	LAW(a->naccess == b->naccess && a->nopen == b->nopen && a->nfiles == b->nfiles &&
		a->nprocesses == b->nprocesses && a->nadvice == b->nadvice,
	    "%s", format);
	for (size_t i = 0; i < a->naccess; i++)
		same_access(&a->access[i], &b->access[i], format, i);
	for (size_t i = 0; i < a->nadvice; i++)
		LAW(!memcmp(&a->advice[i], &b->advice[i], sizeof(*a->advice)), "%s: advice %zu",
		    format, i);
	for (uint32_t i = 0; i < a->nopen; i++)
		LAW(a->open[i].file == b->open[i].file && a->open[i].process == b->open[i].process,
		    "%s: open file %u", format, i);
	LAW(a->nsteps == b->nsteps, "%s: steps", format);
	for (size_t k = 0; k < a->nsteps; k++)
		LAW(!memcmp(&a->step[k], &b->step[k], sizeof(*a->step)), "%s: step %zu", format, k);
	LAW(a->fingerprint == b->fingerprint, "%s: the fingerprint", format);
}

/*
 * What a format without processes, sizes or opens keeps.  Of a file that is opened again, only the
 * opens tell which read is fresh.
 */
static void
alike(const struct trace *a, const struct trace *b, const struct format *f)
{
	const char *format = f->plugin.name;
	bool	    has_opens = !(f->loses & LOSES_OPENS);

	LAW(a->naccess == b->naccess && a->nfiles == b->nfiles, "%s", format);
	for (size_t i = 0; i < a->naccess; i++) {
		const struct access *x = &a->access[i], *y = &b->access[i];

		LAW(x->time == y->time && x->offset == y->offset && x->length == y->length &&
			x->write == y->write && (x->fresh == y->fresh || !has_opens) &&
			a->open[x->open].file == b->open[y->open].file,
		    "%s: access %zu", format, i);
	}
}

/* What a format writes, it reads again. */
static void
comes_back(const struct trace *t, const struct format *f)
{
	const struct trace_options how = { .block_bytes = t->block_bytes, .format = f };
	const char		  *path = harness_path("written");
	struct error		   e = { 0 };
	struct output		  *out = output_open(path, &e);
	struct trace		   again;

	LAW(out, "%s: %s", path, e.text);
	if (f->write(t, out, &e)) {
		harness_refused(&e);
		output_abandon(out);
		return;
	}
	LAW(!output_commit(out, NULL, &e), "%s", e.text);
	LAW(!trace_load(&again, path, &how, &e), "%s: %s", f->plugin.name, e.text);
	LAW(!trace_check(&again, 0, again.naccess, &e), "%s: %s", f->plugin.name, e.text);
	/*
	 * Streams belong to the loading, not to the file.
	 * Text orders steps by time alone: those of a damaged trace may come back in other places.
	 */
	if (f->map || (!t->nsteps && t->stream_by <= STREAM_VOLUME))
		f->loses ? alike(t, &again, f) : same(t, &again, f->plugin.name);
	trace_release(&again);
}

/* One loaded trace in so many goes on: FUZZ_SHARE, 1 if it is not set. */
static uint32_t
loaded_share(void)
{
	static uint32_t share;
	const char     *text = share ? NULL : getenv("FUZZ_SHARE");

	if (text)
		share = (uint32_t)strtoul(text, NULL, 10);
	if (!share)
		share = 1;
	return share;
}

static void
loaded_laws(struct trace *t, struct draw *d)
{
	promises(t);
	if (draw_below(d, loaded_share()))
		return;
	/* A forged binary trace may have processes or files with one number, which text confuses. */
	for (const struct format *const *f = formats; *f && t->naccess <= ROUND_TRIP_MAX; f++)
		if ((*f)->write && !(*f)->by_block && (!t->mapping || (*f)->map))
			comes_back(t, *f);
	simulation_laws(t, d);
}

void
trace_laws(const char *path, const struct format *format, const char *params, struct draw *d)
{
	char		     drawn[DRAW_TEXT] = "";
	struct trace_options how = {
		.block_bytes = 512u << draw_below(d, 12),
		.format = format,
		.format_params = params,
		.touch_mmaps = !draw_below(d, 4),
	};
	struct error e = { 0 };
	struct trace t;

	if (draw_below(d, 2))
		how.block_bytes = 4096;
	if (format && !params && !draw_below(d, 4))
		draw_params(d, &format->plugin, drawn);
	if (*drawn)
		how.format_params = drawn;
	if (!draw_below(d, 8))
		how.stream_by = (enum stream_by)draw_below(d, STREAM_NONE + 1);
	if (trace_load(&t, path, &how, &e)) {
		harness_refused(&e);
		return;
	}
	if (!trace_check(&t, 0, t.naccess, &e))
		loaded_laws(&t, d);
	else
		harness_refused(&e);
	trace_release(&t);
}
