/* notices.c - the table of write notices, and timestamps. */
#include <stdlib.h>
#include <string.h>

#include "sim/studies/share/model/notices.h"

enum { ROOM_MIN = 64 };

int
notices_init(struct notices *t, const struct program *p, unsigned processors, struct error *e)
{
	*t = (struct notices){ .processors = processors };
	for (unsigned i = 0; i < SYNC_SETS; i++) {
		t->stamp[i] = calloc((size_t)p->ids[i].n + 1, processors * sizeof(*t->stamp[i]));
		if (!t->stamp[i])
			return error_set(e, "out of memory for locks, barriers and flags");
	}
	return 0;
}

void
notices_release(struct notices *t)
{
	for (unsigned i = 0; i < SYNC_SETS; i++)
		free(t->stamp[i]);
	for (unsigned i = 0; i < t->processors; i++)
		free(t->written[i].notice);
}

/* The number of notices of a process that all others have seen. */
static uint64_t
seen_by_all(const struct notices *t, unsigned process)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < t->processors; i++)
		if (t->seen[i][process] < least)
			least = t->seen[i][process];
	return least < t->written[process].n ? least : t->written[process].n;
}

static void
reclaim(struct notices *t, unsigned process)
{
	struct written *w = &t->written[process];
	uint64_t	first = seen_by_all(t, process);

	if (first == w->first)
		return;
	memmove(w->notice, w->notice + (first - w->first), (w->n - first) * sizeof(*w->notice));
	w->first = first;
}

/* Reclaiming pays when it makes half of the room free. */
int
notices_reserve(struct notices *t, unsigned process, size_t n, struct error *e)
{
	struct written *w = &t->written[process];
	size_t		room = w->room ? w->room : ROOM_MIN;
	struct notice  *larger;

	if (w->n - w->first + n <= w->room)
		return 0;
	reclaim(t, process);
	while (room / 2 < w->n - w->first + n)
		room *= 2;
	if (room == w->room)
		return 0;
	larger = realloc(w->notice, room * sizeof(*larger));
	if (!larger)
		return error_set(e, "out of memory for %zu write notices", room);
	w->notice = larger;
	w->room = room;
	return 0;
}

uint64_t
notices_held(const struct notices *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < t->processors; i++)
		n += t->written[i].n - seen_by_all(t, i);
	return n;
}

/* Those of an interval have one turn. */
uint64_t
notices_intervals(const struct notices *t, unsigned process)
{
	const struct written *w = &t->written[process];
	uint64_t	      n = 0, turn = 0;

	for (uint64_t i = seen_by_all(t, process); i < w->n; i++) {
		n += w->notice[i - w->first].turn != turn;
		turn = w->notice[i - w->first].turn;
	}
	return n;
}

void
notices_post(struct notices *t, enum sync_set set, uint32_t number, unsigned process)
{
	uint64_t *stamp = t->stamp[set] + (size_t)number * t->processors;

	for (unsigned i = 0; i < t->processors; i++)
		if (t->seen[process][i] > stamp[i])
			stamp[i] = t->seen[process][i];
}

void
notices_leave(struct notices *t, unsigned process)
{
	for (unsigned i = 0; i < t->processors; i++)
		t->seen[process][i] = UINT64_MAX;
}
