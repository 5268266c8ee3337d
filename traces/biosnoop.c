/*
 * biosnoop.c - requests to disks, as biosnoop of bcc and iosnoop of perf-tools print them.
 *
 *	TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  QUE(ms) LAT(ms)
 *	0.000178    flush thread   1950   xvda1   W 13092560   4096      0.01    0.74
 *
 * The name of a process may have blanks, and a disk may be empty: columns behind
 * the name are counted from the end of the line, in the order of the heading.
 * Without a heading they are those above, with or without QUE.  TIME is that of
 * the completion; the request began by LAT, and QUE, before.  T is R, W or flags
 * of the block layer (WS, RA, FF).  Sectors have 512 bytes.
 */
#include "traces/common/lines.h"

enum { WORDS = 40, LINE_ROOM = 512 };

/* The first request began before the first time, which is 0: a day is enough, and no time is negative. */
#define ORIGIN_US DAY_US

enum column { COMM, TIME, STARTS, QUE, LAT, PID, DISK, TYPE, SECTOR, BYTES, COLUMNS };

static const char *const names[COLUMNS] = { "COMM", "TIME(s) TIME(ms) TIME(us) TIME ENDs ENDms",
	"STARTs STARTms", "QUE(ms) QUE(us) QUE(s)", "LAT(ms) LAT(us) LAT(s) LATms LATus", "PID TID",
	"DISK DEV", "T TYPE", "SECTOR BLOCK", "BYTES" };

/* Where a column is: from 1 at the start of a line, or from -1 at its end; 0: nowhere. */
struct order {
	int		place[COLUMNS];
	unsigned	least; /* words of a row */
	enum lines_unit unit[LAT + 1];
};

struct biosnoop {
	struct order order; /* least 0: not known yet */
};

struct row {
	usec_t	    time;
	uint64_t    pid, sector, bytes;
	const char *type, *disk; /* or NULL */
	const char *name, *name_end;
};

/* ---- the order of columns ---- */

/* As in a heading, where the first of two equal names counts; false: the line is none. */
static bool
take_heading(struct order *o, const char *line)
{
	static const enum column needed[] = { COMM, PID, TYPE, SECTOR, BYTES };
	const char		*word[WORDS];
	unsigned		 n = lines_words(line, word, WORDS);

	*o = (struct order){ .least = n };
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < COLUMNS; k++)
			if (!o->place[k] && lines_is(word[i], names[k])) {
				o->place[k] = o->place[COMM] ? (int)i - (int)n : (int)i + 1;
				if (k <= LAT)
					o->unit[k] = lines_unit_of(word[i], UNIT_S);
			}
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!o->place[needed[i]])
			return false;
	return o->place[PID] < 0;
}

/* Without a heading: one number with a point at the end is LAT, two are QUE and LAT. */
static void
guess_order(struct order *o, const char *line)
{
	const char *word[WORDS];
	unsigned    n = lines_words(line, word, WORDS);
	bool	    queued = n > 1 && memchr(word[n - 2], '.', scan_length(word[n - 2]));

	take_heading(o,
	    queued ? "TIME(s) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)"
		   : "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)");
}

/* ---- one row ---- */

static const char *
word_at(const char *const word[], unsigned n, int place)
{
	int i = place > 0 ? place - 1 : (int)n + place;

	return i < 0 || i >= (int)n ? "" : word[i];
}

static bool
is_flags(const char *word)
{
	while (scan_is_letter(*word))
		word++;
	return scan_ends_field(*word);
}

static bool
is_number(const char *word)
{
	uint64_t n;

	return scan_number(word, UINT64_MAX, &n);
}

/* A word that is a time and nothing else. */
static bool
take_number(const char *word, enum lines_unit unit, usec_t *time)
{
	word = lines_time(word, unit, time);
	return word && scan_ends_field(*word);
}

/* When the request began; false: a word is no time. */
static bool
take_time(const struct order *o, const char *const word[], unsigned n, usec_t *time)
{
	enum column base = o->place[STARTS] ? STARTS : TIME;
	usec_t	    later, earlier;

	*time = ORIGIN_US;
	if (!take_number(word_at(word, n, o->place[base]), o->unit[base], &later))
		return false;
	*time += later;
	for (enum column c = QUE; base == TIME && c <= LAT; c++) {
		const char *s = o->place[c] ? word_at(word, n, o->place[c]) : "0";

		if (*s == '-') /* not known */
			continue;
		if (!take_number(s, o->unit[c], &earlier))
			return false;
		*time -= earlier;
	}
	return true;
}

