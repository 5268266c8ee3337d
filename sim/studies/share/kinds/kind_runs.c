/* kind_runs.c - runs of requests of equal size, one object for each processor. */
#include "sim/studies/share/model/kind.h"

enum {
	STEP = 16
}; /* bytes by which the objects of a run are larger than those of the one before */

struct runs {
	struct kind_settings all;
	uint64_t	     users;
};

static const struct param params[] = {
	KIND_PARAMS(4, "number of runs, each with an object for each processor", 64, 20),
	{ "users", PARAM_COUNT, 1, 1, 2, offsetof(struct runs, users),
	    "processors that use an object: 2: the next one reads it, between barriers", NULL },
	{ 0 },
};

static void
runs_request(const void *self, struct script *s, unsigned processor)
{
	const struct kind_settings *k = self;

	for (uint64_t i = 0; !processor && i < k->objects * k->processors; i++)
		script_line(s, "A %llu %llu", (unsigned long long)i + 1,
		    (unsigned long long)(k->size + i / k->processors * STEP));
}

/* The objects of a processor. */
static void
run_all(const struct runs *k, struct script *s, char letter, uint64_t processor)
{
	for (uint64_t i = 0; i < k->all.objects; i++)
		script_run(s, letter, i * k->all.processors + processor + 1, 0,
		    kind_words(&k->all));
}

static void
runs_work(const void *self, struct script *s, unsigned processor)
{
	const struct runs *k = self;
	uint64_t	   n = k->all.processors;

	for (uint64_t r = 0; r < k->all.rounds && script_has_room(s); r++) {
		run_all(k, s, 'R', processor);
		run_all(k, s, 'W', processor);
		if (k->users == 1)
			continue;
		script_line(s, "B 1");
		run_all(k, s, 'R', (processor + n - 1) % n);
		script_line(s, "B 2");
	}
}

KIND(runs,
    .plugin = { .name = "runs",
	.summary = "processor 0 requests runs of equal objects, one object for each processor",
	.state_size = sizeof(struct runs),
	.params = params,
	.source =
	    "B. Han, S. Cho: Memory allocation scheme for reducing false sharing on multiprocessor systems, Journal of KIISE: Systems and Theory 27(3), 2000" },
    .teaches = "what SSalloc looks for: as ff, it separates the objects of a run",
    .request = runs_request, .work = runs_work);
