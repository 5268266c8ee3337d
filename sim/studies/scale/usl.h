/*
 * usl.h - the universal scalability law: S(n) = n / (1 + a (n - 1) + b n (n - 1)).
 *
 * a is the share of the work that is serial or waits its turn, b what each pair of threads costs
 * each other, such as keeping caches coherent.  b = 0 is Amdahl's law.
 */
#ifndef SIM_SCALE_USL_H
#define SIM_SCALE_USL_H

#include <stddef.h>

struct usl {
	double a, b; /* neither below 0 */
};

struct usl_point {
	double n, speedup; /* n >= 1 */
};

double usl_speedup(const struct usl *law, double n);

/* The number of threads with the largest speed-up, at least 1; INFINITY: b is 0, it never falls. */
double usl_peak(const struct usl *law);

/*
 * The law with the least squares of the differences of speed-ups, a >= 0 and b >= 0.  Where one of
 * them would be below, it is 0 and the other the best beside it.  If the points have only one n
 * above 1, they cannot tell a from b, and b is 0.
 */
struct usl usl_fit(const struct usl_point *point, size_t n);

/* The sum of the squared differences. */
double usl_squares(const struct usl *law, const struct usl_point *point, size_t n);

#endif
