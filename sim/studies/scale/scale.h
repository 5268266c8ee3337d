/*
 * scale.h - how far a program scales: the speed-ups of its region of interest and of all of it, the
 * universal scalability law that fits best, and how sure that is.
 *
 * The method: Dongjoo Seo, Joohyun Kyong, Sung-soo Lim, "An Analysis of ROI Scalability on PARSEC
 * Benchmark for Many-core System", Kookmin University, 2017 (in Korean).
 */
#ifndef SIM_SCALE_SCALE_H
#define SIM_SCALE_SCALE_H

#include "sim/studies/scale/timings.h"
#include "sim/studies/scale/usl.h"

enum { RESAMPLES = 1000 };

/* What the measured speed-up of the region does up to the most threads. */
enum scale_shape {
	SCALE_RISES,	/* neither of these */
	SCALE_FLATTENS, /* twice the threads, or more, bring less than a quarter: the end */
	SCALE_FALLS,	/* it ends more than a tenth below its largest value */
};

/* 95 % of the resamples are between; both NAN: unknown. */
struct interval {
	double low, high;
};

struct scale_level {
	double		outside; /* s: total - region */
	double		region_speedup, speedup, law;
	struct interval region_spread; /* of region_speedup */
};

struct scale {
	const struct timed_program *program; /* borrowed */
	struct scale_level	   *level;   /* of each level of program */
	struct usl		    law;     /* of region_speedup */
	bool		 b_is_fitted; /* else one level above 1 thread cannot tell a from b */
	double		 r2;	      /* NAN: all speed-ups are equal */
	double		 peak;	      /* as usl_peak() */
	bool		 has_spread;  /* there are several runs of each level */
	struct interval	 a, b, peak_spread;
	double		 outside_share; /* of the time with 1 thread, 0 .. 1 */
	double		 limit;		/* of the speed-up of all: 1 / outside_share; INFINITY */
	enum scale_shape shape;
	size_t		 to;	/* the level up to which the region scales */
	char		 group; /* of the paper: 'A' falls, 'B' near linear, then flat; or '-' */
};

/*
 * The spread is that of RESAMPLES fits to runs drawn with replacement among those of each level
 * (bootstrap), the same draws each time.  Release s if this succeeds.
 */
int  scale_init(struct scale *s, const struct timed_program *p, struct error *e);
void scale_release(struct scale *s);

#endif
