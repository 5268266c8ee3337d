/* share_programs.c - read or make the programs of bufsim share. */
#include <stdlib.h>

#include "sim/registry.h"
#include "sim/setup/values.h"
#include "sim/studies/share/model/registry.h"
#include "sim/studies/share/share_programs.h"

int
share_programs_init(struct share_programs *s, const struct options *o, struct error *e)
{
	*s = (struct share_programs){ .o = o };
	if (o->kinds && values_expand(o->kinds, &s->made, &s->nmade, e)) {
		share_programs_release(s);
		return error_prefix(e, "--pattern");
	}
	s->n = o->narguments + s->nmade;
	return 0;
}

void
share_programs_release(struct share_programs *s)
{
	for (unsigned i = 0; i < s->nmade; i++)
		free(s->made[i]);
	free(s->made);
	s->made = NULL;
	s->nmade = 0;
}

static int
make(struct program *p, const char *text, struct error *e)
{
	struct choice kind;
	int	      failed;

	if (registry_choose(PLUGIN_KIND, text, &kind, e))
		return error_prefix(e, "--pattern");
	failed = kind_make(p, &kind, text, e);
	choice_release(&kind);
	return failed ? error_prefix(e, "--pattern") : 0;
}

int
share_programs_read(const struct share_programs *s, unsigned i, struct program *p, struct error *e)
{
	if (i < s->o->narguments)
		return program_read(p, s->o->argument[i], e);
	return make(p, s->made[i - s->o->narguments], e);
}
