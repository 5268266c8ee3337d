/* progress.c - "  37/96 points [#######          ]  12.3/s, 5 s left". */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/progress.h"

enum { BAR = 30, LINE_ROOM = 128 };

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void
progress_start(struct progress *p, const char *what, size_t total)
{
	*p = (struct progress){ .what = what,
		.total = total,
		.started = seconds(),
		.on = isatty(STDERR_FILENO) };
}

/* "45 s", "12 min", "3.5 h" */
static void
format_left(char text[LINE_ROOM], double s)
{
	if (s < 100)
		snprintf(text, LINE_ROOM, "%.0f s", s);
	else if (s < 6000)
		snprintf(text, LINE_ROOM, "%.0f min", s / 60);
	else
		snprintf(text, LINE_ROOM, "%.1f h", s / 3600);
}

void
progress_show(struct progress *p, size_t done)
{
	double now = p->on ? seconds() : 0, rate;
	char   bar[BAR + 1], left[LINE_ROOM], speed[2 * LINE_ROOM] = "";

	if (!p->on || now - p->shown < 0.1)
		return;
	p->shown = now;
	for (size_t i = 0; i < BAR; i++)
		bar[i] = i * p->total < done * BAR ? '#' : ' ';
	bar[BAR] = '\0';
	rate = (double)done / (now - p->started);
	if (done) {
		format_left(left, (double)(p->total - done) / rate);
		snprintf(speed, sizeof(speed), " %.3g/s, %s left", rate, left);
	}
	fprintf(stderr, "\r%zu/%zu %s [%s]%s\033[K", done, p->total, p->what, bar, speed);
	fflush(stderr);
}

void
progress_end(struct progress *p)
{
	if (p->on)
		fputs("\r\033[K", stderr);
}
