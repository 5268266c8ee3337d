/* values.c - take lists of settings apart, and expand the ranges of numbers and parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/setup/values.h"

enum { ITEM_ROOM = 64 };

struct values {
	char   ***text;
	unsigned *n;
	uint32_t  capacity;
};

static int
append(struct values *v, const char *text, size_t bytes, struct error *e)
{
	char **grown;

	if (*v->n >= VALUES_MAX)
		return error_usage(e, "more than %d values: use shorter ranges", VALUES_MAX);
	grown = array_grow(*v->text, *v->n, &v->capacity, sizeof(*grown));
	if (!grown)
		return error_no_memory(e);
	*v->text = grown;
	grown[*v->n] = strndup(text, bytes);
	return grown[(*v->n)++] ? 0 : error_no_memory(e);
}

/* Does a number or a version begin here: 4, 64K, 10%, 2.4.20?  A name may begin with a digit: 2q. */
static bool
is_number(const char *text)
{
	static const enum param_unit unit[] = { PARAM_BYTES, PARAM_USEC, PARAM_PART };
	char			     word[ITEM_ROOM];
	struct error		     ignored;
	uint64_t		     n;
	bool			     found;

	if (*text < '0' || *text > '9')
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, ",:+/"), text);
	found = word[strspn(word, "0123456789")] == '.';
	for (size_t i = 0; !found && i < sizeof(unit) / sizeof(*unit); i++)
		found =
		    !number_parse(word, unit[i], &n, &ignored) || number_too_large(word, unit[i]);
	return found;
}

/* Does a parameter begin here, "max=3"? */
static bool
is_parameter(const char *text)
{
	return text[strcspn(text, ",:=+/")] == '=';
}

/*
 * The end of a list's first value.  A comma ends it, unless a parameter or an
 * item of a parameter's list follows: "linux24:max=31,15,min=3,none" has two
 * values.
 */
static size_t
value_length(const char *list)
{
	size_t n = strcspn(list, ",");

	if (!memchr(list, ':', n))
		return n;
	while (list[n] && (is_parameter(list + n + 1) || is_number(list + n + 1)))
		n += 1 + strcspn(list + n + 1, ",");
	return n;
}

/* ---- the items of one parameter ---- */

/* The end of "4:256:x2", "4" or "8:32:+8"; the + of a step belongs to it. */
static size_t
item_length(const char *text)
{
	size_t n = strcspn(text, ",+/");

	if (n && text[n] == '+' && text[n - 1] == ':')
		n += 1 + strcspn(text + n + 1, ",+/");
	return n;
}

/* "FROM:TO:xN" or "FROM:TO:+N". */
struct range {
	uint64_t	first, last, step;
	double		factor; /* 0: add the step */
	enum param_unit unit;
};

/* Are all numbers of the range in that unit?  Step is NULL if it is a factor. */
static bool
fits(struct range *r, const char *first, const char *last, const char *step, enum param_unit unit)
{
	struct error ignored;

	r->unit = unit;
	return !number_parse(first, unit, &r->first, &ignored) &&
	    !number_parse(last, unit, &r->last, &ignored) &&
	    (!step || !number_parse(step, unit, &r->step, &ignored));
}

static int
parse_range(struct range *r, const char *item, struct error *e)
{
	static const enum param_unit unit[] = { PARAM_COUNT, PARAM_BYTES, PARAM_USEC, PARAM_SHARE };
	char			     words[ITEM_ROOM], *last, *step;
	bool			     found = false;

	*r = (struct range){ 0 };
	snprintf(words, sizeof(words), "%s", item);
	last = strchr(words, ':');
	step = strchr(last + 1, ':');
	if (!step || strchr(step + 1, ':') || !step[1] || !strchr("x+", step[1]))
		return error_usage(e,
		    "'%s' will not do: type FROM:TO:xN or FROM:TO:+N, such as 4:256:x2", item);
	*last++ = *step++ = '\0';
	if (*step == 'x' && (!number_decimal(step + 1, &r->factor) || !(r->factor > 1)))
		return error_usage(e, "'%s': type a number above 1 behind the x, such as x2", item);
	for (size_t i = 0; !found && i < sizeof(unit) / sizeof(*unit); i++)
		found = fits(r, words, last, *step == '+' ? step + 1 : NULL, unit[i]);
	if (!found)
		return error_usage(e, "'%s': these are not numbers of one unit", item);
	if (r->factor > 0 ? !r->first : !r->step)
		return error_usage(e, "'%s': the steps lead nowhere", item);
	return r->last < r->first ? error_usage(e, "'%s': the end is below the beginning", item)
				  : 0;
}

/* The k-th number of the range, or above its end. */
static double
range_at(const struct range *r, unsigned k)
{
	if (r->factor > 0)
		return round((double)r->first * pow(r->factor, k));
	return (double)r->first + (double)k * (double)r->step;
}

/* ---- all parameters ---- */

static int expand_from(struct values *v, const char *value, size_t from, struct error *e);

