/* processors.c - turns, and what an event of a processor does. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/studies/share/model/processors.h"

static uint64_t
bit(unsigned process)
{
	return UINT64_C(1) << process;
}

/* The processes of the program. */
static uint64_t
everybody(const struct processors *m)
{
	return ~UINT64_C(0) >> (PROCESSORS_MAX - m->program->processors);
}

/* What happens to the clock before the protocol is told. */
static void
wait_before(struct clocks *t, enum sync_kind kind, unsigned processor, uint32_t number)
{
	if (kind == SYNC_ACQUIRE)
		clocks_wait(t, SET_LOCKS, number, processor);
	else if (kind == SYNC_PASS)
		clocks_wait(t, SET_FLAGS, number, processor);
	else if (kind == SYNC_DEPART)
		clocks_wait(t, SET_BARRIERS, number, processor);
	else if (kind == SYNC_CREATE)
		clocks_create(t);
	else if (kind == SYNC_JOIN)
		clocks_join(t);
}

/* And after it. */
static void
ready_after(struct clocks *t, enum sync_kind kind, unsigned processor, uint32_t number)
{
	if (kind == SYNC_RELEASE)
		clocks_ready(t, SET_LOCKS, number, processor);
	else if (kind == SYNC_POST)
		clocks_ready(t, SET_FLAGS, number, processor);
	else if (kind == SYNC_ARRIVE)
		clocks_ready(t, SET_BARRIERS, number, processor);
}

static void
tell(struct processors *m, enum sync_kind kind, unsigned processor, uint32_t number, unsigned from)
{
	if (!m->counting || m->failed)
		return;
	wait_before(m->world->clocks, kind, processor, number);
	if (m->protocol->sync)
		m->failed = m->protocol->sync(m->protocol_self,
		    &(struct sync_event){ kind, processor, number, from }, m->error);
	ready_after(m->world->clocks, kind, processor, number);
}

/* The processor of a process + 1, or NO_PROCESSOR for 0. */
static unsigned
who(const struct processors *m, uint8_t stored)
{
	return stored ? m->on[stored - 1u] : NO_PROCESSOR;
}

/* ---- references ---- */

static int
at_line(const struct processors *m, unsigned process, struct error *e)
{
	return error_prefix(e, "line %llu",
	    (unsigned long long)program_line(m->program, process, m->cursor[process].now));
}

/* A fault on the temporary address, which is not counted again; what was written there moves. */
static void
place(struct processors *m, unsigned processor, uint32_t object)
{
	const struct action_costs *c = m->world->cost;
	uint64_t		   moved = m->heap->early[object] ? heap_bytes(m->heap, object) : 0;

	m->allocator->touch(m->allocator_self, m->heap, object, processor);
	ASSERT(heap_is_placed(m->heap, object));
	m->late.objects++;
	m->late.moved_bytes += moved;
	if (c)
		clocks_charge(m->world->clocks, processor, TIME_FAULT,
		    c->fault_ns + c->place_ns + cost_bytes(c->copy_ps, moved));
}

/* The first reference to an object, or one before counting starts. */
static RARE int
reference_unplaced(struct processors *m, unsigned process, uint32_t object, struct error *e)
{
	if (!m->heap->requested[object]) {
		const struct object *o = &m->program->object[object];

		error_set(e,
		    "processor %u references object %u before processor %u requests it in line %llu",
		    process, object, o->processor, (unsigned long long)o->line);
		return at_line(m, process, e);
	}
	if (m->counting)
		place(m, m->on[process], object);
	else
		m->heap->early[object] = true;
	return 0;
}

