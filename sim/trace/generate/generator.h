/*
 * generator.h - records from shapes: several at once, or one after the other.
 *
 *	struct generator_part part[] = { { zipf, self, 0 }, { sequential, other, 0 } };
 *
 *	if (!generator_init(&g, part, 2, 100, e) &&
 *	    !trace_make(&t, "zipf+sequential", &options, generator_read, &g, e)) ...
 *	generator_release(&g);
 */
#ifndef SIM_GENERATOR_H
#define SIM_GENERATOR_H

#include "sim/trace/load.h"
#include "sim/trace/shape.h"

struct generator_part {
	const struct shape *shape;
	void		   *self;  /* its state, from plugin_state() */
	unsigned	    phase; /* parts of the same phase are processes that run at once */
};

enum { GENERATOR_PARTS = 64 };

struct stream; /* a part at work */

struct generator {
	struct stream *stream;
	unsigned       n;
	unsigned       phase;
	usec_t	       now;	/* the latest end of a think time */
	struct stream *awaited; /* its open has been read, its call has not */
};

/*
 * Parts are in the order of their phases, which are 0, 1, 2, ...  think: for
 * shapes that set none.  Release g and the states in any case.
 */
int generator_init(struct generator *g, const struct generator_part *part, unsigned n, usec_t think,
    struct error *e);
void generator_release(struct generator *g);

record_reader generator_read;

#endif
