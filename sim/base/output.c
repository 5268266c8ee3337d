/*
 * output.c - write to a temporary file, then rename it.
 *
 * Where the system can make a file without a name, the temporary file gets
 * one only to be renamed: whatever ends the process before, nothing is left.
 * Elsewhere signals remove it, apart from SIGKILL.
 *
 * zlib writes plain files as well ("T") and passes large pieces through
 * without copying them.
 */
#define _GNU_SOURCE /* O_TMPFILE, realpath() */
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
#include "sim/base/stop.h"
#include "sim/base/text.h"

enum { PIECE_BYTES = 1 << 30, GZIP_BUFFER = 128 << 10, NAME_ROOM = 64, NAMES_TRIED = 1000 };

struct output {
	gzFile	    gz;
	int	    fd;	      /* of the file; gz has a duplicate and closes that */
	char	   *name;     /* for errors */
	int	    folder;   /* of the file; -1: standard output */
	char	   *place;    /* the file, behind all symbolic links */
	const char *last;     /* of place, without the folder */
	bool	    nameless; /* the temporary file has no name yet */
};

/* To be removed when a signal ends us; name "": none. */
static struct {
	int  folder;
	char name[NAME_ROOM];
} temporary;

void
output_remove_temporary(void)
{
	if (*temporary.name)
		unlinkat(temporary.folder, temporary.name, 0);
	*temporary.name = '\0';
}

static void
remove_and_end(int number)
{
	output_remove_temporary();
	signal(number, SIG_DFL);
	raise(number);
}

/* Ignored signals stay ignored. */
static void
catch_signal(int number, const struct sigaction *ours)
{
	struct sigaction now;

	if (!sigaction(number, NULL, &now) && now.sa_handler == SIG_DFL)
		sigaction(number, ours, NULL);
}

static void
catch_signals(sigset_t *set)
{
	struct sigaction ours = { .sa_handler = remove_and_end };

	sigemptyset(set);
	sigaddset(set, SIGPIPE);
	for (int i = 0; i < STOP_SIGNALS; i++)
		sigaddset(set, stop_signal[i]);
	ours.sa_mask = *set; /* a second one waits until the file is gone */
	catch_signal(SIGPIPE, &ours);
	for (int i = 0; i < STOP_SIGNALS; i++)
		catch_signal(stop_signal[i], &ours);
}

static int
failed(const char *name, int number, struct error *e)
{
	return error_set(e, "%s: cannot be written: %s", name, strerror(number));
}

/* The folder of a file could not be opened. */
static int
no_folder(const char *path, int number, struct error *e)
{
	size_t	    n = (size_t)(text_file_name(path) - path);
	char	   *folder;
	struct stat st;

	while (n > 1 && path[n - 1] == '/')
		n--;
	folder = strndup(path, n);
	if (number == ENOENT && folder && *folder && lstat(folder, &st)) /* not a link to nothing */
		error_set(e, "%s: its folder does not exist: type mkdir -p %s", path, folder);
	else
		failed(path, number, e);
	free(folder);
	return -1;
}

/* ---- places ---- */

/* For close(), or -1. */
static int
open_folder(const char *path)
{
	size_t n = (size_t)(text_file_name(path) - path);
	char  *folder = n ? strndup(path, n) : strdup(".");
	int    fd;

	if (!folder)
		return -1;
#ifdef O_PATH /* needs no permission to list it */
	fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
#else
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#endif
	free(folder);
	return fd;
}

static int
check_existing(const char *path, const struct stat *st, struct error *e)
{
	if (S_ISDIR(st->st_mode))
		return error_set(e, "%s is a directory: add the name of a file", path);
	if (!S_ISREG(st->st_mode))
		return error_set(e,
		    "%s: not a regular file: choose another name, or - for standard output", path);
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) ? failed(path, errno, e) : 0;
}

int
output_check(const char *path, struct error *e)
{
	struct stat st;
	int	    folder, number;

	if (!strcmp(path, "-"))
		return 0;
	if (!*path)
		return error_usage(e, "the name of the output is empty");
	if (!stat(path, &st))
		return check_existing(path, &st, e);
	if (errno != ENOENT)
		return failed(path, errno, e);
	if (!lstat(path, &st))
		return error_set(e,
		    "%s: a symbolic link to a file that does not exist: remove it, or choose "
		    "another name",
		    path);
	folder = open_folder(path);
	if (folder < 0)
		return no_folder(path, errno, e);
	number = faccessat(folder, ".", W_OK, AT_EACCESS) ? errno : 0;
	close(folder);
	return number ? failed(path, number, e) : 0;
}

bool
output_packs(const char *path)
{
	return text_ends_in(path, strlen(path), ".gz");
}

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int
output_spares(const char *path, const char *input, struct error *e)
{
	struct stat a, b;

	if ((strcmp(input, "-") ? stat(input, &a) : fstat(STDIN_FILENO, &a)) ||
	    !strcmp(path, "-") || stat(path, &b) || !same_file(&a, &b))
		return 0;
	return error_usage(e, "%s is an input: choose another name for the output", path);
}

