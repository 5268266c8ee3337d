/*
 * hint.c - guess the meaning of columns, and try the guess.
 *
 * Lines with the same number of fields are rows; the line before them may be a
 * heading.  A column is what its name says, if its values can be that; without
 * names the values decide: what goes up is a time, R and W are operations, the
 * numbers that spread the most are offsets.  The format csv then has to take the
 * rows, or there is no hint.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/trace/format.h"
#include "sim/trace/hint.h"
#include "sim/trace/hint_sheet.h"
#include "sim/trace/scan.h"

enum {
	LINES = 64,
	LINE_ROOM = 2048,
	FEWEST = 4
}; /* lines that are looked at; columns of odd rows */

/* ---- lines and fields ---- */

static bool
is_number(const char *s)
{
	s += *s == '-' || *s == '+';
	return scan_is_digit(*s) || (*s == '.' && scan_is_digit(s[1]));
}

static bool
is_date(const char *s)
{
	return strspn(s, "0123456789-/") == 10 && (s[4] == '-' || s[4] == '/');
}

static bool
is_clock(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return (n == 1 || n == 2) && s[n] == ':' && scan_is_digit(s[n + 1]) &&
	    scan_is_digit(s[n + 2]);
}

static bool
is_hex(const char *s)
{
	s += *s == '0' && (s[1] | 0x20) == 'x' ? 2 : 0;
	return strlen(s) > 3 && !s[strspn(s, "0123456789abcdefABCDEF")];
}

/* The end of the field at s. */
static char *
field_end(char *s, char separator)
{
	bool quoted = *s == '"';

	for (s += quoted; *s; s++) {
		if (quoted && *s == '"' && s[1] == '"')
			s++;
		else if (quoted && *s == '"')
			quoted = false;
		else if (!quoted && (*s == separator || (separator == ' ' && *s == '\t')))
			break;
	}
	return s;
}

/* Cut the line into fields without quotes and blanks around them.  A date and a time are one. */
static unsigned
split(char *line, char separator, char *field[HINT_COLUMNS])
{
	const char *blanks = separator == ' ' ? " \t" : " ";
	unsigned    n = 0;

	line[strcspn(line, "\r")] = '\0';
	for (char *s = line + strspn(line, blanks); n < HINT_COLUMNS; n++) {
		char *end = field_end(s, separator), *last;
		bool  more;

		if (separator == ' ' && is_date(s) && is_clock(end + strspn(end, " ")))
			end = field_end(end + strspn(end, " "), separator);
		if (separator == ' ' && !*s)
			break;
		more = *end;
		for (last = end; last > s && last[-1] == ' ';)
			last--;
		*last = '\0';
		if (*s == '"' && last > s + 1 && last[-1] == '"') {
			last[-1] = '\0';
			s++;
		}
		field[n] = s;
		if (!more)
			return n + 1;
		s = end + 1 + strspn(end + 1, blanks);
	}
	return n;
}

/* The next line; false: there is none, or it is cut off and not the first. */
static bool
next_line(const char **head, size_t *n, char line[LINE_ROOM], unsigned number)
{
	return scan_head(head, n, line, LINE_ROOM) && (!number || *n || (*head)[-1] == '\n');
}

static bool
is_left_out(const char *line)
{
	return *line == '#' || scan_ends_line(scan_blanks(line));
}

/*
 * Where the last lines with the same number of fields begin, and how many they are; 0: they are not
 * most of the lines.
 */
