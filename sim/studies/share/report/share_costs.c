/* share_costs.c - tables of objects and pages, and sentences about them. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/studies/share/report/share_costs.h"

enum { SET_ROOM = 256, NAMED_MAX = 6 };

static const char *const class_names[FAULT_CLASSES] = { [FAULT_COLD] = "cold",
	[FAULT_TRUE] = "true sharing",
	[FAULT_FALSE] = "false sharing" };

/* ---- words ---- */

/* "0-3, 7". */
static const char *
set_text(uint64_t set, char text[SET_ROOM])
{
	size_t used = 0;

	*text = '\0';
	for (unsigned i = 0; i < PROCESSORS_MAX; i++) {
		unsigned first = i;

		if (!(set >> i & 1))
			continue;
		while (i + 1 < PROCESSORS_MAX && set >> (i + 1) & 1)
			i++;
		used +=
		    (size_t)snprintf(text + used, SET_ROOM - used, "%s%u", used ? ", " : "", first);
		if (i > first)
			used += (size_t)snprintf(text + used, SET_ROOM - used, "%s%u",
			    i > first + 1 ? "-" : ", ", i);
	}
	return *text ? text : "none";
}

static bool
is_one(uint64_t set)
{
	return !(set & (set - 1));
}

static void
print_processors(uint64_t set, FILE *out)
{
	char text[SET_ROOM];

	fprintf(out, "processor%s %s", is_one(set) ? "" : "s", set_text(set, text));
}

static const char *
percent_text(uint64_t part, uint64_t of, char text[NUMBER_TEXT])
{
	snprintf(text, NUMBER_TEXT, "%.1f %%", number_percent(part, of));
	return text;
}

/* ---- what to do ---- */

/* "objects 16 and 18", or "16, 18 and 9 others". */
static void
print_neighbours(const struct costs *c, uint32_t object, uint32_t page, FILE *out)
{
	uint32_t left = c->page[page].objects - 1, named = 0;

	fprintf(out, "object%s", left == 1 ? "" : "s");
	for (uint32_t i = 1; i <= c->program->nobjects && named < left; i++) {
		if (i == object || !costs_on_page(c, i, page))
			continue;
		if (named == NAMED_MAX && left > NAMED_MAX + 1) {
			fprintf(out, " and %u others", left - named);
			return;
		}
		fprintf(out, "%s%u", !named ? " " : named + 1 == left ? " and " : ", ", i);
		named++;
	}
}

static void
advise_shared(const struct costs *c, uint32_t object, uint32_t page, FILE *out)
{
	const struct cost *o = &c->object[object];

	fprintf(out, "  object %u shares page %u with ", object, page);
	print_neighbours(c, object, page, out);
	fputs("; the page is written by ", out);
	print_processors(c->page[page].written_by, out);
	fputs(". ", out);
	if (!o->written_by) {
		fputs("It is only read: keep it apart from what is written.\n", out);
	} else if (is_one(o->read_by | o->written_by)) {
		fputs("Place it with what ", out);
		print_processors(o->read_by | o->written_by, out);
		fputs(" uses alone.\n", out);
	} else {
		fputs("Give it a page of its own, or place it with what the same processors "
		      "use.\n",
		    out);
	}
}

static void
advise_alone(const struct costs *c, uint32_t object, uint32_t page, FILE *out)
{
	fprintf(out, "  page %u has no other object than %u, and is written by ", page, object);
	print_processors(c->page[page].written_by, out);
	fputs(": no allocator parts them. Lay out the object so that what one processor uses is "
	      "together, or use smaller pages.\n",
	    out);
}

/* ---- objects ---- */

static void
print_titles(const struct costs *c, const char *item, const char *size, FILE *out)
{
	fprintf(out, "\n%8s %12s ", item, size);
	if (c->fetches)
		fprintf(out, "%12s %12s\n", "fetches", "diffs");
	else
		fprintf(out, "%12s %12s %12s\n", "false", "true", "cold");
}

static void
print_faults(const struct cost *c, FILE *out)
{
	char n[FAULT_CLASSES][NUMBER_TEXT];

	if (c->fetches || c->diffs) {
		fprintf(out, "%12s %12s", number_group(n[0], c->fetches),
		    number_group(n[1], c->diffs));
		return;
	}
	fprintf(out, "%12s %12s %12s", number_group(n[0], c->faults[FAULT_FALSE]),
	    number_group(n[1], c->faults[FAULT_TRUE]), number_group(n[2], c->faults[FAULT_COLD]));
}

static void
print_sharers(const struct cost *c, FILE *out)
{
	char text[SET_ROOM];

	fprintf(out, "written by %s", set_text(c->written_by, text));
	fprintf(out, "; read by %s", set_text(c->read_by, text));
}

