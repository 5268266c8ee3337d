/*
 * recorders.h - the programs that can record, in one table: the cheapest first.
 *
 * Some start the program, as strace does.  Others attach to it: bufsim starts the
 * program itself, and holds it until they have.
 */
#ifndef SIM_RECORD_RECORDERS_H
#define SIM_RECORD_RECORDERS_H

#include "sim/base/error.h"
#include "sim/host/record/log.h"

/* In words: what takes the place of that word. */
#define RECORDER_LOG "@log"   /* the path of the pipe for its log */
#define RECORDER_PID "@pid"   /* the program, for those that attach */
#define RECORDER_OWN "@own"   /* bufsim: its close(RECORDER_LAST_FD) ends the recording */
#define RECORDER_FAST "@fast" /* an option that not every version has, or nothing */

enum { RECORDER_LAST_FD = -2 };

struct recorder {
	const char *name;
	const char *format; /* reads its log */
	const char *const
	    *words; /* its command line; behind it comes the program, unless it attaches */
	int (*check)(struct error *e); /* 0: it works here.  Else -1, and what to do */
	bool (*names)(void);	       /* do logs have names of files here?  NULL: always */
	log_see	    see;
	const char *nothing;	/* what to do if there is no log */
	const char *fast;	/* the option for RECORDER_FAST, */
	int	    fast_since; /* and since which version: 503 is 5.3 */
	bool	    attaches;
	bool	    by_path; /* files are known by their paths in the log */
};

enum { RECORDER_AUTO }; /* the cheapest that works here; then the rows of the table, from 1 */

/* faults: it must go with perf's page faults.  NULL: it does not work. */
const struct recorder *recorder_choose(unsigned which, bool faults, struct error *e);

/* Does RECORDER_FAST stand for an option here? */
bool recorder_is_fast(const struct recorder *r);

/* scripts/record/syscalls.bt */
extern const char recorder_recipe[];

#endif
