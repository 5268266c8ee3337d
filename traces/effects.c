/*
 * effects.c - calls that read and write, open and close, name files, and start processes.
 *
 * read() and write() have no offset, so positions are followed.  Only regular
 * files count.  What a descriptor is shows in its path, if the log has paths
 * (strace -y), else in the call that opened it.  A descriptor that was opened
 * out of sight begins at position 0, and its offsets count as guessed; without
 * a path it is a file of its own, once a call succeeds that no pipe or terminal
 * is meant for: standard input, output and error are left out until one does
 * that needs a file.
 *
 * Sizes come from fstat and similar calls, and are updated by writes, seeks to
 * the end and truncation; otherwise they are unknown.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/effects.h"

#define NOTE_GUESSED                                                                               \
	"reads and writes at guessed offsets, because the log shows neither the open nor a seek "  \
	"of their descriptors"
#define NOTE_APPENDS "appends to files whose size the log does not show, at guessed offsets"
#define NOTE_UNSEEN                                                                                \
	"descriptors without a name and an open in the log, each of them taken for a file of its " \
	"own (strace -y shows names)"
#define NOTE_STANDARD                                                                              \
	"reads and writes of standard input, output and error, left out because nothing shows "    \
	"that they are files"
#define NOTE_NAMELESS "files opened by a name that the log does not show: each is one of its own"
#define NOTE_RING                                                                                  \
	"io_uring is used: its reads and writes are not in the log of the system calls (requests)"
#define NOTE_AIO "AIO requests that the log does not show (strace -s 0 hides them)"

/* Does a call succeed on any descriptor, on a pipe as well, or on a file only? */
enum shows { SHOWS_NOTHING, SHOWS_STREAM, SHOWS_FILE };

enum how { AT_POSITION, AT_OFFSET };

static bool
starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Pipes, sockets and the like have no leading slash. */
static bool
is_regular_path(const char *path)
{
	return *path == '/' && !starts_with(path, "/dev/") && !starts_with(path, "/proc/") &&
	    !starts_with(path, "/sys/") && !starts_with(path, "/memfd:");
}

/* ---- records ---- */

static void
emit(struct syscalls *s, const struct call *c, enum op op, uint32_t fd, uint32_t file,
    uint64_t offset, uint64_t length)
{
	struct tree	  *t = &s->kernel.tree;
	struct file_state *f = file ? &t->file[file] : NULL;
	struct record	   r = { .time = c->time, .pid = c->task->pid, .fd = fd, .op = op };

	r.file_size = f ? f->size : SIZE_UNKNOWN;
	r.offset = offset;
	r.length = length;
	if (f && !f->identity) {
		f->identity = ++t->identities;
		syscalls_add(s,
		    &(struct record){ .op = OP_NAME,
			.inode = f->identity,
			.path = t->texts.name[f->text],
			.file_size = SIZE_UNKNOWN });
	}
	r.inode = f ? f->identity : 0;
	syscalls_add(s, &r);
}

/* ---- descriptors named by calls ---- */

static struct description *
described(struct syscalls *s, const struct descriptor *d)
{
	return &s->kernel.description[d->description];
}

static bool
is_file(struct syscalls *s, const struct descriptor *d)
{
	uint32_t file = d ? described(s, d)->file : NIL;

	return file && !s->kernel.tree.file[file].irregular;
}

/* The file of a descriptor has been found: its open, if the log has it, becomes a record. */
static void
settle(struct syscalls *s, const struct call *c, const struct descriptor *d, uint32_t file)
{
	struct description *x = described(s, d);

	x->file = file;
	x->unseen = false;
	if (x->nameless)
		emit(s, c, OP_OPEN, d->fd, file, 0, 0);
	x->nameless = false;
}

/* The descriptor has another path than before, or none had been shown. */
static struct descriptor *
take_path(struct syscalls *s, struct call *c, struct descriptor *d, const struct shown *shown,
    struct error *e)
{
	struct tree	   *tree = &s->kernel.tree;
	struct description *x = d ? described(s, d) : NULL;
	uint32_t	    node = tree_walk(tree, NIL, shown->path, true, e);
	uint32_t	    text = node ? tree_text(tree, shown->path, e) : NIL, file;

	if (!text)
		return NULL;
	if (x && x->file && (shown->deleted || tree->node[node].file == x->file)) {
		x->shown = text;
		return d;
	}
	file = tree_file(tree, node, e);
	if (!file)
		return NULL;
	if (x && x->unseen) {
		settle(s, c, d, file);
	} else {
		d = kernel_open(&s->kernel, c->task->table, (uint32_t)shown->fd, file, e);
		if (!d)
			return NULL;
		described(s, d)->guessed = true;
	}
	described(s, d)->shown = text;
	described(s, d)->node = node;
	return d;
}

/* A descriptor with that path; NULL without *bad: of no regular file. */
static struct descriptor *
find_shown(struct syscalls *s, struct call *c, const struct shown *shown, bool *bad,
    struct error *e)
{
	struct table	  *t = c->task->table;
	struct descriptor *d = table_find(t, (uint32_t)shown->fd);
	uint32_t	   text = d ? described(s, d)->shown : NIL;

	if (likely(text && !strcmp(s->kernel.tree.texts.name[text], shown->path)))
		return d;
	if (!is_regular_path(shown->path)) {
		if (d)
			kernel_close(&s->kernel, t, d->fd);
		return NULL;
	}
	d = take_path(s, c, d, shown, e);
	*bad = !d;
	return d;
}

/* An unseen descriptor is a file. */
static int
become_file(struct syscalls *s, const struct call *c, const struct descriptor *d, struct error *e)
{
	bool	 nameless = described(s, d)->nameless;
	char	 name[64];
	uint32_t file;

	if (nameless)
		snprintf(name, sizeof(name), "file %" PRIu32 " without a name",
		    s->kernel.tree.nfiles + 1);
	else
		snprintf(name, sizeof(name), "descriptor %" PRIu32 " of process %" PRIu32, d->fd,
		    c->task->pid);
	file = tree_add(&s->kernel.tree, name, e);
	if (!file)
		return -1;
	settle(s, c, d, file);
	input_count(s->in, nameless ? NOTE_NAMELESS : NOTE_UNSEEN);
	return 0;
}

static struct descriptor *
find_number(struct syscalls *s, struct call *c, uint32_t fd, enum shows shows, bool *bad,
    struct error *e)
{
	struct table	   *t = c->task->table;
	struct descriptor  *d = table_find(t, fd);
	struct description *x;

