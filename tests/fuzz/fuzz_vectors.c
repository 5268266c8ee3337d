/*
 * fuzz_vectors.c - the input is a file of golden vectors, JSON on lines: taken
 * step by step.  Those of the request queue are left out: blk24.c trusts them.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/harness.h"
#include "tests/vectors/vectors.h"

static const struct kind *const kinds[] = { &ra24, &ra26, &e2e24 };

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct kind *
begin(const cJSON *header, struct error *e)
{
	for (int i = 0; i < KINDS; i++)
		if (cJSON_GetObjectItemCaseSensitive(header, kinds[i]->member)) {
			if (!kinds[i]->begin(header, e))
				return kinds[i];
			harness_refused(e);
			kinds[i]->end();
			return NULL;
		}
	return NULL;
}

/* False: nothing further can be taken. */
static bool
take(const cJSON *line, const struct kind **kind)
{
	static char  why[DIFFERENCE_TEXT];
	struct error e = { 0 };

	if (cJSON_GetObjectItemCaseSensitive(line, "hdr")) {
		if (*kind)
			(*kind)->end();
		*kind = begin(line, &e);
		return *kind;
	}
	if (!*kind)
		return false;
	why[0] = '\0';
	if ((*kind)->step(line, why, &e) >= 0)
		return true;
	harness_refused(&e);
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct kind *kind = NULL;
	char		  *text = calloc(1, n + 1), *rest;
	bool		   more = true;

	memcpy(text, bytes, n);
	for (char *line = strtok_r(text, "\n", &rest); line && more;
	     line = strtok_r(NULL, "\n", &rest)) {
		cJSON *o = cJSON_Parse(line);

		more = cJSON_IsObject(o) && take(o, &kind);
		cJSON_Delete(o);
	}
	if (kind)
		kind->end();
	free(text);
	return 0;
}
