/*
 * bst.c - binary traces: accesses in the form of struct access, to be mapped.
 *
 *	header, 4,096 bytes | accesses, 32 bytes each | tables, with advice and steps
 *
 * Everything is in the byte order of the machine that wrote it; docs/bst.md
 * describes every byte.  Loading checks the header and the tables.  Accesses
 * are checked in chunks at their first use: the checksum, XXH3, finds damage,
 * and a check of each access finds values that are impossible in a trace.
 * A file that is written to while it is in use is an error, unless all its
 * checksums are still right; mapped.h has the rest.
 *
 * Cost: a millisecond to load, about 3 ns an access to verify, once.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "sim/base/checksum.h"
#include "sim/base/mapped.h"
#include "sim/base/number.h"
#include "sim/trace/format.h"
#include "sim/trace/place_steps.h"
#include "sim/trace/trace.h"

#define MAGIC "\211BST\r\n\032\n"
/* The largest file: all block numbers, with the largest blocks. */
#define BYTES_MAX ((uint64_t)1 << 51)

enum {
	VERSION = 1,	    /* of a file without advice */
	ADVICE_VERSION = 2, /* and with */
	STEPS_VERSION = 3,  /* of one with steps, process names, or what its source lacked */
	ORDER_MARK = 0x01020304,
	ORDER_MARK_SWAPPED = 0x04030201,
	HEADER_BYTES = 4096,
	CHUNK = 1 << 16, /* accesses */
	SOURCE_TEXTS = 3,
};

struct header {
	char	 magic[8];
	uint32_t order_mark, version;
	uint64_t file_bytes; /* of the whole file */
	uint64_t naccess;
	uint32_t nfiles, nopen, nprocesses, longest_bytes;
	uint64_t text_bytes;
	uint64_t duration; /* time of the last access */
	uint64_t records, reads, writes, empty_calls, opens, closes, exits, mmaps, advices;
	uint64_t mmap_bytes, out_of_order;
	uint64_t source_bytes, source_xxh3;
	uint64_t touched; /* 0 or 1 */
	uint64_t tables_xxh3;
	uint64_t nadvice;
	uint64_t nsteps, starts, waits, transfers; /* from here on: 0 in the other versions */
	uint32_t lacks, stream_by;
	uint64_t nnotes;
	char	 zero[HEADER_BYTES - 248];
	uint64_t header_xxh3; /* of the bytes before it */
};
_Static_assert(sizeof(struct header) == HEADER_BYTES, "so that the accesses lie on a page");
_Static_assert((int)CHUNK == (int)TRACE_BATCH, "a batch is checked in one go");

/* The tables are chunk sums, files, open files, advice, steps, processes and text, in this order. */
struct entry {
	uint64_t inode, bytes;
	uint64_t name; /* offset in the text; 0: no name */
};

/* A process; in the other versions, its pid alone. */
struct person {
	uint64_t name; /* offset in the text; 0: no name */
	uint32_t pid, zero;
};

struct bst {
	struct mapping	     mapping;
	struct mapped	    *file;
	const struct header *header;
	size_t		     bytes;
	uint64_t	     header_sum; /* when it was loaded */
	const uint64_t	    *sum;	 /* [nchunks] */
	bool		    *intact;	 /* [nchunks] */
	uint64_t	    *bytes_of;	 /* [nopen]: its file */
	bool		    *used;	 /* [nopen]: by a chunk that is intact */
	size_t		     nchunks, unverified;
};

static size_t
chunks_of(uint64_t naccess)
{
	return (size_t)((naccess + CHUNK - 1) / CHUNK);
}

static size_t
chunk_length(size_t naccess, size_t k)
{
	size_t left = naccess - k * CHUNK;

	return left < CHUNK ? left : CHUNK;
}

static size_t
person_bytes(const struct header *h)
{
	return h->version == STEPS_VERSION ? sizeof(struct person) : sizeof(uint32_t);
}

