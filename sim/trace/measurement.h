/*
 * measurement.h - one request with the response time that was measured on a
 * drive, from the fields of a line: DiskSim's text, "R|W flag first_block
 * blocks response_us gap_us", or a row of CSV.
 */
#ifndef SIM_MEASUREMENT_H
#define SIM_MEASUREMENT_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct measurement {
	uint64_t sector;
	uint32_t sectors;
	bool	 write;
	double	 response_us;
	double	 gap_us; /* between the end of one request and the start of the next */
};

enum measurement_column {
	MEASUREMENT_OP,
	MEASUREMENT_SECTOR,
	MEASUREMENT_SECTORS,
	MEASUREMENT_RESPONSE,
	MEASUREMENT_GAP,
	MEASUREMENT_COLUMNS
};

/* The gap on a line of DiskSim's text comes before the request of the line, or after it. */
enum gap { GAP_BEFORE, GAP_AFTER };

enum { MEASUREMENT_FIELDS = 6 }; /* of a line of DiskSim's text */

/* Where DiskSim's text has the columns, and what they are called in messages. */
extern const unsigned	 measurement_at[MEASUREMENT_COLUMNS];
extern const char *const measurement_called[MEASUREMENT_COLUMNS];

/* Column c is field[at[c]]; times are in microseconds, or else in milliseconds.  0 or -1. */
int measurement_take(struct measurement *m, char *const field[], const unsigned at[],
    const char *const called[], bool microseconds, struct error *e);

#endif
