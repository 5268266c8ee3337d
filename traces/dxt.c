/*
 * dxt.c - calls of parallel programs, as darshan-dxt-parser prints Darshan's extended trace.
 *
 *	# DXT, file_id: 1645759, file_name: /scratch/a
 *	# DXT, rank: 0, hostname: node1
 *	# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)
 *	 X_POSIX       0   read        0               0       262144      0.0029      0.0032
 *
 * Rows follow the comment that names their file; a rank is a process.  A call of
 * MPI-IO calls POSIX below it: of a file that is in both modules, the rows of
 * the first are read, which is POSIX.  What is behind the end (OST, thread) is skipped.
 */
#include <stdlib.h>

#include "sim/base/map.h"
#include "traces/common/lines.h"

#define KEPT "# DXT, "
#define FILE_ID "file_id:"
#define FILE_NAME "file_name:"

enum { ROW_WORDS = 8, LINE_ROOM = 4096 };

enum module { MODULE_NONE, MODULE_POSIX, MODULE_MPIIO, MODULE_STDIO };

struct dxt {
	struct names names;
	uint32_t     file;   /* number of the name; 0: none yet */
	uint8_t	    *module; /* [file]: MODULE_POSIX or MODULE_MPIIO, the first that it was in */
	uint32_t     known, capacity;
};

struct row {
	enum module module;
	uint64_t    rank, offset, length;
	usec_t	    time;
	bool	    write, placed;
};

/* ---- lines ---- */

ALWAYS_INLINE bool
begins(const char *word, const char *name)
{
	return !strncmp(word, name, strlen(name)) && scan_ends_field(word[strlen(name)]);
}

static enum module
module_of(const char *word)
{
	return begins(word, "X_POSIX") ? MODULE_POSIX
	    : begins(word, "X_MPIIO")  ? MODULE_MPIIO
	    : begins(word, "X_STDIO")  ? MODULE_STDIO
				       : MODULE_NONE;
}

static bool
scan_row(const char *line, struct row *w)
{
	const char *word[ROW_WORDS];

	if (lines_words(line, word, ROW_WORDS) < ROW_WORDS)
		return false;
	w->module = module_of(word[0]);
	w->write = begins(word[2], "write");
	w->placed = scan_is_digit(*word[4]); /* else "N/A" or -1 */
	return w->module && scan_number(word[1], UINT32_MAX, &w->rank) &&
	    (w->write || begins(word[2], "read")) &&
	    (!w->placed || scan_number(word[4], INT64_MAX, &w->offset)) &&
	    scan_number(word[5], INT64_MAX, &w->length) && lines_time(word[6], UNIT_S, &w->time);
}

/* "# DXT, file_id: 1, file_name: /scratch/a": the name, or NULL. */
static char *
find_name(char *line)
{
	char *name =
	    !strncmp(line, KEPT FILE_ID, strlen(KEPT FILE_ID)) ? strstr(line, FILE_NAME) : NULL;

	if (!name)
		return NULL;
	name += strlen(FILE_NAME);
	name += scan_blanks(name) - name;
	name[strcspn(name, "\r")] = '\0';
	return name;
}

static bool
dxt_recognise(const char *head, size_t n)
{
	char	   line[LINE_ROOM];
	struct row w;

	while (scan_head(&head, &n, line, sizeof(line)))
		if (find_name(line) || (*line != '#' && scan_row(line, &w)))
			return true;
	return false;
}

/* ---- reading ---- */

static int
take_name(struct dxt *d, const char *name, struct error *e)
{
	uint8_t *grown;

	d->file = names_intern(&d->names, name);
	grown = d->file ? array_grow(d->module, (size_t)d->file, &d->capacity, sizeof(*d->module))
			: NULL;
	if (!grown)
		return error_no_memory(e);
	d->module = grown;
	if (d->file > d->known)
		d->module[d->known = d->file] = MODULE_NONE;
	return 0;
}

/* Is it the same call, seen by the other module? */
static bool
is_repeated(struct dxt *d, const struct row *w)
{
	if (w->module == MODULE_STDIO)
		return false;
	if (!d->module[d->file])
		d->module[d->file] = (uint8_t)w->module;
	return d->module[d->file] != w->module;
}

/* 1: a record; 0: nothing of interest; -1: error. */
static int
take_line(struct dxt *d, struct input *in, char *line, struct row *w, struct error *e)
{
	const char *name = *line == '#' ? find_name(line) : NULL;

	if (*line == '#')
		return name ? take_name(d, name, e) : 0;
	if (!scan_row(line, w)) {
		lines_skip(in, line);
		return 0;
	}
	if (!d->file)
		return error_set(e,
		    "a row before the line '# DXT, file_id: ..., file_name: ...' that names its file: keep "
		    "the comments of darshan-dxt-parser");
	if (is_repeated(d, w)) {
		input_count(in,
		    "calls of MPI-IO to files that POSIX was seen to use were left out: they are "
		    "the same");
		return 0;
	}
	if (!w->placed)
		input_count(in, "calls without an offset were left out");
	return w->placed && w->length;
}

static int
dxt_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct dxt *d = self;
	struct row  w;
	char	   *line;
	int	    status, taken;

	do {
		status = scan_line_or(in, KEPT, &line, e);
		if (status <= 0)
			return status;
		taken = take_line(d, in, line, &w, e);
	} while (!taken);
	if (taken < 0)
		return -1;
	r->op = w.write ? OP_WRITE : OP_READ;
	r->time = w.time;
	r->pid = (uint32_t)w.rank;
	r->no_fd = true;
	r->path = d->names.name[d->file];
	r->offset = w.offset;
	r->length = w.length;
	return 1;
}

static void
dxt_release(void *self)
{
	struct dxt *d = self;

	names_release(&d->names);
	free(d->module);
}

FORMAT(dxt,
    .plugin = { .name = "dxt",
	.summary = "darshan-dxt-parser: calls of parallel programs",
	.state_size = sizeof(struct dxt),
	.source = "Xu et al.: DXT, Darshan extended tracing, CUG 2017" },
    .recognise = dxt_recognise, .read = dxt_read, .release = dxt_release);
