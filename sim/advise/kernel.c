/* kernel.c - versions of Linux, and their schedulers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/advise/kernel.h"
#include "sim/registry.h"

enum { VERSIONS_ROOM = 128, QUEUED_COMMANDS = 32 /* of SATA */, FIRST_WITH_QUEUES = 5 };

static const char *const *
versions(struct error *e)
{
	const char	    *params;
	const struct plugin *p = registry_find(PLUGIN_PREFETCHER, "ondemand", &params, e);

	for (const struct param *q = p ? p->params : NULL; q && q->name; q++)
		if (!strcmp(q->name, "version"))
			return q->words;
	return NULL;
}

int
kernel_init(struct kernel *k, const char *version, struct error *e)
{
	char   all[VERSIONS_ROOM] = "";
	size_t used = 0;

	for (const char *const *v = versions(e); v && *v; v++) {
		if (!strcmp(*v, version)) {
			*k = (struct kernel){ *v, atoi(*v) >= FIRST_WITH_QUEUES };
			return 0;
		}
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
			    used ? ", " : "", *v);
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
