/* parts_report.c - rank the parts of a run, and print them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/classes.h"
#include "sim/base/csv.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/report/json.h"
#include "sim/report/run/parts_report.h"

/* ---- figures ---- */

/* A part in both runs; without is NULL if there is one run. */
struct pair {
	const struct part *with, *without;
	uint32_t	   number;
};

static struct pair
pair_of(const struct report *r, enum parts_of kind, uint32_t i)
{
	const struct run_parts *other = r->parts_without;

	return (struct pair){ &r->parts->part[kind][i], other ? &other->part[kind][i] : NULL, i };
}

static bool
has_run(const struct pair *p)
{
	return p->with->references || p->with->prefetched || p->with->stall_us ||
	    (p->without && p->without->stall_us);
}

static int64_t
change(const struct pair *p)
{
	return (int64_t)p->with->stall_us - (int64_t)(p->without ? p->without->stall_us : 0);
}

static int
by_change(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;
	int64_t		   x = llabs(change(p)), y = llabs(change(q));

	if (x != y)
		return x > y ? -1 : 1;
	return p->number < q->number ? -1 : 1;
}

/* Those that have run, ranked; NULL: none, or no memory. */
static struct pair *
ranked(const struct report *r, enum parts_of kind, uint32_t *n)
{
	uint32_t     all = run_parts_number(r->parts, kind);
	struct pair *pair = calloc(all, sizeof(*pair));

	*n = 0;
	for (uint32_t i = 0; pair && i < all; i++) {
		pair[*n] = pair_of(r, kind, i);
		*n += has_run(&pair[*n]);
	}
	if (*n)
		qsort(pair, *n, sizeof(*pair), by_change);
	return pair;
}

/* ---- text ---- */

static void
print_share(uint64_t part, uint64_t whole, FILE *out)
{
	if (whole)
		fprintf(out, " %6.1f %%", number_percent(part, whole));
	else
		fprintf(out, " %8s", "-");
}

static void
print_figures(const struct report *r, const struct pair *p, FILE *out)
{
	const struct part *a = p->with;
	char		   n[NUMBER_TEXT];

	fprintf(out, "%8.3f s", (double)a->stall_us / 1e6);
	if (r->parts_without)
		fprintf(out, " %+9.3f s", (double)change(p) / 1e6);
	fprintf(out, " %10s", number_group(n, a->references));
	print_share(a->hits, a->references, out);
	fprintf(out, " %10s", number_group(n, a->prefetched));
	print_share(part_used(a), a->prefetched, out);
	fputs("  ", out);
}

static void
print_name(const struct trace *t, enum parts_of kind, uint32_t i, FILE *out)
{
	char inode[NUMBER_TEXT];

	if (kind == PARTS_OF_FILES) {
		text_print(class_file_name(t, i, inode), out);
		return;
	}
	fprintf(out, "%" PRIu32, t->process[i].pid);
	if (t->process[i].name) {
		putc(' ', out);
		text_print(t->process[i].name, out);
	}
	if (t->program) {
		fputs(" of ", out);
		text_print(t->program[t->program_of[i]], out);
	}
}

static void
sum_up(struct part *to, const struct part *what)
{
	to->references += what->references;
	to->hits += what->hits;
	to->prefetched += what->prefetched;
	to->stall_us += what->stall_us;
	for (unsigned i = 0; i < FATES; i++)
		to->outcome[i] += what->outcome[i];
}

/* What is not shown, in a line. */
static void
print_rest(const struct report *r, const struct pair *pair, uint32_t n, FILE *out)
{
	struct part with = { 0 }, without = { 0 };
	struct pair sum = { &with, &without, 0 };
	char	    text[NUMBER_TEXT];

	for (uint32_t i = 0; i < n; i++) {
		sum_up(&with, pair[i].with);
		if (pair[i].without)
			sum_up(&without, pair[i].without);
	}
	if (!n)
		return;
	print_figures(r, &sum, out);
	fprintf(out, "%s more\n", number_group(text, n));
}

static void
print_table(const struct report *r, enum parts_of kind, FILE *out)
{
	static const char *const what[] = { "file", "process" };
	uint32_t		 n, shown;
	struct pair		*pair = ranked(r, kind, &n);

	shown = (uint32_t)number_top(n, r->options->parts_top);
	fprintf(out, "\n%10s", "stall");
	if (r->parts_without)
		fprintf(out, " %11s", "vs none");
	fprintf(out, " %10s %8s %10s %8s  %s\n", "references", "hits", "prefetched", "used",
	    what[kind]);
	for (uint32_t i = 0; i < shown; i++) {
		print_figures(r, &pair[i], out);
		print_name(r->trace, kind, pair[i].number, out);
		putc('\n', out);
	}
	print_rest(r, pair + shown, n - shown, out);
	free(pair);
}

void
parts_text(const struct report *r, FILE *out)
{
	for (enum parts_of kind = 0; r->parts && kind < PARTS_KINDS; kind++)
		if (r->parts->part[kind])
			print_table(r, kind, out);
}

/* ---- for programs ---- */

struct figure {
	const char *name;
	uint64_t    value; /* STAT_UNKNOWN: there is none */
};

enum { FIGURES = 17 };

