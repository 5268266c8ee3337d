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
	uint32_t     path;
	uint32_t     file; /* the same one, as it was seen first */
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
	now = look_shown(f->paths.name[f->known[earlier].path]);
	return same_inode(&now, p);
}

static uint64_t
key_of(const struct place *p)
{
	return p->inode ^ p->device * 0x9e3779b97f4a7c15u;
}

/* File number n has been added: which one is it? */
static int
identify(struct files *f, uint32_t n, struct error *e)
{
	struct known_file *k = &f->known[n];
	uint32_t	  *first;

	k->place = look_shown(f->paths.name[k->path]);
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

static uint32_t
add_unknown(struct files *f, uint32_t path, struct error *e)
{
	struct known_file *grown =
	    array_grow(f->known, (size_t)f->n + 1, &f->capacity, sizeof(*grown));

	if (!grown) {
		error_no_memory(e);
		return NIL;
	}
	f->known = grown;
	f->n++;
	f->known[f->n] =
	    (struct known_file){ .path = path, .file = f->n, .place.size = UINT64_MAX };
	return f->n;
}

static uint32_t
add_file(struct files *f, uint32_t path, struct error *e)
{
	uint32_t n = add_unknown(f, path, e);

	return n && !identify(f, n, e) ? f->known[n].file : NIL;
}

uint32_t
files_find(struct files *f, const char *path, bool again, struct error *e)
{
	uint32_t before = f->paths.n, n = names_intern(&f->paths, path), *grown;

	if (n > before) {
		grown = array_grow(f->latest, n, &f->latest_capacity, sizeof(*grown));
		if (!grown) {
			error_no_memory(e);
			return NIL;
		}
		f->latest = grown;
		f->latest[n] = NIL;
	}
	if (!n)
		error_no_memory(e);
	else if (again || !f->latest[n])
		f->latest[n] = add_file(f, n, e);
	return n ? f->latest[n] : NIL;
}

/* The name, from the root, if it leads to that inode: the program may have had another folder. */
static int
name_keyed(struct files *f, struct known_file *k, uint64_t key, const char *path, struct error *e)
{
	char	    *whole = realpath(path, NULL);
	struct place p = { .size = UINT64_MAX };

	if (whole)
		p = look(whole);
	if (p.inode && (uint32_t)p.inode == (uint32_t)key)
		k->place = p;
	k->path = names_intern(&f->paths, k->place.inode ? whole : path);
	free(whole);
	return k->path ? 0 : error_no_memory(e);
}

uint32_t
files_keyed(struct files *f, uint64_t key, const char *path, struct error *e)
{
	uint32_t *n = map_at(&f->by_inode, key);

	if (!n) {
		error_no_memory(e);
		return NIL;
	}
	if (!*n)
		*n = add_unknown(f, NIL, e);
	if (*n && path && !f->known[*n].path && name_keyed(f, &f->known[*n], key, path, e))
		return NIL;
	return *n;
}

const char *
files_name(const struct files *f, uint32_t file, uint64_t *size)
{
	*size = f->known[file].place.size;
	return f->paths.name[f->known[file].path];
}

int
files_number(struct files *f, struct trace *t, struct error *e)
{
	struct map taken = { 0 };
	uint64_t   largest = 0, *inode = calloc(t->nfiles, sizeof(*inode));
	int	   failed = inode ? 0 : error_no_memory(e);

	for (file_t i = 0; !failed && i < t->nfiles; i++) {
		uint64_t  own = f->known[t->file[i].inode].place.inode;
		uint32_t *user = own ? map_at(&taken, own) : NULL;

		if (!user || *user)
			continue;
		*user = 1;
		inode[i] = own;
		largest = own > largest ? own : largest;
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
	free(f->latest);
	free(f->known);
}
