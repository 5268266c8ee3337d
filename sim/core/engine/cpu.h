/*
 * cpu.h - the time that the processor takes for the calls of a trace.
 *
 * The costs of a call (sim/device/cpu_costs.h) are paid by its process at the
 * end of the call, when it has all its blocks; reads for which no process waits
 * go on meanwhile.  What is below a microsecond is carried over to the process's
 * next call, so that nothing is lost.  There is a processor for each process.
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include "sim/base/plugin.h"
#include "sim/device/cpu_costs.h"

struct config;
struct engine;
struct process;

struct cpu {
	struct cpu_costs costs;
	bool		 charges; /* is any cost above 0? */
	uint64_t	 reads;	  /* blocks read that processes have been charged for */
};

void cpu_init(struct cpu *c, const struct config *cfg);

/*
 * The process has run, and that call has all its blocks if it is done.  True:
 * the call ends.  False: the process sleeps, or it pays until its alarm.
 */
bool cpu_charge(struct engine *g, struct process *p, size_t call, bool done);

/* The alarm of a process that pays: the call ends. */
void cpu_paid(struct engine *g, struct process *p);

/* The costs in the data sheet of a device, or of the members of an array.  False: it has none. */
bool cpu_costs_of_device(const struct choice *device, struct cpu_costs *to);

#endif