static void
figures_of(const struct report *r, const struct pair *p, struct figure figure[FIGURES])
{
	const struct part  *a = p->with;
	bool		    shadow = r->config->shadow;
	const struct figure all[FIGURES] = {
		{ "references", a->references },
		{ "hits", a->hits },
		{ "misses", a->misses },
		{ "prefetched_blocks", a->prefetched },
		{ "used_blocks", part_used(a) },
		{ "wasted_blocks", part_wasted(a) },
		{ "outcome_timely_blocks", a->outcome[FATE_TIMELY] },
		{ "outcome_late_blocks", a->outcome[FATE_LATE] },
		{ "outcome_costly_blocks", a->outcome[FATE_COSTLY] },
		{ "outcome_useless_blocks", a->outcome[FATE_USELESS] },
		{ "outcome_polluting_blocks", a->outcome[FATE_POLLUTING] },
		{ "pollution_victim_misses", a->victim_misses },
		{ "pollution_misses", shadow ? a->polluted : STAT_UNKNOWN },
		{ "covered_references", shadow ? a->covered : STAT_UNKNOWN },
		{ "stall_us", a->stall_us },
		{ "baseline_misses", p->without ? p->without->misses : STAT_UNKNOWN },
		{ "baseline_stall_us", p->without ? p->without->stall_us : STAT_UNKNOWN },
	};

	memcpy(figure, all, sizeof(all));
}

static bool
json_name(const struct trace *t, enum parts_of kind, uint32_t i, cJSON *to)
{
	const struct traced *process = &t->process[i];

	if (kind == PARTS_OF_FILES)
		return json_count(to, "inode", t->file[i].inode) &&
		    (!t->file[i].name || cJSON_AddStringToObject(to, "name", t->file[i].name)) &&
		    json_count(to, "blocks", t->file[i].nblocks);
	return json_count(to, "pid", process->pid) &&
	    (!process->name || cJSON_AddStringToObject(to, "name", process->name)) &&
	    (!t->program || cJSON_AddStringToObject(to, "program", t->program[t->program_of[i]]));
}

static bool
json_part(const struct report *r, enum parts_of kind, const struct pair *p, cJSON *to)
{
	struct figure figure[FIGURES];
	bool	      ok = json_name(r->trace, kind, p->number, to);

	figures_of(r, p, figure);
	for (unsigned i = 0; ok && i < FIGURES; i++)
		ok = figure[i].value == STAT_UNKNOWN
		    ? cJSON_AddNullToObject(to, figure[i].name) != NULL
		    : json_count(to, figure[i].name, figure[i].value);
	return ok;
}

static bool
json_parts(const struct report *r, enum parts_of kind, cJSON *to)
{
	static const char *const key[] = { "files", "processes" };
	cJSON			*list = cJSON_AddArrayToObject(to, key[kind]);
	uint32_t		 n;
	struct pair		*pair = ranked(r, kind, &n);
	bool			 ok = list && pair;

	for (uint32_t i = 0; ok && i < n; i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && json_part(r, kind, &pair[i], item);
	}
	free(pair);
	return ok;
}

bool
parts_json(const struct report *r, cJSON *to)
{
	bool ok = true;

	for (enum parts_of kind = 0; r->parts && ok && kind < PARTS_KINDS; kind++)
		ok = !r->parts->part[kind] || json_parts(r, kind, to);
	return ok;
}

static void
csv_name(const struct trace *t, enum parts_of kind, uint32_t i, FILE *out)
{
	const struct traced *process = &t->process[i];

	csv_text(t->name, out);
	if (kind == PARTS_OF_FILES) {
		fprintf(out, ",%" PRIu64 ",", t->file[i].inode);
		csv_text(t->file[i].name ? t->file[i].name : "", out);
		fprintf(out, ",%" PRIu32, t->file[i].nblocks);
		return;
	}
	fprintf(out, ",%" PRIu32 ",", process->pid);
	csv_text(process->name ? process->name : "", out);
	putc(',', out);
	csv_text(t->program ? t->program[t->program_of[i]] : "", out);
}

static void
csv_row(const struct report *r, enum parts_of kind, const struct pair *p, FILE *out)
{
	struct figure figure[FIGURES];

	figures_of(r, p, figure);
	csv_name(r->trace, kind, p->number, out);
	for (unsigned i = 0; i < FIGURES; i++)
		if (figure[i].value == STAT_UNKNOWN)
			putc(',', out);
		else
			fprintf(out, ",%" PRIu64, figure[i].value);
	putc('\n', out);
}

static void
csv_head(const struct report *r, enum parts_of kind, FILE *out)
{
	static const struct part nothing;
	struct figure		 figure[FIGURES];

	figures_of(r, &(struct pair){ &nothing, NULL, 0 }, figure);
	fputs(kind == PARTS_OF_FILES ? "trace,inode,name,blocks" : "trace,pid,name,program", out);
	for (unsigned i = 0; i < FIGURES; i++)
		fprintf(out, ",%s", figure[i].name);
	putc('\n', out);
}

int
parts_csv(const struct report *r, FILE *out, struct error *e)
{
	enum parts_of kind = r->parts->part[PARTS_OF_FILES] ? PARTS_OF_FILES : PARTS_OF_PROCESSES;
	uint32_t      n;
	struct pair  *pair = ranked(r, kind, &n);

	if (!pair)
		return error_set(e, "out of memory for the table");
	csv_head(r, kind, out);
	for (uint32_t i = 0; i < n; i++)
		csv_row(r, kind, &pair[i], out);
	free(pair);
	return 0;
}
