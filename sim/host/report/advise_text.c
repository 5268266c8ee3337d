/* advise_text.c - the answer, what to type, and how sure it is. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/host/report/advise_report.h"
#include "sim/report/change.h"

/* ---- lines ---- */

static void
print_flips(const struct advise *a, const struct proposal *p, const struct line *l, FILE *out)
{
	const struct attempts *m = &a->attempts;
	const char	      *between = "; flips: costs ";
	char		       costs[CHANGE_TEXT];
	unsigned	       n = 0;

	for (unsigned i = NEARBY_LESS; i < m->nnearby; i++) {
		if (!line_flips(p, l, i))
			continue;
		change_time(costs, p->us[i] - l->without_us[i], p->us[i] - l->without_us[i]);
		fprintf(out, "%s%s with %s", between, costs, nearby_name(m->nearby, i));
		between = ", ";
		n++;
	}
	fputs(n ? "\n" : "; it does not flip nearby\n", out);
}

static int
print_lasting(const struct backing *b, uint32_t kb, struct fold *f, struct error *e)
{
	struct memo m;

	if (memo_open(&m, e))
		return -1;
	backing_lasting(b, kb, m.out);
	if (memo_close(&m, e))
		return -1;
	fprintf(f->out, "    to keep it, %s:\n", backing_lasts_where(b));
	fold_command(f, "      ", m.text);
	free(m.text);
	return 0;
}

static int
print_line(const struct advise *a, const struct proposal *p, const struct line *l, struct fold *f,
    struct error *e)
{
	uint64_t all = a->as_is_us[NEARBY_GIVEN], us = l->without_us[NEARBY_GIVEN] - p->us[0];
	char	 saves[CHANGE_TEXT];

	for (unsigned i = 0; i < advise_ncommands(a, l); i++) {
		fputs(i ? "    or " : "  ", f->out);
		advise_command(a, p, l, i, f->out);
		putc('\n', f->out);
	}
	if (l->kind == LINE_WINDOW && print_lasting(&a->backing, p->setting.window_kb, f, e))
		return -1;
	change_time(saves, us, us);
	fprintf(f->out, "    saves %s (%.1f %%)", saves, number_percent(us, all));
	print_flips(a, p, l, f->out);
	return 0;
}

static int
print_confirm(const struct advise_report *r, const struct setting *s, struct fold *f,
    struct error *e)
{
	struct memo m;

	if (memo_open(&m, e))
		return -1;
	advise_confirm(r, s, m.out);
	if (memo_close(&m, e))
		return -1;
	fold_command(f, "    confirm: ", m.text);
	free(m.text);
	if (setting_advises(s) && !r->output)
		fputs("      (-o ADVISED.bst writes that trace)\n", f->out);
	return 0;
}

static int
print_proposal(const struct advise_report *r, const char *title, const struct proposal *p,
    struct fold *f, struct error *e)
{
	if (!p->nlines)
		return 0;
	fprintf(f->out, "\n%s\n", title);
	for (unsigned i = 0; i < p->nlines; i++)
		if (print_line(r->advise, p, &p->line[i], f, e))
			return -1;
	return print_confirm(r, &p->setting, f, e);
}

/* ---- the table of machines ---- */

enum { NAME_ROOM = 24, COLUMNS = 3 };

static void
print_machine(const struct advise *a, unsigned i, FILE *out)
{
	const struct proposal *p[] = { &a->settings, &a->with_advice };
	uint64_t	       all = a->as_is_us[i];
	char		       name[NAME_ROOM], text[CHANGE_TEXT];

	change_time(text, all, all);
	fprintf(out, "%-22s %11s",
	    text_clean(name, sizeof(name),
		i == NEARBY_GIVEN ? "as given" : nearby_name(a->attempts.nearby, i)),
	    text);
	for (unsigned k = 0; k < 2; k++) {
		if (!p[k]->nlines)
			continue;
		change_time(text, p[k]->us[i], all);
		fprintf(out, " %11s %+6.1f %%", text,
		    all ? 100 * ((double)p[k]->us[i] / (double)all - 1) : 0);
	}
	putc('\n', out);
}