	if (!d && s->named)
		return NULL;
	if (!d) {
		d = kernel_open(&s->kernel, t, fd, NIL, e);
		*bad = !d;
		if (!d)
			return NULL;
		x = described(s, d);
		x->unseen = x->guessed = true;
		x->standard = fd <= 2;
	}
	x = described(s, d);
	if (x->unseen && shows && (shows == SHOWS_FILE || !x->standard))
		*bad = become_file(s, c, d, e);
	return d;
}

/* The descriptor named by a call, or NULL; *bad: out of memory. */
static struct descriptor *
find_any(struct syscalls *s, struct call *c, char *text, enum shows shows, bool *bad,
    struct error *e)
{
	struct shown shown = call_fd(text);

	*bad = false;
	if (shown.fd < 0)
		return NULL;
	if (!shown.path)
		return find_number(s, c, (uint32_t)shown.fd, shows, bad, e);
	s->named = true;
	return find_shown(s, c, &shown, bad, e);
}

/* The same, if it is of a regular file. */
static struct descriptor *
use_fd(struct syscalls *s, struct call *c, char *text, enum shows shows, bool *bad, struct error *e)
{
	struct descriptor *d = find_any(s, c, text, shows, bad, e);

	return !*bad && is_file(s, d) ? d : NULL;
}

/* ---- calls that move data ---- */

/* A call moved that many bytes through a descriptor. */
static void
move(struct syscalls *s, struct call *c, struct descriptor *d, enum op op, enum how how,
    uint64_t offset, uint64_t length)
{
	struct description *x = described(s, d);
	struct file_state  *state = &s->kernel.tree.file[x->file];

	if (op == OP_WRITE && x->append) {
		offset = state->size != SIZE_UNKNOWN ? state->size : state->end;
		if (state->size == SIZE_UNKNOWN && length)
			input_count(s->in, NOTE_APPENDS);
	} else if (how == AT_POSITION) {
		offset = x->position;
		if (x->guessed && length)
			input_count(s->in, NOTE_GUESSED);
	}
	emit(s, c, op, d->fd, x->file, offset, length);
	if (length)
		tree_extend(&s->kernel.tree, x->file, offset + length);
	if (how == AT_POSITION)
		x->position = offset + length;
}

static int
transfer(struct syscalls *s, struct call *c, enum op op, const char *offset_text, enum shows shows,
    struct error *e)
{
	uint64_t	   offset = 0;
	bool		   bad, positioned = offset_text && call_number(offset_text, &offset);
	struct descriptor *d = find_any(s, c, c->arg[0], positioned ? SHOWS_FILE : shows, &bad, e);

	if (bad || !d)
		return bad ? -1 : 0;
	if (is_file(s, d))
		move(s, c, d, op, positioned ? AT_OFFSET : AT_POSITION, offset, c->result);
	else if (described(s, d)->unseen && c->result)
		input_count(s->in, NOTE_STANDARD);
	return 0;
}

static int
on_read(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_READ, NULL, SHOWS_STREAM, e);
}

static int
on_write(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_WRITE, NULL, SHOWS_STREAM, e);
}

/* The offset is the fourth argument; preadv2 may say -1: the position. */
static int
on_pread(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_READ, c->arg[3], SHOWS_STREAM, e);
}

static int
on_pwrite(struct syscalls *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_WRITE, c->arg[3], SHOWS_STREAM, e);
}

/* One side of a copy inside the kernel; the offset is NULL, [n], or ? if it is not shown. */
static int
copy_side(struct syscalls *s, struct call *c, enum op op, char *fd, const char *offset,
    enum shows shows, struct error *e)
{
	struct descriptor *d;
	bool		   bad;

	if (*offset == '?') {
		d = find_any(s, c, fd, shows, &bad, e);
		if (bad)
			return -1;
		if (d)
			described(s, d)->guessed = true;
	}
	c->arg[0] = fd;
	return transfer(s, c, op, *offset == '[' ? offset + 1 : NULL, shows, e);
}

static int
on_sendfile(struct syscalls *s, struct call *c, struct error *e)
{
	char *out = c->arg[0];

	if (copy_side(s, c, OP_READ, c->arg[1], c->arg[2], SHOWS_FILE, e))
		return -1;
	return copy_side(s, c, OP_WRITE, out, "", SHOWS_STREAM, e);
}

/* copy_file_range(in, in_offset, out, out_offset, ...) */
static int
on_copy(struct syscalls *s, struct call *c, struct error *e)
{
	if (copy_side(s, c, OP_READ, c->arg[0], c->arg[1], SHOWS_FILE, e))
		return -1;
	return copy_side(s, c, OP_WRITE, c->arg[2], c->arg[3], SHOWS_FILE, e);
}

/* The same arguments; one of both is a pipe. */
static int
on_splice(struct syscalls *s, struct call *c, struct error *e)
{
	if (copy_side(s, c, OP_READ, c->arg[0], c->arg[1], SHOWS_STREAM, e))
		return -1;
	return copy_side(s, c, OP_WRITE, c->arg[2], c->arg[3], SHOWS_STREAM, e);
}

/* mmap(address, length, protection, flags, fd, offset) */
static int
on_mmap(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t	   length, offset;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[4], SHOWS_FILE, &bad, e);

	if (d && call_number(c->arg[1], &length) && call_number(c->arg[5], &offset))
		emit(s, c, OP_MMAP, d->fd, described(s, d)->file, offset, length);
	return bad ? -1 : 0;
}

/* The kind of advice; ADVICE_KINDS: any other. */
static uint32_t
advice_kind(const char *text)
{
	static const struct {
		const char	*name;
		enum advice_kind kind;
	} advice[] = { /* at the number that the kernel has for it */
		{ "NORMAL", ADVICE_NORMAL }, { "RANDOM", ADVICE_RANDOM },
		{ "SEQUENTIAL", ADVICE_SEQUENTIAL }, { "WILLNEED", ADVICE_WILLNEED },
		{ "DONTNEED", ADVICE_DONTNEED }
	};

	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++)
		if (call_is(text, advice[i].name, i))
			return advice[i].kind;
	return ADVICE_KINDS;
}

