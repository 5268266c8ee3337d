/*
 * vectors.h - golden vectors: what genuine kernels did, step by step, in
 * gzipped JSON lines; and a program that has bufsim's own readahead and
 * request queue take the same steps.
 *
 * A line with "hdr" opens a pattern, the lines that follow are its steps.
 * A kind of vectors gets each line and, for a step, says what differs.
 */
#ifndef TESTS_VECTORS_VECTORS_H
#define TESTS_VECTORS_VECTORS_H

#include <cjson/cJSON.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { DIFFERENCE_TEXT = 1 << 16 };

struct kind {
	const char *name;   /* ra24, ra26, blk24, e2e24 */
	const char *member; /* a header that has this is of this kind */

	/* A pattern begins: start again.  -1: this header cannot be understood. */
	int (*begin)(const cJSON *header, struct error *e);

	/*
	 * Take one step.  0: as recorded; 1: not so, and why[], empty until
	 * then, says which member differs, what was expected and what came; -1: malformed.
	 */
	int (*step)(const cJSON *step, char why[DIFFERENCE_TEXT], struct error *e);

	void (*end)(void); /* release what begin() has obtained */
};

extern const struct kind ra24, ra26, blk24, e2e24;

#endif
