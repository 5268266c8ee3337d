/* player.c - the scripts of all threads, their slots and the channels between them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/studies/frames/model/player.h"

static size_t
count(const struct script *s, enum move_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < s->moves; i++)
		n += s->move[i].kind == kind;
	return n;
}

static unsigned
next_of(const struct players *p, unsigned i)
{
	return i + 1 < p->n ? i + 1 : 0;
}

static int
write_script(struct players *p, unsigned i, const struct instance *load,
    const struct frames_shape *shape, struct error *e)
{
	const struct load *l = (const struct load *)(const void *)load->plugin;
	struct script	  *s = &p->script[i];

	if (l->write(load->self, s, i, shape, e))
		return -1;
	if (!s->moves)
		s->rounds = 0;
	p->moves += s->moves * s->rounds;
	p->operations += (count(s, MOVE_TAKE) + count(s, MOVE_GIVE)) * s->rounds;
	return 0;
}

/* Slots of one thread are not on a line with those of another. */
static int
open_slots(struct players *p, unsigned i, struct error *e)
{
	size_t n = p->script[i].slots + CHANNEL_APART / sizeof(void *);

	p->player[i].slot = calloc(n, sizeof(*p->player[i].slot));
	return p->player[i].slot ? 0 : error_set(e, "out of memory for %zu slots", n);
}

static int
open_channel(struct players *p, unsigned i, struct error *e)
{
	const struct script *from = &p->script[i], *to = &p->script[next_of(p, i)];
	size_t		     n = count(from, MOVE_SEND), room = 2;

	if (n != count(to, MOVE_RECEIVE) || (n && from->rounds != to->rounds))
		return error_set(e,
		    "thread %u sends %zu pages in each of %" PRIu64
		    " rounds, the next thread receives %zu in %" PRIu64,
		    i, n, from->rounds, count(to, MOVE_RECEIVE), to->rounds);
	while (room < 2 * n)
		room *= 2;
	p->channel[i].mask = room - 1;
	p->channel[i].page = calloc(room, sizeof(*p->channel[i].page));
	return p->channel[i].page ? 0 : error_set(e, "out of memory for a channel of %zu", room);
}

static int
fill(struct players *p, const struct instance *load, const struct frames_shape *shape,
    struct error *e)
{
	p->player = calloc(p->n, sizeof(*p->player));
	p->script = calloc(p->n, sizeof(*p->script));
	p->channel = calloc(p->n, sizeof(*p->channel));
	if (!p->player || !p->script || !p->channel)
		return error_set(e, "out of memory for %u threads", p->n);
	for (unsigned i = 0; i < p->n; i++)
		if (write_script(p, i, load, shape, e) || open_slots(p, i, e))
			return -1;
	for (unsigned i = 0; i < p->n; i++)
		if (open_channel(p, i, e))
			return -1;
	return 0;
}

int
players_open(struct players *p, struct frames *f, const struct instance *load,
    const struct frames_shape *shape, struct error *e)
{
	*p = (struct players){ .n = (unsigned)shape->threads };
	if (fill(p, load, shape, e)) {
		players_close(p);
		return -1;
	}
	players_restart(p, f);
	return 0;
}

void
players_restart(struct players *p, struct frames *f)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct channel *c = &p->channel[i];
		void	      **slot = p->player[i].slot;

		memset(slot, 0, p->script[i].slots * sizeof(*slot));
		*c = (struct channel){ .page = c->page, .mask = c->mask };
		p->player[i] = (struct player){ .script = &p->script[i],
			.slot = slot,
			.thread = frames_thread(f, i),
			.in = &p->channel[i ? i - 1 : p->n - 1],
			.out = c };
	}
}

void
players_close(struct players *p)
{
	for (unsigned i = 0; p->player && i < p->n; i++)
		free(p->player[i].slot);
	for (unsigned i = 0; p->script && i < p->n; i++)
		script_release(&p->script[i]);
	for (unsigned i = 0; p->channel && i < p->n; i++)
		free(p->channel[i].page);
	free(p->player);
	free(p->script);
	free(p->channel);
	*p = (struct players){ 0 };
}