/* "12", or "12, 15-19": the pages of an object. */
static void
print_pages(const struct cost *o, FILE *out)
{
	bool joined = o->next == o->head + 1;

	fprintf(out, "%u", o->head);
	if (o->last == o->head)
		return;
	if (!joined)
		fprintf(out, o->last > o->next ? ", %u-" : ", ", o->next);
	fprintf(out, joined ? "-%u" : "%u", o->last);
}

static void
print_object(const struct costs *c, uint32_t object, FILE *out)
{
	const struct cost   *o = &c->object[object];
	const struct object *a = &c->program->object[object];
	uint32_t	     page = costs_worst_page(c, object);
	char		     bytes[NUMBER_TEXT];

	fprintf(out, "%8u %12s ", object, number_group(bytes, a->bytes));
	print_faults(o, out);
	fprintf(out, "\n  requested by processor %u; page%s ", a->processor,
	    o->last == o->head ? "" : "s");
	print_pages(o, out);
	fputs("; ", out);
	print_sharers(o, out);
	putc('\n', out);
	if (!o->faults[FAULT_FALSE] && !o->fetches)
		return;
	(c->page[page].objects > 1 ? advise_shared : advise_alone)(c, object, page, out);
}

/* ---- pages ---- */

static void
print_page(const struct costs *c, uint32_t page, FILE *out)
{
	const struct cost *g = &c->page[page];

	fprintf(out, "%8u %12u ", page, g->objects);
	print_faults(g, out);
	fputs("\n  ", out);
	print_sharers(g, out);
	putc('\n', out);
}

/* ---- all of it ---- */

/* The first of those that are ranked, of which `any` have costs. */
static void
print_ranked(const struct costs *c, const char *item, const char *size,
    void (*print)(const struct costs *c, uint32_t item, FILE *out), const uint32_t *ranked,
    uint32_t top, uint32_t any, FILE *out)
{
	char n[NUMBER_TEXT];

	print_titles(c, item, size, out);
	for (uint32_t i = 0; i < top && i < any; i++)
		print(c, ranked[i], out);
	if (any > top)
		fprintf(out, "and %s other %s%s\n", number_group(n, any - top), item,
		    any - top == 1 ? "" : "s");
}

/* How many of the worst objects have half of the false faults, or of the fetches. */
static void
print_answer(const struct costs *c, const uint32_t *ranked, uint32_t n, FILE *out)
{
	uint64_t all = c->fetches ? c->fetches : c->classes[FAULT_FALSE], sum = 0;
	uint32_t half = 0;
	char	 text[2][NUMBER_TEXT], share[NUMBER_TEXT];

	if (c->fetches)
		fprintf(out, "%s pages are fetched", number_group(text[0], all));
	else
		fprintf(out, "%s of %s faults come from false sharing (%s)",
		    number_group(text[0], all), number_group(text[1], c->faults),
		    percent_text(all, c->faults, share));
	while (half < n && 2 * sum < all) {
		const struct cost *o = &c->object[ranked[half++]];

		sum += c->fetches ? o->fetches : o->faults[FAULT_FALSE];
	}
	if (all && 2 * sum >= all)
		fprintf(out, "; %s of them in %s%u of %u objects", percent_text(sum, all, share),
		    half == 1 ? "" : "the worst ", half, c->program->nobjects);
	putc('\n', out);
}

static void
print_hint(const struct costs *c, uint32_t object, FILE *out)
{
	const struct cost *o = &c->object[object];
	char		   n[NUMBER_TEXT];

	fprintf(out,
	    "\n%s %s is the first%s of object %u; --explain --fault %" PRIu64
	    " says why it happened.\n",
	    c->fetches ? "Fetch" : "Fault", number_group(n, o->sample),
	    o->faults[FAULT_FALSE] ? " false one" : "", object, o->sample);
}

int
share_costs_print(const struct costs *c, uint32_t top, FILE *out, struct error *e)
{
	uint32_t  most = c->npages > c->program->nobjects ? c->npages : c->program->nobjects;
	uint32_t  n = (uint32_t)number_top(most, top);
	uint32_t *ranked = calloc((size_t)n + 1, sizeof(*ranked));
	uint32_t  any, pages, worst;

	if (!ranked)
		return error_set(e, "out of memory for %u objects", n);
	any = costs_rank(c->object, c->program->nobjects + 1, ranked, n);
	print_answer(c, ranked, any < n ? any : n, out);
	print_ranked(c, "object", "bytes", print_object, ranked, n, any, out);
	worst = ranked[0];
	pages = costs_rank(c->page, c->npages, ranked, n);
	print_ranked(c, "page", "objects", print_page, ranked, n, pages, out);
	if (any)
		print_hint(c, worst, out);
	free(ranked);
	return 0;
}

