/*
 * e2e24.c - readahead and request queue of Linux 2.4 together: which
 * requests a read slept for, and which it left in the queue.
 *
 * Each page that the read loop or its readahead submits goes into the queue
 * where the elevator puts it.  Nothing completes until the process sleeps:
 * then the disk completes requests from the head of the queue, until that
 * with its page is done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/block/scheduler.h"
#include "tests/vectors/read24.h"
#include "tests/vectors/vectors.h"

extern const struct scheduler scheduler_linus;

enum { SECTORS = PAGE_BYTES / SECTOR_BYTES, FIRST_SECTOR = 100000, FILE_SECTORS = 1000000 };
enum { QUEUE_REQUESTS = 1024 }; /* more than one process can fill */

static struct read24 reader;
static struct queue  queue;
static void	    *elevator;
static char	    *letter; /* [block] by which it was submitted */
static struct text   waited, queued;

/* ---- the queue ---- */

static file_t
file_of(const struct pages *p, block_t b)
{
	file_t i = 0;

	while (b - p->file[i].base >= p->file[i].nblocks)
		i++;
	return i;
}

static void
add_request(const struct pages *p, struct text *t, const struct request *r, const char *kinds)
{
	uint32_t first = r->block - p->file[file_of(p, r->block)].base;

	text_add(t, t->used > 1 ? ",[%u,%u" : "[%u,%u", first, r->count);
	text_add(t, kinds ? ",\"%s\"]" : "]", kinds);
}

/* The disk completes the head of the queue. */
static void
serve(struct pages *p)
{
	static const char order[] = "ADS";
	struct moment	  m = { 0 };
	struct request	  r = queue_take(&queue, scheduler_linus.pick(elevator, &queue, &m));
	char		  kinds[sizeof(order)] = "", *end = kinds;

	for (const char *k = order; *k; k++)
		if (memchr(letter + r.block, *k, r.count))
			*end++ = *k;
	add_request(p, &waited, &r, kinds);
	for (uint32_t i = 0; i < r.count; i++)
		pages_done(p, r.block + i);
	queue_finish(&queue);
}

static void
begin_serving(struct pages *p)
{
	queue.plugged = false;
}

static void
sleep_until(struct pages *p, block_t b)
{
	begin_serving(p);
	while (p->cache.frame[b].flags & FRAME_INFLIGHT)
		serve(p);
}

static void
submitted(struct pages *p, block_t b, char by)
{
	const struct file *f = &p->file[file_of(p, b)];
	struct request	   r = {
		    .block = b,
		    .count = 1,
		    .sector =
			FIRST_SECTOR + f->inode * FILE_SECTORS + (uint64_t)(b - f->base) * SECTORS,
		    .fills = true,
	};

	letter[b] = by;
	while (queue_put(&queue, &r, scheduler_linus.place(elevator, &queue, &r)) == QUEUE_FULL) {
		begin_serving(p);
		serve(p);
	}
}

/* ---- steps ---- */

static void
e2e24_end(void)
{
	read24_end(&reader);
	queue_release(&queue);
	free(elevator);
	free(letter);
	elevator = letter = NULL;
}

/* The version of linus that behaves as this kernel, or NULL. */
static const char *
elevator_of(const char *kernel)
{
	long third = strncmp(kernel, "2.4.", 4) ? -1 : strtol(kernel + 4, NULL, 10);

	if (third < 0)
		return NULL;
	if (third < 18)
		return "2.4.17";
	return third < 22 ? "2.4.20" : "2.4.27";
}

static int
start_queue(const cJSON *header, const char *kernel, struct error *e)
{
	const char *version = elevator_of(kernel);
	char	    params[80];
	uint64_t    sectors, active;

	if (!version)
		return error_set(e, "the elevator of '%s' is not known", kernel);
	if (json_number(header, "max_sectors", UINT16_MAX, &sectors, e) < 0 ||
	    json_number(header, "head_active", 1, &active, e) < 0)
		return -1;
	if (sectors < SECTORS)
		return error_set(e, "no page fits into a request");
	snprintf(params, sizeof(params), "version=%s,active=%d", version, (int)active);
	elevator = plugin_state(&scheduler_linus.plugin, params, e);
	if (!elevator ||
	    queue_init(&queue, QUEUE_REQUESTS, (uint32_t)sectors / SECTORS, SECTORS, e) < 0)
		return -1;
	scheduler_linus.init(elevator, &queue);
	return 0;
}

static int
e2e24_begin(const cJSON *header, struct error *e)
{
	const char *readahead =
	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(header, "ra_kernel"));
	const char *block =
	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(header, "blk_kernel"));

	if (!readahead || !block)
		return error_set(e, "the header lacks 'ra_kernel' or 'blk_kernel'");
	if (read24_begin(&reader, header, readahead, e) < 0 || start_queue(header, block, e) < 0)
		return -1;
	reader.pages.submitted = submitted;
	reader.pages.sleep = sleep_until;
	reader.pages.begin = begin_serving;
	letter = calloc(reader.pages.trace.nblocks, 1);
	return letter ? 0 : error_set(e, "out of memory");
}

static int
e2e24_step(const cJSON *step, char why[DIFFERENCE_TEXT], struct error *e)
{
	int changed = pages_change(&reader.pages, step, e), slept, left;

	if (changed)
		return changed < 0 ? -1 : 0;
	text_list_start(&waited);
	if (read24_step(&reader, step, e) < 0)
		return -1;
	text_list_end(&waited);
	text_list_start(&queued);
	for (uint32_t i = 0; i < queue.n; i++)
		add_request(&reader.pages, &queued, &queue.request[i], NULL);
	text_list_end(&queued);
	slept = step_compare(step, "waited", waited.s, why, DIFFERENCE_TEXT, e);
	left = step_compare(step, "queued", queued.s, why, DIFFERENCE_TEXT, e);
	return slept < 0 || left < 0 ? -1 : slept | left;
}

const struct kind e2e24 = { "e2e24", "ra_kernel", e2e24_begin, e2e24_step, e2e24_end };