static uint64_t
table_bytes(const struct header *h)
{
	uint64_t nsums = chunks_of(h->naccess), nfiles = h->nfiles, nopen = h->nopen;

	return nsums * sizeof(uint64_t) + nfiles * sizeof(struct entry) +
	    nopen * sizeof(struct open_file) + h->nadvice * sizeof(struct advice) +
	    h->nsteps * sizeof(struct step) + h->nprocesses * person_bytes(h) + h->text_bytes;
}

static uint64_t
header_sum(const struct header *h)
{
	return checksum(h, offsetof(struct header, header_xxh3));
}

/* ---- accesses ---- */

/* Is `advised` set for exactly those accesses of the chunk that advice precedes?  any: it is set for one. */
static bool
advice_marked(const struct trace *t, size_t k, bool any)
{
	size_t first = k * CHUNK, end = first + chunk_length(t->naccess, k), marked = 0;

	for (size_t i = first; any && i < end; i++)
		marked += t->access[i].advised;
	for (size_t i = trace_advice(t, first); i < t->nadvice && t->advice[i].before < end; i++) {
		if (!t->access[t->advice[i].before].advised)
			return false;
		marked -= !i || t->advice[i].before != t->advice[i - 1].before;
	}
	return !marked;
}

/* The last word of an access, which has its bit fields. */
enum { FIELDS = offsetof(struct access, file_size) + sizeof(uint64_t) };

static uint64_t
fields_of(const struct access *a)
{
	uint64_t word;

	memcpy(&word, (const char *)a + FIELDS, sizeof(word));
	return word;
}

/*
 * Is each access possible in a trace?  Signs and bit fields are collected without
 * branches: a negative number, or a negative difference from a bound, leaves its
 * sign in the result.  Bounds are below 2^63.
 */
static bool
possible(const struct trace *t, const struct bst *b, size_t k)
{
	const struct access *a = &t->access[k * CHUNK], *end = a + chunk_length(t->naccess, k);
	uint64_t	     time = k && b->intact[k - 1] ? (uint64_t)a[-1].time : 0;
	uint64_t	     longest = t->longest_bytes, last = b->header->duration, below = 0;
	const uint64_t	    *bytes_of = b->bytes_of;
	uint32_t	     nopen = t->nopen;
	bool		    *used = b->used;
	uint64_t	     fields = 0;
	struct access	     any = { 0 };

	if (!k && a->time)
		return false;
	for (; a < end; a++) {
		uint64_t now = (uint64_t)a->time, n = a->length, bytes;

		if (unlikely(a->open >= nopen))
			return false;
		bytes = bytes_of[a->open];
		used[a->open] = true;
		fields |= fields_of(a);
		below |= a->offset | (bytes - a->offset - n) | (n - 1) | (longest - n);
		below |= a->file_size | (bytes - a->file_size) | now | (now - time);
		time = now;
	}
	memcpy((char *)&any + FIELDS, &fields, sizeof(fields));
	if (below >> 63 || (any.write && !t->writes) || !advice_marked(t, k, any.advised))
		return false;
	if (k + 1 == b->nchunks)
		return time == last;
	return time <= (b->intact[k + 1] ? (uint64_t)a->time : last);
}

static bool
all_used(const struct trace *t, const struct bst *b)
{
	for (uint32_t i = 0; i < t->nopen; i++)
		if (!b->used[i])
			return false;
	return true;
}

static int
blame_chunk(const struct trace *t, const struct bst *b, size_t k, const char *what, struct error *e)
{
	size_t first = k * CHUNK;
	char   number[4][NUMBER_TEXT];

	return error_set(e, "chunk %s of %s %s (accesses %s to %s): convert it again from %s",
	    number_group(number[0], k + 1), number_group(number[1], b->nchunks), what,
	    number_group(number[2], first + 1),
	    number_group(number[3], first + chunk_length(t->naccess, k)),
	    trace_path(t->source.path));
}

static bool
chunk_sum_right(const struct trace *t, const struct bst *b, size_t k)
{
	return checksum(&t->access[k * CHUNK], chunk_length(t->naccess, k) * sizeof(*t->access)) ==
	    b->sum[k];
}

