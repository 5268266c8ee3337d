/*
 * output.h - a file that is written whole or not at all, plain or gzip.
 *
 * It grows under another name beside its own and is renamed when complete:
 * an error, a full disk or an interrupt leaves what was there before.  One at
 * a time.
 */
#ifndef SIM_OUTPUT_H
#define SIM_OUTPUT_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct output;

/* Does its ending, .gz, say that a file is packed? */
bool output_packs(const char *path);

/* Would writing to path replace the trace that is read from input?  A usage error. */
int output_spares(const char *path, const char *input, struct error *e);

/* A path that output_packs() is packed; "-" is standard output.  NULL on failure. */
struct output *output_open(const char *path, struct error *e);

int output_bytes(struct output *out, const void *buf, size_t n, struct error *e);

/* Put it in its place; *bytes, if not NULL, is how large it is.  Releases it, even on failure. */
int  output_commit(struct output *out, uint64_t *bytes, struct error *e);
void output_abandon(struct output *out);

/* All of it at once. */
int output_whole(const char *path, const void *buf, size_t n, struct error *e);

#endif
