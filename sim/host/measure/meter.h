/*
 * meter.h - the time of a read, from many reads of a file.
 */
#ifndef SIM_METER_H
#define SIM_METER_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { BATCH_MAX = 16, READS_PAGE = 4096 };

struct meter {
	uint64_t      key;     /* of places by chance */
	unsigned      n;       /* batches of the last measurement */
	bool	      patient; /* else a quarter of the time will do */
	struct error *e;
};

struct reads {
	int	 fd;
	char	*buffer;
	uint64_t first, bytes; /* the area */
	uint32_t length;
	unsigned batch;	    /* reads between two looks at the clock */
	unsigned parts;	    /* of the area, for place_once() */
	unsigned most;	    /* batches */
	double	 budget_us; /* then no more */
	uint64_t (*place)(struct meter *m, const struct reads *r, uint64_t i); /* in the area */
};

/* Microseconds of a read: the mean.  Below 0 with an error. */
double reads_measure(struct meter *m, const struct reads *r);

/* Any place that begins with a page, or a part of a page. */
uint64_t place_anywhere(struct meter *m, const struct reads *r, uint64_t i);

/* One of the equal parts of the area, each once, neighbours at different times. */
uint64_t place_once(struct meter *m, const struct reads *r, uint64_t i);

/* Forward by PLACE_NEAR_PAGES or less on average. */
enum { PLACE_NEAR_PAGES = 16 };
uint64_t place_near(struct meter *m, const struct reads *r, uint64_t i);

/* In the first quarter and in the last, in turn. */
uint64_t place_far(struct meter *m, const struct reads *r, uint64_t i);

/* Time that this thread has waited for a processor; 0 if the kernel does not count it. */
double waited_us(void);

#endif
