/*
 * caller.c - calls, their clock, and what lies between them: think time,
 * advice, steps, descriptors and evictions.
 *
 * Descriptors and evictions are made apart: their time is measured, and what
 * follows comes later by as much.
 */
#define _GNU_SOURCE /* POSIX_FADV_..., pwrite() */
#include "sim/host/measure/caller.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/progress.h"

enum { SPIN_US = 80, US = 1000000 };

static double
read_clock(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (double)t.tv_sec * US + (double)t.tv_nsec / 1e3;
}

double
caller_clock(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* How long this thread was ready to run and had no processor; 0 if the kernel does not report it. */
static double
run_queue_us(const struct caller *c)
{
	unsigned long long waited;
	char		   line[80];
	ssize_t n = c->schedstat < 0 ? -1 : pread(c->schedstat, line, sizeof(line) - 1, 0);

	if (n <= 0)
		return 0;
	line[n] = '\0';
	return sscanf(line, "%*u %llu", &waited) == 1 ? (double)waited / 1e3 : 0;
}

/* ---- what is made apart ---- */

/* The descriptor of a call, and of the advice before it. */
static int
open_for(struct caller *c, size_t call)
{
	struct play	    *p = c->play;
	const struct trace  *t = p->trace;
	const struct access *a = &t->access[call];

	for (size_t k = a->advised ? trace_advice(t, call) : t->nadvice;
	     k < t->nadvice && t->advice[k].before == call; k++)
		if (t->advice[k].own && play_opens(p, t->advice[k].open, t->advice[k].fresh) &&
		    play_open(p, t->advice[k].open, &c->error))
			return -1;
	if (play_opens(p, a->open, a->fresh))
		return play_open(p, a->open, &c->error);
	return 0;
}

struct apart {
	double began, waited, cpu;
};

static struct apart
apart_begin(const struct caller *c)
{
	return (
	    struct apart){ caller_clock(), run_queue_us(c), read_clock(CLOCK_THREAD_CPUTIME_ID) };
}

static void
apart_end(struct caller *c, struct apart a)
{
	double us;

	c->apart_cpu_us += read_clock(CLOCK_THREAD_CPUTIME_ID) - a.cpu;
	c->apart_waited_us += run_queue_us(c) - a.waited;
	us = caller_clock() - a.began;
	c->apart_us += us;
	c->now += us;
}

static int
prepare(struct caller *c, size_t call)
{
	struct play	    *p = c->play;
	const struct access *a = &p->trace->access[call];
	struct apart	     apart;
	int		     failed;

	if (!p->gone && !play_evicts(p, call) && !a->advised && !play_opens(p, a->open, a->fresh))
		return 0;
	apart = apart_begin(c);
	play_evict(p, call);
	failed = open_for(c, call);
	apart_end(c, apart);
	return failed;
}

/* ---- what is made in the time of the run ---- */

static void
sleep_until(double due)
{
	double left = due - caller_clock();

	if (left > 2 * SPIN_US) {
		left -= SPIN_US;
		nanosleep(&(struct timespec){ .tv_sec = (time_t)(left / US),
			      .tv_nsec = (long)((left - (double)(time_t)(left / US) * US) * 1e3) },
		    NULL);
	}
	while (caller_clock() < due)
		;
}

/* Wait for the moment of what is next, recorded then. */
static void
think(struct caller *c, usec_t recorded)
{
	double scale = c->play->how->think_scale;

	if (scale > 0 && recorded > c->recorded)
		sleep_until(c->now + (double)(recorded - c->recorded) * scale);
	c->recorded = recorded;
}

static void
advise(const struct play *p, size_t call)
{
	static const int kinds[ADVICE_KINDS] = {
		[ADVICE_NORMAL] = POSIX_FADV_NORMAL,
		[ADVICE_RANDOM] = POSIX_FADV_RANDOM,
		[ADVICE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
		[ADVICE_WILLNEED] = POSIX_FADV_WILLNEED,
		[ADVICE_DONTNEED] = POSIX_FADV_DONTNEED,
	};
	const struct trace *t = p->trace;

	for (size_t k = trace_advice(t, call); k < t->nadvice && t->advice[k].before == call; k++) {
		const struct advice *a = &t->advice[k];

		posix_fadvise(a->own ? p->fd[a->open] : p->files->fd[t->open[a->open].file],
		    (off_t)a->offset, (off_t)a->length, kinds[a->kind]);
	}
}

static int
make_call(struct caller *c, size_t call)
{
	struct play	    *p = c->play;
	const struct access *a = &p->trace->access[call];
	double		     began = caller_clock();
	ssize_t		     n;

	if (a->write)
		n = pwrite(p->fd[a->open], c->buffer, a->length, (off_t)a->offset);
	else
		n = pread(p->fd[a->open], c->buffer, a->length, (off_t)a->offset);
	c->now = caller_clock();
	if (n <= 0)
		return error_set(&c->error, "call %zu: %s", call + 1,
		    n ? strerror(errno) : "the file ends before it");
	if (!a->write)
		p->unused[a->open] = false;
	c->calls_us += c->now - began;
	if (p->call_us)
		p->call_us[call] = (float)(c->now - began);
	return 0;
}

static void
shut_apart(struct caller *c, size_t call)
{
	struct apart apart;

	if (!play_closes(c->play, call))
		return;
	apart = apart_begin(c);
	play_close(c->play, call);
	apart_end(c, apart);
}

static bool
is_made(const struct play *p, size_t call)
{
	return p->how->writes || !p->trace->access[call].write;
}

static int
do_call(struct caller *c, size_t call)
{
	struct play *p = c->play;

	if (!is_made(p, call)) {
		if (p->call_us)
			p->call_us[call] = -1;
		shut_apart(c, call);
		return 0;
	}
	if (prepare(c, call))
		return -1;
	think(c, p->trace->access[call].time);
	if (p->trace->access[call].advised && !p->how->random)
		advise(p, call);
	atomic_fetch_add_explicit(&progress_done, 1, memory_order_relaxed);
	if (make_call(c, call))
		return -1;
	shut_apart(c, call);
	return 0;
}

/* ---- one caller ---- */

/* When the next call or step of c was recorded; call is the number of its next call. */
static usec_t
next_recorded(const struct caller *c, const struct step *s, size_t call)
{
	if (call < c->calls->n && (!s || call < s->calls))
		return c->play->trace->access[sequence_call(c->calls, call)].time;
	return s ? s->time : USEC_MAX;
}

/* In the trace, c has come as far as that time, and no further than what is next. */
static void
come_to(struct caller *c, const struct step *next, size_t call, usec_t recorded)
{
	usec_t then = next_recorded(c, next, call);

	c->now = caller_clock();
	c->recorded = then < recorded ? then : recorded;
}

/* The steps before its next call. */
static void
take_steps(struct caller *c, size_t call)
{
	struct family	  *f = &c->play->family;
	const struct step *s;

	while (f->n && (s = family_step(f, c->number)) &&
	    (s->calls <= call || call == c->calls->n) && !atomic_load(&c->play->stopped)) {
		think(c, s->time > c->recorded ? s->time : c->recorded);
		family_take(f, c->number);
		come_to(c, family_step(f, c->number), call, s->until);
	}
}

static void
make_calls(struct caller *c)
{
	for (size_t i = 0; !c->failed && i < c->calls->n; i++) {
		take_steps(c, i);
		if (atomic_load_explicit(&c->play->stopped, memory_order_relaxed))
			return;
		c->failed = do_call(c, sequence_call(c->calls, i));
	}
	take_steps(c, c->calls->n);
}

/* A process begins at its first call, or when another one starts it; a single one at once. */
static void
begin(struct caller *c)
{
	struct family *f = &c->play->family;
	usec_t	       born = 0;
	bool	       child = f->n && family_begin(f, c->number, &born);

	c->now = c->play->began;
	c->recorded = 0;
	if (child)
		come_to(c, family_step(f, c->number), 0, born);
}

static void
end(struct caller *c)
{
	struct play *p = c->play;

	if (c->failed) {
		atomic_store(&p->stopped, true);
		if (p->family.n)
			family_dismiss(&p->family);
	}
	if (p->family.n)
		family_end(&p->family, c->number);
}

void
caller_run(struct caller *c)
{
	double waited, cpu;

	c->schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
	waited = run_queue_us(c);
	cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
	begin(c);
	make_calls(c);
	c->cpu_us = read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu - c->apart_cpu_us;
	c->waited_us = run_queue_us(c) - waited - c->apart_waited_us;
	if (c->schedstat >= 0)
		close(c->schedstat);
	if (!c->failed)
		play_evict(c->play, c->play->trace->naccess);
	end(c);
}

#endif
