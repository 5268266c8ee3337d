/*
 * cmd_mrc.c - bufsim mrc: the miss-ratio curves of policies.
 *
 * A table, or with a row for each policy and size, CSV (--csv, and an --output) or JSON (--json):
 *
 *	trace, policy		of run
 *	cache_blocks, cache_bytes
 *	footprint_blocks	distinct blocks referenced
 *	references, misses, miss_ratio	as run counts them, first references included
 *	miss_ratio_error	largest distance of the true ratio, with a confidence
 *				of 95 %; 0 without --sample
 *	sample			as given; 1 without --sample
 *
 * With --sample, misses are estimates too, and there are no rows for caches
 * too small for the sample unless they are asked for, which is an error.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/memo.h"
#include "sim/base/memory.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/progress.h"
#include "sim/cli/cmd.h"
#include "sim/registry.h"
#include "sim/report/trace/curves_text.h"
#include "sim/setup/endings.h"
#include "sim/setup/inputs.h"
#include "sim/setup/range.h"
#include "sim/setup/setup.h"
#include "sim/setup/values.h"

/* ---- which sizes ---- */

struct sizes {
	uint64_t *blocks;
	size_t	  n;
};

static int
sizes_alloc(struct sizes *s, size_t room, struct error *e)
{
	*s = (struct sizes){ .blocks = calloc(room, sizeof(*s->blocks)) };
	return s->blocks ? 0 : error_set(e, "out of memory for %zu cache sizes", room);
}

/* Sizes from the least to the footprint: doubling, or one block more each for `all`. */
static int
sizes_up(struct sizes *s, const struct curves *c, bool all, struct error *e)
{
	uint64_t first = c->least;

	if (sizes_alloc(s, all ? c->footprint + 1 : 64, e) < 0)
		return -1;
	while (!all && first & (first - 1))
		first += first & -first;
	for (uint64_t n = first; n < c->footprint; n = all ? n + 1 : 2 * n)
		s->blocks[s->n++] = n;
	s->blocks[s->n++] = c->footprint;
	return 0;
}

static int
size_of(const char *text, const struct curves *c, uint32_t block_bytes, uint64_t *blocks,
    struct error *e)
{
	const struct option_info *i = &option_info[OPTION_cache];
	char			  n[NUMBER_TEXT], least[NUMBER_TEXT];
	struct size		  size;

	if (i->parse(i, &size, text, e) < 0 ||
	    size_blocks(&size, block_bytes, c->footprint, blocks, e) < 0)
		return -1;
	if (*blocks < c->least)
		return error_usage(e, "%s blocks are too few for such a sample: %s is the least",
		    number_group(n, *blocks), number_group(least, c->least));
	return 0;
}

static int
sizes_listed(struct sizes *s, const struct curves *c, uint32_t block_bytes, char *const *text,
    unsigned n, struct error *e)
{
	if (sizes_alloc(s, n, e) < 0)
		return -1;
	for (; s->n < n; s->n++)
		if (size_of(text[s->n], c, block_bytes, &s->blocks[s->n], e) < 0)
			return error_prefix(e, "--cache");
	return 0;
}

/* ---- printing ---- */

static int
print_rows(const struct curves_report *r, bool json, FILE *out, struct error *e)
{
	if (json)
		return curves_json(r, out, e);
	curves_csv(r, out);
	return 0;
}

/* A curve is of all caches at once, and of the references alone. */
static void
print_note(const struct trace *t, FILE *out)
{
	uint64_t drops = 0;

	for (size_t i = 0; i < t->nadvice; i++)
		drops += t->advice[i].kind == ADVICE_DONTNEED;
	if (drops)
		fprintf(out,
		    "note: the curve is without advice (%" PRIu64
		    " DONTNEED in the trace): bufsim sweep --replay untimed has the misses with it\n",
		    drops);
}

static int
print_text(const struct curves_report *r, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	curves_text(r, f.out);
	print_note(r->trace, f.out);
	return fold_close(&f, 0, e);
}

static int
print(const struct curves_report *r, const struct options *o, FILE *out, struct error *e)
{
	struct memo m;
	int	    failed;

	if (!o->output)
		return o->csv || o->json ? print_rows(r, o->json, out, e) : print_text(r, out, e);
	if (memo_open(&m, e))
		return -1;
	failed = print_rows(r, o->json, m.out, e);
	failed = memo_close(&m, e) || failed;
	if (!failed)
		failed = output_whole(o->output, m.text, m.bytes, e);
	free(m.text);
	return failed ? -1 : 0;
}

/* ---- the command ---- */

/* "0.01" or "1%"; 1 if not given. */
static int
parse_rate(const char *text, double *rate, struct error *e)
{
	*rate = 1;
	if (!text || (number_fraction(text, rate) && *rate > 0 && *rate <= 1))
		return 0;
	return error_usage(e,
	    "--sample: '%s' will not do: type a share of the blocks, at most 1, such as 0.01 or 1%%",
	    text);
}