static int
advise(struct syscalls *s, struct call *c, char *const range[2], uint32_t kind, struct error *e)
{
	uint64_t	   offset, length;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], SHOWS_FILE, &bad, e);

	if (d && call_number(range[0], &offset) && call_number(range[1], &length)) {
		emit(s, c, OP_ADVISE, d->fd, described(s, d)->file, offset, length);
		s->queue[s->queued - 1].advice = kind;
	}
	return bad ? -1 : 0;
}

/* fadvise64(fd, offset, length, kind) */
static int
on_fadvise(struct syscalls *s, struct call *c, struct error *e)
{
	return advise(s, c, &c->arg[1], advice_kind(c->arg[3]), e);
}

/* fadvise64_64() and arm_fadvise64_64(): some machines have the kind before the range. */
static int
on_fadvise_64(struct syscalls *s, struct call *c, struct error *e)
{
	if (starts_with(c->name, "arm_") || starts_with(c->arg[1], "POSIX_FADV_"))
		return advise(s, c, &c->arg[2], advice_kind(c->arg[1]), e);
	return on_fadvise(s, c, e);
}

/* readahead(fd, offset, length) */
static int
on_readahead(struct syscalls *s, struct call *c, struct error *e)
{
	return advise(s, c, &c->arg[1], ADVICE_WILLNEED, e);
}

/* ---- requests that are handed to the kernel ---- */

/* One request of io_submit. */
struct request {
	struct shown fd;
	bool	     reads, writes;
	uint64_t     offset, length;
};

/* The lengths of a vector, "[{iov_base=0x7f, iov_len=100}, ...]". */
static uint64_t
sum_lengths(const char *text)
{
	static const char label[] = "iov_len=";
	uint64_t	  sum = 0, length;

	while ((text = strstr(text, label))) {
		text += strlen(label);
		if (call_number(text, &length) && length <= INT32_MAX)
			sum += length;
	}
	return sum;
}

/* What is behind the label, if the field begins with it, in the form of now or an older one. */
static char *
labelled(char *field, const char *label)
{
	size_t n = strlen(label);

	if (starts_with(field, "aio_"))
		field += strlen("aio_");
	return !strncmp(field, label, n) && (field[n] == '=' || field[n] == ':') ? field + n + 1
										 : NULL;
}

static void
take_field(struct request *r, char *field)
{
	char *value;

	if ((value = labelled(field, "fildes")) || (value = labelled(field, "filedes"))) {
		r->fd = call_fd(value);
	} else if ((value = labelled(field, "nbytes"))) {
		call_number(value, &r->length);
	} else if ((value = labelled(field, "offset"))) {
		call_number(value, &r->offset);
	} else if ((value = labelled(field, "buf"))) {
		if (*value == '[')
			r->length = sum_lengths(value);
	} else {
		value = labelled(field, "lio_opcode");
		r->reads |= value ? call_is(value, "PREAD", 0) || call_is(value, "PREADV", 7)
				  : !strcmp(field, "pread") || !strcmp(field, "preadv");
		r->writes |= value ? call_is(value, "PWRITE", 1) || call_is(value, "PWRITEV", 8)
				   : !strcmp(field, "pwrite") || !strcmp(field, "pwritev");
	}
}

/* The end of a field: a comma or bracket that is not inside of others, or of a string. */
static char *
end_of_field(char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '"') {
			for (p++; *p && *p != '"'; p++)
				p += *p == '\\' && p[1];
			if (!*p)
				return p;
		} else if (*p == '[' || *p == '{') {
			depth++;
		} else if (!depth && (*p == ',' || *p == '}' || *p == ']')) {
			return p;
		} else if (*p == ']' || *p == '}') {
			depth--;
		}
	}
	return p;
}

/* The request that begins behind the next brace, or NULL; *p is then behind it. */
static bool
next_request(char **p, struct request *r)
{
	bool more = true;

	*r = (struct request){ .fd = { .fd = NO_FD } };
	*p = strchr(*p, '{');
	if (!*p)
		return false;
	while (more) {
		char *field = *p + 1 + strspn(*p + 1, " "), *end = end_of_field(field);

		more = *end == ',';
		*p = *end ? end + 1 : end;
		*end = '\0';
		take_field(r, field);
		*p -= more;
	}
	return true;
}

static int
add_request(struct syscalls *s, struct call *c, const struct request *r, struct error *e)
{
	bool		   bad = false;
	struct descriptor *d = NULL;
	uint64_t	   size, length;

	if (r->fd.fd < 0 || (!r->reads && !r->writes) || r->offset > INT64_MAX)
		return 0;
	if (syscalls_reserve(s, 4, e))
		return -1;
	if (r->fd.path)
		d = find_shown(s, c, &r->fd, &bad, e);
	else
		d = find_number(s, c, (uint32_t)r->fd.fd, SHOWS_FILE, &bad, e);
	if (bad)
		return -1;
	if (!is_file(s, d))
		return 0;
	size = s->kernel.tree.file[described(s, d)->file].size;
	length = r->length;
	if (r->reads && size != SIZE_UNKNOWN && size - r->offset < length)
		length = size - r->offset;
	if (!r->reads || r->offset < size)
		move(s, c, d, r->reads ? OP_READ : OP_WRITE, AT_OFFSET, r->offset, length);
	return 0;
}

/* io_submit(context, n, [{...}, ...]) = n: bytes count as they are submitted. */
static int
on_submit(struct syscalls *s, struct call *c, struct error *e)
{
	struct request r;
	uint64_t       seen = 0;
	char	      *p = c->arg[2];

	for (; seen < c->result && next_request(&p, &r); seen++)
		if (add_request(s, c, &r, e))
			return -1;
	input_count_more(s->in, NOTE_AIO, c->result - seen);
	return 0;
}

/* io_uring_enter(ring, n, ...) = how many of these were submitted */
static int
on_ring(struct syscalls *s, struct call *c, struct error *e)
{
	input_note(s->in, NOTE_RING);
	input_count_more(s->in, NOTE_RING, c->result);
	return 0;
}

/* ---- names of files ---- */

/* The working directory of a process is shown. */
static int
learn_folder(struct syscalls *s, struct table *t, const char *path, struct error *e)
{
	uint32_t node = *path == '/' ? tree_walk(&s->kernel.tree, NIL, path, true, e) : NIL;

	if (*path != '/')
		return 0;
	if (!node)
		return -1;
	t->folder = !t->folder && tree_is_here(&s->kernel.tree, node) ? NIL : node;
	return 0;
}

