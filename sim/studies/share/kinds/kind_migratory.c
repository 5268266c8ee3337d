/* kind_migratory.c - each processor in turn locks an object, reads and writes it. */
#include "sim/studies/share/model/kind.h"

static const struct param params[] = {
	KIND_PARAMS(16, "number of objects, each with a lock", 256, 20),
	{ 0 },
};

static void
migratory_work(const void *self, struct script *s, unsigned processor)
{
	const struct kind_settings *k = self;

	for (uint64_t r = 0; r < k->rounds && script_has_room(s); r++)
		for (uint64_t o = 1; o <= k->objects; o++) {
			script_line(s, "L %llu", (unsigned long long)o);
			script_update(s, o, kind_words(k), 0);
			script_line(s, "U %llu", (unsigned long long)o);
		}
}

KIND(migratory,
    .plugin = { .name = "migratory",
	.summary = "each processor in turn locks an object, reads and writes it",
	.state_size = sizeof(struct kind_settings),
	.params = params },
    .teaches = "even on a page of its own, each visit of an object costs a fault and an upgrade",
    .work = migratory_work);
