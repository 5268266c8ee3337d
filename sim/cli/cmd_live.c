/*
 * cmd_live.c - bufsim live: compare predictions with the running kernel.
 *
 * The calls of a workload, or the reads of a trace, are made on scratch files
 * that are not in memory; after each call, mincore() shows the pages that have
 * come into memory.  A simulation with a device that takes no time has
 * predicted them.  Every step waits until all reads are complete, so the
 * comparison is about the pages that are read, not about time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/csv.h"
#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/live/forecast.h"
#include "sim/live/host.h"
#include "sim/live/scratch.h"
#include "sim/registry.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"
#include "sim/trace/format.h"
#include "sim/trace/workload.h"

#define FILES_MAX_BYTES (UINT64_C(4) << 30) /* of scratch files at a time */

enum { PARAMS_ROOM = 512, RANGES_ROOM = 64, WINDOWS = 4, SECOND_US = 1000000 };

struct tally {
	uint64_t steps, agreed;	  /* calls */
	uint64_t busy, predicted; /* of these: the kernel has read; and as predicted */
	uint64_t gone, stray;	  /* pages */
};

struct session {
	const struct options	*o;
	FILE			*out;
	struct fold		 fold; /* not with --csv */
	struct host		 host;
	const struct prefetcher *prefetcher;
	char			 params[PARAMS_ROOM];
};

/* One trace, while its calls are made. */
struct stage {
	const struct trace *t;
	struct forecast	    forecast;
	struct scratch	   *file; /* [t->nfiles] */
	int		   *fd;	  /* [t->nopen], or -1 */
};

/* ---- the calls ---- */

/* The reads of a trace, a second apart, with files that have their final size from the start. */
struct selection {
	const struct trace *t;
	size_t		    next;
	bool		    opened; /* before the next access */
};

static int
read_next(void *self, struct input *in, struct record *r, struct error *e)
{
	struct selection    *s = self;
	const struct access *a;

	while (s->next < s->t->naccess && s->t->access[s->next].write)
		s->next++;
	if (s->next == s->t->naccess)
		return 0;
	a = &s->t->access[s->next];
	*r = (struct record){
		.time = (usec_t)s->next * SECOND_US,
		.pid = s->t->process[s->t->open[a->open].process].pid,
		.fd = a->open,
		.op = OP_OPEN,
		.inode = s->t->open[a->open].file + 1,
		.file_size = s->t->file[s->t->open[a->open].file].bytes,
	};
	s->opened = a->fresh && !s->opened;
	if (s->opened)
		return 1;
	r->op = OP_READ;
	r->offset = a->offset;
	r->length = a->length;
	s->next++;
	return 1;
}

static int
select_reads(struct trace *reads, const struct trace *t, struct error *e)
{
	const struct trace_options options = { .block_bytes = SCRATCH_PAGE };
	struct selection	   s = { .t = t };

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	while (s.next < t->naccess && t->access[s.next].write)
		s.next++;
	if (s.next == t->naccess)
		return error_set(e, "%s: it has no reads", t->name);
	return trace_make(reads, t->name, &options, read_next, &s, e);
}

static int
check_size(const struct trace *t, struct error *e)
{
	char	 have[NUMBER_TEXT], most[NUMBER_TEXT];
	uint64_t bytes = 0;

	for (file_t f = 0; f < t->nfiles; f++)
		bytes += t->file[f].bytes;
	if (bytes <= FILES_MAX_BYTES)
		return 0;
	return error_set(e, "%s: its files add up to %s; scratch files may add up to %s", t->name,
	    number_bytes(have, bytes), number_bytes(most, FILES_MAX_BYTES));
}

static void
stage_release(struct stage *s)
{
	for (uint32_t i = 0; s->fd && i < s->t->nopen; i++)
		if (s->fd[i] >= 0)
			close(s->fd[i]);
	for (file_t f = 0; s->file && f < s->t->nfiles; f++)
		if (s->file[f].page)
			scratch_release(&s->file[f]);
	free(s->fd);
	free(s->file);
	forecast_release(&s->forecast);
}

