/*
 * reader.c - readers that sleep, what wakes them, and why they slept.
 *
 * Two lists: readers that expect blocks while they do not run, and a queue
 * of those that wait for room, admitted one at a time so that a completion
 * wakes no more of them than can go on.
 *
 * Why a reader waited is found by metering: the device's time is summed by
 * what the oldest request in service was for, a sleeper remembers the sums as
 * it fell asleep, his request as it started, and the differences are the
 * causes.  O(1) a wait.
 */
#include "sim/core/reader.h"
#include "sim/core/io.h"

/* ---- causes ---- */

static void
account_miss(struct sim *s, const struct reader *r, const struct in_service *i, usec_t wait,
    usec_t own)
{
	struct meter before = i->started > r->since ? i->meter : r->meter;
	usec_t	     wanted = io_ready_at(i, i->request.demand_end);
	usec_t	     ride = s->now - (wanted > r->since ? wanted : r->since);
	usec_t	     demand = before.demand - r->meter.demand;
	usec_t	     prefetch = before.prefetch - r->meter.prefetch;
	usec_t	     write = before.write - r->meter.write;

	if (ride < 0)
		ride = 0;
	s->stats.stall_miss_us += (uint64_t)(own - ride);
	s->stats.stall_ride_us += (uint64_t)ride;
	s->stats.stall_demand_queue_us += (uint64_t)demand;
	s->stats.stall_prefetch_queue_us += (uint64_t)prefetch;
	s->stats.stall_write_queue_us += (uint64_t)write;
	s->stats.stall_idle_us += (uint64_t)(wait - own - demand - prefetch - write);
}

/* The reader has waited until now for p, which the request i has delivered. */
static void
account_block(struct sim *s, const struct reader *r, const struct in_service *i,
    const struct pending *p)
{
	usec_t wait = s->now - r->since;
	usec_t own = s->now - (i->started > r->since ? i->started : r->since);

	s->stats.stall_us += (uint64_t)wait;
	if (p->write) {
		s->stats.stall_write_us += (uint64_t)wait;
	} else if (p->how == REF_LATE) {
		s->stats.stall_late_us += (uint64_t)wait;
		s->stats.late_service_us += (uint64_t)own;
		s->stats.late_queue_us += (uint64_t)(wait - own);
	} else if (p->how == REF_JOINED) {
		s->stats.stall_joined_us += (uint64_t)wait;
	} else {
		account_miss(s, r, i, wait, own);
	}
}

static void
wait_from_now(const struct sim *s, struct reader *r)
{
	r->since = s->now;
	r->meter = io_meter(s);
}

void
readers_restart_waits(struct sim *s)
{
	for (uint32_t i = 0; i < s->nreaders; i++)
		wait_from_now(s, &s->reader[i]);
}

/* ---- sleeping and waking ---- */

static uint32_t
number(const struct sim *s, const struct reader *r)
{
	return (uint32_t)(r - s->reader);
}

/* Behind all others; but where calls come in their own time, one that has begun goes on first. */
static void
queue_for_room(struct sim *s, const struct reader *r)
{
	bool	 begun = s->cfg.replay == REPLAY_OPEN && s->admitted == r;
	uint32_t place = begun ? s->nreaders - 1 : s->nroom;

	place = (s->room_first + place) % s->nreaders;
	if (begun)
		s->room_first = place;
	s->room[place] = number(s, r);
	s->nroom++;
	queue_lack(&s->queue);
}

void
reader_sleep(struct sim *s, struct reader *r, enum waiting why)
{
	r->waiting = why;
	wait_from_now(s, r);
	if (r->awaited < r->npending) {
		r->expecting = true;
		s->expecting[s->nexpecting++] = number(s, r);
	}
	if (why == WAITS_FOR_ROOM)
		queue_for_room(s, r);
	io_unplug(s);
}

static void
wake(struct sim *s, struct reader *r)
{
	r->waiting = WAITS_FOR_TURN;
	clock_set(&s->clock, number(s, r), s->now);
}

void
reader_resume(struct sim *s, struct reader *r)
{
	uint32_t i = 0;

	r->waiting = WAITS_NOT;
	if (!r->expecting)
		return;
	r->expecting = false;
	while (s->expecting[i] != number(s, r))
		i++;
	for (s->nexpecting--; i < s->nexpecting; i++)
		s->expecting[i] = s->expecting[i + 1];
}

/* ---- blocks ---- */

static bool
delivered(const struct request *done, uint32_t from, uint32_t to, const struct pending *p)
{
	uint32_t i = p->block - done->block;

	return i >= from && i < to && (p->write ? done->write : done->fills);
}

/* Blocks from..to-1 of a request in service are there: note which of them r wanted. */
static void
note_delivered(struct sim *s, struct reader *r, const struct in_service *served, uint32_t from,
    uint32_t to)
{
	for (uint32_t i = r->awaited; i < r->npending; i++) {
		struct pending *p = &r->pending[i];

		if (!p->block || !delivered(&served->request, from, to, p))
			continue;
		if (r->waiting == WAITS_FOR_BLOCK && i == r->awaited) {
			account_block(s, r, served, p);
			wait_from_now(s, r);
		}
		p->block = NIL;
	}
	while (r->awaited < r->npending && !r->pending[r->awaited].block)
		r->awaited++;
}

void
readers_deliver(struct sim *s, const struct in_service *served, uint32_t from, uint32_t to)
{
	uint32_t still = 0;

	for (uint32_t i = 0; i < s->nexpecting; i++) {
		struct reader *r = &s->reader[s->expecting[i]];

		note_delivered(s, r, served, from, to);
		r->expecting = r->awaited < r->npending;
		if (r->expecting)
			s->expecting[still++] = number(s, r);
		else if (r->waiting == WAITS_FOR_BLOCK)
			wake(s, r);
	}
	s->nexpecting = still;
}

/* ---- room ---- */

bool
reader_has_room(const struct sim *s, const struct reader *r)
{
	return io_has_room(s) && (s->admitted ? s->admitted == r : !s->nroom);
}

void
readers_admit(struct sim *s)
{
	struct reader *r;

	if (!s->nroom || s->admitted)
		return;
	if (!io_has_room(s) || !queue_recovered(&s->queue)) {
		io_unplug(s); /* they go on sleeping */
		return;
	}
	s->admitted = r = &s->reader[s->room[s->room_first]];
	s->room_first = (s->room_first + 1) % s->nreaders;
	s->nroom--;
	s->stats.stall_us += (uint64_t)(s->now - r->since);
	s->stats.stall_frame_us += (uint64_t)(s->now - r->since);
	wake(s, r);
}

void
readers_dismiss(struct sim *s)
{
	s->admitted = NULL;
	readers_admit(s);
}
