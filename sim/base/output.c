/*
 * output.c - write to a temporary file, then rename it.
 *
 * zlib writes plain files as well ("T") and passes large pieces through
 * without copying them.
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/output.h"

enum { PATH_ROOM = 4096, PIECE_BYTES = 1 << 30, GZIP_BUFFER = 128 << 10 };

struct output {
	gzFile gz;
	int    fd;	 /* of the file; gz has a duplicate and closes that */
	char  *path;	 /* its final name; NULL: standard output */
	char   name[64]; /* its beginning, for errors */
};

static char temporary[PATH_ROOM]; /* to be removed when a signal ends us; "": none */

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };

enum { ENDING_SIGNALS = sizeof(ending_signals) / sizeof(*ending_signals) };

void
output_remove_temporary(void)
{
	if (*temporary)
		unlink(temporary);
}

static void
remove_and_end(int number)
{
	output_remove_temporary();
	signal(number, SIG_DFL);
	raise(number);
}

/* Ignored signals stay ignored; a file that grows too large is an error, not a signal. */
static void
catch_signals(sigset_t *set)
{
	struct sigaction now, ours = { .sa_handler = remove_and_end };

	sigemptyset(set);
	for (int i = 0; i < ENDING_SIGNALS; i++)
		sigaddset(set, ending_signals[i]);
	ours.sa_mask = *set; /* a second one waits until the file is gone */
	for (int i = 0; i < ENDING_SIGNALS; i++)
		if (!sigaction(ending_signals[i], NULL, &now) && now.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &ours, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

static int
failed(const char *name, int number, struct error *e)
{
	return error_set(e, "%s: cannot be written: %s", name, strerror(number));
}

/* The mode of the file that it replaces, or that of open(); no other group gets access. */
static void
set_mode(int fd, const char *path)
{
	struct stat before;
	mode_t	    mask = umask(0), mode = 0666 & ~mask;

	umask(mask);
	if (!stat(path, &before)) {
		mode = before.st_mode & 0777;
		if (fchown(fd, before.st_uid, before.st_gid) &&
		    fchown(fd, (uid_t)-1, before.st_gid))
			mode &= ~(mode_t)070;
	}
	(void)fchmod(fd, mode);
}

/* A new file beside path, or -1. */
static int
make_temporary(const char *path, struct error *e)
{
	char	 name[PATH_ROOM];
	sigset_t ending, before;
	int	 fd, n = snprintf(name, sizeof(name), "%s.XXXXXX", path);

	if (n >= PATH_ROOM)
		return failed(path, ENAMETOOLONG, e);
	catch_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &before);
	fd = mkstemp(name);
	n = errno;
	if (fd >= 0)
		strcpy(temporary, name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd < 0)
		return failed(path, n, e);
	set_mode(fd, path);
	return fd;
}

static void
remove_temporary(void)
{
	output_remove_temporary();
	*temporary = '\0';
}

/* An existing file is replaced, through symbolic links; anything else is an error. */
static char *
place_for(const char *path, struct error *e)
{
	struct stat st;
	char	   *place;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		error_set(e,
		    "%s: not a regular file: choose another name, or - for standard output", path);
		return NULL;
	}
	place = realpath(path, NULL);
	if (!place)
		place = strdup(path);
	if (!place)
		error_set(e, "out of memory");
	return place;
}

bool
output_packs(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && !strcmp(path + n - 3, ".gz");
}

int
output_spares(const char *path, const char *input, struct error *e)
{
	struct stat a, b;

	if ((strcmp(input, "-") ? stat(input, &a) : fstat(STDIN_FILENO, &a)) ||
	    !strcmp(path, "-") || stat(path, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return 0;
	return error_usage(e, "%s is an input: choose another name for the output", path);
}

struct output *
output_open(const char *path, struct error *e)
{
	bool	       piped = !strcmp(path, "-");
	struct output *out = calloc(1, sizeof(*out));
	int	       copy;

	if (!out) {
		error_set(e, "out of memory");
		return NULL;
	}
	snprintf(out->name, sizeof(out->name), "%s", piped ? "standard output" : path);
	out->path = piped ? NULL : place_for(path, e);
	out->fd = piped ? STDOUT_FILENO : out->path ? make_temporary(out->path, e) : -1;
	if (out->fd < 0) {
		output_abandon(out);
		return NULL;
	}
	copy = dup(out->fd);
	out->gz = copy < 0 ? NULL : gzdopen(copy, output_packs(path) ? "wb" : "wbT");
	if (out->gz) {
		gzbuffer(out->gz, GZIP_BUFFER);
		return out;
	}
	error_set(e, "out of memory");
	if (copy >= 0)
		close(copy);
	output_abandon(out);
	return NULL;
}

int
output_bytes(struct output *out, const void *buf, size_t n, struct error *e)
{
	const char *from = buf;

	while (n) {
		unsigned piece = n < PIECE_BYTES ? (unsigned)n : PIECE_BYTES;

		errno = 0;
		if (gzwrite(out->gz, from, piece) != (int)piece)
			return failed(out->name, errno ? errno : ENOMEM, e);
		from += piece;
		n -= piece;
	}
	return 0;
}

/* Bring all of it to the disk.  Returns 0 or an errno. */
static int
finish(struct output *out, uint64_t *bytes)
{
	struct stat st;
	int	    status;

	errno = 0;
	status = gzclose(out->gz);
	out->gz = NULL;
	if (status != Z_OK)
		return errno ? errno : EIO;
	if (bytes)
		*bytes = fstat(out->fd, &st) ? 0 : (uint64_t)st.st_size;
	if (!out->path)
		return 0;
	if (fsync(out->fd) || rename(temporary, out->path))
		return errno;
	*temporary = '\0';
	return 0;
}

int
output_commit(struct output *out, uint64_t *bytes, struct error *e)
{
	int number = finish(out, bytes);

	if (number)
		failed(out->name, number, e);
	output_abandon(out);
	return number ? -1 : 0;
}

void
output_abandon(struct output *out)
{
	if (!out)
		return;
	if (out->gz)
		gzclose(out->gz);
	if (out->fd >= 0 && out->fd != STDOUT_FILENO)
		close(out->fd);
	if (out->path)
		remove_temporary();
	free(out->path);
	free(out);
}

int
output_whole(const char *path, const void *buf, size_t n, struct error *e)
{
	struct output *out = output_open(path, e);

	if (!out)
		return -1;
	if (!output_bytes(out, buf, n, e))
		return output_commit(out, NULL, e);
	output_abandon(out);
	return -1;
}
