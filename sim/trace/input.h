/*
 * input.h - a trace file as a stream of bytes or lines, plain or gzip,
 * with a look at its head before anything is consumed.
 */
#ifndef SIM_INPUT_H
#define SIM_INPUT_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct input;

/* path "-" is standard input.  NULL on failure: missing, a directory, ... */
struct input *input_open(const char *path, struct error *e);
void	      input_close(struct input *in);

/* The first bytes of the stream, at most 64 KB; NULL on a damaged stream. */
const char *input_head(struct input *in, size_t *n, struct error *e);

/*
 * The next line without its end, NUL-terminated, valid until the next call:
 * 1; 0 at the end of the stream; -1 on a damaged one.
 */
int input_line(struct input *in, char **line, size_t *length, struct error *e);

/* Exactly n bytes into buf: 1; 0 at a clean end; -1 if fewer are left, or damaged. */
int input_bytes(struct input *in, void *buf, size_t n, struct error *e);

/* Its descriptor, to be mapped; -1 if it is packed or no regular file. */
int input_file(const struct input *in, struct error *e);

/* What has been read of the file so far, packed or not: its XXH3-64, and how much. */
uint64_t input_checksum(const struct input *in, uint64_t *bytes);

/* Lines handed out so far: the number of the current one; 0 if none was. */
uint64_t input_line_number(const struct input *in);

#endif
