/* classes.c - pass every reference to the detector, and add up the classes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/classes.h"

const char *const class_names[CALL_CLASSES] = { "other", "sequential", "looping", "backward" };
const enum reference_class class_order[CALL_CLASSES] = { CLASS_SEQUENTIAL, CLASS_LOOPING,
	CLASS_BACKWARD, CLASS_OTHER };

/* ---- parameters ---- */

static const struct param detector_params[] = {
	DETECTOR_PARAMS(struct classes, detector),
	{ 0 },
};

static const struct plugin detector_plugin = {
	.name = "the detector",
	.params = detector_params,
};

int
classes_check(const char *params, struct error *e)
{
	struct classes c;

	if (params && strchr(params, '+'))
		return error_usage(e,
		    "'%s': parameters are name=value,name=value; + is for prefetchers", params);
	return params_set(&detector_plugin, &c, params, e);
}

const struct param *
classes_param(unsigned i)
{
	return detector_params[i].name ? &detector_params[i] : NULL;
}

uint64_t
classes_param_value(const struct classes *c, unsigned i)
{
	return *(const uint64_t *)(const void *)((const char *)c + detector_params[i].offset);
}

char *
classes_params(const struct classes *c, char buf[PARAMS_TEXT])
{
	const struct param *q;
	char		    text[NUMBER_TEXT];
	size_t		    used = 0;

	for (unsigned i = 0; (q = classes_param(i)); i++) {
		uint64_t value = classes_param_value(c, i);

		used += (size_t)snprintf(buf + used, PARAMS_TEXT - used, "%s%s=%s", i ? "," : "",
		    q->name,
		    q->unit == PARAM_WORD ? q->words[value] : number_format(text, value, q->unit));
		ASSERT(used < PARAMS_TEXT);
	}
	return buf;
}

/* ---- loops ---- */

double
class_loop_spread(const struct class_loop *l)
{
	return sqrt(l->deviations / (double)l->repetitions);
}

/* The number, from 1, of the loop that begins with that block; 0: out of memory. */
static uint32_t
loop_at(struct classes *c, file_t file, uint32_t first)
{
	uint32_t	  *number = map_at(&c->loop_map, (uint64_t)file << 32 | first);
	struct class_loop *grown;

	if (!number || *number)
		return number ? *number : 0;
	grown = array_grow(c->loop, c->nloops, &c->loop_room, sizeof(*c->loop));
	if (!grown)
		return 0;
	c->loop = grown;
	c->loop[c->nloops] = (struct class_loop){ .file = file, .first = first };
	return *number = ++c->nloops;
}

/* The run repeats a known one, `period` references after its last beginning. */
static int
add_repetition(struct classes *c, struct class_run *r, const struct known_run *known, double period,
    struct error *e)
{
	struct class_loop *l;
	double		   off;

	r->loop = loop_at(c, r->file, known->start);
	if (!r->loop)
		return error_set(e, "out of memory for the loops of %s", c->t->name);
	r->loop_first = known->start;
	l = &c->loop[r->loop - 1];
	r->period = l->period = known->period;
	l->last = known->end;
	off = period - l->mean;
	l->mean += off / (double)++l->repetitions;
	l->deviations += off * (period - l->mean);
	return 0;
}

static int
by_references(const void *a, const void *b)
{
	const struct class_loop *l = a, *m = b;

	if (l->references != m->references)
		return l->references < m->references ? 1 : -1;
	if (l->file != m->file)
		return l->file < m->file ? -1 : 1;
	return l->first < m->first ? -1 : l->first > m->first;
}

/* ---- runs ---- */

static unsigned
bin_of(uint32_t blocks)
{
	unsigned bin = 31 - (unsigned)__builtin_clz(blocks);

	return bin < RUN_BINS ? bin : RUN_BINS - 1;
}

static int
end_run(struct classes *c, const struct class_run *r, struct error *e)
{
	struct class_total *total = &c->total[r->class];
	struct run_bin	   *bin;

	if (!r->references)
		return 0;
	bin = &c->bin[bin_of(r->blocks)];
	total->runs++;
	total->run_blocks += r->blocks;
	bin->runs++;
	bin->references += r->references;
	return c->observer.run ? c->observer.run(c->observer.self, r, e) : 0;
}

static int
begin_run(struct classes *c, uint32_t open, double period, struct error *e)
{
	const struct open_run *run = &c->detector.open[open];
	struct class_run      *r = &c->open[open];

	if (end_run(c, r, e))
		return -1;
	*r = (struct class_run){ .file = c->t->open[open].file,
		.first = run->end,
		.start = run->start,
		.below = ALL_NEW,
		.began = c->references };
	return run->repeats ? add_repetition(c, r, &run->loop, period, e) : 0;
}

