/* alone.c - compute one point, and all of them in this process. */
#include <stdlib.h>

#include "sim/base/memo.h"
#include "sim/points/workers.h"

static int
make_named(const struct points *p, size_t i, FILE *out, struct error *e)
{
	char name[POINT_NAME] = "";

	if (!p->make(p->self, i, out, e))
		return 0;
	if (p->name)
		p->name(p->self, i, name);
	return *name ? error_prefix(e, "%s", name) : -1;
}

int
work_make(const struct points *p, size_t i, struct memo *m, struct error *e)
{
	struct error second; /* not reported: the first error says more */
	int	     failed = memo_open(m, e);

	if (failed)
		return -1;
	failed = make_named(p, i, m->out, e);
	return memo_close(m, failed ? &second : e) || failed ? -1 : 0;
}

int
work_alone(const struct points *p, point_taker *take, void *to, struct error *e)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < p->n; i++) {
		struct memo m;

		failed = work_make(p, i, &m, e) || take(to, i, m.text, m.bytes, e);
		free(m.text);
	}
	return failed ? -1 : 0;
}
