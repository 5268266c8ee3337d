/*
 * output.h - a file that is written whole or not at all, plain or gzip.
 *
 * A temporary file in the same directory is renamed when it is complete: after
 * an error, a full disk or an interrupt the old file is still there.  One
 * output at a time.  SIGXFSZ should be ignored: a file that grows too large is
 * then an error.
 */
#ifndef SIM_OUTPUT_H
#define SIM_OUTPUT_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct output;

/* Does the name end in .gz, or .GZ? */
bool output_packs(const char *path);

/*
 * 0, or an error that is known before anything is written: the folder is
 * missing, or path is a directory, a device, protected, or a symbolic link to
 * nothing.  "-" will do.
 */
int output_check(const char *path, struct error *e);

/* 0, or a usage error if path and input are the same file. */
int output_spares(const char *path, const char *input, struct error *e);

/* 0, or a usage error if two outputs would be the same file, which need not exist. */
int output_differs(const char *path, const char *other, struct error *e);

/* A path that ends in .gz is packed; "-" is standard output.  NULL on failure. */
struct output *output_open(const char *path, struct error *e);

int output_bytes(struct output *out, const void *buf, size_t n, struct error *e);

/* Rename it to its path; *bytes, if not NULL, gets its size.  Releases out, even on failure. */
int  output_commit(struct output *out, uint64_t *bytes, struct error *e);
void output_abandon(struct output *out);

/* In a signal handler that ends the process: leave no half of a file behind. */
void output_remove_temporary(void);

/* Open, write and commit at once. */
int output_whole(const char *path, const void *buf, size_t n, struct error *e);

#endif
