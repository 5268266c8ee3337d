/*
 * progress.h - a line on the terminal that shows the progress of long work.
 *
 * Work stores where it is, which costs next to nothing; a timer of the program
 * prints the line from there, after one second and then five times a second.
 * Without progress_show(), as in a program that embeds the library, nothing is
 * printed, and these functions may be called from any thread.
 */
#ifndef SIM_PROGRESS_H
#define SIM_PROGRESS_H

#include <stdatomic.h>

#include "sim/base/types.h"

/* Start the timer, if standard error is a terminal that can erase a line. */
void progress_show(void);

/*
 * Begin work, in place of any other: "loading: 45 %, 3 s left", or with a unit
 * "simulating: 37 of 96 points, 4 s left".  Both texts are literals; unit may
 * be NULL.  A total of 0 is unknown.
 */
void progress_begin(const char *what, const char *unit, uint64_t total);
void progress_end(void); /* also erases the line */

/* Erase the line before other output; the timer prints it again. */
void progress_hide(void);

extern _Atomic uint64_t progress_done;

ALWAYS_INLINE void
progress_reach(uint64_t done)
{
	atomic_store_explicit(&progress_done, done, memory_order_relaxed);
}

#endif