/* The folder of relative names that a call gives, "AT_FDCWD</a>" or "3"; NIL: NODE_HERE. */
static int
folder_of(struct syscalls *s, struct call *c, char *text, uint32_t *folder, struct error *e)
{
	struct shown	   shown = call_fd(text);
	struct descriptor *d;
	char		   name[64];

	*folder = c->task->table->folder;
	if (shown.fd == NO_FD)
		return 0;
	if (shown.path && shown.fd == HERE_FD) {
		if (learn_folder(s, c->task->table, shown.path, e))
			return -1;
		*folder = c->task->table->folder;
	}
	if (shown.fd == HERE_FD)
		return 0;
	d = shown.path ? NULL : table_find(c->task->table, (uint32_t)shown.fd);
	if (d && described(s, d)->node) {
		*folder = described(s, d)->node;
		return 0;
	}
	snprintf(name, sizeof(name), "folder %lld of process %" PRIu32, (long long)shown.fd,
	    c->task->pid);
	*folder = tree_walk(&s->kernel.tree, NIL, shown.path ? shown.path : name, true, e);
	return *folder ? 0 : -1;
}

/* The node of a name below a folder; NIL without *bad: the log does not show the name. */
static uint32_t
name_at(struct syscalls *s, struct call *c, char *folder_text, const char *text, bool follow,
    bool *bad, struct error *e)
{
	uint32_t folder;

	*bad = true;
	if (folder_of(s, c, folder_text, &folder, e))
		return NIL;
	return tree_walk_quoted(&s->kernel.tree, folder, text, follow, bad, e);
}

static int
rename_file(struct syscalls *s, struct call *c, char *const old[2], char *const new[2],
    bool exchange, struct error *e)
{
	bool	 bad;
	uint32_t to, from = name_at(s, c, old[0], old[1], false, &bad, e);

	if (!from)
		return bad ? -1 : 0;
	to = name_at(s, c, new[0], new[1], false, &bad, e);
	if (!to)
		return bad ? -1 : 0;
	return tree_rename(&s->kernel.tree, from, to, exchange, e);
}

static char here[] = "AT_FDCWD";

static int
on_rename(struct syscalls *s, struct call *c, struct error *e)
{
	return rename_file(s, c, (char *const[]){ here, c->arg[0] },
	    (char *const[]){ here, c->arg[1] }, false, e);
}

/* renameat2(folder, name, folder, name, flags) */
static int
on_renameat(struct syscalls *s, struct call *c, struct error *e)
{
	return rename_file(s, c, &c->arg[0], &c->arg[2], call_has(c->arg[4], "EXCHANGE", 2), e);
}

static int
unlink_file(struct syscalls *s, struct call *c, char *folder, const char *name, struct error *e)
{
	bool	 bad;
	uint32_t node = name_at(s, c, folder, name, false, &bad, e);

	if (node)
		s->kernel.tree.node[node].file = s->kernel.tree.node[node].link = NIL;
	return bad ? -1 : 0;
}

static int
on_unlink(struct syscalls *s, struct call *c, struct error *e)
{
	return unlink_file(s, c, here, c->arg[0], e);
}

static int
on_unlinkat(struct syscalls *s, struct call *c, struct error *e)
{
	return unlink_file(s, c, c->arg[0], c->arg[1], e);
}

/* The file that a link is made to: that of a name, or of a descriptor if the name is empty. */
static int
linked_file(struct syscalls *s, struct call *c, char *const old[2], bool follow, uint32_t *file,
    struct error *e)
{
	static const char	 by_number[] = "\"/proc/self/fd/";
	bool			 bad;
	char			*fd = NULL;
	uint32_t		 node;
	const struct descriptor *d;

	*file = NIL;
	if (starts_with(old[1], by_number))
		fd = old[1] + strlen(by_number);
	else if (!strcmp(old[1], "\"\""))
		fd = old[0];
	if (fd) {
		d = use_fd(s, c, fd, SHOWS_NOTHING, &bad, e);
		*file = d ? described(s, d)->file : NIL;
		return bad ? -1 : 0;
	}
	node = name_at(s, c, old[0], old[1], follow, &bad, e);
	if (node)
		*file = tree_file(&s->kernel.tree, node, e);
	return bad || (node && !*file) ? -1 : 0;
}

static int
link_file(struct syscalls *s, struct call *c, char *const old[2], char *const new[2], bool follow,
    struct error *e)
{
	bool	 bad;
	uint32_t file, node;

	if (linked_file(s, c, old, follow, &file, e))
		return -1;
	node = file ? name_at(s, c, new[0], new[1], false, &bad, e) : NIL;
	if (node) {
		s->kernel.tree.node[node].file = file;
		s->kernel.tree.node[node].link = NIL;
	}
	return file && bad ? -1 : 0;
}

static int
on_link(struct syscalls *s, struct call *c, struct error *e)
{
	return link_file(s, c, (char *const[]){ here, c->arg[0] },
	    (char *const[]){ here, c->arg[1] }, false, e);
}

/* linkat(folder, name, folder, name, flags) */
static int
on_linkat(struct syscalls *s, struct call *c, struct error *e)
{
	return link_file(s, c, &c->arg[0], &c->arg[2], call_has(c->arg[4], "FOLLOW", 0x400), e);
}

/* The target is stored as it is written in <>. */
static int
symlink_file(struct syscalls *s, struct call *c, char *target, char *folder, const char *name,
    struct error *e)
{
	bool	 bad;
	size_t	 n = strlen(target);
	uint32_t node;

	if (n < 3 || target[n - 1] != '"' || strpbrk(target, "<>"))
		return 0;
	node = name_at(s, c, folder, name, false, &bad, e);
	if (!node)
		return bad ? -1 : 0;
	target[n - 1] = '\0';
	s->kernel.tree.node[node].link = tree_text(&s->kernel.tree, target + 1, e);
	s->kernel.tree.node[node].file = NIL;
	return s->kernel.tree.node[node].link ? 0 : -1;
}

static int
on_symlink(struct syscalls *s, struct call *c, struct error *e)
{
	return symlink_file(s, c, c->arg[0], here, c->arg[1], e);
}

static int
on_symlinkat(struct syscalls *s, struct call *c, struct error *e)
{
	return symlink_file(s, c, c->arg[0], c->arg[1], c->arg[2], e);
}

static int
on_chdir(struct syscalls *s, struct call *c, struct error *e)
{
	bool	 bad;
	uint32_t node = name_at(s, c, here, c->arg[0], true, &bad, e);

	if (node)
		c->task->table->folder = node;
	return bad ? -1 : 0;
}

