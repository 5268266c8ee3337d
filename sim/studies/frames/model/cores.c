/* cores.c - modelled cores: play back what each operation does with locks and lines, in the order of time. */
#include <stdlib.h>

#include "sim/base/map.h"
#include "sim/studies/frames/model/cores.h"
#include "sim/studies/frames/model/times.h"

enum phase {
	RUNS,
	WAITS,	 /* for a lock */
	BLOCKED, /* by the thread before it or by the next */
	ENDED
};

/* A lock is taken or released, so many ns after what is noted before it. */
struct note {
	struct guard *guard;
	uint64_t      after;
	bool	      takes;
};

struct core {
	struct cores	     *all;
	struct frames_thread *thread;
	struct player	     *player;
	unsigned	      number; /* from 1 on */
	enum phase	      phase;
	bool		      waited; /* for the lock that it wants */
	uint64_t	      clock, began;
	struct core	     *next;   /* in the queue of a lock */
	uint64_t	      chance; /* the state of a generator */

	struct note *note; /* of this operation */
	uint32_t     notes, room, played;
	uint64_t     after;    /* the last note */
	bool	     operates; /* takes or frees pages */
};

struct cores {
	struct core	 *core;
	unsigned	  n;
	struct core_costs costs;
	struct map	  lines; /* the core that was last to touch each */
	struct times	 *times; /* NULL: not wanted */
	bool		  no_memory;
};

/* ---- notes of an operation (guard.h) ---- */

static void
note(struct core *c, struct guard *g, bool takes)
{
	struct note *grown = array_grow(c->note, c->notes, &c->room, sizeof(*c->note));

	if (!grown) {
		c->all->no_memory = true;
		return;
	}
	c->note = grown;
	c->note[c->notes++] = (struct note){ g, c->after, takes };
	c->after = 0;
}

void
core_lock(struct core *c, struct guard *g)
{
	note(c, g, true);
}

void
core_unlock(struct core *c, struct guard *g)
{
	note(c, g, false);
}

static void
touch_line(struct core *c, uint64_t line)
{
	uint32_t *last = map_at(&c->all->lines, line);

	if (!last) {
		c->all->no_memory = true;
		return;
	}
	c->after += c->all->costs.touch;
	if (*last && *last != c->number)
		c->after += c->all->costs.transfer;
	*last = c->number;
}

void
core_touch(struct core *c, const void *address)
{
	touch_line(c, (uintptr_t)address / LINE_BYTES);
}

/* ---- locks ---- */

/* ns more or less, up to spread %.  Knuth's MMIX generator. */
static uint64_t
vary(struct core *c, uint64_t ns)
{
	uint64_t most = ns * c->all->costs.spread / 100;

	c->chance = c->chance * 6364136223846793005u + 1442695040888963407u;
	return ns - most + (c->chance >> 33) % (2 * most + 1);
}

static void
join(struct guard *g, struct core *c)
{
	c->phase = WAITS;
	c->next = NULL;
	if (g->last)
		g->last->next = c;
	else
		g->first = c;
	g->last = c;
}

/* The first that waits goes on at that time.  NULL: none waits. */
static struct core *
leave(struct guard *g, uint64_t clock)
{
	struct core *c = g->first;

	if (!c)
		return NULL;
	g->first = c->next;
	if (!g->first)
		g->last = NULL;
	c->phase = RUNS;
	c->clock = clock;
	return c;
}

/* To the next note, or to the end of the operation. */
static void
go_on(struct core *c)
{
	if (c->played < c->notes) {
		c->clock += c->note[c->played].after;
		return;
	}
	c->clock += c->after;
	if (c->operates && c->all->times)
		times_add(c->all->times, c->clock - c->began);
}

static void
take(struct core *c, struct guard *g)
{
	const struct core_costs *costs = &c->all->costs;

	c->clock += costs->lock;
	if (g->last_core && g->last_core != c->number)
		c->clock += costs->transfer;
	g->held = true;
	g->last_core = c->number;
	c->waited = false;
	c->played++;
	go_on(c);
}

static void
request(struct core *c, struct guard *g)
{
	if (!g->held) {
		take(c, g);
		return;
	}
	c->thread->counts.lock_contended += !c->waited;
	c->waited = true;
	join(g, c);
}

static void
hand_over(struct core *c, struct guard *g)
{
	struct core *next = leave(g, c->clock + c->all->costs.handover);

	g->held = false;
	if (next) {
		g->last_core = next->number;
		take(next, g);
	}
}

/* Another core may take it before the one that waits does. */
static void
let_go(struct core *c, struct guard *g)
{
	g->held = false;
	if (g->first)
		leave(g, c->clock + vary(c, c->all->costs.handover));
}

static void
play_note(struct core *c)
{
	const struct note *now = &c->note[c->played];

	if (now->takes) {
		request(c, now->guard);
		return;
	}
	c->played++;
	if (c->all->costs.kind == LOCK_QUEUE)
		hand_over(c, now->guard);
	else
		let_go(c, now->guard);
	go_on(c);
}

/* ---- moves ---- */

/* A thread that waits for a neighbour looks again when that has sent or received. */
static void
unblock(struct core *c, uint64_t clock)
{
	if (c->phase != BLOCKED)
		return;
	c->phase = RUNS;
	if (c->clock < clock)
		c->clock = clock;
}

