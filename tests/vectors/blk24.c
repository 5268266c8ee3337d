/*
 * blk24.c - the request queue of Linux 2.4, buffer by buffer: where each
 * goes, what is plugged, how many requests are free, the whole queue.
 *
 * A sector is a block here, and a buffer, of any number of sectors, counts
 * as one prefetched block, so that nprefetched counts the buffers.
 *
 * Two things are the driver's, as no simulation has them: a queue that
 * several disks share, and buffers that may be dropped (READA).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/block/scheduler.h"
#include "tests/vectors/vectors.h"

extern const struct scheduler scheduler_linus, scheduler_noop;

enum { DISK_SHIFT = 28 }; /* the number of a block begins with its disk: none continues another's */

static struct queue	       queue;
static struct request	      *kept; /* [queue.limit] */
static const struct scheduler *scheduler;
static void		      *self;
static bool		       drops; /* READA, when no request is free */

/* ---- reading ---- */

/* A number, or what to take it for if there is none. */
static double
number(const cJSON *from, const char *name, double otherwise)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(from, name);

	return cJSON_IsNumber(v) ? v->valuedouble : otherwise;
}

static const char *
text(const cJSON *from, const char *name)
{
	const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive((cJSON *)from, name));

	return s ? s : "";
}

/* ---- differences ---- */

static bool
differs(char why[DIFFERENCE_TEXT], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, DIFFERENCE_TEXT, format, args);
	va_end(args);
	return true;
}

static bool
number_differs(const cJSON *step, const char *name, long is, char *why)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(step, name);
	char	    *should = v ? cJSON_PrintUnformatted(v) : NULL;

	differs(why, "%s: expected %s, not %ld", name, should ? should : "nothing", is);
	cJSON_free(should);
	return !cJSON_IsNumber(v) || (long)v->valuedouble != is;
}

static void
print_request(char *to, size_t room, const struct request *r)
{
	snprintf(to, room, "[%llu,%u,%u,%d,%u,%u]", (unsigned long long)r->sector, r->count,
	    r->write, r->patience, r->segments, r->nprefetched);
}

static bool
request_differs(const cJSON *expected, const struct request *r, const char *what, uint32_t i,
    char *why)
{
	char is[128], *should = cJSON_PrintUnformatted(expected);
	bool differ;

	if (r)
		print_request(is, sizeof(is), r);
	else
		snprintf(is, sizeof(is), "null");
	differ = !should || strcmp(is, should);
	if (differ)
		differs(why, "%s %u: expected %s, not %s", what, i, should ? should : "?", is);
	cJSON_free(should);
	return differ;
}

/* The whole queue, or its length and the part around the buffer. */
static bool
queue_differs(const cJSON *step, char *why)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(step, "q");
	const cJSON *part = cJSON_GetObjectItemCaseSensitive(step, "qpart"), *r;
	const cJSON *some = all ? all : cJSON_GetArrayItem(part, 1);
	uint32_t     i = all ? 0 : (uint32_t)cJSON_GetNumberValue(cJSON_GetArrayItem(part, 0));
	long	     length = all ? cJSON_GetArraySize(all) : (long)number(step, "qlen", -1);

	if (!cJSON_IsArray(some) || length != queue.n)
		return differs(why, "queue: expected %ld requests, not %u", length, queue.n);
	cJSON_ArrayForEach(r, some)
	{
		if (request_differs(r, i < queue.n ? &queue.request[i] : NULL, "queue", i, why))
			return true;
		i++;
	}
	return false;
}

static bool
state_differs(const cJSON *step, char *why)
{
	const cJSON *free = cJSON_GetObjectItemCaseSensitive(step, "free");
	long	     reads = queue_free(&queue, false);
	long	     writes = queue.rules.halves ? (long)queue_free(&queue, true) : -1;
	long	     should[2] = { (long)cJSON_GetNumberValue(cJSON_GetArrayItem(free, 0)),
			(long)cJSON_GetNumberValue(cJSON_GetArrayItem(free, 1)) };

	if (number_differs(step, "plugged", queue.plugged, why) || queue_differs(step, why))
		return true;
	return (reads != should[0] || writes != should[1]) &&
	    differs(why, "free: expected [%ld,%ld], not [%ld,%ld]", should[0], should[1], reads,
		writes);
}

/* ---- the driver ---- */

static bool
unplug(void)
{
	bool starts = queue.plugged && queue.n;

	queue.plugged = false;
	return starts;
}

static void
serve(void)
{
	struct moment m = { 0 };

	queue_take(&queue, scheduler->pick(self, &queue, &m));
	queue_finish(&queue);
}

/* Sleep until a batch of requests for that direction is free. */
static void
wait_for_requests(bool write)
{
	unplug();
	while (queue_free(&queue, write) < queue.rules.batch)
		serve();
}

/* ---- several disks ---- */

static uint32_t
disk_of(const struct request *r)
{
	return r->block >> DISK_SHIFT;
}

/*
 * While a buffer is placed, what waits for another disk is too large to be
 * merged, and lies where the elevator finds what the kernel decides there:
 * the buffer never goes right behind it, and goes right before it if the
 * request in front, of its own disk, lies below.  Not to be told this way:
 * a buffer of one sector, and behind such a request one of its own disk
 * that follows it and that it may not join.
 */
static void
disguise(struct request *w, const struct request *before, const struct request *r)
{
	bool goes_before = before && disk_of(before) == disk_of(r) && before->sector < r->sector;

	w->count = queue.max_blocks;
	w->sector = r->sector + goes_before;
}

