/* cmd_advise.c - bufsim advise: the settings of Linux with which a trace takes least time. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/cli/cmd.h"
#include "sim/cli/writable.h"
#include "sim/host/advise/advise.h"
#include "sim/host/report/advise_report.h"
#include "sim/setup/inputs.h"

static int
check_machine(const struct options *o, struct error *e)
{
	if (!o->text[OPTION_memory])
		return error_usage(e,
		    "advise for how much memory? Type --cache SIZE, what the page cache has, such "
		    "as 1G or 25%%");
	if (!o->drive)
		return error_usage(e,
		    "advise for which drive? Type --device NAME, such as nvme-960evo (bufsim list "
		    "devices), or here");
	if (!o->memory.n)
		return error_usage(e, "--cache 0: without a cache there is no readahead");
	return 0;
}

/* The options of a run, but for those that are searched. */
static int
set_machine(struct options *o, struct error *e)
{
	return option_set(o, &option_info[OPTION_cache], o->text[OPTION_memory], e) ||
		option_set(o, &option_info[OPTION_device], o->drive, e) ||
		option_set(o, &option_info[OPTION_policy], o->managed, e)
	    ? -1
	    : 0;
}

static int
check(const struct options *o, struct error *e)
{
	if (check_machine(o, e))
		return -1;
	if (!strcmp(o->text[OPTION_replay], "untimed") || !strcmp(o->text[OPTION_replay], "open"))
		return error_usage(e,
		    "--replay %s: settings do not change how long it takes: type serial or process",
		    o->text[OPTION_replay]);
	if (o->output && !strcmp(o->output, "-"))
		return error_usage(e, "--output needs a file: standard output has the report");
	return 0;
}

/* An array has no queue of its own, and its drives have one each. */
static int
check_device(const struct setup *s, struct error *e)
{
	if (!s->config.device.inner)
		return 0;
	return error_usage(e,
	    "--device: %s is an array, in which each drive has settings of its own: type one "
	    "drive",
	    s->config.device.plugin->name);
}

/* ---- the trace with advice ---- */

static int
check_programs(const struct trace *t, const char *output, struct error *e)
{
	return output && t->nprograms
	    ? error_usage(e, "--output: a trace holds one program, and these are several")
	    : 0;
}

static int
write_trace(const struct trace *t, const char *path, struct error *e)
{
	const struct format *f = writable_by_ending(path, "", e);
	struct output	    *file = output_open(path, e);

	if (!file)
		return -1;
	if (f->write(t, file, e)) {
		output_abandon(file);
		return -1;
	}
	return output_commit(file, NULL, e);
}

/* Without advice to give, the trace as it is. */
static int
write_advised(struct advise *a, const char *path, struct error *e)
{
	struct trace t;
	int	     failed;

	if (!a->with_advice.nlines)
		return write_trace(a->attempts.t, path, e);
	if (setting_trace(&a->attempts, &a->with_advice.setting, &t, e))
		return -1;
	advised_settle(&a->attempts.advised, &t);
	failed = write_trace(&t, path, e);
	free((void *)(uintptr_t)t.advice);
	return failed;
}

/* ---- all of it ---- */

static int
print(const struct advise_report *r, bool json, FILE *out, struct error *e)
{
	struct fold f;

	if (json)
		return advise_json(r, out, e);
	if (fold_open(&f, out, e))
		return -1;
	return fold_close(&f, advise_text(r, &f, e), e);
}

static int
advise(struct setup *s, const struct options *o, const struct kernel *k, struct trace *t, FILE *out,
    struct error *e)
{
	struct advise	     a = { 0 };
	struct advise_report r = { &a, o, o->output };
	int		     failed = check_programs(t, o->output, e) || setup_fit(s, o, t, e) ||
	    trace_check(t, 0, t->naccess, e) || advise_init(&a, o, k, s, t, e) ||
	    trace_unchanged(t, e) || (o->output && write_advised(&a, o->output, e)) ||
	    print(&r, o->json, out, e);

	advise_release(&a);
	return failed ? -1 : 0;
}

static int
load_and_advise(struct setup *s, const struct options *o, const struct kernel *k, FILE *out,
    struct error *e)
{
	struct trace t;
	int	     failed;

	if (check_device(s, e) || inputs_trace(&t, o, o->narguments, &s->trace, MERGE_BY_TIME, e))
		return -1;
	failed = advise(s, o, k, &t, out, e);
	trace_release(&t);
	return failed;
}

static int
check_output(const char *path, struct error *e)
{
	const struct format *f = path ? writable_by_ending(path, "", e) : NULL;

	if (!path)
		return 0;
	if (f && f->loses & LOSES_ADVICE)
		return error_usage(e, "%s: %s holds no advice: write .bst or .txt", path,
		    f->plugin.name);
	return f ? writable_place(f, path, e) : -1;
}

int
cmd_advise(const struct options *given, FILE *out, struct error *e)
{
	struct options o = *given;
	struct kernel  k;
	struct setup   s;
	int	       failed;

	if (check(&o, e) || check_output(o.output, e) || kernel_init(&k, o.kernel, e) ||
	    set_machine(&o, e) || setup_init(&s, &o, e))
		return -1;
	failed = load_and_advise(&s, &o, &k, out, e);
	setup_release(&s);
	return failed;
}
