/*
 * cmd_mrc.c - bufsim mrc: the miss-ratio curve of LRU.
 *
 * A table, or CSV (--csv, and any --output) with a row for each size:
 *
 *	trace, policy		of run; the policy is lru
 *	cache_blocks, cache_bytes
 *	footprint_blocks	distinct blocks referenced
 *	references, misses, miss_ratio	as run counts them, first references included
 *	miss_ratio_error	largest distance of the true ratio, with a confidence
 *				of 95 %; 0 without --sample
 *	sample			as given; 1 without --sample
 *
 * With --sample, misses are estimates too, and there are no rows for caches
 * too small for the sample.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/shards.h"
#include "sim/base/csv.h"
#include "sim/base/fold.h"
#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/progress.h"
#include "sim/cli/cmd.h"
#include "sim/setup/inputs.h"
#include "sim/setup/range.h"
#include "sim/setup/setup.h"

/* An exact or estimated curve. */
struct curve {
	const struct trace *t;
	bool		    sampled;
	struct mrc	    exact;
	struct shards	    estimate;
	uint64_t references, footprint, least; /* least: smallest cache with an estimate */
	double	 rate, sample;		       /* shares of the blocks: as given, and as sampled */
};

struct point {
	double misses, error;
};

static struct point
curve_at(const struct curve *c, uint64_t cache_blocks)
{
	struct point p = { 0 };

	if (c->sampled)
		p.misses = shards_misses(&c->estimate, cache_blocks, &p.error);
	else
		p.misses = (double)mrc_misses(&c->exact, cache_blocks);
	return p;
}

static int
curve_init(struct curve *c, const struct trace *t, double rate, struct error *e)
{
	struct shards *s = &c->estimate;

	*c = (struct curve){ .t = t, .sampled = rate < 1, .rate = rate, .least = 1 };
	if (!c->sampled) {
		if (mrc_init(&c->exact, slots_most(t), e) < 0 || mrc_trace(&c->exact, t, e) < 0)
			return -1;
		c->references = c->exact.references;
		c->footprint = c->exact.distinct;
		return 0;
	}
	if (shards_init(s, t, rate, 0, e) < 0)
		return error_prefix(e, "--sample");
	if (shards_trace(s, t, e) < 0)
		return -1;
	c->references = s->references;
	c->footprint = s->nblocks;
	c->least = shards_least(s);
	c->sample = shards_rate(s);
	return 0;
}

static void
curve_release(struct curve *c)
{
	mrc_release(&c->exact);
	shards_release(&c->estimate);
}

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
sizes_up(struct sizes *s, const struct curve *c, bool all, struct error *e)
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
size_of(const char *text, const struct curve *c, uint64_t *blocks, struct error *e)
{
	const struct option_info *i = &option_info[OPTION_cache];
	char			  n[NUMBER_TEXT], least[NUMBER_TEXT];
	struct size		  size;

	if (i->parse(i, &size, text, e) < 0 ||
	    size_blocks(&size, c->t->block_bytes, c->footprint, blocks, e) < 0)
		return -1;
	if (*blocks < c->least)
		return error_usage(e, "%s blocks are too few for such a sample: %s is the least",
		    number_group(n, *blocks), number_group(least, c->least));
	return 0;
}

static int
sizes_listed(struct sizes *s, const struct curve *c, char *const *text, unsigned n, struct error *e)
{
	if (sizes_alloc(s, n, e) < 0)
		return -1;
	for (; s->n < n; s->n++)
		if (size_of(text[s->n], c, &s->blocks[s->n], e) < 0)
			return error_prefix(e, "--cache");
	return 0;
}

/* ---- printing ---- */

static void
print_csv(const struct curve *c, const struct sizes *s, FILE *out)
{
	fputs("trace,policy,cache_blocks,cache_bytes,footprint_blocks,references,misses,miss_ratio,"
	      "miss_ratio_error,sample\n",
	    out);
	for (size_t i = 0; i < s->n; i++) {
		struct point p = curve_at(c, s->blocks[i]);
		double	     all = (double)c->references;

		csv_text(c->t->name, out);
		fprintf(out,
		    ",lru,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.0f,%.9g,%.9g,%.9g\n",
		    s->blocks[i], s->blocks[i] * c->t->block_bytes, c->footprint, c->references,
		    p.misses, p.misses / all, p.error / all, c->rate);
	}
}

