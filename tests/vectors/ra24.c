/* ra24.c - vectors of the file readahead of Linux 2.4: every member of every read. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/vectors/read24.h"
#include "tests/vectors/vectors.h"

enum { MAX, END, LENGTH, WINDOW, INSIDE }; /* linux24's state */

static struct read24 reader;

static int
ra24_begin(const cJSON *header, struct error *e)
{
	const cJSON *kernel = cJSON_GetObjectItemCaseSensitive(header, "kernel");

	if (!cJSON_IsString(kernel))
		return error_set(e, "the header has no 'kernel'");
	return read24_begin(&reader, header, kernel->valuestring, e);
}

static void
ra24_end(void)
{
	read24_end(&reader);
}

/* Members of the step, in the vectors' words. */
static int
compare(const cJSON *step, char *why, struct error *e)
{
	const int64_t	   *s = reader.state;
	const struct pages *p = &reader.pages;
	char		    returned[32], state[160];
	struct {
		const char *name, *got;
	} member[] = {
		{ "ret", returned },
		{ "reada0", reader.was_sequential ? "1" : "0" },
		{ "ok", s[INSIDE] ? "1" : "0" },
		{ "ev", p->events.s },
		{ "demand", p->demanded.s },
		{ "ahead", p->ahead.s },
		{ "st", state },
	};
	int differs = 0;

	snprintf(returned, sizeof(returned), "%" PRIu64, reader.returned);
	snprintf(state, sizeof(state), "[%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "]",
	    reader.position[p->call.open].sequential, s[MAX], s[END], s[LENGTH], s[WINDOW]);
	for (size_t i = 0; i < sizeof(member) / sizeof(*member); i++) {
		int d = step_compare(step, member[i].name, member[i].got, why, DIFFERENCE_TEXT, e);

		if (d < 0)
			return -1;
		differs |= d;
	}
	return differs;
}

static int
ra24_step(const cJSON *step, char why[DIFFERENCE_TEXT], struct error *e)
{
	int changed = pages_change(&reader.pages, step, e);

	if (changed)
		return changed < 0 ? -1 : 0;
	if (read24_step(&reader, step, e) < 0)
		return -1;
	return compare(step, why, e);
}

const struct kind ra24 = { "ra24", "mode", ra24_begin, ra24_step, ra24_end };