static int
on_fchdir(struct syscalls *s, struct call *c, struct error *e)
{
	return folder_of(s, c, c->arg[0], &c->task->table->folder, e);
}

/* getcwd("/a/b", 4096) */
static int
on_getcwd(struct syscalls *s, struct call *c, struct error *e)
{
	size_t n = strlen(c->arg[0]);

	if (c->task->table->folder || n < 3 || c->arg[0][n - 1] != '"' || strpbrk(c->arg[0], "<>"))
		return 0;
	c->arg[0][n - 1] = '\0';
	return learn_folder(s, c->task->table, c->arg[0] + 1, e);
}

/* ---- calls that open, close and copy descriptors ---- */

/* A descriptor of anything but a regular file; node: of a folder, or NIL. */
static int
open_other(struct syscalls *s, struct table *t, uint32_t fd, uint32_t node, struct error *e)
{
	struct descriptor *d;

	if (s->named) { /* what it is shows whenever it is used */
		kernel_close(&s->kernel, t, fd);
		return 0;
	}
	d = kernel_open(&s->kernel, t, fd, NIL, e);
	if (d)
		described(s, d)->node = node;
	return d ? 0 : -1;
}

/* The file that was opened by a name, which may be a new one. */
static uint32_t
opened_file(struct syscalls *s, uint32_t node, const char *flags, struct error *e)
{
	struct tree *t = &s->kernel.tree;

	if (call_has(flags, "TMPFILE", 0x410000)) {
		const char *path = tree_path(t, node, e);

		return path ? tree_add(t, path, e) : NIL;
	}
	if (call_has(flags, "CREAT", 0x40) && call_has(flags, "EXCL", 0x80))
		return tree_create(t, node, e);
	return tree_file(t, node, e);
}

/* fd is open, by a name that the log does not show. */
static int
open_nameless(struct syscalls *s, struct call *c, uint32_t fd, const char *flags, struct error *e)
{
	struct descriptor  *d = kernel_open(&s->kernel, c->task->table, fd, NIL, e);
	struct description *x;

	if (!d)
		return -1;
	d->close_on_exec = call_has(flags, "CLOEXEC", 0x80000);
	x = described(s, d);
	x->append = call_has(flags, "APPEND", 0x400);
	x->unseen = x->nameless = true;
	return 0;
}

/* fd is open, by a name that leads to the node. */
static int
open_file(struct syscalls *s, struct call *c, const struct shown *fd, uint32_t node,
    const char *flags, struct error *e)
{
	struct tree	   *tree = &s->kernel.tree;
	uint32_t	    file = opened_file(s, node, flags, e);
	struct descriptor  *d;
	struct description *x;

	if (!file)
		return -1;
	if (tree->file[file].irregular)
		return open_other(s, c->task->table, (uint32_t)fd->fd, node, e);
	d = kernel_open(&s->kernel, c->task->table, (uint32_t)fd->fd, file, e);
	if (!d)
		return -1;
	d->close_on_exec = call_has(flags, "CLOEXEC", 0x80000);
	x = described(s, d);
	x->append = call_has(flags, "APPEND", 0x400);
	x->node = node;
	x->shown = fd->path ? tree_text(tree, fd->path, e) : NIL;
	if (fd->path && !x->shown)
		return -1;
	if (call_has(flags, "TRUNC", 0x200) || call_has(flags, "EXCL", 0x80))
		tree_resize(tree, file, 0);
	emit(s, c, OP_OPEN, d->fd, file, 0, 0);
	return 0;
}

/* Is the node of a regular file, by its path? */
static int
check_path(struct syscalls *s, uint32_t node, bool *regular, struct error *e)
{
	const char *path = node ? tree_path(&s->kernel.tree, node, e) : "";

	*regular = path && (*path != '/' || is_regular_path(path));
	return path ? 0 : -1;
}

static int
opened(struct syscalls *s, struct call *c, char *folder, const char *name, const char *flags,
    struct error *e)
{
	struct shown fd = call_fd(c->result_text);
	uint32_t     node, at;
	bool	     bad, regular;

	if (fd.fd < 0)
		return 0;
	if (fd.path && (!is_regular_path(fd.path) || strstr(flags, "O_DIRECTORY"))) {
		s->named = true;
		return open_other(s, c->task->table, (uint32_t)fd.fd, NIL, e);
	}
	node = name_at(s, c, folder, name, true, &bad, e);
	if (bad)
		return -1;
	if (fd.path) {
		s->named = true;
		at = tree_walk(&s->kernel.tree, NIL, fd.path, true, e);
		if (!at)
			return -1;
		node = at;
	}
	if (check_path(s, node, &regular, e))
		return -1;
	if (!regular || call_has(flags, "PATH", 0x200000) ||
	    (call_has(flags, "DIRECTORY", 0x10000) && !call_has(flags, "TMPFILE", 0x410000)))
		return open_other(s, c->task->table, (uint32_t)fd.fd, node, e);
	return node ? open_file(s, c, &fd, node, flags, e)
		    : open_nameless(s, c, (uint32_t)fd.fd, flags, e);
}

static int
on_open(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, here, c->arg[0], c->arg[1], e);
}

static int
on_openat(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, c->arg[0], c->arg[1], c->arg[2], e);
}

static int
on_creat(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, here, c->arg[0], "O_TRUNC", e);
}

/* open_by_handle_at(mount, handle, flags) */
static int
on_open_handle(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, here, "", c->arg[2], e);
}

/* The result is a descriptor of something else than a file. */
static int
on_other(struct syscalls *s, struct call *c, struct error *e)
{
	struct shown fd = call_fd(c->result_text);

	return fd.fd < 0 ? 0 : open_other(s, c->task->table, (uint32_t)fd.fd, NIL, e);
}

static int
on_ring_setup(struct syscalls *s, struct call *c, struct error *e)
{
	input_note(s->in, NOTE_RING);
	return on_other(s, c, e);
}

/* "[3, 4]": the ends of a pipe, or of a pair of sockets. */
static int
open_pair(struct syscalls *s, struct call *c, const char *pair, uint32_t pipe, bool close_on_exec,
    struct error *e)
{
	uint64_t	   fd;
	struct descriptor *d;

	for (pair += *pair == '['; scan_digits(pair, INT32_MAX, &fd); pair += strspn(pair, ", ")) {
		if (open_other(s, c->task->table, (uint32_t)fd, NIL, e))
			return -1;
		d = table_find(c->task->table, (uint32_t)fd);
		if (!d)
			return 0;
		described(s, d)->pipe = pipe;
		d->close_on_exec = close_on_exec;
		pair += strspn(pair, "0123456789");
	}
	return 0;
}

