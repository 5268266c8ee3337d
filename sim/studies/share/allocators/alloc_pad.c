/*
 * alloc_pad.c - in the order of requests, each object padded to whole lines or pages, as
 * jemalloc(3) advises against false sharing: "round your allocation requests up to the nearest
 * multiple of the cacheline size, or specify cacheline alignment when allocating" (jemalloc
 * 5.3.0, IMPLEMENTATION NOTES).
 *
 * The tag is part of the object: it is at the beginning of the line, not the first word.
 */
#include "sim/studies/share/model/allocator.h"

#define A_PAGE UINT64_MAX /* not given */

struct pad {
	uint64_t     to;
	uint64_t     padding; /* behind the last object */
	struct space space;
};

static const struct param pad_params[] = {
	{ "to", PARAM_BYTES, A_PAGE, TAG_BYTES, PAGE_BYTES_MAX, offsetof(struct pad, to),
	    "a power of two, of which each object takes a multiple; if not given, the page size",
	    NULL },
	{ 0 },
};

static int
pad_init(void *self, const struct heap *h, struct error *e)
{
	struct pad *p = self;

	if (p->to == A_PAGE)
		p->to = h->page_bytes;
	if (p->to & (p->to - 1))
		return error_usage(e, "pad: to is a power of two");
	return 0;
}

static void
pad_request(void *self, struct heap *h, uint32_t object, unsigned processor)
{
	struct pad *p = self;

	heap_skip(h, &p->space, p->padding);
	heap_place(h, &p->space, object);
	p->padding = (0 - heap_bytes(h, object)) & (p->to - 1);
}

ALLOCATOR(pad,
    .plugin = { .name = "pad",
	.summary = "in the order of requests, each object padded to a line or a page",
	.state_size = sizeof(struct pad),
	.params = pad_params,
	.source = "jemalloc 5.3.0: jemalloc(3), IMPLEMENTATION NOTES" },
    .init = pad_init, .request = pad_request);
