/* frames_points.c - check each combination of settings, then measure one after the other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/points/points.h"
#include "sim/registry.h"
#include "sim/studies/frames/frames_points.h"
#include "sim/studies/frames/model/core_kind.h"
#include "sim/studies/frames/model/recording.h"
#include "sim/studies/frames/model/registry.h"

enum { POINTS_MAX = 1000 };

/* ---- settings ---- */

static int
check_shape(const struct frames_shape *s, struct error *e)
{
	const uint64_t most = UINT64_C(1) << (FRAME_ORDERS - 1);
	uint64_t       pages;

	if (!s->threads || s->threads > FRAME_THREADS_MAX)
		return error_usage(e,
		    "--threads: type a number from 1 to %d, or a list such as 1,2,4",
		    FRAME_THREADS_MAX);
	if (!s->block_pages || s->block_pages & (s->block_pages - 1) || s->block_pages > most)
		return error_usage(e,
		    "--block-pages: a block has a power of two of pages, at most %" PRIu64
		    ": type 512, 1024, ...",
		    most);
	if (!s->blocks || s->blocks > ARENA_BLOCKS_MAX)
		return error_usage(e, "--blocks: type a number from 1 to %d", ARENA_BLOCKS_MAX);
	if (__builtin_mul_overflow(s->blocks, s->block_pages, &pages) || pages >= NO_PAGE)
		return error_usage(e,
		    "--blocks %" PRIu64 " of %" PRIu64
		    " pages: the pages are at most 2^32 - 2; type fewer blocks",
		    s->blocks, s->block_pages);
	return 0;
}

static int
check_repeat(uint64_t repeat, struct error *e)
{
	if (repeat >= 1 && repeat <= TRIAL_REPEATS_MAX)
		return 0;
	return error_usage(e, "--repeat: type a number from 1 to %d", TRIAL_REPEATS_MAX);
}

/* ---- a recording ---- */

/* A list with blanks has ended early: its next item is taken for a file. */
static int
check_stray(const char *text, struct error *e)
{
	static const struct {
		const struct plugin_kind *kind;
		const char		 *option;
	} list[] = { { PLUGIN_POOL, "allocator" }, { PLUGIN_LOAD, "workload" },
		{ PLUGIN_CORE, "cores" } };

	for (size_t i = 0; i < sizeof(list) / sizeof(*list) && access(text, F_OK); i++)
		if (registry_has(list[i].kind, text))
			return error_usage(e,
			    "'%s' is no file: type --%s %s, or a list with commas and without blanks",
			    text, list[i].option, text);
	return 0;
}

static int
load_recording(struct frames_points *p, struct error *e)
{
	const char *path = p->o->argument[0];

	return path && (check_stray(path, e) || recording_load(&p->recording, path, e)) ? -1 : 0;
}

/* "rounds=10" of "recording:rounds=10"; "" if no workload is typed; NULL: another workload. */
static const char *
recording_params(const struct frames_points *p, const char *text)
{
	const char *name = p->recording.plugin->name;

	if (!option_is_typed(p->o, OPTION_load))
		return "";
	return !strncmp(text, name, strlen(name)) && text[strlen(name)] == ':'
	    ? text + strlen(name) + 1
	    : NULL;
}

static int
set_recording(const struct frames_points *p, const char *text, struct error *e)
{
	const char *params = recording_params(p, text);

	if (!params)
		return error_usage(e,
		    "%s is the workload: leave out --workload, or type --workload "
		    "recording:rounds=10",
		    p->o->argument[0]);
	return params_set(p->recording.plugin, p->recording.self, params, e)
	    ? error_prefix(e, "--workload")
	    : 0;
}

/* "csq.frames", "csq.frames:rounds=10"; NULL: out of memory. */
static const char *
name_recording(struct frames_points *p, const char *text)
{
	const char *path = p->o->argument[0], *slash = strrchr(path, '/');
	const char *params = recording_params(p, text);
	char	    name[POINT_NAME];
	uint32_t    number;

	snprintf(name, sizeof(name), "%s%s%s", slash ? slash + 1 : path, *params ? ":" : "",
	    params);
	number = names_intern(&p->names, name);
	return number ? p->names.name[number] : NULL;
}

/*
 * As much memory as the cache that was recorded has, and a block for what threads keep.  A kernel had
 * memory to spare: twice the pages that were held at once.
 */
static uint64_t
blocks_of(const struct frames_points *p, uint64_t block_pages)
{
	const struct recording_facts *f = recording_facts(&p->recording);
	uint64_t		      pages = f->is_kernel ? 2 * f->most : f->cache_blocks;

	return (pages + block_pages - 1) / block_pages + 1;
}

/* ---- a point ---- */

