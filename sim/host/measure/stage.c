/*
 * stage.c - one run: pages dropped, descriptors opened, the calls made by one
 * thread or by many, and what the kernel counts.
 */
#define _GNU_SOURCE /* SCHED_FIFO on every C library */
#include "sim/host/measure/stage.h"

#include "sim/host/live/scratch.h"
#include "sim/host/measure/caller.h"

#ifdef __linux__

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/progress.h"

enum { STACK_BYTES = 1 << 18 };

int
stage_make(struct stage *s, const struct trace *t, const char *dir, struct error *e)
{
	*s = (struct stage){ .trace = t };
	if (trace_check(t, 0, t->naccess, e) || stage_files_make(&s->files, t, dir, e))
		return -1;
	s->bytes = s->files.bytes;
	return 0;
}

void
stage_release(struct stage *s)
{
	stage_files_release(&s->files);
	*s = (struct stage){ 0 };
}

/* ---- priority ---- */

static bool
set_priority(bool real_time)
{
	struct sched_param p = { .sched_priority = real_time };

	return !sched_setscheduler(0, real_time ? SCHED_FIFO : SCHED_OTHER, &p);
}

/* ---- the callers ---- */

static void
callers_release(struct caller *c, uint32_t n)
{
	for (uint32_t i = 0; c && i < n; i++)
		free(c[i].buffer);
	free(c);
}

static struct caller *
callers_make(struct play *p, struct error *e)
{
	uint32_t       n = p->calls.n;
	struct caller *c = calloc(n, sizeof(*c));

	for (uint32_t i = 0; c && i < n; i++) {
		const struct sequence *q = &p->calls.sequence[i];
		size_t		       bytes = (size_t)q->most_blocks * SCRATCH_PAGE + 1;

		c[i] =
		    (struct caller){ .play = p, .number = i, .calls = q, .buffer = malloc(bytes) };
		if (!c[i].buffer) {
			callers_release(c, n);
			c = NULL;
			break;
		}
		memset(c[i].buffer, 'b', bytes);
	}
	if (!c)
		error_set(e, "out of memory for %u threads", n);
	return c;
}

struct entrant {
	struct caller	*caller;
	pthread_mutex_t *gate;
};

static void *
enter(void *argument)
{
	const struct entrant *t = argument;

	pthread_mutex_lock(t->gate);
	pthread_mutex_unlock(t->gate);
	if (!atomic_load(&t->caller->play->stopped))
		caller_run(t->caller);
	return NULL;
}

/* All start at once, when the last one is there. */
static int
run_threads(struct play *p, struct caller *c, struct error *e)
{
	uint32_t	n = p->calls.n, started = 0;
	struct entrant *t = calloc(n, sizeof(*t));
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	pthread_attr_t	a;
	int		reason = 0;

	if (!t)
		return error_set(e, "out of memory for %u threads", n);
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, STACK_BYTES);
	pthread_mutex_lock(&gate);
	while (!reason && started < n) {
		t[started] = (struct entrant){ &c[started], &gate };
		reason = pthread_create(&c[started].id, &a, enter, &t[started]);
		started += !reason;
	}
	atomic_store(&p->stopped, reason != 0);
	p->began = caller_clock();
	pthread_mutex_unlock(&gate);
	for (uint32_t i = 0; i < started; i++)
		pthread_join(c[i].id, NULL);
	pthread_attr_destroy(&a);
	free(t);
	return reason ? error_set(e, "thread %u of %u cannot be started: %s", started + 1, n,
			    strerror(reason))
		      : 0;
}

static int
run_callers(struct play *p, struct caller *c, struct error *e)
{
	p->began = caller_clock();
	if (p->calls.n == 1)
		caller_run(c);
	else if (run_threads(p, c, e))
		return -1;
	for (uint32_t i = 0; i < p->calls.n; i++)
		if (c[i].failed) {
			*e = c[i].error;
			return -1;
		}
	return 0;
}

/* ---- one run ---- */

/* Bytes that this process has made the devices read; 0 if the kernel does not report it. */
static uint64_t
bytes_read(void)
{
	char		   line[128];
	unsigned long long bytes = 0;
	FILE		  *f = fopen("/proc/self/io", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "read_bytes: %llu", &bytes) == 1)
			break;
	if (f)
		fclose(f);
	return bytes;
}

static void
sum_up(struct run_times *out, const struct play *p, const struct caller *c)
{
	double last = p->began;

	for (uint32_t i = 0; i < p->calls.n; i++) {
		last = c[i].now > last ? c[i].now : last;
		out->calls_us += c[i].calls_us;
		out->waited_us += c[i].waited_us;
		out->cpu_us += c[i].cpu_us;
		out->apart_us += c[i].apart_us;
	}
	out->elapsed_us = last - p->began - (p->calls.n == 1 ? out->apart_us : 0);
}

static int
measure(struct play *p, struct caller *c, struct stage *s, struct run_times *out, struct error *e)
{
	uint64_t before;
	int	 failed;

	s->fifo = p->how->real_time && set_priority(true);
	progress_begin("replaying", "calls", s->trace->naccess);
	before = bytes_read();
	failed = run_callers(p, c, e);
	out->pages_read = (bytes_read() - before) / SCRATCH_PAGE;
	progress_end();
	if (s->fifo)
		set_priority(false);
	sum_up(out, p, c);
	return failed || stage_files_resident(&s->files, &out->resident_pages, e) ? -1 : 0;
}

/* Does the trace drop pages by advice? */
static bool
drops_pages(const struct stage *s, const struct run_how *how)
{
	const struct trace *t = s->trace;

	for (size_t i = 0; !how->random && i < t->nadvice; i++)
		if (t->advice[i].kind == ADVICE_DONTNEED)
			return true;
	return false;
}

/* Pages that were read are resident, or were evicted here, or are lost. */
static uint64_t
lost(const struct stage *s, const struct run_how *how, const struct run_times *r)
{
	uint64_t known = r->resident_pages + (how->evict ? how->evict->n : 0);

	if (how->warm || how->writes || drops_pages(s, how) || known > r->pages_read)
		return 0;
	return r->pages_read - known;
}

static int
check(const struct stage *s, const struct run_how *how, const struct play *p, struct error *e)
{
	if (!how->evict)
		return 0;
	if (how->warm || p->calls.n > 1)
		return error_set(e, "pages are evicted by call only in a cold run of one thread");
	if (how->evict->ncalls != s->trace->naccess)
		return error_set(e, "the evictions are those of another trace");
	return 0;
}

int
stage_run(struct stage *s, const struct run_how *how, struct run_times *out, struct error *e)
{
	struct caller *c = NULL;
	struct play    p;
	int	       failed = -1;

	*out = (struct run_times){ .call_us = out->call_us };
	if (stage_files_drop(&s->files, e) || play_init(&p, s, how, e))
		return -1;
	p.call_us = out->call_us;
	s->files.dirty = how->writes;
	if (!check(s, how, &p, e) && (c = callers_make(&p, e)) && (!how->warm || !play_warm(&p, e)))
		failed = measure(&p, c, s, out, e);
	out->lost_pages = failed ? 0 : lost(s, how, out);
	callers_release(c, p.calls.n);
	play_release(&p);
	return failed;
}

#else

int
stage_make(struct stage *s, const struct trace *t, const char *dir, struct error *e)
{
	*s = (struct stage){ 0 };
	return error_set(e, "files are made, and replayed, on Linux only");
}

void
stage_release(struct stage *s)
{
}

int
stage_run(struct stage *s, const struct run_how *how, struct run_times *out, struct error *e)
{
	return -1;
}

#endif
