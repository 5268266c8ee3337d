/*
 * mapped.h - files that are mapped to be read, which others may change meanwhile.
 *
 * A page of a file that was cut off is SIGBUS, and wrong values may lead anywhere.  So the file
 * is compared with what it was, in mapped_check(), and where a fault would end the program.  A
 * file that another one has replaced by name is still there.
 */
#ifndef SIM_MAPPED_H
#define SIM_MAPPED_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct mapped;

/* Map all of a regular file; path, which may be "-", is where it was opened.  NULL on failure. */
struct mapped *mapped_open(int fd, const char *path, struct error *e);
void	       mapped_close(struct mapped *m);

const void *mapped_bytes(const struct mapped *m, size_t *n);

/*
 * 0, or -1: it is shorter than when it was mapped, or has been written to and same() finds its
 * content different.
 */
int mapped_check(struct mapped *m, bool (*same)(const void *self), const void *self,
    struct error *e);

/*
 * From now on a fault (SIGBUS, SIGSEGV, SIGFPE, SIGABRT) calls end() with the reason, a line
 * without its end, if a mapped file has changed; else it does what it did before.  end() runs in
 * a signal handler and must not return.
 */
void mapped_catch_faults(void (*end)(const char *text));

#endif
