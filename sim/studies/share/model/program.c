/* program.c - the line of an instruction, and the end of a program. */
#include <stdlib.h>

#include "sim/studies/share/model/program.h"

uint64_t
program_line(const struct program *p, unsigned processor, const uint32_t *at)
{
	const uint32_t *s = p->code + p->start[processor];
	uint64_t	line = p->first_line[processor];
	bool		run = false; /* three instructions on one line */

	for (; s < at && code_kind(*s) != CODE_END; s += code_length(*s))
		switch (code_kind(*s)) {
		case CODE_LINE:
			line = s[1];
			break;
		case CODE_RUN:
			run = true;
			break;
		case CODE_READ:
		case CODE_WRITE:
			line += !run;
			break;
		default: /* the end of a run too */
			line++;
			run = false;
		}
	return line;
}

void
program_release(struct program *p)
{
	for (unsigned i = 0; i < SYNC_SETS; i++) {
		map_release(&p->ids[i].map);
		free(p->ids[i].id);
	}
	free(p->name);
	free(p->problem);
	free(p->path);
	free(p->code);
	free(p->object);
	*p = (struct program){ 0 };
}
