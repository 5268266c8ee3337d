/*
 * dev_network.c - storage behind a network: a file server or a volume of a
 * cloud.
 *
 *	read	limit -> latency -> link
 *	write	limit -> link -> latency
 *
 * The latency is that of the round trip and of the server, for all requests
 * under way at the same time.  The link carries the data of one request after
 * another.  The limit is a token bucket that holds one operation: an operation
 * begins at least 1 s / iops after the one before, so that a request on its own
 * takes the latency alone, however low the limit is; a large request counts as
 * several operations.  A server with a cache, a queue or a disk of its own is
 * not modelled; bursts on credit are not, either.
 */
#include "sim/device/path.h"
#include "sim/device/sheet.h"

/* Times are in microseconds, absolute and exact; only answers are whole. */
struct network {
	uint64_t capacity;
	uint32_t depth;
	bool	 duplex;	/* reads and writes each have a link */
	double	 sector_us[2];	/* to move a sector, read or written */
	double	 latency_us[2]; /* of a read, of a write */
	double	 operation_us;	/* the least time between operations; 0: no limit */
	uint64_t operation_sectors;

	double permitted; /* the time of the next operation */
	double free[2];	  /* the time when the link is free */
};

static void
pass_limit(struct network *d, struct path *p, uint32_t sectors)
{
	uint64_t operations = (sectors + d->operation_sectors - 1) / d->operation_sectors;

	path_await(p, d->permitted, SERVICE_QUEUE);
	d->permitted = p->at + (double)operations * d->operation_us;
}

static void
pass_link(struct network *d, struct path *p, const struct transfer *r)
{
	double *link = &d->free[r->write && d->duplex];

	path_await(p, *link, SERVICE_QUEUE);
	path_spend(p, (double)r->sectors * d->sector_us[r->write], SERVICE_BUS);
	*link = p->at;
}

static void
network_service(void *self, const struct transfer *r, struct service *out)
{
	struct network *d = self;
	struct path	p = { .at = (double)r->now };

	ASSERT(r->sectors >= 1 && r->sector + r->sectors <= d->capacity);
	*out = (struct service){ 0 };
	pass_limit(d, &p, r->sectors);
	if (!r->write)
		path_spend(&p, d->latency_us[0], SERVICE_OVERHEAD);
	pass_link(d, &p, r);
	if (r->write)
		path_spend(&p, d->latency_us[1], SERVICE_OVERHEAD);
	path_answer(&p, r->now, out);
	out->data_begin = service_us(out) - out->part[SERVICE_BUS];
	if (r->write)
		out->data_begin -= out->part[SERVICE_OVERHEAD];
}

static uint64_t
network_capacity(const void *self)
{
	return ((const struct network *)self)->capacity;
}

static uint32_t
network_depth(const void *self)
{
	return ((const struct network *)self)->depth;
}

static double
network_sector_us(const void *self)
{
	return ((const struct network *)self)->sector_us[0];
}

/* ---- the data sheet ---- */

static void
load_limit(struct network *d, struct sheet *s)
{
	double iops = sheet_number_or(s, "limit", "iops", 0.01, 1e9, 0);
	double kib = sheet_number_or(s, "limit", "operation_kib", 0.5, 1 << 20, 1 << 20);

	d->operation_us = iops > 0 ? 1e6 / iops : 0;
	d->operation_sectors = (uint64_t)(kib * 1024 / SECTOR_BYTES);
}

static int
network_init(void *self, const struct choice *chosen, struct error *e)
{
	struct network *d = self;
	struct sheet	s;

	sheet_open(&s, chosen->sheet);
	sheet_choice(&s, "", "kind", "network");
	sheet_text(&s, "", "summary");
	sheet_text(&s, "", "source");
	d->capacity = sheet_count(&s, "host", "capacity_sectors", 1, UINT64_C(1) << 50);
	d->depth = (uint32_t)sheet_count(&s, "host", "queue_depth", 1, DEPTH_MAX);
	d->duplex = sheet_choice(&s, "link", "duplex", "no yes");
	d->sector_us[0] = SECTOR_BYTES / sheet_number(&s, "link", "read_mb_s", 0.001, 1e6);
	d->sector_us[1] = SECTOR_BYTES / sheet_number(&s, "link", "write_mb_s", 0.001, 1e6);
	d->latency_us[0] = 1000 * sheet_number(&s, "latency_ms", "read", 0, 3.6e6);
	d->latency_us[1] = 1000 * sheet_number(&s, "latency_ms", "write", 0, 3.6e6);
	load_limit(d, &s);
	return sheet_close(&s, e);
}

DEVICE(network,
	.plugin = {
		.name = "network",
		.summary = "storage behind a network, from a data sheet",
		.state_size = sizeof(struct network),
	},
    .sheet = SHEET_NEEDED,
	.init = network_init,
	.capacity = network_capacity,
	.depth = network_depth,
	.service = network_service,
	.sector_us = network_sector_us);
