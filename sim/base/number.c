/* number.c - read numbers strictly, print them readably. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"

struct suffix {
	const char *text;
	uint64_t    factor;
};

/* Largest first: number_format() takes the first that divides the value. */
static const struct suffix count_suffix[] = { { "", 1 }, { 0 } };
static const struct suffix bytes_suffix[] = { { "T", 1ULL << 40 }, { "G", 1ULL << 30 },
	{ "M", 1ULL << 20 }, { "K", 1ULL << 10 }, { "", 1 }, { 0 } };
static const struct suffix usec_suffix[] = { { "s", 1000000 }, { "ms", 1000 }, { "us", 1 }, { 0 } };

static const struct {
	const struct suffix *suffix;
	const char	    *accepted;
} units[] = {
	[PARAM_COUNT] = { count_suffix, "a whole number such as 12" },
	[PARAM_BYTES] = { bytes_suffix, "bytes, or a number with K, M, G or T such as 64K" },
	[PARAM_USEC] = { usec_suffix, "a number with us, ms or s such as 30s" },
	[PARAM_TEXT] = { count_suffix, "a text" },
};

/* Of 1024. */
static unsigned
unit_power(char letter)
{
	return (unsigned)(strchr("KMGT", toupper((unsigned char)letter)) - "KMGT") + 1;
}

