/*
 * dev_ssd.c - a solid-state drive: stages that each serve one request, or one
 * flash page of it, at a time.
 *
 *	read	command -> latency -> die -> channel -> link, page by page
 *	write	command -> latency -> link -> room in the write buffer
 *
 * A stage is represented by the time at which it is free: a request passes
 * through all stages when it starts, and later requests find them taken.
 * Pages are distributed over channels, then over the dies of a channel, by
 * their number, so that long or concurrent requests use many dies.  A read
 * that continues one of the last few reads finds its pages in the DRAM, and
 * causes as many more to be fetched as its stream has read.  A write is done
 * when it is in the buffer, which empties at a steady rate; when the buffer is
 * full, writes proceed at that rate.
 *
 * The stages are those of FlashSim (Y. Kim, B. Tauras, A. Gupta, B. Urgaonkar,
 * FlashSim: a simulator for NAND flash-based solid-state drives, SIMUL 2009),
 * MQSim (A. Tavakkol et al., FAST 2018) and SimpleSSD (M. Jung et al., IEEE
 * Computer Architecture Letters 17(1), 2018).
 * Departures: no translation layer, no garbage collection and no wear beyond
 * the sustained rate; emptying the buffer does not delay reads; a stage is
 * taken in the order in which requests start, so that a page that waits for
 * its die also delays the channel and the link for later pages; data in the
 * write buffer are read from flash.
 */
#include <stdlib.h>

#include "sim/device/path.h"
#include "sim/device/sheet.h"

/* Times are in microseconds, absolute and exact; only answers are whole. */
struct stage {
	double	 free;
	double	 since;	 /* when it began to serve that request */
	uint64_t holder; /* number of the request that took it last; 0: read-ahead */
};

/* Pages lo <= page < hi are in the DRAM or being fetched into it. */
struct stream {
	uint64_t lo, hi;
	uint64_t first; /* its first page */
	uint64_t used;	/* number of the last request that used it; 0: empty */
	double	*ready; /* [page % window] the time when the page is in the DRAM */
};

struct ssd {
	uint64_t capacity;
	uint32_t depth;
	double	 command_us[2], latency_us[2]; /* of a read, of a write */
	double	 die_us, channel_us;	       /* to read a page; to move a sector */
	double	 link_us[2];		       /* to move a sector, read or written */
	double	 segment_us[2];		       /* of the link, for each segment behind the first */
	bool	 duplex;		       /* reads and writes each have a link */
	double	 drain_us;		       /* to move a sector from the buffer to flash */
	double	 full_us;		       /* to empty a full buffer */
	uint64_t page_sectors;
	uint32_t channels, dies, streams, window;

	struct stage   command, link[2];
	struct stage  *channel; /* [channels], and then the dies of them all */
	struct stream *stream;
	double	      *ready;	/* of all streams */
	double	       drained; /* time when the buffer will be empty */
	uint64_t       requests;
};

static double
later(double a, double b)
{
	return a > b ? a : b;
}

/* Wait for the stage and pass it; only use by other requests counts as waiting. */
static void
pass(struct path *p, struct stage *s, double us, enum service_part part)
{
	if (s->holder == p->request)
		path_await(p, s->since, SERVICE_QUEUE);
	path_await(p, s->free, s->holder == p->request ? part : SERVICE_QUEUE);
	if (s->holder != p->request)
		s->since = p->at;
	ASSERT(p->at > s->free - 1); /* but for rounding, it has one request at a time */
	s->holder = p->request;
	path_spend(p, us, part);
	s->free = p->at;
}

/* The time of the link for each sector: what the segments cost is spread over them all. */
static double
link_us(const struct ssd *d, const struct transfer *r)
{
	return d->link_us[r->write] + d->segment_us[r->write] * (r->segments - 1) / r->sectors;
}

/* ---- reading ---- */

/* Read a page, or a number of its sectors, from flash to the DRAM. */
static void
fetch(struct ssd *d, struct path *p, uint64_t page, uint64_t sectors)
{
	struct stage *channel = &d->channel[page % d->channels];
	struct stage *die = d->channel + d->channels + page % (d->channels * d->dies);

	pass(p, die, d->die_us, SERVICE_TRANSFER);
	pass(p, channel, (double)sectors * d->channel_us, SERVICE_BUS);
}

/* The stream that contains the page or that the page continues, or NULL. */
static struct stream *
find_stream(const struct ssd *d, uint64_t page)
{
	for (struct stream *s = d->stream; s < d->stream + d->streams; s++)
		if (s->used && page >= s->lo && page <= s->hi)
			return s;
	return NULL;
}

