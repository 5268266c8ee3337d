/*
 * program_check.c - what is wrong with a program and no line shows alone.
 *
 * A request by another processor may come before or after a reference, as the
 * turns fall: that is for the machine.
 */
#include <stdlib.h>

#include "sim/studies/share/model/loops.h"

struct checker {
	struct program *p;
	unsigned	processor;
	bool	       *requested; /* [nobjects + 1] by this processor so far */
	struct loops	loops;
};

static int
number_words(struct program *p, struct error *e)
{
	uint64_t n = 0;

	for (uint32_t i = 1; i <= p->nobjects; i++) {
		if (!p->object[i].bytes)
			return error_set(e,
			    "line %llu: there is an object %u, but object %u is never requested",
			    (unsigned long long)p->object[p->nobjects].line, p->nobjects, i);
		p->object[i].first_word = (uint32_t)n;
		n += p->object[i].words;
		if (n > UINT32_MAX)
			return error_set(e, "all objects together have more than %u words",
			    UINT32_MAX);
	}
	p->nwords = (uint32_t)n;
	return 0;
}

/* The first and the last word of an object that a reference reaches in its loops. */
static void
find_range(const struct checker *c, const uint32_t *at, int64_t *low, int64_t *high)
{
	*low = *high = at[1];
	for (unsigned k = 0; k < code_strides(*at); k++) {
		int64_t far = (int64_t)(int32_t)at[2 + k] * (int64_t)(c->loops.times[k] - 1);

		*(far < 0 ? low : high) += far;
	}
}

static int
check_reference(struct checker *c, const uint32_t *at, struct error *e)
{
	uint32_t	     number = code_object(*at);
	const struct object *o;
	int64_t		     low, high;

	if (number > c->p->nobjects)
		return error_set(e, "object %u is never requested", number);
	o = &c->p->object[number];
	if (o->processor == c->processor && !c->requested[number])
		return error_set(e, "object %u is referenced before its request in line %llu",
		    number, (unsigned long long)o->line);
	find_range(c, at, &low, &high);
	if (low < 0 || high >= o->words)
		return error_set(e, "word %lld is outside of object %u, whose words are 0 to %u",
		    (long long)(low < 0 ? low : high), number, o->words - 1);
	loops_count(&c->p->nreferences, loops_total(&c->loops));
	if (code_kind(*at) == CODE_WRITE)
		loops_count(&c->p->nwrites, loops_total(&c->loops));
	return 0;
}

static int
check_instruction(struct checker *c, const uint32_t *at, struct error *e)
{
	switch (code_kind(*at)) {
	case CODE_READ:
	case CODE_WRITE:
		return check_reference(c, at, e);
	case CODE_LOOP:
	case CODE_RUN:
		loops_open(&c->loops, at[1]);
		return 0;
	case CODE_CLOSE:
		c->loops.depth--;
		return 0;
	case CODE_REQUEST:
		c->requested[at[1]] = true;
		return 0;
	default:
		return 0;
	}
}

static int
check_all(struct checker *c, struct error *e)
{
	const struct program *p = c->p;

	for (c->processor = 0; c->processor < p->processors; c->processor++)
		for (const uint32_t *at = p->code + p->start[c->processor];
		     code_kind(*at) != CODE_END; at += code_length(*at))
			if (check_instruction(c, at, e))
				return error_prefix(e, "line %llu",
				    (unsigned long long)program_line(p, c->processor, at));
	return 0;
}

int
program_check(struct program *p, struct error *e)
{
	struct checker c = { .p = p, .loops.total = { 1 } };
	int	       failed = number_words(p, e);

	if (failed)
		return -1;
	p->nreferences = p->nwrites = 0;
	c.requested = calloc((size_t)p->nobjects + 1, sizeof(*c.requested));
	failed = c.requested ? check_all(&c, e) : error_set(e, "out of memory for the objects");
	free(c.requested);
	return failed;
}
