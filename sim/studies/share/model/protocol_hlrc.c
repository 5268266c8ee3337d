/*
 * protocol_hlrc.c - home-based lazy release consistency: several write a page at a time, and who
 * acquires loses the pages that others are known to have written.
 *
 *	D.-H. Lee, S.-K. Lee, S. Park, S. Maeng.  Implementation and performance evaluation of
 *	software distributed shared memory for SMP clusters.  Journal of KIISE: Systems and
 *	Theory 30(5), 2003.
 *
 * An interval of a process ends at unlock, post and barrier; the pages written in it are its write
 * notices.  hlrc_copies.c has homes, fetches, twins and diffs, notices.c what is known to which
 * process.
 */
#include <stdio.h>

#include "sim/base/number.h"
#include "sim/studies/share/model/hlrc.h"

/* ---- life ---- */

static void
make_teams(struct hlrc *v)
{
	v->teams = v->per == PER_NODE ? v->world->nodes : v->processors;
	for (unsigned i = v->processors; i-- > 0;) {
		v->team[i] = (uint8_t)(i * v->teams / v->processors);
		v->first[v->team[i]] = (uint8_t)i;
		v->members[v->team[i]]++;
	}
}

static int
hlrc_init(void *self, const struct world *w, struct error *e)
{
	struct hlrc *v = self;

	v->world = w;
	v->processors = w->processors;
	make_teams(v);
	network_init(&v->network, w);
	return hlrc_copies_init(v, e) || notices_init(&v->notices, w->program, w->processors, e)
	    ? -1
	    : 0;
}

static void
hlrc_release(void *self)
{
	struct hlrc *v = self;

	hlrc_copies_release(v);
	notices_release(&v->notices);
}

static bool
hlrc_needs_pages(const void *self)
{
	return ((const struct hlrc *)self)->home_rule == HOME_BLOCK;
}

/* ---- references ---- */

ALWAYS_INLINE void
mark(struct hlrc *v, unsigned process, uint32_t page, uint32_t word)
{
	uint64_t *marks = marks_of(v, v->team[process], page), one;
	uint32_t  bit;

	if (unlikely(!v->bit[word]))
		v->bit[word] = ++v->bits[page];
	bit = v->bit[word] - 1;
	one = UINT64_C(1) << bit % 64;
	if (likely(marks[bit / 64] & one))
		return;
	marks[bit / 64] |= one;
	copy_of(v, v->team[process], page)->words++;
}

static void
hlrc_reference(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	struct hlrc   *v = self;
	const uint8_t *m = mapping_of(v, processor, page);

	if (unlikely(!(*m & (write ? WRITABLE : READABLE)))) {
		if (!v->counting)
			return;
		hlrc_fault(v, processor, page, write);
	}
	if (write && *m & TWINNED)
		mark(v, processor, page, word);
}

/* ---- intervals ---- */

static void
measure_table(struct hlrc *v, unsigned process)
{
	uint64_t bytes = NOTICE_BYTES * notices_held(&v->notices);
	uint64_t intervals = notices_intervals(&v->notices, process);

	if (v->table_bytes < bytes)
		v->table_bytes = bytes;
	if (v->table_intervals < intervals)
		v->table_intervals = intervals;
}

static int
end_interval(struct hlrc *v, unsigned process, struct error *e)
{
	const uint32_t *list = &v->list[process * v->pages];
	uint32_t	n = v->listed[process];

	if (notices_reserve(&v->notices, process, n, e))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		uint8_t *m = mapping_of(v, process, list[i]);

		if (*m & TWINNED)
			hlrc_flush(v, process, list[i]);
		if (*m & WRITABLE)
			hlrc_charge(v, process, TIME_FAULT, v->world->cost->protect_ns);
		*m &= READABLE;
		notices_add(&v->notices, process, (struct notice){ list[i], v->world->turn });
	}
	v->write_notices += n;
	v->intervals++;
	v->listed[process] = 0;
	v->reported[v->team[process]] += n;
	measure_table(v, process);
	return 0;
}

/* The process learns that another team has written a page. */
static void
see(struct hlrc *v, unsigned process, const struct notice *n)
{
	struct copy *c = copy_of(v, v->team[process], n->page);
	uint8_t	    *m = mapping_of(v, process, n->page);

	if (is_home(v, process, n->page))
		return;
	if (c->required < n->turn)
		c->required = n->turn;
	if (!(*m & READABLE) || c->fetched > n->turn)
		return;
	if (*m & TWINNED)
		hlrc_flush(v, process, n->page);
	hlrc_charge(v, process, TIME_FAULT, v->world->cost->protect_ns);
	*m &= LISTED;
}

static void
acquire(struct hlrc *v, enum sync_set set, uint32_t number, unsigned process)
{
	const uint64_t *stamp = notices_stamp(&v->notices, set, number);
	uint64_t       *seen = v->notices.seen[process];

	for (unsigned i = 0; i < v->processors; i++) {
		const struct written *w = &v->notices.written[i];

		for (; seen[i] < stamp[i]; seen[i]++)
			if (v->team[i] != v->team[process])
				see(v, process, &w->notice[seen[i] - w->first]);
	}
}

