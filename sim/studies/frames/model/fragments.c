/* fragments.c - the players take turns; what requests would get then, and which are met. */
#include <stdlib.h>

#include "sim/studies/frames/model/fragments.h"

/* ---- turns ---- */

struct walk {
	struct players *players;
	unsigned	turn;
	uint64_t	moved, taken; /* moves, pages */
};

/* A page taken or given back: the change of the number of pages that are taken. */
static enum player_state
move(struct walk *w, struct player *p)
{
	const struct move *m = &p->script->move[p->at];
	bool		   held;
	enum player_state  state;

	if (p->round == p->script->rounds)
		return PLAYER_DONE;
	held = p->slot[m->slot] != NULL;
	state = player_move(p);
	if (state != PLAYER_MOVED)
		return state;
	w->moved++;
	if (m->kind == MOVE_TAKE && p->slot[m->slot])
		w->taken += UINT64_C(1) << m->order;
	if (m->kind == MOVE_GIVE && held)
		w->taken -= UINT64_C(1) << m->order;
	return state;
}

/* The next move of a thread that has one and does not wait.  -1: all others wait for ever. */
static int
step(struct walk *w, struct error *e)
{
	for (unsigned i = 0; i < w->players->n; i++) {
		struct player *p = &w->players->player[w->turn];

		w->turn = w->turn + 1 < w->players->n ? w->turn + 1 : 0;
		if (move(w, p) == PLAYER_MOVED)
			return 0;
	}
	return error_set(e, "threads wait for pages that are never sent");
}

/* ---- requests until one fails ---- */

/* Requests of that order by one thread: how many of n are met.  The pages are given back. */
static uint64_t
count_met(struct frames_thread *t, unsigned order, void **page, uint64_t n)
{
	uint64_t met = 0;

	while (met < n && (page[met] = frames_alloc(t, order)))
		met++;
	for (uint64_t i = met; i-- > 0;)
		frames_free(t, page[i], order);
	return met;
}

/* ---- passes, each on a new arena ---- */

/* To the end; peak: the number of moves at which most pages are taken. */
static int
sample(struct trial_fragments *r, struct walk *w, struct frames *f, uint64_t *peak, struct error *e)
{
	uint64_t moves = w->players->moves, most = 0;
	unsigned i = 0;

	for (;;) {
		for (; i <= FRAGMENT_SAMPLES && w->moved * FRAGMENT_SAMPLES >= i * moves; i++)
			r->largest[i] = frames_largest_order(f);
		if (w->taken >= most) {
			most = w->taken;
			*peak = w->moved;
		}
		if (w->moved == moves)
			return 0;
		if (step(w, e))
			return -1;
	}
}

static int
first_pass(struct trial_fragments *r, struct players *p, struct frames *f, uint64_t *peak,
    struct error *e)
{
	struct walk w = { .players = p };

	players_restart(p, f);
	r->total_pages = frames_arena(f)->pages;
	r->orders = frames_arena(f)->max_order + 1;
	return sample(r, &w, f, peak, e);
}

/* After so many moves: the share of requests of that order that are met. */
static int
probe(double *met, uint64_t *free_pages, struct players *p, struct frames *f, uint64_t moves,
    unsigned order, struct error *e)
{
	struct walk w = { .players = p };
	void	  **page;
	uint64_t    possible;

	players_restart(p, f);
	while (w.moved < moves)
		if (step(&w, e))
			return -1;
	*free_pages = frames_free_pages(f);
	possible = *free_pages >> order;
	if (!possible)
		return 0;
	page = calloc(possible, sizeof(*page));
	if (!page)
		return error_set(e, "out of memory for requests");
	*met = (double)count_met(frames_thread(f, 0), order, page, possible) / (double)possible;
	free(page);
	return 0;
}

/* Requests of one order leave their mark in the lists of a thread: each has an arena of its own. */
static int
probe_orders(double *met, uint64_t *free_pages, const struct trial *t, struct players *p,
    uint64_t moves, struct error *e)
{
	int failed = 0;

	for (unsigned k = 0; !failed && UINT64_C(1) << k <= t->shape.block_pages; k++) {
		struct frames *f = frames_open(&t->pool, &t->shape, e);

		failed = !f || probe(&met[k], free_pages, p, f, moves, k, e);
		frames_close(f);
	}
	return failed;
}

int
fragments_measure(struct trial_fragments *r, const struct trial *t, struct players *p,
    struct error *e)
{
	uint64_t       peak = 0, after;
	struct frames *f = frames_open(&t->pool, &t->shape, e);
	int	       failed = !f || first_pass(r, p, f, &peak, e);

	frames_close(f);
	return failed || probe_orders(r->met, &r->free_pages, t, p, peak, e) ||
		probe_orders(r->met_after, &after, t, p, p->moves, e)
	    ? -1
	    : 0;
}
