/*
 * sheet.c - read a data sheet.
 *
 * inih parses the text once into a table of entries.  Each look-up searches
 * the table from the start: a sheet has a few hundred lines and is read once a
 * run.
 */
#include <ini.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/device/sheet.h"

void
sheet_fault(struct sheet *s, const char *section, const char *key, const char *format, ...)
{
	va_list arg;
	char	what[512];

	if (sheet_failed(s))
		return;
	va_start(arg, format);
	vsnprintf(what, sizeof(what), format, arg);
	va_end(arg);
	if (*section)
		error_set(&s->error, "[%s] %s: %s", section, key, what);
	else
		error_set(&s->error, "%s: %s", key, what);
}

static struct sheet_entry *
find(const struct sheet *s, const char *section, const char *key)
{
	for (size_t i = 0; i < s->nentries; i++)
		if (!strcmp(s->entry[i].section, section) && !strcmp(s->entry[i].key, key))
			return &s->entry[i];
	return NULL;
}

/* inih hands over one key; 0 would make it report a syntax error. */
static int
add(void *to, const char *section, const char *key, const char *value)
{
	struct sheet	   *s = to;
	struct sheet_entry *e;

	if (find(s, section, key)) {
		sheet_fault(s, section, key, "given twice");
		return 1;
	}
	if (s->nentries == s->room) /* more entries than lines: one was longer than inih reads */
		return 0;
	e = &s->entry[s->nentries++];
	snprintf(e->section, sizeof(e->section), "%s", section);
	snprintf(e->key, sizeof(e->key), "%s", key);
	snprintf(e->value, sizeof(e->value), "%s", value);
	return 1;
}

void
sheet_open(struct sheet *s, const char *text)
{
	int bad_line;

	*s = (struct sheet){ .room = 1 };
	for (const char *c = text; *c; c++)
		s->room += *c == '\n';
	s->entry = calloc(s->room, sizeof(*s->entry));
	if (!s->entry) {
		error_set(&s->error, "out of memory for the data sheet");
		return;
	}
	bad_line = ini_parse_string(text, add, s);
	if (bad_line && !sheet_failed(s))
		error_set(&s->error, "line %d is neither \"[section]\" nor \"key = value\"",
		    bad_line);
}

/* A key that the device has not looked up, in that section; NULL: in any. */
static const struct sheet_entry *
unasked(const struct sheet *s, const char *section)
{
	for (size_t i = 0; i < s->nentries; i++)
		if (!s->entry[i].known && (!section || !strcmp(s->entry[i].section, section)))
			return &s->entry[i];
	return NULL;
}

static const char of_costs[] = "cpu_ns";

/* False: the sheet has no such section, and the costs are 0. */
static bool
read_costs(struct sheet *s, struct cpu_costs *to)
{
	bool found = false;

	*to = (struct cpu_costs){ 0 };
	for (const struct cpu_cost_info *i = cpu_cost_info; i->name; i++) {
		if (!sheet_has(s, of_costs, i->name))
			continue;
		found = true;
		*cpu_cost(to, i) =
		    cpu_cost_of_ns(sheet_number(s, of_costs, i->name, 0, i->most_ns));
	}
	return found;
}

int
sheet_close(struct sheet *s, struct error *e)
{
	const struct sheet_entry *other;
	struct cpu_costs	  cpu;
	struct error		  fault;

	read_costs(s, &cpu); /* any device may have that section: it is checked here */
	other = unasked(s, s->missing);
	fault = s->error;
	if (other && !sheet_failed(s))
		sheet_fault(s, other->section, other->key, "unknown key");
	else if (other && s->missing)
		error_set(&s->error, "%s, and '%s' is unknown", fault.text, other->key);
	free(s->entry);
	s->entry = NULL;
	s->nentries = 0;
	if (!sheet_failed(s))
		return 0;
	*e = s->error;
	return -1;
}

bool
sheet_costs(const char *text, struct cpu_costs *to)
{
	struct sheet s;
	struct error ignored;
	bool	     found;

	*to = (struct cpu_costs){ 0 };
	if (!strstr(text, of_costs)) /* the usual case, and quick */
		return false;
	sheet_open(&s, text);
	found = read_costs(&s, to);
	sheet_close(&s, &ignored); /* the device knows the other sections */
	return found;
}

/* The value of a key, or NULL if it was left out. */
static const char *
value_of(struct sheet *s, const char *section, const char *key)
{
	struct sheet_entry *e = find(s, section, key);

	if (!e)
		return NULL;
	e->known = true;
	return e->value;
}

bool
sheet_has(const struct sheet *s, const char *section, const char *key)
{
	return find(s, section, key);
}

const char *
sheet_text(struct sheet *s, const char *section, const char *key)
{
	const char *value = value_of(s, section, key);

	if (!value || !*value) {
		if (!value && !sheet_failed(s))
			s->missing = section;
		sheet_fault(s, section, key, value ? "empty" : "missing");
		return "";
	}
	return value;
}