struct wish {
	double	       rate;
	bool	       all;
	char	     **text; /* the given sizes */
	unsigned       n;
	char	     **policy; /* as typed */
	struct choice *choice; /* the same */
	unsigned       npolicies, nchoices;
	unsigned       jobs;
};

/* Drop policies that equal an earlier one. */
static void
drop_equals(struct wish *w)
{
	unsigned n = 0;

	for (unsigned i = 0, j; i < w->npolicies; i++) {
		for (j = 0; j < n && strcmp(w->policy[j], w->policy[i]) != 0; j++)
			;
		if (j < n)
			free(w->policy[i]);
		else
			w->policy[n++] = w->policy[i];
	}
	w->npolicies = n;
}

static int
choose_policies(struct wish *w, const struct options *o, struct error *e)
{
	const struct option_info *i = &option_info[OPTION_policy];
	struct options		  one = *o;

	if (values_expand(o->text[OPTION_policy], &w->policy, &w->npolicies, e))
		return error_prefix(e, "--policy");
	drop_equals(w);
	w->choice = calloc(w->npolicies, sizeof(*w->choice));
	if (!w->choice)
		return error_set(e, "out of memory for %u policies", w->npolicies);
	for (; w->nchoices < w->npolicies; w->nchoices++) {
		const char *text = w->policy[w->nchoices];

		if (option_set(&one, i, text, e))
			return -1;
		if (registry_choose(PLUGIN_POLICY, text, &w->choice[w->nchoices], e))
			return error_prefix(e, "--policy");
	}
	return 0;
}

static int
wish_init(struct wish *w, const struct options *o, struct error *e)
{
	*w = (struct wish){ 0 };
	if (o->csv && o->json)
		return error_usage(e, "--csv or --json: choose one");
	if (parse_rate(o->sample, &w->rate, e) || setup_jobs(&w->jobs, o, e) ||
	    choose_policies(w, o, e))
		return -1;
	if (w->rate < 1 && curves_check_sample(w->choice, w->npolicies, e))
		return error_prefix(e, "--sample");
	w->all = o->sizes && !strcmp(o->sizes, "all");
	if (o->sizes && !w->all && range_expand(o->sizes, &w->text, &w->n, e) < 0)
		return error_prefix(e, "--cache");
	return 0;
}

static void
wish_release(struct wish *w)
{
	for (unsigned i = 0; i < w->n; i++)
		free(w->text[i]);
	for (unsigned i = 0; i < w->npolicies; i++)
		free(w->policy[i]);
	for (unsigned i = 0; i < w->nchoices; i++)
		choice_release(&w->choice[i]);
	free(w->text);
	free(w->policy);
	free(w->choice);
}

/* ---- all of it ---- */

static int
replay(struct curves *c, const struct wish *w, const struct sizes *s, struct error *e)
{
	struct curves_plan p = { .blocks = s->blocks,
		.n = s->n,
		.jobs = w->jobs,
		.memory = memory_bytes() / 2 };

	if (curves_replay(c, &p, e))
		return e->exit_code == EXIT_USAGE ? error_prefix(e, "--policy") : -1;
	if (p.cut)
		fprintf(stderr,
		    "bufsim: tables of %zu caches at a time fit into memory, for each of %u jobs\n",
		    p.together, p.jobs);
	return 0;
}

static int
draw(struct curves *c, const struct wish *w, const struct options *o, struct trace *t, FILE *out,
    struct error *e)
{
	struct sizes s = { 0 };
	int	     failed;

	progress_begin("counting misses", NULL, t->naccess);
	failed = curves_init(c, t, w->choice, w->npolicies, w->rate, 0, e);
	progress_end();
	if (!failed)
		failed = w->n ? sizes_listed(&s, c, t->block_bytes, w->text, w->n, e)
			      : sizes_up(&s, c, w->all, e);
	if (!failed)
		failed = replay(c, w, &s, e);
	if (!failed) {
		const struct curves_report r = { c, t, w->policy, s.blocks, s.n, w->rate };

		failed = print(&r, o, out, e);
	}
	free(s.blocks);
	return failed;
}

int
cmd_mrc(const struct options *o, FILE *out, struct error *e)
{
	struct trace_options how;
	struct curves	     c;
	struct trace	     t;
	struct wish	     w;
	int		     failed = wish_init(&w, o, e);

	if (!failed)
		failed = endings_check("--output ", o->output,
		    o->json ? &written_json : &written_table, e);
	if (!failed)
		failed = setup_trace(&how, o, e);
	if (!failed)
		failed = inputs_trace(&t, o, o->narguments, &how, MERGE_BY_TIME, e);
	if (!failed) {
		failed = draw(&c, &w, o, &t, out, e);
		curves_release(&c);
		trace_release(&t);
	}
	wish_release(&w);
	return failed;
}