static int
stage_init(struct stage *s, const struct trace *t, const struct session *live, struct error *e)
{
	*s = (struct stage){ .t = t };
	if (check_size(t, e) || forecast_init(&s->forecast, t, live->prefetcher, live->params, e))
		return -1;
	s->file = calloc(t->nfiles, sizeof(*s->file));
	s->fd = malloc(t->nopen * sizeof(*s->fd));
	for (uint32_t i = 0; s->fd && i < t->nopen; i++)
		s->fd[i] = -1;
	if (!s->file || !s->fd) {
		stage_release(s);
		return error_set(e, "out of memory");
	}
	for (file_t f = 0; f < t->nfiles; f++)
		if (scratch_init(&s->file[f], live->o->dir, t->file[f].bytes, e)) {
			stage_release(s);
			return -1;
		}
	return 0;
}

static struct scratch *
file_of(const struct stage *s, const struct access *a)
{
	return &s->file[s->t->open[a->open].file];
}

/*
 * Make a call, and look at the pages that may be read for it: up to a few
 * windows behind the call, or up to the end of the file if the size of windows
 * is unknown.  Pages that appear elsewhere are counted at the end.
 */
static int
perform(const struct session *live, struct stage *s, const struct access *a, struct error *e)
{
	const struct host *h = &live->host;
	uint32_t	   max = h->ra_pages > h->io_pages ? h->ra_pages : h->io_pages;
	uint32_t	   first = access_first(s->t, a), n = access_count(s->t, a) + WINDOWS * max;
	struct scratch	  *file = file_of(s, a);
	int		  *fd = &s->fd[a->open];

	if (a->fresh && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	if (*fd < 0)
		*fd = scratch_open(file, e);
	if (*fd < 0)
		return -1;
	if (scratch_read(*fd, a->offset, a->length, e))
		return -1;
	return scratch_look(file, first, h->assumed ? file->npages : n, e);
}

/* ---- the comparison ---- */

struct live_step {
	const struct scratch *file;
	const block_t	     *predicted; /* n blocks, ascending */
	size_t		      n;
	block_t		      base;
	uint32_t	      came, gone;
	bool		      agreed;
};

static struct live_step
step_of(const struct stage *s, size_t i)
{
	const struct access *a = &s->t->access[i];
	struct live_step     p = { .file = file_of(s, a),
		    .base = s->t->file[s->t->open[a->open].file].base };
	size_t		     met = 0;

	p.predicted = forecast_of(&s->forecast, i, &p.n);
	for (uint32_t k = p.file->first; k < p.file->end; k++) {
		p.came += scratch_came(p.file, k);
		p.gone += scratch_went(p.file, k);
	}
	for (size_t k = 0; k < p.n; k++) {
		block_t page = p.predicted[k] - p.base;

		met += page >= p.file->first && page < p.file->end && scratch_came(p.file, page);
	}
	p.agreed = met == p.n && met == p.came;
	return p;
}

static void
tally_step(struct tally *t, const struct live_step *p)
{
	t->steps++;
	t->agreed += p->agreed;
	t->busy += p->came != 0;
	t->predicted += p->came && p->agreed;
	t->gone += p->gone;
}

static void
tally_add(struct tally *t, const struct tally *more)
{
	t->steps += more->steps;
	t->agreed += more->agreed;
	t->busy += more->busy;
	t->predicted += more->predicted;
	t->gone += more->gone;
	t->stray += more->stray;
}

/* ---- printing ---- */

/* Ranges of pages, one after the other: "4-11 20". */
struct ranges {
	char	text[RANGES_ROOM];
	FILE   *whole; /* to print all ranges to, instead of text; or NULL */
	size_t	used;
	block_t first, count;
	bool	any;
};

static void
ranges_flush(struct ranges *r)
{
	char one[NUMBER_TEXT];

	if (!r->count)
		return;
	if (r->count == 1)
		snprintf(one, sizeof(one), "%s%" PRIu32, r->any ? " " : "", r->first);
	else
		snprintf(one, sizeof(one), "%s%" PRIu32 "-%" PRIu32, r->any ? " " : "", r->first,
		    r->first + r->count - 1);
	r->any = true;
	r->count = 0;
	if (r->whole)
		fputs(one, r->whole);
	else if (r->used + strlen(one) + sizeof(" ...") < sizeof(r->text))
		r->used +=
		    (size_t)snprintf(r->text + r->used, sizeof(r->text) - r->used, "%s", one);
	else if (r->used < sizeof(r->text)) { /* no room for more */
		snprintf(r->text + r->used, sizeof(r->text) - r->used, " ...");
		r->used = sizeof(r->text);
	}
}

static void
ranges_add(struct ranges *r, block_t page)
{
	if (r->count && page != r->first + r->count)
		ranges_flush(r);
	if (!r->count)
		r->first = page;
	r->count++;
}

static void
put_came(const struct live_step *p, struct ranges *r)
{
	for (uint32_t k = p->file->first; k < p->file->end; k++)
		if (scratch_came(p->file, k))
			ranges_add(r, k);
	ranges_flush(r);
}

static void
put_predicted(const struct live_step *p, struct ranges *r)
{
	for (size_t k = 0; k < p->n; k++)
		ranges_add(r, p->predicted[k] - p->base);
	ranges_flush(r);
}

static void
print_step(FILE *out, size_t i, const struct access *a, const struct live_step *p)
{
	struct ranges came = { .text = "-" }, predicted = { .text = "-" };

	if (p->agreed && !p->came && !p->gone)
		return;
	put_came(p, &came);
	put_predicted(p, &predicted);
	fprintf(out, "%5zu %10" PRIu64 " %7u  %-20s  %-20s  %s", i + 1, a->offset, a->length,
	    came.text, predicted.text, p->agreed ? "agreed" : "NOT AGREED");
	if (p->gone)
		fprintf(out, "; %u pages have left memory", p->gone);
	putc('\n', out);
}

static void
print_row(FILE *out, const char *pattern, const char *group, size_t i, const struct stage *s,
    const struct access *a, const struct live_step *p)
{
	struct ranges came = { .whole = out }, predicted = { .whole = out };

	csv_text(pattern, out);
	fprintf(out, ",%s,%zu,%u,%u,%" PRIu64 ",%u,", group, i + 1, s->t->open[a->open].file + 1,
	    a->open + 1, a->offset, a->length);
	put_came(p, &came);
	putc(',', out);
	put_predicted(p, &predicted);
	fprintf(out, ",%d,%u\n", p->agreed, p->gone);
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 100;
}

static void
print_tally(FILE *out, const char *what, const struct tally *t)
{
	char number[4][NUMBER_TEXT];

	fprintf(out, "%-15s %6s of %6s agreed %5.1f %%; reads: %5s of %5s, %5.1f %%\n", what,
	    number_group(number[0], t->agreed), number_group(number[1], t->steps),
	    percent(t->agreed, t->steps), number_group(number[2], t->predicted),
	    number_group(number[3], t->busy), percent(t->predicted, t->busy));
	if (t->gone)
		fprintf(out, "%15s %6s pages have left memory in between\n", "",
		    number_group(number[0], t->gone));
	if (t->stray)
		fprintf(out, "%15s %6s pages were read far from any call\n", "",
		    number_group(number[0], t->stray));
}

static void
print_host(const struct session *s, FILE *out)
{
	const struct host *h = &s->host;

	fprintf(out, "%s %s, %s on device %s: windows of %u pages, requests of %u%s\n", h->system,
	    h->release, *h->type ? h->type : "a file system", h->device, h->ra_pages, h->io_pages,
	    h->assumed ? " (assumed: the kernel does not report them)" : "");
}

/* ---- one trace ---- */

static int
run_steps(struct session *live, struct stage *s, const char *group, struct tally *t,
    struct error *e)
{
	const struct options *o = live->o;
	int		      failed = 0;

	progress_begin("reading", "steps", s->t->naccess);
	for (size_t i = 0; !failed && i < s->t->naccess; i++) {
		const struct access *a = &s->t->access[i];
		struct live_step     p;

		failed = perform(live, s, a, e);
		if (failed)
			break;
		p = step_of(s, i);
		tally_step(t, &p);
		progress_hide();
		if (live->out && o->csv)
			print_row(live->out, s->t->name, group, i, s, a, &p);
		else if (live->out)
			print_step(live->out, i, a, &p);
		if (!o->csv)
			fold_flush(&live->fold);
		progress_reach(i + 1);
	}
	progress_end();
	return failed;
}

/* Count pages that no step has shown. */
static int
count_strays(struct stage *s, struct tally *t, struct error *e)
{
	for (file_t f = 0; f < s->t->nfiles; f++) {
		struct scratch *file = &s->file[f];

		if (scratch_look(file, 0, file->npages, e))
			return -1;
		for (uint32_t i = 0; i < file->npages; i++)
			t->stray += scratch_came(file, i);
	}
	return 0;
}

static int
run_trace(struct session *live, const struct trace *t, const char *group, struct tally *tally,
    struct error *e)
{
	struct stage s;
	int	     failed;

	*tally = (struct tally){ 0 };
	if (stage_init(&s, t, live, e))
		return -1;
	failed = run_steps(live, &s, group, tally, e) || count_strays(&s, tally, e) ? -1 : 0;
	stage_release(&s);
	return failed;
}

static void
print_heading(FILE *out, const char *name, const char *group, const char *summary)
{
	fprintf(out, "\n%s%s%s%s\n%5s %10s %7s  %-20s  %-20s\n", name, *group ? ", " : "", group,
	    summary, "step", "offset", "length", "this kernel read", "predicted");
}

static int
make_workload(struct trace *t, const struct workload *p, struct error *e)
{
	const struct trace_options how = { .block_bytes = SCRATCH_PAGE };

	return pattern_load(t, p->name, &how, PATTERN_SLOW_US, e);
}

static int
run_workload(struct session *live, const struct workload *p, struct tally *tally, struct error *e)
{
	struct trace t;
	char	     summary[PARAMS_ROOM];
	int	     failed;

	snprintf(summary, sizeof(summary), ": %s", p->summary);
	if (live->out && !live->o->csv)
		print_heading(live->out, p->name, p->group, summary);
	if (make_workload(&t, p, e))
		return -1;
	failed = run_trace(live, &t, p->group, tally, e);
	trace_release(&t);
	return failed;
}

/* ---- all of them ---- */

static int
count_workloads(void)
{
	int n = 0;

	while (workloads[n].name)
		n++;
	return n;
}

/* Sums of each group and of all; the workloads of a group are adjacent. */
static void
print_groups(FILE *out, const struct tally *tally)
{
	struct tally all = { 0 }, group = { 0 };

	fputs("\nby group\n", out);
	for (const struct workload *p = workloads; p->name; p++) {
		tally_add(&group, &tally[p - workloads]);
		if (p[1].name && !strcmp(p->group, p[1].group))
			continue;
		if (group.steps)
			print_tally(out, p->group, &group);
		tally_add(&all, &group);
		group = (struct tally){ 0 };
	}
	print_tally(out, "all", &all);
}

static int
run_workloads(struct session *live, const char *names, struct tally *tally, struct error *e)
{
	for (const struct workload *p = workloads; p->name; p++) {
		struct tally *t = &tally[p - workloads];

		if (!workload_selected(p, names))
			continue;
		if (run_workload(live, p, t, e))
			return -1;
		if (!live->o->csv)
			print_tally(live->out, p->name, t);
	}
	if (!live->o->csv)
		print_groups(live->out, tally);
	return 0;
}

static int
run_names(struct session *live, const char *names, struct error *e)
{
	struct tally *tally = calloc((size_t)count_workloads(), sizeof(*tally));
	int	      failed;

	if (!tally)
		return error_set(e, "out of memory");
	failed = run_workloads(live, names, tally, e);
	free(tally);
	return failed;
}

static int
run_reads(struct session *live, const struct trace *reads, struct error *e)
{
	struct tally tally;

	if (!live->o->csv)
		print_heading(live->out, reads->name, "", "");
	if (run_trace(live, reads, "", &tally, e))
		return -1;
	if (!live->o->csv)
		print_tally(live->out, reads->name, &tally);
	return 0;
}

/* ---- the prefetcher to compare with ---- */

/* The parameter of that name, if the prefetcher has it and the user has not set it; else NULL. */
static const struct param *
lacks(const struct session *s, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = strstr(s->params, name); p; p = strstr(p + 1, name))
		if ((p == s->params || p[-1] == ',') && p[n] == '=')
			return NULL;
	for (const struct param *q = s->prefetcher->plugin.params; q && q->name; q++)
		if (!strcmp(q->name, name))
			return q;
	return NULL;
}

