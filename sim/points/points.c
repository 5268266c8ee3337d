/* points.c - name errors, show progress, put results in order. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/progress.h"
#include "sim/points/points.h"
#include "sim/points/workers.h"

/* ---- in order of completion ---- */

/* What the functions of struct work are given. */
struct job {
	const struct points *p;
	point_taker	    *take;
	void		    *to;
	size_t		     done;
};

static int
make(void *self, size_t i, FILE *out, struct error *e)
{
	const struct points *p = ((const struct job *)self)->p;
	char		     name[POINT_NAME] = "";

	if (!p->make(p->self, i, out, e))
		return 0;
	if (p->name)
		p->name(p->self, i, name);
	return *name ? error_prefix(e, "%s", name) : -1;
}

static int
take(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct job *j = self;

	j->done++;
	if (j->p->doing)
		progress_reach(j->done);
	return j->take(j->to, i, text, bytes, e);
}

int
points_run(const struct points *p, point_taker *take_result, void *to, struct error *e)
{
	struct job	  j = { p, take_result, to, 0 };
	const struct work w = { p->n, p->jobs, &j, make, take };
	int		  failed;

	if (!p->n)
		return 0;
	if (p->doing)
		progress_begin(p->doing, p->unit, p->n);
	failed = (p->jobs ? work_run : work_alone)(&w, e);
	if (p->doing)
		progress_end();
	return failed;
}

/* ---- in the order of the points ---- */

struct held {
	char  *text; /* NULL: has not come, or is written */
	size_t bytes;
};

struct queue {
	point_writer *write;
	void	     *to;
	struct held  *held; /* [n] */
	size_t	      n, written;
	int	      failed; /* to write; nothing follows */
};

/* Write as many as are there without a gap. */
static int
take_turn(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct queue *q = self;

	if (q->failed)
		return 0;
	q->held[i] = (struct held){ malloc(bytes + 1), bytes };
	if (!q->held[i].text)
		return error_set(e, "out of memory for a result");
	memcpy(q->held[i].text, text, bytes);
	while (!q->failed && q->written < q->n && q->held[q->written].text) {
		struct held *first = &q->held[q->written++];

		q->failed = q->write(q->to, first->text, first->bytes, e);
		free(first->text);
		first->text = NULL;
	}
	return q->failed;
}

int
points_print(const struct points *p, point_writer *write, void *to, struct error *e)
{
	struct queue q = { write, to, calloc(p->n + 1, sizeof(*q.held)), p->n, 0, 0 };
	int	     failed;

	if (!q.held)
		return error_set(e, "out of memory for %zu points", p->n);
	failed = points_run(p, take_turn, &q, e);
	for (size_t i = q.written; i < p->n; i++)
		free(q.held[i].text);
	free(q.held);
	return failed;
}

/* ---- in an array ---- */

struct array {
	char  *first;
	size_t bytes, stride;
};

static int
take_place(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	const struct array *a = self;

	ASSERT(bytes == a->bytes);
	memcpy(a->first + i * a->stride, text, bytes);
	return 0;
}

int
points_collect(const struct points *p, void *first, size_t bytes, size_t stride, struct error *e)
{
	struct array a = { first, bytes, stride };

	return points_run(p, take_place, &a, e);
}
