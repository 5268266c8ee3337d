/* alone.c - pieces of work in this process. */
#include <stdlib.h>

#include "sim/base/memo.h"
#include "sim/points/workers.h"

int
work_make(const struct work *w, size_t i, struct memo *m, struct error *e)
{
	struct error second; /* not reported: the first error says more */
	int	     failed = memo_open(m, e);

	if (failed)
		return -1;
	failed = w->make(w->self, i, m->out, e);
	return memo_close(m, failed ? &second : e) || failed ? -1 : 0;
}

int
work_alone(const struct work *w, struct error *e)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < w->npieces; i++) {
		struct memo memo;

		failed = work_make(w, i, &memo, e) || w->take(w->self, i, memo.text, memo.bytes, e);
		free(memo.text);
	}
	return failed ? -1 : 0;
}