ALWAYS_INLINE int
reference(struct processors *m, unsigned process, const struct event *v, struct error *e)
{
	unsigned	      processor = m->on[process];
	const struct address *at = &m->heap->address[v->object];
	uint32_t	      word = m->program->object[v->object].first_word + v->word;
	bool		      write = v->kind == CODE_WRITE;

	if (unlikely(at->skew == UNPLACED) && reference_unplaced(m, process, v->object, e))
		return -1;
	if (unlikely(!m->counting))
		return 0;
	m->world->clocks->references[processor]++;
	m->writes += write;
	m->protocol->reference(m->protocol_self, processor, heap_page(m->heap, at, v->word), word,
	    write);
	m->world->referenced[word] |= bit(processor);
	return 0;
}

/* ---- all other events ---- */

static void
request(struct processors *m, unsigned process, uint32_t object)
{
	m->heap->requested[object] = true;
	m->allocator->request(m->allocator_self, m->heap, object, m->on[process]);
	if (!heap_is_placed(m->heap, object))
		m->late.temporary_bytes += heap_bytes(m->heap, object);
}

static void
acquire(struct processors *m, unsigned process, uint32_t lock)
{
	m->ready |= bit(process);
	tell(m, SYNC_ACQUIRE, m->on[process], lock, who(m, m->waiting.lock[lock].released_by));
}

static void
lock(struct processors *m, unsigned process, uint32_t lock)
{
	m->ready &= ~bit(process);
	clocks_ask(m->world->clocks, m->on[process]);
	if (waiting_lock(&m->waiting, lock, process))
		acquire(m, process, lock);
}

static void
unlock(struct processors *m, unsigned process, uint32_t lock)
{
	unsigned next;

	tell(m, SYNC_RELEASE, m->on[process], lock, NO_PROCESSOR);
	next = waiting_unlock(&m->waiting, lock, process);
	if (next != NO_PROCESSOR)
		acquire(m, next, lock);
}

static void
pass(struct processors *m, unsigned process, uint32_t flag)
{
	m->ready |= bit(process);
	tell(m, SYNC_PASS, m->on[process], flag, who(m, m->waiting.flag[flag].posted_by));
}

static void
wait_for_flag(struct processors *m, unsigned process, uint32_t flag)
{
	m->ready &= ~bit(process);
	clocks_ask(m->world->clocks, m->on[process]);
	if (waiting_flag(&m->waiting, flag, process))
		pass(m, process, flag);
}

static void
post(struct processors *m, unsigned process, uint32_t flag)
{
	unsigned next;

	tell(m, SYNC_POST, m->on[process], flag, NO_PROCESSOR);
	next = waiting_post(&m->waiting, flag, process);
	if (next != NO_PROCESSOR)
		pass(m, next, flag);
}

/* A processor arrives with the last of its processes. */
static void
barrier(struct processors *m, unsigned process, uint32_t barrier)
{
	uint64_t all = everybody(m), there = m->waiting.arrived[barrier] | bit(process);
	unsigned processor = m->on[process];

	m->ready &= ~bit(process);
	if (!(m->of[processor] & ~there))
		tell(m, SYNC_ARRIVE, processor, barrier, NO_PROCESSOR);
	if (!waiting_barrier(&m->waiting, barrier, process, all))
		return;
	m->ready |= all;
	for (unsigned i = 0; i < m->world->processors; i++)
		tell(m, SYNC_DEPART, i, barrier, NO_PROCESSOR);
}

static void
create(struct processors *m)
{
	m->counting = m->created = true;
	m->ready = everybody(m);
	tell(m, SYNC_CREATE, 0, 0, NO_PROCESSOR);
}

/* The last process of a processor has ended, or waits at J. */
static void
leave(struct processors *m, unsigned process)
{
	unsigned processor = m->on[process];

	if (!(m->of[processor] & ~(m->ended | m->joining)))
		tell(m, SYNC_END, processor, 0, NO_PROCESSOR);
}

/* Process 0 goes on when it waits at J and all others have ended. */
static void
end_join(struct processors *m)
{
	if (!m->joining || (m->ended | 1) != everybody(m))
		return;
	m->joining = 0;
	m->ready |= 1;
	tell(m, SYNC_JOIN, 0, 0, NO_PROCESSOR);
}

