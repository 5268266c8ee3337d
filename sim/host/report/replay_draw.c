/* replay_draw.c - the distributions of measured and predicted responses, on an axis of orders. */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/draw/plot_cdf.h"
#include "sim/host/report/replay_report.h"
#include "sim/report/change.h"

enum { TITLE_ROOM = 256, US_PER_MS = 1000 };

static int
ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sorted times in ms: measured, and behind them predicted. */
static double *
sorted_times(const struct replay_report *r, struct error *e)
{
	const float *us = rounds_median(r->rounds)->times.call_us;
	size_t	     n = r->calls->naccess;
	double	    *ms = calloc(2 * n, sizeof(*ms));

	if (!ms) {
		error_set(e, "out of memory for the times of %zu calls", n);
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		ms[i] = (double)us[i] / US_PER_MS;
		if (r->predicted->timed)
			ms[n + i] = (double)r->predicted->response[i].us / US_PER_MS;
	}
	qsort(ms, n, sizeof(*ms), ascending);
	qsort(ms + n, n, sizeof(*ms), ascending);
	return ms;
}

static void
write_subtitle(const struct replay_report *r, char text[TITLE_ROOM])
{
	uint64_t us = (uint64_t)(rounds_median(r->rounds)->us + 0.5);
	char	 a[CHANGE_TEXT], b[CHANGE_TEXT];

	if (r->predicted->timed) {
		change_times(a, b, us, r->predicted->stats.elapsed_us);
		snprintf(text, TITLE_ROOM, "in all %s measured, %s predicted", a, b);
	} else {
		change_time(a, us, us);
		snprintf(text, TITLE_ROOM, "in all %s", a);
	}
}

int
replay_draw(const struct replay_report *r, enum plot_target target, struct picture *to,
    struct error *e)
{
	double	       *ms = sorted_times(r, e);
	char		title[TITLE_ROOM], subtitle[TITLE_ROOM], n[NUMBER_TEXT], name[81];
	struct cdf_plot p = {
		.title = title,
		.subtitle = subtitle,
		.what = "calls",
		.orders = true,
		.line = { { "measured", ms }, { "predicted", ms + r->calls->naccess } },
		.nlines = r->predicted->timed ? 2 : 1,
		.n = r->calls->naccess,
		.target = target,
	};
	int failed;

	if (!ms)
		return -1;
	snprintf(title, sizeof(title), "%s %s%s of %s on this machine, %s",
	    number_group(n, r->calls->naccess), r->how->writes ? "call" : "read",
	    r->calls->naccess == 1 ? "" : "s", text_clean(name, sizeof(name), r->calls->name),
	    r->how->warm	 ? "all in memory"
		: r->how->random ? "without readahead"
				 : "with the readahead of the kernel");
	write_subtitle(r, subtitle);
	failed = cdf_plot_draw(&p, to, e);
	free(ms);
	return failed;
}
