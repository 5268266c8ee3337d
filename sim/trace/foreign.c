/*
 * foreign.c - the likely kind of a file that no format recognises.
 *
 * A row for each kind: an entry is deleted when a format reads the kind.
 */
#include <regex.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/trace/foreign.h"
#include "sim/trace/format.h"
#include "sim/trace/hint.h"
#include "sim/trace/scan.h"

enum { LINE_ROOM = 512, QUOTE_ROOM = 72 };

#define READS "is not a trace that bufsim reads (bufsim list formats): "

static const char record[] = "; record the program with strace, as in traces/README.md";
static const char events[] =
    "; it has none of the events that are read: block_*, mm_filemap_*, sys_enter_* and sys_exit_* (not raw_syscalls)";

/* Binary files: their first bytes. */
static const struct magic {
	const char *bytes;
	size_t	    n;
	const char *name, *advice;
} magics[] = {
	{ "PERFILE2", 8, "a recording of perf", "; perf script -i FILE prints its events" },
	{ "\27\10Dtracing", 10, "a recording of trace-cmd",
	    "; trace-cmd report -i FILE prints its events" },
	{ "\377\376", 2, "text in UTF-16",
	    "; iconv -f UTF-16 -t UTF-8 FILE | bufsim stat - reads it" },
	{ "\177ELF", 4, "a program", record },
	{ "\211PNG", 4, "a picture", "" },
	{ "%PDF", 4, "a PDF document", "" },
};

/* Text: extended regular expressions for the first line, the more special ones first. */
static const struct pattern {
	const char *line, *name, *advice;
} patterns[] = {
	{ "^trace,policy,prefetcher,", "results of bufsim", "; bufsim plot draws them" },
	{ "^(kind|summary) *=", "a data sheet of a device", "; name it with --device" },
	{ "^(CPU[0-9]+|Total) \\([^)]*\\):", "the summary of blkparse",
	    "; name its lines of events" },
	{ "^% time +seconds", "a summary of strace -c", record },
	{ "^# tracer:", "a trace of ftrace", events },
	{ "^ *[^ ].*-[0-9]+ +\\[[0-9]+\\] ([^ ]+ )?[0-9]+: [a-z_0-9]+:",
	    "ftrace by a clock that does not count seconds",
	    "; record with echo mono >/sys/kernel/tracing/trace_clock" },
	{ "^> ", "a log that is quoted",
	    "; remove what is in front: sed 's/^> //' FILE | bufsim stat -" },
	{ "^[0-9:.]+ +(RdData|WrData|PgIn|PgOut|read|write|open|pread|lseek|fstat64|stat64)(\\[|  )",
	    "a log of fs_usage of macOS", "" },
	{ "^[^ ]+ +[0-9]+ +(\\[[0-9]+\\] +)?[0-9]+\\.[0-9]+: ", "output of perf script", events },
	{ "^(\\[pid [0-9]+\\] )?([0-9.:]+ )?[A-Za-z0-9_.+]+->[A-Za-z0-9_]+\\(", "a log of ltrace",
	    record },
	{ "^TIME\\(ms\\).* COMM .* LAT\\(ms\\)$", "biosnoop of bpftrace, which has no sectors",
	    "; record with biosnoop of bcc" },
	{ "^# darshan log version", "sums of darshan-parser",
	    "; darshan-dxt-parser prints the calls, if DXT was on (DXT_ENABLE_IO_TRACE=1)" },
	{ "^(Tracing\\.\\.\\. Output every|[0-9:]+ loadavg: |T?P?ID +COMM +READS +WRITES )",
	    "sums of filetop or its kin, which have no offsets",
	    "; trace with ext4slower -j 0, or as in traces/README.md" },
	{ "^TIME\\(s\\) +COMM +TID +D +BYTES ", "fileslower, which has no offsets",
	    "; trace with ext4slower -j 0" },
	{ "^ *\"?(bufferid|relfilenode) *\"?[,|]", "a snapshot of pg_buffercache",
	    ", of what is cached and not of what is read; record the server with strace -p" },
	{ "^#!", "a script", record },
	{ "^<(svg|\\?xml)", "a picture (SVG) or other XML", "" },
	{ "^<(!DOCTYPE|!doctype|html|HTML)", "a web page", "; was the download refused?" },
	{ "^version https://git-lfs", "a pointer of git lfs", "; git lfs pull gets the file" },
	{ "^[{[]", "JSON", "" },
};

static const struct magic *
find_magic(const char *head, size_t n)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (n >= magics[i].n && !memcmp(head, magics[i].bytes, magics[i].n))
			return &magics[i];
	return NULL;
}

static const struct pattern *
find_pattern(const char *line)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		regex_t r;
		bool	matches;

		if (regcomp(&r, patterns[i].line, REG_EXTENDED | REG_NOSUB))
			continue;
		matches = !regexec(&r, line, 0, NULL, 0);
		regfree(&r);
		if (matches)
			return &patterns[i];
	}
	return NULL;
}

