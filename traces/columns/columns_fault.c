/*
 * columns_fault.c - why a line is no row, in words for a person.
 */
#include <stdio.h>

#include "traces/columns/columns_field.h"

enum { QUOTE = 40, LIST_ROOM = 200 };

static const char *const kind_name[COLUMN_KINDS] = { "", "time", "op", "flags", "offset", "length",
	"time", "offset", "length", "volume", "pid", "size", "process", "object", "event", "name",
	"inode" };

/* The number of fields; quotes that do not end are one. */
static unsigned
count_fields(const struct columns *c, char *line)
{
	struct span span;
	unsigned    n = 0;

	for (line = skip_padding(c, line); *line; n++) {
		line = take_span(c, line, &span);
		if (!line)
			return n + 1;
		if (c->separator == ' ')
			line = skip_padding(c, line);
		else if (*line)
			line++;
	}
	return n;
}

static int
explain_count(const struct columns *c, char *line, struct error *e)
{
	char	 list[LIST_ROOM] = "";
	size_t	 used = 0;
	unsigned fields = count_fields(c, line);

	for (unsigned i = 0; i < c->n && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? " " : "",
		    c->name[i]	     ? c->name[i]
			: c->kind[i] ? kind_name[c->kind[i]]
				     : "-");
	return error_set(e, "%u field%s instead of %s%u (%s)", fields, fields == 1 ? "" : "s",
	    c->more ? "at least " : "", c->n, list);
}

static int
explain_op(const struct columns *c, const char *name, const char *text, struct error *e)
{
	if (!c->table->reads)
		return error_set(e,
		    "%s: '%s' is not a word for reads or writes: name them, as in "
		    "--format csv:...,read=0,write=1, or skip others with others=skip",
		    name, text);
	return error_set(e, "%s: '%s' is not one of %s (reads) and %s (writes)", name, text,
	    c->table->reads, c->table->writes);
}

static int
explain_time(const struct columns *c, const char *name, const char *text, struct error *e)
{
	uint64_t    whole, billionths;
	const char *unit = time_unit_name[c->time_unit];
	const char *end = scan_fraction(text, &whole, &billionths);

	if (*text == '-')
		return error_set(e, "%s: %s is negative", name, text);
	if (c->undecided)
		return error_set(e,
		    "%s: %s could have decimals or thousands: type decimal=comma or "
		    "decimal=point behind --format csv:",
		    name, text);
	if (end && !*end && billionths && c->table->format)
		return error_set(e,
		    "%s: %s is not a whole number of %s: if these are seconds, type --format "
		    "%s:time-unit=s",
		    name, text, unit, c->table->format);
	if (end && !*end)
		return error_set(e, "%s: %s %s are too many", name, text, unit);
	return error_set(e, "%s: '%s' is not a number of %s", name, text, unit);
}

static int
explain_number(const struct columns *c, enum column kind, const char *name, const char *text,
    struct error *e)
{
	uint64_t max = kind == COLUMN_OFFSET ? c->offset_max
	    : kind == COLUMN_LENGTH	     ? c->length_max
	    : kind == COLUMN_PID	     ? UINT32_MAX
	    : kind == COLUMN_FILE_SIZE	     ? SIZE_UNKNOWN - 1
					     : UINT64_MAX;

	if (c->odd && strspn(text, "0123456789abcdefABCDEF") == strlen(text) &&
	    strpbrk(text, "abcdefABCDEF") && (kind == COLUMN_OFFSET || kind == COLUMN_LENGTH))
		return error_set(e,
		    "%s: '%s' is not a whole number: if it is hexadecimal, type hex=%s behind "
		    "--format csv:",
		    name, text, kind == COLUMN_OFFSET ? "offset" : "length");
	if (strpbrk(text, " \t"))
		return error_set(e, "%s: '%s' is not a whole number", name, text);
	return scan_explain(name, text, max, e);
}

/* Why the row is not one. */
int
columns_explain(const struct columns *c, char *line, struct error *e)
{
	char	    text[QUOTE + 4], name[LIST_ROOM];
	unsigned    column = c->bad;
	enum column kind = column < c->n ? c->kind[column] : COLUMN_SKIPPED;
	size_t	    n = 0;

	if (column == c->n)
		return explain_count(c, line, e);
	while (!ends(c, c->bad_field[n]))
		n++;
	scan_quote(text, QUOTE, c->bad_field, n);
	if (c->name[column])
		snprintf(name, sizeof(name), "%s", c->name[column]);
	else
		snprintf(name, sizeof(name), "column %u (%s)", column + 1, kind_name[kind]);
	if (kind == COLUMN_OP && *c->bad_field != '"')
		return explain_op(c, name, text, e);
	if (is_text(kind))
		return error_set(e, "%s: %s is not one quoted field", name, text);
	if (kind == COLUMN_TIME || kind == COLUMN_ODD_TIME)
		return explain_time(c, name, text, e);
	if (kind == COLUMN_FLAGS || kind == COLUMN_HEX_OFFSET || kind == COLUMN_HEX_LENGTH)
		return error_set(e, "%s: '%s' is not a hexadecimal number", name, text);
	return explain_number(c, kind, name, text, e);
}

int
columns_explain_word(struct columns *c, char *line, struct error *e)
{
	for (c->bad = 0; c->kind[c->bad] != COLUMN_OP;)
		c->bad++;
	return columns_explain(c, line, e);
}
