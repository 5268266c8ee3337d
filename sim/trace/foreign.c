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

enum { LINE_ROOM = 512, QUOTE_ROOM = 72 };

static const char with_awk[] = "; traces/README.md shows how to convert it with awk";
static const char record[] = "; record the program with strace, as in traces/README.md";

/* Binary files: their first bytes. */
static const struct magic {
	const char *bytes;
	size_t	    n;
	const char *name, *advice;
} magics[] = {
	{ "PERFILE2", 8, "a recording of perf, which has no offsets of files", record },
	{ "\177ELF", 4, "a program", record },
	{ "\211PNG", 4, "a picture", "" },
	{ "%PDF", 4, "a PDF document", "" },
};

/* Text: extended regular expressions for the first line, the more special ones first. */
static const struct pattern {
	const char *line, *name, *advice;
} patterns[] = {
	{ "^Timestamp,Response,IOType,LUN,", "a Systor'17 trace", with_awk },
	{ "^(Timestamp,Hostname,DiskNumber,|1[0-9]{17},[^,]*,[0-9]+,(Read|Write),)",
	    "an MSR Cambridge trace", with_awk },
	{ "^[0-9]+,[RW],[0-9]+,[0-9]+,[0-9]{16}$", "an Alibaba trace", with_awk },
	{ "^[0-9]{10},[0-9]+,[0-9]+,[01],[0-9]+$", "a Tencent trace", with_awk },
	{ "^[0-9]+,[0-9]+\\.[0-9]+,[RW],[0-9]+,[0-9]+$", "a K5cloud trace", with_awk },
	{ "^[0-9]+,[0-9]+,[0-9]+,[RrWw],[0-9]+(\\.[0-9]+)?(,|$)", "an SPC trace (UMass)",
	    with_awk },
	{ "^version,time,op,size,lbn$", "a CloudPhysics trace as CSV", with_awk },
	{ "^[0-9]+ [0-9]+ [^ ]+ [0-9]+ [0-9]+ [RW] [0-9]+ [0-9]+ [0-9a-f]+$", "an FIU trace",
	    with_awk },
	{ "^[0-9]+\\.[0-9]+( +[0-9]+){3} +[0-9A-Fa-f]+$", "a DiskSim trace", with_awk },
	{ "^([0-9]+ +){4}[01]$", "an MQSim trace", with_awk },
	{ "^[0-9]+ [0-9]+ 0 [0-9]+$", "an ARC trace (.lis)", "" },
	{ "^([0-9]+|\\*)$", "a LIRS trace, which has numbers of blocks only", "" },
	{ "^timestamp,operation,pid,command,", "a trace of io-tracer", "" },
	{ "^filename,file_offset,", "a Thesios trace", "" },
	{ "^trace,policy,prefetcher,", "results of bufsim", "; bufsim plot draws them" },
	{ "^(kind|summary) *=", "a data sheet of a device", "; name it with --device" },
	{ "^(CPU[0-9]+|Total) \\([^)]*\\):", "the summary of blkparse",
	    "; name its lines of events" },
	{ "^% time +seconds", "a summary of strace -c", record },
	{ "^# tracer:", "a trace of ftrace", record },
	{ "^[^ ]+ +[0-9]+ +(\\[[0-9]+\\] +)?[0-9]+\\.[0-9]+: ", "output of perf script", record },
	{ "^(\\[pid [0-9]+\\] )?([0-9.:]+ )?[A-Za-z0-9_.+]+->[A-Za-z0-9_]+\\(", "a log of ltrace",
	    record },
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

/* The first line, cut to its room, without a byte-order mark and tabs; false: this is not text. */
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
	for (char *tab = line; (tab = strchr(tab, '\t'));)
		*tab = ' ';
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

int
foreign_explain(const char *head, size_t n, struct error *e)
{
	const struct magic   *m = find_magic(head, n);
	char		      line[LINE_ROOM], text[QUOTE_ROOM];
	bool		      is_text = first_line(head, n, line);
	const struct pattern *p = is_text && !m ? find_pattern(line) : NULL;

	if (m)
		return error_set(e, "is not a trace that bufsim reads: it looks like %s%s", m->name,
		    m->advice);
	if (!is_text)
		return error_set(e,
		    "is not a trace that bufsim reads: it is binary; bufsim list formats lists "
		    "what is, --format overrides the recognition");
	quote(text, line);
	if (p)
		return error_set(e,
		    "is not a trace that bufsim reads: its first line, '%s', looks like %s%s", text,
		    p->name, p->advice);
	return error_set(e,
	    "is not a trace that bufsim reads: its first line is '%s'; bufsim list formats lists "
	    "what is, --format overrides the recognition",
	    text);
}
