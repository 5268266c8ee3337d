/*
 * usl.c - fit the universal scalability law.
 *
 * N. J. Gunther, "A General Theory of Computational Scalability Based on Rational Functions",
 * arXiv:0808.1431, 2008.  The start is the linear form n / S - 1 = a (n - 1) + b n (n - 1), weighted
 * such that a small error of S counts the same at every n; then Levenberg and Marquardt.
 */
#include <math.h>
#include <stdbool.h>

#include "sim/studies/scale/usl.h"

enum { ITERATIONS = 200 };

static const double damping_max = 1e12, same = 1 - 1e-9;

struct fit {
	const struct usl_point *point;
	size_t			n;
	bool			with_a, with_b; /* the others stay 0 */
};

/* The normal equations of two unknowns: aa x + ab y = ar, ab x + bb y = br. */
struct normal {
	double aa, ab, bb, ar, br;
};

double
usl_speedup(const struct usl *law, double n)
{
	return n / (1 + law->a * (n - 1) + law->b * n * (n - 1));
}

double
usl_peak(const struct usl *law)
{
	if (law->a >= 1)
		return 1;
	return law->b > 0 ? fmax(1, sqrt((1 - law->a) / law->b)) : INFINITY;
}

double
usl_squares(const struct usl *law, const struct usl_point *point, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double d = point[i].speedup - usl_speedup(law, point[i].n);

		sum += d * d;
	}
	return sum;
}

/* An unknown that is not wanted becomes 0. */
static struct usl
solve(const struct fit *f, struct normal m, double damping)
{
	double aa = m.aa * (1 + damping), bb = m.bb * (1 + damping), det;

	if (!f->with_a || !f->with_b)
		return (struct usl){ f->with_a && aa > 0 ? m.ar / aa : 0,
			f->with_b && bb > 0 ? m.br / bb : 0 };
	det = aa * bb - m.ab * m.ab;
	if (!(det > 0))
		return (struct usl){ 0, 0 };
	return (struct usl){ (m.ar * bb - m.br * m.ab) / det, (m.br * aa - m.ar * m.ab) / det };
}

static struct usl
not_below_0(struct usl law)
{
	return (struct usl){ fmax(0, law.a), fmax(0, law.b) };
}

static void
add_row(struct normal *m, double by_a, double by_b, double residual)
{
	m->aa += by_a * by_a;
	m->ab += by_a * by_b;
	m->bb += by_b * by_b;
	m->ar += by_a * residual;
	m->br += by_b * residual;
}

static struct usl
start(const struct fit *f)
{
	struct normal m = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		double n = f->point[i].n, s = f->point[i].speedup, weight = s * s / n;

		add_row(&m, weight * (n - 1), weight * n * (n - 1), weight * (n / s - 1));
	}
	return not_below_0(solve(f, m, 0));
}

static struct normal
linearise(const struct fit *f, const struct usl *law)
{
	struct normal m = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		double n = f->point[i].n, s = usl_speedup(law, n), by_a = -s * s * (n - 1) / n;

		add_row(&m, by_a, by_a * n, f->point[i].speedup - s);
	}
	return m;
}

static struct usl
descend(const struct fit *f)
{
	struct usl law = start(f);
	double	   squares = usl_squares(&law, f->point, f->n), damping = 1e-3;

	for (int i = 0; i < ITERATIONS && damping < damping_max; i++) {
		struct usl step = solve(f, linearise(f, &law), damping);
		struct usl next = not_below_0((struct usl){ law.a + step.a, law.b + step.b });
		double	   now = usl_squares(&next, f->point, f->n);

		if (now < squares) {
			law = next;
			squares = now;
			damping /= 10;
		} else {
			damping *= 10;
		}
	}
	return law;
}

static bool
tells_a_from_b(const struct usl_point *point, size_t n)
{
	double first = 1;

	for (size_t i = 0; i < n; i++) {
		if (point[i].n > 1 && first > 1 && point[i].n != first)
			return true;
		first = fmax(first, point[i].n);
	}
	return false;
}

/* The best of the inside and of the borders; a border wins if the inside is hardly better. */
struct usl
usl_fit(const struct usl_point *point, size_t n)
{
	struct fit f = { point, n, false, false };
	struct usl best = { 0, 0 };
	double	   least = usl_squares(&best, point, n);

	for (unsigned with = 1; with <= (tells_a_from_b(point, n) ? 3 : 1); with++) {
		struct usl law;
		double	   squares;

		f.with_a = with & 1;
		f.with_b = with & 2;
		law = descend(&f);
		squares = usl_squares(&law, point, n);
		if (squares < least * same) {
			best = law;
			least = squares;
		}
	}
	return best;
}
