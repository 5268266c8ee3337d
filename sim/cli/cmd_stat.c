/*
 * cmd_stat.c - bufsim stat: the figures of a trace.
 *
 * One pass over the accesses, with a bit per block and a few words per file
 * and process.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/report/json.h"
#include "sim/setup/setup.h"
#include "sim/trace/merge.h"

enum { LARGEST = 5, CHECKSUM_TEXT = 17 };

struct figures {
#define FIGURE(name, unit, meaning) uint64_t name;
#include "sim/report/figures.def"
#undef FIGURE
};

static const struct figure_info {
	const char *name;
	size_t	    offset;
} figure_info[] = {
#define FIGURE(name, unit, meaning) { #name, offsetof(struct figures, name) },
#include "sim/report/figures.def"
#undef FIGURE
	{ 0 }
};

struct survey {
	const struct trace *t;
	struct figures	    n;
	uint8_t		   *touched;	/* a bit per block */
	block_t		   *last;	/* [nfiles] previous reference, or NIL */
	uint64_t	   *references; /* [nfiles] */
	usec_t		   *seen;	/* [nprocesses] previous call; -1: none yet */
	block_t		    previous;	/* previous reference to any file */
	file_t		    largest[LARGEST];
	unsigned	    nlargest;
};

static void
survey_block(struct survey *v, file_t file, block_t b)
{
	struct figures *n = &v->n;
	block_t		base = v->t->file[file].base;
	uint8_t		bit = (uint8_t)(1 << b % 8);

	n->footprint_blocks += !(v->touched[b / 8] & bit);
	v->touched[b / 8] |= bit;
	n->references++;
	n->next_references += b > base && v->previous == b - 1;
	n->same_references += v->previous == b;
	n->file_next_references += b > base && v->last[file] == b - 1;
	v->last[file] = v->previous = b;
}

static void
survey_call(struct survey *v, const struct access *a)
{
	const struct open_file *f = &v->t->open[a->open];
	uint32_t		count = access_count(v->t, a);
	block_t			b = v->t->file[f->file].base + access_first(v->t, a);

	v->n.bytes += a->length;
	v->n.write_references += a->write ? count : 0;
	v->references[f->file] += count;
	if (v->seen[f->process] >= 0)
		v->n.think_us += (uint64_t)(a->time - v->seen[f->process]);
	v->seen[f->process] = a->time;
	for (uint32_t i = 0; i < count; i++)
		survey_block(v, f->file, b + i);
}

/* The files with the most blocks, largest first, earlier ones first among equals. */
static void
find_largest(struct survey *v)
{
	const struct file *file = v->t->file;

	for (file_t f = 0; f < v->t->nfiles; f++) {
		unsigned at = v->nlargest;

		while (at && file[f].nblocks > file[v->largest[at - 1]].nblocks)
			at--;
		if (at == LARGEST)
			continue;
		if (v->nlargest < LARGEST)
			v->nlargest++;
		for (unsigned i = v->nlargest - 1; i > at; i--)
			v->largest[i] = v->largest[i - 1];
		v->largest[at] = f;
	}
}

static void
count_advice(struct survey *v)
{
	uint64_t *const kind[ADVICE_KINDS] = {
		[ADVICE_NORMAL] = &v->n.normal_advices,
		[ADVICE_RANDOM] = &v->n.random_advices,
		[ADVICE_SEQUENTIAL] = &v->n.sequential_advices,
		[ADVICE_WILLNEED] = &v->n.willneed_advices,
		[ADVICE_DONTNEED] = &v->n.dontneed_advices,
	};

	for (size_t i = 0; i < v->t->nadvice; i++)
		++*kind[v->t->advice[i].kind];
}

static void
copy_totals(struct survey *v)
{
	const struct trace *t = v->t;
	struct figures	   *n = &v->n;

	n->records = t->records;
	n->reads = t->reads;
	n->writes = t->writes;
	n->empty_calls = t->empty_calls;
	n->opens = t->opens;
	n->closes = t->closes;
	n->exits = t->exits;
	n->starts = t->starts;
	n->waits = t->waits;
	n->transfers = t->transfers;
	n->mmaps = t->mmaps;
	n->advices = t->advices;
	n->mmap_bytes = t->mmap_bytes;
	n->out_of_order = t->out_of_order;
	for (uint32_t i = 0; i < t->nprocesses; i++)
		n->processes += v->seen[i] >= 0;
	n->open_files = t->nopen;
	n->files = t->nfiles;
	n->file_blocks = t->nblocks - 1;
	n->duration_us = (uint64_t)t->access[t->naccess - 1].time;
}

