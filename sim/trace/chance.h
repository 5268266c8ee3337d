/*
 * chance.h - numbers by chance, the same on every machine.
 *
 * Logarithm and exponential are made of sums, products and quotients, which
 * IEEE 754 defines to the last bit; those of libm differ from one to another.
 */
#ifndef SIM_CHANCE_H
#define SIM_CHANCE_H

#include "sim/base/types.h"

/* The finalizer of SplitMix64 (Steele et al., OOPSLA 2014); of 0 it is 0. */
uint64_t chance_mix(uint64_t z);

/* The i-th number of the sequence with that key, in any order. */
uint64_t chance_at(uint64_t key, uint64_t i);

/* The same as a share, at least 0 and below 1. */
double chance_share(uint64_t number);

double chance_log(double x); /* x > 0 */
double chance_exp(double x); /* -700 < x < 700 */

/* Exponential with mean 1, from one number. */
double chance_exponential(uint64_t number);

/* Numbers one after the other; the state may be any key. */
uint64_t chance_next(uint64_t *state);

/* Ranks 1 .. n with probability proportional to rank^-alpha: no table, and about one number each. */
struct zipf {
	double n, alpha, low, high, sure;
};

void	 zipf_init(struct zipf *z, uint64_t n, double alpha); /* 1 <= n < 2^52 */
uint64_t zipf_next(const struct zipf *z, uint64_t *state);

/* A fixed order of 0 .. n - 1 in which neighbours are far apart. */
struct scatter {
	uint64_t n, factor;
};

void	 scatter_init(struct scatter *s, uint64_t n); /* n < 2^32 */
uint64_t scatter_place(const struct scatter *s, uint64_t i);

#endif
