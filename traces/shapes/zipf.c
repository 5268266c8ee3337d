/* zipf.c - random blocks, a few of them popular: the k-th most with probability k^-alpha. */
#include "sim/trace/shape.h"

enum order { ORDER_SCATTERED, ORDER_RANKED };

struct zipf_shape {
	struct shape_settings all;
	uint64_t	      blocks, alpha, order;
	struct zipf	      zipf;
	struct scatter	      scatter;
	uint64_t	      state;
};

static const char *const order_words[] = { "scattered", "ranked", NULL };

static const struct param params[] = {
	{ "alpha", PARAM_SHARE, 900000, 0, 5 * SHARE_ONE, offsetof(struct zipf_shape, alpha),
	    "the k-th most popular block has probability k^-alpha; 0: all the same", NULL },
	{ "blocks", PARAM_COUNT, 100000, 1, INT32_MAX, offsetof(struct zipf_shape, blocks),
	    "blocks of the file, each as large as a call", NULL },
	SHAPE_PARAMS(100000, 1, 4096),
	{ "order", PARAM_WORD, ORDER_SCATTERED, 0, ORDER_RANKED, offsetof(struct zipf_shape, order),
	    "popular blocks lie far apart, or the most popular one comes first in the file",
	    order_words },
	{ 0 },
};

static int
zipf_shape_init(void *self, struct error *e)
{
	struct zipf_shape *z = self;

	z->all.size = z->blocks * z->all.call;
	z->state = z->all.key;
	zipf_init(&z->zipf, z->blocks, (double)z->alpha / SHARE_ONE);
	scatter_init(&z->scatter, z->blocks);
	return 0;
}

static bool
zipf_shape_call(void *self, uint64_t i, struct shape_call *c)
{
	struct zipf_shape *z = self;
	uint64_t	   rank = zipf_next(&z->zipf, &z->state) - 1;

	if (z->order == ORDER_SCATTERED)
		rank = scatter_place(&z->scatter, rank);
	c->offset = rank * z->all.call;
	return true;
}

SHAPE(zipf,
    .plugin = { .name = "zipf",
	.summary = "random blocks, some far more popular than others, by Zipf's law",
	.state_size = sizeof(struct zipf_shape),
	.params = params },
    .teaches =
	"popularity: a small cache has most of the hits, and reading ahead evicts popular blocks",
    .init = zipf_shape_init, .call = zipf_shape_call);
