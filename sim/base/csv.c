/*
 * csv.c - read comma-separated values.
 *
 * A row is read up to the newline that no quote encloses, and then copied
 * field by field without the quotes.  Some 10 ns a byte.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/csv.h"
#include "sim/base/text.h"

enum { FIRST_ROOM = 4096 };

static int
fault(const struct csv *c, const char *what, struct error *e)
{
	return error_set(e, "%s: row %" PRIu64 ": %s", c->name, c->row, what);
}

static int
grow(struct csv *c, struct error *e)
{
	size_t room = c->room ? 2 * c->room : FIRST_ROOM;
	char  *line = realloc(c->line, room), *text;

	if (!line)
		return fault(c, "out of memory", e);
	c->line = line;
	text = realloc(c->text, room);
	if (!text)
		return fault(c, "out of memory", e);
	c->text = text;
	c->room = room;
	return 0;
}

/* Up to the end of a row or of the file.  1: the row is whole. */
static int
read_row(struct csv *c, struct error *e)
{
	bool quoted = false;
	int  ch;

	c->row++;
	c->line_bytes = 0;
	while ((ch = getc_unlocked(c->in)) != EOF) {
		if (c->line_bytes + 1 >= c->room && grow(c, e) < 0)
			return -1;
		if (!ch)
			return fault(c, "a zero byte", e);
		c->line[c->line_bytes++] = (char)ch;
		quoted ^= ch == '"';
		if (ch == '\n' && !quoted)
			return 1;
	}
	if (ferror(c->in))
		return fault(c, strerror(errno), e);
	if (c->line_bytes && memchr(c->line, '\n', c->line_bytes))
		return fault(c, "a quote is opened and never closed", e);
	c->torn = c->line_bytes > 0;
	return 0;
}

/* Copy a field to *to.  Returns its end, or NULL if it is quoted badly. */
static const char *
unquote(const char *from, const char *end, char **to)
{
	bool quoted = from < end && *from == '"';

	for (from += quoted; from < end; from++) {
		if (*from == '"' && quoted && from + 1 < end && from[1] == '"')
			from++;
		else if (*from == '"' || (*from == ',' && !quoted))
			break;
		*(*to)++ = *from;
	}
	*(*to)++ = '\0';
	from += quoted; /* read_row() has seen the closing one */
	return from == end || *from == ',' ? from : NULL;
}

/* Cut the row into at most n fields.  Returns their number, or -1 if they are quoted badly. */
static int
split(const struct csv *c, char **field, unsigned n)
{
	const char *from = c->line, *end = from + c->line_bytes - 1;
	char	   *to = c->text;
	int	    found = 0;

	if (end > from && end[-1] == '\r')
		end--;
	for (;; from++) {
		if ((unsigned)found < n)
			field[found] = to;
		found++;
		from = unquote(from, end, &to);
		if (!from)
			return -1;
		if (from == end)
			return found;
	}
}

static bool
at_end(FILE *in)
{
	int ch = getc(in);

	return ch == EOF || ungetc(ch, in) == EOF;
}

/* Concatenated files have the names again in the middle. */
static bool
is_names(const struct csv *c)
{
	for (unsigned i = 0; i < c->ncolumns; i++)
		if (strcmp(c->field[i], c->column[i]) != 0)
			return false;
	return true;
}

/* A line without a character: of one column, it could be an empty field. */
static bool
is_blank(const struct csv *c)
{
	return c->ncolumns > 1 && (c->line_bytes == 1 || !memcmp(c->line, "\r\n", 2));
}

int
csv_next(struct csv *c, struct error *e)
{
	for (;;) {
		int whole = read_row(c, e), n;

		if (whole <= 0)
			return whole;
		if (is_blank(c)) {
			c->end += c->line_bytes;
			continue;
		}
		n = split(c, c->field, c->ncolumns);
		if (n < 0)
			return fault(c, "a quote where none belongs", e);
		c->torn = (unsigned)n < c->ncolumns && at_end(c->in);
		if (c->torn)
			return 0;
		if ((unsigned)n != c->ncolumns)
			return error_set(e, "%s: row %" PRIu64 ": %d fields for %u columns",
			    c->name, c->row, n, c->ncolumns);
		c->end += c->line_bytes;
		if (!is_names(c))
			return 1;
	}
}

/* Remove the byte order mark of UTF-8 that some programs write.  Returns its length. */
static size_t
drop_mark(struct csv *c)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t	  n = sizeof(mark) - 1;

	if (c->line_bytes < n || memcmp(c->line, mark, n) != 0)
		return 0;
	c->line_bytes -= n;
	memmove(c->line, c->line + n, c->line_bytes);
	return n;
}

/* By its first row the file is not CSV. */
static int
refuse_other(const struct csv *c, struct error *e)
{
	if (*c->line == '{' || *c->line == '[')
		return error_set(e, "%s: is JSON, not CSV: type --csv where it is made", c->name);
	if (*c->line == '<')
		return error_set(e, "%s: is a picture (SVG) or other XML, not CSV", c->name);
	if (!strncmp(c->line, "\211PNG", 4) || !strncmp(c->line, "%PDF", 4))
		return error_set(e, "%s: is a picture (%.3s), not CSV", c->name, c->line + 1);
	return 0;
}

static int
read_names(struct csv *c, struct error *e)
{
	int	 whole = read_row(c, e), n;
	unsigned most = 1;
	size_t	 mark;

	if (whole <= 0)
		return whole;
	mark = drop_mark(c);
	if (refuse_other(c, e))
		return -1;
	for (size_t i = 0; i < c->line_bytes; i++)
		most += c->line[i] == ',';
	c->column = calloc(most, sizeof(*c->column));
	c->field = calloc(most, sizeof(*c->field));
	if (!c->column || !c->field)
		return fault(c, "out of memory", e);
	n = split(c, c->column, most);
	if (n < 0)
		return fault(c, "a quote where none belongs", e);
	c->names = c->text; /* the names point into it */
	c->text = malloc(c->room);
	if (!c->text)
		return fault(c, "out of memory", e);
	c->ncolumns = (unsigned)n;
	c->end = mark + c->line_bytes;
	return 0;
}

int
csv_open(struct csv *c, const char *path, struct error *e)
{
	bool	    standard = !strcmp(path, "-");
	struct stat st;

	*c = (struct csv){ .name = standard ? "standard input" : path };
	c->in = standard ? stdin : fopen(path, "r");
	if (!c->in)
		return error_set(e, "%s: %s", path, strerror(errno));
	if (!fstat(fileno(c->in), &st) && S_ISDIR(st.st_mode))
		error_set(e, "%s: is a directory: name a file in it", c->name);
	else if (!read_names(c, e))
		return 0;
	csv_close(c);
	return -1;
}

int
csv_column(const struct csv *c, const char *name)
{
	for (unsigned i = 0; i < c->ncolumns; i++)
		if (!strcmp(c->column[i], name))
			return (int)i;
	return -1;
}

int
csv_no_memory(const struct csv *c, struct error *e)
{
	return error_set(e, "%s: row %" PRIu64 ": out of memory", c->name, c->row);
}

void
csv_close(struct csv *c)
{
	if (c->in && c->in != stdin)
		fclose(c->in);
	free(c->column);
	free(c->field);
	free(c->line);
	free(c->text);
	free(c->names);
	*c = (struct csv){ 0 };
}

void
csv_text(const char *text, FILE *out)
{
	if (strpbrk(text, ",\""))
		text_quote(text, '"', out);
	else
		text_print(text, out);
}
