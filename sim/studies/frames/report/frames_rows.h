/* frames_rows.h - read what frames_csv() has written. */
#ifndef SIM_REPORT_FRAMES_ROWS_H
#define SIM_REPORT_FRAMES_ROWS_H

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/studies/frames/report/frames_report.h"

struct frames_rows { /* zeroed: none */
	struct frames_report *report;
	size_t		      n;
	uint32_t	      room;
	struct names	      text; /* of the reports */
};

/* Has a file the columns of bufsim frames? */
bool frames_rows_recognise(const struct csv *c);

/* Add the rows of a file. */
int  frames_rows_read(struct frames_rows *r, struct csv *c, struct error *e);
void frames_rows_release(struct frames_rows *r);

#endif
