/*
 * input.h - a trace file as a stream of bytes or lines, plain or packed
 * (unpack.h); its first bytes can be examined before they are read.  A
 * byte-order mark (UTF-8) is skipped.
 */
#ifndef SIM_INPUT_H
#define SIM_INPUT_H

#include <sys/types.h>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/trace/times.h"

enum { INPUT_NOTES = 8 };

struct input;

/* path "-" is standard input.  NULL on failure: missing, a directory, ... */
struct input *input_open(const char *path, struct error *e);
void	      input_close(struct input *in);

/*
 * Another file of the trace whose first file is open, such as that of another processor.  It is
 * closed, rewound and in the checksum with the first, which has the notes of all.
 */
struct input *input_beside(struct input *first, const char *path, struct error *e);

/* The file that was opened beside the trace behind this one, or NULL. */
struct input *input_next(const struct input *in);

/* As given to input_open() or input_beside(). */
const char *input_path(const struct input *in);

/* Can it be read again from its beginning?  Not a pipe. */
bool input_rewinds(const struct input *in);

/* Back to the beginning, with all files beside it; 0 or -1. */
int input_rewind(struct input *first, struct error *e);

/*
 * The same from a function instead of a file.  It puts at most n bytes at `to`: their number; 0 at
 * the end; -1: error.
 */
typedef ssize_t input_source(void *from, void *to, size_t n, struct error *e);
struct input   *input_from(input_source *source, void *from, struct error *e);

/* The first bytes of the stream, at most 64 KB; NULL on a damaged stream. */
const char *input_head(struct input *in, size_t *n, struct error *e);

/* "```", as a log has it around it that was pasted into a report: such lines do not count. */
static inline bool
input_is_fence(const char *line)
{
	return line[0] == '`' && line[1] == '`' && line[2] == '`';
}

/*
 * The next line without its end and without a byte-order mark (files one behind the
 * other have several), NUL-terminated, valid until the next call:
 * 1; 0 at the end of the stream; -1 on a damaged one.
 */
int input_line(struct input *in, char **line, size_t *length, struct error *e);

/* Exactly n bytes into buf: 1; 0 at a clean end; -1 if fewer are left, or damaged. */
int input_bytes(struct input *in, void *buf, size_t n, struct error *e);

/*
 * As many records of that size as are at hand, one at least and `most` at most: 1, and *first is
 * the first of *n of them, valid until the next call; 0 at a clean end; -1 as above.
 */
int input_records(struct input *in, size_t size, size_t most, const unsigned char **first,
    size_t *n, struct error *e);

/*
 * A descriptor for mmap(), closed with the input; -1: an error.  That of a file that is packed or
 * not regular is a copy, unpacked, in a temporary file without a name, and the stream has ended.
 */
int input_file(struct input *in, struct error *e);

/*
 * The XXH3-64 and the number of the bytes read so far, before unpacking; of several files, a
 * mixture of their XXH3-64.
 */
uint64_t input_checksum(const struct input *in, uint64_t *bytes);

/*
 * Something about the file that its user should know, once: a sentence that lasts as long as the
 * format, such as "a byte-order mark was skipped".  Only the first INPUT_NOTES are kept.
 */
void input_note(struct input *in, const char *sentence);

/* The same about one of many records: the note says how many. */
void input_count(struct input *in, const char *sentence);

/*
 * A line that is no record was passed over, such as a heading: the report tells how many there
 * are, and a file that has too many is refused.
 */
void input_skip(struct input *in, const char *line);

/* How many; of the first one its number and its beginning. */
enum { SKIPPED_ROOM = 64 };
struct skipped {
	uint64_t lines, first;
	char	 text[SKIPPED_ROOM];
};
const struct skipped *input_skipped(const struct input *in);

/* The unit of the times in the file; initially TIME_UNITS. */
void			 input_set_scale(struct input *in, const struct time_scale *times);
const struct time_scale *input_scale(const struct input *in);

/* The same of several records at once. */
void input_count_more(struct input *in, const char *sentence, uint64_t times);

/* Note number i, or NULL; *times is 0, or how often it was counted. */
const char *input_noted(const struct input *in, unsigned i, uint64_t *times);

/* Has the current line, the last one, no end?  It is not asked for again. */
bool input_is_cut(struct input *in);

/* The number of the current line, from 1; 0 before the first. */
uint64_t input_line_number(const struct input *in);

#endif
