/*
 * measured.c - read measured response times.
 *
 * The CSV says how long the drive was idle before a request.  DiskSim's text
 * has a gap on each line, which comes before the line's request in some of
 * the published files and after it in others.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/measured.h"
#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/trace/input.h"
#include "sim/trace/scan.h"

#define NEEDED                                                                                     \
	"needed is CSV with a first row that names op, lbn, blocks, measured_response_ms "         \
	"and idle_before_ms, or DiskSim's 'R|W flag first_block blocks response_us gap_us'"

enum { FIELDS_MAX = 64, TEXT_FIELDS = 6 };

enum column { OP, SECTOR, SECTORS, RESPONSE, IDLE, COLUMNS };

static const char *const csv_column[COLUMNS] = { "op", "lbn", "blocks", "measured_response_ms",
	"idle_before_ms" };
static const char *const text_column[COLUMNS] = { "the first field", "first block", "blocks",
	"response", "gap" };

struct reading {
	struct measured *m;
	enum gap	 gap;
	bool		 text; /* DiskSim's text, not CSV */
	unsigned	 nfields;
	unsigned	 at[COLUMNS]; /* field of each column */
	double		 gap_us;      /* of the line before */
	double		 span_us;     /* from the beginning to the end of the last request */
};

static const char *
called(const struct reading *r, enum column c)
{
	return (r->text ? text_column : csv_column)[c];
}

/* A whole number from min to UINT32_MAX; a sector may be larger. */
static int
take_count(const struct reading *r, char **field, enum column c, uint64_t min, uint64_t *n,
    struct error *e)
{
	const char *text = field[r->at[c]];

	if (!number_whole(text, n))
		return error_set(e, "%s: '%.40s' is not a whole number", called(r, c), text);
	if (*n < min)
		return error_set(e, "%s: at least %" PRIu64 " must be moved", called(r, c), min);
	if (c == SECTORS && *n > UINT32_MAX)
		return error_set(e, "%s: %.40s is too many for one request", called(r, c), text);
	return 0;
}

static int
take_time(const struct reading *r, char **field, enum column c, double *us, struct error *e)
{
	const char *text = field[r->at[c]];

	if (*text == '-' && number_decimal(text + 1, us))
		return error_set(e, "%s: %.40s is negative", called(r, c), text);
	if (!number_decimal(text, us))
		return error_set(e, "%s: '%.40s' is not a number", called(r, c), text);
	if (!r->text) /* 0.7 ms are 700 us, in spite of rounding */
		*us = round(*us * 1e9) / 1e6;
	return 0;
}

static int
take_fields(struct reading *r, char **field, struct measured_request *q, struct error *e)
{
	const char *op = field[r->at[OP]];
	uint64_t    sectors;

	if (strcmp(op, "R") != 0 && strcmp(op, "W") != 0)
		return error_set(e, "%s: '%.40s' is neither R nor W", called(r, OP), op);
	q->write = *op == 'W';
	if (take_count(r, field, SECTOR, 0, &q->sector, e) ||
	    take_count(r, field, SECTORS, 1, &sectors, e) ||
	    take_time(r, field, RESPONSE, &q->response_us, e) ||
	    take_time(r, field, IDLE, &q->idle_us, e))
		return -1;
	q->sectors = (uint32_t)sectors;
	return 0;
}

/* The values of a request that depend on the line before. */
static int
connect(struct reading *r, struct measured_request *q, struct error *e)
{
	const struct measured *m = r->m;
	double		       gap_us = q->idle_us;

	if (r->text && r->gap == GAP_AFTER)
		q->idle_us = r->gap_us;
	r->gap_us = gap_us;
	q->sequential =
	    m->n && m->request[m->n - 1].sector + m->request[m->n - 1].sectors == q->sector;
	r->span_us += q->idle_us + q->response_us;
	if (r->span_us > (double)SPAN_MAX_US)
		return error_set(e, "the times add up to more than 142 years");
	return 0;
}

