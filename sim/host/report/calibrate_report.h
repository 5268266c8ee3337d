/* calibrate_report.h - a calibration, for a person and for programs. */
#ifndef SIM_CALIBRATE_REPORT_H
#define SIM_CALIBRATE_REPORT_H

#include <stdio.h>

#include "sim/host/measure/probe.h"

struct calibrate_report {
	const struct calibration *fit;
	const struct point	 *point;
	unsigned		  npoints;
	struct probe_facts	  facts;
	const char		 *sheet; /* where it was written */
	bool			  is_here;
};

/* Why the figures should not be believed, as a sentence of at most CALIBRATE_DOUBT bytes; false: they may. */
enum { CALIBRATE_DOUBT = 256 };
bool calibrate_doubt(const struct calibrate_report *r, char text[CALIBRATE_DOUBT]);

void calibrate_text(const struct calibrate_report *r, FILE *out);
int  calibrate_json(const struct calibrate_report *r, FILE *out, struct error *e);

#endif