static void
add_param(struct session *s, const char *name, const char *value)
{
	size_t used = strlen(s->params);

	snprintf(s->params + used, sizeof(s->params) - used, "%s%s=%s", used ? "," : "", name,
	    value);
}

static void
add_number(struct session *s, const char *name, uint64_t n)
{
	const struct param *q = lacks(s, name);
	char		    value[NUMBER_TEXT];

	if (!q)
		return;
	n = n < q->min ? q->min : n > q->max ? q->max : n;
	add_param(s, name, q->words ? q->words[n] : number_format(value, n, PARAM_COUNT));
}

/* Are the parameters valid together? */
static int
check_params(const struct session *s, struct error *e)
{
	struct forecast f;
	struct trace	t;
	int		failed;

	if (make_workload(&t, workloads, e))
		return -1;
	failed = forecast_init(&f, &t, s->prefetcher, s->params, e);
	if (!failed)
		forecast_release(&f);
	trace_release(&t);
	return failed;
}

/* A version before large folios has none. */
static bool
may_be_large(struct session *s)
{
	size_t	     used = strlen(s->params);
	struct error none = { 0 };
	bool	     may = lacks(s, "large");

	if (may) {
		add_number(s, "large", 1);
		may = !check_params(s, &none);
		s->params[used] = '\0';
	}
	return may;
}

