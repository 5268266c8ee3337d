/* threads.c - players on threads of this machine. */
#define _GNU_SOURCE /* pthread_setaffinity_np() */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/studies/frames/model/threads.h"
#include "sim/studies/frames/model/times.h"

enum gate_state { GATE_CLOSED, GATE_OPEN, GATE_ABANDONED };

/* Threads wait before it until all are there. */
struct gate {
	_Atomic unsigned state; /* enum gate_state */
	_Atomic unsigned waiting;
};

struct runner {
	struct player *player;
	struct gate   *gate;
	struct times  *times; /* NULL: not wanted */
	size_t	       core;  /* that it stays on; ANY_CORE */
	pthread_t      id;
	uint64_t       began, ended; /* ns */
};

static inline uint64_t
clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- cores: else the system may leave all threads of a short run on one ---- */

#define ANY_CORE SIZE_MAX

#ifdef __linux__
/* That of thread i: those that this process may use, in turn. */
static size_t
core_of(unsigned i)
{
	cpu_set_t may;
	size_t	  core = 0;

	if (sched_getaffinity(0, sizeof(may), &may))
		return ANY_CORE;
	for (unsigned left = i % (unsigned)CPU_COUNT(&may);; core++)
		if (CPU_ISSET(core, &may) && !left--)
			return core;
}

static void
stay_on(size_t core)
{
	cpu_set_t only;

	if (core == ANY_CORE)
		return;
	CPU_ZERO(&only);
	CPU_SET(core, &only);
	pthread_setaffinity_np(pthread_self(), sizeof(only), &only);
}
#else
static size_t
core_of(unsigned i)
{
	(void)i;
	return ANY_CORE;
}

static void
stay_on(size_t core)
{
	(void)core;
}
#endif

/* ---- one thread ---- */

static bool
pass_gate(struct gate *g)
{
	unsigned state;

	atomic_fetch_add(&g->waiting, 1);
	while ((state = atomic_load(&g->state)) == GATE_CLOSED)
		sched_yield();
	return state == GATE_OPEN;
}

static inline void
step(struct player *p, const struct move *m)
{
	while (unlikely(!player_step(p, m)))
		sched_yield();
}

/* p is a copy, so that the loop keeps it in registers, and away from other threads. */
static void
play(struct player p)
{
	const struct move *end = p.script->move + p.script->moves;

	for (uint64_t rounds = p.script->rounds; rounds; rounds--)
		for (const struct move *m = p.script->move; m < end; m++)
			step(&p, m);
}

static void
play_timed(struct player p, struct times *times)
{
	const struct move *end = p.script->move + p.script->moves;

	for (uint64_t rounds = p.script->rounds; rounds; rounds--)
		for (const struct move *m = p.script->move; m < end; m++) {
			uint64_t began = clock_ns();

			step(&p, m);
			if (m->kind == MOVE_TAKE || m->kind == MOVE_GIVE)
				times_add(times, clock_ns() - began);
		}
}

static void *
run(void *argument)
{
	struct runner *r = argument;

	stay_on(r->core);
	if (!pass_gate(r->gate))
		return NULL;
	r->began = clock_ns();
	if (r->times)
		play_timed(*r->player, r->times);
	else
		play(*r->player);
	r->ended = clock_ns();
	return NULL;
}

/* ---- all threads ---- */

static int
start_and_wait(struct runner *r, unsigned n, struct gate *g, struct error *e)
{
	unsigned started = 0;
	int	 reason = 0;

	while (started < n && !(reason = pthread_create(&r[started].id, NULL, run, &r[started])))
		started++;
	while (!reason && atomic_load(&g->waiting) < n)
		sched_yield();
	atomic_store(&g->state, reason ? GATE_ABANDONED : GATE_OPEN);
	for (unsigned i = 0; i < started; i++)
		pthread_join(r[i].id, NULL);
	return reason
	    ? error_set(e, "cannot start thread %u of %u: %s", started + 1, n, strerror(reason))
	    : 0;
}

static double
elapsed(const struct runner *r, unsigned n)
{
	uint64_t began = r->began, ended = r->ended;

	for (unsigned i = 1; i < n; i++) {
		began = r[i].began < began ? r[i].began : began;
		ended = r[i].ended > ended ? r[i].ended : ended;
	}
	return (double)(ended - began);
}

static struct trial_latency
latency(struct times *times, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		times_join(times, &times[i]);
	return times_latency(times);
}

int
threads_run(struct players *p, double *elapsed_ns, struct trial_latency *l, struct error *e)
{
	struct gate    gate = { 0 };
	struct runner *r = calloc(p->n, sizeof(*r));
	struct times  *times = l ? calloc(p->n, sizeof(*times)) : NULL;
	int	       failed;

	for (unsigned i = 0; r && i < p->n; i++)
		r[i] = (struct runner){ .player = &p->player[i],
			.gate = &gate,
			.core = core_of(i),
			.times = times ? &times[i] : NULL };
	if (!r || (l && !times))
		failed = error_set(e, "out of memory for %u threads", p->n);
	else
		failed = start_and_wait(r, p->n, &gate, e);
	if (!failed) {
		*elapsed_ns = elapsed(r, p->n);
		if (l)
			*l = latency(times, p->n);
	}
	free(times);
	free(r);
	return failed;
}
