/*
 * cpu_option.h - the value of --cpu: "call=812,page=410,byte=0.09,read_page=2400" in
 * nanoseconds, any of them; "sheet", those of the device's data sheet; "none".
 */
#ifndef SIM_CPU_OPTION_H
#define SIM_CPU_OPTION_H

#include "sim/core/engine/cpu.h"

enum cpu_from { CPU_OF_SHEET, CPU_NONE, CPU_TYPED };

struct cpu_option {
	enum cpu_from	 from;
	struct cpu_costs typed; /* else 0 */
};

/* 0, or -1 with a usage error. */
int cpu_option_parse(const char *text, struct cpu_option *to, struct error *e);

enum { CPU_COSTS_TEXT = 192 };

/* "call 812 ns, page 410 ns": those above 0.  Returns text. */
char *cpu_costs_words(struct cpu_costs c, char text[CPU_COSTS_TEXT]);

#endif
