/*
 * map_json.h - the map of a run as JSON, for a program that draws it.
 *
 *	{"trace": "csq", "setting": "prefetch linux24, ...",
 *	 "begin_us": 0, "end_us": 108565722,       simulated time; begin: after the warm-up
 *	 "blocks": 76057,                          of the files, end to end, from 0
 *	 "width": 1000, "height": 400,             always these
 *	 "kinds": ["hit", "used", "late", "delayed", "miss", "wasted"],
 *	 "counts": {"hit": 73892, ...},            of the whole run, as run --json has them:
 *	     hit      hits - first_hits
 *	     used     first_hits
 *	     late     late_hits
 *	     delayed  delayed_hits
 *	     miss     misses
 *	     wasted   prefetch_wasted_blocks + prefetch_unused_blocks + prefetch_inflight_blocks
 *	 "files": [{"name": "a.db", "first": 0, "blocks": 512}, ...],
 *	 "calls": [1, 1, 7, ...],                  width numbers that do not fall: the call, from 1, that
 *	                                           is under way when a column begins, or else the next one
 *	 "rows": ["3b2.f", ...]}                   height texts, from block 0 up
 *
 * A row is a text of runs from the left: the number of columns, left out if it
 * is 1, and a letter: "a" for the first of "kinds", "b" for the second and so
 * on, "." for nothing.  The nothing at the end is left out.
 */
#ifndef SIM_MAP_JSON_H
#define SIM_MAP_JSON_H

#include "sim/film/run_map.h"

/* After run_map_finish(): one line of text, which the caller frees, as if it were a picture. */
int map_json(const struct run_map *m, const char *setting, struct picture *to, struct error *e);

#endif
