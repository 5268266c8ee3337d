/* alone.c - in place of workers, progress and stop: one process, which draws nothing and gets no signal. */
#include <stdlib.h>

#include "sim/base/memo.h"
#include "sim/base/progress.h"
#include "sim/base/stop.h"
#include "sim/points/workers.h"

static int
do_piece(const struct work *w, size_t i, struct error *e)
{
	struct memo memo;
	int	    failed;

	if (memo_open(&memo, e))
		return -1;
	failed = w->make(w->self, i, memo.out, e);
	failed |= memo_close(&memo, e);
	if (!failed)
		failed = w->take(w->self, i, memo.text, memo.bytes, e);
	free(memo.text);
	return failed ? -1 : 0;
}

int
work_run(const struct work *w, struct error *e)
{
	for (size_t i = 0; i < w->npieces; i++)
		if (do_piece(w, i, e))
			return -1;
	return 0;
}

_Atomic uint64_t progress_done;

void
progress_show(void)
{
}

void
progress_begin(const char *what, const char *unit, uint64_t total)
{
}

void
progress_end(void)
{
}

void
progress_hide(void)
{
}

void
stop_at_once(void (*how)(const char *text, int number))
{
}

void
stop_end(int number)
{
}
