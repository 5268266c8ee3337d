/* scale.c - speed-ups, the fit, and its spread by bootstrap. */
#include <math.h>
#include <stdlib.h>

#include "sim/studies/scale/scale.h"
#include "sim/trace/chance.h"

enum { SEED = 2017 };

static const double falls_below = 0.9, flat_gain = 1.25, nearly_best = 0.95, near_linear = 0.5;

/* ---- speed-ups ---- */

static void
find_speedups(struct scale *s)
{
	const struct timed_level *l = s->program->level;

	for (size_t i = 0; i < s->program->nlevels; i++)
		s->level[i] = (struct scale_level){ .outside = l[i].total - l[i].region,
			.region_speedup = l[0].region / l[i].region,
			.speedup = l[0].total / l[i].total,
			.region_spread = { NAN, NAN } };
	s->outside_share = s->level[0].outside / l[0].total;
	s->limit = s->outside_share > 0 ? 1 / s->outside_share : INFINITY;
}

static size_t
find_best(const struct scale *s)
{
	size_t best = 0;

	for (size_t i = 1; i < s->program->nlevels; i++)
		if (s->level[i].region_speedup > s->level[best].region_speedup)
			best = i;
	return best;
}

/* From at most half of the threads to all: the factor by which the speed-up grows. */
static double
last_gain(const struct scale *s)
{
	const struct timed_level *l = s->program->level;
	size_t			  last = s->program->nlevels - 1, half = last;

	while (half && 2 * (uint64_t)l[half].threads > l[last].threads)
		half--;
	return s->level[last].region_speedup / s->level[half].region_speedup;
}

/* The fewest threads with nearly the best speed-up. */
static size_t
find_knee(const struct scale *s, size_t best)
{
	size_t i = 0;

	while (s->level[i].region_speedup < nearly_best * s->level[best].region_speedup)
		i++;
	return i;
}

static void
find_shape(struct scale *s)
{
	size_t last = s->program->nlevels - 1, best = find_best(s);
	double top = s->level[best].region_speedup;

	s->to = best;
	s->group = '-';
	if (s->level[last].region_speedup < falls_below * top) {
		s->shape = SCALE_FALLS;
		s->group = 'A';
	} else if (last_gain(s) < flat_gain) {
		s->shape = SCALE_FLATTENS;
		s->to = find_knee(s, best);
		if (s->to &&
		    s->level[s->to].region_speedup >=
			near_linear * s->program->level[s->to].threads)
			s->group = 'B';
	}
}

/* ---- the law ---- */

static void
find_law(struct scale *s, struct usl_point *point)
{
	size_t n = s->program->nlevels;
	double mean = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		point[i] =
		    (struct usl_point){ s->program->level[i].threads, s->level[i].region_speedup };
		mean += point[i].speedup / (double)n;
	}
	s->law = usl_fit(point, n);
	s->b_is_fitted = n > 2;
	s->peak = usl_peak(&s->law);
	for (size_t i = 0; i < n; i++) {
		s->level[i].law = usl_speedup(&s->law, point[i].n);
		all += (point[i].speedup - mean) * (point[i].speedup - mean);
	}
	s->r2 = all > 0 ? 1 - usl_squares(&s->law, point, n) / all : NAN;
}

/* ---- its spread ---- */

/* Lists of RESAMPLES values: of a, b, the peak, and the speed-up of each level. */
enum { LIST_A, LIST_B, LIST_PEAK, LIST_SPEEDUP };

static double
resampled_region(const struct timed_level *l, uint64_t *state)
{
	double sum = 0;

	for (size_t i = 0; i < l->nruns; i++)
		sum += l->run[(size_t)(chance_share(chance_next(state)) * (double)l->nruns)].region;
	return sum / (double)l->nruns;
}

static void
resample(const struct scale *s, struct usl_point *point, double *list, size_t at, uint64_t *state)
{
	size_t	   n = s->program->nlevels;
	double	   alone = 0;
	struct usl law;

	for (size_t i = 0; i < n; i++) {
		double region = resampled_region(&s->program->level[i], state);

		alone = i ? alone : region;
		point[i] = (struct usl_point){ s->program->level[i].threads, alone / region };
		list[(LIST_SPEEDUP + i) * RESAMPLES + at] = point[i].speedup;
	}
	law = usl_fit(point, n);
	list[LIST_A * RESAMPLES + at] = law.a;
	list[LIST_B * RESAMPLES + at] = law.b;
	list[LIST_PEAK * RESAMPLES + at] = usl_peak(&law);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Without the lowest and the highest 2.5 %. */
static struct interval
middle(double *list, size_t which)
{
	double *value = list + which * RESAMPLES;
	size_t	out = RESAMPLES / 40;

	qsort(value, RESAMPLES, sizeof(*value), by_value);
	return (struct interval){ value[out], value[RESAMPLES - 1 - out] };
}

static bool
is_repeated(const struct timed_program *p)
{
	for (size_t i = 0; i < p->nlevels; i++)
		if (p->level[i].nruns < 2)
			return false;
	return true;
}

static void
find_spread(struct scale *s, struct usl_point *point, double *list)
{
	uint64_t state = SEED;

	for (size_t at = 0; at < RESAMPLES; at++)
		resample(s, point, list, at, &state);
	s->a = middle(list, LIST_A);
	s->b = middle(list, LIST_B);
	s->peak_spread = middle(list, LIST_PEAK);
	for (size_t i = 0; i < s->program->nlevels; i++)
		s->level[i].region_spread = middle(list, LIST_SPEEDUP + i);
}

/* ---- all of it ---- */

int
scale_init(struct scale *s, const struct timed_program *p, struct error *e)
{
	struct usl_point *point = calloc(p->nlevels, sizeof(*point));
	double		 *list = calloc((LIST_SPEEDUP + p->nlevels) * RESAMPLES, sizeof(*list));
	int		  failed = 0;

	*s = (struct scale){ .program = p,
		.level = calloc(p->nlevels, sizeof(*s->level)),
		.has_spread = is_repeated(p),
		.a = { NAN, NAN },
		.b = { NAN, NAN },
		.peak_spread = { NAN, NAN } };
	if (s->level && point && list) {
		find_speedups(s);
		find_shape(s);
		find_law(s, point);
		if (s->has_spread)
			find_spread(s, point, list);
	} else {
		failed = error_set(e, "out of memory for %zu numbers of threads", p->nlevels);
		scale_release(s);
	}
	free(point);
	free(list);
	return failed;
}

void
scale_release(struct scale *s)
{
	free(s->level);
	s->level = NULL;
}
