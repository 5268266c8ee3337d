/*
 * attempts.h - settings of Linux that are tried: each is simulated once, by
 * forked workers, and its time is kept.
 */
#ifndef SIM_ADVISE_ATTEMPTS_H
#define SIM_ADVISE_ATTEMPTS_H

#include "sim/host/advise/advised.h"
#include "sim/host/advise/kernel.h"
#include "sim/host/advise/nearby.h"

enum { FILES_MAX = 8, PREFETCHER_TEXT = 80 };

struct setting {
	uint32_t window_kb;	    /* read_ahead_kb */
	uint32_t request_blocks;    /* max_sectors_kb */
	uint8_t	 scheduler;	    /* enum kernel_scheduler */
	uint8_t	 nearby;	    /* of attempts.nearby[] */
	uint8_t	 advice[FILES_MAX]; /* enum advice_kind, for each of attempts.file[]; 0: none */
};

struct attempt {
	struct setting setting;
	uint64_t       us;
};

struct attempts {
	const struct options *o; /* all else */
	struct kernel	      kernel;
	const struct trace   *t;
	struct advised	      advised; /* if nfiles */
	file_t		      file[FILES_MAX];
	unsigned	      nfiles, jobs;
	struct nearby	      nearby[NEARBY_MAX];
	unsigned	      nnearby;
	struct attempt	     *attempt; /* in the order in which they were made */
	size_t		      n;
	uint32_t	      room;
};

void attempts_release(struct attempts *a);

/* The prefetcher of a setting, as for bufsim run --prefetch. */
void setting_prefetcher(const struct attempts *a, const struct setting *s,
    char text[PREFETCHER_TEXT]);

/* The bytes that one piece of WILLNEED reads. */
uint64_t setting_piece(const struct attempts *a, const struct setting *s);

/* The trace with the advice of a setting; out->advice is to be freed. */
int setting_trace(const struct attempts *a, const struct setting *s, struct trace *out,
    struct error *e);

/* Call use() with the configuration of a setting; its result. */
int setting_use(const struct attempts *a, const struct setting				       *s,
    int (*use)(const struct config *c, const struct trace *t, void *to, struct error *e), void *to,
    struct error *e);

/* Does it advise about any file? */
bool setting_advises(const struct setting *s);

bool setting_same(const struct setting *a, const struct setting *b);

/* Set us[i] to the time of s[i]; those that were made before are not made again. */
int attempts_make(struct attempts *a, const struct setting *s, size_t n, uint64_t *us,
    struct error *e);

#endif
