/*
 * hlrc.h - the state of the protocol hlrc, and what becomes of the copies of a page.
 *
 * A team has one memory: a process alone, or the processes of a node.  Each page has its home in a
 * team, which always has what was sent to it.  Elsewhere the first write makes a twin, and what was
 * written since then goes home as a diff.  A process has a mapping of its own to the copy of its
 * team.
 *
 * Versions are turns: a copy holds the intervals that had ended when it was fetched.  The values are
 * not known, so that a word is in a diff when it was written, also with what it had.
 */
#ifndef SIM_SHARE_HLRC_H
#define SIM_SHARE_HLRC_H

#include "sim/studies/share/model/network.h"
#include "sim/studies/share/model/notices.h"
#include "sim/studies/share/model/protocol.h"

enum { PER_PROCESS, PER_NODE };
enum { HOME_FIRST, HOME_BLOCK, HOME_ROUNDROBIN };

/* The mapping of a process to a page. */
enum {
	READABLE = 1,
	WRITABLE = 2,
	TWINNED = 4, /* writable, and away from home */
	LISTED = 8   /* written in this interval */
};

/* Of a page, in the memory of a team away from its home. */
struct copy {
	uint64_t fetched;  /* turn; 0: never */
	uint64_t required; /* the last end of an interval with a notice of it, of those seen */
	uint64_t writers;  /* processes; none: no twin */
	uint64_t words;	   /* written since the twin */
	uint64_t ready_ns; /* it has come */
};

struct hlrc {
	const struct world *world;
	struct notices	    notices;
	uint8_t		   *mapping; /* [page][process] */
	struct network	    network;
	uint8_t		   *home;    /* [page] process + 1; 0: not yet known */
	uint64_t	   *current; /* [page] when the home has applied the last diff */
	struct copy	   *copy;    /* [page][team] */
	uint64_t	   *mark;    /* [page][team][mark_room] a bit a word: is it in the diff? */
	uint32_t	   *bit;     /* [words] of a word in the marks of its page, + 1 */
	uint32_t	   *bits;    /* [page] given to words */
	uint32_t	   *list;    /* [process][pages] written in this interval */
	uint32_t	    listed[PROCESSORS_MAX];
	uint8_t		    team[PROCESSORS_MAX];
	uint8_t		    members[PROCESSORS_MAX];  /* of a team */
	uint8_t		    first[PROCESSORS_MAX];    /* of a team */
	uint8_t		    arrived[PROCESSORS_MAX];  /* at the barrier, of a team */
	uint64_t	    reported[PROCESSORS_MAX]; /* notices of a team since the last barrier */
	uint64_t	    leaves[PROCESSORS_MAX];   /* when a team leaves the barrier */
	uint64_t	    managed; /* when the manager has read the last message of the barrier */
	unsigned	    processors, teams, mark_room;
	size_t		    pages;
	bool		    counting; /* between create and join */
	uint64_t	    per, home_rule;
	uint64_t	    faults, fetches, twins, diffs, diff_bytes, messages, write_notices;
	uint64_t	    home_faults, intervals, table_intervals, table_bytes;
};

static inline struct copy *
copy_of(const struct hlrc *v, unsigned team, uint32_t page)
{
	return &v->copy[(size_t)page * v->teams + team];
}

static inline uint64_t *
marks_of(const struct hlrc *v, unsigned team, uint32_t page)
{
	return &v->mark[((size_t)page * v->teams + team) * v->mark_room];
}

static inline uint8_t *
mapping_of(const struct hlrc *v, unsigned process, uint32_t page)
{
	return &v->mapping[(size_t)page * v->processors + process];
}

static inline bool
is_home(const struct hlrc *v, unsigned process, uint32_t page)
{
	return v->home[page] && v->team[v->home[page] - 1] == v->team[process];
}

static inline void
hlrc_charge(const struct hlrc *v, unsigned process, enum time_part part, uint64_t ns)
{
	clocks_charge(v->world->clocks, process, part, ns);
}

static inline uint64_t
hlrc_now(const struct hlrc *v, unsigned process)
{
	return clocks_now(v->world->clocks, process);
}

/* Tables of all pages.  0, or -1: out of memory. */
int  hlrc_copies_init(struct hlrc *v, struct error *e);
void hlrc_copies_release(struct hlrc *v);

/* The mapping of a process does not allow the reference. */
void hlrc_fault(struct hlrc *v, unsigned process, uint32_t page, bool write);

/*
 * The process has written, away from home: what the team has written goes there.  A twin of others
 * stays, as of now.
 */
void hlrc_flush(struct hlrc *v, unsigned process, uint32_t page);

#endif
