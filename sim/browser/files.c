/* files.c - in place of mapped files and of outputs that replace a file at once. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mapped.h"
#include "sim/base/output.h"
#include "sim/base/text.h"

/* ---- files that are read ---- */

struct mapped {
	size_t n;
	_Alignas(16) unsigned char bytes[];
};

static bool
read_all(int fd, unsigned char *to, size_t n)
{
	while (n) {
		ssize_t got = read(fd, to, n);

		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

struct mapped *
mapped_open(int fd, const char *path, struct error *e)
{
	struct stat    st;
	struct mapped *m = NULL;

	if (!fstat(fd, &st))
		m = malloc(sizeof(*m) + (size_t)st.st_size);
	if (m && !lseek(fd, 0, SEEK_SET) && read_all(fd, m->bytes, (size_t)st.st_size)) {
		m->n = (size_t)st.st_size;
		return m;
	}
	free(m);
	error_set(e, "cannot be read: %s", strerror(errno));
	return NULL;
}

void
mapped_close(struct mapped *m)
{
	free(m);
}

const void *
mapped_bytes(const struct mapped *m, size_t *n)
{
	*n = m->n;
	return m->bytes;
}

int
mapped_check(struct mapped *m, bool (*same)(const void *self), const void *self, struct error *e)
{
	return 0;
}

void
mapped_catch_faults(void (*end)(const char *text))
{
}

/* ---- files that are written ---- */

struct output {
	int	 fd;
	uint64_t bytes;
	char	 path[];
};

bool
output_packs(const char *path)
{
	return text_ends_in(path, strlen(path), ".gz");
}

int
output_check(const char *path, struct error *e)
{
	if (!*path)
		return error_usage(e, "the name of the output is empty");
	return output_packs(path) ? error_set(e, "%s: not in a browser: leave out .gz", path) : 0;
}

int
output_spares(const char *path, const char *input, struct error *e)
{
	return strcmp(path, input) != 0 || !strcmp(path, "-")
	    ? 0
	    : error_usage(e, "%s is an input: choose another name for the output", path);
}

int
output_differs(const char *path, const char *other, struct error *e)
{
	return strcmp(path, other) != 0
	    ? 0
	    : error_usage(e, "%s is to be written twice: choose two names", path);
}

struct output *
output_open(const char *path, struct error *e)
{
	bool	       piped = !strcmp(path, "-");
	struct output *out;

	if (!piped && output_check(path, e))
		return NULL;
	out = calloc(1, sizeof(*out) + strlen(path) + 1);
	if (!out) {
		error_no_memory(e);
		return NULL;
	}
	strcpy(out->path, path);
	out->fd = piped ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (out->fd >= 0)
		return out;
	error_set(e, "%s: cannot be written: %s", path, strerror(errno));
	free(out);
	return NULL;
}

int
output_bytes(struct output *out, const void *buf, size_t n, struct error *e)
{
	const char *from = buf;

	out->bytes += n;
	while (n) {
		ssize_t done = write(out->fd, from, n);

		if (done < 0)
			return error_set(e, "%s: cannot be written: %s", out->path,
			    strerror(errno));
		from += done;
		n -= (size_t)done;
	}
	return 0;
}

int
output_commit(struct output *out, uint64_t *bytes, struct error *e)
{
	if (bytes)
		*bytes = out->bytes;
	output_abandon(out);
	return 0;
}

void
output_abandon(struct output *out)
{
	if (out && out->fd != STDOUT_FILENO)
		close(out->fd);
	free(out);
}

void
output_remove_temporary(void)
{
}

int
output_whole(const char *path, const void *buf, size_t n, struct error *e)
{
	struct output *out = output_open(path, e);
	int	       failed;

	if (!out)
		return -1;
	failed = output_bytes(out, buf, n, e);
	output_abandon(out);
	return failed;
}