/* The stream used longest ago, emptied. */
static struct stream *
new_stream(const struct ssd *d, uint64_t page)
{
	struct stream *oldest = d->stream;

	for (struct stream *s = d->stream; s < d->stream + d->streams; s++)
		if (s->used < oldest->used)
			oldest = s;
	oldest->lo = oldest->hi = oldest->first = page;
	return oldest;
}

/* Fetch pages ahead, as many as the stream has read, from time `at` on. */
static void
look_ahead(struct ssd *d, struct stream *s, double at)
{
	uint64_t ahead = s->lo - s->first, end = d->capacity / d->page_sectors;

	if (ahead >= d->window)
		ahead = d->window - 1;
	if (end > s->lo + 1 + ahead)
		end = s->lo + 1 + ahead;
	while (s->hi < end) {
		struct path p = { .at = at };

		ASSERT(s->hi - s->lo < d->window + (s->hi == s->lo));
		fetch(d, &p, s->hi, d->page_sectors);
		s->ready[s->hi++ % d->window] = p.at;
	}
}

/* Bring one page of a request, or part of it, to the host; false: it came from flash. */
static bool
read_page(struct ssd *d, struct path *p, struct stream *s, uint64_t page, uint64_t sectors,
    double to_host_us)
{
	bool in_dram = page < s->hi;

	ASSERT(page >= s->lo && page <= s->hi);
	if (in_dram) {
		path_await(p, s->ready[page % d->window], SERVICE_TRANSFER);
	} else {
		fetch(d, p, page, sectors);
		s->ready[page % d->window] = p->at;
		s->hi = page + 1;
	}
	pass(p, &d->link[0], to_host_us, SERVICE_BUS);
	return in_dram;
}

/* All pages start together; the last one over the link ends the request. */
static void
serve_read(struct ssd *d, const struct transfer *r, struct path *p, struct service *out)
{
	const struct path start = *p;
	uint64_t	  sector = r->sector, end = r->sector + r->sectors;
	struct stream	 *s = find_stream(d, sector / d->page_sectors);
	bool		  sequential = s;
	double		  sector_us = link_us(d, r);

	if (!s)
		s = new_stream(d, sector / d->page_sectors);
	s->used = p->request;
	out->from_buffer = true;
	while (sector < end) {
		uint64_t page = sector / d->page_sectors, next = (page + 1) * d->page_sectors;
		uint64_t sectors = (next < end ? next : end) - sector;
		double	 us = (double)sectors * sector_us;

		*p = start;
		out->from_buffer &= read_page(d, p, s, page, sectors, us);
		if (sector == r->sector)
			out->data_begin = path_whole(p->at - us) - r->now;
		ASSERT(s->lo <= page && page < s->hi && s->hi - page <= d->window);
		s->lo = page;
		sector += sectors;
	}
	if (sequential)
		look_ahead(d, s, start.at);
}

/* ---- writing ---- */

static void
serve_write(struct ssd *d, const struct transfer *r, struct path *p, struct service *out)
{
	double us = (double)r->sectors * d->drain_us, begin;

	out->data_begin = path_whole(p->at) - r->now;
	pass(p, &d->link[d->duplex], (double)r->sectors * link_us(d, r), SERVICE_BUS);
	begin = later(d->drained, p->at);
	d->drained = begin + us;
	if (us > d->full_us) /* the buffer cannot hold it */
		path_await(p, begin, SERVICE_QUEUE);
	ASSERT(begin >= 0 && d->drained >= begin);
	path_await(p, d->drained - d->full_us, us > d->full_us ? SERVICE_TRANSFER : SERVICE_QUEUE);
}

/* ---- the device ---- */

static void
ssd_service(void *self, const struct transfer *r, struct service *out)
{
	struct ssd *d = self;
	struct path p = { .request = ++d->requests, .at = (double)r->now };

	ASSERT(r->sectors >= 1 && r->sector + r->sectors <= d->capacity);
	ASSERT(r->segments >= 1 && r->segments <= r->sectors);
	*out = (struct service){ 0 };
	pass(&p, &d->command, d->command_us[r->write], SERVICE_OVERHEAD);
	path_spend(&p, d->latency_us[r->write], SERVICE_OVERHEAD);
	if (r->write)
		serve_write(d, r, &p, out);
	else
		serve_read(d, r, &p, out);
	path_answer(&p, r->now, out);
}

