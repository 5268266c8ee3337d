/* cost_set.c - what a reference costs: a number, or what the program took. */
#include <string.h>

#include "sim/studies/share/model/cost_set.h"

const char *const reference_words[] = { "program", NULL };

/* "lu" of "lu (contiguous blocks)" and "sor:rounds=2". */
static bool
is_named(const char *name, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(name, word, n) && strchr(" :", name[n]);
}

const struct program_cost *
cost_of_program(const struct cost_set *s, const char *program)
{
	const struct program_cost *p = s->programs;

	while (p && p->program && !is_named(program, p->program))
		p++;
	return p && p->program ? p : NULL;
}

uint64_t
cost_reference(const struct cost_set *s, const struct action_costs *c, const char *program)
{
	const struct program_cost *p = cost_of_program(s, program);

	if (c->reference_ns != REFERENCE_OF_PROGRAM)
		return c->reference_ns;
	return p ? (uint64_t)(p->seconds * 1e3 / p->mreferences + 0.5) : s->other_ns;
}
