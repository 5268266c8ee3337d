/* measurement.c - take the fields of a measured request. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/trace/measurement.h"

const unsigned measurement_at[MEASUREMENT_COLUMNS] = { 0, 2, 3, 4, 5 };

const char *const measurement_called[MEASUREMENT_COLUMNS] = { "the first field", "first block",
	"blocks", "response", "gap" };

/* A whole number from min on. */
static int
take_count(const char *text, const char *called, uint64_t min, uint64_t *n, struct error *e)
{
	if (!number_whole(text, n))
		return error_set(e, "%s: '%.40s' is not a whole number", called, text);
	if (*n < min)
		return error_set(e, "%s: at least %" PRIu64 " must be moved", called, min);
	return 0;
}

static int
take_time(const char *text, const char *called, bool microseconds, double *us, struct error *e)
{
	if (*text == '-' && number_decimal(text + 1, us))
		return error_set(e, "%s: %.40s is negative", called, text);
	if (!number_decimal(text, us))
		return error_set(e, "%s: '%.40s' is not a number", called, text);
	if (!microseconds) /* 0.7 ms are 700 us, in spite of rounding */
		*us = round(*us * 1e9) / 1e6;
	return 0;
}

int
measurement_take(struct measurement *m, char *const field[], const unsigned at[],
    const char *const called[], bool microseconds, struct error *e)
{
	const char *op = field[at[MEASUREMENT_OP]], *many = field[at[MEASUREMENT_SECTORS]];
	uint64_t    sectors;

	if (strcmp(op, "R") != 0 && strcmp(op, "W") != 0)
		return error_set(e, "%s: '%.40s' is neither R nor W", called[MEASUREMENT_OP], op);
	m->write = *op == 'W';
	if (take_count(field[at[MEASUREMENT_SECTOR]], called[MEASUREMENT_SECTOR], 0, &m->sector,
		e) ||
	    take_count(many, called[MEASUREMENT_SECTORS], 1, &sectors, e))
		return -1;
	if (sectors > UINT32_MAX)
		return error_set(e, "%s: %.40s is too many for one request",
		    called[MEASUREMENT_SECTORS], many);
	m->sectors = (uint32_t)sectors;
	return take_time(field[at[MEASUREMENT_RESPONSE]], called[MEASUREMENT_RESPONSE],
		   microseconds, &m->response_us, e) ||
		take_time(field[at[MEASUREMENT_GAP]], called[MEASUREMENT_GAP], microseconds,
		    &m->gap_us, e)
	    ? -1
	    : 0;
}
