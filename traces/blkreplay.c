/*
 * blkreplay.c - loads of blkreplay (.load).
 *
 *	start ; sector; length ; op ;  replay_delay=0 ; replay_duration=0
 *	      0.449518165 ;     37766920 ;   16 ; R ; 0.0 ; 0.0
 *
 * A row is a request to a disk: seconds, first sector and number of sectors of
 * 512 bytes, R, W or flags of the block layer.  What is behind them was measured
 * by a replay, and is skipped.  A preamble in plain words ends with the heading.
 */
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/columns/columns.h"

enum { LINE_ROOM = 256 };

static const struct row_table table = {
	.separator = ';',
	.column = { { "start", COLUMN_TIME }, { "sector", COLUMN_OFFSET },
	    { "length", COLUMN_LENGTH }, { "op", COLUMN_OP } },
	.length_in_blocks = true,
	.more = true,
	.headed = true,
	.time_unit = TIME_S,
	.offset_unit = 512,
	.reads = "R RA RS RM RAM RSM RSA",
	.writes = "W WS WM WA WSM WFS FW FWS FWFS FWFSM",
	.others = "rows that neither read nor write, such as discards, were left out",
	.row = "^ *[0-9]+\\.[0-9]+ *; *[0-9]+ *; *[0-9]+ *; *[A-Z]+ *(;|$)",
};

struct blkreplay {
	struct columns columns;
	bool	       begun;
};

static bool
is_heading(const char *line)
{
	const char *start = scan_blanks(line), *sector = start + strcspn(start, " ;");

	if (strncmp(start, "start", 5) != 0)
		return false;
	sector += strspn(sector, " ;");
	return !strncmp(sector, "sector", 6);
}

/* Is it in the head? */
static bool
has_heading(const char *head, size_t n)
{
	char line[LINE_ROOM];

	while (scan_head(&head, &n, line, sizeof(line)))
		if (is_heading(line))
			return true;
	return false;
}

static bool
blkreplay_recognise(const char *head, size_t n)
{
	return has_heading(head, n) || columns_recognise(&table, head, n);
}

/* Past the heading, if there is one. */
static int
skip_preamble(struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);
	char	   *line;
	int	    status = head ? has_heading(head, n) : -1;

	while (status == 1) {
		status = input_line(in, &line, &n, e);
		if (status == 1 && is_heading(line))
			status = 0;
	}
	return status;
}

static int
blkreplay_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct blkreplay *b = self;

	if (unlikely(!b->begun) && skip_preamble(in, e))
		return -1;
	b->begun = true;
	return columns_read(&b->columns, &table, in, r, e);
}

FORMAT(blkreplay,
    .plugin = { .name = "blkreplay",
	.summary = "blkreplay (.load): start ; sector; length ; op",
	.state_size = sizeof(struct blkreplay),
	.source = "T. Schoebel-Theuer: blkreplay" },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = blkreplay_recognise,
    .read = blkreplay_read, .release = columns_release);