static int
check_chunk(const struct trace *t, struct bst *b, size_t k, struct error *e)
{
	if (!chunk_sum_right(t, b, k))
		return blame_chunk(t, b, k, "is damaged", e);
	if (!possible(t, b, k))
		return blame_chunk(t, b, k, "has an impossible access", e);
	if (b->unverified == 1 && !all_used(t, b))
		return error_set(e,
		    "some of its open files are never used: convert it again from %s",
		    trace_path(t->source.path));
	b->intact[k] = true;
	b->unverified--;
	return 0;
}

static const void *
tables_of(const struct header *h)
{
	return (const char *)h + h->file_bytes - table_bytes(h);
}

/* The file has a new time: has its content still the same checksums? */
static bool
same_as_before(const void *trace)
{
	const struct trace  *t = trace;
	const struct bst    *b = (const struct bst *)(const void *)t->mapping;
	const struct header *h = b->header;

	if (h->header_xxh3 != b->header_sum || header_sum(h) != b->header_sum ||
	    checksum(tables_of(h), table_bytes(h)) != h->tables_xxh3)
		return false;
	for (size_t k = 0; k < b->nchunks; k++)
		if (!chunk_sum_right(t, b, k))
			return false;
	return true;
}

static bool
never_same(const void *trace)
{
	return false;
}

/* What looked like damage may be a change. */
static int
explain_damage(struct bst *b, struct error *e)
{
	mapped_check(b->file, never_same, NULL, e);
	return -1;
}

static int
bst_check(const struct trace *t, size_t first, size_t n, struct error *e)
{
	struct bst *b = (struct bst *)(void *)t->mapping;

	if (mapped_check(b->file, same_as_before, t, e))
		return -1;
	for (size_t k = first / CHUNK; n && k <= (first + n - 1) / CHUNK; k++)
		if (!b->intact[k] && check_chunk(t, b, k, e))
			return explain_damage(b, e);
	return 0;
}

/* ---- header and tables ---- */

static int
check_header(const struct header *h, uint64_t bytes, struct error *e)
{
	char is[NUMBER_TEXT], should[NUMBER_TEXT];

	if (memcmp(h->magic, MAGIC, sizeof(h->magic)))
		return error_set(e,
		    memcmp(h->magic, MAGIC, 4)
			? "is not a binary trace"
			: "was copied as if it were text: copy it again as it is");
	if (h->order_mark == ORDER_MARK_SWAPPED)
		return error_set(e,
		    "was made on a machine of the other byte order: there, type bufsim "
		    "convert FILE.bst FILE.txt.gz; here, convert that");
	if (h->order_mark != ORDER_MARK)
		return error_set(e, "its header is damaged: convert it again");
	if (h->version < VERSION || h->version > STEPS_VERSION)
		return error_set(e,
		    "is a binary trace of version %u, this bufsim reads versions %d to %d: "
		    "convert it again",
		    h->version, VERSION, STEPS_VERSION);
	if (header_sum(h) != h->header_xxh3)
		return error_set(e, "its header is damaged: convert it again");
	if (h->file_bytes != bytes)
		return error_set(e, "has %s bytes instead of %s: copy or convert it again",
		    number_group(is, bytes), number_group(should, h->file_bytes));
	return 0;
}

/* Do the lengths of the parts add up to that of the file, without overflow? */
static bool
adds_up(const struct header *h)
{
	return h->naccess <= h->file_bytes / sizeof(struct access) &&
	    h->text_bytes <= h->file_bytes && h->nadvice <= h->file_bytes / sizeof(struct advice) &&
	    h->nsteps <= h->file_bytes / sizeof(struct step) &&
	    HEADER_BYTES + h->naccess * sizeof(struct access) + table_bytes(h) == h->file_bytes;
}

/* What only the latest version has is there only in it. */
static bool
version_right(const struct header *h)
{
	if (h->version == STEPS_VERSION)
		return h->lacks < 1U << LACKS && h->stream_by <= STREAM_NONE &&
		    h->nnotes <= TRACE_NOTES;
	return (h->version == ADVICE_VERSION) == (h->nadvice > 0) && !h->nsteps && !h->starts &&
	    !h->waits && !h->transfers && !h->lacks && !h->stream_by && !h->nnotes;
}

