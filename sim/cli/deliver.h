/* deliver.h - the end of a command that has printed to memory, so that half of its output is never written. */
#ifndef SIM_CLI_DELIVER_H
#define SIM_CLI_DELIVER_H

#include "sim/base/memo.h"

/* Write it to the file of that name; NULL or "-": to out, where text for a person is folded. */
int deliver(const struct memo *m, const char *path, bool text, FILE *out, struct error *e);

#endif