/* The detector has begun a run, or a backward one is left: a new run, or the next call of a backward one. */
static int
go_on(struct classes *c, uint32_t open, enum reference_class class, double period, struct error *e)
{
	struct class_run *r = &c->open[open];

	if (class != CLASS_BACKWARD || r->class != CLASS_BACKWARD || !r->references)
		return begin_run(c, open, period, e);
	r->start = c->detector.open[open].start;
	r->length = 0;
	r->below = r->first;
	return 0;
}

ALWAYS_INLINE void
add_block(struct class_run *r, const struct open_run *run, uint32_t index)
{
	r->blocks += run->length != r->length && index < r->below;
	r->length = run->length;
	r->first = index < r->first ? index : r->first;
	r->last = index > r->last ? index : r->last;
	r->references++;
}

ALWAYS_INLINE int
see_block(struct classes *c, uint32_t open, uint32_t index, bool backward, struct error *e)
{
	const struct open_run *run = &c->detector.open[open];
	struct class_run      *r = &c->open[open];
	file_t		       file = c->t->open[open].file;
	uint64_t	       periods = c->detector.periods;
	enum reference_class class = detector_update(&c->detector, open, file, index);
	block_t	 b = c->t->file[file].base + index;
	uint8_t *seen;

	c->references++;
	if (backward && class != CLASS_LOOPING)
		class = CLASS_BACKWARD;
	if (unlikely(run->start != r->start || run->length < r->length || !r->references ||
		(r->below != ALL_NEW && class != CLASS_BACKWARD)) &&
	    go_on(c, open, class, (double)(c->detector.periods - periods), e))
		return -1;
	add_block(r, run, index);
	r->class = class;
	if (class == CLASS_LOOPING)
		c->loop[r->loop - 1].references++;
	c->total[class].references++;
	seen = &c->seen[slots_enter(&c->slots, b)];
	c->total[class].blocks += !(*seen >> class & 1);
	*seen |= (uint8_t)(1u << class);
	if (c->observer.reference)
		c->observer.reference(c->observer.self, c->references, b, class);
	return 0;
}

static int
see_call(struct classes *c, const struct access *a, struct error *e)
{
	uint32_t first = access_first(c->t, a), count = access_count(c->t, a);
	uint32_t blocks = course_update(&c->course[a->open], first, count);

	for (uint32_t i = 0; i < count; i++)
		if (see_block(c, a->open, first + i, blocks >= c->detector.threshold, e))
			return -1;
	return 0;
}

/* ---- all of it ---- */

static int
start(struct classes *c, const struct trace *t, const char *params, struct error *e)
{
	*c = (struct classes){ .t = t };
	if (params_set(&detector_plugin, c, params, e) ||
	    detector_init(&c->detector, t->nopen, t->nfiles, e))
		return -1;
	c->open = calloc(t->nopen, sizeof(*c->open));
	c->course = calloc(t->nopen, sizeof(*c->course));
	c->seen = calloc(slots_entries(t), 1);
	return c->open && c->course && c->seen && !slots_init(&c->slots, t, e)
	    ? 0
	    : error_set(e, "out of memory for the runs of %s", t->name);
}

int
classes_unread(const struct trace *t, struct error *e)
{
	return error_set(e, "%s: nothing is read, and writes have no class", t->name);
}

static int
finish(struct classes *c, struct error *e)
{
	for (uint32_t i = 0; i < c->t->nopen; i++)
		if (end_run(c, &c->open[i], e))
			return -1;
	if (!c->references)
		return classes_unread(c->t, e);
	if (c->nloops)
		qsort(c->loop, c->nloops, sizeof(*c->loop), by_references);
	return 0;
}

int
classes_find(struct classes *c, const struct trace *t, const char *params,
    const struct class_observer *observer, struct error *e)
{
	if (start(c, t, params, e))
		return -1;
	c->observer = *observer;
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		if (!a->write && see_call(c, a, e))
			return -1;
	}
	return trace_unchanged(t, e) ? -1 : finish(c, e);
}

void
classes_release(struct classes *c)
{
	detector_release(&c->detector);
	map_release(&c->loop_map);
	free(c->loop);
	free(c->open);
	free(c->course);
	free(c->seen);
	slots_release(&c->slots);
}

const char *
class_file_name(const struct trace *t, file_t f, char buf[NUMBER_TEXT])
{
	if (t->file[f].name)
		return t->file[f].name;
	snprintf(buf, NUMBER_TEXT, "inode %" PRIu64, t->file[f].inode);
	return buf;
}
