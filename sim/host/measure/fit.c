/*
 * fit.c - least squares, weighted by 1 / time^2, so that errors count relative
 * to the time; no coefficient is below 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/host/measure/fit.h"

enum { UNKNOWNS = 4, COLD_PAGES = 256 };

#define DISK_RATIO 1.5 /* far reads take longer by this factor */
#define DISK_US 300    /* and by that much */
#define TIER_RATIO 1.3
#define NS_PER_US 1e3
#define US_PER_S 1e6
#define LINE_WEIGHT 1e-12

const struct quantity_info quantity_info[QUANTITIES] = {
#define QUANTITY(name, unit, meaning) { #name, unit, meaning },
#include "sim/host/measure/quantities.def"
#undef QUANTITY
};

/* ---- points ---- */

static unsigned
add(struct point *point, unsigned n, enum series series, uint32_t bytes, uint32_t depth)
{
	point[n] = (struct point){ .series = series, .bytes = bytes, .depth = depth };
	return n + 1;
}

static unsigned
add_cached(struct point *point, unsigned n, enum series series)
{
	n = add(point, n, series, FEW_BYTES, 1);
	for (uint32_t pages = 1; pages <= 64; pages *= 2)
		n = add(point, n, series, pages * FIT_PAGE, 1);
	return n;
}

unsigned
points_plan(struct point point[POINTS_MAX])
{
	static const enum series once[] = { SERIES_FIRST, SERIES_SECOND, SERIES_NEAR, SERIES_FAR,
		SERIES_STREAM };
	unsigned		 n = add_cached(point, 0, SERIES_LARGE);

	n = add_cached(point, n, SERIES_SINGLE);
	for (uint32_t pages = 1; pages <= LARGEST_PAGES; pages *= 2) {
		if (pages <= COLD_PAGES)
			n = add(point, n, SERIES_COLD, pages * FIT_PAGE, 1);
		n = add(point, n, SERIES_SCATTERED, pages * FIT_PAGE, 1);
		n = add(point, n, SERIES_DIRECT, pages * FIT_PAGE, 1);
	}
	for (uint32_t depth = 1; depth <= 32; depth *= 2)
		if (depth != 16)
			n = add(point, n, SERIES_DEPTH, FIT_PAGE, depth);
	for (uint32_t depth = 1; depth <= 8; depth *= 2)
		n = add(point, n, SERIES_DEPTH, 32 * FIT_PAGE, depth);
	for (unsigned i = 0; i < sizeof(once) / sizeof(*once); i++)
		n = add(point, n, once[i], FIT_PAGE, 1);
	return n;
}

/* ---- order statistics ---- */

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(const double *value, uint32_t n, double sorted[ROUNDS_MAX])
{
	memcpy(sorted, value, n * sizeof(*value));
	qsort(sorted, n, sizeof(*sorted), by_size);
	return (sorted[n / 2] + sorted[(n - 1) / 2]) / 2;
}

double
point_median(const struct point *p, uint32_t rounds)
{
	double sorted[ROUNDS_MAX];

	return median(p->us, rounds, sorted);
}

/* ---- least squares ---- */

/* Normal equations: of the unknowns that are used, and the right side behind them. */
struct normal {
	double m[UNKNOWNS][UNKNOWNS + 1];
};

static void
normal_add(struct normal *q, unsigned k, const double *x, double t)
{
	double w = t > 0 ? 1 / (t * t) : 0;

	for (unsigned i = 0; i < k; i++) {
		for (unsigned j = 0; j < k; j++)
			q->m[i][j] += w * x[i] * x[j];
		q->m[i][UNKNOWNS] += w * x[i] * t;
	}
}

/* Gauss-Jordan without pivoting: the matrix is positive.  Unused and dependent unknowns are 0. */
static void
solve(struct normal q, unsigned k, unsigned used, double *out)
{
	double diagonal[UNKNOWNS];

	for (unsigned i = 0; i < k; i++)
		diagonal[i] = q.m[i][i];
	for (unsigned p = 0; p < k; p++) {
		if (q.m[p][p] <= diagonal[p] * LINE_WEIGHT)
			used &= ~(1u << p);
		for (unsigned i = 0; used >> p & 1 && i < k; i++) {
			double f = i == p ? 0 : q.m[i][p] / q.m[p][p];

			for (unsigned j = 0; j <= UNKNOWNS; j++)
				q.m[i][j] -= f * q.m[p][j];
		}
	}
	for (unsigned i = 0; i < k; i++)
		out[i] = used >> i & 1 ? q.m[i][UNKNOWNS] / q.m[i][i] : 0;
}

