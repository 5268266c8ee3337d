/* rows.c - append, resume, put in order. */
#define _DEFAULT_SOURCE /* flock */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/base/output.h"
#include "sim/points/rows.h"

enum { LOCKS_TRIED = 100 };

static int
failed_with(const struct rows *r, struct error *e)
{
	return error_set(e, "%s: %s", r->path, strerror(errno));
}

/* Is the open file still the file of that name? */
static bool
is_named(const struct rows *r)
{
	struct stat open, named;

	return !fstat(r->fd, &open) && !stat(r->path, &named) && open.st_dev == named.st_dev &&
	    open.st_ino == named.st_ino;
}

/* An error if rows would be lost in a file that is no longer there, or no longer ours alone. */
static int
check_file(struct rows *r, struct error *e)
{
	struct stat st;

	r->lost = true;
	if (!is_named(r))
		return error_set(e, "%s was moved, removed or replaced during the sweep", r->path);
	if (fstat(r->fd, &st) || (uint64_t)st.st_size != r->end)
		return error_set(e, "%s was changed by another program during the sweep", r->path);
	r->lost = false;
	return 0;
}

/* Append; a row that a full disk takes only in part is removed again. */
static int
append(struct rows *r, const char *text, size_t bytes, struct error *e)
{
	size_t	done = 0;
	ssize_t n = 0;

	while (done < bytes) {
		n = pwrite(r->fd, text + done, bytes - done, (off_t)(r->end + done));
		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	if (done < bytes) {
		failed_with(r, e);
		if (ftruncate(r->fd, (off_t)r->end) < 0)
			return error_prefix(e, "a torn row is left");
		return -1;
	}
	r->end += bytes;
	return 0;
}

int
rows_add(struct rows *r, size_t place, const char *text, size_t bytes, struct error *e)
{
	uint64_t at = r->end;

	if (check_file(r, e) || append(r, text, bytes, e))
		return -1;
	r->row[place] = (struct row){ at, bytes };
	r->nthere++;
	return 0;
}

/* ---- resuming ---- */

/* The row that was just read; a line end of Windows counts, and is copied, as a newline. */
static struct row
this_row(const struct csv *c)
{
	bool windows = c->line_bytes > 1 && c->line[c->line_bytes - 2] == '\r';

	return (struct row){ c->end - c->line_bytes, c->line_bytes - windows };
}

/* Rows that repeat others are left out. */
static int
keep(struct rows *r, const struct csv *c, place_function *place, void *self, struct error *e)
{
	struct row  row = this_row(c);
	struct row *grown;
	size_t	    at = place(self, c->field, c->ncolumns);

	if (at != SIZE_MAX) {
		if (!r->row[at].bytes) {
			r->row[at] = row;
			r->nthere++;
		}
		return 0;
	}
	grown = array_grow(r->other, r->nothers, &r->others_capacity, sizeof(*r->other));
	if (!grown)
		return error_no_memory(e);
	r->other = grown;
	r->other[r->nothers++] = row;
	return 0;
}

static int
check_header(const struct rows *r, const struct csv *c, struct error *e)
{
	const char *header = r->header;

	for (unsigned i = 0; i < c->ncolumns; i++) {
		size_t n = strcspn(header, ",\n");

		if (strncmp(header, c->column[i], n) || c->column[i][n])
			return error_set(e, "%s: its columns are not those of this version's sweep",
			    r->path);
		header += n + (header[n] != '\0');
	}
	if (*header)
		return error_set(e, "%s: lacks columns of this version's sweep", r->path);
	return 0;
}

/* Is the file a beginning of that text? */
static bool
begins(const struct rows *r, const char *text)
{
	char got[4096];

	return r->end < strlen(text) && r->end <= sizeof(got) &&
	    pread(r->fd, got, r->end, 0) == (ssize_t)r->end && !memcmp(got, text, r->end);
}

static int
read_rows(struct rows *r, place_function *place, void *self, struct error *e)
{
	struct csv c;
	int	   status;

	if (csv_open(&c, r->path, e))
		return -1;
	status = c.ncolumns ? check_header(r, &c, e) : 0;
	if (!status && c.ncolumns)
		while ((status = csv_next(&c, e)) > 0 && !(status = keep(r, &c, place, self, e)))
			;
	r->torn = r->torn || c.torn || (!c.ncolumns && r->end);
	if (!status && !c.ncolumns && !begins(r, r->header))
		status = error_set(e, "%s: is not the output of a sweep", r->path);
	r->end = c.ncolumns ? c.end : 0;
	csv_close(&c);
	if (!status && r->torn && ftruncate(r->fd, (off_t)r->end) < 0)
		return failed_with(r, e);
	return status;
}

/* ---- putting in order ---- */

static bool
is_sorted(const struct rows *r)
{
	uint64_t at = strlen(r->header);

	for (size_t i = 0; i < r->nrows; i++) {
		if (r->row[i].bytes && r->row[i].at != at)
			return false;
		at += r->row[i].bytes;
	}
	for (uint32_t i = 0; i < r->nothers; i++) {
		if (r->other[i].at != at)
			return false;
		at += r->other[i].bytes;
	}
	return at == r->end;
}

static int
copy_row(const struct rows *r, const struct row *row, struct output *to, struct error *e)
{
	char   part[8192];
	size_t done = 0, bytes = row->bytes ? row->bytes - 1 : 0; /* without the newline */

	while (done < bytes) {
		size_t	left = bytes - done, want = left < sizeof(part) ? left : sizeof(part);
		ssize_t n = pread(r->fd, part, want, (off_t)(row->at + done));

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return error_set(e, "%s: cannot be read again: %s", r->path,
			    n ? strerror(errno) : "it became shorter");
		if (n > 0 && output_bytes(to, part, (size_t)n, e))
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	return row->bytes ? output_bytes(to, "\n", 1, e) : 0;
}

static int
copy_sorted(const struct rows *r, struct output *to, struct error *e)
{
	if (output_bytes(to, r->header, strlen(r->header), e))
		return -1;
	for (size_t i = 0; i < r->nrows; i++)
		if (copy_row(r, &r->row[i], to, e))
			return -1;
	for (uint32_t i = 0; i < r->nothers; i++)
		if (copy_row(r, &r->other[i], to, e))
			return -1;
	return 0;
}

static int
replace(const struct rows *r, struct error *e)
{
	struct output *to = output_open(r->path, e);

	if (!to)
		return -1;
	if (!copy_sorted(r, to, e))
		return output_commit(to, NULL, e);
	output_abandon(to);
	return -1;
}

/* ---- opening ---- */

/* The workers of a sweep that was killed hold its lock for a moment longer. */
static bool
is_locked_elsewhere(int fd)
{
	const struct timespec moment = { .tv_nsec = 20 * 1000 * 1000 };

	for (unsigned i = 0; i < 50; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) /* some cannot lock */
			return false;
		nanosleep(&moment, NULL);
	}
	return true;
}

static int
lock_file(struct rows *r, struct error *e)
{
	r->fd = open(r->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (r->fd < 0)
		return failed_with(r, e);
	if (is_locked_elsewhere(r->fd))
		return error_set(e, "%s: another sweep is writing to it", r->path);
	return 0;
}

/* The sweep that had the lock may have replaced the file before we got it. */
static int
lock_named_file(struct rows *r, struct error *e)
{
	if (lock_file(r, e))
		return -1;
	for (unsigned i = 0; !is_named(r); i++) {
		close(r->fd);
		r->fd = -1;
		if (i == LOCKS_TRIED)
			return error_set(e, "%s: is replaced again and again", r->path);
		if (lock_file(r, e))
			return -1;
	}
	return 0;
}

/* The file is there: a sweep to continue, or something else? */
static int
refuse_existing(const struct rows *r, struct error *e)
{
	struct error ignored;
	struct csv   c;
	bool	     is_sweep = begins(r, r->header);

	if (!csv_open(&c, r->path, &ignored)) {
		is_sweep = is_sweep || (c.ncolumns && !check_header(r, &c, &ignored));
		csv_close(&c);
	}
	if (is_sweep)
		return error_usage(e,
		    "%s exists: --resume continues it; or remove it, or choose another name",
		    r->path);
	return error_usage(e,
	    "%s exists, and is not the output of this version's sweep: choose another name",
	    r->path);
}

static int
open_file(struct rows *r, bool resume, struct error *e)
{
	struct stat st;

	if (output_check(r->path, e) || lock_named_file(r, e))
		return -1;
	if (fstat(r->fd, &st))
		return failed_with(r, e);
	r->end = (uint64_t)st.st_size;
	if (r->end && !resume)
		return refuse_existing(r, e);
	return 0;
}

/* The file is empty: it gets the header, or goes. */
static int
begin_file(struct rows *r, struct error *e)
{
	if (!append(r, r->header, strlen(r->header), e))
		return 0;
	unlink(r->path);
	return -1;
}

/* Does the file have the header and the rows and nothing else? */
static bool
is_as_written(const struct rows *r)
{
	uint64_t bytes = strlen(r->header);

	for (size_t i = 0; i < r->nrows; i++)
		bytes += r->row[i].bytes;
	for (uint32_t i = 0; i < r->nothers; i++)
		bytes += r->other[i].bytes;
	return bytes == r->end;
}

/*
 * Find the rows of the file.  If another program has saved it, with line ends
 * of Windows or a byte order mark, or if it repeats rows, it is written again.
 */
static int
take_up(struct rows *r, place_function *place, void *self, struct error *e)
{
	if (!r->end)
		return begin_file(r, e);
	if (read_rows(r, place, self, e))
		return -1;
	if (!r->end)
		return begin_file(r, e);
	if (is_as_written(r))
		return 0;
	if (replace(r, e))
		return -1;
	close(r->fd);
	r->fd = -1;
	memset(r->row, 0, r->nrows * sizeof(*r->row));
	r->nthere = r->nothers = 0;
	return open_file(r, true, e) || read_rows(r, place, self, e) ? -1 : 0;
}

int
rows_open(struct rows *r, const char *path, const char *header, size_t nrows, bool resume,
    place_function *place, void *self, struct error *e)
{
	*r = (struct rows){ .path = path, .header = header, .fd = -1, .nrows = nrows };
	r->row = calloc(nrows, sizeof(*r->row));
	if (!r->row)
		return error_set(e, "out of memory for %zu points", nrows);
	if (!open_file(r, resume, e) && !take_up(r, place, self, e))
		return 0;
	rows_close(r);
	return -1;
}

void
rows_close(struct rows *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r->row);
	free(r->other);
	*r = (struct rows){ .fd = -1 };
}

int
rows_sort(struct rows *r, struct error *e)
{
	if (check_file(r, e))
		return -1;
	if (is_sorted(r) || !replace(r, e))
		return 0;
	return error_prefix(e, "all rows are there, but not in order");
}
