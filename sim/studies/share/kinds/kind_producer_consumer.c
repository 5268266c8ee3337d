/* kind_producer_consumer.c - one processor writes an object, the next ones read it, in rounds. */
#include "sim/studies/share/model/kind.h"

struct producer_consumer {
	struct kind_settings all;
	uint64_t	     consumers;
};

static const struct param params[] = {
	KIND_PARAMS(64, "number of objects, produced by the processors in turn", 256, 20),
	{ "consumers", PARAM_COUNT, 1, 1, PROCESSORS_MAX - 1,
	    offsetof(struct producer_consumer, consumers),
	    "number of processors that read an object: the next ones", NULL },
	{ 0 },
};

static int
producer_consumer_check(const void *self, struct error *e)
{
	const struct producer_consumer *k = self;

	if (k->consumers < k->all.processors)
		return 0;
	return error_usage(e, "consumers: there are only %u other processors",
	    (unsigned)k->all.processors - 1);
}

/* Those that the processor produces, from 0 to all.objects. */
static void
run_all(const struct producer_consumer *k, struct script *s, char letter, uint64_t producer)
{
	for (uint64_t o = producer + 1; o <= k->all.objects; o += k->all.processors)
		script_run(s, letter, o, 0, kind_words(&k->all));
}

static void
producer_consumer_work(const void *self, struct script *s, unsigned processor)
{
	const struct producer_consumer *k = self;
	uint64_t			n = k->all.processors;

	for (uint64_t r = 0; r < k->all.rounds && script_has_room(s); r++) {
		run_all(k, s, 'W', processor);
		script_line(s, "B 1");
		for (uint64_t i = 1; i <= k->consumers; i++)
			run_all(k, s, 'R', (processor + n - i) % n);
		script_line(s, "B 2");
	}
}

KIND(producer_consumer,
    .plugin = { .name = "producer-consumer",
	.summary = "one processor writes an object, then the next ones read it; barriers between",
	.state_size = sizeof(struct producer_consumer),
	.params = params },
    .teaches = "true sharing: on pages of their own, one fault for each round and consumer",
    .check = producer_consumer_check, .work = producer_consumer_work);