static double
number(struct sheet *s, const char *section, const char *key, const char *value, double min,
    double max)
{
	char  *end;
	double x = strtod(value, &end);

	if (end == value || *end || !isfinite(x))
		sheet_fault(s, section, key, "'%s' is not a number", value);
	else if (x < min || x > max)
		sheet_fault(s, section, key, "%s is not between %.15g and %.15g", value, min, max);
	else
		return x;
	return min;
}

double
sheet_number(struct sheet *s, const char *section, const char *key, double min, double max)
{
	return number(s, section, key, sheet_text(s, section, key), min, max);
}

double
sheet_number_or(struct sheet *s, const char *section, const char *key, double min, double max,
    double otherwise)
{
	const char *value = value_of(s, section, key);

	return value ? number(s, section, key, value, min, max) : otherwise;
}

uint64_t
sheet_count(struct sheet *s, const char *section, const char *key, uint64_t min, uint64_t max)
{
	double x = sheet_number(s, section, key, (double)min, (double)max);

	if (x != floor(x))
		sheet_fault(s, section, key, "%g is not a whole number", x);
	return (uint64_t)x;
}

unsigned
sheet_choice(struct sheet *s, const char *section, const char *key, const char *words)
{
	const char *value = sheet_text(s, section, key);
	size_t	    length = strlen(value);
	unsigned    which = 0;

	for (const char *w = words; *w; which++) {
		size_t n = strcspn(w, " ");

		if (n == length && !memcmp(w, value, n))
			return which;
		w += n + strspn(w + n, " ");
	}
	sheet_fault(s, section, key, "'%s' is not one of: %s", value, words);
	return 0;
}

unsigned
sheet_choice_or(struct sheet *s, const char *section, const char *key, const char *words,
    unsigned otherwise)
{
	return sheet_has(s, section, key) ? sheet_choice(s, section, key, words) : otherwise;
}

const struct sheet_entry *
sheet_next(struct sheet *s, const char *section, const struct sheet_entry *e)
{
	for (size_t i = e ? (size_t)(e - s->entry) + 1 : 0; i < s->nentries; i++)
		if (!strcmp(s->entry[i].section, section)) {
			s->entry[i].known = true;
			return &s->entry[i];
		}
	return NULL;
}

/* The non-negative number that *text starts with, or -1; *text moves behind it and the blanks. */
static double
take_number(const char **text)
{
	char  *end;
	double x = strtod(*text, &end);

	if (end == *text || (*end && *end != ' ' && *end != '\t') || !(x >= 0 && x <= 1e15))
		return -1;
	*text = end + strspn(end, " \t");
	return x;
}

void
sheet_row(struct sheet *s, const struct sheet_entry *e, double *out, unsigned n)
{
	const char *key = e->key, *value = e->value;
	bool	    good = (out[0] = take_number(&key)) >= 0;

	for (unsigned i = 1; i <= n; i++)
		good &= (out[i] = take_number(&value)) >= 0;
	if (good && !*key && !*value)
		return;
	memset(out, 0, (n + 1) * sizeof(*out));
	sheet_fault(s, e->section, e->key, "'%s' should be %u number%s, and the key one", e->value,
	    n, n == 1 ? "" : "s");
}

/* ---- changing one ---- */

static const char *
next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

static bool
begins_section(const char *line, const char *section)
{
	size_t n = strlen(section);

	return !strncmp(line + 1, section, n) && line[n + 1] == ']';
}

static bool
gives_key(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n) != 0)
		return false;
	line += n + strspn(line + n, " \t");
	return *line == '=' || *line == ':';
}

/* The line of the key; else the place for it, at the end of its section; else NULL. */
static const char *
place_of(const char *text, const char *section, const char *key, bool *given)
{
	const char *behind = NULL;
	bool	    inside = !*section;

	for (const char *line = text; *line; line = next_line(line)) {
		if (*line == '[')
			inside = begins_section(line, section);
		*given = inside && gives_key(line, key);
		if (*given)
			return line;
		if (inside && !strchr("\r\n", line[strspn(line, " \t")]))
			behind = next_line(line);
	}
	return behind;
}

char *
sheet_with(const char *text, const char *section, const char *key, const char *value,
    struct error *e)
{
	bool	    given = false;
	const char *at = place_of(text, section, key, &given), *end = text + strlen(text);
	struct memo m;

	if (memo_open(&m, e))
		return NULL;
	fwrite(text, 1, (size_t)((at ? at : end) - text), m.out);
	if ((!at || at == end) && *text && end[-1] != '\n')
		putc('\n', m.out);
	if (!at)
		fprintf(m.out, "\n[%s]\n", section);
	fprintf(m.out, "%s = %s\n", key, value);
	if (at)
		fputs(given ? next_line(at) : at, m.out);
	return memo_close(&m, e) ? NULL : m.text;
}
