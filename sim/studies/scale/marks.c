/* marks.c - read the marks of a region of interest. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/studies/scale/marks.h"

enum { LINE_ROOM = 100 };

struct region {
	double begun; /* below 0: it has not */
	double seconds;
};

static int
take_begin(struct region *r, double now, struct error *e)
{
	if (r->begun >= 0)
		return error_set(e,
		    "the region begins, and has not ended before: one thread marks it");
	r->begun = now;
	return 0;
}

static int
take_end(struct region *r, double now, struct error *e)
{
	if (r->begun < 0)
		return error_set(e, "the region ends, and has not begun");
	if (now <= r->begun)
		return error_set(e,
		    "the region ends at %.9f, and began at %.9f: both need the same clock", now,
		    r->begun);
	r->seconds += now - r->begun;
	r->begun = -1;
	return 0;
}

/* Behind the word: seconds, and the end of the line. */
static bool
is_time(const char *text, double *now)
{
	char *end;

	if (*text++ != ' ' || text[strspn(text, "0123456789.")] != '\n')
		return false;
	*now = strtod(text, &end);
	return end > text && *end == '\n';
}

static int
take_line(struct region *r, char *line, struct error *e)
{
	size_t word = strcspn(line, " ");
	double now;

	if (word == 5 && text_begins(line, "begin") && is_time(line + word, &now))
		return take_begin(r, now, e);
	if (word == 3 && text_begins(line, "end") && is_time(line + word, &now))
		return take_end(r, now, e);
	line[strcspn(line, "\n")] = '\0';
	return error_set(e, "'%s' is not begin or end, a blank, and seconds such as 12.5",
	    text_clean(line, strlen(line) + 1, line));
}

int
marks_read(FILE *in, double *region, struct error *e)
{
	struct region r = { .begun = -1 };
	char	      line[LINE_ROOM];

	for (unsigned n = 1; fgets(line, sizeof(line), in); n++)
		if (take_line(&r, line, e))
			return error_prefix(e, "mark %u", n);
	if (ferror(in))
		return error_set(e, "the marks of the region cannot be read");
	if (r.begun >= 0)
		return error_set(e, "the region has begun and does not end");
	*region = r.seconds;
	return 0;
}
