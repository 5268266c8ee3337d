/*
 * shared.h - plug-ins compiled apart: shared objects, given by their path.
 *
 * A text begins with such a path if a / comes before any : or +, and the path
 * ends in .so: "./mine.so:k=3", "../try/ahead.so+linux24".  The file has the
 * name of the plug-in: with a policy, ./mine.so defines policy_mine_interface,
 * as POLICY(mine, ...) does.
 */
#ifndef SIM_SHARED_H
#define SIM_SHARED_H

#include "sim/base/plugin.h"

/* The length of the path that text begins with; 0: text does not begin with one. */
size_t shared_path(const char *text);

/* Does the file that text begins with define a plug-in of that kind ("policy")? */
bool shared_defines(const char *kind, const char *text);

/*
 * That plug-in, if its number and sizes are those of this program; else NULL
 * and an error.  It stays loaded to the end of the program, and the same file
 * gives the same plug-in.  Not to be called from two threads at once.
 */
const struct plugin *shared_plugin(const char *kind, const char *text,
    const struct plugin_interface *ours, struct error *e);

/* The i-th that has been taken, from 0 on; NULL: there are no more. */
const struct plugin *shared_loaded(unsigned i);

/* The fingerprint of its file when it was loaded; 0: it is not one of them. */
uint64_t shared_fingerprint(const struct plugin *p);

enum { SHARED_TEXT = 256 };

/*
 * The form of text in results, with the names of plug-ins instead of their
 * paths: "iprp+./mine.so:k=3" becomes "iprp+mine:k=3".  Returns text itself if
 * it contains no such path or if there is not enough room.
 */
const char *shared_shown(const char *text, char room[SHARED_TEXT]);

#endif
