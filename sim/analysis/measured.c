/*
 * measured.c - read measured response times.
 *
 * The CSV says how long the drive was idle before a request.  DiskSim's text
 * has a gap on each line, which comes before the line's request in some of
 * the published files and after it in others.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/measured.h"
#include "sim/base/map.h"
#include "sim/trace/input.h"
#include "sim/trace/scan.h"

#define NEEDED                                                                                     \
	"needed is CSV with a first row that names op, lbn, blocks, measured_response_ms "         \
	"and idle_before_ms, or DiskSim's 'R|W flag first_block blocks response_us gap_us'"

enum { FIELDS_MAX = 64 };

static const char *const csv_column[MEASUREMENT_COLUMNS] = { "op", "lbn", "blocks",
	"measured_response_ms", "idle_before_ms" };

struct reading {
	struct measured *m;
	enum gap	 gap;
	bool		 text; /* DiskSim's text, not CSV */
	unsigned	 nfields;
	unsigned	 at[MEASUREMENT_COLUMNS]; /* field of each column */
	double		 gap_us;		  /* of the line before */
	double		 span_us; /* from the beginning to the end of the last request */
};

static int
take_fields(struct reading *r, char **field, struct measured_request *q, struct error *e)
{
	struct measurement m;

	if (measurement_take(&m, field, r->at, r->text ? measurement_called : csv_column, r->text,
		e))
		return -1;
	q->write = m.write;
	q->sector = m.sector;
	q->sectors = m.sectors;
	q->response_us = m.response_us;
	q->idle_us = m.gap_us;
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
		return error_no_memory(e);
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
	for (unsigned c = 0; c < MEASUREMENT_COLUMNS; c++) {
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
	char *field[FIELDS_MAX];
	bool  blank = line[0] && (line[1] == ' ' || line[1] == '\t');

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
	r->nfields = MEASUREMENT_FIELDS;
	memcpy(r->at, measurement_at, sizeof(r->at));
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
