/* turns.c - the order of timed runs. */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/setup/setup.h"
#include "sim/setup/values.h"
#include "sim/studies/scale/turns.h"

enum { THREADS_LISTED = 1024, REPEAT_MAX = 10000 };

/* ---- settings ---- */

static void
add_threads(struct turns *t, uint32_t n)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->threads[i] == n)
			return;
	if (t->n && n > t->threads[t->most])
		t->most = t->n;
	t->threads[t->n++] = n;
}

static int
add_default(struct turns *t, const struct options *o, struct error *e)
{
	unsigned processors;

	if (setup_jobs(&processors, o, e))
		return -1;
	processors = processors < 2 ? 2 : processors > THREADS_LISTED ? THREADS_LISTED : processors;
	for (uint32_t n = 1; n < processors; n *= 2)
		add_threads(t, n);
	add_threads(t, processors);
	return 0;
}

static int
add_listed(struct turns *t, char *const *text, unsigned n, struct error *e)
{
	uint64_t threads;

	if (n > TURNS_MAX)
		return error_usage(e, "more than %d numbers: take fewer", TURNS_MAX);
	for (unsigned i = 0; i < n; i++) {
		if (!number_whole(text[i], &threads) || !threads || threads > THREADS_LISTED)
			return error_usage(e,
			    "'%s' will not do: type numbers from 1 to %d, such as 1,2,4", text[i],
			    THREADS_LISTED);
		add_threads(t, (uint32_t)threads);
	}
	for (unsigned i = 0; i < t->n; i++)
		if (t->threads[i] == 1 && t->n > 1)
			return 0;
	return error_usage(e, "type 1, which the others are compared with, and others: 1,2,4");
}

static int
add_list(struct turns *t, const char *list, struct error *e)
{
	char   **text = NULL;
	unsigned n = 0;
	int	 failed = values_expand(list, &text, &n, e) || add_listed(t, text, n, e);

	for (unsigned i = 0; i < n; i++)
		free(text[i]);
	free(text);
	return failed ? error_prefix(e, "--threads") : 0;
}

int
turns_init(struct turns *t, const struct options *o, struct error *e)
{
	*t = (struct turns){ .repeat = o->runs };
	if (!o->runs || o->runs > REPEAT_MAX)
		return error_usage(e, "--repeat: '%s' is not from 1 to %d", o->text[OPTION_runs],
		    REPEAT_MAX);
	return o->counts ? add_list(t, o->counts, e) : add_default(t, o, e);
}

/* ---- runs ---- */

int
turns_time(const struct turns *t, turns_timer *timer, void *self, const char *program,
    struct timings *to, struct error *e)
{
	bool		 ended[TURNS_MAX] = { false };
	uint64_t	 n = t->repeat * t->n;
	struct timed_run r = { 0 };
	int		 status;

	progress_begin("timing", "runs", n + 1);
	status = timer(self, t->threads[t->most], &r, e);
	ended[t->most] = status > 0;
	for (uint64_t i = 0; status >= 0 && i < n; i++) {
		unsigned at = (unsigned)((i / t->n + i % t->n) % t->n);

		progress_reach(i + 1);
		if (ended[at])
			continue;
		status = timer(self, t->threads[at], &r, e);
		ended[at] = status > 0;
		if (!status)
			status = timings_add(to, program, &r, e);
	}
	progress_end();
	return status < 0 ? -1 : 0;
}