static int
survey(struct survey *v, const struct trace *t, struct error *e)
{
	*v = (struct survey){ .t = t };
	v->touched = calloc(t->nblocks / 8 + 1, 1);
	v->last = calloc(t->nfiles, sizeof(*v->last));
	v->references = calloc(t->nfiles, sizeof(*v->references));
	v->seen = calloc(t->nprocesses, sizeof(*v->seen));
	if (!v->touched || !v->last || !v->references || !v->seen)
		return error_set(e, "out of memory for the figures of %s", t->name);
	for (uint32_t i = 0; i < t->nprocesses; i++)
		v->seen[i] = -1;
	for (size_t i = 0; i < t->naccess; i++) {
		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		survey_call(v, &t->access[i]);
	}
	copy_totals(v);
	count_advice(v);
	find_largest(v);
	return trace_unchanged(t, e);
}

static void
survey_release(struct survey *v)
{
	free(v->touched);
	free(v->last);
	free(v->references);
	free(v->seen);
}

/* As xxhsum prints it. */
static char *
hex(char text[CHECKSUM_TEXT], uint64_t sum)
{
	snprintf(text, CHECKSUM_TEXT, "%016" PRIx64, sum);
	return text;
}

/* ---- for programs ---- */

static bool
add_largest(const struct survey *v, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "largest_files");
	bool   ok = list;

	for (unsigned i = 0; ok && i < v->nlargest; i++) {
		const struct file *f = &v->t->file[v->largest[i]];
		cJSON		  *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && json_count(item, "inode", f->inode) &&
		    (!f->name || cJSON_AddStringToObject(item, "name", f->name)) &&
		    json_count(item, "blocks", f->nblocks) &&
		    json_count(item, "references", v->references[v->largest[i]]);
	}
	return ok;
}

/* The source of a binary trace. */
static bool
add_source(const struct trace *t, cJSON *to)
{
	const struct source *s = &t->source;
	cJSON		    *item = t->mapping ? cJSON_AddObjectToObject(to, "source") : NULL;
	char		     sum[CHECKSUM_TEXT];

	return !t->mapping ||
	    (cJSON_AddStringToObject(item, "path", s->path) &&
		cJSON_AddStringToObject(item, "format", s->format) &&
		json_count(item, "bytes", s->bytes) &&
		cJSON_AddStringToObject(item, "xxh3", hex(sum, s->xxh3)) &&
		cJSON_AddStringToObject(item, "mmap", s->touched ? "touch" : "count") &&
		cJSON_AddStringToObject(item, "bufsim", s->version));
}

static int
print_json(const struct survey *v, FILE *out, struct error *e)
{
	cJSON *object = cJSON_CreateObject();
	bool   ok = object && cJSON_AddStringToObject(object, "trace", v->t->name) &&
	    cJSON_AddStringToObject(object, "format", v->t->format) &&
	    json_count(object, "block_bytes", v->t->block_bytes);

	for (const struct figure_info *i = figure_info; ok && i->name; i++)
		ok = json_count(object, i->name,
		    *(const uint64_t *)(const void *)((const char *)&v->n + i->offset));
	return json_print(object, ok && add_largest(v, object) && add_source(v->t, object), out, e);
}

/* ---- for a person ---- */

static uint64_t
bytes(const struct survey *v, uint64_t blocks)
{
	return blocks * v->t->block_bytes;
}

static void
print_source(const struct source *s, FILE *out)
{
	char n[NUMBER_TEXT], sum[CHECKSUM_TEXT];

	fputs("converted from ", out);
	text_print(trace_path(s->path), out);
	fputs(" (", out);
	text_print(s->format, out);
	fprintf(out, ", %s bytes, XXH3 %s)%s by bufsim ", number_group(n, s->bytes),
	    hex(sum, s->xxh3), s->touched ? " with --mmap touch" : "");
	text_print(s->version, out);
	putc('\n', out);
}

struct kind {
	const char *what;
	uint64_t    n;
};

/* ": 3 read, 1 write" and the end of the line. */
static void
print_kinds(const struct kind *kind, size_t n, FILE *out)
{
	char	    text[NUMBER_TEXT];
	const char *comma = ":";

	for (size_t i = 0; i < n; i++)
		if (kind[i].n) {
			fprintf(out, "%s %s %s", comma, number_group(text, kind[i].n),
			    kind[i].what);
			comma = ",";
		}
	putc('\n', out);
}

static void
print_advice(const struct survey *v, FILE *out)
{
	const struct kind kind[] = {
		{ "willneed", v->n.willneed_advices },
		{ "dontneed", v->n.dontneed_advices },
		{ "sequential", v->n.sequential_advices },
		{ "random", v->n.random_advices },
		{ "normal", v->n.normal_advices },
	};
	char n[NUMBER_TEXT];

	fprintf(out, "  advice   %13s that precede a call",
	    number_group(n, (uint64_t)v->t->nadvice));
	print_kinds(kind, sizeof(kind) / sizeof(*kind), out);
}