enum { SENT_LINE, RECEIVED_LINE, PAGE_LINES };

/* Lines of channels have numbers that no address has. */
static void
touch_channel(struct core *c, unsigned sender, size_t line)
{
	touch_line(c, UINT64_C(1) << 63 | (uint64_t)sender << 40 | line);
}

/* The place of the page that was sent or received as the n-th. */
static size_t
page_line(const struct channel *channel, size_t n)
{
	return PAGE_LINES + ((n - 1) & channel->mask) / (LINE_BYTES / sizeof(void *));
}

/* looked: the sender did not know of enough pages that were received. */
static void
charge_send(struct core *c, bool looked)
{
	const struct channel *to = c->player->out;
	unsigned	      sender = c->number - 1;

	if (looked)
		touch_channel(c, sender, RECEIVED_LINE);
	touch_channel(c, sender, page_line(to, atomic_load(&to->sent)));
	touch_channel(c, sender, SENT_LINE);
}

static void
charge_receive(struct core *c, bool looked)
{
	const struct channel *from = c->player->in;
	unsigned	      sender = (c->number + c->all->n - 2) % c->all->n;

	if (looked)
		touch_channel(c, sender, SENT_LINE);
	touch_channel(c, sender, page_line(from, atomic_load(&from->received)));
	touch_channel(c, sender, RECEIVED_LINE);
}

static uint64_t
operations(const struct core *c)
{
	return c->thread->counts.operations + c->thread->counts.failed;
}

static void
move(struct core *c)
{
	struct cores	 *m = c->all;
	const uint64_t	  before = operations(c);
	const size_t	  at = c->player->at;
	const size_t	  received_seen = c->player->out->received_seen;
	const size_t	  sent_seen = c->player->in->sent_seen;
	enum player_state state;

	c->began = c->clock;
	c->notes = c->played = 0;
	c->after = 0;
	state = player_move(c->player);
	if (state != PLAYER_MOVED) {
		c->phase = state == PLAYER_BLOCKED ? BLOCKED : ENDED;
		return;
	}
	c->operates = operations(c) != before;
	if (c->operates)
		c->after += m->costs.base;
	else if (c->player->script->move[at].kind == MOVE_SEND)
		charge_send(c, c->player->out->received_seen != received_seen);
	else if (c->player->script->move[at].kind == MOVE_RECEIVE)
		charge_receive(c, c->player->in->sent_seen != sent_seen);
	go_on(c);
	if (!c->operates) {
		unblock(&m->core[c->number % m->n], c->clock);
		unblock(&m->core[(c->number + m->n - 2) % m->n], c->clock);
	}
}

/* NULL: none can go on. */
static struct core *
earliest(const struct cores *m)
{
	struct core *found = NULL;

	for (struct core *c = m->core; c < m->core + m->n; c++)
		if (c->phase == RUNS && (!found || c->clock < found->clock))
			found = c;
	return found;
}

static int
play(struct cores *m, struct error *e)
{
	struct core *c;

	while (!m->no_memory && (c = earliest(m)))
		if (c->played < c->notes)
			play_note(c);
		else
			move(c);
	if (m->no_memory)
		return error_set(e, "out of memory for the lines of modelled cores");
	for (c = m->core; c < m->core + m->n; c++)
		if (c->phase != ENDED)
			return error_set(e, "thread %u waits for a page that is never sent",
			    c->number - 1);
	return 0;
}

/* ---- start and end ---- */

static void
end(struct cores *m)
{
	for (unsigned i = 0; m->core && i < m->n; i++) {
		if (m->core[i].thread)
			m->core[i].thread->core = NULL;
		free(m->core[i].note);
	}
	free(m->core);
	free(m->times);
	map_release(&m->lines);
}

static int
start(struct cores *m, struct frames *f, struct players *p, const struct choice *chosen, bool timed,
    struct error *e)
{
	struct core_costs *costs = plugin_state(chosen->plugin, chosen->params, e);

	if (!costs)
		return -1;
	m->costs = *costs;
	free(costs);
	m->core = calloc(m->n, sizeof(*m->core));
	m->times = timed ? calloc(1, sizeof(*m->times)) : NULL;
	if (!m->core || (timed && !m->times))
		return error_set(e, "out of memory for %u modelled cores", m->n);
	for (unsigned i = 0; i < m->n; i++) {
		struct frames_thread *t = frames_thread(f, i);

		m->core[i] = (struct core){ .all = m,
			.thread = t,
			.player = &p->player[i],
			.number = i + 1,
			.chance = i };
		m->core[i].clock = i ? vary(&m->core[i], m->costs.start) : 0;
		t->core = &m->core[i];
	}
	return 0;
}

static double
last_clock(const struct cores *m)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < m->n; i++)
		last = m->core[i].clock > last ? m->core[i].clock : last;
	return (double)last;
}

int
cores_run(struct frames *f, struct players *p, const struct choice *chosen, double *elapsed_ns,
    struct trial_latency *l, struct error *e)
{
	struct cores m = { .n = p->n };
	int	     failed = start(&m, f, p, chosen, l != NULL, e) || play(&m, e);

	if (!failed) {
		*elapsed_ns = last_clock(&m);
		if (l)
			*l = times_latency(m.times);
	}
	end(&m);
	return failed ? -1 : 0;
}