/* ---- synchronisation ---- */

static int
release(struct hlrc *v, enum sync_set set, const struct sync_event *s, struct error *e)
{
	if (v->per == PER_NODE)
		network_spin(&v->network, s->processor);
	if (end_interval(v, s->processor, e))
		return -1;
	notices_post(&v->notices, set, s->number, s->processor);
	return 0;
}

/* Bytes of the notices that the process has not seen of what it acquires: 4 each. */
static uint64_t
unseen_bytes(const struct hlrc *v, enum sync_set set, uint32_t number, unsigned process)
{
	const uint64_t *stamp = notices_stamp(&v->notices, set, number);
	const uint64_t *seen = v->notices.seen[process];
	uint64_t	n = 0;

	for (unsigned i = 0; i < v->processors; i++)
		if (v->team[i] != v->team[process] && seen[i] < stamp[i])
			n += stamp[i] - seen[i];
	return NOTICE_BYTES * n;
}

/* Who passes the request on is interrupted. */
static uint64_t
pass_on(struct hlrc *v, unsigned from, unsigned to, uint64_t at)
{
	const struct action_costs *c = v->world->cost;

	if (from == to)
		return at;
	return network_serve(&v->network, to, network_carry(&v->network, from, to, at, 0),
	    c->interrupt_ns + c->lock_ns + c->send_ns);
}

/*
 * When the last owner has the request, which goes by way of the manager of the lock.  It was on its
 * way while the process waited in line.
 */
static uint64_t
request_arrives(struct hlrc *v, const struct sync_event *s)
{
	uint64_t asked = v->world->clocks->asked_ns[s->processor], now = hlrc_now(v, s->processor);
	unsigned manager = s->number % v->processors;
	uint64_t at = asked + v->world->cost->send_ns;

	at = pass_on(v, s->processor, manager, at);
	at = pass_on(v, manager, s->from, at);
	if (now > asked && at > now)
		at = asked + 2 * cost_message(v->world->cost);
	return at > now ? at : now;
}

/* From elsewhere: a lock by way of its manager, a flag at once. */
static void
come_from_elsewhere(struct hlrc *v, enum sync_set set, const struct sync_event *s)
{
	const struct action_costs *c = v->world->cost;
	uint64_t		   at =
	      set == SET_LOCKS ? request_arrives(v, s) : hlrc_now(v, s->processor) + c->send_ns;

	at = network_carry(&v->network, s->from, s->processor, at,
	    unseen_bytes(v, set, s->number, s->processor));
	network_wait(&v->network, s->processor, TIME_LOCK, at + c->interrupt_ns);
}

/* Of a lock or flag. */
static void
acquire_from(struct hlrc *v, enum sync_set set, const struct sync_event *s, unsigned messages)
{
	if (s->from != NO_PROCESSOR && v->team[s->from] != v->team[s->processor]) {
		v->messages += messages;
		come_from_elsewhere(v, set, s);
	}
	if (v->per == PER_NODE)
		network_spin(&v->network, s->processor);
	hlrc_charge(v, s->processor, TIME_LOCK, v->world->cost->lock_ns);
	acquire(v, set, s->number, s->processor);
}

/*
 * The last process of a team sends a message to process 0, the manager, which reads one after the
 * other, and sends as many back when all have come.
 */
static void
report_to_manager(struct hlrc *v, unsigned process)
{
	const struct action_costs *c = v->world->cost;
	uint64_t		   at;

	if (++v->arrived[v->team[process]] < v->members[v->team[process]])
		return;
	at = hlrc_now(v, process);
	if (v->team[process] != v->team[0]) {
		hlrc_charge(v, process, TIME_BARRIER, c->send_ns);
		at = network_carry(&v->network, process, 0, at + c->send_ns,
		    NOTICE_BYTES * v->reported[v->team[process]]);
		at = network_serve(&v->network, 0, at, c->interrupt_ns + c->manager_ns);
	}
	if (at > v->managed)
		v->managed = at;
}

static void
let_teams_leave(struct hlrc *v, uint32_t number)
{
	const struct action_costs *c = v->world->cost;
	uint64_t		   at = v->managed, now = hlrc_now(v, 0);

	if (at < now)
		at = now;
	for (unsigned i = 0; i < v->teams; i++) {
		v->arrived[i] = 0;
		v->reported[i] = 0;
		if (i == v->team[0])
			continue;
		at += c->send_ns + c->manager_ns;
		v->leaves[i] = network_carry(&v->network, 0, v->first[i], at,
				   unseen_bytes(v, SET_BARRIERS, number, v->first[i])) +
		    c->interrupt_ns;
	}
	v->leaves[v->team[0]] = at;
	v->managed = 0;
}

