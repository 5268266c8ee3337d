/* film_words.h - the words of a film: its heading, and the names of what occurs in it. */
#ifndef SIM_FILM_WORDS_H
#define SIM_FILM_WORDS_H

#include "sim/film/film.h"

struct film_fate_words {
	const char *word, *what; /* "first hit", and in full as a plural */
};

extern const char *const	    film_use_word[FILM_USES];
extern const char *const	    film_part_word[SERVICE_PARTS];
extern const struct film_fate_words film_fate_words[FILM_FATES];

enum { FILM_NAME = 1024 };

/* Process i, or its program.  Returns text. */
const char *film_process_name(const struct film *f, uint32_t i, char text[FILM_NAME]);

/*
 * "csq, calls 201 to 220: 132.4 ms, 45 % of it waiting: late prefetches 30 %, ...", after
 * film_finish(); to be freed.  NULL: out of memory.
 */
char *film_heading(const struct film *f, const char *trace, struct error *e);

#endif
