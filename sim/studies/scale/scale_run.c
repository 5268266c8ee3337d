/* scale_run.c - time a program of the user. */
#include <inttypes.h>

#include "sim/studies/scale/program.h"
#include "sim/studies/scale/scale_run.h"
#include "sim/studies/scale/turns.h"

enum { NAME_ROOM = 100 };

enum marks { MARKS_UNKNOWN, MARKS_NONE, MARKS_SOME };

struct failure {
	uint32_t     threads;
	unsigned     run; /* from 1 */
	struct error why;
};

struct running {
	struct program program;
	enum marks     marks; /* of the runs so far */
	unsigned       runs;
	unsigned       failures; /* numbers of threads with which it failed */
	struct failure first;
};

/* Either all runs mark their region, or none does. */
static int
check_marks(struct running *p, struct timed_run *r, struct error *e)
{
	enum marks now = r->region > 0 ? MARKS_SOME : MARKS_NONE;

	if (p->marks != MARKS_UNKNOWN && p->marks != now) {
		error_set(e, "it marks %s region, and other runs mark %s",
		    now == MARKS_SOME ? "a" : "no", now == MARKS_SOME ? "none" : "one");
		return 1;
	}
	p->marks = now;
	if (now == MARKS_NONE)
		r->region = r->total;
	return 0;
}

static int
time_run(void *self, uint32_t threads, struct timed_run *r, struct error *e)
{
	struct running *p = self;
	struct error	why = { 0 };
	int		status = program_run(&p->program, threads, r, &why);

	p->runs++;
	if (!status)
		status = check_marks(p, r, &why);
	if (status < 0)
		*e = why;
	if (status > 0 && !p->failures++)
		p->first = (struct failure){ threads, p->runs, why };
	return status;
}

static int
explain_failures(const struct running *p, const char *name, struct error *e)
{
	const struct failure *first = &p->first;
	const char	     *plural = first->threads == 1 ? "" : "s";

	*e = first->why;
	if (p->failures > 1)
		return error_prefix(e,
		    "%s failed with %u numbers of threads, first with %" PRIu32 ", in run %u", name,
		    p->failures, first->threads, first->run);
	return error_prefix(e, "%s failed with %" PRIu32 " thread%s, in run %u", name,
	    first->threads, plural, first->run);
}

int
scale_run(struct timings *t, const struct options *o, bool *marked, struct error *e)
{
	struct running p = { 0 };
	struct turns   turns;
	char	       name[NAME_ROOM];
	int	       failed;

	if (turns_init(&turns, o, e) || program_open(&p.program, o->run, e))
		return -1;
	program_name(o->run, name, sizeof(name));
	failed = turns_time(&turns, time_run, &p, name, t, e);
	program_close(&p.program);
	*marked = p.marks == MARKS_SOME;
	return failed || !p.failures ? failed : explain_failures(&p, name, e);
}
