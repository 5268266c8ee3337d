/* kind_read.c - processor 0 writes all objects, and then all processors read them. */
#include "sim/studies/share/model/kind.h"

static const struct param params[] = {
	KIND_PARAMS(64, "number of objects", 256, 100),
	{ 0 },
};

static void
read_prepare(const void *self, struct script *s)
{
	const struct kind_settings *k = self;

	for (uint64_t o = 1; o <= k->objects; o++)
		script_run(s, 'W', o, 0, kind_words(k));
}

static void
read_work(const void *self, struct script *s, unsigned processor)
{
	const struct kind_settings *k = self;

	script_line(s, "( %llu", (unsigned long long)k->rounds);
	for (uint64_t o = 1; o <= k->objects; o++) {
		script_line(s, "( %u", kind_words(k));
		script_line(s, "R %llu 0 0 1", (unsigned long long)o);
		script_line(s, ")");
	}
	script_line(s, ")");
}

KIND(read,
    .plugin = { .name = "read",
	.summary = "processor 0 writes all objects first, then all processors read them",
	.state_size = sizeof(struct kind_settings),
	.params = params },
    .teaches = "sharing that costs nothing but cold faults: each processor fetches each page once",
    .prepare = read_prepare, .work = read_work);