static struct place
place(const struct request *r)
{
	struct place at;

	memcpy(kept, queue.request, queue.n * sizeof(*kept));
	for (uint32_t i = 0; i < queue.n; i++)
		if (disk_of(&kept[i]) != disk_of(r))
			disguise(&queue.request[i], i ? &kept[i - 1] : NULL, r);
	at = scheduler_place(scheduler, self, &queue, r);
	for (uint32_t i = 0; i < queue.n; i++) {
		queue.request[i].count = kept[i].count;
		queue.request[i].sector = kept[i].sector;
	}
	return at;
}

/* ---- steps ---- */

static const char *
name_of(const struct place *at, enum queued what)
{
	static const char *const name[][2] = {
		[PLACE_NEW] = { "new", "new" },
		[PLACE_BACK] = { "back", "back+join" },
		[PLACE_FRONT] = { "front", "front+join" },
	};

	if (at->refused != PLACE_NEW)
		return at->refused == PLACE_BACK ? "back-refused" : "front-refused";
	return name[at->how][what == QUEUE_JOINED];
}

/* What became of it, into act; its place, -1: none. */
static long
put(const struct request *r, bool droppable, char act[32])
{
	struct place at = place(r);
	enum queued  what = queue_put(&queue, r, at);

	*act = '\0';
	if (what == QUEUE_FULL && droppable) {
		strcpy(act, "drop");
		return -1;
	}
	if (what == QUEUE_FULL) {
		strcpy(act, "wait+");
		wait_for_requests(r->write);
		at = place(r);
		what = queue_put(&queue, r, at);
	}
	strcat(act, name_of(&at, what));
	return (long)at.i - (what == QUEUE_JOINED && at.how == PLACE_FRONT);
}

static int
submit(const cJSON *step, char *why)
{
	const char    *rw = text(step, "rw");
	uint64_t       sector = (uint64_t)number(step, "sector", 0);
	struct request r = {
		.block = (block_t)((uint32_t)number(step, "dev", 0) << DISK_SHIFT | sector),
		.count = (uint32_t)number(step, "n", 0),
		.sector = sector,
		.write = *rw == 'W',
		.nprefetched = 1,
		.fills = true,
	};
	char act[32];
	long at = put(&r, *rw == 'A' && drops, act);

	if (strcmp(act, text(step, "act")))
		return differs(why, "act: expected %s, not %s", text(step, "act"), act);
	if (at < 0 ? number(step, "pos", -1) >= 0 : number_differs(step, "pos", at, why))
		return 1;
	return state_differs(step, why);
}

/* The driver finishes the first request, or takes it off: the same for the queue. */
static int
finish(const cJSON *step, char *why)
{
	const cJSON   *head = cJSON_GetObjectItemCaseSensitive(step, "head");
	struct request first = { 0 };
	bool	       any = queue.n;

	if (any) {
		first = queue.request[0];
		serve();
	}
	return number_differs(step, "req_fn", 0, why) ||
	    request_differs(head, any ? &first : NULL, "head", 0, why) || state_differs(step, why);
}

static int
blk24_step(const cJSON *step, char why[DIFFERENCE_TEXT], struct error *e)
{
	const char *op = text(step, "op");

	if (!strcmp(op, "sub"))
		return submit(step, why);
	if (!strcmp(op, "done") || !strcmp(op, "take"))
		return finish(step, why);
	if (!strcmp(op, "unplug"))
		return number_differs(step, "req_fn", unplug(), why) || state_differs(step, why);
	return error_set(e, "there is no step '%s'", op);
}

/* ---- patterns ---- */

static const char *
version_of(const char *kernel)
{
	static const char *const known[][2] = {
		{ "2.4.16", "2.4.17" },
		{ "2.4.17", "2.4.17" },
		{ "2.4.20", "2.4.20" },
		{ "2.4.22", "2.4.27" },
		{ "2.4.27", "2.4.27" },
		{ "2.4.32", "2.4.27" },
		{ "2.4.37.11", "2.4.27" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(kernel, known[i][0]))
			return known[i][1];
	return NULL;
}

static void
blk24_end(void)
{
	queue_release(&queue);
	free(kept);
	free(self);
	kept = NULL;
	self = NULL;
}

static int
blk24_begin(const cJSON *header, struct error *e)
{
	const char *elevator = text(header, "elevator");
	const char *version = version_of(text(header, "kernel"));
	char	    params[128];

	if (!version)
		return error_set(e, "the elevator of %s is not known", text(header, "kernel"));
	if (strcmp(elevator, "linus") && strcmp(elevator, "noop"))
		return error_set(e, "there is no elevator '%s'", elevator);
	scheduler = *elevator == 'l' ? &scheduler_linus : &scheduler_noop;
	snprintf(params, sizeof(params), "version=%s,active=%d,contiguous=%d", version,
	    (int)number(header, "head_active", 0), (int)number(header, "contig", 0));
	self = plugin_state(&scheduler->plugin, params, e);
	if (!self)
		return -1;
	if (queue_init(&queue, (uint32_t)number(header, "nr_requests", 128),
		(uint32_t)number(header, "max_sectors", 255), 1, e))
		return -1;
	kept = calloc(queue.limit, sizeof(*kept));
	if (!kept)
		return error_set(e, "out of memory");
	drops = !strcmp(version, "2.4.17");
	scheduler->init(self, &queue);
	return 0;
}

const struct kind blk24 = {
	.name = "blk24",
	.member = "elevator",
	.begin = blk24_begin,
	.step = blk24_step,
	.end = blk24_end,
};
