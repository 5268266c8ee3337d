/* explain_film.c - observe a run for a film, and write the picture or the data. */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/cli/explain_film.h"
#include "sim/cli/setting.h"
#include "sim/core/simulate.h"
#include "sim/film/film_json.h"
#include "sim/film/plot_film.h"

enum { MOST_CALLS = 2000 };

static int
check_length(const struct options *o, uint64_t calls, struct error *e)
{
	char text[NUMBER_TEXT];

	if (calls <= MOST_CALLS)
		return 0;
	return error_usage(e, "--output %s: %s calls are too many for a film: --calls %u at most",
	    o->output, number_group(text, calls), MOST_CALLS);
}

/* ---- the output ---- */

int
explain_film_check(const struct options *o, struct error *e)
{
	return picture_or_data("output", o->output, e) || output_check(o->output, e) ? -1 : 0;
}

static int
draw(const struct film *f, const struct options *o, const char *title, struct picture *to,
    struct error *e)
{
	char		 setting[SETTING_ROOM];
	enum plot_target target;

	setting_print(o, setting);
	if (picture_is_data(o->output))
		return film_json(f, title, setting, to, e);
	return picture_target(o->output, &target, e) ||
	    film_plot_draw(&(struct film_plot){ f, title, setting }, target, to, e);
}

int
explain_film(struct config *cfg, const struct options *o, const struct trace *t, const char *title,
    struct error *e)
{
	uint64_t       left = t->naccess - o->first + 1;
	uint64_t       calls = o->calls && o->calls < left ? o->calls : left;
	struct film    f = { 0 };
	struct picture picture = { 0 };
	struct stats   st;
	int	       failed = check_length(o, calls, e);

	if (!failed)
		failed = film_init(&f, t, cfg->replay, o->first, o->first + calls - 1, e);
	cfg->observer = (struct observer){ .mask = film_mask, .see = film_see, .ctx = &f };
	if (!failed)
		failed = simulate(cfg, t, &st, e);
	if (!failed)
		failed = film_finish(&f, e);
	if (!failed)
		failed = draw(&f, o, title, &picture, e);
	if (!failed)
		failed = output_whole(o->output, picture.bytes, picture.n, e);
	free(picture.bytes);
	film_release(&f);
	return failed ? -1 : 0;
}