/*
 * The kernel does not report whether a file system uses large folios, which
 * move the ends of windows.  Sequential reads show it.
 */
static int
find_large(struct session *s, struct error *e)
{
	size_t	     used = strlen(s->params);
	struct tally with[2];
	FILE	    *out = s->out;

	if (!may_be_large(s))
		return 0;
	s->out = NULL;
	for (unsigned large = 0; large < 2; large++) {
		s->params[used] = '\0';
		add_number(s, "large", large);
		if (run_workload(s, workloads, &with[large], e))
			return -1;
	}
	s->params[used] = '\0';
	add_number(s, "large", with[1].agreed >= with[0].agreed);
	s->out = out;
	return 0;
}

static int
find_rule(struct session *s, struct error *e)
{
	const char	   *name = s->o->rule ? s->o->rule : "ondemand", *params;
	struct choice	    c;
	const struct param *version;

	if (registry_choose(PLUGIN_PREFETCHER, name, &c, e))
		return s->o->rule ? error_prefix(e, "--prefetch") : -1;
	s->prefetcher = prefetcher_of(&c);
	params = c.params;
	choice_release(&c);
	if (s->prefetcher->plugin.around)
		return error_usage(e, "--prefetch: %s is not the readahead of a kernel", name);
	if (params && strlen(params) >= sizeof(s->params) / 2)
		return error_usage(e, "--prefetch: the parameters are too long");
	snprintf(s->params, sizeof(s->params), "%s", params ? params : "");
	version = lacks(s, "version");
	if (version && !s->o->rule)
		add_param(s, "version",
		    version->words[host_version(&s->host, version->words,
			(unsigned)version->max + 1)]);
	add_number(s, "pages", s->host.ra_pages);
	add_number(s, "io_pages", s->host.io_pages);
	return check_params(s, e) ? error_prefix(e, "--prefetch") : 0;
}

