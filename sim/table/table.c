/* table.c - cells as text, columns that fit, rows in four forms. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/table/table.h"

enum { TRIES = 64, GAP = 2 };

/* ---- columns ---- */

/* Those with a title are inserted behind all with the same or a lower place. */
void
table_add(struct table *t, const struct column *c, unsigned n)
{
	for (const struct column *end = c + n; c < end; c++) {
		struct column *new = &t->column[t->ncolumns++];
		unsigned at = t->nshown;

		*new = *c;
		if (!c->title)
			continue;
		for (; at && t->shown[at - 1]->place > c->place; at--)
			t->shown[at] = t->shown[at - 1];
		t->shown[at] = new;
		t->nshown++;
	}
}

static bool
is_left(const struct column *c)
{
	return c->left || c->kind == CELL_TEXT;
}

/* ---- cells ---- */

void
table_field(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const void *field = (const char *)t->row(t, row) + c->offset;

	if (c->kind == CELL_TEXT)
		to->text = *(const char *const *)field;
	else if (c->kind < CELL_DECIMAL)
		to->count = *(const uint64_t *)field;
	else
		to->number = *(const double *)field;
}

void
table_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	to->text = to->shown = NULL;
	to->count = UINT64_MAX;
	to->number = NAN;
	if (c->cell)
		c->cell(to, t, row, c);
	else
		table_field(to, t, row, c);
}

static bool
is_known(const struct cell *a, enum cell_kind kind)
{
	return kind == CELL_TEXT  ? a->text != NULL
	    : kind < CELL_DECIMAL ? a->count != UINT64_MAX
				  : !isnan(a->number);
}

/* A change that rounds to nothing has no sign of its own. */
static double
change_of(double ratio)
{
	double change = 100 * (ratio - 1);

	return fabs(change) < 0.05 ? 0 : change;
}

/* For a person. */
static const char *
text_of(struct cell *a, const struct table *t, size_t row, const struct column *c)
{
	table_cell(a, t, row, c);
	if (a->shown)
		return a->shown;
	if (!is_known(a, c->kind))
		return "-";
	switch (c->kind) {
	case CELL_TEXT:
		return text_is_clean(a->text) ? a->text : text_clean(a->room, CELL_ROOM, a->text);
	case CELL_NUMBER:
		snprintf(a->room, CELL_ROOM, "%" PRIu64, a->count);
		break;
	case CELL_COUNT:
		return number_group(a->room, a->count);
	case CELL_TIME:
		return number_time(a->room, a->count);
	case CELL_DECIMAL:
		snprintf(a->room, CELL_ROOM, "%.9g", a->number);
		break;
	case CELL_SHARE:
		snprintf(a->room, CELL_ROOM, "%.1f %%", 100 * a->number);
		break;
	case CELL_CHANGE:
		snprintf(a->room, CELL_ROOM, "%+.1f %%", change_of(a->number));
	}
	return a->room;
}

/* For a program; NULL: unknown. */
static const char *
data_of(struct cell *a, const struct table *t, size_t row, const struct column *c)
{
	table_cell(a, t, row, c);
	if (!is_known(a, c->kind))
		return NULL;
	if (c->kind == CELL_TEXT)
		return a->text;
	if (c->kind < CELL_DECIMAL)
		snprintf(a->room, CELL_ROOM, "%" PRIu64, a->count);
	else
		snprintf(a->room, CELL_ROOM, "%.9g", a->number);
	return a->room;
}

/* ---- room ---- */

/* False: no row has a value. */
static bool
measure(const struct table *t, struct column *c)
{
	struct cell a;
	bool	    any = false;

	if (strlen(c->title) > c->width)
		c->width = (unsigned)strlen(c->title);
	for (size_t i = 0; i < t->nrows; i++) {
		const char *text = text_of(&a, t, i, c);
		unsigned    width = fold_columns(text, strlen(text));

		if (width > c->width)
			c->width = width;
		any |= strcmp(text, "-") != 0;
	}
	return any;
}

static unsigned
gap_before(const struct table *t, unsigned i)
{
	return !i ? 0 : t->shown[i]->near ? 1 : GAP;
}

static unsigned
width_of(const struct table *t)
{
	unsigned width = 0;

	for (unsigned i = 0; i < t->nshown; i++)
		width += gap_before(t, i) + t->shown[i]->width;
	return width;
}

static void
leave_out(struct table *t, unsigned width)
{
	struct column *all[TABLE_COLUMNS];
	unsigned       n = t->nshown;

	memcpy(all, t->shown, sizeof(all));
	for (unsigned try = 1; width_of(t) > width && try < TRIES; try++) {
		t->nshown = 0;
		for (unsigned i = 0; i < n; i++)
			if (!(all[i]->absent >> try & 1))
				t->shown[t->nshown++] = all[i];
	}
}

