/*
 * read24.c - read(2) of Linux 2.4: looks up page by page, sleeps for each
 * that is not readable, and marks it accessed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vectors/read24.h"

extern const struct prefetcher prefetcher_linux24;

/* The version of linux24 that behaves as this kernel, or NULL. */
static const char *
version_of(const char *kernel)
{
	char *end;
	long  third;

	if (strncmp(kernel, "2.4.", 4) != 0)
		return NULL;
	third = strtol(kernel + 4, &end, 10);
	if (end == kernel + 4 || third < 0)
		return NULL;
	if (third == 0)
		return "2.4.0";
	if (third < 25)
		return "2.4.20";
	return third == 25 ? "2.4.25" : "2.4.27";
}

static int
add_parameter(const cJSON *header, const char *member, const char *name, char *params, size_t room,
    struct error *e)
{
	size_t	 used = strlen(params);
	uint64_t value;

	if (!cJSON_GetObjectItemCaseSensitive(header, member))
		return 0;
	if (json_number(header, member, UINT32_MAX, &value, e) < 0)
		return -1;
	snprintf(params + used, room - used, ",%s=%" PRIu64, name, value);
	return 0;
}

int
read24_begin(struct read24 *r, const cJSON *header, const char *kernel, struct error *e)
{
	const char *version = version_of(kernel);
	char	    params[80];

	*r = (struct read24){ 0 };
	if (!version)
		return error_set(e, "kernel '%s' is not one of 2.4", kernel);
	r->marks = strcmp(version, "2.4.0") != 0;
	snprintf(params, sizeof(params), "version=%s", version);
	if (add_parameter(header, "min_ra", "min", params, sizeof(params), e) < 0 ||
	    add_parameter(header, "max_ra", "max", params, sizeof(params), e) < 0 ||
	    pages_begin(&r->pages, header, &prefetcher_linux24, params, e) < 0)
		return -1;
	r->position = calloc(r->pages.trace.nopen + 1, sizeof(*r->position));
	return r->position ? 0 : error_set(e, "out of memory");
}

void
read24_end(struct read24 *r)
{
	pages_end(&r->pages);
	free(r->position);
	*r = (struct read24){ 0 };
}

/* The first time sets a bit; the second activates the page, and clears it. */
static void
mark_accessed(struct pages *p, uint32_t index)
{
	struct page *page = pages_page(p, index);

	pages_event(p, "M", index);
	if (page->active || !page->referenced) {
		page->referenced = true;
		return;
	}
	page->active = true;
	page->referenced = false;
	pages_event(p, "X", index);
}

static void
read_ahead(struct pages *p, uint32_t index, uint32_t left, bool absent)
{
	pages_consult(p, index, left, absent);
	if (p->demand.locked)
		pages_carry_out(p, "S", "s");
	else
		pages_carry_out(p, "A", "a");
}

/* One turn of the loop, until the page is readable. */
static void
turn(struct pages *p, uint32_t index, uint32_t left)
{
	bool absent;

	pages_touch(p);
	absent = !pages_found(p, index);
	if (absent)
		pages_demand(p, index);
	else
		pages_event(p, pages_in_flight(p, index) ? "L" : "H", index);
	read_ahead(p, index, left, absent);
	if (pages_in_flight(p, index))
		pages_wait(p, index);
}

/* Bytes of the file that the page at this position still has. */
static uint64_t
bytes_there(const struct pages *p, uint64_t position)
{
	uint64_t page_end = (position | (PAGE_BYTES - 1)) + 1, size = p->call.file_size;
	uint64_t end = page_end < size ? page_end : size;

	return position < end ? end - position : 0;
}

static void
read_pages(struct read24 *r)
{
	struct pages *p = &r->pages;
	uint64_t      at = p->call.offset, end = at + p->call.length, n;

	if (!bytes_there(p, at))
		pages_consult(p, p->demand.first, 0, false);
	for (; at < end && (n = bytes_there(p, at)) > 0; at += n) {
		uint32_t index = (uint32_t)(at >> PAGE_SHIFT);

		turn(p, index, (uint32_t)((end - 1) >> PAGE_SHIFT) - index + 1);
		if (r->marks && (at % PAGE_BYTES == 0 || !r->was_sequential))
			mark_accessed(p, index);
		if (n > end - at)
			n = end - at;
	}
	r->returned = at - p->call.offset;
}

int
read24_step(struct read24 *r, const cJSON *step, struct error *e)
{
	struct pages	*p = &r->pages;
	struct position *f;

	if (pages_call(p, step, e) < 0)
		return -1;
	f = &r->position[p->call.open];
	if (f->at != p->call.offset)
		f->sequential = false;
	r->was_sequential = f->sequential;
	r->returned = 0;
	if (p->call.length) {
		read_pages(r);
		f->sequential = true;
	}
	f->at = p->call.offset + r->returned;
	text_list_end(&p->demanded);
	text_list_end(&p->ahead);
	p->prefetcher->state(p->self, p->call.open, r->state);
	return 0;
}
