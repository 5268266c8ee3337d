/* sampling.c - "0.1:256K", and the parts of a call that are kept. */
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/trace/sampling.h"

enum { UNIT_LEAST = 512 };

static int
parse_unit(const char *text, uint64_t *unit, struct error *e)
{
	*unit = 0;
	if (!strcmp(text, "file"))
		return 0;
	if (number_parse(text, PARAM_BYTES, unit, e) < 0)
		return -1;
	return *unit >= UNIT_LEAST
	    ? 0
	    : error_usage(e, "a unit of %s is too small: 512 is the least", text);
}

int
sampling_parse(const char *text, struct sampling *s, struct error *e)
{
	size_t	    n = strcspn(text, ":");
	const char *unit = text[n] ? text + n + 1 : "1M";
	char	    rate[NUMBER_TEXT];

	snprintf(rate, sizeof(rate), "%.*s", n < NUMBER_TEXT ? (int)n : 0, text);
	if (!number_fraction(rate, &s->rate) || s->rate <= 0 || s->rate > 1)
		return error_usage(e,
		    "'%s' will not do: type a share, at most 1, and of what: 0.1 or 10%% (of units of 1 MiB), 0.1:4K, 0.1:file",
		    text);
	s->below = sampling_below(s->rate);
	return parse_unit(unit, &s->unit, e);
}

static bool
chooses(const struct sampling *s, uint64_t inode, uint64_t offset)
{
	uint64_t place = s->unit ? offset / s->unit : 0;

	return sampling_chooses(sampling_hash(sampling_hash(inode) ^ place), s->below);
}

bool
sampling_next(const struct sampling *s, uint64_t inode, struct stretch *rest, struct stretch *part)
{
	bool in = false;

	while (rest->from < rest->to) {
		uint64_t end = s->unit ? (rest->from / s->unit + 1) * s->unit : rest->to;
		bool	 next = chooses(s, inode, rest->from);

		if (in && !next)
			return true;
		if (next && !in)
			part->from = rest->from;
		in = next;
		rest->from = part->to = end < rest->to ? end : rest->to;
	}
	return in;
}
