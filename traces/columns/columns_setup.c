/*
 * columns_setup.c - what the columns of a file are: by the table, or by a heading.
 */
#include <regex.h>
#include <stdio.h>

#include "sim/base/checksum.h"
#include "sim/base/nearest.h"
#include "sim/base/word.h"
#include "traces/columns/columns_field.h"

void
columns_words(uint64_t packed[WORDS_MAX], const char *words)
{
	unsigned n = 0;

	for (; words && *words && n < WORDS_MAX - 2; words += *words == ' ') {
		size_t length = strcspn(words, " ");

		packed[n++] = word_pack(words, length);
		words += length;
	}
	packed[n] = 0;
}

static void
learn_kinds(struct columns *c)
{
	bool has[COLUMN_KINDS] = { false };

	memset(c->skip, 0, sizeof(c->skip));
	for (unsigned i = c->n; i--;) {
		has[c->kind[i]] = true;
		if (c->kind[i] == COLUMN_SKIPPED && c->separator != ' ')
			c->skip[i] = (uint8_t)(1 + (i + 1 < c->n ? c->skip[i + 1] : 0));
	}
	c->has_op = has[COLUMN_OP];
	c->has_pid = has[COLUMN_PID];
	c->has_length = has[COLUMN_LENGTH] || has[COLUMN_HEX_LENGTH];
	c->has_volume = has[COLUMN_VOLUME];
	c->has_process = has[COLUMN_PROCESS];
	c->has_time = has[COLUMN_TIME] || has[COLUMN_ODD_TIME];
	c->inode = c->process = (struct span){ 0 };
}

/* The columns in the order of the table. */
static void
take_order(struct columns *c, const struct row_table *table)
{
	for (c->n = 0; c->n < TABLE_COLUMNS && table->column[c->n].name; c->n++) {
		c->kind[c->n] = (uint8_t)table->column[c->n].kind;
		c->name[c->n] = table->column[c->n].name;
	}
	c->more = table->more;
}

/* A first line without the # that it may begin with. */
static bool
first_line(const char *head, size_t n, char line[COLUMNS_LINE])
{
	size_t skipped;

	do {
		if (!scan_head(&head, &n, line, COLUMNS_LINE))
			return false;
		line[strcspn(line, "\r")] = '\0';
	} while (!*scan_blanks(line));
	skipped = *line == '#';
	skipped = (size_t)(scan_blanks(line + skipped) - line);
	memmove(line, line + skipped, strlen(line + skipped) + 1);
	return true;
}

/* The same, but for upper and lower case of letters. */
static bool
equal(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && (!word_digit(*a) || word_digit(*a) != word_digit(*b)))
			return false;
	return *a == *b;
}

/* The place of a name in the table; TABLE_COLUMNS: it is not there. */
static unsigned
find_name(const struct row_table *table, const char *name)
{
	unsigned i = 0;

	while (i < TABLE_COLUMNS && table->column[i].name && !equal(table->column[i].name, name))
		i++;
	return i < TABLE_COLUMNS && table->column[i].name ? i : TABLE_COLUMNS;
}

/* Columns in the order of a heading.  NULL, or the first name that it lacks. */
static const char *
take_heading(struct columns *c, const struct row_table *table, char *line)
{
	bool	    found[TABLE_COLUMNS] = { false };
	unsigned    last = 0;
	struct span span;
	const char *lacking = NULL;

	c->line_end = line + strlen(line);
	c->separator = strchr(line, ',') ? ',' : strchr(line, '\t') ? '\t' : ' ';
	c->tab = c->separator == ' ' ? '\t' : c->separator;
	memset(c->kind, 0, sizeof(c->kind));
	for (c->n = 0; c->n < COLUMNS_MAX && *line; c->n++) {
		unsigned i;

		line = take_span(c, skip_padding(c, line), &span);
		if (!line)
			return "\"";
		line = skip_padding(c, line);
		line += *line && (c->separator != ' ');
		i = find_name(table, span_text(&span));
		if (i == TABLE_COLUMNS || found[i])
			continue;
		found[i] = true;
		c->kind[c->n] = (uint8_t)(table->column[i].kind & ~(unsigned)OPTIONAL);
		c->name[c->n] = table->column[i].name;
		last = c->n + 1;
	}
	for (unsigned i = TABLE_COLUMNS; i--;)
		if (table->column[i].name && !(table->column[i].kind & OPTIONAL) && !found[i])
			lacking = table->column[i].name;
	c->n = last;
	c->more = true;
	learn_kinds(c);
	return lacking;
}

