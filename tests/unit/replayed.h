/* replayed.h - the replay of four reads, three runs of it and its prediction, all made up. */
#ifndef TESTS_UNIT_REPLAYED_H
#define TESTS_UNIT_REPLAYED_H

#include "sim/host/report/replay_report.h"
#include "tests/unit/support.h"

enum { REPLAYED_CALLS = 4, REPLAYED_RUNS = 3 };

struct replayed {
	struct draft	     draft;
	struct host	     host;
	struct run_how	     how;
	struct round	     round[REPLAYED_RUNS];
	float		     call_us[REPLAYED_CALLS];
	struct rounds	     rounds;
	struct response	     response[REPLAYED_CALLS];
	struct prediction    predicted;
	struct replay_report report;
};

/* Runs of 90, 100 and 140 us; predicted are 80 us and one page more. */
static inline void
replayed_make(struct replayed *r)
{
	static char	    name[] = "four";
	static const float  us[REPLAYED_CALLS] = { 5, 90, 900, 2000 };
	static const usec_t expected[REPLAYED_CALLS] = { 1, 20, 201, 78 };

	*r = (struct replayed){ 0 };
	draft_start(&r->draft);
	draft_open(&r->draft, draft_file(&r->draft, 1, 16), 0);
	r->draft.trace.name = name;
	for (uint32_t i = 0; i < REPLAYED_CALLS; i++) {
		draft_blocks(&r->draft, i, 0, 2 * i, 2, false);
		r->call_us[i] = us[i];
		r->response[i].us = expected[i];
	}
	r->host =
	    (struct host){ .system = "Linux", .release = "6.1", .device = "8:1", .type = "ext4" };
	for (unsigned i = 0; i < REPLAYED_RUNS; i++)
		r->round[i] = (struct round){
			.times = { .cpu_us = 7,
			    .pages_read = 8,
			    .resident_pages = 8,
			    .call_us = r->call_us },
			.us = (double[]){ 90, 100, 140 }[i],
		};
	r->rounds = (struct rounds){ .round = r->round, .n = REPLAYED_RUNS };
	r->predicted = (struct prediction){ .timed = true,
		.pages_read = 9,
		.resident_pages = 9,
		.stats = { .elapsed_us = 80, .cpu_us = 20, .stall_us = 60 },
		.response = r->response };
	r->report = (struct replay_report){ .calls = &r->draft.trace,
		.host = &r->host,
		.how = &r->how,
		.rounds = &r->rounds,
		.predicted = &r->predicted,
		.device = "here" };
}

#endif
