/* kind_stripes.c - large objects, cut into stripes that belong to groups of processors. */
#include "sim/studies/share/model/kind.h"

struct stripes {
	struct kind_settings all;
	uint64_t	     stripe, group;
};

static const struct param params[] = {
	KIND_PARAMS(2, "number of objects", 512 << 10, 10),
	{ "stripe", PARAM_BYTES, 64 << 10, 64, 1 << 30, offsetof(struct stripes, stripe),
	    "bytes of a stripe, which is used by one group of processors", NULL },
	{ "group", PARAM_COUNT, 4, 1, PROCESSORS_MAX, offsetof(struct stripes, group),
	    "processors of a group: each writes a part of a stripe, then all read it", NULL },
	{ 0 },
};

static int
stripes_check(const void *self, struct error *e)
{
	const struct stripes *k = self;

	if (k->all.processors % k->group)
		return error_usage(e, "group: %u processors are not groups of %u",
		    (unsigned)k->all.processors, (unsigned)k->group);
	if (k->stripe % (k->group * TAG_BYTES))
		return error_usage(e,
		    "stripe: is not a multiple of %u bytes, one word for each of %u",
		    (unsigned)k->group * TAG_BYTES, (unsigned)k->group);
	return 0;
}

/* The first word of an object that does not begin before that byte of it. */
static uint64_t
word_at(const struct kind_settings *k, uint64_t byte)
{
	uint64_t word = byte <= TAG_BYTES ? 0 : (byte - TAG_BYTES) / k->word;

	return word < kind_words(k) ? word : kind_words(k);
}

static void
run_bytes(const struct kind_settings *k, struct script *s, char letter, uint64_t object,
    uint64_t from, uint64_t bytes)
{
	uint64_t first = word_at(k, from), end = word_at(k, from + bytes);

	if (first < end)
		script_run(s, letter, object, first, end - first);
}

/* The processor's part of each stripe of its group, or the whole. */
static void
visit(const struct stripes *k, struct script *s, unsigned processor, bool writes)
{
	uint64_t ngroups = k->all.processors / k->group, part = k->stripe / k->group;
	uint64_t mine = processor / k->group * k->stripe;

	for (uint64_t o = 1; o <= k->all.objects && script_has_room(s); o++)
		for (uint64_t at = mine; at < k->all.size && script_has_room(s);
		     at += ngroups * k->stripe)
			if (writes)
				run_bytes(&k->all, s, 'W', o, at + processor % k->group * part,
				    part);
			else
				run_bytes(&k->all, s, 'R', o, at, k->stripe);
}

static void
stripes_work(const void *self, struct script *s, unsigned processor)
{
	const struct stripes *k = self;

	for (uint64_t r = 0; r < k->all.rounds && script_has_room(s); r++) {
		visit(k, s, processor, true);
		script_line(s, "B 1");
		visit(k, s, processor, false);
		script_line(s, "B 2");
	}
}

KIND(stripes,
    .plugin = { .name = "stripes",
	.summary = "large objects, whose pages belong to groups of processors",
	.state_size = sizeof(struct stripes),
	.params = params,
	.source =
	    "B. Han, S. Cho: Memory allocation scheme for reducing false sharing on multiprocessor systems, Journal of KIISE: Systems and Theory 27(3), 2000" },
    .teaches = "no allocator helps inside of an object: it can only begin it at a page",
    .check = stripes_check, .work = stripes_work);