static int
choose_load(struct instance *load, const char *text, struct error *e)
{
	const char *params;

	load->plugin = registry_find(PLUGIN_LOAD, text, &params, e);
	load->self = load->plugin ? plugin_state(load->plugin, params, e) : NULL;
	return load->self ? 0 : error_prefix(e, "--workload");
}

static void
release(const struct frames_points *p, struct trial *t)
{
	choice_release(&t->pool);
	choice_release(&t->cores);
	if (!p->recording.self)
		plugin_free(t->load.self, NULL);
}

/* Time that is computed is the same in each repetition. */
static bool
is_modelled(const struct trial *t)
{
	return ((const struct core_kind *)(const void *)t->cores.plugin)->modelled;
}

/* Release t in any case. */
static int
configure(const struct frames_points *p, struct trial *t, const struct options *o, struct error *e)
{
	*t = (struct trial){ .shape = { o->blocks, o->block_pages, o->threads, o->checked },
		.repeat = (unsigned)o->repeat,
		.latency = o->latency,
		.fragment = o->fragments };
	if (p->recording.self && !option_is_typed(p->o, OPTION_blocks) && o->block_pages)
		t->shape.blocks = blocks_of(p, o->block_pages);
	if (check_shape(&t->shape, e) || check_repeat(o->repeat, e))
		return -1;
	if (registry_choose(PLUGIN_POOL, o->pool, &t->pool, e))
		return error_prefix(e, "--allocator");
	if (registry_choose(PLUGIN_CORE, o->cores, &t->cores, e))
		return error_prefix(e, "--cores");
	if (is_modelled(t))
		t->repeat = 1;
	t->load = p->recording;
	return p->recording.self ? set_recording(p, o->load, e) : choose_load(&t->load, o->load, e);
}

/* Can the load be run on such an arena? */
static int
check_load(const struct trial *t, struct error *e)
{
	const struct load *load = (const struct load *)(const void *)t->load.plugin;
	struct script	   s = { 0 };
	int		   failed = load->write(t->load.self, &s, 0, &t->shape, e);

	script_release(&s);
	return failed ? error_prefix(e, "--workload") : 0;
}

static int
check_point(struct frames_points *p, size_t i, struct error *e)
{
	struct options o;
	struct trial   t;
	int	       failed;

	if (grid_point(&p->grid, i, &o, e))
		return -1;
	failed = configure(p, &t, &o, e) || check_load(&t, e);
	release(p, &t);
	if (failed)
		return -1;
	p->report[i] = (struct frames_report){ .allocator = o.pool,
		.workload = p->recording.self ? name_recording(p, o.load) : o.load,
		.cores = o.cores,
		.shape = t.shape,
		.repeat = t.repeat,
		.latency = t.latency,
		.fragments = t.fragment };
	return p->report[i].workload ? 0 : error_set(e, "out of memory for the name of a workload");
}

int
frames_points_init(struct frames_points *p, const struct options *o, struct error *e)
{
	*p = (struct frames_points){ .o = o };
	if (load_recording(p, e) || grid_init(&p->grid, COMMAND_FRAMES, o, e) ||
	    grid_count(&p->grid, 1, POINTS_MAX, &p->n, e))
		return -1;
	p->report = calloc(p->n, sizeof(*p->report));
	if (!p->report)
		return error_set(e, "out of memory for the results");
	for (size_t i = 0; i < p->n; i++)
		if (check_point(p, i, e))
			return -1;
	return 0;
}

void
frames_points_release(struct frames_points *p)
{
	if (p->recording.self)
		recording_release(&p->recording);
	names_release(&p->names);
	free(p->report);
	grid_release(&p->grid);
}

/* ---- measuring ---- */

static int
measure(void *self, size_t i, FILE *out, struct error *e)
{
	const struct frames_points *p = self;
	struct options		    o;
	struct trial		    t;
	struct trial_result	    result;
	int			    failed;

	if (grid_point(&p->grid, i, &o, e))
		return -1;
	failed = configure(p, &t, &o, e) || trial_run(&result, &t, e);
	release(p, &t);
	if (failed)
		return -1;
	fwrite(&result, sizeof(result), 1, out);
	return 0;
}

/* "--allocator buddy --threads 8" */
static void
name_point(const void *self, size_t i, char name[POINT_NAME])
{
	const struct frames_points *p = self;

	grid_name(&p->grid, i, name, POINT_NAME);
}

int
frames_points_run(struct frames_points *p, struct error *e)
{
	const struct points work = { .n = p->n,
		.doing = "measuring",
		.unit = "points",
		.self = p,
		.make = measure,
		.name = name_point };

	if (points_collect(&work, &p->report->result, sizeof(p->report->result), sizeof(*p->report),
		e))
		return -1;
	frames_compare(p->report, p->n);
	return 0;
}
