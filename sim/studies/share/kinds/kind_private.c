/* kind_private.c - each processor requests objects, and references these alone. */
#include "sim/studies/share/model/kind.h"

static const struct param params[] = {
	KIND_PARAMS(64, "number of objects of all processors", 256, 100),
	{ 0 },
};

static void
private_request(const void *self, struct script *s, unsigned processor)
{
	const struct kind_settings *k = self;

	for (uint64_t o = processor + 1; o <= k->objects; o += k->processors)
		script_line(s, "A %llu %llu", (unsigned long long)o, (unsigned long long)k->size);
}

static void
private_work(const void *self, struct script *s, unsigned processor)
{
	const struct kind_settings *k = self;

	if (processor >= k->objects)
		return;
	script_line(s, "( %llu", (unsigned long long)k->rounds);
	for (uint64_t o = processor + 1; o <= k->objects; o += k->processors)
		script_update(s, o, kind_words(k), 1);
	script_line(s, ")");
}

KIND(private,
    .plugin = { .name = "private",
	.summary = "each processor requests objects of its own, reads and writes these alone",
	.state_size = sizeof(struct kind_settings),
	.params = params },
    .teaches =
	"what an arena for each processor is for: requests of all, in one space, share pages",
    .request = private_request, .work = private_work);
