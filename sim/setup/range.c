/* range.c - split lists of sizes and expand ranges. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/setup/options.h"
#include "sim/setup/range.h"

enum { ITEM_ROOM = 128, OF_MAX = 1000000, SHARE_MAX = 1000000, BYTES_STEP = 4096 };

static const double tolerance = 1e-9; /* relative: repeated factors are not exact */

struct texts {
	char   ***text;
	unsigned *n;
	uint64_t  room;
};

static int
append(struct texts *to, const char *size, struct error *e)
{
	char **grown;

	if (*to->n >= RANGE_SIZES_MAX)
		return error_usage(e, "more than %d sizes: take larger steps", RANGE_SIZES_MAX);
	if (*to->n >= to->room) {
		to->room = 2 * (uint64_t)*to->n + 16;
		grown = realloc(*to->text, to->room * sizeof(*grown));
		if (!grown)
			return error_no_memory(e);
		*to->text = grown;
	}
	(*to->text)[*to->n] = strdup(size);
	return (*to->text)[(*to->n)++] ? 0 : error_no_memory(e);
}

static int
parse_size(const char *text, struct size *s, struct error *e)
{
	const struct option_info *i = &option_info[OPTION_cache];

	return i->parse(i, s, text, e);
}

/* The eighths of the footprint. */
static int
append_auto(struct texts *to, struct error *e)
{
	static const char *const eighth[] = { "1/8", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8",
		"1/1" };

	for (size_t i = 0; i < sizeof(eighth) / sizeof(*eighth); i++)
		if (append(to, eighth[i], e) < 0)
			return -1;
	return 0;
}

/* ---- ranges ---- */

struct range {
	const char *item; /* as typed */
	struct size first, last, step;
	double	    factor; /* 0: add the step */
	double	    unit;   /* shares are counted in 1 / unit */
};

static bool
same_unit(const struct size *a, const struct size *b)
{
	return a->blocks == b->blocks && !a->of == !b->of;
}

/* Split the item into its parts; their texts are in `words`, one after the other. */
static int
split(char *words, const char **first, const char **last, const char **step, const char *item,
    struct error *e)
{
	char *a = strchr(words, ':'), *b = a ? strchr(a + 1, ':') : NULL;

	if (!b || strchr(b + 1, ':') || (b[1] != 'x' && b[1] != '+'))
		return error_usage(e,
		    "'%s' will not do: type FROM:TO:xN or FROM:TO:+SIZE, such as 1M:1G:x2", item);
	*a = *b = '\0';
	*first = words;
	*last = a + 1;
	*step = b + 1;
	return 0;
}

static int
parse_step(struct range *r, const char *step, struct error *e)
{
	if (*step == '+') {
		if (parse_size(step + 1, &r->step, e) < 0)
			return -1;
		if (!same_unit(&r->step, &r->first))
			return error_usage(e,
			    "'%s' mixes units: type the step in that of the sizes", r->item);
		return r->step.n ? 0 : error_usage(e, "'%s': the step must not be 0", r->item);
	}
	if (!number_decimal(step + 1, &r->factor) || !(r->factor > 1))
		return error_usage(e,
		    "'%s': '%s' will not do: type an x and a number above 1, "
		    "such as x2 or x1.5",
		    r->item, step);
	return 0;
}

/* "1M-64M" and "1M..64M" are answered as ranges that are incomplete. */
static bool
is_range_elsewhere(const char *item)
{
	return strstr(item, "..") || (*item != '-' && strchr(item, '-'));
}

