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
 * brackets around them, and words before the first.  It goes on behind a line
 * that ends in a comma; with --format lirs, behind any line.
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

static bool
is_blank(const char *line)
{
	return *line == '#' || scan_ends_line(scan_blanks(line));
}

/* The first numbers of a string, which goes on behind a line that ends in a comma. */
struct string {
	uint64_t seen[STRING_LOOK];
	unsigned numbers;
	bool	 repeated, goes_on;
};

/* Add the numbers of a line; false: it has something else. */
static bool
add_line(struct string *x, const char *s)
{
	x->goes_on = false;
	for (; !scan_ends_line(s) && x->numbers < STRING_LOOK; x->numbers++) {
		uint64_t    number;
		const char *end = scan_digits(s, UINT64_MAX, &number);

		if (!end || !ends_number(end))
			return false;
		for (unsigned i = 0; i < x->numbers; i++)
			x->repeated |= x->seen[i] == number;
		x->seen[x->numbers] = number;
		s = skip_between(end);
		x->goes_on = memchr(end, ',', (size_t)(s - end));
	}
	return true;
}

/* Has the only line, or all that go on, numbers alone, and one of the first of them again? */
static bool
is_string(const char *head, size_t n)
{
	char	      line[1024];
	struct string x = { .numbers = 0 };

	do
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	while (is_blank(line));
	for (const char *s = skip_words(line);; s = skip_between(line)) {
		if (!add_line(&x, s))
			return false;
		if (!x.goes_on || x.numbers == STRING_LOOK ||
		    !scan_head(&head, &n, line, sizeof(line)))
			break;
	}
	while (x.numbers < STRING_LOOK && n--)
		if (!strchr(" \t\r\n", *head++))
			return false;
	return x.numbers >= STRING_FEWEST && x.repeated;
}

/* Has the first line several numbers? */
static bool
has_several(const char *head, size_t n)
{
	char	      line[1024];
	struct string x = { .numbers = 0 };

	do
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	while (is_blank(line));
	return add_line(&x, skip_words(line)) && x.numbers > 1;
}

/* The next line of the string, without words before its first number. */
static int
next_line(struct lirs *l, struct input *in, struct error *e)
{
	char *line;
	int   status;

	do {
		status = scan_line(in, &line, e);
		if (status <= 0)
			return status;
	} while (is_blank(line));
	input_is_cut(in); /* the numbers before a fault count */
	l->rest = l->rest ? line : skip_words(line);
	return 1;
}

static int
read_string(struct lirs *l, struct input *in, struct record *r, struct error *e)
{
	uint64_t    block, unit = l->columns.offset_unit;
	const char *s;

	while (!l->rest || scan_ends_line(skip_between(l->rest))) {
		int status = next_line(l, in, e);

		if (status <= 0)
			return status;
	}
	s = skip_between(l->rest);
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
		l->is_string = is_string(head, n) || has_several(head, n);
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
