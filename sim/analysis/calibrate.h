/*
 * calibrate.h - fit the constants of a disk's data sheet that do not follow
 * from a drive's mechanics: overheads, and the least time to position.
 */
#ifndef SIM_CALIBRATE_H
#define SIM_CALIBRATE_H

#include "sim/analysis/demerit.h"

enum constant_id {
	HIT_AFTER_READ,
	HIT_AFTER_WRITE,
	MISS_AFTER_READ,
	MISS_AFTER_WRITE,
	WRITE_AFTER_READ,
	WRITE_AFTER_WRITE,
	HIT_SEQUENTIAL,
	MISS_SEQUENTIAL,
	WRITE_SEQUENTIAL,
	LEAST_READ,
	LEAST_WRITE,
	CONSTANTS
};

/* The place of each in a data sheet. */
struct constant_info {
	const char *section, *key;
};
extern const struct constant_info constant_info[CONSTANTS];

struct calibration {
	double before[CONSTANTS], after[CONSTANTS]; /* ms; NAN: not in the sheet */
	size_t served[CONSTANTS]; /* requests from the buffer that gave the median; 0: no median */
	char  *sheet;		  /* with the fitted constants */
};

/* Did the fit change that constant? */
bool calibration_changed(const struct calibration *k, enum constant_id id);

/* Fit them to the first n requests of m; a usage error if cfg's device is not a disk. */
int  calibrate(struct calibration *k, const struct measured *m, size_t n, const struct config *cfg,
     struct error *e);
void calibration_release(struct calibration *k);

#endif
