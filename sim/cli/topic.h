/*
 * topic.h - explain one thing by its name: bufsim list NAME and bufsim help NAME.
 *
 * A name is a kind of plug-in (policy, policies), a plug-in, a data sheet, an
 * option (cache, --cache), a workload, a group of them, a counter, or one of
 * the words counters, workloads and sizes.  Names that several things have
 * are explained once for each.
 */
#ifndef SIM_TOPIC_H
#define SIM_TOPIC_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/registry.h"

/* Print all that has that name; false: nothing has it. */
bool topic_print(const char *name, FILE *out);

/* A usage error that suggests the nearest topic or command. */
int topic_unknown(const char *name, struct error *e);

/* All plug-ins of a kind, with their parameters. */
void topic_kind(const struct plugin_kind *kind, FILE *out);

/* One plug-in: parameters, counters, source. */
void topic_plugin(const struct plugin_kind *kind, const struct plugin *p, const char *typed,
    FILE *out);

#endif