/* The process and the disk; a disk that is empty moves the columns before it. */
static bool
take_names(const struct order *o, const char *const word[], unsigned n, struct row *w)
{
	int	    pid = o->place[PID];
	const char *end;

	w->disk = o->place[DISK] ? word_at(word, n, o->place[DISK]) : NULL;
	if (w->disk && o->place[DISK] == pid + 1 && is_number(w->disk)) {
		w->disk = NULL;
		pid++;
	}
	if ((int)n + pid < o->place[COMM] - 1)
		return false;
	end = word[(int)n + pid]; /* the name ends before it */
	w->name = word[o->place[COMM] - 1];
	for (w->name_end = end; w->name_end > w->name && w->name_end[-1] == ' ';)
		w->name_end--;
	return scan_number(end, UINT32_MAX, &w->pid);
}

static bool
scan_row(const struct order *o, const char *line, struct row *w)
{
	const char *word[WORDS];
	unsigned    n = lines_words(line, word, WORDS);

	if (n + 2 < o->least || n == WORDS)
		return false;
	w->type = word_at(word, n, o->place[TYPE]);
	return is_flags(w->type) && take_time(o, word, n, &w->time) && take_names(o, word, n, w) &&
	    scan_number(word_at(word, n, o->place[BYTES]), UINT32_MAX, &w->bytes) &&
	    (!w->bytes || scan_number(word_at(word, n, o->place[SECTOR]), UINT64_MAX, &w->sector));
}

/* ---- the beginning ---- */

static bool
has_point(const char *word)
{
	return memchr(word, '.', scan_length(word));
}

/* A row in the usual order, of a file that has lost its heading. */
static bool
is_plain_row(const char *line)
{
	const char  *word[WORDS];
	unsigned     n = lines_words(line, word, WORDS);
	struct order order;
	struct row   w;

	guess_order(&order, line);
	return n && has_point(word[0]) && has_point(word[n - 1]) && scan_row(&order, line, &w) &&
	    w.name_end > w.name;
}

/* A heading, or a row, within the first lines. */
static bool
biosnoop_recognise(const char *head, size_t n)
{
	char	     line[LINE_ROOM];
	struct order order;

	for (unsigned i = 0; i < LINES_HEAD && scan_head(&head, &n, line, sizeof(line)); i++)
		if (take_heading(&order, line) || is_plain_row(line))
			return true;
	return false;
}

/* ---- reading ---- */

static int
refuse_order(struct error *e)
{
	return error_set(e, "requests without times: record with biosnoop, or with iosnoop -ts");
}

/* 1: a read or write; 0: nothing of interest; -1: error. */
static int
take_line(struct biosnoop *b, struct input *in, const char *line, struct row *w, struct error *e)
{
	if (unlikely(!b->order.least))
		guess_order(&b->order, line);
	if (unlikely(!scan_row(&b->order, line, w))) {
		if (take_heading(&(struct order){ 0 }, line))
			return take_heading(&b->order, line) && !b->order.place[TIME] &&
				!b->order.place[STARTS]
			    ? refuse_order(e)
			    : 0;
		lines_skip(in, line);
		return 0;
	}
	if (w->bytes && (lines_request(w->type) == 'R' || lines_request(w->type) == 'W'))
		return 1;
	input_count(in, "requests that read and write nothing, such as flushes, were left out");
	return 0;
}

static int
biosnoop_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct biosnoop *b = self;
	struct row	 w;
	char		*line;
	int		 status, taken;

	do {
		status = scan_line(in, &line, e);
		if (status <= 0)
			return status;
		taken = take_line(b, in, line, &w, e);
	} while (!taken);
	if (taken < 0)
		return -1;
	if (w.sector > UINT64_MAX / SECTOR_BYTES)
		return error_set(e, "sector: %llu is too large", (unsigned long long)w.sector);
	if (!b->order.place[STARTS])
		input_note(in, "times are those of the start of a request: TIME less its latency");
	r->op = lines_request(w.type) == 'W' ? OP_WRITE : OP_READ;
	r->time = w.time;
	r->pid = (uint32_t)w.pid;
	r->offset = w.sector * SECTOR_BYTES;
	r->length = w.bytes;
	r->path = "(no disk)";
	if (w.disk) {
		line[w.disk - line + (ptrdiff_t)scan_length(w.disk)] = '\0';
		r->path = w.disk;
	}
	line[w.name_end - line] = '\0';
	r->process_name = w.name;
	return 1;
}

FORMAT(biosnoop,
    .plugin = { .name = "biosnoop",
	.summary = "biosnoop of bcc and iosnoop of perf-tools: requests to disks",
	.state_size = sizeof(struct biosnoop),
	.source = "B. Gregg: BPF performance tools, 2019" },
    .lacks = LACKS_FILES, .recognise = biosnoop_recognise, .read = biosnoop_read);