static bool
counts_possible(const struct header *h)
{
	return h->naccess && h->nfiles && h->nopen && h->nprocesses && h->nopen <= OPENS_MAX &&
	    h->longest_bytes && h->longest_bytes <= INT32_MAX && version_right(h) &&
	    h->duration <= (uint64_t)SPAN_MAX_US;
}

/* The texts about the source come first, then the notes.  False if they are not there. */
static bool
take_source(struct trace *t, const struct header *h, const char *text)
{
	const char *part[SOURCE_TEXTS], *end = text + h->text_bytes;

	if (!h->text_bytes || end[-1])
		return false;
	for (int i = 0; i < SOURCE_TEXTS; i++) {
		if (text == end)
			return false;
		part[i] = text;
		text += strlen(text) + 1;
	}
	t->source = (struct source){ .path = part[0],
		.format = part[1],
		.version = part[2],
		.bytes = h->source_bytes,
		.xxh3 = h->source_xxh3,
		.touched = h->touched };
	for (uint64_t i = 0; i < h->nnotes; i++) {
		if (text == end)
			return false;
		t->note[i] = text;
		text += strlen(text) + 1;
	}
	return true;
}

static bool
take_files(struct trace *t, const struct header *h, const struct entry *entry, const char *text)
{
	for (file_t f = 0; f < t->nfiles; f++) {
		if (entry[f].bytes > BYTES_MAX || entry[f].name >= h->text_bytes)
			return false;
		t->file[f] = (struct file){ .inode = entry[f].inode,
			.bytes = entry[f].bytes,
			.name = entry[f].name ? text + entry[f].name : NULL };
	}
	return true;
}

static bool
take_processes(struct trace *t, const struct header *h, const void *table)
{
	const uint32_t	    *pid = table;
	const struct person *person = table;

	for (uint32_t i = 0; i < t->nprocesses; i++) {
		if (h->version != STEPS_VERSION) {
			t->process[i].pid = pid[i];
			continue;
		}
		if (person[i].name >= h->text_bytes || person[i].zero)
			return false;
		t->process[i] = (struct traced){ person[i].pid,
			person[i].name ? t->names + person[i].name : NULL };
	}
	return true;
}

/* Every open file has a file and a process, and every process an open file or a step. */
static bool
take_opens(struct trace *t, struct bst *b, bool *seen)
{
	uint32_t left = t->nprocesses;

	for (size_t k = 0; k < t->nsteps; k++) {
		const struct step *s = &t->step[k];

		left -= !seen[s->process];
		seen[s->process] = true;
		if (!step_has_other(s))
			continue;
		left -= !seen[s->other];
		seen[s->other] = true;
	}

	for (uint32_t i = 0; i < t->nopen; i++) {
		const struct open_file *f = &t->open[i];

		if (f->file >= t->nfiles || f->process >= t->nprocesses)
			return false;
		b->bytes_of[i] = t->file[f->file].bytes;
		left -= !seen[f->process];
		seen[f->process] = true;
	}
	return !left;
}

/* Is advice in order, about existing open files, and within the range of the arithmetic? */
static bool
take_advice(struct trace *t, const struct bst *b, const struct advice *advice)
{
	uint64_t before = 0;

	t->advice = advice;
	t->nadvice = b->header->nadvice;
	for (const struct advice *a = advice; a < advice + t->nadvice; a++) {
		if (a->before < before || a->before >= t->naccess || a->open >= t->nopen ||
		    a->kind >= ADVICE_KINDS || a->length > UINT64_MAX - a->offset ||
		    a->file_size > b->bytes_of[a->open])
			return false;
		before = a->before;
	}
	return true;
}

static void
take_totals(struct trace *t, const struct header *h)
{
	t->naccess = h->naccess;
	t->nfiles = h->nfiles;
	t->nopen = h->nopen;
	t->nprocesses = h->nprocesses;
	t->longest_bytes = h->longest_bytes;
	t->records = h->records;
	t->reads = h->reads;
	t->writes = h->writes;
	t->empty_calls = h->empty_calls;
	t->opens = h->opens;
	t->closes = h->closes;
	t->exits = h->exits;
	t->mmaps = h->mmaps;
	t->advices = h->advices;
	t->starts = h->starts;
	t->waits = h->waits;
	t->transfers = h->transfers;
	t->lacks = h->lacks;
	t->stream_by = h->stream_by;
	t->mmap_bytes = h->mmap_bytes;
	t->out_of_order = h->out_of_order;
}

