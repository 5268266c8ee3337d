/*
 * error.h - the reason of a failure, in one line for a person.
 *
 * A function that can fail on bad input returns -1 (or NULL) and fills in a
 * struct error; callers pass it up untouched.  Only main.c prints it.
 */
#ifndef SIM_ERROR_H
#define SIM_ERROR_H

#include "sim/base/names.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SIGNALLED = 128 };

struct error {
	int  exit_code; /* EXIT_FAILED, EXIT_USAGE, or EXIT_SIGNALLED + a signal; 0: no error yet */
	char text[1024]; /* no newline, no "bufsim:" */
};

/* The input is bad, or the machine refused: exit 1.  Returns -1. */
int error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, for memory that has run out and no more to say. */
static inline int
error_no_memory(struct error *e)
{
	return error_set(e, "out of memory");
}

/* The command line is wrong: exit 2.  Returns -1. */
int error_usage(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Put "text: " in front of the message.  Returns -1. */
int error_prefix(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
