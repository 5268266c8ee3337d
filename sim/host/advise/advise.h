/*
 * advise.h - the settings of Linux with which a trace takes least time.
 *
 * Two proposals: settings of the machine alone, and settings with advice that
 * the program gives.  Each consists of lines, a line being one thing to type;
 * its whole has been simulated, and so has the whole without each line, on the
 * given machine and on those near it.
 */
#ifndef SIM_ADVISE_ADVISE_H
#define SIM_ADVISE_ADVISE_H

#include "sim/host/advise/attempts.h"
#include "sim/host/advise/backing.h"

enum line_kind { LINE_WINDOW, LINE_SCHEDULER, LINE_REQUEST, LINE_FILE };

enum { LINES_MAX = LINE_FILE + FILES_MAX };

struct line {
	enum line_kind kind;
	unsigned       file;		       /* of attempts.file[], of LINE_FILE */
	uint64_t       without_us[NEARBY_MAX]; /* the proposal without this line */
};

struct proposal {
	struct setting setting;
	uint64_t       us[NEARBY_MAX];
	struct line    line[LINES_MAX];
	unsigned       nlines; /* 0: it saves too little */
};

struct advise {
	struct attempts attempts;
	struct backing	backing; /* of the files: without a queue, windows alone are tried */
	struct setting	as_is;	 /* Linux as it comes */
	uint64_t	as_is_us[NEARBY_MAX];
	struct proposal settings, with_advice;
	struct attempt *ranked; /* without advice, on the given machine, the fastest first */
	size_t		nranked;
};

/* A proposal saves at least 1/LEAST_SAVED of the time, and each line 1/LEAST_OF_LINE. */
enum { LEAST_SAVED = 100, LEAST_OF_LINE = 200, LEAST_LOST = 1000 };

/*
 * o: options of a run, complete but for what is searched.  s fits t, which has
 * been checked.  Release a in any case.
 */
int  advise_init(struct advise *a, const struct options *o, const struct kernel *k,
     const struct setup *s, const struct trace *t, struct error *e);
void advise_release(struct advise *a);

/* Is advice tried?  Not in a trace of volumes, nor of several programs, which cannot be written. */
bool advise_tries_files(const struct trace *t);

/* The proposal to follow, if the program can be changed; NULL: leave everything as it is. */
const struct proposal *advise_best(const struct advise *a);

/* Does the line cost more than 1/LEAST_LOST of the time on that machine? */
bool line_flips(const struct proposal *p, const struct line *l, unsigned nearby);

#endif
