/*
 * measured.h - requests with response times measured on a drive: one at a
 * time, each started a given time after the end of the one before.
 */
#ifndef SIM_MEASURED_H
#define SIM_MEASURED_H

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/trace/measurement.h"

struct measured_request {
	uint64_t sector, line; /* line: of the file, from 1 */
	uint32_t sectors;
	bool	 write;
	bool	 sequential;  /* starts where the one before ended */
	double	 idle_us;     /* since the end of the one before */
	double	 response_us; /* as measured */
};

struct measured {
	const char		*name; /* of the file, for messages */
	struct measured_request *request;
	size_t			 n;
	uint32_t		 room;
};

/*
 * CSV with the columns op, lbn, blocks, measured_response_ms and
 * idle_before_ms, in any order among others, or DiskSim's text "R|W flag
 * first_block blocks response_us gap_us"; plain or gzip.  "-" is standard
 * input; path must outlive m.  0, or -1 with an error that names file and
 * line; release m in any case.
 */
int  measured_load(struct measured *m, const char *path, enum gap gap, struct error *e);
void measured_release(struct measured *m);

/* An error if a request goes beyond `capacity`, the number of sectors of a device. */
int measured_check(const struct measured *m, uint64_t capacity, struct error *e);

#endif
