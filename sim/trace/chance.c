/*
 * chance.c - random numbers, logarithm and exponential, Zipf.
 *
 * Zipf numbers come by Wolfgang Hoermann, Gerhard Derflinger,
 * Rejection-inversion to generate variates from monotone discrete
 * distributions, ACM Transactions on Modeling and Computer Simulation 6(3),
 * 1996.  The method is exact but for rounding, which moves the probability of
 * one of 2^31 ranks by less than one part in 10^5.
 */
#include <math.h>

#include "sim/trace/chance.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

uint64_t
chance_mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t
chance_at(uint64_t key, uint64_t i)
{
	return chance_mix(key + (i + 1) * GOLDEN);
}

uint64_t
chance_next(uint64_t *state)
{
	return chance_mix(*state += GOLDEN);
}

double
chance_share(uint64_t number)
{
	return (double)(number >> 11) * 0x1p-53;
}

/* ---- logarithm and exponential ---- */

static const double ln2_high =
    0x1.62e42feep-1; /* the low bits are 0: products with small numbers are exact */
static const double ln2_low = 0x1.a39ef35793c76p-33;

/* log(m) = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1), for m near 1. */
double
chance_log(double x)
{
	int    e;
	double m = frexp(x, &e), s, square, sum = 0;

	if (m < 0.70710678118654752) {
		m *= 2;
		e--;
	}
	s = (m - 1) / (m + 1);
	square = s * s;
	for (int k = 23; k >= 3; k -= 2)
		sum = (sum + 1.0 / k) * square;
	return e * ln2_high + (e * ln2_low + 2 * (s * sum + s));
}

/* exp(x) = 2^k exp(r), r at most ln(2) / 2. */
double
chance_exp(double x)
{
	double k = floor(x * 0x1.71547652b82fep+0 + 0.5), sum = 1;
	double r = x - k * ln2_high - k * ln2_low;

	for (int n = 15; n >= 1; n--)
		sum = 1 + sum * r / n;
	return ldexp(sum, (int)k);
}

double
chance_exponential(uint64_t number)
{
	return -chance_log(1 - chance_share(number));
}

/* ---- Zipf ---- */

/* The integral of x^-alpha, and its inverse. */
static double
integral(const struct zipf *z, double x)
{
	double slope = 1 - z->alpha;

	return slope == 0 ? chance_log(x) : (chance_exp(slope * chance_log(x)) - 1) / slope;
}

static double
inverse(const struct zipf *z, double y)
{
	double slope = 1 - z->alpha, inside = 1 + slope * y;

	if (slope == 0)
		return chance_exp(y);
	return inside > 0 ? chance_exp(chance_log(inside) / slope) : z->n;
}

static double
weight(const struct zipf *z, double k)
{
	return chance_exp(-z->alpha * chance_log(k));
}

void
zipf_init(struct zipf *z, uint64_t n, double alpha)
{
	*z = (struct zipf){ .n = (double)n, .alpha = alpha };
	z->low = integral(z, 1.5) - 1;
	z->high = integral(z, z->n + 0.5);
	z->sure = 2 - inverse(z, integral(z, 2.5) - weight(z, 2));
}

uint64_t
zipf_next(const struct zipf *z, uint64_t *state)
{
	for (;;) {
		double y = z->high + chance_share(chance_next(state)) * (z->low - z->high);
		double x = inverse(z, y), k = floor(x + 0.5);

		k = k < 1 ? 1 : k > z->n ? z->n : k;
		if (k - x <= z->sure || y >= integral(z, k + 0.5) - weight(z, k))
			return (uint64_t)k;
	}
}

/* ---- scatter ---- */

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Steps of the golden section, by a number that has no divisor in common with n. */
void
scatter_init(struct scatter *s, uint64_t n)
{
	*s = (struct scatter){ .n = n, .factor = (uint64_t)((double)n * 0.6180339887498949) };
	while (s->factor > 1 && common_divisor(s->factor, n) != 1)
		s->factor--;
	if (!s->factor)
		s->factor = 1;
}

uint64_t
scatter_place(const struct scatter *s, uint64_t i)
{
	return i * s->factor % s->n;
}
