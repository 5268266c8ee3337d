/*
 * assert.h - what must be true here, or a line of ours is wrong.
 *
 * Tests are built with -DBUFSIM_ASSERT (ASSERTED in the Makefile): the first condition that is
 * false is printed, and the program aborts.  A release does not evaluate a condition; the compiler
 * still reads it, so that it keeps up with the code.  So a condition has no side effects, and what a user
 * or a file can cause is an error (error.h), not an assertion.
 */
#ifndef SIM_ASSERT_H
#define SIM_ASSERT_H

#ifdef BUFSIM_ASSERT
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, cold, noreturn, unused)) static void
assert_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
	abort();
}

#define ASSERT(condition)                                                                          \
	(__builtin_expect(!!(condition), 1) ? (void)0                                              \
					    : assert_failed(__FILE__, __LINE__, #condition))
#else
#define ASSERT(condition) ((void)sizeof(!(condition)))
#endif

#endif