/* The tables are used in place; the mapping is never written to. */
static int
take_tables(struct trace *t, struct bst *b, struct error *e)
{
	const struct header *h = b->header;
	const void	    *tables = tables_of(h);
	const struct entry  *entry;
	const struct advice *advice;
	const void	    *processes;
	bool		    *seen = calloc(h->nprocesses, sizeof(*seen));
	bool		     good;

	b->sum = tables;
	b->nchunks = b->unverified = chunks_of(h->naccess);
	for (size_t k = 0; k < b->nchunks; k++)
		t->fingerprint = checksum_add(t->fingerprint, b->sum[k]);
	entry = (const void *)(b->sum + b->nchunks);
	t->access = (const void *)(h + 1);
	t->open = (void *)(uintptr_t)(entry + h->nfiles);
	advice = (const void *)(t->open + h->nopen);
	t->step = (const void *)(advice + h->nadvice);
	t->nsteps = h->nsteps;
	processes = t->step + h->nsteps;
	t->names = (char *)(uintptr_t)processes + h->nprocesses * person_bytes(h);
	t->process = calloc(h->nprocesses, sizeof(*t->process));
	t->file = calloc(h->nfiles, sizeof(*t->file));
	b->intact = calloc(b->nchunks, sizeof(*b->intact));
	b->bytes_of = calloc(h->nopen, sizeof(*b->bytes_of));
	b->used = calloc(h->nopen, sizeof(*b->used));
	take_totals(t, h);
	if (!seen || !t->process || !t->file || !b->intact || !b->bytes_of || !b->used) {
		free(seen);
		return error_no_memory(e);
	}
	good = take_source(t, h, t->names) && take_files(t, h, entry, t->names) &&
	    take_processes(t, h, processes) && steps_sound(t) && take_opens(t, b, seen) &&
	    take_advice(t, b, advice);
	free(seen);
	return good ? 0 : error_set(e, "its tables contradict each other: convert it again");
}

static void
bst_unmap(struct trace *t)
{
	struct bst *b = (struct bst *)(void *)t->mapping;

	mapped_close(b->file);
	free(b->intact);
	free(b->bytes_of);
	free(b->used);
	free(b);
	t->mapping = NULL;
	t->access = NULL;
	t->advice = NULL;
	t->step = NULL;
	t->open = NULL;
	t->names = NULL;
}

static struct bst *
bst_new(int fd, const char *path, struct error *e)
{
	struct bst *b = calloc(1, sizeof(*b));

	if (!b) {
		error_no_memory(e);
		return NULL;
	}
	b->mapping = (struct mapping){ bst_check, bst_unmap };
	b->file = mapped_open(fd, path, e);
	if (!b->file) {
		free(b);
		return NULL;
	}
	b->header = mapped_bytes(b->file, &b->bytes);
	posix_madvise((void *)(uintptr_t)b->header, b->bytes, POSIX_MADV_SEQUENTIAL);
	return b;
}

static int
take_file(struct trace *t, struct bst *b, struct error *e)
{
	const struct header *h = b->header;

	b->header_sum = h->header_xxh3;
	if (check_header(h, b->bytes, e))
		return -1;
	if (!adds_up(h) || !counts_possible(h))
		return error_set(e, "its header contradicts itself: convert it again");
	if (checksum(tables_of(h), table_bytes(h)) != h->tables_xxh3)
		return error_set(e, "its tables are damaged: convert it again");
	return take_tables(t, b, e);
}

static int
bst_map(void *self, struct trace *t, int fd, struct error *e)
{
	struct stat st;
	struct bst *b;
	char	    n[NUMBER_TEXT];

	if (fstat(fd, &st) || st.st_size < HEADER_BYTES)
		return error_set(e,
		    "has %s bytes, less than the header of a binary trace: copy or convert it again",
		    number_group(n, (uint64_t)st.st_size));
	b = bst_new(fd, t->path, e);
	if (!b)
		return -1;
	t->mapping = &b->mapping;
	return take_file(t, b, e) ? explain_damage(b, e) : 0;
}