/* Leave out the most negative unknown, relative to its scale, until there is none. */
static void
solve_above_0(const struct normal *q, unsigned k, double *out)
{
	unsigned used = (1u << k) - 1;

	for (;;) {
		unsigned worst = k;
		double	 least = 0;

		solve(*q, k, used, out);
		for (unsigned i = 0; i < k; i++)
			if (out[i] * sqrt(q->m[i][i]) < least) {
				least = out[i] * sqrt(q->m[i][i]);
				worst = i;
			}
		if (worst == k)
			return;
		used &= ~(1u << worst);
	}
}

/* ---- the numbers of one round, or of the medians ---- */

struct times {
	const struct point *point;
	unsigned	    n;
	double		    us[POINTS_MAX];
};

/* a + b * bytes */
struct line {
	double a, b;
};

static struct line
fit_line(const struct times *t, enum series series, uint32_t most_bytes)
{
	struct normal q = { 0 };
	double	      x[UNKNOWNS];

	for (unsigned i = 0; i < t->n; i++)
		if (t->point[i].series == series && t->point[i].bytes <= most_bytes)
			normal_add(&q, 2, (double[]){ 1, t->point[i].bytes }, t->us[i]);
	solve_above_0(&q, 2, x);
	return (struct line){ x[0], x[1] };
}

static uint32_t
pages_of(const struct point *p)
{
	return (p->bytes + FIT_PAGE - 1) / FIT_PAGE;
}

/* Time of a call in memory = call + pages * (page or single_page) + bytes * byte. */
static void
fit_cached(const struct times *t, double *v)
{
	struct normal q = { 0 };
	double	      x[UNKNOWNS];

	for (unsigned i = 0; i < t->n; i++) {
		const struct point *p = &t->point[i];
		double		    large = p->series == SERIES_LARGE ? pages_of(p) : 0;
		double		    single = p->series == SERIES_SINGLE ? pages_of(p) : 0;

		if (p->series == SERIES_LARGE || p->series == SERIES_SINGLE)
			normal_add(&q, 4, (double[]){ 1, large, single, p->bytes },
			    t->us[i] * NS_PER_US);
	}
	solve_above_0(&q, 4, x);
	v[QUANTITY_call_ns] = x[0];
	v[QUANTITY_page_ns] = x[1];
	v[QUANTITY_single_page_ns] = x[2];
	v[QUANTITY_byte_ns] = x[3];
	v[QUANTITY_cached_page_us] = (x[1] + FIT_PAGE * x[3]) / NS_PER_US;
}

static double
copy_us(const double *v, const struct point *p, enum quantity_id page)
{
	return (v[QUANTITY_call_ns] + pages_of(p) * v[page] + p->bytes * v[QUANTITY_byte_ns]) /
	    NS_PER_US;
}

/* What a cold read takes for each page beyond a direct read into such pages and the copy. */
static void
fit_read_page(const struct times *t, double *v)
{
	struct times rest = *t;
	struct line  cold, scattered = fit_line(t, SERIES_SCATTERED, COLD_PAGES * FIT_PAGE);

	for (unsigned i = 0; i < t->n; i++)
		if (t->point[i].series == SERIES_COLD)
			rest.us[i] -= copy_us(v, &t->point[i], QUANTITY_single_page_ns);
	cold = fit_line(&rest, SERIES_COLD, COLD_PAGES * FIT_PAGE);
	v[QUANTITY_read_page_ns] = fmax(0, (cold.b - scattered.b) * FIT_PAGE * NS_PER_US);
}

static void
fit_device(const struct times *t, double *v, uint32_t *depth)
{
	struct line direct = fit_line(t, SERIES_DIRECT, UINT32_MAX);
	struct line scattered = fit_line(t, SERIES_SCATTERED, UINT32_MAX);
	double	    least = INFINITY;

	for (unsigned i = 0; i < t->n; i++)
		if (t->point[i].series == SERIES_DEPTH && t->point[i].bytes == FIT_PAGE &&
		    t->us[i] < least) {
			least = t->us[i];
			*depth = t->point[i].depth;
		}
	v[QUANTITY_command_us] = fmin(least, direct.a);
	v[QUANTITY_latency_us] = direct.a - v[QUANTITY_command_us];
	v[QUANTITY_reads_per_s] = US_PER_S / least;
	v[QUANTITY_contiguous_mb_s] = direct.b > 0 ? 1 / direct.b : US_PER_S;
	v[QUANTITY_scattered_mb_s] = scattered.b > 0 ? 1 / scattered.b : US_PER_S;
	v[QUANTITY_segment_us] = fmax(0, (scattered.b - direct.b) * FIT_PAGE);
}

static double
time_of(const struct times *t, enum series series)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->point[i].series == series && t->point[i].bytes == FIT_PAGE)
			return t->us[i];
	return NAN;
}