static int
arrive(struct hlrc *v, const struct sync_event *s, struct error *e)
{
	if (release(v, SET_BARRIERS, s, e))
		return -1;
	hlrc_charge(v, s->processor, TIME_BARRIER, v->world->cost->barrier_ns);
	report_to_manager(v, s->processor);
	return 0;
}

static void
depart(struct hlrc *v, const struct sync_event *s)
{
	if (!s->processor) {
		v->messages += 2 * (v->teams - 1);
		let_teams_leave(v, s->number);
	}
	network_wait(&v->network, s->processor, TIME_BARRIER, v->leaves[v->team[s->processor]]);
	hlrc_charge(v, s->processor, TIME_BARRIER, v->world->cost->barrier_ns);
	acquire(v, SET_BARRIERS, s->number, s->processor);
}

static int
synchronise(struct hlrc *v, const struct sync_event *s, struct error *e)
{
	switch (s->kind) {
	case SYNC_RELEASE:
		return release(v, SET_LOCKS, s, e);
	case SYNC_POST:
		return release(v, SET_FLAGS, s, e);
	case SYNC_ARRIVE:
		return arrive(v, s, e);
	case SYNC_ACQUIRE:
		acquire_from(v, SET_LOCKS, s, 3);
		break;
	case SYNC_PASS:
		acquire_from(v, SET_FLAGS, s, 1);
		break;
	case SYNC_DEPART:
		depart(v, s);
		break;
	case SYNC_END:
		notices_leave(&v->notices, s->processor);
		break;
	default:
		break;
	}
	return 0;
}

static int
hlrc_sync(void *self, const struct sync_event *s, struct error *e)
{
	struct hlrc *v = self;

	if (s->kind == SYNC_CREATE || s->kind == SYNC_JOIN)
		v->counting = s->kind == SYNC_CREATE;
	return v->counting ? synchronise(v, s, e) : 0;
}

/* ---- table ---- */

static void
hlrc_answer(const void *self, char *text, size_t room)
{
	const struct hlrc *v = self;
	char		   fetches[NUMBER_TEXT], faults[NUMBER_TEXT], diffs[NUMBER_TEXT];

	snprintf(text, room, "%s of %s faults fetch a page (%.1f %%); %s diffs go home",
	    number_group(fetches, v->fetches), number_group(faults, v->faults),
	    number_percent(v->fetches, v->faults), number_group(diffs, v->diffs));
}

static const char *const per_words[] = { "process", "node", NULL };
static const char *const home_words[] = { "first", "block", "roundrobin", NULL };

static const struct param params[] = {
	{ "per", PARAM_WORD, PER_PROCESS, 0, PER_NODE, offsetof(struct hlrc, per),
	    "each process has copies of its own, or those of a node share them", per_words },
	{ "home", PARAM_WORD, HOME_FIRST, 0, HOME_ROUNDROBIN, offsetof(struct hlrc, home_rule),
	    "home of a page: who references it first after the create, blocks of pages, or page modulo processors",
	    home_words },
	{ 0 },
};

static const struct counter counters[] = {
	{ "faults", "faults", "on pages whose home is remote, those of writes included",
	    offsetof(struct hlrc, faults) },
	{ "fetches", "pages", "brought from their home", offsetof(struct hlrc, fetches) },
	{ "twins", "pages", "copied before the first write", offsetof(struct hlrc, twins) },
	{ "diffs", "diffs", "sent home: what was written on a page since its twin",
	    offsetof(struct hlrc, diffs) },
	{ "diff_bytes", "bytes", "of the words in diffs", offsetof(struct hlrc, diff_bytes) },
	{ "messages", "messages",
	    "2 a fetch, 1 a diff, 3 a lock from elsewhere, 1 a flag, 2 a barrier for all but one",
	    offsetof(struct hlrc, messages) },
	{ "write_notices", "notices", "pages written in an interval, of all intervals",
	    offsetof(struct hlrc, write_notices) },
	{ "home_faults", "faults", "first writes in an interval to pages whose home is here",
	    offsetof(struct hlrc, home_faults) },
	{ "intervals", "intervals", "of all processors", offsetof(struct hlrc, intervals) },
	{ "table_intervals", "intervals",
	    "of a processor in the table of notices at most: those that all have seen make room",
	    offsetof(struct hlrc, table_intervals) },
	{ "table_bytes", "bytes", "of write notices in the table at most, 4 each",
	    offsetof(struct hlrc, table_bytes) },
	{ 0 },
};

PROTOCOL(hlrc,
    .plugin = { .name = "hlrc",
	.summary = "home-based lazy release consistency, of processes or of nodes",
	.state_size = sizeof(struct hlrc),
	.params = params,
	.counters = counters,
	.source =
	    "D.-H. Lee, S.-K. Lee, S. Park, S. Maeng: Implementation and performance evaluation of software distributed shared memory for SMP clusters, Journal of KIISE: Systems and Theory 30(5), 2003" },
    .init = hlrc_init, .release = hlrc_release, .needs_pages = hlrc_needs_pages,
    .reference = hlrc_reference, .sync = hlrc_sync, .answer = hlrc_answer);