/* ---- the command ---- */

/* reads: a trace; NULL: run the workloads. */
static int
run(struct session *s, const struct trace *reads, struct error *e)
{
	host_init(&s->host, s->o->dir);
	if (find_rule(s, e))
		return -1;
	if (scratch_probe(s->o->dir, e))
		return -1;
	if (find_large(s, e))
		return -1;
	if (s->o->csv) {
		fputs("workload,group,step,file,open,offset,length,read,predicted,agreed,gone\n",
		    s->out);
	} else {
		print_host(s, s->out);
		fprintf(s->out, "predicted by %s%s%s\n", s->prefetcher->plugin.name,
		    *s->params ? ":" : "", s->params);
	}
	if (reads)
		return run_reads(s, reads, e);
	return run_names(s, s->o->pattern ? s->o->pattern : "all", e);
}

static int
run_file(struct session *s, const struct trace_options *how, struct error *e)
{
	struct trace t, reads;
	int	     failed;

	if (inputs_trace(&t, s->o, s->o->narguments, how, false, e))
		return -1;
	failed = select_reads(&reads, &t, e);
	if (!failed) {
		failed = run(s, &reads, e);
		trace_release(&reads);
	}
	trace_release(&t);
	return failed;
}

/* A probe with the answer no is a success. */
static int
probe(const char *dir, FILE *out)
{
	struct error why = { 0 };

	if (scratch_probe(dir, &why)) {
		fputs("no: ", out);
		text_print(why.text, out);
		putc('\n', out);
	} else {
		fputs("yes: cached pages can be observed here\n", out);
	}
	return 0;
}

