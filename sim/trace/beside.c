/* beside.c - find the other files of a trace by their numbers, and open them. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/map.h"
#include "sim/base/text.h"
#include "sim/trace/beside.h"
#include "sim/trace/unpack/unpack.h"

enum { NUMBER_DIGITS = 7, FILES_ENOUGH = 4096 };

/* path[folder] begins the name, path[number] the number, path[tail] what is behind it. */
struct place {
	const char *path;
	size_t	    folder, number, tail;
};

struct found {
	uint32_t *number;
	uint32_t  n, capacity;
};

/* The number of digits of a number as it is written without leading zeros; else 0. */
static size_t
digits(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n <= NUMBER_DIGITS && (n == 1 || *s != '0') ? n : 0;
}

static bool
is_tail(const char *s)
{
	return !*s || (*s == '.' && unpack_name(s - 1) == 1);
}

/* Take the path apart; false: it has no number, or something else in front of it. */
static bool
find_place(const char *path, const char *infix, struct place *p)
{
	const char *name = text_file_name(path), *at = NULL;
	size_t	    n;

	for (const char *s = name; (s = strstr(s, infix)); s++)
		if (digits(s + strlen(infix)))
			at = s + strlen(infix);
	n = at ? digits(at) : 0;
	if (!n || !is_tail(at + n))
		return false;
	*p = (struct place){ path, (size_t)(name - path), (size_t)(at - path),
		(size_t)(at - path) + n };
	return true;
}

/* The same name with the same number or another one, as numbers are written. */
static bool
is_beside(const struct place *p, const char *name, uint32_t *number)
{
	size_t before = p->number - p->folder, n;

	if (strncmp(name, p->path + p->folder, before) != 0)
		return false;
	n = digits(name + before);
	if (!n || strcmp(name + before + n, p->path + p->tail) != 0)
		return false;
	*number = (uint32_t)strtoul(name + before, NULL, 10);
	return true;
}

bool
beside_are_one(const char *path, const char *other, const char *infix)
{
	struct place p, q;

	return find_place(path, infix, &p) && find_place(other, infix, &q) &&
	    strcmp(path, other) != 0 && p.number == q.number && !strncmp(path, other, p.number) &&
	    !strcmp(path + p.tail, other + q.tail);
}

/* ---- files that are given together ---- */

/*
 * Can the file be one of a set of that format?  One without a byte can be one of any, of which
 * *empty is told; a pipe is not looked at.
 */
static bool
is_of_set(const char *path, const struct format *f, bool *empty)
{
	struct error  e = { 0 };
	struct stat   st;
	struct input *in = stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : input_open(path, &e);
	size_t	      n = 0;
	const char   *head = in ? input_head(in, &n, &e) : NULL;
	bool	      found = head && (!n || (f->recognise(head, n) && f->of_set(head, n)));

	*empty = !n;
	input_close(in);
	return found;
}

/* Are the files with the numbers of all paths of that format?  One of them at least has bytes. */
static bool
are_set(const char *const *path, unsigned n, const struct format *f)
{
	bool any = false, empty, others = false;

	for (unsigned i = 0; i < n; i++) {
		if (i && !beside_are_one(path[0], path[i], "."))
			continue;
		if (!is_of_set(path[i], f, &empty))
			return false;
		any |= !empty;
		others |= i > 0;
	}
	return any && others;
}

const struct format *
beside_group(const struct format *const *format, const char *const *path, unsigned n,
    const char **member, unsigned *nmembers, const char **left)
{
	struct place		    p;
	const struct format *const *f = format;
	unsigned		    nleft = 0;

	*nmembers = 0;
	if (!find_place(path[0], ".", &p))
		return NULL;
	while (*f && !((*f)->of_set && are_set(path, n, *f)))
		f++;
	for (unsigned i = 0; *f && i < n; i++)
		if (!i || beside_are_one(path[0], path[i], "."))
			member[(*nmembers)++] = path[i];
		else
			left[nleft++] = path[i];
	return *f;
}

/* ---- files that are found ---- */

static int
compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int
find_all(const struct place *p, struct found *f, struct error *e)
{
	char	      *folder = strdup(p->folder ? p->path : ".");
	DIR	      *d = NULL;
	struct dirent *entry;
	uint32_t       number, *grown;
	bool	       failed = !folder;

	if (folder && p->folder)
		folder[p->folder] = '\0';
	if (folder)
		d = opendir(folder);
	while (d && !failed && (entry = readdir(d))) {
		if (!is_beside(p, entry->d_name, &number))
			continue;
		grown = array_grow(f->number, f->n, &f->capacity, sizeof(*grown));
		failed = !grown;
		if (!failed) {
			f->number = grown;
			f->number[f->n++] = number;
		}
	}
	if (d)
		closedir(d);
	free(folder);
	if (f->n)
		qsort(f->number, f->n, sizeof(*f->number), compare);
	return failed ? error_no_memory(e) : 0;
}

static int
open_one(const struct place *p, uint32_t number, struct input *first, beside_add *add, void *self,
    struct error *e)
{
	size_t	      room = strlen(p->path) + NUMBER_DIGITS + 1;
	char	     *path;
	struct input *in;

	if (number == strtoul(p->path + p->number, NULL, 10))
		return add(self, first, e);
	path = malloc(room);
	if (!path)
		return error_no_memory(e);
	snprintf(path, room, "%.*s%lu%s", (int)p->number, p->path, (unsigned long)number,
	    p->path + p->tail);
	errno = 0;
	in = input_beside(first, path, e);
	if (!in && errno == EMFILE)
		error_set(e, "too many files for this shell: type ulimit -n %u first",
		    FILES_ENOUGH);
	if (!in)
		error_prefix(e, "%s, which belongs to it", text_clean(path, room, path));
	free(path);
	return in ? add(self, in, e) : -1;
}

int
beside_open(struct input *first, const char *infix, beside_add *add, void *self, struct error *e)
{
	struct found f = { 0 };
	struct place p;
	int	     failed;

	if (!find_place(input_path(first), infix, &p))
		return add(self, first, e);
	failed = find_all(&p, &f, e);
	if (!failed && !f.n)
		failed = add(self, first, e); /* it is gone already */
	for (uint32_t i = 0; i < f.n && !failed; i++)
		failed = open_one(&p, f.number[i], first, add, self, e);
	free(f.number);
	return failed;
}
