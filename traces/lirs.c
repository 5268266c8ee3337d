/*
 * lirs.c - traces of the authors of LIRS.
 *
 *	42
 *	*
 *
 * A row is the number of a block, which is read.  A * is a break between programs
 * and is skipped.  The numbers of the published traces are given in the order of
 * first use: neighbours are not neighbours on a device, and a prefetcher of the
 * next block is right by construction.  A block is `unit` bytes long.
 *
 *	7 0 1 2 0 3 0 4
 *
 * A file of one line with six numbers or more, some of them repeated, is a
 * reference string as textbooks have it: a block each, with blanks, commas or
 * brackets around them, and words before the first.
 *
 *	S. Jiang, X. Zhang.  LIRS: an efficient low inter-reference recency set
 *	replacement policy to improve buffer cache performance.  SIGMETRICS 2002.
 */
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "block", COLUMN_OFFSET } },
	.others = "lines of * were skipped",
	.mark = '*',
	.row = "^[[:blank:]]*([0-9]+|\\*)[[:blank:]]*$",
};

struct lirs {
	struct columns columns;
	bool	       begun, is_string;
	const char    *rest; /* of the string; NULL: not read yet */
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 4096, 512, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of each block: that of --block", NULL },
	{ 0 },
};

/* ---- a reference string ---- */

enum { STRING_FEWEST = 6, STRING_LOOK = 64 };

#define BETWEEN " \t,;[](){}"

static const char *
skip_between(const char *s)
{
	return s + strspn(s, BETWEEN);
}

/* "Reference string: 7" */
static const char *
skip_words(const char *line)
{
	return line + strcspn(line, "0123456789");
}

static bool
ends_number(const char *s)
{
	return scan_ends_field(*s) || strchr(BETWEEN, *s);
}

/* Does the only line have numbers alone, and one of the first of them again? */
static bool
is_string(const char *head, size_t n)
{
	char	 line[1024];
	uint64_t seen[STRING_LOOK];
	unsigned numbers = 0;
	bool	 repeated = false;

	do
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	while (*line == '#' || scan_ends_line(scan_blanks(line)));
	while (n--)
		if (!strchr(" \t\r\n", *head++))
			return false;
	for (const char *s = skip_words(line); !scan_ends_line(s) && numbers < STRING_LOOK;
	     numbers++) {
		const char *end = scan_digits(s, UINT64_MAX, &seen[numbers]);

		if (!end || !ends_number(end))
			return false;
		for (unsigned i = 0; i < numbers; i++)
			repeated |= seen[i] == seen[numbers];
		s = skip_between(end);
	}
	return numbers >= STRING_FEWEST && repeated;
}

static int
read_string(struct lirs *l, struct input *in, struct record *r, struct error *e)
{
	uint64_t    block, unit = l->columns.offset_unit;
	const char *s;

	if (!l->rest) {
		char *line;
		int   status = scan_line(in, &line, e);

		if (status <= 0)
			return status;
		l->rest = skip_words(line);
	}
	s = skip_between(l->rest);
	if (scan_ends_line(s))
		return 0;
	l->rest = scan_digits(s, UINT64_MAX / unit, &block);
	if (!l->rest || !ends_number(l->rest))
		return scan_explain("block", s, UINT64_MAX / unit, e);
	r->pid = 1;
	r->inode = 1;
	r->offset = block * unit;
	r->length = unit;
	return 1;
}

/* ---- the format ---- */

static bool
lirs_recognise(const char *head, size_t n)
{
	return n && ((*head != '#' && columns_recognise(&table, head, n)) || is_string(head, n));
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	struct lirs *l = self;

	if (!l->begun) {
		size_t	    n;
		const char *head = input_head(in, &n, e);

		if (!head)
			return -1;
		l->begun = true;
		l->is_string = is_string(head, n);
	}
	return l->is_string ? read_string(l, in, r, e)
			    : columns_read(&l->columns, &table, in, r, e);
}

FORMAT(lirs,
    .plugin = { .name = "lirs",
	.summary = "LIRS: numbers of blocks",
	.state_size = sizeof(struct lirs),
	.params = params,
	.source = "Jiang, Zhang: LIRS, SIGMETRICS 2002" },
    .lacks = LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS | LACKS_ADDRESSES,
    .recognise = lirs_recognise, .read = read_row, .release = columns_release);
