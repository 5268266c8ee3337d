/* advise_report.h - which settings of Linux a trace wants: for a person, and for programs. */
#ifndef SIM_ADVISE_REPORT_H
#define SIM_ADVISE_REPORT_H

#include <stdio.h>

#include "sim/base/fold.h"
#include "sim/host/advise/advise.h"

struct advise_report {
	const struct advise  *advise;
	const struct options *options; /* of a run */
	const char	     *output;  /* of the trace with advice; NULL: none */
};

int advise_text(const struct advise_report *r, struct fold *f, struct error *e);
int advise_json(const struct advise_report *r, FILE *out, struct error *e);

/* ---- the words of both: advise_words.c ---- */

/* How many commands a line is. */
unsigned advise_ncommands(const struct advise *a, const struct line *l);
void	 advise_command(const struct advise *a, const struct proposal *p, const struct line *l,
	unsigned i, FILE *out);

/* The run that confirms the time of that setting. */
void advise_confirm(const struct advise_report *r, const struct setting *s, FILE *out);

/* "RANDOM", as posix_fadvise() calls it. */
const char *advise_kind(uint8_t kind);

#endif
