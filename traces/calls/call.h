/*
 * call.h - one system call as strace prints it, cut into strings.
 *
 *	read(3</a/b>, "..."..., 4096) = 4096 <0.000012>
 *
 * Flags and the like are words, numbers (-X raw), or numbers with words in comments (-X verbose).
 */
#ifndef TRACES_CALL_H
#define TRACES_CALL_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct task;

enum { CALL_ARGS = 8, NO_FD = -1, HERE_FD = -2 };

/* One complete call. */
struct call {
	struct task *task;
	usec_t	     time, end;
	char	    *name, *arg[CALL_ARGS]; /* those that are missing are empty */
	unsigned     nargs;
	uint64_t     result;	  /* of a call that succeeded */
	char	    *result_text; /* from the = sign on */
};

/* A descriptor as it is shown. */
struct shown {
	int64_t fd;   /* or NO_FD; HERE_FD: AT_FDCWD */
	char   *path; /* or NULL */
	bool	deleted;
};

/*
 * Write the characters that strace -x and -xx show as \x2f as it does without them, in place: the
 * new length.
 */
size_t call_unhex(char *text, size_t n);

/* Cut the text, in place; false: it is not a whole call. */
bool call_cut(struct call *c, char *text);

/* "3</a/b>" or "AT_FDCWD</a>". */
struct shown call_fd(char *text);

/* Decimal or 0x... */
bool call_number(const char *text, uint64_t *number);

/*
 * Is the flag among them?  Names of flags are given without what they begin with: "TRUNC" is
 * O_TRUNC; the number is that of x86 and most machines.
 */
bool call_has(const char *flags, const char *name, uint64_t bit);

/* The same of an argument that is one of several words. */
bool call_is(const char *word, const char *name, uint64_t number);

/* "<0.000123>" of -T at the end of a line, in microseconds; -1: it is not there. */
usec_t call_duration(const char *text);

#endif
