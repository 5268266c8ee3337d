/* points.c - show progress, put results in order. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/progress.h"
#include "sim/points/workers.h"

/* ---- in order of completion ---- */

struct counted {
	point_taker *take;
	void	    *to;
	size_t	     done;
};

static int
take_counted(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct counted *c = self;

	progress_reach(++c->done);
	return c->take(c->to, i, text, bytes, e);
}

int
points_run(const struct points *p, point_taker *take, void *to, struct error *e)
{
	struct counted c = { take, to, 0 };
	int (*run)(const struct points *, point_taker *, void *, struct error *) =
	    p->jobs ? work_run : work_alone;
	int failed;

	if (!p->n)
		return 0;
	if (!p->doing)
		return run(p, take, to, e);
	progress_begin(p->doing, p->unit, p->n);
	failed = run(p, take_counted, &c, e);
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

int
point_to_file(void *to, const char *text, size_t bytes, struct error *e)
{
	fwrite(text, 1, bytes, to);
	return 0;
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
