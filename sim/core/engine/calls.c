/* calls.c - sort the calls of a trace into sequences. */
#include <stdlib.h>

#include "sim/core/engine/calls.h"

static uint32_t
count_sequences(const struct config *cfg, const struct trace *t)
{
	if (cfg->replay == REPLAY_PROCESS)
		return t->nprocesses;
	return cfg->replay == REPLAY_SERIAL && t->nprograms ? t->nprograms : 0;
}

static struct sequence *
sequence_of(const struct calls *c, const struct config *cfg, size_t call)
{
	const struct trace *t = c->trace;
	uint32_t	    process = t->open[t->access[call].open].process;

	return &c->sequence[cfg->replay == REPLAY_PROCESS ? process : t->program_of[process]];
}

/* One pass counts, one places; the order is kept. */
static void
split(struct calls *c, const struct config *cfg)
{
	uint32_t *place = c->order;

	for (size_t i = 0; i < c->trace->naccess; i++) {
		struct sequence *q = sequence_of(c, cfg, i);
		uint32_t	 blocks = access_count(c->trace, &c->trace->access[i]);

		q->n++;
		if (blocks > q->most_blocks)
			q->most_blocks = blocks;
	}
	for (struct sequence *q = c->sequence; q < c->sequence + c->n; q++) {
		q->order = place;
		place += q->n;
		q->n = 0;
	}
	ASSERT(place == c->order + c->trace->naccess);
	for (size_t i = 0; i < c->trace->naccess; i++) {
		struct sequence *q = sequence_of(c, cfg, i);

		c->order[(size_t)(q->order - c->order) + q->n++] = (uint32_t)i;
	}
}

int
calls_init(struct calls *c, const struct config *cfg, const struct trace *t, struct error *e)
{
	uint32_t many = count_sequences(cfg, t);

	*c = (struct calls){ .trace = t, .n = many ? many : 1 };
	c->sequence = calloc(c->n, sizeof(*c->sequence));
	if (!c->sequence)
		return error_set(e, "out of memory for %u processes", c->n);
	if (!many) {
		c->sequence[0].n = t->naccess;
		c->sequence[0].most_blocks = t->longest_bytes / t->block_bytes + 2;
		return 0;
	}
	if (t->naccess > UINT32_MAX)
		return error_set(e, "%zu calls are too many for %s", t->naccess,
		    cfg->replay == REPLAY_PROCESS ? "process replay" : "several programs");
	c->order = calloc(t->naccess, sizeof(*c->order));
	if (!c->order)
		return error_set(e, "out of memory for %zu calls", t->naccess);
	if (trace_check(t, 0, t->naccess, e)) /* split() looks at all calls */
		return -1;
	split(c, cfg);
	return 0;
}

void
calls_release(struct calls *c)
{
	free(c->sequence);
	free(c->order);
	*c = (struct calls){ 0 };
}

int
calls_check_more(struct calls *c, struct error *e)
{
	if (trace_check(c->trace, c->checked, TRACE_BATCH, e))
		return -1;
	c->checked += TRACE_BATCH;
	if (c->checked > c->trace->naccess)
		c->checked = c->trace->naccess;
	return 0;
}
