/*
 * numbers.h - system calls by number, as the events raw_syscalls:sys_enter and
 * sys_exit show them.
 */
#ifndef TRACES_CALLS_NUMBERS_H
#define TRACES_CALLS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

enum machine { MACHINE_UNKNOWN, MACHINE_X86_64, MACHINE_ARM64 };

/*
 * What a call is called, and what its arguments are: f a descriptor, d one of
 * a folder, n the address of a name, o that of an offset, c flags of clone, v
 * any other value.
 */
struct numbered {
	const char *name;
	int	    number[2]; /* of x86_64, of arm64; -1: it has none */
	const char *args;
};

/* NULL: a call that is of no concern. */
const struct numbered *numbers_find(enum machine m, uint64_t number);

/*
 * The machine on which a call with these first two arguments is likely: it
 * opens a file in the working folder, or moves data between a descriptor and
 * memory.  MACHINE_UNKNOWN: it does not tell.
 */
enum machine numbers_machine(uint64_t number, uint64_t first, uint64_t second);

#endif
