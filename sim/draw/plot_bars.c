/* plot_bars.c - bars of results in characters, without gnuplot. */
#include <math.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/draw/plot_sheet.h"

enum { NAME = 28, NUMBER = 12, LEAST = 12 };

/* The name of a bar: what is on the axis, and what else differs. */
static void
name_bar(const struct plot *p, const struct plot_row *r, char name[PLOT_TEXT])
{
	char line[PLOT_TEXT];

	*name = '\0';
	plot_join(name, plot_value(p, r, SETTING_X));
	plot_join(name, plot_line_name(p, r, line));
}

static void
print_bar(const struct sheet *s, const struct plot_row *r, unsigned wide, FILE *to)
{
	const double most = s->panel[r->panel].max_y;
	char	     name[PLOT_TEXT];

	name_bar(s->p, r, name);
	fprintf(to, "  %-*.*s ", NAME, NAME, name);
	if (isnan(r->y)) {
		fputs("unknown\n", to);
		return;
	}
	for (unsigned i = 0;
	     most > 0 && i < (unsigned)lround(fmax(r->y, 0) / s->scale / most * wide); i++)
		putc('#', to);
	fprintf(to, " %.4g\n", r->y / s->scale);
}

/* The bars of one group, in the order of the lines. */
static void
print_group(const struct sheet *s, uint32_t panel, uint32_t word, unsigned wide, FILE *to)
{
	const struct plot *p = s->p;

	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].panel == panel && p->row[i].value[SETTING_X] == word)
			print_bar(s, &p->row[i], wide, to);
}

int
plot_bars_text(const struct plot *p, unsigned columns, FILE *to, struct error *e)
{
	const unsigned wide = columns > NAME + NUMBER + LEAST ? columns - NAME - NUMBER : LEAST;
	struct sheet   s;
	int	       failed = sheet_init(&s, p, e);

	for (uint32_t panel = 0; !failed && panel < p->trace.n; panel++) {
		putc('\n', to);
		text_print(p->trace.name[panel + 1], to);
		fprintf(to, "%s%s\n", *p->trace.name[panel + 1] ? ": " : "", s.y);
		for (uint32_t word = 1; word <= p->value[SETTING_X].n; word++)
			print_group(&s, panel, word, wide, to);
	}
	sheet_release(&s);
	return failed;
}
