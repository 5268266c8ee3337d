/* json.h - additions to cJSON: whole numbers of 64 bits, fixed decimals, output on one line. */
#ifndef SIM_JSON_H
#define SIM_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/draw/picture.h"

/* False: out of memory. */
bool json_count(cJSON *to, const char *name, uint64_t n);
bool json_decimal(cJSON *to, const char *name, double x);

/*
 * Print the object on one line if `whole`, and delete it in any case; it may be
 * NULL.  Its strings may be any text from outside: C0 is escaped, and the rest
 * made safe as text.h says.
 */
int json_print(cJSON *object, bool whole, FILE *out, struct error *e);

/* The same as the bytes of a file, which the caller frees. */
int json_picture(cJSON *object, bool whole, struct picture *to, struct error *e);

#endif
