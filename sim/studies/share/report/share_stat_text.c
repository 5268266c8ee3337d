/* share_stat_text.c - what a program of shared memory has, for a person. */
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/share/report/share_stat.h"

enum { SIZES_SHOWN = 20, RUNS_SHOWN = 6 };

/* Of those that are referenced, how many by two processors or more. */
static double
percent_shared(const uint64_t by[PROCESSORS_MAX + 1])
{
	uint64_t shared = 0;

	for (unsigned i = 2; i <= PROCESSORS_MAX; i++)
		shared += by[i];
	return number_percent(shared, shared + by[1]);
}

static void
print_answer(const struct summary *s, uint32_t page_bytes, FILE *out)
{
	char page[NUMBER_TEXT];

	fprintf(out,
	    "%.1f %% of the words referenced are shared, and %.1f %% of the pages of %s\n\n",
	    percent_shared(s->words_by), percent_shared(s->pages_by),
	    number_format(page, page_bytes, PARAM_BYTES));
}

/* ---- totals ---- */

static void
print_total(const char *what, uint64_t n, const char *rest, FILE *out)
{
	char text[NUMBER_TEXT];

	fprintf(out, "%-14s %15s%s%s\n", what, number_group(text, n), *rest ? "  " : "", rest);
}

/* "67  passed by all, with 1 id". */
static void
print_sync(const char *what, uint64_t n, const char *meaning, uint32_t ids, FILE *out)
{
	char rest[4 * NUMBER_TEXT] = "", text[NUMBER_TEXT];

	if (n)
		snprintf(rest, sizeof(rest), "%s, with %s id%s", meaning, number_group(text, ids),
		    ids == 1 ? "" : "s");
	print_total(what, n, rest, out);
}

static void
print_totals(const struct summary *s, const struct program *p, uint32_t page_bytes, FILE *out)
{
	char	 rest[4 * NUMBER_TEXT], n[NUMBER_TEXT];
	uint32_t others = s->all.requests - s->of[0].requests;

	snprintf(rest, sizeof(rest), "%.1f %% of them writes",
	    number_percent(s->all.writes, s->all.references));
	print_total("references", s->all.references, rest, out);
	print_total("  writes", s->all.writes, "", out);
	snprintf(rest, sizeof(rest), "%s not by processor 0", number_group(n, others));
	print_total("objects", p->nobjects, others ? rest : "", out);
	print_total("  bytes", s->bytes, "with tags", out);
	print_total("  words", p->nwords, "", out);
	snprintf(rest, sizeof(rest), "of %s, end to end",
	    number_format(n, page_bytes, PARAM_BYTES));
	print_total("pages", s->pages, rest, out);
	print_sync("locks", s->all.locks, "acquired", p->ids[SET_LOCKS].n, out);
	print_sync("barriers", s->all.barriers, "passed by all", p->ids[SET_BARRIERS].n, out);
	print_sync("posts", s->all.posts, "to flags", p->ids[SET_FLAGS].n, out);
	print_total("waits", s->all.waits, s->all.waits ? "for flags" : "", out);
}

/* ---- requests ---- */

/* "0", "0, 3", "5 of 32" or "all". */
static const char *
requesters(char text[NUMBER_TEXT], uint64_t who, unsigned processors)
{
	int n = __builtin_popcountll(who), first = __builtin_ctzll(who);

	if (n == 1)
		snprintf(text, NUMBER_TEXT, "%d", first);
	else if (n == (int)processors)
		snprintf(text, NUMBER_TEXT, "all");
	else if (n == 2)
		snprintf(text, NUMBER_TEXT, "%d, %d", first, __builtin_ctzll(who & (who - 1)));
	else
		snprintf(text, NUMBER_TEXT, "%d of %u", n, processors);
	return text;
}

static void
print_size(const struct summary *s, const struct request_size *z, unsigned processors, FILE *out)
{
	char n[NUMBER_TEXT], bytes[NUMBER_TEXT], by[NUMBER_TEXT];

	fprintf(out, "%13s %10s %6.1f %%  %-10s  ", number_group(bytes, z->bytes),
	    number_group(n, z->objects), number_percent(z->objects * z->bytes, s->bytes),
	    requesters(by, z->processors, processors));
	for (uint32_t i = 0; i < z->nruns && i < RUNS_SHOWN; i++)
		fprintf(out, "%s%u", i ? ", " : "", s->run[z->first_run + i].length);
	if (z->nruns > RUNS_SHOWN)
		fprintf(out, " and %s more", number_group(n, z->nruns - RUNS_SHOWN));
	putc('\n', out);
}

/* From small to large. */
static void
print_sizes(const struct summary *s, unsigned processors, FILE *out)
{
	uint32_t left = 0;
	char	 n[NUMBER_TEXT], objects[NUMBER_TEXT];

	if (!s->nsizes)
		return;
	fprintf(out, "\n%13s %10s %8s  %-10s  %s\n", "request size", "objects", "bytes", "by",
	    "runs of equal requests");
	for (uint32_t i = 0; i < s->nsizes; i++)
		if (i < SIZES_SHOWN)
			print_size(s, &s->size[i], processors, out);
		else
			left += s->size[i].objects;
	if (left)
		fprintf(out, "%13s %10s  of %s larger sizes\n", "...", number_group(objects, left),
		    number_group(n, s->nsizes - SIZES_SHOWN));
}

/* ---- sharing ---- */

static void
print_shared(const struct summary *s, unsigned processors, FILE *out)
{
	char objects[NUMBER_TEXT], words[NUMBER_TEXT], pages[NUMBER_TEXT];

	fprintf(out, "\n%13s %13s %15s %13s\n", "referenced by", "objects", "words", "pages");
	for (unsigned i = 0; i <= processors; i++)
		if (s->objects_by[i] || s->words_by[i] || s->pages_by[i])
			fprintf(out, "%13u %13s %15s %13s\n", i,
			    number_group(objects, s->objects_by[i]),
			    number_group(words, s->words_by[i]),
			    number_group(pages, s->pages_by[i]));
}

/* ---- processors ---- */

static void
print_processor(const struct processor_summary *o, unsigned number, FILE *out)
{
	const uint64_t column[] = { o->objects, o->pages, o->locks, o->barriers, o->posts,
		o->waits };
	const int      width[] = { 7, 6, 7, 8, 6, 5 };
	char	       n[NUMBER_TEXT];

	fprintf(out, "%9u %12s", number, number_group(n, o->references));
	fprintf(out, " %11s", number_group(n, o->writes));
	for (size_t i = 0; i < sizeof(width) / sizeof(*width); i++)
		fprintf(out, " %*s", width[i], number_group(n, column[i]));
	putc('\n', out);
}

static void
print_processors(const struct summary *s, unsigned processors, FILE *out)
{
	fprintf(out, "\n%9s %12s %11s %7s %6s %7s %8s %6s %5s\n", "processor", "references",
	    "writes", "objects", "pages", "locks", "barriers", "posts", "waits");
	for (unsigned i = 0; i < processors; i++)
		print_processor(&s->of[i], i, out);
}

void
share_stat_text(const struct summary *s, const struct program *p, uint32_t page_bytes, FILE *out)
{
	print_answer(s, page_bytes, out);
	text_print(p->name, out);
	fprintf(out, ": %u processors, ", p->processors);
	text_print(p->problem, out);
	fprintf(out, ", words of %u bytes\n", p->word_bytes);
	print_totals(s, p, page_bytes, out);
	print_sizes(s, p->processors, out);
	print_shared(s, p->processors, out);
	print_processors(s, p->processors, out);
}
