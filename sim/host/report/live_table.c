/* live_table.c - one line per step for a person, one row for CSV, and the sums. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/number.h"
#include "sim/host/report/live_table.h"

enum { RANGES_ROOM = 64 };

/* ---- the comparison ---- */

static bool
has_moved(const struct live_outcome *p, uint32_t page)
{
	return p->drops ? scratch_went(p->file, page) : scratch_came(p->file, page);
}

struct live_outcome
live_compare(const struct live_step *s, struct scratch *of, block_t base, const struct forecast *f,
    size_t i)
{
	struct live_outcome p = { .step = s, .file = of, .base = base };
	size_t		    met = 0;
	uint32_t	    other = 0;

	p.drops = s->advice && s->advice->kind == ADVICE_DONTNEED;
	p.predicted = forecast_of(f, i, &p.n);
	for (uint32_t k = of->first; k < of->end; k++) {
		p.moved += has_moved(&p, k);
		other += p.drops ? scratch_came(of, k) : scratch_went(of, k);
	}
	for (size_t k = 0; k < p.n; k++) {
		block_t page = p.predicted[k] - base;

		met += page >= of->first && page < of->end && has_moved(&p, page);
	}
	p.agreed = met == p.n && met == p.moved && !(p.drops && other);
	p.gone = p.drops ? 0 : other;
	p.lossy = of->lost = of->lost || p.gone;
	return p;
}

/* ---- sums ---- */

void
live_tally_step(struct live_tally *t, const struct live_outcome *p)
{
	struct live_count *c = &t->kind[p->step->kind];

	c->steps++;
	c->agreed += p->agreed;
	c->busy += p->moved != 0;
	c->predicted += p->moved && p->agreed;
	t->gone += p->gone;
	t->lossy += p->lossy && !p->agreed;
}

static void
count_add(struct live_count *c, const struct live_count *more)
{
	c->steps += more->steps;
	c->agreed += more->agreed;
	c->busy += more->busy;
	c->predicted += more->predicted;
}

void
live_tally_add(struct live_tally *t, const struct live_tally *more)
{
	for (unsigned k = 0; k < LIVE_KINDS; k++)
		count_add(&t->kind[k], &more->kind[k]);
	t->gone += more->gone;
	t->stray += more->stray;
	t->lossy += more->lossy;
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
put_moved(const struct live_outcome *p, struct ranges *r)
{
	for (uint32_t k = p->file->first; k < p->file->end; k++)
		if (has_moved(p, k))
			ranges_add(r, k);
	ranges_flush(r);
}

static void
put_predicted(const struct live_outcome *p, struct ranges *r)
{
	for (size_t k = 0; k < p->n; k++)
		ranges_add(r, p->predicted[k] - p->base);
	ranges_flush(r);
}

/* Narrower columns make room for the kind; a line has at most 80 characters if all agrees. */
static const struct widths {
	int kind, length, pages;
} widths[] = { [false] = { 0, 7, 20 }, [true] = { 11, 6, 17 } };

void
live_print_heading(FILE *out, const char *name, const char *group, const char *summary, bool kinds)
{
	const struct widths *w = &widths[kinds];

	fprintf(out, "\n%s%s%s%s\n%5s %*s%10s %*s  %-*s  %s\n", name, *group ? ", " : "", group,
	    summary, "step", w->kind, "", "offset", w->length, "length", w->pages,
	    kinds ? "this kernel" : "this kernel read", "predicted");
}

void
live_print_step(FILE *out, size_t i, const struct live_outcome *p, bool kinds)
{
	struct ranges	     moved = { .text = "-" }, predicted = { .text = "-" };
	const struct widths *w = &widths[kinds];

	if (p->agreed && !p->moved && !p->gone)
		return;
	put_moved(p, &moved);
	put_predicted(p, &predicted);
	fprintf(out, "%5zu %-*s%10" PRIu64 " %*" PRIu64 "  %-*s  %-*s  %s", i + 1, w->kind,
	    kinds ? live_step_word(p->step) : "", p->step->offset, w->length, p->step->length,
	    w->pages, moved.text, w->pages, predicted.text, p->agreed ? "agreed" : "NOT AGREED");
	if (p->gone)
		fprintf(out, "; %u pages have left memory", p->gone);
	putc('\n', out);
}

void
live_print_columns(FILE *out)
{
	fputs("workload,group,step,kind,file,open,offset,length,read,predicted,agreed,gone\n", out);
}

void
live_print_row(FILE *out, const char *pattern, const char *group, size_t i, file_t file,
    const struct live_outcome *p)
{
	struct ranges moved = { .whole = out }, predicted = { .whole = out };

	csv_text(pattern, out);
	fprintf(out, ",%s,%zu,%s,%u,%u,%" PRIu64 ",%" PRIu64 ",", group, i + 1,
	    live_step_word(p->step), file + 1, p->step->open + 1, p->step->offset, p->step->length);
	put_moved(p, &moved);
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
print_count(FILE *out, const char *what, const char *busy, const struct live_count *c)
{
	char number[4][NUMBER_TEXT];

	fprintf(out, "%-15s %6s of %6s agreed %5.1f %%; %s: %5s of %5s, %5.1f %%\n", what,
	    number_group(number[0], c->agreed), number_group(number[1], c->steps),
	    percent(c->agreed, c->steps), busy, number_group(number[2], c->predicted),
	    number_group(number[3], c->busy), percent(c->predicted, c->busy));
}

static void
print_kinds(FILE *out, const struct live_tally *t)
{
	static const char *const name[LIVE_KINDS] = { [LIVE_READ] = "  reads",
		[LIVE_FAULT] = "  faults",
		[LIVE_WRITE] = "  writes",
		[LIVE_ADVICE] = "  advice" };

	for (unsigned k = 0; k < LIVE_KINDS; k++)
		if (t->kind[k].steps)
			print_count(out, name[k], "moved", &t->kind[k]);
}

void
live_print_tally(FILE *out, const char *what, const struct live_tally *t)
{
	struct live_count all = { 0 };
	unsigned	  kinds = 0;
	char		  number[NUMBER_TEXT];

	for (unsigned k = 0; k < LIVE_KINDS; k++) {
		count_add(&all, &t->kind[k]);
		kinds += t->kind[k].steps != 0;
	}
	if (kinds > 1 || t->kind[LIVE_READ].steps != all.steps)
		print_count(out, what, "moved", &all);
	else
		print_count(out, what, "reads", &all);
	if (kinds > 1)
		print_kinds(out, t);
	if (t->gone)
		fprintf(out, "%15s %6s pages have left memory in between\n", "",
		    number_group(number, t->gone));
	if (t->lossy)
		fprintf(out,
		    "%15s %6s of the steps not agreed are of files that have lost such pages\n", "",
		    number_group(number, t->lossy));
	if (t->stray)
		fprintf(out, "%15s %6s pages were read far from any call\n", "",
		    number_group(number, t->stray));
}
