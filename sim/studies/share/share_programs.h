/* share_programs.h - the programs that bufsim share is given: traces, then those of --pattern. */
#ifndef SIM_CLI_SHARE_PROGRAMS_H
#define SIM_CLI_SHARE_PROGRAMS_H

#include <stdio.h>

#include "sim/setup/options.h"
#include "sim/studies/share/model/program.h"

struct share_programs {
	const struct options *o;
	char		    **made; /* [nmade] kinds with parameters */
	unsigned	      nmade;
	unsigned	      n; /* of all */
};

/* 0, or -1: nothing is left to release. */
int  share_programs_init(struct share_programs *s, const struct options *o, struct error *e);
void share_programs_release(struct share_programs *s);

/* The i-th of them, from 0.  0 or -1; the error names it. */
int share_programs_read(const struct share_programs *s, unsigned i, struct program *p,
    struct error *e);

/* --stat: describe them all. */
int share_describe(const struct share_programs *s, FILE *out, struct error *e);

/* --save: write the only one. */
int share_save(const struct share_programs *s, struct error *e);

#endif