static int
on_pipe(struct syscalls *s, struct call *c, struct error *e)
{
	return open_pair(s, c, c->arg[0], ++s->npipes, call_has(c->arg[1], "CLOEXEC", 0x80000), e);
}

static int
on_pair(struct syscalls *s, struct call *c, struct error *e)
{
	return open_pair(s, c, c->arg[3], 0, call_has(c->arg[1], "CLOEXEC", 0x80000), e);
}

/* A call that succeeds only on what is no regular file. */
static int
shows_other(struct syscalls *s, struct call *c, char *text, struct error *e)
{
	bool		    bad;
	struct descriptor  *d = find_any(s, c, text, SHOWS_NOTHING, &bad, e);
	struct description *x = d ? described(s, d) : NULL;

	if (x && x->file && x->guessed)
		s->kernel.tree.file[x->file].irregular = true; /* it was taken for one */
	if (x)
		x->unseen = false;
	return bad ? -1 : 0;
}

static int
on_socket(struct syscalls *s, struct call *c, struct error *e)
{
	return shows_other(s, c, c->arg[0], e);
}

static int
on_accept(struct syscalls *s, struct call *c, struct error *e)
{
	return on_other(s, c, e) || shows_other(s, c, c->arg[0], e) ? -1 : 0;
}

/* epoll_ctl(epoll, what, fd, event) refuses regular files */
static int
on_epoll(struct syscalls *s, struct call *c, struct error *e)
{
	return shows_other(s, c, c->arg[0], e) || shows_other(s, c, c->arg[2], e) ? -1 : 0;
}

static int
on_close(struct syscalls *s, struct call *c, struct error *e)
{
	struct shown	   shown = call_fd(c->arg[0]);
	struct descriptor *d = shown.fd < 0 ? NULL : table_find(c->task->table, (uint32_t)shown.fd);

	s->named |= shown.path != NULL;
	if (!d)
		return 0;
	if (is_file(s, d))
		emit(s, c, OP_CLOSE, d->fd, described(s, d)->file, 0, 0);
	kernel_close(&s->kernel, c->task->table, d->fd);
	return 0;
}

static int
on_close_range(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t first, last;

	if (call_number(c->arg[0], &first) && call_number(c->arg[1], &last) && first <= INT32_MAX)
		kernel_close_range(&s->kernel, c->task->table, (uint32_t)first, last,
		    call_has(c->arg[2], "CLOSE_RANGE_CLOEXEC", 4));
	return 0;
}

/* The result is a duplicate of the first argument. */
static int
duplicate(struct syscalls *s, struct call *c, bool close_on_exec, struct error *e)
{
	struct table	  *t = c->task->table;
	bool		   bad;
	struct descriptor *d = find_any(s, c, c->arg[0], SHOWS_NOTHING, &bad, e);

	if (c->result > INT32_MAX || bad)
		return bad ? -1 : 0;
	if (!d) {
		kernel_close(&s->kernel, t, (uint32_t)c->result);
		return 0;
	}
	if (d->fd == c->result)
		return 0;
	d = kernel_dup(&s->kernel, t, (uint32_t)c->result, d->description, e);
	if (!d)
		return -1;
	d->close_on_exec = close_on_exec;
	return 0;
}

static int
on_dup(struct syscalls *s, struct call *c, struct error *e)
{
	return duplicate(s, c, call_has(c->arg[2], "CLOEXEC", 0x80000), e);
}

static int
on_fcntl(struct syscalls *s, struct call *c, struct error *e)
{
	struct descriptor *d;
	bool		   bad;

	if (call_is(c->arg[1], "DUPFD", 0) || call_is(c->arg[1], "DUPFD_CLOEXEC", 0x406))
		return duplicate(s, c, !call_is(c->arg[1], "DUPFD", 0), e);
	d = find_any(s, c, c->arg[0], SHOWS_NOTHING, &bad, e);
	if (!d)
		return bad ? -1 : 0;
	if (call_is(c->arg[1], "SETFD", 2))
		d->close_on_exec = call_has(c->arg[2], "CLOEXEC", 1);
	else if (call_is(c->arg[1], "SETFL", 4))
		described(s, d)->append = call_has(c->arg[2], "APPEND", 0x400);
	return 0;
}

/* ---- positions and sizes ---- */

/* On /dev/null a seek succeeds as well, to 0. */
static int
seek(struct syscalls *s, struct call *c, uint64_t to, const char *from, struct error *e)
{
	uint64_t	   beyond;
	bool		   bad;
	struct descriptor *d = find_any(s, c, c->arg[0], to ? SHOWS_FILE : SHOWS_NOTHING, &bad, e);

	if (bad || !d)
		return bad ? -1 : 0;
	described(s, d)->position = to;
	described(s, d)->guessed = false;
	if (is_file(s, d) && call_is(from, "END", 2) && scan_digits(c->arg[1], to, &beyond))
		tree_resize(&s->kernel.tree, described(s, d)->file, to - beyond);
	return 0;
}

static int
on_lseek(struct syscalls *s, struct call *c, struct error *e)
{
	return seek(s, c, c->result, c->arg[2], e);
}

/* _llseek(fd, offset, [result], from) */
static int
on_llseek(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t to;

	return *c->arg[2] == '[' && call_number(c->arg[2] + 1, &to) && to <= INT64_MAX
	    ? seek(s, c, to, c->arg[3], e)
	    : 0;
}

/* Is "S_IFREG|0644" or 0100644 the mode of a regular file? */
static bool
is_regular_mode(const char *mode)
{
	enum { KIND = 0170000, REGULAR = 0100000 };

	return starts_with(mode, "S_IFREG") ||
	    (*mode == '0' && (strtoul(mode, NULL, 8) & KIND) == REGULAR);
}

/* The state as fstat shows it: "{st_mode=S_IFREG|0644, st_size=55839, ...}". */
static int
learn_state(struct syscalls *s, struct call *c, const struct descriptor *d, const char *text,
    struct error *e)
{
	const char	   *mode = strstr(text, "st_mode="), *size = strstr(text, "st_size=");
	struct description *x = described(s, d);
	uint64_t	    bytes;

