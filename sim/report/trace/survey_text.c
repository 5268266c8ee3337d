/*
 * survey_text.c - what is asked first comes first: what was recorded, how much
 * data, how it is referenced, and by whom.
 */
#include <inttypes.h>

#include "sim/base/text.h"
#include "sim/report/notes.h"
#include "sim/report/trace/survey_json.h"
#include "sim/report/trace/survey_text.h"

static uint64_t
bytes(const struct survey *v, uint64_t blocks)
{
	return blocks * v->t->block_bytes;
}

/* ---- what was recorded ---- */

static void
print_source(const struct source *s, FILE *out)
{
	char n[NUMBER_TEXT], sum[CHECKSUM_TEXT];

	fputs("converted from ", out);
	text_print(trace_path(s->path), out);
	fputs(" (", out);
	text_print(s->format, out);
	fprintf(out, ", %s bytes, XXH3 %s)%s by bufsim ", number_group(n, s->bytes),
	    survey_hex(sum, s->xxh3), s->touched ? " with --mmap touch" : "");
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
print_time(const struct survey *v, FILE *out)
{
	char text[NUMBER_TEXT];

	fprintf(out, "duration   %15s from the first call to the last",
	    number_time(text, v->n.duration_us));
	if (v->t->time_unit)
		fprintf(out, " (times in %s)", v->t->time_unit);
	putc('\n', out);
}

/* ---- reads and writes ---- */

static void
print_split(const struct survey *v, const char *what, uint64_t calls, uint64_t references,
    uint64_t moved, uint64_t blocks, FILE *out)
{
	char n[NUMBER_TEXT], r[NUMBER_TEXT], size[NUMBER_TEXT], b[NUMBER_TEXT];

	fprintf(out, "  %-8s %13s %13s %10.1f %% %13s %13s\n", what, number_group(n, calls),
	    number_group(r, references), number_percent(references, v->n.references),
	    number_bytes(size, moved), number_group(b, blocks));
}

/* Calls that moved data: those of mappings that are read through are among them. */
static void
print_splits(const struct survey *v, FILE *out)
{
	const struct figures *n = &v->n;
	uint64_t	      writes = 0;

	for (uint32_t p = 0; p < v->t->nprocesses; p++)
		writes += v->process[p].writes;
	fprintf(out, "\n%-10s %13s %13s %12s %13s %13s\n", "", "calls", "references", "share",
	    "bytes", "blocks");
	print_split(v, "reads", v->t->naccess - writes, n->references - n->write_references,
	    n->bytes - n->write_bytes, n->read_blocks, out);
	print_split(v, "writes", writes, n->write_references, n->write_bytes, n->write_blocks, out);
}

/* ---- references ---- */

static void
print_share(const char *what, uint64_t n, uint64_t of, const char *meaning, FILE *out)
{
	fprintf(out, "  %-12s%8.1f %% %s\n", what, number_percent(n, of), meaning);
}

static void
print_references(const struct survey *v, FILE *out)
{
	const struct figures *n = &v->n;
	char		      text[NUMBER_TEXT];

	fprintf(out, "\nreferences %13s, %.2f blocks a call on average\n",
	    number_group(text, n->references), (double)n->references / (double)v->t->naccess);
	print_share("first", n->footprint_blocks, n->references,
	    "to a block that was not referenced before", out);
	print_share("next", n->next_references, n->references,
	    "to the block after the one referenced before", out);
	print_share("in file", n->file_next_references, n->references,
	    "to the block after the last one of its file", out);
	print_share("backward", n->backward_references, n->references,
	    "by calls that go on below the call before them", out);
	print_share("same", n->same_references, n->references, "to the block referenced before",
	    out);
}

/* As bufsim classify finds them. */
static void
print_classes(const struct survey *v, FILE *out)
{
	const struct class_total *c = v->class;
	uint64_t		  all = v->n.references - v->n.write_references;

	if (all)
		fprintf(out,
		    "  reads are %.1f %% sequential, %.1f %% looping, %.1f %% backward, %.1f %% other\n",
		    number_percent(c[CLASS_SEQUENTIAL].references, all),
		    number_percent(c[CLASS_LOOPING].references, all),
		    number_percent(c[CLASS_BACKWARD].references, all),
		    number_percent(c[CLASS_OTHER].references, all));
}

/* ---- distributions ---- */

/* Of a cell: seconds without fractions where they do not matter, hours where seconds do not. */
static void
time_cell(const struct survey *v, uint64_t us, char buf[NUMBER_TEXT])
{
	const uint64_t second = 1000 * 1000, hour = 3600 * second;
	char	       n[NUMBER_TEXT];

	if (us >= 100 * hour)
		snprintf(buf, NUMBER_TEXT, "%.20s h", number_group(n, us / hour));
	else if (us >= 1000 * second)
		snprintf(buf, NUMBER_TEXT, "%.20s s", number_group(n, us / second));
	else
		number_time(buf, us);
}

static void
block_cell(const struct survey *v, uint64_t blocks, char buf[NUMBER_TEXT])
{
	number_group(buf, blocks);
}

/* The smallest LRU cache that hits. */
static void
cache_cell(const struct survey *v, uint64_t distance, char buf[NUMBER_TEXT])
{
	number_bytes(buf, bytes(v, distance + 1));
}

static void
size_cell(const struct survey *v, uint64_t n, char buf[NUMBER_TEXT])
{
	number_bytes(buf, n);
}

static const unsigned shown[] = { SPREAD_P10, SPREAD_P50, SPREAD_P90, SPREAD_P99 };
enum { SHOWN = sizeof(shown) / sizeof(*shown) };

typedef void cell(const struct survey *v, uint64_t value, char buf[NUMBER_TEXT]);

static void
print_spread(const struct survey *v, const char *what, enum distribution d, cell *print, FILE *out)
{
	const struct spread *s = &v->spread[d];
	char		     text[NUMBER_TEXT] = "-";

	if (s->n)
		print(v, (uint64_t)(s->mean + 0.5), text);
	fprintf(out, "%-14s %10s", what, text);
	for (unsigned i = 0; i < SHOWN; i++) {
		if (s->n)
			print(v, s->at[shown[i]], text);
		fprintf(out, " %10s", text);
	}
	if (s->n)
		print(v, s->greatest, text);
	fprintf(out, " %10s\n", text);
}

static void
print_spreads(const struct survey *v, FILE *out)
{
	char head[NUMBER_TEXT];

	fprintf(out, "\n%-14s %10s", "distribution", "mean");
	for (unsigned i = 0; i < SHOWN; i++) {
		snprintf(head, sizeof(head), "%u %%", spread_percentile[shown[i]]);
		fprintf(out, " %10s", head);
	}
	fprintf(out, " %10s\n", "greatest");
	if (v->distances) {
		print_spread(v, "reuse distance", SPREAD_reuse_distance_blocks, block_cell, out);
		print_spread(v, "  as LRU cache", SPREAD_reuse_distance_blocks, cache_cell, out);
	} else {
		fputs("reuse distance is not known: bufsim mrc --sample estimates it\n", out);
	}
	print_spread(v, "reused after", SPREAD_inter_reference_us, time_cell, out);
	print_spread(v, "think time", SPREAD_think_time_us, time_cell, out);
	print_spread(v, "call length", SPREAD_call_bytes, size_cell, out);
}

/* Whole KiB and MiB as such, for they are the round ones; others in bytes. */
static char *
exact_bytes(char buf[NUMBER_TEXT], uint64_t n)
{
	char text[NUMBER_TEXT];

	if (n % 1024 == 0)
		snprintf(buf, NUMBER_TEXT, "%.20s KiB", number_group(text, n / 1024));
	else
		snprintf(buf, NUMBER_TEXT, "%.20s B", number_group(text, n));
	return buf;
}

static void
print_sizes(const struct survey *v, uint64_t top, FILE *out)
{
	const char *comma = " ";
	char	    text[NUMBER_TEXT];

	if (!v->nsizes)
		return;
	fputs("  most common ", out);
	for (uint32_t i = 0; i < number_top(v->nsizes, top); i++, comma = ", ")
		fprintf(out, "%s%s %.1f %%", comma, exact_bytes(text, v->size[i].bytes),
		    number_percent(v->size[i].calls, v->t->naccess));
	putc('\n', out);
}

/* ---- files and processes ---- */

static void
print_part(const struct survey *v, const struct survey_part *p, FILE *out)
{
	char reads[NUMBER_TEXT], writes[NUMBER_TEXT], size[NUMBER_TEXT], blocks[NUMBER_TEXT];

	fprintf(out, "%5.1f %% %10s %10s %10s %10s ",
	    number_percent(p->references, v->n.references), number_group(reads, p->reads),
	    number_group(writes, p->writes), number_bytes(size, p->read_bytes + p->write_bytes),
	    number_group(blocks, p->first_references));
}

static void
print_head(const char *blocks, const char *what, FILE *out)
{
	fprintf(out, "\n%7s %10s %10s %10s %10s %s\n", "share", "reads", "writes", "bytes", blocks,
	    what);
}

static void
print_more(const struct survey *v, uint64_t left, uint64_t references, const char *one,
    const char *many, FILE *out)
{
	char n[NUMBER_TEXT];

	if (left)
		fprintf(out, "%5.1f %% in %s more %s\n",
		    number_percent(references, v->n.references), number_group(n, left),
		    left == 1 ? one : many);
}

static void
print_top_files(const struct survey *v, uint64_t top, FILE *out)
{
	uint64_t n = number_top(v->t->nfiles, top), left = v->n.references;
	char	 size[NUMBER_TEXT], inode[NUMBER_TEXT];

	print_head("footprint", "      size  file", out);
	for (uint32_t i = 0; i < n; i++) {
		file_t f = v->top_file[i];

		print_part(v, &v->file[f], out);
		fprintf(out, "%10s  ", number_bytes(size, bytes(v, v->t->file[f].nblocks)));
		text_print(class_file_name(v->t, f, inode), out);
		putc('\n', out);
		left -= v->file[f].references;
	}
	print_more(v, v->t->nfiles - n, left, "file", "files", out);
}

/* The only process has all of it. */
static void
print_top_processes(const struct survey *v, uint64_t top, FILE *out)
{
	const struct trace *t = v->t;
	uint64_t	    n = number_top(v->n.processes, top), left = v->n.references;

	if (v->n.processes == 1)
		return;
	print_head("new blocks", " process", out);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = v->top_process[i];

		print_part(v, &v->process[p], out);
		fprintf(out, " %" PRIu32, t->process[p].pid);
		if (t->process[p].name) {
			putc(' ', out);
			text_print(t->process[p].name, out);
		}
		if (t->program) {
			fputs(" of ", out);
			text_print(t->program[t->program_of[p]], out);
		}
		putc('\n', out);
		left -= v->process[p].references;
	}
	print_more(v, v->n.processes - n, left, "process", "processes", out);
}

void
survey_text(const struct survey *v, uint64_t top, FILE *out)
{
	print_records(v, out);
	print_files(v, out);
	print_time(v, out);
	print_splits(v, out);
	print_references(v, out);
	print_classes(v, out);
	print_spreads(v, out);
	print_sizes(v, top, out);
	print_top_files(v, top, out);
	print_top_processes(v, top, out);
	notes_print_lacks(v->t, out);
}