/* Put the text instead of the parameter's items, from..to, and go on behind it. */
static int
expand_with(struct values *v, const char *value, size_t from, size_t to, const char *text,
    size_t bytes, struct error *e)
{
	size_t rest = strlen(value + to);
	char  *whole = malloc(from + bytes + rest + 1);
	int    failed;

	if (!whole)
		return error_no_memory(e);
	memcpy(whole, value, from);
	memcpy(whole + from, text, bytes);
	memcpy(whole + from + bytes, value + to, rest + 1);
	failed = expand_from(v, whole, from + bytes, e);
	free(whole);
	return failed;
}

/* An item of the list at from..to: a single value, or a range. */
static int
expand_item(struct values *v, const char *value, size_t from, size_t to, const char *item, size_t n,
    struct error *e)
{
	char	     text[ITEM_ROOM], number[NUMBER_TEXT];
	struct range r;
	double	     at;

	if (!memchr(item, ':', n))
		return expand_with(v, value, from, to, item, n, e);
	if (n >= sizeof(text))
		return error_usage(e, "'%.20s...' is too long for a range", item);
	snprintf(text, sizeof(text), "%.*s", (int)n, item);
	if (parse_range(&r, text, e))
		return -1;
	for (unsigned k = 0; (at = range_at(&r, k)) <= (double)r.last; k++) {
		if (k > VALUES_MAX)
			return error_usage(e, "'%s': the steps are too small", text);
		if (k && range_at(&r, k - 1) >= at)
			continue;
		number_format(number, (uint64_t)at, r.unit);
		if (expand_with(v, value, from, to, number, strlen(number), e))
			return -1;
	}
	return 0;
}

/* The items of the parameter whose value begins there; their end is at *to. */
static int
expand_parameter(struct values *v, const char *value, size_t from, struct error *e)
{
	size_t to = from, at;

	do
		to += item_length(value + to);
	while (value[to] == ',' && is_number(value + to + 1) && to++);
	for (at = from; at <= to; at++) {
		size_t n = item_length(value + at);

		if (expand_item(v, value, from, to, value + at, n, e))
			return -1;
		at += n;
	}
	return 0;
}

/* Expand all parameters from there on. */
static int
expand_from(struct values *v, const char *value, size_t from, struct error *e)
{
	const char *equals = strchr(value + from, '=');

	if (!equals)
		return append(v, value, strlen(value), e);
	return expand_parameter(v, value, (size_t)(equals - value) + 1, e);
}

/* A single number, a range, or a name with parameters. */
static int
expand(struct values *v, const char *value, struct error *e)
{
	const char *colon = strchr(value, ':');

	if (colon && is_number(value))
		return expand_parameter(v, value, 0, e);
	return expand_from(v, value, colon ? (size_t)(colon - value) : strlen(value), e);
}

/* Was a comma typed instead of a colon, "ondemand,pages=32"? */
static int
check_colon(const char *list, size_t length, struct error *e)
{
	const char *next = list + length + 1;

	if (list[length] != ',' || memchr(list, ':', length) || !is_parameter(next))
		return 0;
	return error_usage(e, "parameters follow a colon: type %.*s:%.*s", (int)length, list,
	    (int)strcspn(next, ","), next);
}

static int
expand_list(struct values *v, const char *list, size_t (*length_of)(const char *),
    int (*expand_one)(struct values *, const char *, struct error *), struct error *e)
{
	for (;;) {
		size_t length = length_of(list);
		char  *value;
		int    failed;

		if (!length)
			return error_usage(e,
			    "a value is missing in the list: type the values with commas and "
			    "without blanks");
		if (expand_one == expand && check_colon(list, length, e))
			return -1;
		value = strndup(list, length);
		failed = value ? expand_one(v, value, e) : error_no_memory(e);
		free(value);
		if (failed)
			return -1;
		if (!list[length])
			return 0;
		list += length + 1;
	}
}

int
values_expand(const char *list, char ***text, unsigned *n, struct error *e)
{
	struct values v = { text, n, *n };

	return expand_list(&v, list, value_length, expand, e);
}

/* ---- costs ---- */

/* Is the parameter that begins at `at` also among those of the value before it? */
static bool
is_given(const char *value, const char *at)
{
	size_t name = strcspn(at, "=") + 1;

	for (; value < at; value += strcspn(value, ",") + 1)
		if (!strncmp(value, at, name))
			return true;
	return false;
}

static size_t
costs_length(const char *list)
{
	size_t n = strcspn(list, ",");

	if (!is_parameter(list))
		return n;
	while (list[n] &&
	    (is_number(list + n + 1) ||
		(is_parameter(list + n + 1) && !is_given(list, list + n + 1))))
		n += 1 + strcspn(list + n + 1, ",");
	return n;
}

static int
expand_costs(struct values *v, const char *value, struct error *e)
{
	return expand_from(v, value, 0, e);
}

int
costs_expand(const char *list, char ***text, unsigned *n, struct error *e)
{
	struct values v = { text, n, *n };

	return expand_list(&v, list, costs_length, expand_costs, e);
}