	if (!mode) {
		mode = strstr(text, "stx_mode=");
		size = strstr(text, "stx_size=");
	}
	if (!mode)
		return 0;
	if (!is_regular_mode(strchr(mode, '=') + 1)) {
		x->unseen = false;
		if (x->file)
			s->kernel.tree.file[x->file].irregular = true;
		return 0;
	}
	if (x->unseen && become_file(s, c, d, e))
		return -1;
	if (x->file && size && call_number(strchr(size, '=') + 1, &bytes))
		tree_resize(&s->kernel.tree, x->file, bytes);
	return 0;
}

static int
on_fstat(struct syscalls *s, struct call *c, struct error *e)
{
	bool		   bad;
	struct descriptor *d = find_any(s, c, c->arg[0], SHOWS_NOTHING, &bad, e);

	return bad || (d && learn_state(s, c, d, c->arg[1], e)) ? -1 : 0;
}

/* newfstatat(3</a>, "", {...}) is an fstat; with a name it refers to another file. */
static int
on_fstatat(struct syscalls *s, struct call *c, struct error *e)
{
	if (strcmp(c->arg[1], "\"\""))
		return 0;
	c->arg[1] = strcmp(c->name, "statx") ? c->arg[2] : c->arg[4];
	return on_fstat(s, c, e);
}

static int
on_ftruncate(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t	   size;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], SHOWS_FILE, &bad, e);

	if (d && call_number(c->arg[1], &size))
		tree_resize(&s->kernel.tree, described(s, d)->file, size);
	return bad ? -1 : 0;
}

/* fallocate(fd, mode, offset, length) */
static int
on_fallocate(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t	   mode, offset, length;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], SHOWS_FILE, &bad, e);

	if (d && call_number(c->arg[1], &mode) && !mode && call_number(c->arg[2], &offset) &&
	    call_number(c->arg[3], &length) && length <= UINT64_MAX - offset)
		tree_extend(&s->kernel.tree, described(s, d)->file, offset + length);
	return bad ? -1 : 0;
}

/* ---- start and exit of processes ---- */

bool
effect_shares(const char *text)
{
	const char *flags = strstr(text, "flags=");

	return flags && call_has(flags, "CLONE_FILES", 0x400);
}

static int
on_clone(struct syscalls *s, struct call *c, struct error *e)
{
	bool	      shares = false, thread = false;
	uint32_t      child = c->result <= INT32_MAX ? (uint32_t)c->result : 0;
	struct record r = { .time = c->time,
		.pid = c->task->pid,
		.op = OP_START,
		.file_size = SIZE_UNKNOWN,
		.child = child };

	for (unsigned i = 0; i < c->nargs; i++) {
		const char *flags = strstr(c->arg[i], "flags=");

		shares |= flags && call_has(flags, "FILES", 0x400);
		thread |= flags && call_has(flags, "THREAD", 0x10000);
	}
	if (child && child != r.pid) {
		depend_starts(c->task, child, thread);
		syscalls_add(s, &r);
	}
	return kernel_end_clone(&s->kernel, c->task, child, shares, e);
}

static int
waited(struct syscalls *s, struct call *c, uint64_t child, bool any, bool hangs)
{
	usec_t	      lasted = call_duration(c->result_text);
	struct record r;
	struct wait   w = { .start = c->time,
		  .end = c->end > c->time ? c->end : c->time + (lasted > 0 ? lasted : 0),
		  .child = (uint32_t)child,
		  .any = any,
		  .hangs = hangs };

	if (child <= INT32_MAX && child != c->task->pid && depend_waits(c->task, &w, &r))
		syscalls_add(s, &r);
	return 0;
}

/* Has the child only been stopped, or does it go on? */
static bool
lives_on(const char *status)
{
	return strstr(status, "WIFSTOPPED") || strstr(status, "WIFCONTINUED") ||
	    strstr(status, "CLD_STOPPED") || strstr(status, "CLD_CONTINUED") ||
	    strstr(status, "CLD_TRAPPED");
}

/* wait4(pid, status, options, usage) */
static int
on_wait(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t pid;
	bool	 any = !call_number(c->arg[0], &pid) || !pid;

	return lives_on(c->arg[1])
	    ? 0
	    : waited(s, c, c->result, any, !call_has(c->arg[2], "WNOHANG", 1));
}

/* waitid(kind, pid, {..., si_pid=7, ...}, options, usage) */
static int
on_waitid(struct syscalls *s, struct call *c, struct error *e)
{
	const char *shown = strstr(c->arg[2], "si_pid=");
	uint64_t    child = 0;

	if (lives_on(c->arg[2]) || (shown && !call_number(shown + strlen("si_pid="), &child)))
		return 0;
	return waited(s, c, child, !call_is(c->arg[0], "P_PID", 1),
	    !call_has(c->arg[3], "WNOHANG", 1));
}

static int
on_execve(struct syscalls *s, struct call *c, struct error *e)
{
	return kernel_exec(&s->kernel, c->task, e);
}

int
effect_exit(struct syscalls *s, struct call *c, struct error *e)
{
	emit(s, c, OP_EXIT, 0, NIL, 0, 0);
	kernel_exit(&s->kernel, c->task);
	return 0;
}

static int
on_exit(struct syscalls *s, struct call *c, struct error *e)
{
	return effect_exit(s, c, e);
}

/* ---- the table of calls ---- */

