/* replay_classes.h - calls of a replay by the time of their response, measured and predicted. */
#ifndef SIM_REPLAY_CLASSES_H
#define SIM_REPLAY_CLASSES_H

#include "sim/host/report/replay_report.h"

/* Both by time alone, so that they can be compared: a real call does not tell whether it has waited. */
enum { REPLAY_CLASSES = 4 };

struct replay_class {
	double	    most_us;
	const char *title, *column;
};
extern const struct replay_class replay_class_info[REPLAY_CLASSES];

struct replay_classes {
	uint64_t measured[REPLAY_CLASSES], predicted[REPLAY_CLASSES];
};

/* Of the median run; nothing is predicted without a device. */
struct replay_classes replay_classes_of(const struct replay_report *r);

/* Did the kernel count the pages that the median run read? */
bool replay_counts_pages(const struct replay_report *r);

#endif