void
columns_prepare(struct columns *c, const struct row_table *table)
{
	learn_kinds(c);
	c->table = table;
	c->time_unit = c->asked_unit ? (enum time_unit)(c->asked_unit - 1) : table->time_unit;
	c->tab = c->separator == ' ' ? '\t' : c->separator;
	if (!c->offset_unit)
		c->offset_unit = table->offset_unit ? table->offset_unit : 1;
	if (!c->length_unit)
		c->length_unit = table->length_in_blocks ? c->offset_unit
		    : table->length_unit		 ? table->length_unit
							 : 1;
	c->offset_max = UINT64_MAX / c->offset_unit;
	c->length_max = UINT64_MAX / c->length_unit;
	if (!*c->read)
		columns_words(c->read, table->reads);
	if (!*c->write)
		columns_words(c->write, table->writes);
}

int
columns_begin_table(struct columns *c, const struct row_table *table, const char *head, size_t n,
    struct error *e)
{
	char	    line[COLUMNS_LINE];
	const char *lacking = NULL;

	c->separator = table->separator;
	if (table->by_header)
		lacking = first_line(head, n, line) ? take_heading(c, table, line) : "";
	else
		take_order(c, table);
	columns_prepare(c, table);
	return lacking ? error_set(e, "the first line has no column %s", lacking) : 0;
}

/* ---- what the user has not said ---- */

enum { SEPARATORS = 5 };

static const char separators[SEPARATORS] = { ',', ';', '\t', '|', ' ' };

/* How often the line has it outside of quotes; blanks in a row are one. */
static unsigned
count_separators(const char *line, char separator)
{
	unsigned n = 0;
	bool	 quoted = false;

	for (line = scan_blanks(line); *line && *line != '\r'; line++) {
		quoted ^= *line == '"';
		if (quoted || *line != separator)
			continue;
		if (separator == ' ')
			line = scan_blanks(line) - 1;
		n += separator != ' ' || (line[1] && line[1] != '\r');
	}
	return n;
}

/* That which the first two lines have most often, and equally often; else the first one there is. */
char
columns_separator(const char *head, size_t n)
{
	char	 first[COLUMNS_LINE], second[COLUMNS_LINE], found = ',';
	unsigned most = 0, in_first = 0;

	if (!first_line(head, n, first))
		return ',';
	scan_head(&head, &n, second, sizeof(second));
	if (!scan_head(&head, &n, second, sizeof(second)))
		strcpy(second, first);
	for (unsigned i = 0; i < SEPARATORS; i++) {
		unsigned times = count_separators(first, separators[i]);

		if (times > most && (separators[i] != ' ' || !most) &&
		    times == count_separators(second, separators[i])) {
			most = times;
			found = separators[i];
		}
	}
	for (unsigned i = 0; i < SEPARATORS && !most && !in_first; i++) {
		in_first = count_separators(first, separators[i]);
		found = in_first ? separators[i] : found;
	}
	return found;
}

unsigned
columns_find(char separator, const char *heading, const char *name, struct error *e)
{
	struct columns c = { .separator = separator, .tab = separator == ' ' ? '\t' : separator };
	struct nearest near = nearest_to(name);
	char	       copy[COLUMNS_LINE], known[COLUMNS_LINE];
	char	      *line = copy;
	struct span    span;
	unsigned       number = 0;

	snprintf(copy, sizeof(copy), "%s", heading);
	c.line_end = line + strlen(line);
	while (*line && number < COLUMNS_MAX) {
		line = take_span(&c, skip_padding(&c, line), &span);
		if (!line)
			break;
		line = skip_padding(&c, line);
		line += *line && separator != ' ';
		number++;
		if (equal(span_text(&span), name))
			return number;
		nearest_offer(&near, span.start);
	}
	snprintf(known, sizeof(known), "it is '%s'", heading);
	nearest_error(&near, "column of the heading", known, e);
	e->exit_code = EXIT_FAILED;
	return 0;
}