static void
print_records(const struct survey *v, FILE *out)
{
	const struct kind kind[] = {
		{ "read", v->n.reads },
		{ "write", v->n.writes },
		{ "open", v->n.opens },
		{ "close", v->n.closes },
		{ "exit", v->n.exits },
		{ "start", v->n.starts },
		{ "wait", v->n.waits },
		{ "pipe", v->n.transfers },
		{ "mmap", v->n.mmaps },
		{ "advice", v->n.advices },
	};
	char n[NUMBER_TEXT];

	fprintf(out, "%s: format %s\n", v->t->name, v->t->format);
	if (v->t->mapping)
		print_source(&v->t->source, out);
	putc('\n', out);
	fprintf(out, "records    %13s", number_group(n, v->n.records));
	print_kinds(kind, sizeof(kind) / sizeof(*kind), out);
	if (v->n.advices)
		print_advice(v, out);
	if (v->n.empty_calls)
		fprintf(out, "  empty    %13s reads and writes that moved nothing\n",
		    number_group(n, v->n.empty_calls));
	if (v->n.out_of_order)
		fprintf(out, "  sorted   %13s records were out of order\n",
		    number_group(n, v->n.out_of_order));
	if (v->n.mmaps)
		fprintf(out, "  mapped   %15s\n", number_bytes(n, v->n.mmap_bytes));
}

static void
print_files(const struct survey *v, FILE *out)
{
	char n[NUMBER_TEXT], blocks[NUMBER_TEXT], size[NUMBER_TEXT];

	fprintf(out, "processes  %13s\n", number_group(n, v->n.processes));
	fprintf(out, "files      %13s of %s blocks (%s)\n", number_group(n, v->n.files),
	    number_group(blocks, v->n.file_blocks), number_bytes(size, bytes(v, v->n.file_blocks)));
	fprintf(out, "footprint  %13s blocks (%s) are read or written\n",
	    number_group(n, v->n.footprint_blocks),
	    number_bytes(size, bytes(v, v->n.footprint_blocks)));
}

static void
print_references(const struct survey *v, FILE *out)
{
	const struct figures *f = &v->n;
	double		      one = (double)f->references / 100, calls = (double)v->t->naccess;
	char		      n[NUMBER_TEXT];

	fprintf(out, "references %13s, %.1f %% of them by writes\n", number_group(n, f->references),
	    (double)f->write_references / one);
	fprintf(out, "  next     %11.1f %% to the block after the one referenced before\n",
	    (double)f->next_references / one);
	fprintf(out, "  in file  %11.1f %% to the block after the last one of its file\n",
	    (double)f->file_next_references / one);
	fprintf(out, "  same     %11.1f %% to the block referenced before\n",
	    (double)f->same_references / one);
	fprintf(out, "a call     %15s, %.2f blocks on average\n",
	    number_bytes(n, f->bytes / v->t->naccess), (double)f->references / calls);
}

static void
print_time(const struct survey *v, FILE *out)
{
	uint64_t gaps = v->t->naccess - v->n.processes;
	char	 text[NUMBER_TEXT];

	fprintf(out, "duration   %15s from the first call to the last\n",
	    number_time(text, v->n.duration_us));
	if (gaps)
		fprintf(out, "  think    %15s from call to call of a process on average\n",
		    number_time(text, v->n.think_us / gaps));
}

static void
print_largest(const struct survey *v, FILE *out)
{
	char size[NUMBER_TEXT];

	fputs("largest files, share of the references\n", out);
	for (unsigned i = 0; i < v->nlargest; i++) {
		const struct file *f = &v->t->file[v->largest[i]];
		uint64_t	   references = v->references[v->largest[i]];

		fprintf(out, "%26s  %5.1f %%  ", number_bytes(size, bytes(v, f->nblocks)),
		    100 * (double)references / (double)v->n.references);
		if (f->name)
			text_print(f->name, out);
		else
			fprintf(out, "inode %" PRIu64, f->inode);
		putc('\n', out);
	}
}

static int
print_text(const struct survey *v, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	print_records(v, f.out);
	print_files(v, f.out);
	print_references(v, f.out);
	print_time(v, f.out);
	print_largest(v, f.out);
	return fold_close(&f, 0, e);
}

static int
print_survey(const struct trace *t, bool json, FILE *out, struct error *e)
{
	struct survey v;
	int	      failed;

	progress_begin("counting", NULL, t->naccess);
	failed = survey(&v, t, e);
	progress_end();
	if (!failed)
		failed = (json ? print_json : print_text)(&v, out, e);
	survey_release(&v);
	return failed;
}

int
cmd_stat(const struct options *o, FILE *out, struct error *e)
{
	struct trace_options how;
	struct trace	     t;
	int		     failed;

	if (setup_trace(&how, o, e) < 0 ||
	    trace_load_together(&t, o->argument, o->narguments, &how, false, e) < 0)
		return -1;
	failed = print_survey(&t, o->json, out, e);
	trace_release(&t);
	return failed;
}
