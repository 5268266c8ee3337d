/*
 * help.h - help and manual page, from the tables of commands, options and
 * plug-ins.
 */
#ifndef SIM_HELP_H
#define SIM_HELP_H

#include <stdio.h>

#include "sim/registry.h"
#include "sim/setup/options.h"

void help_overview(FILE *out);
void help_command(enum command_id id, FILE *out);
void help_man(FILE *out); /* roff */
void help_version(FILE *out);

void help_sizes(FILE *out);
void help_option(const struct option_info *i, FILE *out);

/* The help of the command of that name; false: there is none. */
bool help_for(const char *name, FILE *out);

/* Text in lines of up to 80 columns, from that column on. */
void help_wrap(const char *text, size_t column, FILE *out);

/* The same with left before it, two columns in. */
void help_entry(const char *left, size_t column, const char *text, FILE *out);

/* The values of a parameter: "default 31, from 1 to 128". */
void help_range(const struct param *q, char *buf, size_t n);

#endif
