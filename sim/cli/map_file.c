/* map_file.c - observe a run for a map, and draw it by the ending of its name. */
#include "sim/cli/map_file.h"
#include "sim/cli/setting.h"
#include "sim/film/map_json.h"
#include "sim/film/plot_map.h"

int
map_file_check(const struct options *o, struct error *e)
{
	if (picture_or_data("map", o->map, e))
		return -1;
	if (o->replay == REPLAY_UNTIMED)
		return error_usage(e, "--replay untimed has no time: leave out --map");
	if (!o->cache.n)
		return error_usage(e,
		    "--cache 0: without a cache no block is used again: leave out --map");
	return 0;
}

static int
observe_run(struct run_map *m, const struct config *cfg, const struct trace *t, struct error *e)
{
	struct config watched = *cfg;
	struct stats  st;

	watched.response = NULL;
	watched.observer = (struct observer){ .mask = run_map_mask, .see = run_map_see, .ctx = m };
	if (simulate(&watched, t, &st, e))
		return -1;
	run_map_finish(m);
	return 0;
}

static int
draw(const struct run_map *m, const struct options *o, struct picture *to, struct error *e)
{
	char		 setting[SETTING_ROOM];
	enum plot_target target;

	setting_print(o, setting);
	if (picture_is_data(o->map))
		return map_json(m, setting, to, e);
	return picture_target(o->map, &target, e) || map_plot_draw(m, setting, target, to, e);
}

int
map_file_make(const struct config *cfg, const struct options *o, const struct trace *t,
    const struct stats *st, struct picture *to, struct error *e)
{
	struct run_map m;
	int	       failed = run_map_init(&m, t, st->elapsed_us, cfg->warmup_calls, e) ||
	    observe_run(&m, cfg, t, e) || draw(&m, o, to, e);

	run_map_release(&m);
	return failed ? -1 : 0;
}