/* Text is a copy of the item to take apart. */
static int
parse_range(struct range *r, char *text, struct error *e)
{
	const char *first = text, *last = text, *step = text;

	if (split(text, &first, &last, &step, r->item, e) < 0 ||
	    parse_size(first, &r->first, e) < 0)
		return -1;
	if (r->first.of && number_whole(last, &r->last.n))
		r->last.of = 1;
	else if (parse_size(last, &r->last, e) < 0)
		return -1;
	if (!same_unit(&r->first, &r->last))
		return error_usage(e,
		    "'%s' mixes units: type both ends in K, M, G or T, in b, or as "
		    "shares",
		    r->item);
	if (!r->first.n)
		return error_usage(e, "'%s': begin with more than 0", r->item);
	if (r->first.of > OF_MAX || r->last.of > OF_MAX)
		return error_usage(e, "'%s': a share of a range has a denominator of at most %d",
		    r->item, OF_MAX);
	if (r->last.of && r->last.n / r->last.of > SHARE_MAX)
		return error_usage(e, "'%s': a share of the footprint is at most %d", r->item,
		    SHARE_MAX);
	return parse_step(r, step, e);
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool
is_whole(double x)
{
	return fabs(x - round(x)) <= tolerance * x;
}

/* n / of, where n need not be whole. */
static void
print_share(double n, double of, char text[ITEM_ROOM])
{
	double	 scale = is_whole(n) ? 1 : 1000000;
	uint64_t a = (uint64_t)llround(n * scale), b = (uint64_t)llround(of * scale);
	uint64_t divisor = greatest_common_divisor(a, b);

	snprintf(text, ITEM_ROOM, "%" PRIu64 "/%" PRIu64, a / divisor, b / divisor);
}

static double
bytes_step(const struct range *r)
{
	double step = BYTES_STEP;

	while (step * 2 * 64 <= (double)r->first.n)
		step *= 2;
	return step;
}

/* As it is typed: "512B", as a size without a unit is refused. */
static void
print_bytes(uint64_t n, char text[ITEM_ROOM])
{
	number_format(text, n, PARAM_BYTES);
	if (n % 1024)
		strcat(text, "B");
}

static void
print_size(const struct range *r, double n, char text[ITEM_ROOM])
{
	if (r->first.of)
		print_share(n, r->unit, text);
	else if (r->first.blocks)
		snprintf(text, ITEM_ROOM, "%.0fb", round(n));
	else {
		if (!is_whole(r->factor) && n > (double)r->first.n &&
		    n < (double)r->last.n * (1 - tolerance))
			n = fmax((double)r->first.n, round(n / bytes_step(r)) * bytes_step(r));
		print_bytes((uint64_t)fmin(round(n), (double)r->last.n), text);
	}
}

/* In units of r: blocks, bytes or parts of the footprint. */
static double
in_units(const struct range *r, const struct size *s)
{
	return s->of ? (double)s->n * (r->unit / (double)s->of) : (double)s->n;
}

static int
count_out(struct range *r, struct texts *to, struct error *e)
{
	double	 first, last, step, n;
	unsigned start = *to->n;
	char	 text[ITEM_ROOM];

	r->unit = (double)r->first.of * (double)(r->step.of ? r->step.of : 1);
	first = in_units(r, &r->first);
	last = in_units(r, &r->last);
	step = in_units(r, &r->step);
	if (last < first * (1 - tolerance))
		return error_usage(e, "'%s': the end is below the beginning", r->item);
	for (unsigned k = 0;; k++) {
		n = r->factor > 0 ? first * pow(r->factor, k) : first + k * step;
		if (n > last * (1 + tolerance))
			return 0;
		print_size(r, n, text);
		if ((*to->n == start || strcmp((*to->text)[*to->n - 1], text)) &&
		    append(to, text, e) < 0)
			return -1;
		if (k > RANGE_SIZES_MAX)
			return error_usage(e, "'%s': the steps are too small", r->item);
	}
}

int
range_expand(const char *list, char ***text, unsigned *n, struct error *e)
{
	struct texts to = { text, n, *n };
	char	     item[ITEM_ROOM], words[ITEM_ROOM];

	for (;; list++) {
		size_t	     length = strcspn(list, ",");
		struct size  size;
		struct range range = { .item = item };
		int	     failed;

		if (!length)
			return error_usage(e,
			    "a size is missing in the list: type the sizes with "
			    "commas and without blanks, such as 1M,4M");
		if (length >= ITEM_ROOM)
			return error_usage(e, "'%.20s...' is too long for a size", list);
		snprintf(item, sizeof(item), "%.*s", (int)length, list);
		memcpy(words, item, sizeof(words));
		if (!strcmp(item, "auto"))
			failed = append_auto(&to, e);
		else if (strchr(item, ':') || is_range_elsewhere(item))
			failed = parse_range(&range, words, e) || count_out(&range, &to, e);
		else
			failed = parse_size(item, &size, e) || append(&to, item, e);
		if (failed)
			return -1;
		list += length;
		if (!*list)
			return 0;
	}
}
