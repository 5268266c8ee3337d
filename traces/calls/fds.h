/*
 * fds.h - records of calls, and the descriptors that calls name.
 */
#ifndef TRACES_FDS_H
#define TRACES_FDS_H

#include "traces/calls/syscalls.h"

/* Does a call succeed on any descriptor, on a pipe as well, or on a file only? */
enum fd_shows { SHOWS_NOTHING, SHOWS_STREAM, SHOWS_FILE };

/* A call moves data at the position of the description, or at an offset that it gives. */
enum fd_how { AT_POSITION, AT_OFFSET };

/* Is it the path of a regular file, as far as a path can tell? */
bool fd_is_path(const char *path);

/* One more record; file: or NIL.  There is room for it and for the name of its file. */
void fd_record(struct syscalls *s, const struct call *c, enum op op, uint32_t fd, uint32_t file,
    uint64_t offset, uint64_t length);

struct description *fd_described(struct syscalls *s, const struct descriptor *d);

/* Is it of a regular file?  d may be NULL. */
bool fd_is_file(struct syscalls *s, const struct descriptor *d);

/* An unseen descriptor is a file. */
int fd_becomes_file(struct syscalls *s, const struct call *c, const struct descriptor *d,
    struct error *e);

/*
 * The descriptor that is shown, or the one of a text, which is cut in place; NULL: none that the
 * log can tell anything about.  *bad: out of memory.
 */
struct descriptor *fd_find(struct syscalls *s, struct call *c, const struct shown *shown,
    enum fd_shows shows, bool *bad, struct error *e);
struct descriptor *fd_named(struct syscalls *s, struct call *c, char *text, enum fd_shows shows,
    bool *bad, struct error *e);

/* The same, if it is of a regular file. */
struct descriptor *fd_of_file(struct syscalls *s, struct call *c, char *text, enum fd_shows shows,
    bool *bad, struct error *e);

/* A call moved that many bytes through the descriptor of a file. */
void fd_move(struct syscalls *s, struct call *c, struct descriptor *d, enum op op, enum fd_how how,
    uint64_t offset, uint64_t length);

#endif
