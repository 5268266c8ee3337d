/* fold.c - break lines at blanks. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/terminal.h"
#include "sim/base/types.h"

/* ---- characters ---- */

/* The bytes of the character at `at`, and its columns: 0 or 1. */
static size_t
step(const char *at, const char *end, unsigned *columns)
{
	const char *next = at + 1;

	*columns = *at != '\033';
	if (*columns)
		while (next < end && ((unsigned char)*next & 0xc0) == 0x80)
			next++;
	else
		while (next < end && next[-1] != 'm')
			next++;
	return (size_t)(next - at);
}

unsigned
fold_columns(const char *text, size_t n)
{
	unsigned columns = 0, one;

	for (const char *c = text; c < text + n; columns += one)
		c += step(c, text + n, &one);
	return columns;
}

/* The end of the longest beginning in that many columns. */
static const char *
reach(const char *text, const char *end, unsigned columns)
{
	unsigned one;

	for (const char *c = text; c < end; text = c) {
		c += step(c, end, &one);
		if (one > columns)
			break;
		columns -= one;
	}
	return text;
}

void
fold_shorten(const char *text, size_t n, unsigned columns, FILE *to)
{
	static const char gap[] = "...";
	unsigned	  all = fold_columns(text, n), kept, head;
	const char	 *end = text + n, *front;

	if (all <= columns) {
		fwrite(text, 1, n, to);
		return;
	}
	kept = columns > sizeof(gap) ? columns - (unsigned)(sizeof(gap) - 1) : 1;
	head = kept / 2;
	front = reach(text, end, head);
	fwrite(text, 1, (size_t)(front - text), to);
	fputs(gap, to);
	text = reach(text, end, all - (kept - head));
	fwrite(text, 1, (size_t)(end - text), to);
}

/* ---- lines ---- */

static const char *
past_blanks(const char *text, const char *end)
{
	while (text < end && *text == ' ')
		text++;
	return text;
}

/* Where the text of a line begins that is continued below it, and in which column. */
static const char *
hang(const char *line, const char *end, unsigned width, unsigned *indent)
{
	const char *first = past_blanks(line, end), *half = reach(line, end, width / 2);
	const char *text = first;

	for (const char *c = first; c < half; c++)
		if (c[0] == ' ' && c[1] == ' ') {
			c = past_blanks(c, end);
			if (c <= half && c < end)
				text = c;
		}
	*indent = fold_columns(line, (size_t)(text - line));
	if (text == first)
		*indent += 2;
	return text;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number stays with its unit. */
static bool
joins(const char *blank, const char *text, const char *end)
{
	return blank > text && is_digit(blank[-1]) && blank + 1 < end && blank[1] != ' ' &&
	    !is_digit(blank[1]);
}

/*
 * The blank in text .. fits to break the line at, or NULL: the last one, or the
 * last one behind a comma if that is in the last quarter.
 */
static const char *
best_blank(const char *text, const char *fits, const char *end)
{
	const char *quarter = fits - (fits - text) / 4, *good = NULL, *any = NULL;

	for (const char *c = fits < end ? fits : end - 1; c > text; c--) {
		if (*c != ' ')
			continue;
		if (c >= quarter && (c[-1] == ',' || c[-1] == ';'))
			return c;
		if (!good && !joins(c, text, end))
			good = c;
		if (!any)
			any = c;
	}
	return good ? good : any;
}

/* Print the first of the words that have no room on one line; the others follow it. */
static const char *
put_long_word(const char *word, const char *end, unsigned columns, FILE *to)
{
	const char *behind = memchr(word, ' ', (size_t)(end - word));
	const char *comma = reach(word, end, columns);

	if (!behind)
		behind = end;
	while (comma > word && comma[-1] != ',')
		comma--;
	if (comma > word && comma < behind) {
		fwrite(word, 1, (size_t)(comma - word), to);
		return comma;
	}
	fold_shorten(word, (size_t)(behind - word), columns, to);
	return behind;
}

void
fold_line(const char *line, size_t n, unsigned width, FILE *to)
{
	const char *end = line + n, *text, *fits, *blank;
	unsigned    indent, room = width;

	text = hang(line, end, width, &indent); /* blanks before it are no place to break */
	for (;;) {
		fits = reach(line, end, room);
		if (fits == end)
			break;
		blank = best_blank(text, fits, end);
		if (blank && past_blanks(text, end) < blank) {
			const char *word = blank;

			while (word > text && word[-1] == ' ')
				word--;
			fwrite(line, 1, (size_t)(word - line), to);
			line = blank;
		} else {
			unsigned before = fold_columns(line, (size_t)(text - line));

			fwrite(line, 1, (size_t)(text - line), to);
			line = put_long_word(text, end, room - before, to);
		}
		line = text = past_blanks(line, end);
		if (line == end)
			return;
		fprintf(to, "\n%*s", (int)indent, "");
		room = width - indent;
	}
	fwrite(line, 1, (size_t)(end - line), to);
}

/* ---- all of a text ---- */

int
fold_open(struct fold *f, FILE *to, struct error *e)
{
	*f = (struct fold){ .to = to, .width = terminal_width(to) };
	if (memo_open(&f->memo, e))
		return -1;
	f->out = f->memo.out;
	return 0;
}

void
fold_flush(struct fold *f)
{
	const char *line, *end, *last;

	if (fflush(f->out) || !f->memo.bytes)
		return;
	last = f->memo.text + f->memo.bytes;
	for (line = f->memo.text; line < last; line = end + 1) {
		end = memchr(line, '\n', (size_t)(last - line));
		if (!end)
			break;
		fold_line(line, (size_t)(end - line), f->width, f->to);
		putc('\n', f->to);
	}
	memo_empty(&f->memo);
}

/* The end of a word of a shell. */
static const char *
past_word(const char *word)
{
	bool quoted = false;

	for (; *word && (quoted || *word != ' '); word++)
		if (!quoted && *word == '\\' && word[1])
			word++;
		else
			quoted ^= *word == '\'';
	return word;
}

/* The same of an option and its value. */
static const char *
past_option(const char *word)
{
	const char *end = past_word(word);

	return word[0] == '-' && *end && end[1] != '-' ? past_word(end + 1) : end;
}

void
fold_command(struct fold *f, const char *before, const char *command)
{
	unsigned    indent = (unsigned)strspn(before, " ") + 2;
	unsigned    column = fold_columns(before, strlen(before));
	const char *blank = "";

	fold_flush(f);
	fputs(before, f->to);
	for (const char *end; *command; command = end + (*end == ' ')) {
		unsigned columns;

		end = past_option(command);
		columns = fold_columns(command, (size_t)(end - command));
		if (*blank && column + 1 + columns + (*end ? 2 : 0) > f->width) {
			fprintf(f->to, " \\\n%*s", (int)indent, "");
			column = indent;
		} else {
			column += (unsigned)fprintf(f->to, "%s", blank);
		}
		fwrite(command, 1, (size_t)(end - command), f->to);
		column += columns;
		blank = " ";
	}
	putc('\n', f->to);
}

int
fold_close(struct fold *f, int failed, struct error *e)
{
	struct error second; /* not reported: the first error says more */
	int	     lost;

	fold_flush(f);
	lost = memo_close(&f->memo, failed ? &second : e);
	free(f->memo.text);
	return failed || lost ? -1 : 0;
}