/* In the order of strcmp(). */
static const struct effect effects[] = {
	{ "_llseek", on_llseek, EFFECT_PLAIN },
	{ "accept", on_accept, EFFECT_KIND },
	{ "accept4", on_accept, EFFECT_KIND },
	{ "arm_fadvise64_64", on_fadvise_64, EFFECT_PLAIN },
	{ "bind", on_socket, EFFECT_KIND },
	{ "chdir", on_chdir, EFFECT_PLAIN },
	{ "clone", on_clone, EFFECT_CLONE },
	{ "clone3", on_clone, EFFECT_CLONE },
	{ "close", on_close, EFFECT_PLAIN },
	{ "close_range", on_close_range, EFFECT_PLAIN },
	{ "connect", on_socket, EFFECT_KIND },
	{ "copy_file_range", on_copy, EFFECT_PLAIN },
	{ "creat", on_creat, EFFECT_PLAIN },
	{ "dup", on_dup, EFFECT_PLAIN },
	{ "dup2", on_dup, EFFECT_PLAIN },
	{ "dup3", on_dup, EFFECT_PLAIN },
	{ "epoll_create", on_other, EFFECT_KIND },
	{ "epoll_create1", on_other, EFFECT_KIND },
	{ "epoll_ctl", on_epoll, EFFECT_KIND },
	{ "eventfd", on_other, EFFECT_KIND },
	{ "eventfd2", on_other, EFFECT_KIND },
	{ "execve", on_execve, EFFECT_PLAIN },
	{ "execveat", on_execve, EFFECT_PLAIN },
	{ "exit", on_exit, EFFECT_EXIT },
	{ "exit_group", on_exit, EFFECT_EXIT },
	{ "fadvise64", on_fadvise, EFFECT_PLAIN },
	{ "fadvise64_64", on_fadvise_64, EFFECT_PLAIN },
	{ "fallocate", on_fallocate, EFFECT_PLAIN },
	{ "fanotify_init", on_other, EFFECT_KIND },
	{ "fchdir", on_fchdir, EFFECT_PLAIN },
	{ "fcntl", on_fcntl, EFFECT_PLAIN },
	{ "fcntl64", on_fcntl, EFFECT_PLAIN },
	{ "fork", on_clone, EFFECT_CLONE },
	{ "fstat", on_fstat, EFFECT_PLAIN },
	{ "fstat64", on_fstat, EFFECT_PLAIN },
	{ "fstatat64", on_fstatat, EFFECT_PLAIN },
	{ "ftruncate", on_ftruncate, EFFECT_PLAIN },
	{ "ftruncate64", on_ftruncate, EFFECT_PLAIN },
	{ "getcwd", on_getcwd, EFFECT_PLAIN },
	{ "getpeername", on_socket, EFFECT_KIND },
	{ "getsockname", on_socket, EFFECT_KIND },
	{ "getsockopt", on_socket, EFFECT_KIND },
	{ "inotify_init", on_other, EFFECT_KIND },
	{ "inotify_init1", on_other, EFFECT_KIND },
	{ "io_submit", on_submit, EFFECT_PLAIN },
	{ "io_uring_enter", on_ring, EFFECT_PLAIN },
	{ "io_uring_setup", on_ring_setup, EFFECT_PLAIN },
	{ "link", on_link, EFFECT_PLAIN },
	{ "linkat", on_linkat, EFFECT_PLAIN },
	{ "listen", on_socket, EFFECT_KIND },
	{ "lseek", on_lseek, EFFECT_PLAIN },
	{ "memfd_create", on_other, EFFECT_KIND },
	{ "mmap", on_mmap, EFFECT_PLAIN },
	{ "mmap2", on_mmap, EFFECT_PLAIN },
	{ "newfstatat", on_fstatat, EFFECT_PLAIN },
	{ "open", on_open, EFFECT_PLAIN },
	{ "open_by_handle_at", on_open_handle, EFFECT_PLAIN },
	{ "openat", on_openat, EFFECT_PLAIN },
	{ "openat2", on_openat, EFFECT_PLAIN },
	{ "perf_event_open", on_other, EFFECT_KIND },
	{ "pidfd_open", on_other, EFFECT_KIND },
	{ "pipe", on_pipe, EFFECT_KIND },
	{ "pipe2", on_pipe, EFFECT_KIND },
	{ "pread", on_pread, EFFECT_PLAIN },
	{ "pread64", on_pread, EFFECT_PLAIN },
	{ "preadv", on_pread, EFFECT_PLAIN },
	{ "preadv2", on_pread, EFFECT_PLAIN },
	{ "pwrite", on_pwrite, EFFECT_PLAIN },
	{ "pwrite64", on_pwrite, EFFECT_PLAIN },
	{ "pwritev", on_pwrite, EFFECT_PLAIN },
	{ "pwritev2", on_pwrite, EFFECT_PLAIN },
	{ "read", on_read, EFFECT_READ },
	{ "readahead", on_readahead, EFFECT_PLAIN },
	{ "readv", on_read, EFFECT_READ },
	{ "recvfrom", on_socket, EFFECT_KIND },
	{ "recvmmsg", on_socket, EFFECT_KIND },
	{ "recvmsg", on_socket, EFFECT_KIND },
	{ "rename", on_rename, EFFECT_PLAIN },
	{ "renameat", on_renameat, EFFECT_PLAIN },
	{ "renameat2", on_renameat, EFFECT_PLAIN },
	{ "sendfile", on_sendfile, EFFECT_PLAIN },
	{ "sendfile64", on_sendfile, EFFECT_PLAIN },
	{ "sendmmsg", on_socket, EFFECT_KIND },
	{ "sendmsg", on_socket, EFFECT_KIND },
	{ "sendto", on_socket, EFFECT_KIND },
	{ "setsockopt", on_socket, EFFECT_KIND },
	{ "shutdown", on_socket, EFFECT_KIND },
	{ "signalfd", on_other, EFFECT_KIND },
	{ "signalfd4", on_other, EFFECT_KIND },
	{ "socket", on_other, EFFECT_KIND },
	{ "socketpair", on_pair, EFFECT_KIND },
	{ "splice", on_splice, EFFECT_PLAIN },
	{ "statx", on_fstatat, EFFECT_PLAIN },
	{ "symlink", on_symlink, EFFECT_PLAIN },
	{ "symlinkat", on_symlinkat, EFFECT_PLAIN },
	{ "timerfd_create", on_other, EFFECT_KIND },
	{ "unlink", on_unlink, EFFECT_PLAIN },
	{ "unlinkat", on_unlinkat, EFFECT_PLAIN },
	{ "userfaultfd", on_other, EFFECT_KIND },
	{ "vfork", on_clone, EFFECT_CLONE },
	{ "wait4", on_wait, EFFECT_WAIT },
	{ "waitid", on_waitid, EFFECT_WAIT },
	{ "waitpid", on_wait, EFFECT_WAIT },
	{ "write", on_write, EFFECT_PLAIN },
	{ "writev", on_write, EFFECT_PLAIN },
};

/* strcmp() of a name and the name of "name(...". */
static int
compare(const char *name, const char *text)
{
	while (*name && *name == *text) {
		name++;
		text++;
	}
	if (!*name && (*text == '(' || *text == ' ' || !*text))
		return 0;
	return (unsigned char)*name - (*text == '(' || *text == ' ' ? 0 : (unsigned char)*text);
}

const struct effect *
effect_of(const char *text)
{
	size_t low = 0, high = sizeof(effects) / sizeof(*effects);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int    order = compare(effects[middle].name, text);

		if (!order)
			return &effects[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
