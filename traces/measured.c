/*
 * measured.c - requests measured on a drive one at a time, as DiskSim's
 * validation reads them.
 *
 *	R Miss  564347     2     14095.370     13876.270
 *
 * Read or write, what the buffer of the drive did, first sector, sectors,
 * response time and gap, in microseconds.  A request starts when the one
 * before has ended and the gap between them is over.  The gap on a line comes
 * before its request in some of the published files and after it in others.
 * bufsim validate reads the same files, and compares the response times.
 */
#include <string.h>

#include "sim/trace/format.h"
#include "sim/trace/measurement.h"
#include "sim/trace/scan.h"

struct measured {
	uint64_t gap; /* enum gap: the parameter */
	double	 now; /* the end of the request before, and its gap */
};

static const char *const gap_words[] = { "before", "after", NULL };

static const struct param params[] = {
	{ "gap", PARAM_WORD, GAP_BEFORE, 0, GAP_AFTER, offsetof(struct measured, gap),
	    "the gap on a line comes before its request or after it", gap_words },
	{ 0 }
};

static int
take_line(char *line, struct measurement *m, struct error *e)
{
	char	*field[MEASUREMENT_FIELDS];
	unsigned n = scan_fields(line, ' ', field, MEASUREMENT_FIELDS);

	if (n != MEASUREMENT_FIELDS)
		return error_set(e,
		    "%u field%s instead of 6 (R or W, flag, first block, blocks, response, gap)", n,
		    n == 1 ? "" : "s");
	return measurement_take(m, field, measurement_at, measurement_called, true, e);
}

static bool
is_row(void *context, char *line)
{
	struct measurement m;
	struct error	   ignored = { 0 };
	const char	  *flag = scan_blanks(line + (*line != '\0'));

	return flag > line + 1 && *flag >= 'A' && *flag <= 'Z' && !take_line(line, &m, &ignored);
}

static bool
measured_recognise(const char *head, size_t n)
{
	return scan_rows_are(head, n, is_row, NULL);
}

/* "R Miss", which is cut off, is none. */
static bool
is_heading(const char *line)
{
	bool row = (*line == 'R' || *line == 'W') && scan_ends_field(line[1]);

	return unlikely(!row && scan_is_heading(line));
}

static int
measured_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct measured	  *s = self;
	struct measurement m;
	char		  *line;
	int		   status;

	while ((status = scan_line(in, &line, e)) == 1 && is_heading(line))
		input_skip(in, line);
	if (status <= 0)
		return status;
	if (take_line(line, &m, e))
		return -1;
	if (m.sector > UINT64_MAX / SECTOR_BYTES)
		return error_set(e, "first block: %llu is beyond any device",
		    (unsigned long long)m.sector);
	if (s->gap == GAP_BEFORE)
		s->now += m.gap_us;
	r->op = m.write ? OP_WRITE : OP_READ;
	r->inode = r->pid = 1;
	r->offset = m.sector * SECTOR_BYTES;
	r->length = (uint64_t)m.sectors * SECTOR_BYTES;
	if (s->now > (double)SPAN_MAX_US)
		return error_set(e, "the times add up to more than 142 years");
	r->time = (usec_t)s->now;
	s->now += m.response_us + (s->gap == GAP_AFTER ? m.gap_us : 0);
	return 1;
}

FORMAT(measured,
    .plugin = { .name = "measured",
	.summary = "requests measured on a drive, as DiskSim's validation reads them",
	.state_size = sizeof(struct measured),
	.params = params },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = measured_recognise, .read = measured_read);