static int
add(struct reading *r, char **field, unsigned n, uint64_t line, struct error *e)
{
	struct measured		*m = r->m;
	struct measured_request	 q = { .line = line };
	struct measured_request *grown;

	if (n != r->nfields && !m->n && r->text)
		return error_set(e, "%u fields: %s", n, NEEDED);
	if (n != r->nfields)
		return error_set(e, "%u field%s instead of %u", n, n == 1 ? "" : "s", r->nfields);
	if (take_fields(r, field, &q, e) || connect(r, &q, e))
		return -1;
	grown = array_grow(m->request, m->n, &m->room, sizeof(*m->request));
	if (!grown)
		return error_set(e, "out of memory");
	m->request = grown;
	m->request[m->n++] = q;
	return 0;
}

static int
take_header(struct reading *r, char **field, unsigned n, struct error *e)
{
	if (n > FIELDS_MAX)
		return error_set(e, "%u columns are too many: %s", n, NEEDED);
	r->nfields = n;
	for (unsigned c = 0; c < COLUMNS; c++) {
		for (r->at[c] = 0; r->at[c] < n; r->at[c]++)
			if (!strcmp(field[r->at[c]], csv_column[c]))
				break;
		if (r->at[c] == n)
			return error_set(e, "no column is called %s: %s", csv_column[c], NEEDED);
	}
	return 0;
}

/* Recognise one of the two forms by the first line; 1: the line was the header of CSV. */
static int
recognise(struct reading *r, char *line, struct error *e)
{
	static const unsigned at[COLUMNS] = { 0, 2, 3, 4, 5 };
	char		     *field[FIELDS_MAX];
	bool		      blank = line[0] && (line[1] == ' ' || line[1] == '\t');

	if (strchr(line, ',')) {
		if (r->gap == GAP_AFTER)
			return error_usage(e,
			    "--gap: CSV has the idle time in a column, idle_before_ms; "
			    "--gap is for DiskSim's text");
		return take_header(r, field, scan_fields(line, ',', field, FIELDS_MAX), e) ? -1 : 1;
	}
	if (!blank)
		return error_set(e, "not a file of measured requests: %s", NEEDED);
	r->text = true;
	r->nfields = TEXT_FIELDS;
	memcpy(r->at, at, sizeof(at));
	return 0;
}

static int
read_line(struct reading *r, char *line, uint64_t number, struct error *e)
{
	char *field[FIELDS_MAX];
	int   header = 0;

	if (!line[strspn(line, " \t\r")])
		return 0;
	if (!r->nfields)
		header = recognise(r, line, e);
	return header
	    ? -(header < 0)
	    : add(r, field, scan_fields(line, r->text ? ' ' : ',', field, FIELDS_MAX), number, e);
}

static int
read_all(struct reading *r, struct input *in, struct error *e)
{
	char  *line;
	size_t length;
	int    more, failed = 0;

	while (!failed && (more = input_line(in, &line, &length, e)) != 0)
		failed = more < 0	     ? -1
		    : strlen(line) != length ? error_set(e, "a zero byte: this is not text")
					     : read_line(r, line, input_line_number(in), e);
	if (failed)
		return e->exit_code == EXIT_USAGE
		    ? -1
		    : error_prefix(e, "line %" PRIu64, input_line_number(in));
	return r->m->n ? 0 : error_set(e, "no requests in it");
}

int
measured_load(struct measured *m, const char *path, enum gap gap, struct error *e)
{
	struct reading r = { .m = m, .gap = gap };
	struct input  *in = input_open(path, e);
	int	       failed;

	*m = (struct measured){ .name = strcmp(path, "-") ? path : "standard input" };
	failed = in ? read_all(&r, in, e) : -1;
	input_close(in);
	return failed ? error_prefix(e, "%s", m->name) : 0;
}

void
measured_release(struct measured *m)
{
	free(m->request);
	*m = (struct measured){ 0 };
}

int
measured_check(const struct measured *m, uint64_t capacity, struct error *e)
{
	for (const struct measured_request *q = m->request; q < m->request + m->n; q++)
		if (q->sector > capacity || q->sectors > capacity - q->sector)
			return error_set(e,
			    "%s: line %" PRIu64 ": %" PRIu32 " sectors from %" PRIu64
			    " on go beyond the end of the device, which has %" PRIu64,
			    m->name, q->line, q->sectors, q->sector, capacity);
	return 0;
}
