/* hot_cold.c - random calls, most of them to a small part of the file. */
#include "sim/trace/shape.h"

struct hot_cold {
	struct shape_settings all;
	uint64_t	      hot, heat;
	uint64_t	      places, hot_places; /* multiples of a call */
};

static const struct param params[] = {
	SHAPE_SIZE(256 << 20),
	SHAPE_PARAMS(100000, 1, 4096),
	{ "hot", PARAM_SHARE, 100000, 0, SHARE_ONE, offsetof(struct hot_cold, hot),
	    "the hot share of the file, at its beginning", NULL },
	{ "heat", PARAM_SHARE, 900000, 0, SHARE_ONE, offsetof(struct hot_cold, heat),
	    "share of the calls that go there", NULL },
	{ 0 },
};

static int
hot_cold_init(void *self, struct error *e)
{
	struct hot_cold *h = self;

	h->places = h->all.size / h->all.call;
	h->hot_places = (uint64_t)((double)h->places * (double)h->hot / SHARE_ONE);
	if (h->hot_places && h->hot_places < h->places)
		return 0;
	return error_usage(e, "the hot or the cold part of the file is smaller than a call");
}

static bool
hot_cold_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct hot_cold *h = self;
	uint64_t	       place = chance_at(h->all.key, 2 * i + 1);

	if (chance_share(chance_at(h->all.key, 2 * i)) * SHARE_ONE < (double)h->heat)
		place %= h->hot_places;
	else
		place = h->hot_places + place % (h->places - h->hot_places);
	c->offset = place * h->all.call;
	return true;
}

SHAPE(hot_cold,
    .plugin = { .name = "hot-cold",
	.summary = "random calls, most of them to a small part of the file",
	.state_size = sizeof(struct hot_cold),
	.params = params },
    .teaches =
	"the knee of a miss-ratio curve: a cache of the hot part is enough, more helps little",
    .init = hot_cold_init, .call = hot_cold_call);
