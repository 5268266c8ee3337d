/*
 * effects.h - what each system call does to files, descriptors and processes.
 */
#ifndef TRACES_EFFECTS_H
#define TRACES_EFFECTS_H

#include "traces/syscalls.h"

enum effect_kind {
	EFFECT_PLAIN,
	EFFECT_READ,
	EFFECT_WAIT,
	EFFECT_CLONE,
	EFFECT_EXIT,
	EFFECT_KIND, /* shows what a descriptor is: of no use where descriptors have names */
};

struct effect {
	const char *name;
	int (*handle)(struct syscalls *s, struct call *c, struct error *e);
	enum effect_kind kind;
};

/* The effect of "name(...", or NULL. */
const struct effect *effect_of(const char *text);

/* The process ends: the call exit, or a line that says so, whichever comes first. */
int effect_exit(struct syscalls *s, struct call *c, struct error *e);

/* One more record, with the room that syscalls_reserve() has made. */
void syscalls_add(struct syscalls *s, const struct record *r);
int  syscalls_reserve(struct syscalls *s, uint32_t n, struct error *e);

/* Does clone share the descriptors, by its flags? */
bool effect_shares(const char *text);

#endif