/* ---- writing ---- */

struct tables {
	uint64_t      *sum;
	struct entry  *entry;
	struct person *person;
	uint32_t      *pid;
	uint32_t       version;
	char	      *text;
	size_t	       text_bytes;
};

/* An older one where that is enough, so that older releases read the file. */
static uint32_t
version_for(const struct trace *t)
{
	bool more = t->nsteps || t->starts || t->waits || t->transfers || t->lacks ||
	    t->stream_by || t->note[0];

	for (uint32_t i = 0; i < t->nprocesses; i++)
		more |= t->process[i].name != NULL;
	if (more)
		return STEPS_VERSION;
	return t->nadvice ? ADVICE_VERSION : VERSION;
}

static int
sum_chunks(const struct trace *t, uint64_t *sum, struct error *e)
{
	for (size_t i = 0; i < t->naccess; i += CHUNK) {
		if (trace_check(t, i, CHUNK, e))
			return -1;
		sum[i / CHUNK] = checksum(&t->access[i],
		    chunk_length(t->naccess, i / CHUNK) * sizeof(*t->access));
	}
	return 0;
}

static size_t
text_bytes(const struct trace *t)
{
	const struct source *s = &t->source;
	char		     note[NOTE_ROOM];
	size_t n = strlen(s->path) + strlen(s->format) + strlen(s->version) + SOURCE_TEXTS;

	for (file_t f = 0; f < t->nfiles; f++)
		n += t->file[f].name ? strlen(t->file[f].name) + 1 : 0;
	for (uint32_t i = 0; i < t->nprocesses; i++)
		n += t->process[i].name ? strlen(t->process[i].name) + 1 : 0;
	for (unsigned i = 0; i < TRACE_NOTES && t->note[i]; i++)
		n += strlen(trace_note(t, i, note)) + 1;
	return n;
}

/* Append a text.  Returns its offset. */
static uint64_t
append(struct tables *to, const char *text)
{
	size_t at = to->text_bytes, n = strlen(text) + 1;

	memcpy(to->text + at, text, n);
	to->text_bytes += n;
	return at;
}

static int
make_tables(const struct trace *t, struct tables *to, struct error *e)
{
	char note[NOTE_ROOM];

	to->sum = calloc(chunks_of(t->naccess), sizeof(*to->sum));
	to->entry = calloc(t->nfiles, sizeof(*to->entry));
	to->person = calloc(t->nprocesses, sizeof(*to->person));
	to->pid = calloc(t->nprocesses, sizeof(*to->pid));
	to->text = malloc(text_bytes(t));
	if (!to->sum || !to->entry || !to->person || !to->pid || !to->text)
		return error_no_memory(e);
	to->version = version_for(t);
	append(to, t->source.path);
	append(to, t->source.format);
	append(to, t->source.version);
	for (unsigned i = 0; i < TRACE_NOTES && t->note[i]; i++)
		append(to, trace_note(t, i, note));
	for (file_t f = 0; f < t->nfiles; f++)
		to->entry[f] = (struct entry){ .inode = t->file[f].inode,
			.bytes = t->file[f].bytes,
			.name = t->file[f].name ? append(to, t->file[f].name) : 0 };
	for (uint32_t i = 0; i < t->nprocesses; i++) {
		const char *name = t->process[i].name;

		to->pid[i] = t->process[i].pid;
		to->person[i] = (struct person){ name ? append(to, name) : 0, to->pid[i], 0 };
	}
	return sum_chunks(t, to->sum, e);
}