static void
join(struct processors *m)
{
	m->ready &= ~UINT64_C(1);
	m->joining = 1;
	leave(m, 0);
	end_join(m);
}

static void
end(struct processors *m, unsigned process)
{
	m->ready &= ~bit(process);
	m->ended |= bit(process);
	leave(m, process);
	end_join(m);
}

/* Anything but a reference. */
static RARE void
act(struct processors *m, unsigned process, const struct event *v)
{
	switch (v->kind) {
	case CODE_REQUEST:
		request(m, process, v->object);
		break;
	case CODE_LOCK:
		lock(m, process, v->object);
		break;
	case CODE_UNLOCK:
		unlock(m, process, v->object);
		break;
	case CODE_BARRIER:
		barrier(m, process, v->object);
		break;
	case CODE_POST:
		post(m, process, v->object);
		break;
	case CODE_WAIT:
		wait_for_flag(m, process, v->object);
		break;
	case CODE_CREATE:
		create(m);
		break;
	case CODE_JOIN:
		join(m);
		break;
	default:
		end(m, process);
	}
}

/* ---- deadlock ---- */

enum { DEADLOCK_ROOM = 880, WAIT_ROOM = 112 };

static void __attribute__((format(printf, 2, 3))) put(char *text, const char *format, ...)
{
	size_t	used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, DEADLOCK_ROOM - used, format, args);
	va_end(args);
}

/* "processor 1 waits for lock 3 (line 20), which processor 0 holds". */
static void
put_wait(const struct processors *m, unsigned processor, char *text)
{
	static const enum sync_set set[CODES] = { [CODE_LOCK] = SET_LOCKS,
		[CODE_BARRIER] = SET_BARRIERS,
		[CODE_WAIT] = SET_FLAGS };
	static const char *const   what
	    [CODES] = { [CODE_LOCK] = "lock", [CODE_BARRIER] = "barrier", [CODE_WAIT] = "flag" };
	const uint32_t *at = m->cursor[processor].now;
	enum code	kind = code_kind(*at);

	put(text, "%sprocessor %u waits for ", *text ? "; " : "", processor);
	if (kind == CODE_JOIN)
		put(text, "the end of the others");
	else
		put(text, "%s %u", what[kind], m->program->ids[set[kind]].id[at[1]]);
	put(text, " (line %llu)", (unsigned long long)program_line(m->program, processor, at));
	if (kind == CODE_LOCK)
		put(text, ", which processor %u holds", m->waiting.lock[at[1]].holder - 1u);
}

/* "; processors 2, 3 have ended". */
static void
put_set(const struct processors *m, uint64_t set, const char *what, char *text)
{
	unsigned n = (unsigned)__builtin_popcountll(set);

	for (unsigned i = 0; i < m->program->processors; i++)
		if (set & bit(i)) {
			put(text, "%s %u",
			    set & (bit(i) - 1) ? ","
				: n == 1       ? "; processor"
					       : "; processors",
			    i);
			if (strlen(text) > DEADLOCK_ROOM - WAIT_ROOM)
				break;
		}
	if (n)
		put(text, " %s %s", n == 1 ? "has" : "have", what);
}

static RARE int
deadlock(const struct processors *m, struct error *e)
{
	uint64_t waiting = (m->created ? everybody(m) : 1) & ~m->ended, left = 0;
	char	 text[DEADLOCK_ROOM] = "";

	for (unsigned i = 0; i < m->program->processors; i++)
		if (waiting & bit(i) && strlen(text) < DEADLOCK_ROOM / 2)
			put_wait(m, i, text);
		else
			left |= waiting & bit(i);
	put_set(m, left, "to wait too", text);
	put_set(m, m->ended, "ended", text);
	if (!m->created)
		put_set(m, everybody(m) & ~UINT64_C(1), "not started, for want of a C", text);
	return error_set(e, "deadlock: %s", text);
}