static unsigned
find_rows(const char *head, size_t n, char separator, unsigned *first, unsigned *columns)
{
	char	 line[LINE_ROOM], *field[HINT_COLUMNS];
	unsigned rows = 0, lines = 0, begin = 0, begins = 0, fewest = UINT_MAX;

	*columns = *first = 0;
	for (unsigned i = 0; i < LINES && next_line(&head, &n, line, i); i++) {
		unsigned fields;

		if (is_left_out(line))
			continue;
		if (separator == '|' && *scan_blanks(line) == '|')
			return 0; /* a table of Markdown: blanks are enough */
		fields = split(line, separator, field);
		if (fields != *columns) {
			*first = i;
			rows = 0;
		}
		begin = lines ? begin : i;
		begins = lines ? begins : fields;
		fewest = fields < fewest ? fields : fewest;
		*columns = fields;
		rows++;
		lines++;
	}
	if (2 * rows > lines || lines == 2)
		return rows;
	*first = begin; /* rows may have more fields than others */
	*columns = fewest;
	return lines > 2 && fewest >= FEWEST && fewest == begins ? lines : 0;
}

/* The separator that makes most lines rows, and of these the one with most columns. */
static bool
find_sheet(struct sheet *s, const char *head, size_t n)
{
	static const char separators[] = { ',', ';', '\t', '|', ' ' };
	unsigned	  most = 0, widest = 1;

	*s = (struct sheet){ .separator = ',' };
	for (size_t i = 0; i < sizeof(separators); i++) {
		unsigned first, columns;
		unsigned rows = find_rows(head, n, separators[i], &first, &columns);

		if (columns == 1 || columns >= HINT_COLUMNS)
			continue;
		widest = columns > widest ? columns : widest;
		if (rows < most || (rows == most && columns <= s->columns))
			continue;
		most = rows;
		s->separator = separators[i];
		s->first = first;
		s->columns = columns;
	}
	if (!most && widest == 1 && find_rows(head, n, ',', &s->first, &s->columns) > 1)
		most = 1;
	return most && s->columns;
}

/* ---- the heading ---- */

static bool
is_typable(const char *name)
{
	return name[strspn(name, "0123456789")] && strlen(name) < HINT_NAME &&
	    !name[strspn(name,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
		"_-./()[]")];
}

/* The names of a line that has no number. */
static bool
take_heading(struct sheet *s, char *line)
{
	char	*field[HINT_COLUMNS];
	unsigned n;

	if (*line == '#')
		memmove(line, line + 1, strlen(line));
	n = split(line, s->separator, field);
	if (n != s->columns)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (is_number(field[i]))
			return false;
	for (unsigned i = 0; i < n; i++) {
		unsigned same = 0;

		for (unsigned k = 0; k < n; k++)
			same += !strcasecmp(field[i], field[k]);
		if (same == 1 && is_typable(field[i]))
			strcpy(s->guess[i].name, field[i]);
	}
	return true;
}

static bool
has_number(const struct sheet *s, const char *line)
{
	char	 copy[LINE_ROOM], *field[HINT_COLUMNS];
	unsigned n;

	strcpy(copy, line);
	n = split(copy, s->separator, field);
	for (unsigned i = 0; i < n; i++)
		if (is_number(field[i]) || is_hex(field[i]))
			return true;
	return false;
}

/* Has the next row a number where the heading has none, or are all names known? */
static bool
is_followed(const struct sheet *s, const char *head, size_t n)
{
	char line[LINE_ROOM];
	bool known = true;

	do {
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	} while (is_left_out(line));
	for (unsigned i = 0; i < s->columns; i++)
		known &= hint_is_name(&s->guess[i]);
	return known || has_number(s, line);
}

static void
forget_names(struct sheet *s)
{
	for (unsigned k = 0; k < s->columns; k++)
		*s->guess[k].name = '\0';
}

/* The first line of the rows, or one before them, perhaps behind a #. */
static void
find_heading(struct sheet *s, const char *head, size_t n)
{
	char line[LINE_ROOM];

	s->heading = UINT_MAX;
	for (unsigned i = 0; i <= s->first && next_line(&head, &n, line, i); i++) {
		s->preamble |= i < s->first && !is_left_out(line);
		if (scan_ends_line(scan_blanks(line)) ||
		    (i == s->first && s->heading < UINT_MAX && has_number(s, line)))
			continue;
		forget_names(s);
		s->heading = take_heading(s, line) && is_followed(s, head, n) ? i : UINT_MAX;
	}
	if (s->heading == UINT_MAX)
		forget_names(s);
}

