/*
 * fsslower.c - calls to files, as ext4slower, xfsslower and their kin of bcc and libbpf-tools print them.
 *
 *	Tracing ext4 operations slower than 10 ms
 *	TIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME
 *	06:35:01 my cron        16464  R 1249    0          16.05 common-auth
 *
 *	ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE		with -j
 *	127200712278,cron,16464,R,1249,0,16054,common-auth
 *
 * Only calls that took longer than the threshold are there, which is 10 ms
 * unless it is given.  The table has whole seconds and whole KiB; with -j a
 * call starts at its end less its latency.  A file is the last name of a path.
 */
#include "traces/common/lines.h"

enum { WORDS = 48, LINE_ROOM = 512, KIB = 1024 };

#define CSV_TAIL ",TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE"

struct fsslower {
	bool		  csv, whole; /* whole: no call is left out */
	enum lines_unit	  unit;	      /* of ENDTIME */
	struct lines_days days;
};

struct row {
	usec_t	    time;
	uint64_t    pid, bytes, offset;
	char	    type;
	const char *name, *name_end, *file;
};

/* ---- one row ---- */

/* "06:35:01" */
static bool
scan_clock(const char *s, usec_t *time)
{
	uint64_t minutes, second;

	s = scan_minutes(s, 23, &minutes);
	if (!s || !scan_number(s, 60, &second))
		return false;
	*time = (usec_t)(minutes * 60 + second) * UNIT_S;
	return true;
}

/* "16464  R 1249    0          16.05 common-auth" from word i on. */
static bool
scan_rest(const char *const word[], unsigned i, struct row *w)
{
	usec_t	    latency;
	const char *end;

	if (!scan_number(word[i], UINT32_MAX, &w->pid) || !scan_is_letter(*word[i + 1]) ||
	    !scan_ends_field(word[i + 1][1]) || !scan_number(word[i + 2], INT64_MAX, &w->bytes) ||
	    !scan_number(word[i + 3], INT64_MAX / KIB, &w->offset) ||
	    !(end = lines_time(word[i + 4], UNIT_MS, &latency)) || !scan_ends_field(*end))
		return false;
	w->type = *word[i + 1];
	w->offset *= KIB;
	w->file = scan_blanks(end);
	return true;
}

static bool
scan_table(const char *line, struct row *w)
{
	const char *word[WORDS];
	unsigned    n = lines_words(line, word, WORDS);

	if (n < 7 || !scan_clock(word[0], &w->time))
		return false;
	for (unsigned i = 1; i + 4 < n; i++)
		if (scan_rest(word, i, w)) {
			w->name = word[1];
			for (w->name_end = word[i];
			     w->name_end > w->name && w->name_end[-1] == ' ';)
				w->name_end--;
			return true;
		}
	return false;
}

/* A field of digits, behind which a comma is. */
static const char *
scan_cell(const char *s, uint64_t *n)
{
	s = s ? scan_digits(s, INT64_MAX, n) : NULL;
	return s && *s == ',' ? s + 1 : NULL;
}

static bool
scan_csv(enum lines_unit unit, const char *line, struct row *w)
{
	uint64_t    latency;
	const char *s = lines_time(line, unit, &w->time);

	if (!s || *s != ',')
		return false;
	w->name = s + 1;
	w->name_end = strchr(w->name, ',');
	s = w->name_end ? scan_cell(w->name_end + 1, &w->pid) : NULL;
	if (!s || !scan_is_letter(*s) || s[1] != ',')
		return false;
	w->type = *s;
	s = scan_cell(scan_cell(scan_cell(s + 2, &w->bytes), &w->offset), &latency);
	w->file = s;
	w->time += DAY_US - (s ? (usec_t)latency : 0); /* none starts before 0 */
	return s;
}

/* ---- the beginning ---- */

/* Is it a heading?  It tells what the rows are. */
static bool
take_heading(struct fsslower *f, const char *line)
{
	static const char table[] = "COMM PID T BYTES OFF_KB LAT(ms) FILENAME";
	const char	 *word[WORDS], *comma = strchr(line, ',');
	unsigned	  n;

	if (comma && !strncmp(comma, CSV_TAIL, strlen(CSV_TAIL)) && !strncmp(line, "ENDTIME_", 8)) {
		f->csv = true;
		f->unit = line[8] == 'n' ? UNIT_NS : UNIT_US;
		return true;
	}
	n = lines_words(line, word, WORDS);
	for (unsigned i = 1; i < n; i++)
		if (n != 8 || !lines_is(word[i], table))
			return false;
	if (n != 8)
		return false;
	f->csv = false;
	return true;
}

static bool
fsslower_recognise(const char *head, size_t n)
{
	char		line[LINE_ROOM];
	struct fsslower f;
	struct row	w;

	for (unsigned i = 0; i < LINES_HEAD && scan_head(&head, &n, line, sizeof(line)); i++)
		if (take_heading(&f, line) || scan_table(line, &w))
			return true;
	return false;
}

/* ---- reading ---- */

static void
note_begin(struct fsslower *f, struct input *in)
{
	if (!f->whole)
		input_note(in,
		    "calls that were faster than the threshold are missing: trace with ext4slower -j 0");
	if (!f->csv)
		input_note(in,
		    "times are whole seconds, and offsets whole KiB: ext4slower -j has all digits");
}

/* 1: a record; 0: nothing of interest; -1: error. */
static int
take_line(struct fsslower *f, struct input *in, const char *line, struct row *w)
{
	if (!(f->csv ? scan_csv(f->unit, line, w) : scan_table(line, w))) {
		f->whole |= !strncmp(line, "Tracing ", 8) && !strstr(line, " slower ");
		if (!take_heading(f, line))
			lines_skip(in, line);
		return 0;
	}
	if (!f->csv)
		w->time = lines_follow(&f->days, w->time);
	if (w->type == 'R' || w->type == 'W')
		return w->bytes != 0;
	input_count(in, "opens and syncs were left out");
	return 0;
}

static int
fsslower_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct fsslower *f = self;
	struct row	 w;
	char		*line;
	int		 status;

	do {
		status = scan_line(in, &line, e);
		if (status <= 0)
			return status;
	} while (!take_line(f, in, line, &w));
	note_begin(f, in);
	r->op = w.type == 'W' ? OP_WRITE : OP_READ;
	r->time = w.time;
	r->pid = (uint32_t)w.pid;
	r->no_fd = true;
	line[w.name_end - line] = '\0';
	r->process_name = w.name;
	line[w.file - line + (ptrdiff_t)strcspn(w.file, "\r")] = '\0';
	r->path = *w.file ? w.file : "(no name)";
	r->offset = w.offset;
	r->length = w.bytes;
	return 1;
}

FORMAT(fsslower,
    .plugin = { .name = "fsslower",
	.summary = "ext4slower, xfsslower and their kin of bcc: calls to files",
	.state_size = sizeof(struct fsslower),
	.source = "B. Gregg: BPF performance tools, 2019" },
    .recognise = fsslower_recognise, .read = fsslower_read);