/* The first line, cut to its room, without a byte-order mark; false: this is not text. */
static bool
first_line(const char *head, size_t n, char line[LINE_ROOM])
{
	size_t mark = n >= 3 && !memcmp(head, "\xef\xbb\xbf", 3) ? 3 : 0, length = 0;

	for (; mark + length < n && length < LINE_ROOM - 1 && head[mark + length] != '\n'; length++)
		if (!head[mark + length])
			return false;
	memcpy(line, head + mark, length);
	line[length] = '\0';
	line[strcspn(line, "\r")] = '\0';
	return true;
}

/* The beginning of the line, printable. */
static void
quote(char text[QUOTE_ROOM], const char *line)
{
	char clean[LINE_ROOM];

	text_clean(clean, sizeof(clean), line);
	text_clean(text, QUOTE_ROOM - 3, clean);
	if (strlen(text) < strlen(clean))
		strcat(text, "...");
}

static void
replace_tabs(char *line)
{
	for (; (line = strchr(line, '\t')); line++)
		*line = ' ';
}

/* ---- a damaged line ---- */

static unsigned
count_fields(const char *line)
{
	unsigned n = 0;

	for (const char *s = line; *s; n++) {
		s += strspn(s, " \t,;");
		s += strcspn(s, " \t,;");
	}
	return n;
}

/*
 * The number of the first line that is no row of the format, although the first one is, and others:
 * it has another number of fields, or most lines are rows.  0: there is no such line.
 */
static unsigned
find_damaged(const struct format *f, const char *head, size_t n, char bad[LINE_ROOM])
{
	enum { LINES = 8 };

	char	 line[LINE_ROOM];
	unsigned number = 0, looked = 0, rows = 0, fields = 0, damaged = 0;

	while (looked < LINES && n) {
		const char *start = head;

		scan_head(&head, &n, line, sizeof(line));
		number++;
		if (*line == '#' || scan_ends_line(scan_blanks(line)) || (!n && head[-1] != '\n'))
			continue;
		looked++;
		if (f->recognise(start, (size_t)(head - start))) {
			rows++;
			fields = fields ? fields : count_fields(line);
		} else if (!rows && looked > 1) {
			return 0;
		} else if (rows && !damaged) {
			memcpy(bad, line, LINE_ROOM);
			damaged = number;
		}
	}
	return rows > 1 && (rows * 2 > looked || count_fields(bad) != fields) ? damaged : 0;
}

/* -1, or 0: no format has rows as those that begin the file. */
static int
explain_damage(const char *head, size_t n, struct error *e)
{
	char line[LINE_ROOM] = "", text[QUOTE_ROOM];

	for (const struct format *const *f = formats; *f; f++) {
		unsigned number = find_damaged(*f, head, n, line);

		if (!number)
			continue;
		line[strcspn(line, "\r")] = '\0';
		replace_tabs(line);
		quote(text, line);
		return error_set(e,
		    "looks like a trace of %s, but line %u is '%s': correct or remove that line",
		    (*f)->plugin.name, number, text);
	}
	return 0;
}

/* bpftrace says before its output how many probes it attaches. */
static size_t
length_of_banner(const char *head, size_t n)
{
	static const char banner[] = "Attaching ";
	const char	 *end = memchr(head, '\n', n);

	if (n < sizeof(banner) || memcmp(head, banner, sizeof(banner) - 1) != 0 || !end)
		return 0;
	return end + 1 < head + n ? (size_t)(end + 1 - head) : 0;
}

int
foreign_explain(const char *head, size_t n, struct error *e)
{
	const struct magic   *m = find_magic(head, n);
	char		      line[LINE_ROOM], plain[LINE_ROOM], text[QUOTE_ROOM];
	size_t		      skipped = length_of_banner(head, n);
	bool		      is_text = first_line(head + skipped, n - skipped, line);
	char		      hint[HINT_TEXT];
	const struct pattern *p;

	if (m)
		return error_set(e, READS "it looks like %s%s", m->name, m->advice);
	if (!is_text)
		return error_set(e,
		    READS "it is binary; --format overrides the "
			  "recognition");
	memcpy(plain, line, sizeof(plain));
	replace_tabs(plain);
	p = find_pattern(plain);
	if (!p && explain_damage(head, n, e))
		return -1;
	quote(text, plain);
	if (!p && hint_columns(head, n, hint))
		return error_set(e,
		    "is not a trace that bufsim recognises: its first line is '%s'; if its columns "
		    "are what they seem, type %s (bufsim list csv)",
		    text, hint);
	if (p)
		return error_set(e, READS "its first line, '%s', looks like %s%s", text, p->name,
		    p->advice);
	return error_set(e,
	    READS "its first line is '%s'; --format overrides the "
		  "recognition",
	    text);
}