/* Named workloads are made and counted group by group; shapes are read as a trace is. */
static bool
names_workloads(const struct options *o)
{
	return o->pattern ? workload_known(o->pattern) : !o->narguments;
}

static int
run_any(struct session *s, const struct trace_options *how, struct error *e)
{
	return names_workloads(s->o) ? run(s, NULL, e) : run_file(s, how, e);
}

/* The table for a person is folded; rows of CSV are not. */
static int
run_folded(struct session *s, const struct trace_options *how, struct error *e)
{
	if (fold_open(&s->fold, s->out, e))
		return -1;
	s->out = s->fold.out;
	return fold_close(&s->fold, run_any(s, how, e), e);
}

/* Find a slip before the kernel is observed. */
static int
check_pattern(const struct options *o, struct error *e)
{
	struct inputs in;

	if (!o->pattern)
		return 0;
	if (inputs_init(&in, o, o->narguments, PATTERN_SLOW_US, e))
		return -1;
	inputs_release(&in);
	return 0;
}

int
cmd_live(const struct options *o, FILE *out, struct error *e)
{
	struct session	     s = { .o = o, .out = out };
	struct trace_options how;

	if (!*o->dir)
		return error_usage(e, "--dir: the directory is missing");
	if (check_pattern(o, e) || setup_trace(&how, o, e))
		return -1;
	setvbuf(out, NULL, _IOLBF,
	    BUFSIZ); /* steps are printed at once, also if the program is stopped later */
	if (o->probe)
		return probe(o->dir, out);
	return (o->csv ? run_any : run_folded)(&s, &how, e);
}