static uint64_t
ssd_capacity(const void *self)
{
	return ((const struct ssd *)self)->capacity;
}

static uint32_t
ssd_depth(const void *self)
{
	return ((const struct ssd *)self)->depth;
}

/* ---- the data sheet ---- */

/* The time of a sector at a rate in MB/s. */
static double
load_rate(struct sheet *s, const char *section, const char *key)
{
	return SECTOR_BYTES / sheet_number(s, section, key, 0.001, 1e6);
}

static void
load_flash(struct ssd *d, struct sheet *s)
{
	uint64_t bytes;

	d->channels = (uint32_t)sheet_count(s, "flash", "channels", 1, 1024);
	d->dies = (uint32_t)sheet_count(s, "flash", "dies", 1, 1024);
	bytes = sheet_count(s, "flash", "page_bytes", SECTOR_BYTES, 1 << 24);
	if (bytes % SECTOR_BYTES)
		sheet_fault(s, "flash", "page_bytes", "%llu is not a multiple of %d",
		    (unsigned long long)bytes, SECTOR_BYTES);
	d->page_sectors = bytes / SECTOR_BYTES;
	d->die_us = sheet_number(s, "flash", "read_us", 0, 1e6);
	d->channel_us = load_rate(s, "flash", "channel_mb_s");
}

static void
load_host(struct ssd *d, struct sheet *s)
{
	static const char *const key[] = { "read", "write" };
	static const char *const rate[] = { "read_mb_s", "write_mb_s" };

	d->capacity = sheet_count(s, "host", "capacity_sectors", 1, UINT64_C(1) << 50);
	d->depth = (uint32_t)sheet_count(s, "host", "queue_depth", 1, DEPTH_MAX);
	d->duplex = sheet_choice(s, "host", "duplex", "no yes");
	for (int write = 0; write < 2; write++) {
		d->link_us[write] = load_rate(s, "host", rate[write]);
		d->command_us[write] = sheet_number(s, "command_us", key[write], 0, 1e6);
		d->latency_us[write] = sheet_number(s, "latency_us", key[write], 0, 1e6);
		d->segment_us[write] = sheet_number_or(s, "segment_us", key[write], 0, 1e6, 0);
	}
}

static void
load_buffers(struct ssd *d, struct sheet *s)
{
	d->streams = (uint32_t)sheet_count(s, "read_cache", "streams", 1, 1024);
	d->window = 1 + (uint32_t)sheet_count(s, "read_cache", "ahead_pages", 0, 4096);
	d->drain_us = load_rate(s, "write_buffer", "sustained_mb_s");
	d->full_us =
	    1e6 / SECTOR_BYTES * d->drain_us * sheet_number(s, "write_buffer", "mb", 0, 1e9);
}

static int
make_stages(struct ssd *d, struct error *e)
{
	d->channel = calloc(d->channels * (1 + d->dies), sizeof(*d->channel));
	d->stream = calloc(d->streams, sizeof(*d->stream));
	d->ready = calloc((size_t)d->streams * d->window, sizeof(*d->ready));
	if (!d->channel || !d->stream || !d->ready)
		return error_set(e, "out of memory for ssd");
	for (uint32_t i = 0; i < d->streams; i++)
		d->stream[i].ready = d->ready + (size_t)i * d->window;
	return 0;
}

static int
ssd_init(void *self, const struct choice *chosen, struct error *e)
{
	struct ssd  *d = self;
	struct sheet s;

	sheet_open(&s, chosen->sheet);
	sheet_choice(&s, "", "kind", "ssd");
	sheet_text(&s, "", "summary");
	sheet_text(&s, "", "source");
	load_host(d, &s);
	load_flash(d, &s);
	load_buffers(d, &s);
	return sheet_close(&s, e) ? -1 : make_stages(d, e);
}

static void
ssd_release(void *self)
{
	struct ssd *d = self;

	free(d->channel);
	free(d->stream);
	free(d->ready);
}

static double
ssd_sector_us(const void *self)
{
	return ((const struct ssd *)self)->link_us[0];
}

DEVICE(ssd,
	.plugin = {
		.name = "ssd",
		.summary = "a solid-state drive, from a data sheet",
		.state_size = sizeof(struct ssd),
	},
    .sheet = SHEET_NEEDED,
	.init = ssd_init,
	.release = ssd_release,
	.capacity = ssd_capacity,
	.depth = ssd_depth,
	.service = ssd_service,
	.sector_us = ssd_sector_us);
