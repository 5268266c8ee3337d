/* crowd.c - threads that read until the time is over. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/host/measure/crowd.h"
#include "sim/trace/chance.h"

struct gate {
	pthread_mutex_t lock;
	pthread_cond_t	moved;
	bool		open;
	double		end; /* when to stop */
};

struct member {
	pthread_t	    thread;
	const struct crowd *crowd;
	struct gate	   *gate;
	char		   *buffer;
	uint64_t	    key, reads;
	int		    error; /* errno */
};

double
clock_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void *
member_run(void *self)
{
	struct member	   *m = self;
	const struct crowd *c = m->crowd;
	uint64_t	    slots = c->bytes / c->length;

	pthread_mutex_lock(&m->gate->lock);
	while (!m->gate->open)
		pthread_cond_wait(&m->gate->moved, &m->gate->lock);
	pthread_mutex_unlock(&m->gate->lock);
	do {
		off_t at = (off_t)(chance_next(&m->key) % slots * c->length);

		errno = 0;
		if (pread(c->fd, m->buffer, c->length, at) != (ssize_t)c->length) {
			m->error = errno ? errno : EIO;
			break;
		}
		m->reads++;
	} while (clock_us() < m->gate->end);
	return NULL;
}

static void
open_gate(struct gate *g, double budget_us)
{
	pthread_mutex_lock(&g->lock);
	g->open = true;
	g->end = clock_us() + budget_us;
	pthread_cond_broadcast(&g->moved);
	pthread_mutex_unlock(&g->lock);
}

double
crowd_run(const struct crowd *c, struct error *e)
{
	struct gate gate = { .lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER };
	struct member m[CROWD_MAX];
	uint32_t      n = 0;
	uint64_t      reads = 0;
	double	      begin;
	int	      number = 0;

	for (; n < c->depth && !number; n += !number) {
		m[n] = (struct member){ .crowd = c,
			.gate = &gate,
			.buffer = c->buffer + (size_t)n * c->length,
			.key = chance_mix(c->key + n) };
		number = pthread_create(&m[n].thread, NULL, member_run, &m[n]);
	}
	begin = clock_us();
	open_gate(&gate, number ? 0 : c->budget_us);
	for (uint32_t i = 0; i < n; i++) {
		pthread_join(m[i].thread, NULL);
		number = number ? number : m[i].error;
		reads += m[i].reads;
	}
	if (number)
		return error_set(e, "%u reads at a time: %s", c->depth, strerror(number));
	return (clock_us() - begin) / (double)reads;
}
