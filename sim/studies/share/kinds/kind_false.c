/* kind_false.c - neighbours that different processors write: no object is shared, pages are. */
#include "sim/studies/share/model/kind.h"

static const struct param params[] = {
	KIND_PARAMS(64, "number of objects, which belong to the processors in turn", 64, 100),
	{ 0 },
};

static void
false_work(const void *self, struct script *s, unsigned processor)
{
	const struct kind_settings *k = self;

	if (processor >= k->objects)
		return;
	script_line(s, "( %llu", (unsigned long long)k->rounds);
	for (uint64_t o = processor + 1; o <= k->objects; o += k->processors) {
		script_line(s, "( %u", kind_words(k));
		script_line(s, "W %llu 0 0 1", (unsigned long long)o);
		script_line(s, ")");
	}
	script_line(s, ")");
}

KIND(false,
    .plugin = { .name = "false",
	.summary = "processor 0 requests all objects, and each other object has another writer",
	.state_size = sizeof(struct kind_settings),
	.params = params },
    .teaches =
	"false sharing at its worst, which padding removes, and arenas do not: one processor requests",
    .work = false_work);