/* Is there a letter where every number should be, and all of them? */
static bool
is_letters(const struct columns *c, char *line)
{
	struct span span;
	unsigned    i = 0, letters = 0;

	for (; i < c->n && *line; i++) {
		line = skip_padding(c, line);
		if (!is_text(c->kind[i]) || c->kind[i] == COLUMN_INODE) {
			char first = (char)(line[*line == '"'] | 0x20);

			if ((first < 'a' || first > 'z') && first != ('_' | 0x20))
				return false;
			letters++;
		}
		line = take_span(c, line, &span);
		if (!line)
			return false;
		line = skip_padding(c, line);
		line += *line && c->separator != ' ';
	}
	return i == c->n && letters;
}

/* Does the line name all columns of a table by header? */
static bool
is_whole_heading(const struct columns *c, const char *line)
{
	char	       copy[COLUMNS_LINE];
	struct columns probe = { 0 };

	if (!c->table->by_header || strlen(line) >= sizeof(copy))
		return false;
	strcpy(copy, line);
	return !take_heading(&probe, c->table, copy);
}

bool
columns_is_heading(const struct columns *c, char *line)
{
	return is_whole_heading(c, line) || is_letters(c, line);
}

/* A heading in the middle may have another order. */
int
columns_follow(struct columns *c, struct input *in, char *line, struct error *e)
{
	const char *lacking;

	if (!c->table->by_header) {
		uint64_t sum = checksum(line, strlen(line));

		if (c->headings && sum == c->heading && c->n > 1)
			input_count(in, "lines of headings were skipped");
		else if (c->headings || !c->table->headed)
			input_skip(in, line);
		if (!c->headings++)
			c->heading = sum;
		return 0;
	}
	if (c->headings++)
		input_count(in, "lines of headings were skipped");
	lacking = take_heading(c, c->table, line);
	return lacking ? error_set(e, "the heading has no column %s", lacking) : 0;
}

/* A copy without quotes, and without blanks beside commas and at the end. */
static void
plain_row(char plain[COLUMNS_LINE], const char *line)
{
	size_t n = 0;

	for (; *line && *line != '\r' && n < COLUMNS_LINE - 1; line++) {
		if (*line == '"' || (*line == ' ' && n && plain[n - 1] == ','))
			continue;
		while (*line == ',' && n && plain[n - 1] == ' ')
			n--;
		plain[n++] = *line;
	}
	while (n && plain[n - 1] == ' ')
		n--;
	plain[n] = '\0';
}

static bool
matches(void *pattern, char *line)
{
	char plain[COLUMNS_LINE];

	plain_row(plain, line);
	return !regexec(pattern, plain, 0, NULL, 0);
}

static bool
is_headed(const struct row_table *table, const char *head, size_t n)
{
	char	       line[COLUMNS_LINE];
	struct columns c = { 0 };

	return first_line(head, n, line) && !take_heading(&c, table, line);
}

bool
columns_recognise(const struct row_table *table, const char *head, size_t n)
{
	regex_t pattern;
	bool	are_rows;

	if (table->by_header)
		return is_headed(table, head, n);
	if (regcomp(&pattern, table->row, REG_EXTENDED | REG_NOSUB))
		return false;
	are_rows = scan_rows_are(head, n, matches, &pattern);
	regfree(&pattern);
	return are_rows;
}

bool
columns_begin(const char *heading, const char *head, size_t n)
{
	char line[COLUMNS_LINE], plain[COLUMNS_LINE];

	if (!first_line(head, n, line))
		return false;
	plain_row(plain, line);
	return equal(plain, heading);
}
