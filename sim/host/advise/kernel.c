/* kernel.c - versions of Linux, and their schedulers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/host/advise/kernel.h"
#include "sim/registry.h"

enum { VERSIONS_ROOM = 128, QUEUED_COMMANDS = 32 /* of SATA */, FIRST_WITH_QUEUES = 5 };

/* The parameter of ondemand whose words are the versions. */
static const struct param *
versions(struct error *e)
{
	const char	    *params;
	const struct plugin *p = registry_find(PLUGIN_PREFETCHER, "ondemand", &params, e);
	const struct param  *q = p->params;

	while (strcmp(q->name, "version") != 0)
		q++;
	return q;
}

int
kernel_init(struct kernel *k, const char *version, struct error *e)
{
	const struct param *q = versions(e);
	char		    all[VERSIONS_ROOM] = "";
	size_t		    used = 0;

	for (uint64_t v = 0; v <= q->max; v++) {
		if (!strcmp(q->words[v], version)) {
			*k = (struct kernel){ q->words[v], atoi(version) >= FIRST_WITH_QUEUES };
			return 0;
		}
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
			    used ? ", " : "", q->words[v]);
	}
	return error_usage(e,
	    "--kernel: the readahead of Linux %s is not modelled: type the newest version that is "
	    "not newer: %s (6.1x: 6.9 to 6.17)",
	    version, all);
}

const char *
kernel_model(enum kernel_scheduler s)
{
	return s == KERNEL_NONE ? "fifo" : "deadline";
}

const char *
kernel_word(const struct kernel *k, enum kernel_scheduler s)
{
	if (s == KERNEL_NONE)
		return k->queues ? "none" : "noop";
	return k->queues ? "mq-deadline" : "deadline";
}

enum kernel_scheduler
kernel_default(const struct kernel *k, uint32_t depth)
{
	return k->queues && depth > QUEUED_COMMANDS ? KERNEL_NONE : KERNEL_DEADLINE;
}
