/*
 * staged.h - small traces for real files, and whether this machine shows their pages.
 */
#ifndef TESTS_UNIT_MACHINE_STAGED_H
#define TESTS_UNIT_MACHINE_STAGED_H

#include <stdio.h>
#include <string.h>

#include "sim/host/live/scratch.h"
#include "sim/host/measure/stage.h"
#include "tests/machine_shows.h"
#include "tests/unit/support.h"

#define STAGED_DIR "/var/tmp" /* seldom in memory, unlike /tmp */

static inline bool
pages_can_be_seen(void)
{
	return machine_shows(STAGED_DIR, 3,
	    (bool (*const[])(struct shows *)){ shows_pages, shows_counts, shows_stay });
}

/* Two processes read one file of 64 pages each in calls of one to four pages, some twice. */
enum { STAGED_PROCESSES = 2, STAGED_PAGES = 64, STAGED_CALLS = 200 };

static inline void
staged_draft(struct draft *d)
{
	static char name[] = "draft";
	uint64_t    seed = 1;

	draft_start(d);
	d->trace.name = name;
	for (uint32_t p = 0; p < STAGED_PROCESSES; p++)
		draft_open(d, draft_file(d, 1 + p, STAGED_PAGES), p);
	for (uint32_t i = 0; i < STAGED_CALLS; i++) {
		uint32_t count = 1 + random_below(&seed, 4);
		uint32_t first = random_below(&seed, STAGED_PAGES / 2);

		draft_blocks(d, 10 * i, i % STAGED_PROCESSES, first, count, false)->fresh =
		    i < STAGED_PROCESSES || i % 50 == 0;
	}
}

#endif