/* ---- the history of a fault ---- */

static void
print_word(const struct program *p, uint32_t word, FILE *out)
{
	uint32_t object = program_object_of(p, word);

	fprintf(out, "word %u of object %u", word - p->object[object].first_word, object);
}

/* "processor 0 wrote word 1 of object 2 in turn 13". */
static void
print_did(const struct program *p, const struct past *a, FILE *out)
{
	char n[NUMBER_TEXT];

	fprintf(out, "processor %u %s ", a->processor, a->write ? "wrote" : "read");
	print_word(p, a->word, out);
	fprintf(out, " in turn %s", number_group(n, a->turn));
}

static void
print_lost(const struct history *h, const struct program *p, FILE *out)
{
	char n[NUMBER_TEXT];

	if (!h->used.turn) {
		fprintf(out, "Processor %u has not used this page before.\n", h->fault.processor);
		return;
	}
	fprintf(out, "Processor %u last used the page in turn %s.\n", h->fault.processor,
	    number_group(n, h->used.turn));
	if (!h->lost.turn)
		return;
	fputs("Then ", out);
	print_did(p, &h->lost, out);
	fputs(".\n", out);
	fprintf(out, "From then to the fault the page had %s write%s, by ",
	    number_group(n, h->writes), h->writes == 1 ? "" : "s");
	print_processors(h->written_by, out);
	fputs(".\n", out);
}

static void
print_reason(const struct history *h, const struct program *p, enum cold_rule cold, FILE *out)
{
	if (h->fetched) {
		fprintf(out,
		    "The page is fetched from its home: processor %u has no copy that is new enough.\n",
		    h->fault.processor);
	} else if (h->fault.class == FAULT_COLD && cold == COLD_ANY) {
		fputs("The fault is cold: no processor has referenced this word before.\n", out);
	} else if (h->fault.class == FAULT_COLD) {
		fprintf(out,
		    "The fault is cold: processor %u has not referenced this word before.\n",
		    h->fault.processor);
	} else if (h->fault.class == FAULT_TRUE) {
		fputs("The fault is true sharing: ", out);
		if (h->written.turn)
			print_did(p, &h->written, out);
		else
			fputs("another processor wrote this word", out);
		fputs(", and the fault brings that value.\n", out);
	} else {
		fprintf(out, "The fault is false sharing: no other processor has written ");
		print_word(p, h->fault.word, out);
		fprintf(out, " %s, so the page brings no new value of it.\n",
		    h->lost.turn ? "since then" : "before");
	}
}

static void
print_past(const struct program *p, const struct past *a, FILE *out)
{
	char n[NUMBER_TEXT], times[NUMBER_TEXT];

	fprintf(out, "%16s %10u  %s ", number_group(n, a->turn), a->processor,
	    a->write ? "writes" : "reads");
	print_word(p, a->word, out);
	if (a->times > 1)
		fprintf(out, ", %s times", number_group(times, a->times));
	if (a->fault)
		fprintf(out, ": fault, %s", class_names[a->class]);
	if (a->fetch)
		fputs(": fetch", out);
	putc('\n', out);
}

void
share_history_print(const struct history *h, const struct program *p, enum cold_rule cold,
    uint64_t top, FILE *out)
{
	const struct fault *f = &h->fault;
	const struct past   last = { .turn = f->turn,
		  .times = 1,
		  .word = f->word,
		  .processor = f->processor,
		  .write = f->write,
		  .fault = !h->fetched,
		  .fetch = h->fetched,
		  .class = f->class };
	uint64_t	    kept = h->npast < HISTORY_MAX ? h->npast : HISTORY_MAX;
	uint64_t	    shown = number_top(kept, top);
	char		    n[3][NUMBER_TEXT];

	fprintf(out, "%s %s of %s: processor %u %s ", h->fetched ? "fetch" : "fault",
	    number_group(n[0], h->number), number_group(n[1], h->fetched ? h->fetches : h->faults),
	    f->processor, f->write ? "writes" : "reads");
	print_word(p, f->word, out);
	fprintf(out, " on page %u%s%s\n\n", f->page, h->fetched ? "" : ": ",
	    h->fetched ? "" : class_names[f->class]);
	print_lost(h, p, out);
	print_reason(h, p, cold, out);
	fprintf(out, "\n%16s %10s  the last references to the page\n", "turn", "processor");
	if (shown < h->npast)
		fprintf(out, "%16s\n", "...");
	for (uint64_t i = h->npast - shown; i < h->npast; i++)
		print_past(p, &h->past[i % HISTORY_MAX], out);
	print_past(p, &last, out);
}
