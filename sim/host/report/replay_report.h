/*
 * replay_report.h - a replay on this machine beside its prediction, for a
 * person and for programs.
 */
#ifndef SIM_REPLAY_REPORT_H
#define SIM_REPLAY_REPORT_H

#include <stdio.h>

#include "sim/base/output.h"
#include "sim/draw/picture.h"
#include "sim/host/measure/predict.h"
#include "sim/host/measure/rounds.h"

struct replay_report {
	const struct trace	 *calls;
	const struct host	 *host;
	const struct run_how	 *how;
	const struct rounds	 *rounds;
	const struct prediction	 *predicted;
	const struct kernel_rule *rule;	  /* NULL: no readahead */
	const char		 *device; /* as typed; NULL: none */
	const char		 *policy; /* as typed; NULL: no own eviction */
	uint64_t		  cache_pages;
	size_t			  left_out;  /* calls of the trace that are not made: writes */
	bool			  real_time; /* runs had the priority that was asked for */
	bool			  colour;    /* of the text */
};

/* The answer in a sentence, a table, the calls by response, where the predicted time goes, notes. */
void replay_text(const struct replay_report *r, FILE *out);

/* The same columns as names and a row, or as an object on one line. */
void replay_csv(const struct replay_report *r, FILE *out);
int  replay_json(const struct replay_report *r, FILE *out, struct error *e);

/* The time of each call of the median run, and the predicted one, as CSV. */
int replay_responses(const struct replay_report *r, struct output *to, struct error *e);

/* The distributions of both. */
int replay_draw(const struct replay_report *r, enum plot_target target, struct picture *to,
    struct error *e);

#endif
