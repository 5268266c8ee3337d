/* recording_cache.c - read the frames of a simulated cache, as bufsim run --frames writes them. */
#include <string.h>

#include "sim/studies/frames/model/recorded.h"
#include "sim/trace/input.h"
#include "sim/trace/scan.h"

enum { QUOTE = 24 };

struct cache_file {
	struct recorded *to;
	uint64_t	 cache, processes; /* of the first line */
};

/* ---- events ---- */

static int
take(struct recorded *r, uint64_t page, uint64_t process, struct error *e)
{
	if (recorded_run(r, page))
		return error_set(e, "page %llu is taken, but was not given back",
		    (unsigned long long)page);
	return recorded_take(r, page, 0, process, e);
}

static int
give(struct recorded *r, uint64_t page, struct error *e)
{
	struct run *run = recorded_run(r, page);

	if (!run)
		return error_set(e, "page %llu is given back, but is not taken",
		    (unsigned long long)page);
	return recorded_give(r, run, e);
}

/* ---- lines ---- */

static int
take_event(struct cache_file *r, const char *s, struct error *e)
{
	char	 what = *s, text[QUOTE + 4];
	uint64_t page, process;

	if ((what != '+' && what != '-') || !scan_ends_field(s[1])) {
		scan_quote(text, QUOTE, s, scan_length(s));
		return error_set(e, "'%s' is not + or -", text);
	}
	s++;
	if (scan_take(&s, "page", 0, r->cache - 1, &page, e) ||
	    scan_take(&s, "process", 0, r->processes - 1, &process, e) || scan_end(s, e))
		return -1;
	return what == '+' ? take(r->to, page, process, e) : give(r->to, page, e);
}

/* ---- the first line ---- */

/* ", name N" */
static const char *
scan_named(const char *s, const char *name, uint64_t max, uint64_t *n)
{
	size_t length = strlen(name);

	if (!s || strncmp(s, name, length) != 0)
		return NULL;
	s = scan_digits(s + length, max, n);
	return s && *n ? s : NULL;
}

static int
take_header(struct cache_file *r, const char *s, struct error *e)
{
	uint64_t format;

	s = scan_digits(s + strlen(RECORDING_TITLE), UINT32_MAX, &format);
	if (s && format != RECORDING_FORMAT)
		return error_set(e, "is in format %llu; this program reads format %d",
		    (unsigned long long)format, RECORDING_FORMAT);
	s = scan_named(s, ", cache ", INT32_MAX, &r->cache);
	s = scan_named(s, ", processes ", UINT32_MAX, &r->processes);
	if (!s || (*s != ',' && !scan_ends_line(s)))
		return error_set(e,
		    "the first line is not '# bufsim frames %d, cache N, processes N, trace NAME'",
		    RECORDING_FORMAT);
	r->to->to->facts.cache_blocks = r->cache;
	return 0;
}

/* ---- all of it ---- */

int
read_cache(struct recorded *to, struct error *e)
{
	struct cache_file r = { .to = to };
	char		 *line;
	size_t		  length;
	int		  status;

	while ((status = input_line(to->in, &line, &length, e)) == 1) {
		const char *s = scan_blanks(line);

		if (strlen(line) != length)
			return error_set(e, "a zero byte in the line: this is not text");
		if (input_line_number(to->in) == 1 && take_header(&r, line, e))
			return -1;
		if (*s != '#' && !scan_ends_line(s) && take_event(&r, s, e))
			return -1;
	}
	return status;
}