static void
print_machines(const struct advise *a, FILE *out)
{
	fprintf(out, "\n%-22s %11s", "machine", "as it is");
	if (a->settings.nlines)
		fputs("             settings", out);
	if (a->with_advice.nlines)
		fputs("          with advice", out);
	putc('\n', out);
	for (unsigned i = 0; i < a->attempts.nnearby; i++)
		print_machine(a, i, out);
}

/* ---- all of it ---- */

/* How many lines flip on some machine. */
static unsigned
count_flips(const struct advise *a, const struct proposal *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->nlines; i++) {
		unsigned k = NEARBY_LESS;

		while (k < a->attempts.nnearby && !line_flips(p, &p->line[i], k))
			k++;
		n += k < a->attempts.nnearby;
	}
	return n;
}

static void
print_answer(const struct advise *a, FILE *out)
{
	const struct proposal *p = advise_best(a);
	uint64_t	       all = a->as_is_us[NEARBY_GIVEN];
	char		       now[CHANGE_TEXT], then[CHANGE_TEXT];

	text_print(a->attempts.t->name, out);
	if (!p) {
		change_time(now, all, all);
		fprintf(out,
		    ": leave everything as it is: it takes %s, and nothing that was tried saves "
		    "1 %%\n",
		    now);
		return;
	}
	change_times(now, then, p->us[NEARBY_GIVEN], all);
	fprintf(out, ": %s instead of %s (%.1f %% less) with %s", now, then,
	    number_percent(all - p->us[NEARBY_GIVEN], all),
	    !a->with_advice.nlines   ? "settings of the machine"
		: a->settings.nlines ? "settings and advice of the program"
				     : "advice of the program");
	if (a->settings.nlines && a->with_advice.nlines) {
		change_time(now, a->settings.us[NEARBY_GIVEN], all);
		fprintf(out, ", %s with settings alone", now);
	}
	if (count_flips(a, p))
		fprintf(out, "; nearby, %u of %u lines flip%s", count_flips(a, p), p->nlines,
		    count_flips(a, p) == 1 ? "s" : "");
	putc('\n', out);
}

static void
print_now(const struct advise_report *r, FILE *out)
{
	const struct advise   *a = r->advise;
	const struct attempts *m = &a->attempts;
	char		       blocks[NUMBER_TEXT];

	fprintf(out,
	    "as it is: read_ahead_kb %" PRIu32 ", max_sectors_kb %" PRIu64
	    " (--request), scheduler %s\n",
	    a->as_is.window_kb, (uint64_t)a->as_is.request_blocks * m->t->block_bytes >> 10,
	    kernel_word(&m->kernel, (enum kernel_scheduler)a->as_is.scheduler));
	if (a->backing.tells && a->backing.now_kb != a->as_is.window_kb)
		fprintf(out, "%s is %" PRIu32 " now, which is not as it is above\n",
		    a->backing.file, a->backing.now_kb);
	fprintf(out, "Linux %s, cache of %s blocks, policy ", m->kernel.version,
	    number_group(blocks, m->nearby[NEARBY_GIVEN].cache_blocks));
	text_print(r->options->policy, out);
	fputs(", device ", out);
	text_print(r->options->device, out);
	fprintf(out, "; %zu runs\n", m->n);
	if (m->nnearby <= NEARBY_DRIVES)
		fputs("no drive is near: there is no other data sheet of its kind and speed\n",
		    out);
	if (!advise_tries_files(m->t))
		fprintf(out, "no advice was tried: %s\n",
		    m->t->nprograms ? "these are several traces"
				    : "the trace has volumes, not files");
	if (r->output && !a->with_advice.nlines) {
		text_print(r->output, out);
		fputs(" is the trace as it is: no advice saves enough\n", out);
	}
}

int
advise_text(const struct advise_report *r, struct fold *f, struct error *e)
{
	const struct advise *a = r->advise;
	const char	    *title =
	     a->with_advice.nlines ? "settings of the machine alone:" : "settings of the machine:";

	print_answer(a, f->out);
	if (print_proposal(r, title, &a->settings, f, e) ||
	    print_proposal(r, "with advice of the program:", &a->with_advice, f, e))
		return -1;
	print_machines(a, f->out);
	putc('\n', f->out);
	print_now(r, f->out);
	return 0;
}
