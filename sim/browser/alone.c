/* alone.c - in place of workers, progress and stop: one process, which draws nothing and gets no signal. */
#include "sim/base/progress.h"
#include "sim/base/stop.h"
#include "sim/points/workers.h"

int
work_run(const struct points *p, point_taker *take, void *to, struct error *e)
{
	return work_alone(p, take, to, e);
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
