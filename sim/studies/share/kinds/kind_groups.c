/* kind_groups.c - far more equal objects than processors; neighbours have the same user. */
#include "sim/studies/share/model/kind.h"

struct groups {
	struct kind_settings all;
	uint64_t	     group;
};

static const struct param params[] = {
	KIND_PARAMS(512, "number of objects", 688, 10),
	{ "group", PARAM_COUNT, 2, 1, 1000, offsetof(struct groups, group),
	    "objects one behind the other that one processor writes", NULL },
	{ 0 },
};

/* For each object of the processor; n words, or all of them read and written. */
static void
visit(const struct groups *k, struct script *s, uint64_t processor, bool writes)
{
	for (uint64_t first = processor * k->group; first < k->all.objects;
	     first += k->group * k->all.processors)
		for (uint64_t o = first; o < k->all.objects && o < first + k->group; o++)
			if (writes)
				script_update(s, o + 1, kind_words(&k->all), 0);
			else
				script_run(s, 'R', o + 1, 0, 1);
}

static void
groups_work(const void *self, struct script *s, unsigned processor)
{
	const struct groups *k = self;
	uint64_t	     n = k->all.processors;

	for (uint64_t r = 0; r < k->all.rounds && script_has_room(s); r++) {
		visit(k, s, processor, true);
		script_line(s, "B 1");
		visit(k, s, (processor + n - 1) % n, false);
		script_line(s, "B 2");
	}
}

KIND(groups,
    .plugin = { .name = "groups",
	.summary =
	    "many equal objects; one processor uses some neighbours, another reads their first words",
	.state_size = sizeof(struct groups),
	.params = params,
	.source =
	    "B. Han, S. Cho: Memory allocation scheme for reducing false sharing on multiprocessor systems, Journal of KIISE: Systems and Theory 27(3), 2000" },
    .teaches = "where ff gains most: objects far smaller than a page with few users each",
    .work = groups_work);