static bool
same_folder(const char *path, const char *other)
{
	int	    a = open_folder(path), b = open_folder(other);
	struct stat of_a, of_b;
	bool	    same =
	    a >= 0 && b >= 0 && !fstat(a, &of_a) && !fstat(b, &of_b) && same_file(&of_a, &of_b);

	if (a >= 0)
		close(a);
	if (b >= 0)
		close(b);
	return same;
}

int
output_differs(const char *path, const char *other, struct error *e)
{
	struct stat a, b;
	bool	    there = !stat(path, &a), same;

	if (!stat(other, &b))
		same = there && same_file(&a, &b);
	else
		same = !there && !strcmp(text_file_name(path), text_file_name(other)) &&
		    same_folder(path, other);
	return same ? error_usage(e, "%s is to be written twice: choose two names", path) : 0;
}

/* ---- writing ---- */

/* The mode of the file that it replaces, or that of open(); no other group gets access. */
static void
set_mode(const struct output *out)
{
	struct stat before;
	mode_t	    mask = umask(0), mode = 0666 & ~mask;

	umask(mask);
	if (!fstatat(out->folder, out->last, &before, 0)) {
		mode = before.st_mode & 0777;
		if (fchown(out->fd, before.st_uid, before.st_gid) &&
		    fchown(out->fd, (uid_t)-1, before.st_gid))
			mode &= ~(mode_t)070;
	}
	(void)fchmod(out->fd, mode);
}

/* The file's name for linkat(). */
static void
descriptor_path(int fd, char path[NAME_ROOM])
{
	snprintf(path, NAME_ROOM, "/proc/self/fd/%d", fd);
}

/* A file without a name, to be named by linkat(); -1: not possible here. */
static int
open_nameless(int folder)
{
	int fd = -1;
#ifdef O_TMPFILE
	char path[NAME_ROOM];

	fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
	descriptor_path(fd, path);
	if (fd >= 0 && access(path, F_OK)) { /* no /proc */
		close(fd);
		fd = -1;
	}
#endif
	return fd;
}

/* Name the nameless file, or make the file under a name.  Returns 0 or an errno. */
static int
make_name(struct output *out, const char *name)
{
	char path[NAME_ROOM];

	if (out->nameless) {
		descriptor_path(out->fd, path);
		return linkat(AT_FDCWD, path, out->folder, name, AT_SYMLINK_FOLLOW) ? errno : 0;
	}
	out->fd =
	    openat(out->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
	return out->fd < 0 ? errno : 0;
}

/* The same under a name that is still free, short enough for every file system. */
static int
make_temporary(struct output *out)
{
	char	 name[NAME_ROOM];
	sigset_t ending, before;
	int	 number = EEXIST;

	catch_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &before);
	for (unsigned i = 0; number == EEXIST && i < NAMES_TRIED; i++) {
		snprintf(name, sizeof(name), ".bufsim-%ld-%u", (long)getpid(), i);
		number = make_name(out, name);
	}
	if (!number) {
		temporary.folder = out->folder;
		strcpy(temporary.name, name);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return number;
}

static int
open_temporary(struct output *out, struct error *e)
{
	int number;

	out->folder = open_folder(out->place);
	if (out->folder < 0)
		return no_folder(out->name, errno, e);
	out->fd = open_nameless(out->folder);
	out->nameless = out->fd >= 0;
	number = out->nameless ? 0 : make_temporary(out);
	if (number)
		return failed(out->name, number, e);
	set_mode(out);
	return 0;
}

/* An existing file is replaced, through symbolic links. */
static int
find_place(struct output *out, const char *path, struct error *e)
{
	struct stat st;

	if (output_check(path, e))
		return -1;
	out->place = !lstat(path, &st) && S_ISLNK(st.st_mode) ? realpath(path, NULL) : strdup(path);
	if (!out->place)
		return failed(path, errno, e);
	out->last = text_file_name(out->place);
	return 0;
}

static int
open_packer(struct output *out, struct error *e)
{
	int copy = fcntl(out->fd, F_DUPFD_CLOEXEC, 0);

	out->gz = copy < 0 ? NULL : gzdopen(copy, output_packs(out->name) ? "wb" : "wbT");
	if (out->gz) {
		gzbuffer(out->gz, GZIP_BUFFER);
		return 0;
	}
	if (copy >= 0)
		close(copy);
	return error_no_memory(e);
}

struct output *
output_open(const char *path, struct error *e)
{
	bool	       piped = !strcmp(path, "-");
	struct output *out = calloc(1, sizeof(*out));
	int	       status;

	if (out) {
		out->fd = piped ? STDOUT_FILENO : -1;
		out->folder = -1;
		out->name = strdup(piped ? "standard output" : path);
	}
	if (!out || !out->name)
		status = error_no_memory(e);
	else
		status = !piped && (find_place(out, path, e) || open_temporary(out, e));
	if (!status && !open_packer(out, e))
		return out;
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
	if (out->folder < 0)
		return 0;
	if (fsync(out->fd))
		return errno;
	status = out->nameless ? make_temporary(out) : 0;
	if (status)
		return status;
	if (renameat(out->folder, temporary.name, out->folder, out->last))
		return errno;
	*temporary.name = '\0';
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
	if (out->folder >= 0) {
		output_remove_temporary();
		close(out->folder);
	}
	free(out->name);
	free(out->place);
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
