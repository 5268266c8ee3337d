/* explain_film.c - observe a run for a film, and write the picture or the data. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/cli/explain_film.h"
#include "sim/core/simulate.h"
#include "sim/report/film_json.h"
#include "sim/report/plot_film.h"

enum { SETTING = 1024, MOST_CALLS = 2000 };

static int
check_length(const struct options *o, uint64_t calls, struct error *e)
{
	char text[NUMBER_TEXT];

	if (calls <= MOST_CALLS)
		return 0;
	return error_usage(e, "--output %s: %s calls are too many for a film: --calls %u at most",
	    o->output, number_group(text, calls), MOST_CALLS);
}

/* The settings that matter most, and those that are not as usual. */
static void
print_setting(const struct options *o, char text[SETTING])
{
	static const enum option_id always[] = { OPTION_prefetch, OPTION_policy, OPTION_wait,
		OPTION_scheduler, OPTION_cache, OPTION_device };
	static const enum option_id unusual[] = { OPTION_replay, OPTION_insert, OPTION_layout,
		OPTION_writes, OPTION_complete, OPTION_queue, OPTION_request, OPTION_think_scale,
		OPTION_block };
	size_t			    n = 0;

	for (size_t i = 0; i < sizeof(always) / sizeof(*always) && n < SETTING; i++)
		n += (size_t)snprintf(text + n, SETTING - n, "%s%s %s", i ? ", " : "",
		    option_info[always[i]].name, o->text[always[i]]);
	for (size_t i = 0; i < sizeof(unusual) / sizeof(*unusual) && n < SETTING; i++)
		if (strcmp(o->text[unusual[i]], option_info[unusual[i]].initial) != 0)
			n += (size_t)snprintf(text + n, SETTING - n, ", %s %s",
			    option_info[unusual[i]].name, o->text[unusual[i]]);
}

/* ---- the output ---- */

static bool
is_data(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && dot > path && dot[-1] != '/' && !strcmp(dot, ".json");
}

int
explain_film_check(const struct options *o, struct error *e)
{
	enum plot_target target;

	if (!is_data(o->output) && picture_target(o->output, &target, e))
		return error_usage(e, "--output %s: its name must end in .svg, .png, .pdf or .json",
		    o->output);
	return output_check(o->output, e);
}

static int
draw(const struct film *f, const struct options *o, const char *title, const char *setting,
    struct error *e)
{
	struct film_plot p = { .f = f, .name = title, .setting = setting };
	struct picture	 picture = { 0 };
	enum plot_target target = PLOT_SVG;
	int		 failed = picture_target(o->output, &target, e);

	if (!failed)
		failed = film_plot_draw(&p, target, &picture, e);
	if (!failed)
		failed = output_whole(o->output, picture.bytes, picture.n, e);
	free(picture.bytes);
	return failed;
}

static int
write_data(const struct film *f, const struct options *o, const char *title, const char *setting,
    struct error *e)
{
	struct memo text;
	int	    failed = memo_open(&text, e);

	if (failed)
		return failed;
	failed = film_json(f, title, setting, text.out, e);
	if (memo_close(&text, failed ? &(struct error){ 0 } : e))
		return -1;
	if (!failed)
		failed = output_whole(o->output, text.text, text.bytes, e);
	free(text.text);
	return failed;
}

static int
write_film(const struct film *f, const struct options *o, const char *title, struct error *e)
{
	char setting[SETTING];

	print_setting(o, setting);
	return (is_data(o->output) ? write_data : draw)(f, o, title, setting, e);
}

int
explain_film(struct config *cfg, const struct options *o, const struct trace *t, const char *title,
    struct error *e)
{
	uint64_t     left = t->naccess - o->first + 1;
	uint64_t     calls = o->calls && o->calls < left ? o->calls : left;
	struct film  f = { 0 };
	struct stats st;
	int	     failed = check_length(o, calls, e);

	if (!failed)
		failed = film_init(&f, t, cfg->replay, o->first, o->first + calls - 1, e);
	cfg->observer = (struct observer){ .mask = film_mask, .see = film_see, .ctx = &f };
	if (!failed)
		failed = simulate(cfg, t, &st, e);
	if (!failed)
		failed = film_finish(&f, e);
	if (!failed)
		failed = write_film(&f, o, title, e);
	film_release(&f);
	return failed ? -1 : 0;
}
