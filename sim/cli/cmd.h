/*
 * cmd.h - the commands.
 *
 * Each returns 0, or -1 with the error and nothing printed: a command writes
 * to out only after everything that can fail has succeeded.
 */
#ifndef SIM_CMD_H
#define SIM_CMD_H

#include <stdio.h>

#include "sim/setup/options.h"

#define COMMAND(id, name, ...) int cmd_##name(const struct options *o, FILE *out, struct error *e);
#include "sim/setup/program.def"

/* Run a whole command line: argv[1] is a command, --help or --version. */
int command_line(int argc, char **argv, FILE *out, struct error *e);

#endif
