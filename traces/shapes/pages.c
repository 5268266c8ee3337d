/* pages.c - pages of a database, each of several blocks, at random. */
#include "sim/trace/shape.h"

struct pages {
	struct shape_settings all;
	uint64_t	      page, alpha;
	uint64_t	      calls, pages; /* of a page, of the file */
	struct zipf	      zipf;
	struct scatter	      scatter;
	uint64_t	      state, offset;
};

static const struct param params[] = {
	SHAPE_SIZE(256 << 20),
	SHAPE_PARAMS(20000, 1, 16384),
	{ "page", PARAM_BYTES, 16384, 1, 1 << 30, offsetof(struct pages, page),
	    "bytes of a page, which is read whole", NULL },
	{ "alpha", PARAM_SHARE, 0, 0, 5 * SHARE_ONE, offsetof(struct pages, alpha),
	    "popularity of pages as of zipf; 0: all the same", NULL },
	{ 0 },
};

static int
pages_init(void *self, struct error *e)
{
	struct pages *p = self;

	p->pages = p->all.size / p->page;
	p->calls = (p->page + p->all.call - 1) / p->all.call;
	p->state = p->all.key;
	if (!p->pages || p->pages > UINT32_MAX)
		return error_usage(e, "the file has no page, or more than 4,294,967,295");
	zipf_init(&p->zipf, p->pages, (double)p->alpha / SHARE_ONE);
	scatter_init(&p->scatter, p->pages);
	return 0;
}

static bool
pages_call(void *self, uint64_t i, struct shape_call *c)
{
	struct pages *p = self;
	uint64_t      from = p->all.call * (i % p->calls);

	if (!from)
		p->offset =
		    scatter_place(&p->scatter, zipf_next(&p->zipf, &p->state) - 1) * p->page;
	c->offset = p->offset + from;
	if (c->length > p->page - from)
		c->length = p->page - from;
	return true;
}

SHAPE(pages,
    .plugin = { .name = "pages",
	.summary = "pages of a database, each of several blocks, at random",
	.state_size = sizeof(struct pages),
	.params = params },
    .teaches = "a call says how much is needed: what is read behind it costs time and is not used",
    .init = pages_init, .call = pages_call);
