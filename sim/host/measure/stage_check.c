/*
 * stage_check.c - room for the files of a trace: on the file system, and among
 * the descriptors of this process.
 */
#include "sim/host/measure/stage_files.h"

#ifdef __linux__

#include <stdlib.h>
#include <sys/statvfs.h>

#include "sim/base/number.h"

enum {
	DESCRIPTORS_APART = 32, /* for everything else */
	METADATA_SHARE = 64,	/* of the file system's own, at most */
};

static int
check_space(struct stage_files *fs, const char *dir, struct error *e)
{
	const struct trace *t = fs->trace;
	char		    needed[NUMBER_TEXT], there[NUMBER_TEXT];
	struct statvfs	    v;
	uint64_t	    need = 0, room;

	for (file_t f = 0; f < t->nfiles; f++) {
		fs->bytes += t->file[f].bytes;
		need += stage_files_pages(t, f) * SCRATCH_PAGE;
	}
	need += need / METADATA_SHARE;
	if (scratch_room(dir, &room, e))
		return -1;
	if (need > room)
		return error_set(e,
		    "%s: its files take %s, and %s has %s free: name another directory with --dir",
		    t->name, number_bytes(needed, need), dir, number_bytes(there, room));
	if (!statvfs(dir, &v) && v.f_files && v.f_favail < t->nfiles)
		return error_set(e,
		    "%s: it has %u files, and %s has room for %llu: name another directory with "
		    "--dir",
		    t->name, t->nfiles, dir, (unsigned long long)v.f_favail);
	return 0;
}

static int
check_sizes(const struct trace *t, struct error *e)
{
	uint64_t largest = 0;

	for (file_t f = 0; f < t->nfiles; f++)
		largest = t->file[f].bytes > largest ? t->file[f].bytes : largest;
	return scratch_limit(largest, e);
}

/* The number of files that are open at a time, if each is closed behind its last call. */
static uint32_t
most_open(const struct stage_files *fs, bool *opened)
{
	const struct trace *t = fs->trace;
	uint32_t	    n = 0, most = 0;

	for (size_t i = 0; i < t->naccess; i++) {
		uint32_t open = t->access[i].open;

		n += !opened[open];
		opened[open] = true;
		most = n > most ? n : most;
		n -= fs->last[open] == i;
	}
	return most;
}

/* One for each file, so that it stays, and one for each that is open at a time. */
static int
raise_limit(struct stage_files *fs, uint32_t open_at_once, struct error *e)
{
	const struct trace *t = fs->trace;
	uint64_t	    need = (uint64_t)t->nfiles + DESCRIPTORS_APART;
	uint64_t	    all = need + t->nopen;
	uint64_t	    limit = scratch_descriptors(all);

	need += open_at_once;
	fs->scarce = limit < all;
	if (limit >= need)
		return 0;
	return error_set(e,
	    "%s: it takes %llu file descriptors, for %u files and for %u open at a time; the limit "
	    "is %llu: raise it with ulimit -Hn",
	    t->name, (unsigned long long)need, t->nfiles, open_at_once, (unsigned long long)limit);
}

static int
check_descriptors(struct stage_files *fs, struct error *e)
{
	const struct trace *t = fs->trace;
	bool		   *opened = calloc((size_t)t->nopen + 1, sizeof(*opened));
	int		    failed;

	fs->last = calloc((size_t)t->nopen + 1, sizeof(*fs->last));
	for (size_t i = 0; fs->last && i < t->naccess; i++)
		fs->last[t->access[i].open] = i;
	if (opened && fs->last)
		failed = raise_limit(fs, most_open(fs, opened), e);
	else
		failed = error_set(e, "out of memory for %u open files", t->nopen);
	free(opened);
	return failed;
}

int
stage_files_check(struct stage_files *fs, const char *dir, struct error *e)
{
	const struct trace *t = fs->trace;

	if (t->block_bytes != SCRATCH_PAGE)
		return error_set(e, "%s: its blocks are of %u bytes, pages of %d", t->name,
		    t->block_bytes, SCRATCH_PAGE);
	if (check_space(fs, dir, e) || check_sizes(t, e) || scratch_probe(dir, e))
		return -1;
	return check_descriptors(fs, e);
}

#endif