/* Compute the checksum of the accesses, and write them if out is not NULL. */
static int
put_tables(const struct trace *t, const struct tables *from, XXH3_state_t *hash, struct output *out,
    struct error *e)
{
	bool steps = from->version == STEPS_VERSION;
	const struct {
		const void *start;
		size_t	    bytes;
	} part[] = {
		{ from->sum, chunks_of(t->naccess) * sizeof(*from->sum) },
		{ from->entry, t->nfiles * sizeof(*from->entry) },
		{ t->open, t->nopen * sizeof(*t->open) },
		{ t->advice, t->nadvice * sizeof(*t->advice) },
		{ t->step, t->nsteps * sizeof(*t->step) },
		{ from->person, steps ? t->nprocesses * sizeof(*from->person) : 0 },
		{ from->pid, steps ? 0 : t->nprocesses * sizeof(*from->pid) },
		{ from->text, from->text_bytes },
	};

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		if (!part[i].bytes)
			continue;
		if (hash)
			XXH3_64bits_update(hash, part[i].start, part[i].bytes);
		else if (output_bytes(out, part[i].start, part[i].bytes, e))
			return -1;
	}
	return 0;
}

static int
sum_tables(const struct trace *t, const struct tables *from, uint64_t *sum, struct error *e)
{
	XXH3_state_t *hash = XXH3_createState();

	if (!hash)
		return error_no_memory(e);
	XXH3_64bits_reset(hash);
	put_tables(t, from, hash, NULL, e);
	*sum = XXH3_64bits_digest(hash);
	XXH3_freeState(hash);
	return 0;
}

static void
fill_header(struct header *h, const struct trace *t, const struct tables *tables)
{
	*h = (struct header){
		.magic = { 0 },
		.order_mark = ORDER_MARK,
		.version = tables->version,
		.naccess = t->naccess,
		.nfiles = t->nfiles,
		.nopen = t->nopen,
		.nprocesses = t->nprocesses,
		.longest_bytes = t->longest_bytes,
		.text_bytes = tables->text_bytes,
		.duration = (uint64_t)t->access[t->naccess - 1].time,
		.records = t->records,
		.reads = t->reads,
		.writes = t->writes,
		.empty_calls = t->empty_calls,
		.opens = t->opens,
		.closes = t->closes,
		.exits = t->exits,
		.mmaps = t->mmaps,
		.advices = t->advices,
		.mmap_bytes = t->mmap_bytes,
		.out_of_order = t->out_of_order,
		.source_bytes = t->source.bytes,
		.source_xxh3 = t->source.xxh3,
		.touched = t->source.touched,
		.nadvice = t->nadvice,
		.nsteps = t->nsteps,
		.starts = t->starts,
		.waits = t->waits,
		.transfers = t->transfers,
		.lacks = t->lacks,
		.stream_by = t->stream_by,
	};
	while (h->nnotes < TRACE_NOTES && t->note[h->nnotes])
		h->nnotes++;
	memcpy(h->magic, MAGIC, sizeof(h->magic));
	h->file_bytes = HEADER_BYTES + h->naccess * sizeof(struct access) + table_bytes(h);
}

static int
put_accesses(const struct trace *t, struct output *out, struct error *e)
{
	for (size_t i = 0; i < t->naccess; i += CHUNK)
		if (trace_check(t, i, CHUNK, e) ||
		    output_bytes(out, &t->access[i],
			chunk_length(t->naccess, i / CHUNK) * sizeof(*t->access), e))
			return -1;
	return 0;
}

static int
bst_write(const struct trace *t, struct output *out, struct error *e)
{
	struct tables tables = { 0 };
	struct header h;
	int	      status = make_tables(t, &tables, e);

	if (!status) {
		fill_header(&h, t, &tables);
		status = sum_tables(t, &tables, &h.tables_xxh3, e);
	}
	if (!status) {
		h.header_xxh3 = header_sum(&h);
		status = output_bytes(out, &h, sizeof(h), e) || put_accesses(t, out, e) ||
			put_tables(t, &tables, NULL, out, e)
		    ? -1
		    : 0;
	}
	free(tables.sum);
	free(tables.entry);
	free(tables.person);
	free(tables.pid);
	free(tables.text);
	return status;
}

static bool
bst_recognise(const char *head, size_t n)
{
	return n >= 4 && !memcmp(head, MAGIC, 4);
}

FORMAT(bst,
    .plugin = { .name = "bst",
	.summary = "binary trace, made by bufsim convert: mapped, not read" },
    .ending = ".bst", .recognise = bst_recognise, .map = bst_map, .write = bst_write);
