/* waiting.c - lines of processors before locks and flags, and sets of them at barriers. */
#include <stdlib.h>

#include "sim/studies/share/model/waiting.h"

int
waiting_init(struct waiting *w, const struct program *p, struct error *e)
{
	*w = (struct waiting){ 0 };
	w->lock = calloc((size_t)p->ids[SET_LOCKS].n + 1, sizeof(*w->lock));
	w->flag = calloc((size_t)p->ids[SET_FLAGS].n + 1, sizeof(*w->flag));
	w->arrived = calloc((size_t)p->ids[SET_BARRIERS].n + 1, sizeof(*w->arrived));
	if (w->lock && w->flag && w->arrived)
		return 0;
	waiting_release(w);
	return error_set(e, "out of memory for locks, flags and barriers");
}

void
waiting_release(struct waiting *w)
{
	free(w->lock);
	free(w->flag);
	free(w->arrived);
	*w = (struct waiting){ 0 };
}

static void
join_line(struct waiting *w, struct line_up *l, unsigned processor)
{
	uint8_t who = (uint8_t)(processor + 1);

	w->behind[processor] = 0;
	if (l->last)
		w->behind[l->last - 1] = who;
	else
		l->first = who;
	l->last = who;
}

/* The first one, or NO_PROCESSOR. */
static unsigned
leave_line(struct waiting *w, struct line_up *l)
{
	unsigned who = l->first;

	if (!who)
		return NO_PROCESSOR;
	l->first = w->behind[who - 1];
	if (!l->first)
		l->last = 0;
	return who - 1;
}

bool
waiting_lock(struct waiting *w, uint32_t lock, unsigned processor)
{
	struct lock *l = &w->lock[lock];

	if (l->holder)
		join_line(w, &l->waiting, processor);
	else
		l->holder = (uint8_t)(processor + 1);
	return l->holder == processor + 1;
}

unsigned
waiting_unlock(struct waiting *w, uint32_t lock, unsigned processor)
{
	struct lock *l = &w->lock[lock];
	unsigned     next = leave_line(w, &l->waiting);

	l->released_by = (uint8_t)(processor + 1);
	l->holder = (uint8_t)(next == NO_PROCESSOR ? 0 : next + 1);
	return next;
}

bool
waiting_flag(struct waiting *w, uint32_t flag, unsigned processor)
{
	struct flag *f = &w->flag[flag];

	if (!f->posts) {
		join_line(w, &f->waiting, processor);
		return false;
	}
	f->posts--;
	return true;
}

unsigned
waiting_post(struct waiting *w, uint32_t flag, unsigned processor)
{
	struct flag *f = &w->flag[flag];
	unsigned     next = leave_line(w, &f->waiting);

	f->posted_by = (uint8_t)(processor + 1);
	f->posts += next == NO_PROCESSOR;
	return next;
}

bool
waiting_barrier(struct waiting *w, uint32_t barrier, unsigned processor, uint64_t all)
{
	uint64_t *arrived = &w->arrived[barrier];

	*arrived |= UINT64_C(1) << processor;
	if (*arrived != all)
		return false;
	*arrived = 0;
	return true;
}