/* ---- values ---- */

static void
add_word(struct guess *g, const char *word)
{
	for (unsigned i = 0; i < g->words; i++)
		if (!strcasecmp(g->word[i], word)) {
			g->repeated++;
			return;
		}
	if (g->words < HINT_WORDS)
		snprintf(g->word[g->words++], HINT_WORD, "%.*s", HINT_WORD - 1, word);
}

/* "1,048,576" */
static bool
has_thousands(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	for (s += digits; *s == ',' && digits && digits <= 3; s += 1 + digits) {
		digits = strspn(s + 1, "0123456789");
		if (digits != 3)
			return false;
	}
	return digits == 3 && !*s;
}

/* The value of "1,048,576" or "1.048576e6", if it is whole, or of the digits; NULL: it has none. */
static const char *
scan_value(const char *s, uint64_t *n)
{
	double	    value;
	char	   *behind;
	const char *end = scan_digits(s, UINT64_MAX, n);

	if (end && *end == ',' && *s != '0' && has_thousands(s))
		for (; *end == ','; end += 4)
			*n = *n * 1000 + strtoull(end + 1, NULL, 10);
	if (!end || !strpbrk(s, "eE"))
		return end;
	value = strtod(s, &behind);
	if (*behind || value < 0 || value >= (double)EXACT || value != (double)(uint64_t)value)
		return end;
	*n = (uint64_t)value;
	return behind;
}

/* Digits, then perhaps a fraction, an exponent or a colon. */
static void
add_number(struct guess *g, const char *s)
{
	uint64_t    n;
	const char *end = scan_value(s, &n);

	if (!end) {
		g->negative += *s == '-';
		add_word(g, s);
		return;
	}
	if ((*end == '.' || *end == ',') && end[1 + strspn(end + 1, "0")] && scan_is_digit(end[1]))
		g->fractions++;
	g->hex_sectors += !*end && end - s > 3 && !strcmp(end - 3, "000");
	g->rising += g->whole && n >= g->last;
	g->counting += g->whole && n == g->last + 1;
	g->sectors += n % HINT_SECTOR == 0;
	g->least = !g->whole || n < g->least ? n : g->least;
	g->most = n > g->most ? n : g->most;
	g->last = n;
	g->whole++;
	if (n <= UINT8_MAX)
		add_word(g, s); /* perhaps the number of an operation */
}

static void
add_value(struct guess *g, const char *s)
{
	bool prefixed = *s == '0' && (s[1] | 0x20) == 'x';

	g->rows++;
	g->longest = strlen(s) > g->longest ? strlen(s) : g->longest;
	if (!*s)
		g->empty++;
	else if (is_date(s) || is_clock(s))
		g->clocks++;
	else if (is_hex(s) && (*s == '0' || s[strspn(s, "0123456789")])) {
		g->hex++;
		g->prefixed += prefixed;
	} else if (is_number(s) && !s[strspn(s, "0123456789.,:eE+-' _")])
		add_number(g, s);
	else
		add_word(g, s);
}

static void
take_values(struct sheet *s, const char *head, size_t n)
{
	char	 line[LINE_ROOM], *field[HINT_COLUMNS];
	unsigned first = s->heading < UINT_MAX ? s->heading + 1 : s->first;

	for (unsigned i = 0; i < LINES && next_line(&head, &n, line, i); i++) {
		if (i < first || is_left_out(line) || split(line, s->separator, field) < s->columns)
			continue;
		s->rows++;
		for (unsigned k = 0; k < s->columns; k++)
			add_value(&s->guess[k], field[k]);
	}
}

/* ---- the text ---- */

