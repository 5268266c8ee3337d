/* mean.h - a mean that forgets: it is halved when it has many entries. */
#ifndef PREFETCH_MEAN_H
#define PREFETCH_MEAN_H

struct mean {
	double sum, n;
};

static inline void
mean_halve(struct mean *m, double most)
{
	if (m->n > most) {
		m->sum /= 2;
		m->n /= 2;
	}
}

static inline void
mean_learn(struct mean *m, double x, double most)
{
	m->sum += x;
	m->n++;
	mean_halve(m, most);
}

/* 0 before it has learned anything. */
static inline double
mean_value(const struct mean *m)
{
	return m->n > 0 ? m->sum / m->n : 0;
}

#endif
