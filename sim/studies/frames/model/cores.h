/*
 * cores.h - modelled cores: the scripts of a trial on n cores with clocks of their own, for those
 * who have fewer.
 *
 * There are as many cores as threads; more threads than cores are not modelled.  Always the core
 * with the earliest clock goes on.  It runs a whole operation of the pool, and the locks that it
 * takes are noted with the time between them; then the note is played back among those of the other
 * cores.  So each request for a lock is served at its time, in the exact order of times.  What an
 * operation finds in the lists depends on the order in which operations begin: with one lock, taken
 * first, that is the order of the lock but for waiting threads that others overtake.
 *
 * Costs in ns:
 *	base	    each operation, behind its last lock
 *	touch	    each line that it reads or writes (touch()), and for a page that is sent or received, lines of the channel
 *	transfer    more, if another core was the last to touch the line or to hold the lock.  Reading counts as writing, so
 *		    lines that are only read cost too much.  Caches have no end: no line is lost but to other cores.
 *	lock	    taking and releasing a free lock
 *
 * and if the lock is held, by its kind:
 *	spin	    That of guard.h: the core that has waited longest sees a release handover later and tries, and may find that another
 *		    was faster.  handover varies by spread % at most, in a fixed sequence.
 *	queue	    First come, first served, as in the kernel; a hand-over costs handover in the place of a transfer.
 *
 * Threads start after the first one, start ns later, which varies by spread % too.
 *
 * A channel has a line for 8 pages, one that counts pages sent and one for pages received.  A move
 * touches the line of the page and that of its own count, and that of the other only if it has to
 * look there (player.h).  A core that waits touches none.
 *
 * Not modelled: lines that come at the same time; a hand-over that is slower the more cores wait;
 * what interrupts a thread, so that cores of equal work fall into step, where threads drift.
 *
 * Source of the kinds: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization
 * on shared-memory multiprocessors", ACM TOCS 9(1), 1991.
 */
#ifndef SIM_FRAMES_CORES_H
#define SIM_FRAMES_CORES_H

#include "sim/studies/frames/model/player.h"
#include "sim/studies/frames/model/trial.h"

enum { LOCK_SPIN, LOCK_QUEUE };

/* The state of the cores "model": their parameters. */
struct core_costs {
	uint64_t base, touch, transfer, lock;
	uint64_t kind; /* LOCK_SPIN or LOCK_QUEUE */
	uint64_t handover, start, spread;
};

/*
 * Run the players, which are set at their start on f, to their ends. chosen: "model".
 * elapsed_ns: of the core that ends last. l may be NULL. The same bytes come out for the same input
 * if what pools touch() begins at a line (lines_new()). 0, or -1: out of memory, or all players
 * wait.
 */
int cores_run(struct frames *f, struct players *p, const struct choice *chosen, double *elapsed_ns,
    struct trial_latency *l, struct error *e);

#endif