static void append(char text[HINT_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
append(char text[HINT_TEXT], const char *format, ...)
{
	size_t	used = strlen(text);
	va_list arg;

	va_start(arg, format);
	vsnprintf(text + used, HINT_TEXT - used, format, arg);
	va_end(arg);
}

static void
append_columns(const struct sheet *s, bool by_name, char text[HINT_TEXT])
{
	static const char *const name[ROLES] = { "", "time", "op", "offset", "length", "object",
		"volume", "file", "pid", "process", "event" };
	const char		*between = "";

	for (enum role r = ROLE_TIME; r < ROLES; r++) {
		const struct guess *g = hint_guess(s, r);

		if (!g)
			continue;
		if (by_name && *g->name)
			append(text, "%s%s=%s", between, name[r], g->name);
		else
			append(text, "%s%s=%u", between, name[r], s->place[r]);
		between = ",";
	}
}

/* The units that are not bytes. */
static void
append_units(const struct sheet *s, char text[HINT_TEXT])
{
	const struct guess *o = hint_guess(s, ROLE_OFFSET), *l = hint_guess(s, ROLE_LENGTH);
	unsigned	    offset, length;

	if (!o)
		return;
	offset = o->unit ? o->unit : o->hex || o->sectors == o->rows || !l ? 1 : HINT_SECTOR;
	length = l ? l->unit : 0;
	if (l && !length && l->most < HINT_SECTOR && !o->unit && !o->hex)
		length = HINT_SECTOR;
	if (l && l->sectors == l->rows && l->most)
		length = 1;
	if (l && !length)
		length = l->most < HINT_SECTOR ? offset : 1;
	if (length >= HINT_SECTOR && !o->unit && !o->hex)
		offset = length;
	if (offset > 1)
		append(text, length && length != offset ? ",offset-unit=%u" : ",unit=%u", offset);
	if (length > 1 && length != offset)
		append(text, ",length-unit=%u", length);
}

static void
append_words(const struct guess *g, const char *parameter, bool (*is_one)(const char *word),
    char text[HINT_TEXT])
{
	for (unsigned i = 0; i < g->words; i++)
		if (is_one(g->word[i]) && !hint_is_usual(g->word[i])) {
			append(text, "%s%s", parameter, g->word[i]);
			parameter = "|";
		}
}

static void
append_operations(const struct sheet *s, char text[HINT_TEXT])
{
	const struct guess *g = hint_guess(s, ROLE_OP);
	bool		    others = g && g->empty;

	if (!g)
		return;
	if (g->whole == g->rows && g->most <= 1) {
		append(text, ",read=0,write=1");
		return;
	}
	append_words(g, ",read=", hint_is_read, text);
	append_words(g, ",write=", hint_is_write, text);
	for (unsigned i = 0; i < g->words; i++)
		others |= !hint_is_usual(g->word[i]) && !hint_is_read(g->word[i]) &&
		    !hint_is_write(g->word[i]);
	append(text, "%s", others ? ",others=skip" : "");
}

static bool
needs_hex(const struct guess *g)
{
	return g && g->hex > g->prefixed;
}

static void
write_params(const struct sheet *s, bool by_name, char text[HINT_TEXT])
{
	static const char	 separators[] = ",; \t|";
	static const char *const names[] = { "comma", "semicolon", "blank", "tab", "pipe" };
	const struct guess	*time = hint_guess(s, ROLE_TIME);
	bool			 offset = needs_hex(hint_guess(s, ROLE_OFFSET));
	bool			 length = needs_hex(hint_guess(s, ROLE_LENGTH));
	bool			 headed = s->heading < UINT_MAX;
	const struct guess	*bytes = hint_guess(s, ROLE_LENGTH);
	unsigned		 skip = by_name ? s->heading : headed ? s->heading + 1 : s->first;

	/* lengths without a letter beside offsets with some, 1000 and 2000, are pages */
	length |=
	    offset && bytes && bytes->hex_sectors == bytes->rows && bytes->sectors < bytes->rows;
	*text = '\0';
	append_columns(s, by_name, text);
	if (s->place[ROLE_EVENT])
		append(text, ",take=%s", hint_event(hint_guess(s, ROLE_EVENT)));
	if (time && time->time_unit && !time->clocks)
		append(text, ",time-unit=%s", time->time_unit);
	append_units(s, text);
	append_operations(s, text);
	if (offset || length)
		append(text, ",hex=%s", offset && length ? "both" : offset ? "offset" : "length");
	if (s->columns > 1)
		append(text, ",separator=%s", names[strchr(separators, s->separator) - separators]);
	if (skip && (headed || s->preamble))
		append(text, ",skip=%u", skip);
}

/* ---- the trial ---- */

struct bytes {
	const char *at;
	size_t	    n;
};

static ssize_t
give_bytes(void *from, void *to, size_t n, struct error *e)
{
	struct bytes *b = from;
	size_t	      given = n < b->n ? n : b->n;

	memcpy(to, b->at, given);
	b->at += given;
	b->n -= given;
	return (ssize_t)given;
}

/* Without a last line that is cut off. */
static size_t
whole_lines(const char *head, size_t n)
{
	size_t whole = n;

	while (whole && head[whole - 1] != '\n')
		whole--;
	return whole ? whole : n;
}

/* What a trial has read. */
struct trial {
	usec_t	 first, last; /* times */
	uint64_t records;
};

static bool
read_all(const struct format *f, void *self, struct input *in, struct trial *t)
{
	struct error e = { 0 };
	int	     status = f->init ? f->init(self, &e) : 0;

	while (!status) {
		struct record r = { .file_size = SIZE_UNKNOWN };

		status = f->read(self, in, &r, &e);
		if (status <= 0)
			break;
		t->first = !t->records || r.time < t->first ? r.time : t->first;
		t->last = !t->records || r.time > t->last ? r.time : t->last;
		t->records++;
		status = 0;
	}
	return !status && t->records && input_skipped(in)->lines < 2;
}

/* Does the format with these parameters read all rows of the beginning? */
static bool
works(const struct format *f, const char *params, const char *head, size_t n, struct trial *t)
{
	struct error  e = { 0 };
	struct bytes  bytes = { head, whole_lines(head, n) };
	struct input *in = input_from(give_bytes, &bytes, &e);
	void	     *self = in ? plugin_state(&f->plugin, params, &e) : NULL;
	bool	      reads;

	*t = (struct trial){ .records = 0 };
	reads = self && read_all(f, self, in, t);

	plugin_free(self, f->release);
	input_close(in);
	return reads;
}

bool
hint_is_of(const struct format *f)
{
	return !strcmp(f->plugin.name, "csv");
}

/* Is it a format with a column of times, whose unit can be told? */
static bool
has_time_unit(const struct format *f)
{
	for (const struct param *q = f->plugin.params; q && q->name; q++)
		if (!strcmp(q->name, "time-unit"))
			return !hint_is_of(f);
	return false;
}

/* How sure a unit of times is: they are of today, or the unit is the usual one, or it could be. */
enum sure { SURE_NOT, SURE_POSSIBLE, SURE_USUAL, SURE_TODAY };

static enum sure
judge(const struct trial *t, bool usual)
{
	double first = (double)t->first, last = (double)t->last;

	if (!times_are_plausible(TIME_100NS, first * 10, last * 10, t->records))
		return SURE_NOT;
	if (times_is_of_today(TIME_US, first) || times_is_of_today(TIME_100NS, first * 10))
		return SURE_TODAY;
	return usual ? SURE_USUAL : SURE_POSSIBLE;
}

/* The format with the surest unit of times, if that reads the rows. */
static bool
find_unit(const struct format *f, const char *head, size_t n, char text[HINT_TEXT])
{
	enum sure most = SURE_NOT;

	for (int u = TIME_S; u <= TIME_100NS; u++) {
		bool	     usual = u == TIME_100NS;
		char	     params[sizeof("time-unit=100ns")] = "";
		struct trial t;
		enum sure    sure;

		if (!usual)
			snprintf(params, sizeof(params), "time-unit=%s", time_unit_word[u]);
		if (!works(f, usual ? NULL : params, head, n, &t))
			continue;
		sure = judge(&t, usual);
		if (sure <= most)
			continue;
		most = sure;
		snprintf(text, HINT_TEXT, "--format %s%s%s", f->plugin.name, usual ? "" : ":",
		    params);
	}
	return most > SURE_NOT;
}

/* A known format with times of another unit; not of numbers alone, which may be anything. */
static bool
find_format(const char *head, size_t n, char text[HINT_TEXT])
{
	bool letters = false;

	for (size_t i = 0; i < n && head[i] != '\n'; i++)
		letters |= scan_is_letter(head[i]);
	for (const struct format *const *f = formats; letters && *f; f++)
		if (has_time_unit(*f) && find_unit(*f, head, n, text))
			return true;
	return false;
}

static bool
find_columns(const struct sheet *s, const struct format *csv, const char *head, size_t n,
    char text[HINT_TEXT])
{
	char	     params[HINT_TEXT - 32];
	struct trial t;

	for (unsigned by_name = s->heading < UINT_MAX ? 2 : 1; by_name-- > 0;) {
		bool plain;

		write_params(s, by_name, text);
		snprintf(params, sizeof(params), "%s", text);
		plain = !params[strspn(params,
		    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=:,./")];
		snprintf(text, HINT_TEXT, "--format %scsv:%s%s", plain ? "" : "'", params,
		    plain ? "" : "'");
		if (works(csv, params, head, n, &t))
			return true;
	}
	return false;
}

/* Is the first column the number of the row?  A known format would take it for something else. */
static bool
are_numbered(const struct sheet *s)
{
	const struct guess *g = s->guess;

	return s->rows > 2 && g->counting + 1 == g->rows && g->least <= 1;
}

/* Rows of small numbers alone: a reference string on several lines. */
static bool
find_string(const struct sheet *s, const char *head, size_t n, char text[HINT_TEXT])
{
	struct trial t;

	if (s->heading < UINT_MAX || s->columns < 3)
		return false;
	for (unsigned i = 0; i < s->columns; i++) {
		const struct guess *g = &s->guess[i];

		if (g->whole + g->empty != g->rows || g->fractions || g->most >= HINT_SECTOR)
			return false;
	}
	for (const struct format *const *f = formats; *f; f++)
		if (!strcmp((*f)->plugin.name, "lirs") && works(*f, NULL, head, n, &t)) {
			snprintf(text, HINT_TEXT, "--format %s", (*f)->plugin.name);
			return true;
		}
	return false;
}

bool
hint_columns(const char *head, size_t n, char text[HINT_TEXT])
{
	struct sheet s;
	bool	     has_sheet = find_sheet(&s, head, n);

	if (has_sheet) {
		find_heading(&s, head, n);
		take_values(&s, head, n);
	}
	if (!(has_sheet && are_numbered(&s)) && find_format(head, n, text))
		return true;
	if (!has_sheet)
		return false;
	if (find_string(&s, head, n, text))
		return true;
	hint_roles(&s);
	if (!s.rows || (!s.place[ROLE_OFFSET] && !s.place[ROLE_OBJECT]) ||
	    (s.rows == 1 && s.heading == UINT_MAX && !s.place[ROLE_OP]))
		return false; /* or too little to go by */
	for (const struct format *const *f = formats; *f; f++)
		if (hint_is_of(*f))
			return find_columns(&s, *f, head, n, text);
	return false;
}
