/* simulate.c - choose one of the three kinds of run. */
#include "sim/core/simulate.h"
#include "sim/base/progress.h"
#include "sim/core/engine/direct.h"
#include "sim/core/engine/engine.h"
#include "sim/core/engine/replay.h"

static int
run_engine(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct engine g;
	int	      failed;

	if (engine_init(&g, cfg, t, e))
		return -1;
	failed = engine_run(&g, e);
	*out = g.stats;
	engine_release(&g);
	return failed;
}

static int
run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	int failed;

	if (!cfg->cache_blocks)
		failed = direct_run(cfg, t, out, e);
	else if (cfg->replay == REPLAY_UNTIMED)
		failed = replay_run(cfg, t, out, e);
	else
		failed = run_engine(cfg, t, out, e);
	return trace_unchanged(t, e) || failed ? -1 : 0;
}

int
simulate(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	int failed;

	if (config_check(cfg, cfg->cache_blocks > 0, e) || config_check_trace(cfg, t, e))
		return -1;
	progress_begin("simulating", NULL, t->naccess);
	failed = run(cfg, t, out, e);
	progress_end();
	return failed;
}
