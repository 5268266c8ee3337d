/* network.c - messages between processors. */
#include "sim/studies/share/model/network.h"

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void
network_init(struct network *n, const struct world *w)
{
	*n = (struct network){ .clocks = w->clocks, .cost = w->cost, .queues = w->in_time };
	for (unsigned i = 0; i < w->processors; i++)
		n->node[i] = (uint8_t)(i * w->nodes / w->processors);
}

/* The link is free when it has carried what came before, and then takes the bytes. */
static uint64_t
pass_link(const struct network *n, uint64_t *free_ns, uint64_t at, uint64_t ns)
{
	if (n->queues)
		at = later(at, *free_ns);
	return *free_ns = at + ns;
}

uint64_t
network_carry(struct network *n, unsigned from, unsigned to, uint64_t at, uint64_t bytes)
{
	if (n->node[from] == n->node[to])
		return at;
	if (bytes)
		at = pass_link(n, &n->out_ns[n->node[from]], at,
		    cost_bytes(n->cost->byte_ps, bytes));
	return at + n->cost->latency_ns;
}

/* It comes in while it goes out. */
uint64_t
network_push(struct network *n, unsigned from, unsigned to, uint64_t at, uint64_t bytes)
{
	uint64_t ns = cost_bytes(n->cost->byte_ps, bytes);

	at = network_carry(n, from, to, at, bytes);
	if (n->node[from] == n->node[to])
		return at;
	return pass_link(n, &n->in_ns[n->node[to]], at - ns, ns);
}

uint64_t
network_serve(struct network *n, unsigned processor, uint64_t at, uint64_t ns)
{
	uint64_t begin = n->queues ? later(at, n->served_ns[processor]) : at, end = begin + ns;
	uint64_t busy = later(begin, n->idle_ns[processor]);

	n->served_ns[processor] = end;
	if (end > busy)
		clocks_charge(n->clocks, processor, TIME_SERVE, end - busy);
	return end;
}

void
network_wait(struct network *n, unsigned processor, enum time_part part, uint64_t until)
{
	uint64_t now = clocks_now(n->clocks, processor);

	if (until <= now)
		return;
	clocks_charge(n->clocks, processor, part, until - now);
	n->idle_ns[processor] = until;
}

void
network_spin(struct network *n, unsigned processor)
{
	uint64_t *spun = &n->spun_ns[n->node[processor]];
	uint64_t  now = clocks_now(n->clocks, processor), begin = now;

	if (n->queues)
		begin = later(now, *spun);
	*spun = begin + n->cost->spin_ns;
	clocks_charge(n->clocks, processor, TIME_LOCAL, *spun - now);
}