/* Of those that may be narrower; NULL: none. */
static struct column *
widest(const struct table *t)
{
	struct column *most = NULL;

	for (unsigned i = 0; i < t->nshown; i++)
		if (t->shown[i]->least && (!most || t->shown[i]->width > most->width))
			most = t->shown[i];
	return most && most->width > most->least ? most : NULL;
}

void
table_fit(struct table *t, unsigned width)
{
	struct column *c;
	unsigned       n = t->nshown;

	t->nshown = 0;
	for (unsigned i = 0; i < n; i++)
		if (measure(t, t->shown[i]))
			t->shown[t->nshown++] = t->shown[i];
	leave_out(t, width);
	while (width_of(t) > width && (c = widest(t)))
		c->width--;
}

/* ---- for a person ---- */

/* Print a cell behind the blanks that are owed; those at the end of a line are never printed. */
static void
put_cell(const struct column *c, const char *text, unsigned *owed, FILE *out)
{
	unsigned used = fold_columns(text, strlen(text));
	unsigned rest = c->width > used ? c->width - used : 0;

	*owed += is_left(c) ? 0 : rest;
	if (*text) {
		fprintf(out, "%*s", (int)*owed, "");
		fold_shorten(text, strlen(text), c->least ? c->width : UINT_MAX, out);
		*owed = 0;
	}
	*owed += is_left(c) ? rest : 0;
}

void
table_heading(const struct table *t, FILE *out)
{
	unsigned owed = 0;

	for (unsigned i = 0; i < t->nshown; i++) {
		owed += gap_before(t, i);
		put_cell(t->shown[i], t->shown[i]->title, &owed, out);
	}
}

void
table_row(const struct table *t, size_t row, FILE *out)
{
	struct cell a;
	unsigned    owed = 0;

	for (unsigned i = 0; i < t->nshown; i++) {
		owed += gap_before(t, i);
		put_cell(t->shown[i], text_of(&a, t, row, t->shown[i]), &owed, out);
	}
}

void
table_text(const struct table *t, FILE *out)
{
	table_heading(t, out);
	putc('\n', out);
	for (size_t i = 0; i < t->nrows; i++) {
		table_row(t, i, out);
		putc('\n', out);
	}
}

void
table_escape(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<[", *text))
			putc('\\', out);
		putc(*text, out);
	}
}

void
table_markdown(const struct table *t, FILE *out)
{
	struct cell a;

	putc('|', out);
	for (unsigned i = 0; i < t->nshown; i++)
		fprintf(out, " %s |", t->shown[i]->title);
	fputs("\n|", out);
	for (unsigned i = 0; i < t->nshown; i++)
		fputs(is_left(t->shown[i]) ? "---|" : "---:|", out);
	putc('\n', out);
	for (size_t row = 0; row < t->nrows; row++) {
		putc('|', out);
		for (unsigned i = 0; i < t->nshown; i++) {
			putc(' ', out);
			table_escape(text_of(&a, t, row, t->shown[i]), out);
			fputs(" |", out);
		}
		putc('\n', out);
	}
}

/* ---- for programs ---- */

void
table_csv_heading(const struct table *t, FILE *out)
{
	const char *before = "";

	for (const struct column *c = t->column; c < t->column + t->ncolumns; c++)
		if (c->key && !c->json_only) {
			fprintf(out, "%s%s", before, c->key);
			before = ",";
		}
	putc('\n', out);
}

void
table_csv_row(const struct table *t, size_t row, FILE *out)
{
	const char *before = "";
	struct cell a;

	for (const struct column *c = t->column; c < t->column + t->ncolumns; c++)
		if (c->key && !c->json_only) {
			const char *data = data_of(&a, t, row, c);

			fputs(before, out);
			csv_text(data ? data : "", out);
			before = ",";
		}
	putc('\n', out);
}

static bool
add_item(const struct column *c, const char *data, cJSON *to)
{
	if (!data)
		return c->optional || cJSON_AddNullToObject(to, c->key);
	return c->kind == CELL_TEXT ? cJSON_AddStringToObject(to, c->key, data) != NULL
				    : cJSON_AddRawToObject(to, c->key, data) != NULL;
}

bool
table_json_row(const struct table *t, size_t row, cJSON *to)
{
	struct cell a;
	bool	    ok = true;

	for (const struct column *c = t->column; ok && c < t->column + t->ncolumns; c++)
		if (c->key && !c->csv_only)
			ok = add_item(c, data_of(&a, t, row, c), to);
	return ok;
}

bool
table_json(const struct table *t, cJSON *to, const char *key)
{
	cJSON *list = cJSON_AddArrayToObject(to, key);
	bool   ok = list != NULL;

	for (size_t i = 0; ok && i < t->nrows; i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && table_json_row(t, i, item);
	}
	return ok;
}
