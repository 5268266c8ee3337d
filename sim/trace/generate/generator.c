/*
 * generator.c - take the calls of shapes in the order of their times.
 *
 * Each part of a pattern has files and descriptors of its own.  Parts of one
 * phase are different processes; the next phase begins when all of them have
 * ended, with the same processes.
 */
#include <stdlib.h>

#include "sim/trace/format.h"
#include "sim/trace/generate/generator.h"

/* Keys of what is drawn beside the shape's own numbers. */
#define KEY_PART UINT64_C(0xd1b54a32d192ed03)
#define KEY_WRITE UINT64_C(0x8cb92ba72f3d8dd7)
#define KEY_THINK UINT64_C(0xaef17502108ef2d9)

struct stream {
	const struct shape    *shape;
	void		      *self;
	struct shape_settings *settings; /* the beginning of self */
	unsigned	       phase, number;
	uint32_t	       process;
	uint64_t	       made; /* calls */
	usec_t		       time; /* of the next call, since its phase began */
	struct shape_call      call; /* the next one */
	bool		       ended;
};

const char *const shape_gaps_words[] = { "constant", "exponential", NULL };

/* ---- one stream ---- */

/* Make the next call, or end. */
static void
advance(struct stream *s)
{
	const struct shape_settings *p = s->settings;
	struct shape_call	    *c = &s->call;

	*c = (struct shape_call){ .file_bytes = p->size,
		.length = p->call,
		.write = chance_share(chance_at(p->key ^ KEY_WRITE, s->made)) * SHARE_ONE <
		    (double)p->writes };
	s->ended = (p->calls && s->made == p->calls) || !s->shape->call(s->self, s->made, c) ||
	    c->offset >= c->file_bytes;
	if (c->length > c->file_bytes - c->offset)
		c->length = c->file_bytes - c->offset;
}

static usec_t
pause_after(const struct stream *s)
{
	const struct shape_settings *p = s->settings;

	if (p->gaps == GAPS_CONSTANT)
		return (usec_t)p->think;
	return (
	    usec_t)((double)p->think * chance_exponential(chance_at(p->key ^ KEY_THINK, s->made)) +
	    0.5);
}

static void
fill(const struct stream *s, usec_t now, struct record *r)
{
	uint64_t owner = s->settings->file ? s->settings->file - 1 : s->number;

	*r = (struct record){
		.time = now + s->time,
		.pid = s->process + 1,
		.fd = s->number * SHAPE_DESCRIPTORS + s->call.descriptor,
		.op = s->call.write ? OP_WRITE : OP_READ,
		.inode = owner * SHAPE_FILES + s->call.file + 1,
		.file_size = s->call.file_bytes,
		.offset = s->call.offset,
		.length = s->call.length,
	};
}

/* ---- all streams ---- */

/* The stream of the phase with the earliest call, the first among equals; NULL: all have ended. */
static struct stream *
earliest(const struct generator *g)
{
	struct stream *best = NULL;

	for (struct stream *s = g->stream; s < g->stream + g->n; s++)
		if (s->phase == g->phase && !s->ended && (!best || s->time < best->time))
			best = s;
	return best;
}

/* Begin the phase behind the current one; false: there is none. */
static bool
begin_next_phase(struct generator *g)
{
	usec_t last = 0;

	for (const struct stream *s = g->stream; s < g->stream + g->n; s++)
		if (s->phase == g->phase && s->time > last)
			last = s->time;
	g->now += last;
	return ++g->phase <= g->stream[g->n - 1].phase;
}

int
generator_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct generator *g = self;
	struct stream	 *s = g->awaited ? g->awaited : earliest(g);

	while (!s) {
		if (!begin_next_phase(g))
			return 0;
		s = earliest(g);
	}
	fill(s, g->now, r);
	if (s->call.opens && !g->awaited) {
		r->op = OP_OPEN;
		r->offset = r->length = 0;
		g->awaited = s;
		return 1;
	}
	g->awaited = NULL;
	s->time += pause_after(s);
	s->made++;
	advance(s);
	return 1;
}

/* ---- beginning and end ---- */

static int
start(struct stream *s, const struct generator_part *part, unsigned number, usec_t think,
    struct error *e)
{
	struct shape_settings *p = part->self;

	*s = (struct stream){ .shape = part->shape,
		.self = part->self,
		.settings = p,
		.phase = part->phase,
		.number = number };
	p->key = chance_mix(p->seed + number * KEY_PART);
	if (p->think == NOT_GIVEN)
		p->think = (uint64_t)think;
	if (s->shape->init && s->shape->init(s->self, e))
		return error_prefix(e, "%s", s->shape->plugin.name);
	advance(s);
	return 0;
}

/* A part that reads the files of one that does not exist is a slip. */
static int
check_file(const struct stream *s, unsigned n, struct error *e)
{
	if (s->settings->file <= n)
		return 0;
	return error_usage(e, "%s: file=%u: the pattern has %u shape%s", s->shape->plugin.name,
	    (unsigned)s->settings->file, n, n == 1 ? "" : "s");
}

int
generator_init(struct generator *g, const struct generator_part *part, unsigned n, usec_t think,
    struct error *e)
{
	*g = (struct generator){ .stream = calloc(n, sizeof(*g->stream)), .n = n };
	if (!g->stream)
		return error_no_memory(e);
	for (unsigned i = 0; i < n; i++) {
		struct stream *s = &g->stream[i];

		if (start(s, &part[i], i, think, e) || check_file(s, n, e))
			return -1;
		s->process = i && part[i].phase == part[i - 1].phase ? s[-1].process + 1 : 0;
		if (s->ended)
			return error_usage(e, "%s: its first call lies behind the end of the file",
			    s->shape->plugin.name);
	}
	return 0;
}

void
generator_release(struct generator *g)
{
	free(g->stream);
	*g = (struct generator){ 0 };
}