static void
fit_once(const struct times *t, double *v, uint32_t *depth)
{
	fit_device(t, v, depth);
	fit_cached(t, v);
	fit_read_page(t, v);
	v[QUANTITY_read_us] = time_of(t, SERIES_DIRECT);
	v[QUANTITY_stream_page_us] = time_of(t, SERIES_STREAM);
	v[QUANTITY_first_us] = time_of(t, SERIES_FIRST);
	v[QUANTITY_second_us] = time_of(t, SERIES_SECOND);
	v[QUANTITY_near_us] = time_of(t, SERIES_NEAR);
	v[QUANTITY_far_us] = time_of(t, SERIES_FAR);
}

/* ---- all of it ---- */

/* What is fitted to the medians may lie a little outside of what is fitted to each round. */
static void
fit_spread(struct quantity *f, const double *value, uint32_t rounds)
{
	double	 sorted[ROUNDS_MAX];
	uint32_t quarter = rounds / 4;

	median(value, rounds, sorted);
	f->low = fmin(sorted[0], f->value);
	f->high = fmax(sorted[rounds - 1], f->value);
	f->middle = f->value > 0 ? (sorted[rounds - 1 - quarter] - sorted[quarter]) / f->value : 0;
}

static void
find_misfits(struct calibration *c, const struct point *point, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct misfit *m = &c->misfit[point[i].series];
		double	       measured = point_median(&point[i], c->rounds);
		double	       share = calibration_predict(c, &point[i]) / measured - 1;

		if (!isnan(share) && (!m->at || fabs(share) > fabs(m->share)))
			*m = (struct misfit){ share, &point[i] };
	}
}

void
calibration_fit(struct calibration *c, const struct point *point, unsigned npoints, uint32_t rounds)
{
	struct times t = { .point = point, .n = npoints };
	double	     value[QUANTITIES][ROUNDS_MAX], v[QUANTITIES];

	*c = (struct calibration){ .rounds = rounds };
	for (uint32_t r = 0; r < rounds; r++) {
		for (unsigned i = 0; i < npoints; i++)
			t.us[i] = point[i].us[r];
		fit_once(&t, v, &c->depth);
		for (unsigned f = 0; f < QUANTITIES; f++)
			value[f][r] = v[f];
	}
	for (unsigned i = 0; i < npoints; i++)
		t.us[i] = point_median(&point[i], rounds);
	fit_once(&t, v, &c->depth);
	for (unsigned f = 0; f < QUANTITIES; f++) {
		c->quantity[f].value = v[f];
		fit_spread(&c->quantity[f], value[f], rounds);
	}
	find_misfits(c, point, npoints);
}

double
calibration_predict(const struct calibration *c, const struct point *p)
{
	double v[QUANTITIES], fixed, link;

	for (unsigned f = 0; f < QUANTITIES; f++)
		v[f] = c->quantity[f].value;
	fixed = v[QUANTITY_command_us] + v[QUANTITY_latency_us];
	link = p->bytes / v[QUANTITY_contiguous_mb_s];
	switch (p->series) {
	case SERIES_DIRECT:
		return fixed + link;
	case SERIES_SCATTERED:
		return fixed + link + (pages_of(p) - 1) * v[QUANTITY_segment_us];
	case SERIES_COLD:
		return fixed + link + (pages_of(p) - 1) * v[QUANTITY_segment_us] +
		    pages_of(p) * v[QUANTITY_read_page_ns] / NS_PER_US +
		    copy_us(v, p, QUANTITY_single_page_ns);
	case SERIES_LARGE:
		return copy_us(v, p, QUANTITY_page_ns);
	case SERIES_SINGLE:
		return copy_us(v, p, QUANTITY_single_page_ns);
	case SERIES_DEPTH:
		return fmax(fmax(v[QUANTITY_command_us], link), (fixed + link) / p->depth);
	default:
		return NAN;
	}
}

enum quantity_id
calibration_widest(const struct calibration *c)
{
	static const enum quantity_id telling[] = { QUANTITY_read_us, QUANTITY_contiguous_mb_s,
		QUANTITY_reads_per_s, QUANTITY_cached_page_us };
	enum quantity_id	      widest = telling[0];

	for (unsigned i = 1; i < sizeof(telling) / sizeof(*telling); i++)
		if (c->quantity[telling[i]].middle > c->quantity[widest].middle)
			widest = telling[i];
	return widest;
}

bool
calibration_is_disk(const struct calibration *c)
{
	double near = c->quantity[QUANTITY_near_us].value, far = c->quantity[QUANTITY_far_us].value;

	return far > near * DISK_RATIO && far > near + DISK_US;
}

bool
calibration_has_tier(const struct calibration *c)
{
	return c->quantity[QUANTITY_first_us].value >
	    c->quantity[QUANTITY_second_us].value * TIER_RATIO;
}
