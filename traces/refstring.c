/*
 * refstring.c - a reference string, as in textbooks: numbers of pages, all on one line.
 *
 *	7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2
 *
 * Each is a read of a page of `unit` bytes.  Brackets and words around the
 * numbers are skipped.
 */
#include "traces/common/lines.h"

enum { NUMBERS = 8 /* at least: fewer could be one row of columns */ };

struct refstring {
	uint64_t    unit;
	const char *next; /* in the line, which stays until the next one is asked for */
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 4096, 512, 1 << 20, offsetof(struct refstring, unit),
	    "bytes of each page: that of --block", NULL },
	{ 0 },
};

static bool
is_between(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

/* "Reference string: [" before the first number. */
static const char *
skip_words(const char *s)
{
	return s + strcspn(s, "0123456789-.\n");
}

static bool
refstring_recognise(const char *head, size_t n)
{
	const char *end = memchr(head, '\n', n), *s = head;
	unsigned    numbers = 0;

	for (const char *rest = end; rest && rest < head + n; rest++)
		if (*rest != '\n' && !is_between(*rest))
			return false; /* there is another line */
	end = end ? end : head + n;
	while (s < end && !lines_is_digit(*s) && *s != '.' && *s != '-')
		s++;
	for (; s < end && lines_is_digit(*s); numbers++) {
		while (s < end && lines_is_digit(*s))
			s++;
		while (s < end && is_between(*s))
			s++;
	}
	return numbers >= NUMBERS && (s == end || (end - s == 1 && strchr("]})", *s)));
}

static int
refstring_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct refstring *f = self;
	uint64_t	  page;
	const char	 *end;

	while (!f->next || !*f->next || strchr("]})", *f->next)) {
		char *line;
		int   status = scan_line(in, &line, e);

		if (status <= 0)
			return status;
		f->next = skip_words(line);
	}
	end = scan_digits(f->next, UINT32_MAX, &page);
	if (!end || (*end && !is_between(*end) && !strchr("]})", *end)))
		return scan_explain("page", f->next, UINT32_MAX, e);
	while (is_between(*end))
		end++;
	f->next = end;
	r->op = OP_READ;
	r->pid = 1;
	r->inode = 1;
	r->offset = page * f->unit;
	r->length = f->unit;
	return 1;
}

FORMAT(refstring,
    .plugin = { .name = "refstring",
	.summary = "a reference string: numbers of pages on one line",
	.state_size = sizeof(struct refstring),
	.params = params },
    .lacks = LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS | LACKS_ADDRESSES,
    .recognise = refstring_recognise, .read = refstring_read);
