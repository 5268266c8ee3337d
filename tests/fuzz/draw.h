/*
 * draw.h - random settings, as they are typed, from the tables of the program:
 * a new plug-in, parameter or option is drawn because it is registered.
 */
#ifndef TESTS_FUZZ_DRAW_H
#define TESTS_FUZZ_DRAW_H

#include "sim/registry.h"
#include "sim/setup/options.h"

struct draw {
	uint64_t state; /* the seed: the same seed draws the same settings */
};

enum { DRAW_TEXT = 512 };

/* A number below n, from Knuth's MMIX generator. */
uint32_t draw_below(struct draw *d, uint32_t n);

/* A number from min to max: one of the ends, or of any magnitude. */
uint64_t draw_between(struct draw *d, uint64_t min, uint64_t max);

/* A value of --pattern whose calls soon end: "stride-3", "zipf:calls=70+loop:calls=9". */
void draw_workload(struct draw *d, char text[DRAW_TEXT]);

/* Values of some parameters of the plug-in: "threshold=3,max=8K", or "". */
void draw_params(struct draw *d, const struct plugin *p, char text[DRAW_TEXT]);

/* A plug-in, often with parameters within their ranges: "iprp:threshold=3+linux24". */
void draw_plugin(struct draw *d, const struct plugin_kind *kind, char text[DRAW_TEXT]);

/* A value of an option that is meant to be valid. */
void draw_value(struct draw *d, const struct option_info *i, char text[DRAW_TEXT]);

/* Any value: mostly a valid one, else a number, a word or bytes that may mean something else. */
void draw_any_value(struct draw *d, const struct option_info *i, char text[DRAW_TEXT]);

#endif