static void
print_table(const struct curve *c, const struct sizes *s, FILE *out)
{
	char   references[NUMBER_TEXT], blocks[NUMBER_TEXT], size[NUMBER_TEXT], misses[NUMBER_TEXT];
	double all = (double)c->references;

	fprintf(out, "%s: %s references to %s blocks (%s), LRU\n", c->t->name,
	    number_group(references, c->references), number_group(blocks, c->footprint),
	    number_bytes(size, c->footprint * c->t->block_bytes));
	if (c->sampled)
		fprintf(out,
		    "estimated from %.3g %% of the blocks: +- is the largest distance of the true ratio, "
		    "with a confidence of 95 %%\n",
		    100 * c->sample);
	fprintf(out, "\n%13s %11s %11s %15s  %s\n", "cache blocks", "size", "footprint", "misses",
	    "miss ratio");
	for (size_t i = 0; i < s->n; i++) {
		struct point p = curve_at(c, s->blocks[i]);

		fprintf(out, "%13s %11s %9.2f %% %15s %9.3f %%", number_group(blocks, s->blocks[i]),
		    number_bytes(size, s->blocks[i] * c->t->block_bytes),
		    100 * (double)s->blocks[i] / (double)c->footprint,
		    number_group(misses, (uint64_t)(p.misses + 0.5)), 100 * p.misses / all);
		if (c->sampled)
			fprintf(out, " +- %.3f", 100 * p.error / all);
		putc('\n', out);
	}
}

static int
print(const struct curve *c, const struct sizes *s, const struct options *o, FILE *out,
    struct error *e)
{
	struct memo m;
	struct fold f;
	int	    failed;

	if (!o->output && o->csv) {
		print_csv(c, s, out);
		return 0;
	}
	if (!o->output) {
		if (fold_open(&f, out, e))
			return -1;
		print_table(c, s, f.out);
		return fold_close(&f, 0, e);
	}
	if (memo_open(&m, e))
		return -1;
	print_csv(c, s, m.out);
	if (memo_close(&m, e))
		return -1;
	failed = output_whole(o->output, m.text, m.bytes, e);
	free(m.text);
	return failed;
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
	    "--sample: '%s' will not do: type a share of the blocks such as 0.01 or 1%%", text);
}

struct wish {
	double	 rate;
	bool	 all;
	char   **text; /* the given sizes */
	unsigned n;
};

static int
wish_init(struct wish *w, const struct options *o, struct error *e)
{
	*w = (struct wish){ 0 };
	if (parse_rate(o->sample, &w->rate, e) < 0)
		return -1;
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
	free(w->text);
}

static int
draw(const struct wish *w, const struct options *o, const struct trace *t, FILE *out,
    struct error *e)
{
	struct curve c;
	struct sizes s = { 0 };
	int	     failed;

	progress_begin("counting misses", NULL, t->naccess);
	failed = curve_init(&c, t, w->rate, e);
	progress_end();
	if (!failed)
		failed =
		    w->n ? sizes_listed(&s, &c, w->text, w->n, e) : sizes_up(&s, &c, w->all, e);
	if (!failed)
		failed = print(&c, &s, o, out, e);
	free(s.blocks);
	curve_release(&c);
	return failed;
}

int
cmd_mrc(const struct options *o, FILE *out, struct error *e)
{
	struct trace_options how;
	struct trace	     t;
	struct wish	     w;
	int		     failed = wish_init(&w, o, e);

	if (!failed)
		failed = setup_output("output", o->output, e);
	if (!failed)
		failed = setup_trace(&how, o, e);
	if (!failed)
		failed = inputs_trace(&t, o, o->narguments, &how, MERGE_BY_TIME, e);
	if (!failed) {
		failed = draw(&w, o, &t, out, e);
		trace_release(&t);
	}
	wish_release(&w);
	return failed;
}