/* ---- turns ---- */

ALWAYS_INLINE int
take_turn(struct processors *m, unsigned process, struct error *e)
{
	struct event v = cursor_next(&m->cursor[process]);

	m->world->turn++;
	if (likely(v.kind == CODE_READ || v.kind == CODE_WRITE))
		return reference(m, process, &v, e);
	act(m, process, &v);
	return m->failed;
}

/* Those that are ready and come behind a process in this round. */
static uint64_t
ready_behind(const struct processors *m, unsigned process)
{
	return m->ready & ~UINT64_C(1) << process;
}

static int
run_in_turns(struct processors *m, struct error *e)
{
	int failed = 0;

	while (!failed && m->ready)
		for (uint64_t round = m->ready; round && !failed;) {
			unsigned process = (unsigned)__builtin_ctzll(round);

			failed = take_turn(m, process, e);
			round = ready_behind(m, process);
		}
	return failed;
}

/* ---- by time ---- */

static void
put_in_order(struct processors *m, unsigned processor)
{
	order_set(&m->order, processor,
	    m->ready & m->of[processor] ? clocks_now(m->world->clocks, processor) : ORDER_NEVER);
}

/* The process that a processor runs stays until it waits; then it is the first that is ready. */
static unsigned
process_on(struct processors *m, unsigned processor)
{
	if (unlikely(!(m->ready >> m->running[processor] & 1)))
		m->running[processor] = (uint8_t)__builtin_ctzll(m->ready & m->of[processor]);
	return m->running[processor];
}

/* What is more than a reference may change the clocks of others, and let them run. */
ALWAYS_INLINE int
take_turn_in_time(struct processors *m, unsigned processor, struct error *e)
{
	const struct clocks *t = m->world->clocks;
	unsigned	     process = process_on(m, processor);
	uint64_t	     clock = t->clock_ns[processor];
	struct event	     v = cursor_next(&m->cursor[process]);

	m->world->turn++;
	if (likely(v.kind == CODE_READ || v.kind == CODE_WRITE)) {
		if (reference(m, process, &v, e))
			return -1;
		if (likely(t->clock_ns[processor] == clock)) {
			order_set_soon(&m->order, processor, clocks_now(t, processor));
			return 0;
		}
	} else {
		act(m, process, &v);
	}
	order_clear_line(&m->order);
	for (unsigned i = 0; i < m->world->processors; i++)
		put_in_order(m, i);
	return m->failed;
}

static int
run_in_time(struct processors *m, struct error *e)
{
	int failed = 0;

	order_init(&m->order, m->world->processors);
	put_in_order(m, 0);
	while (!failed && m->ready)
		failed = take_turn_in_time(m, order_take(&m->order), e);
	return failed;
}

/* ---- the run ---- */

/* Processes are on processors in blocks. */
static void
spread(struct processors *m)
{
	unsigned n = m->program->processors;

	memset(m->of, 0, sizeof(m->of));
	memset(m->running, 0, sizeof(m->running));
	for (unsigned i = 0; i < n; i++) {
		m->on[i] = (uint8_t)(i * m->world->processors / n);
		m->of[m->on[i]] |= bit(i);
	}
}

int
processors_run(struct processors *m, bool counting, struct error *e)
{
	int failed = waiting_init(&m->waiting, m->program, e);

	for (unsigned i = 0; i < m->program->processors; i++)
		cursor_start(&m->cursor[i], m->program, i);
	spread(m);
	m->counting = counting;
	m->error = e;
	m->failed = 0;
	m->ended = m->joining = 0;
	m->created = false;
	m->ready = 1;
	if (!failed)
		failed = (m->world->in_time ? run_in_time : run_in_turns)(m, e);
	if (!failed && m->ended != (m->program->creates ? everybody(m) : 1))
		failed = deadlock(m, e);
	waiting_release(&m->waiting);
	return failed;
}
