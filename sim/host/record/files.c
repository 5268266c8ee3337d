/*
 * files.c - paths, inodes and times of birth.
 *
 * An inode is used again once its file is gone.  Two paths with the same inode
 * therefore are one file if both were born at the same time, or, where the file
 * system does not know that, if the earlier path still leads there.
 */
#define _GNU_SOURCE /* statx() */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/host/record/files.h"
#include "sim/host/record/log.h"

enum { PATH_ROOM = 4096 };

struct place { /* of a file; inode 0: unknown */
	uint64_t device, inode, size;
	int64_t	 born_s; /* 0: unknown */
	uint32_t born_ns;
};

struct known_file {
	struct place place;
	uint32_t     file; /* number of the path that was seen first */
	uint32_t     next; /* with the same key */
};

static struct place
look(const char *path)
{
	struct place p = { .size = UINT64_MAX };
#ifdef STATX_BTIME
	struct statx x;

	if (!statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_BTIME, &x) && S_ISREG(x.stx_mode)) {
		p = (struct place){ (uint64_t)x.stx_dev_major << 32 | x.stx_dev_minor, x.stx_ino,
			x.stx_size, 0, 0 };
		if (x.stx_mask & STATX_BTIME) {
			p.born_s = x.stx_btime.tv_sec;
			p.born_ns = x.stx_btime.tv_nsec;
		}
	}
#else
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode))
		p = (struct place){ (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
			0, 0 };
#endif
	return p;
}

static struct place
look_shown(const char *shown)
{
	char path[PATH_ROOM];

	return log_path(shown, strlen(shown), path, sizeof(path))
	    ? look(path)
	    : (struct place){ .size = UINT64_MAX };
}

static bool
same_inode(const struct place *a, const struct place *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static bool
same_file(struct files *f, uint32_t earlier, const struct place *p)
{
	const struct place *q = &f->known[earlier].place;
	struct place	    now;

	if (!same_inode(q, p))
		return false;
	if (q->born_s && p->born_s)
		return q->born_s == p->born_s && q->born_ns == p->born_ns;
	now = look_shown(f->paths.name[earlier]);
	return same_inode(&now, p);
}

static uint64_t
key_of(const struct place *p)
{
	return p->inode ^ p->device * 0x9e3779b97f4a7c15u;
}

/* Path number n is new: which file is it? */
static int
identify(struct files *f, uint32_t n, struct error *e)
{
	struct known_file *k = &f->known[n];
	uint32_t	  *first;

	*k = (struct known_file){ .place = look_shown(f->paths.name[n]), .file = n };
	if (!k->place.inode)
		return 0;
	first = map_at(&f->by_inode, key_of(&k->place));
	if (!first)
		return error_no_memory(e);
	for (uint32_t i = *first; i; i = f->known[i].next)
		if (same_file(f, i, &k->place)) {
			k->file = i;
			return 0;
		}
	k->next = *first;
	*first = n;
	return 0;
}

uint32_t
files_find(struct files *f, const char *path, const char **name, uint64_t *size, struct error *e)
{
	uint32_t	   before = f->paths.n, n = names_intern(&f->paths, path);
	struct known_file *grown;

	if (n > before) {
		grown = array_grow(f->known, n, &f->capacity, sizeof(*grown));
		if (!grown)
			n = 0;
		else
			f->known = grown;
	}
	if (!n) {
		error_no_memory(e);
		return 0;
	}
	if (n > before && identify(f, n, e))
		return 0;
	n = f->known[n].file;
	*name = f->paths.name[n];
	*size = f->known[n].place.size;
	return n;
}

int
files_number(struct files *f, struct trace *t, struct error *e)
{
	struct map taken = { 0 };
	uint32_t   nknown = f->paths.n;
	uint64_t   largest = 0, *inode = calloc(t->nfiles, sizeof(*inode));
	int	   failed = inode ? 0 : error_no_memory(e);

	for (file_t i = 0; !failed && i < t->nfiles; i++) {
		uint32_t  n = names_intern(&f->paths, t->file[i].name);
		uint32_t *user = n && n <= nknown && f->known[n].place.inode
		    ? map_at(&taken, f->known[n].place.inode)
		    : NULL;

		if (!user || *user)
			continue;
		*user = 1;
		inode[i] = f->known[n].place.inode;
		largest = inode[i] > largest ? inode[i] : largest;
	}
	for (file_t i = 0; !failed && i < t->nfiles; i++)
		t->file[i].inode = inode[i] ? inode[i] : ++largest;
	map_release(&taken);
	free(inode);
	return failed;
}

void
files_release(struct files *f)
{
	names_release(&f->paths);
	map_release(&f->by_inode);
	free(f->known);
}
