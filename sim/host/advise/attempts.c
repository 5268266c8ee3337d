/* attempts.c - from a setting to the options of a run, and to its time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/host/advise/attempts.h"
#include "sim/points/points.h"

void
attempts_release(struct attempts *a)
{
	advised_release(&a->advised);
	free(a->attempt);
}

/* ---- a setting ---- */

bool
setting_same(const struct setting *a, const struct setting *b)
{
	return a->window_kb == b->window_kb && a->request_blocks == b->request_blocks &&
	    a->scheduler == b->scheduler && a->nearby == b->nearby &&
	    !memcmp(a->advice, b->advice, sizeof(a->advice));
}

void
setting_prefetcher(const struct attempts *a, const struct setting *s, char text[PREFETCHER_TEXT])
{
	snprintf(text, PREFETCHER_TEXT, "ondemand:version=%s,kb=%" PRIu32 ",io_pages=%" PRIu32,
	    a->kernel.version, s->window_kb, s->request_blocks);
}

uint64_t
setting_piece(const struct attempts *a, const struct setting *s)
{
	uint64_t window = (uint64_t)s->window_kb << 10;
	uint64_t request = (uint64_t)s->request_blocks * a->t->block_bytes;

	return window > request ? window & ~(uint64_t)(a->t->block_bytes - 1) : request;
}

int
setting_trace(const struct attempts *a, const struct setting *s, struct trace *out, struct error *e)
{
	struct file_advice f[FILES_MAX];

	for (unsigned i = 0; i < a->nfiles; i++)
		f[i] = (struct file_advice){ a->file[i], (enum advice_kind)s->advice[i] };
	return advised_make(&a->advised, f, a->nfiles, setting_piece(a, s), out, e);
}

bool
setting_advises(const struct setting *s)
{
	for (unsigned i = 0; i < FILES_MAX; i++)
		if (s->advice[i])
			return true;
	return false;
}

/* The texts of options of a run. */
struct typed {
	char prefetcher[PREFETCHER_TEXT], request[NUMBER_TEXT];
};

static int
type(const struct attempts *a, const struct setting *s, struct typed *typed, struct options *o,
    struct error *e)
{
	const struct nearby *m = &a->nearby[s->nearby];

	setting_prefetcher(a, s, typed->prefetcher);
	snprintf(typed->request, sizeof(typed->request), "%" PRIu32 "b", s->request_blocks);
	*o = *a->o;
	return option_set(o, &option_info[OPTION_prefetch], typed->prefetcher, e) ||
		option_set(o, &option_info[OPTION_scheduler],
		    kernel_model((enum kernel_scheduler)s->scheduler), e) ||
		option_set(o, &option_info[OPTION_request], typed->request, e) ||
		option_set(o, &option_info[OPTION_cache], m->cache, e) ||
		option_set(o, &option_info[OPTION_device], m->device, e)
	    ? -1
	    : 0;
}

int
setting_use(const struct attempts *a, const struct setting				       *s,
    int (*use)(const struct config *c, const struct trace *t, void *to, struct error *e), void *to,
    struct error *e)
{
	struct typed   typed;
	struct options o;
	struct setup   setup;
	struct trace   t = *a->t;
	bool	       advice = setting_advises(s);
	int	       failed;

	if (type(a, s, &typed, &o, e) || (advice && setting_trace(a, s, &t, e)))
		return -1;
	failed = setup_init(&setup, &o, e);
	if (!failed) {
		failed = setup_fit(&setup, &o, &t, e) || use(&setup.config, &t, to, e);
		setup_release(&setup);
	}
	if (advice)
		free((void *)(uintptr_t)t.advice);
	return failed ? -1 : 0;
}

/* ---- attempts ---- */

struct made_now {
	const struct attempts *a;
	size_t		       from; /* of a->attempt: the first that is made now */
};

static int
take_time(const struct config *c, const struct trace *t, void *to, struct error *e)
{
	struct stats st;

	if (simulate(c, t, &st, e))
		return -1;
	*(uint64_t *)to = st.elapsed_us;
	return 0;
}

static int
make(void *self, size_t i, FILE *out, struct error *e)
{
	const struct made_now *b = self;
	uint64_t	       us;

	if (setting_use(b->a, &b->a->attempt[b->from + i].setting, take_time, &us, e))
		return -1;
	fwrite(&us, sizeof(us), 1, out);
	return 0;
}

/* NULL: it has not been made. */
static const struct attempt *
find(const struct attempts *a, const struct setting *s)
{
	for (size_t i = 0; i < a->n; i++)
		if (setting_same(&a->attempt[i].setting, s))
			return &a->attempt[i];
	return NULL;
}

static int
append(struct attempts *a, const struct setting *s, struct error *e)
{
	struct attempt *more;

	if (find(a, s))
		return 0;
	more = array_grow(a->attempt, a->n, &a->room, sizeof(*more));
	if (!more)
		return error_set(e, "out of memory for %zu runs", a->n);
	a->attempt = more;
	a->attempt[a->n++] = (struct attempt){ .setting = *s };
	return 0;
}

int
attempts_make(struct attempts *a, const struct setting *s, size_t n, uint64_t *us, struct error *e)
{
	struct made_now b = { a, a->n };
	struct points	p = { .jobs = a->jobs,
		  .doing = "simulating",
		  .unit = "runs",
		  .self = &b,
		  .make = make };
	int		failed = 0;

	for (size_t i = 0; !failed && i < n; i++)
		failed = append(a, &s[i], e);
	p.n = a->n - b.from;
	if (!failed)
		failed = points_collect(&p, &a->attempt[b.from].us, sizeof(uint64_t),
		    sizeof(*a->attempt), e);
	for (size_t i = 0; !failed && i < n; i++)
		us[i] = find(a, &s[i])->us;
	return failed;
}