/* The number that text starts with; *end is set behind it.  False: no digits, or too many. */
static bool
digits(const char *text, uint64_t *out, const char **end)
{
	uint64_t n = 0;

	for (*end = text; **end >= '0' && **end <= '9'; ++*end) {
		unsigned digit = (unsigned)(**end - '0');

		if (n > (UINT64_MAX - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	*out = n;
	return *end > text;
}

/* 64M, 64m, 64MB, 64MiB, 64 MiB, 1.5G, 4096, 4096B.  A part of a byte is rounded. */
static bool
parse_bytes(const char *text, uint64_t *out)
{
	const char *end, *point, *s;
	uint64_t    part = 0, factor;
	double	    scale = 1;
	unsigned    power;

	if (!digits(text, out, &end))
		return false;
	point = end;
	if (*point == '.') {
		if (!digits(point + 1, &part, &end))
			return false;
		for (s = point + 1; s < end; s++)
			scale *= 10;
	}
	s = end + (*end == ' ' && end[1]);
	power = *s && strchr("KMGTkmgt", *s) ? unit_power(*s) : 0;
	factor = 1ULL << 10 * power;
	s += power > 0;
	if (*s && strcmp(s, "B") && (!power || strcmp(s, "iB")))
		return false;
	if ((*point == '.' && !power) || *out > UINT64_MAX / factor - (part > 0))
		return false;
	*out = *out * factor + (uint64_t)((double)part / scale * (double)factor + 0.5);
	return true;
}

/* Why a size is not one. */
static int
refuse_bytes(const char *text, struct error *e)
{
	uint64_t    n;
	const char *end;

	if (digits(text, &n, &end) && *end && strchr("KMGTkmgt", *end) &&
	    (!strcmp(end + 1, "b") || !strcmp(end + 1, "ib")))
		return error_usage(e,
		    "'%s' will not do: type %" PRIu64
		    "%cB for bytes; a small b is for blocks, as in 2048b",
		    text, n, toupper((unsigned char)*end));
	return error_usage(e, "'%s' will not do: type %s", text, units[PARAM_BYTES].accepted);
}

static int
parse_share(const char *text, uint64_t *out, struct error *e)
{
	double share;

	if (!number_fraction(text, &share) || share > SHARE_ONE)
		return error_usage(e, "'%s' will not do: type a share such as 0.5 or 50%%", text);
	*out = (uint64_t)(share * SHARE_ONE + 0.5);
	return 0;
}

static int
parse_part(const char *text, uint64_t *out, struct error *e)
{
	double share;

	if (number_blocks(text, out) && *out < PART_BLOCKS) {
		if (!*out)
			return error_usage(e, "'%s' will not do: 1b is the least", text);
		*out += PART_BLOCKS;
		return 0;
	}
	if (number_fraction(text, &share) && share < PART_BLOCKS / SHARE_ONE)
		return parse_share(text, out, e);
	return error_usage(e, "'%s' will not do: type a share such as 25%%, or blocks such as 32b",
	    text);
}

static bool
parse_scaled(const char *text, enum param_unit unit, uint64_t *out)
{
	const char *end;

	if (!digits(text, out, &end))
		return false;
	for (const struct suffix *s = units[unit].suffix; s->text; s++)
		if (!strcmp(end, s->text) && *out <= UINT64_MAX / s->factor) {
			*out *= s->factor;
			return true;
		}
	return false;
}

/* A share has no unit; its limit is 1. */
static bool
parse(const char *text, enum param_unit unit, uint64_t *out)
{
	return unit == PARAM_BYTES ? parse_bytes(text, out) : parse_scaled(text, unit, out);
}

bool
number_too_large(const char *text, enum param_unit unit)
{
	size_t	 n = strspn(text, "0123456789");
	char	 one[NUMBER_TEXT];
	uint64_t ignored;

	if (unit >= PARAM_SHARE || !n || strlen(text + n) > sizeof(one) - 2 ||
	    parse(text, unit, &ignored))
		return false;
	snprintf(one, sizeof(one), "1%s", text + n);
	return parse(one, unit, &ignored);
}

int
number_parse(const char *text, enum param_unit unit, uint64_t *out, struct error *e)
{
	if (strchr(text, ':'))
		return error_usage(e, "'%s' is a range, for bufsim sweep, compare and mrc", text);
	if (unit == PARAM_SHARE)
		return parse_share(text, out, e);
	if (unit == PARAM_PART)
		return parse_part(text, out, e);
	if (parse(text, unit, out))
		return 0;
	if (number_too_large(text, unit))
		return error_usage(e, "'%s' is too large", text);
	if (unit == PARAM_BYTES)
		return refuse_bytes(text, e);
	return error_usage(e, "'%s' will not do: type %s", text, units[unit].accepted);
}

bool
number_whole(const char *text, uint64_t *out)
{
	const char *end;

	return digits(text, out, &end) && !*end;
}

bool
number_blocks(const char *text, uint64_t *out)
{
	const char *end;

	return digits(text, out, &end) && !strcmp(end, "b");
}

bool
number_share(const char *text, uint64_t *part, uint64_t *of)
{
	const char *end;

	return digits(text, part, &end) && *end == '/' && digits(end + 1, of, &end) && !*end &&
	    *part && *of && *part / *of <= 1000000;
}

bool
number_part(const char *text, uint64_t *part, uint64_t *of)
{
	const char *end;
	uint64_t    tenths = 0;
	bool	    point;

	*of = 1;
	if (!digits(text, part, &end) || *part > 1000000)
		return false;
	point = *end == '.';
	if (point) {
		const char *s = end + 1;

		if (!digits(s, &tenths, &end) || end - s > 6)
			return false;
		for (; s < end; s++)
			*of *= 10;
		*part = *part * *of + tenths;
	}
	if (!strcmp(end, "%"))
		*of *= 100;
	else if (*end || !point || *part > *of)
		return false;
	return *part > 0;
}

bool
number_decimal(const char *text, double *out)
{
	uint64_t    whole, part = 0;
	double	    scale = 1;
	const char *end;

	if (!digits(text, &whole, &end))
		return false;
	if (*end == '.') {
		const char *point = end + 1;

		if (!digits(point, &part, &end))
			return false;
		for (; point < end; point++)
			scale *= 10;
	}
	*out = (double)whole + (double)part / scale;
	return !*end;
}

bool
number_fraction(const char *text, double *out)
{
	size_t n = strlen(text);
	bool   percent = n && text[n - 1] == '%';
	char   number[NUMBER_TEXT];

	snprintf(number, sizeof(number), "%.*s", n < NUMBER_TEXT ? (int)(n - percent) : 0, text);
	if (!number_decimal(number, out))
		return false;
	*out /= percent ? 100 : 1;
	return true;
}

/* Not by %g: a small value would get an exponent. */
static char *
format_share(char buf[NUMBER_TEXT], uint64_t value)
{
	size_t n = (size_t)snprintf(buf, NUMBER_TEXT, "%" PRIu64 ".%06" PRIu64, value / SHARE_ONE,
	    value % SHARE_ONE);

	while (buf[n - 1] == '0')
		n--;
	buf[buf[n - 1] == '.' ? n - 1 : n] = '\0';
	return buf;
}

double
number_percent(uint64_t part, uint64_t of)
{
	return of ? 100 * (double)part / (double)of : 0;
}

uint64_t
number_top(uint64_t n, uint64_t top)
{
	return top && top < n ? top : n;
}

char *
number_format(char buf[NUMBER_TEXT], uint64_t value, enum param_unit unit)
{
	const struct suffix *s;

	if (unit == PARAM_PART && value >= PART_BLOCKS) {
		snprintf(buf, NUMBER_TEXT, "%" PRIu64 "b", value - PART_BLOCKS);
		return buf;
	}
	if (unit == PARAM_SHARE || unit == PARAM_PART)
		return format_share(buf, value);
	s = units[unit].suffix;
	while (s->factor > 1 && (!value || value % s->factor))
		s++;
	snprintf(buf, NUMBER_TEXT, "%" PRIu64 "%s", value / s->factor, s->text);
	return buf;
}

char *
number_group(char buf[NUMBER_TEXT], uint64_t value)
{
	char   plain[NUMBER_TEXT];
	size_t n = (size_t)snprintf(plain, sizeof(plain), "%" PRIu64, value);
	char  *out = buf;

	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*out++ = ',';
		*out++ = plain[i];
	}
	*out = '\0';
	return buf;
}

char *
number_bytes(char buf[NUMBER_TEXT], uint64_t bytes)
{
	static const char *const unit[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double			 size = (double)bytes / 1024;
	const char *const	*u = unit;

	if (bytes < 1024) {
		snprintf(buf, NUMBER_TEXT, "%" PRIu64 " B", bytes);
		return buf;
	}
	for (; size >= 1024; size /= 1024)
		u++;
	snprintf(buf, NUMBER_TEXT, "%.1f %s", size, *u);
	return buf;
}

char *
number_disk(char buf[NUMBER_TEXT], uint64_t bytes)
{
	static const char *const unit[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	double			 size = (double)bytes / 1000;
	const char *const	*u = unit;

	for (; size >= 1000; size /= 1000)
		u++;
	snprintf(buf, NUMBER_TEXT, "%.1f %s", size, *u);
	return buf;
}

char *
number_time(char buf[NUMBER_TEXT], uint64_t us)
{
	char   group[NUMBER_TEXT];
	size_t n;

	if (us < 1000) {
		snprintf(buf, NUMBER_TEXT, "%" PRIu64 " us", us);
	} else if (us < 1000000) {
		snprintf(buf, NUMBER_TEXT, "%" PRIu64 ".%03" PRIu64 " ms", us / 1000, us % 1000);
	} else {
		n = strlen(number_group(group, us / 1000000));
		memcpy(buf, group, n);
		snprintf(buf + n, NUMBER_TEXT - n, ".%03" PRIu64 " s", us / 1000 % 1000);
	}
	return buf;
}
