/*
 * shared.h - plug-ins compiled apart: shared objects that are taken by their path.
 *
 * A text begins with such a path if a / comes before any : or +, and the path
 * ends in .so: "./mine.so:k=3", "../try/ahead.so+linux24".  The file has the
 * name of the plug-in: of a policy, ./mine.so defines policy_mine_interface,
 * as POLICY(mine, ...) does.
 */
#ifndef SIM_SHARED_H
#define SIM_SHARED_H

#include "sim/base/plugin.h"

/* Characters of the path that text begins with; 0: with none. */
size_t shared_path(const char *text);

/* Does the file that text begins with define a plug-in of that kind ("policy")? */
bool shared_defines(const char *kind, const char *text);

/*
 * That plug-in, if it is compiled for the same number and sizes as ours; else
 * NULL.  It stays loaded to the end of the program; asked for again, it is the
 * same.  Not to be called from two threads at once.
 */
const struct plugin *shared_plugin(const char *kind, const char *text,
    const struct plugin_interface *ours, struct error *e);

/* The i-th that has been taken, from 0 on; NULL: there are no more. */
const struct plugin *shared_loaded(unsigned i);

enum { SHARED_TEXT = 256 };

/*
 * How text is shown in results: by the names of plug-ins instead of their
 * paths, "iprp+./mine.so:k=3" as "iprp+mine:k=3".  text itself, if it contains
 * no such path or the outcome is longer than the room.
 */
const char *shared_shown(const char *text, char room[SHARED_TEXT]);

#endif
