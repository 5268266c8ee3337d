/*
 * plot_read.c - rows of CSV become points.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/draw/plot.h"

static const char writers[] =
    "bufsim plot draws CSV of bufsim run --csv, bufsim sweep and bufsim mrc --csv";

static const char semicolons[] = "its columns are separated by semicolons: save it with commas";

/* ---- columns ---- */

/* The columns of a file; -1: missing. */
struct columns {
	int trace, blocks, bytes, block_bytes, y, x, error, calls, elapsed, setting[OPTIONS];
};

static int
unknown_y(const struct csv *c, const char *column, struct error *e)
{
	static const char *const words[] = { "time", "hit-ratio", "miss-ratio" };
	struct nearest		 near = nearest_to(column);
	char			 all[PLOT_TEXT];

	if (strchr(column, ','))
		return error_usage(e, "--y %s: a picture shows one column", column);
	if (!strcmp(column, "elapsed_us"))
		return error_usage(e, "%s: no column %s; it has no time: try --y miss-ratio",
		    c->name, column);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		nearest_offer(&near, words[i]);
	for (unsigned i = 0; i < c->ncolumns; i++)
		nearest_offer(&near, c->column[i]);
	if (near.best)
		return error_usage(e, "%s: no column %s; did you mean '%s'?", c->name, column,
		    near.best);
	plot_list(all, c->column, c->ncolumns);
	return error_usage(e, "%s: no column %s; the columns are: %s", c->name, column, all);
}

static int
find_y(const struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	char name[PLOT_TEXT + 8];

	if (!*p->column)
		return 0;
	at->y = csv_column(c, p->column);
	snprintf(name, sizeof(name), "%s_error", p->column);
	at->error = csv_column(c, name);
	return at->y < 0 ? unknown_y(c, p->column, e) : 0;
}

static enum x_kind
kind_of_x(const struct plot *p, const struct csv *c)
{
	if (!strcmp(p->x, "trace"))
		return X_TRACE;
	if (!strcmp(p->x, "load"))
		return X_LOAD;
	if (csv_column(c, p->x) < 0)
		return X_PARAMETER;
	return plot_setting_of(p->x) < SETTINGS ? X_SETTING : X_RESULT;
}

/* The first file determines the kind of the axis. */
static int
find_x(struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	enum x_kind kind = kind_of_x(p, c);

	at->calls = csv_column(c, "response_calls");
	at->elapsed = csv_column(c, "elapsed_us");
	if (p->x_kind == X_CACHE)
		return 0;
	if (kind == X_LOAD && (at->calls < 0 || at->elapsed < 0))
		return error_usage(e, "%s: --x load: no column %s; runs with --replay open have it",
		    c->name, at->calls < 0 ? "response_calls" : "elapsed_us");
	at->x = kind == X_TRACE ? -1 : csv_column(c, p->x);
	if (p->x_kind == X_UNKNOWN)
		p->x_kind = kind;
	return p->x_kind == kind
	    ? 0
	    : error_usage(e, "%s: no column %s; other files have it", c->name, p->x);
}

static int
find_columns(struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	char name[PLOT_TEXT], missing[PLOT_TEXT] = "";

	at->trace = csv_column(c, "trace");
	at->blocks = csv_column(c, "cache_blocks");
	at->bytes = csv_column(c, "cache_bytes");
	at->block_bytes = csv_column(c, "block_bytes");
	if (at->block_bytes < 0) /* up to version 0.6 */
		at->block_bytes = csv_column(c, "block");
	for (unsigned s = 0; s < OPTIONS; s++)
		at->setting[s] =
		    plot_is_setting(s) ? csv_column(c, plot_setting_name(s, name)) : -1;
	plot_join(missing, at->trace < 0 ? "trace" : "");
	plot_join(missing, at->blocks < 0 ? "cache_blocks" : "");
	plot_join(missing, at->block_bytes < 0 && at->bytes < 0 ? "block_bytes" : "");
	if (*missing)
		return error_set(e, "%s: no column %s; %s", c->name, missing,
		    c->ncolumns == 1 && strchr(c->column[0], ';') ? semicolons : writers);
	return find_x(p, c, at, e) || find_y(p, c, at, e) ? -1 : 0;
}

/* ---- fields ---- */

static int
bad_field(const struct csv *c, int column, const char *what, struct error *e)
{
	return error_set(e, "%s: row %" PRIu64 ": %s: '%s' is %s", c->name, c->row,
	    c->column[column], c->field[column], what);
}

/* The text of a field; up to version 0.6 it was "-" for what is unknown. */
static const char *
known(const char *text)
{
	return strcmp(text, "-") ? text : "";
}

/* A number; NAN if it is unknown. */
static int
read_number(const struct csv *c, int column, double *out, struct error *e)
{
	const char *text = known(c->field[column]);
	char	   *end;

	*out = NAN;
	if (!*text)
		return 0;
	*out = strtod(text, &end);
	if (*end || !isfinite(*out))
		return bad_field(c, column, "not a number", e);
	return 0;
}

/* The size of a block; mrc has only the bytes of the cache. */
static int
read_block(const struct csv *c, const struct columns *at, uint64_t blocks, uint64_t *bytes,
    struct error *e)
{
	int from = at->block_bytes;

	if (from >= 0) {
		if (number_parse(c->field[from], PARAM_BYTES, bytes, e) < 0 || !*bytes)
			return bad_field(c, from, "not a block size", e);
	} else if (number_whole(c->field[at->bytes], bytes) && *bytes && !(*bytes % blocks)) {
		*bytes /= blocks;
	} else {
		return bad_field(c, at->bytes, "not the size of that many blocks", e);
	}
	return 0;
}

static int
set_value(struct plot *p, const struct csv *c, struct plot_row *r, unsigned s, const char *text,
    struct error *e)
{
	r->value[s] = names_intern(&p->value[s], text);
	return r->value[s] ? 0 : csv_no_memory(c, e);
}

static int
read_size(struct plot *p, const struct csv *c, const struct columns *at, struct plot_row *r,
    struct error *e)
{
	uint64_t blocks, bytes;
	char	 text[NUMBER_TEXT];

	if (!number_whole(c->field[at->blocks], &blocks) || blocks > UINT32_MAX)
		return bad_field(c, at->blocks, "not a number of blocks", e);
	if (!blocks && at->block_bytes < 0)
		return bad_field(c, at->blocks, "not the size of a cache", e);
	if (read_block(c, at, blocks, &bytes, e) < 0)
		return -1;
	r->block = (double)bytes;
	r->size = (double)blocks * r->block;
	return set_value(p, c, r, OPTION_block, number_format(text, bytes, PARAM_BYTES), e);
}

/* ---- the horizontal axis ---- */

/* A setting that is empty has its default. */
static const char *
setting_text(const struct csv *c, int column, unsigned s)
{
	const char *text = known(c->field[column]);

	return *text || s == SETTINGS || !option_info[s].initial ? text : option_info[s].initial;
}

/* The calls of a second, as a column would have them. */
static int
read_load(const struct csv *c, const struct columns *at, char text[NUMBER_TEXT], struct error *e)
{
	double calls, us;

	*text = '\0';
	if (read_number(c, at->calls, &calls, e) || read_number(c, at->elapsed, &us, e))
		return -1;
	if (calls > 0 && us > 0)
		snprintf(text, NUMBER_TEXT, calls / us < 1e-4 ? "%.4g" : "%.0f", calls / us * 1e6);
	return 0;
}

/* The text of a column; what has none is found when all rows are there. */
static int
read_x(struct plot *p, const struct csv *c, const struct columns *at, struct plot_row *r,
    struct error *e)
{
	char	    load[NUMBER_TEXT] = "";
	const char *text = load;
	char	    name[PLOT_TEXT];
	unsigned    s = plot_setting_of(p->x);

	r->x = NAN;
	if (p->x_kind == X_LOAD) {
		if (read_load(c, at, load, e))
			return -1;
	} else if (at->x < 0) {
		return 0;
	} else {
		if (s < SETTINGS && strcmp(plot_setting_name(s, name), p->x) != 0)
			s = SETTINGS; /* its default has another unit */
		text = setting_text(c, at->x, s);
	}
	return *text ? set_value(p, c, r, SETTING_X, text, e) : 0;
}

/* ---- rows ---- */

/* The settings that no other function has set. */
static int
read_settings(struct plot *p, const struct csv *c, const struct columns *at, struct plot_row *r,
    struct error *e)
{
	bool simulated = at->setting[OPTION_prefetch] >= 0;

	if (set_value(p, c, r, SETTING_KIND, simulated ? "simulated" : "mrc", e))
		return -1;
	for (unsigned s = 0; s < OPTIONS; s++) {
		if (at->setting[s] < 0 || s == OPTION_block)
			continue;
		if (!r->value[s] && set_value(p, c, r, s, setting_text(c, at->setting[s], s), e))
			return -1;
	}
	return 0;
}

static int
read_row(struct plot *p, const struct csv *c, const struct columns *at, struct error *e)
{
	struct plot_row *r = &p->row[p->nrows];
	uint32_t	 trace = names_intern(&p->trace, c->field[at->trace]);

	*r = (struct plot_row){ .panel = trace - 1, .file = c->name, .at = c->row };
	if (!trace)
		return csv_no_memory(c, e);
	if (read_size(p, c, at, r, e) || read_x(p, c, at, r, e) || read_settings(p, c, at, r, e) ||
	    read_number(c, at->y, &r->y, e))
		return -1;
	if (at->error >= 0 && read_number(c, at->error, &r->error, e) < 0)
		return -1;
	if (isnan(r->error))
		r->error = 0;
	p->nrows++;
	return 0;
}

static int
make_room(struct plot *p, const struct csv *c, struct error *e)
{
	size_t		 room = p->room ? 2 * p->room : 64;
	struct plot_row *more;

	if (p->nrows < p->room)
		return 0;
	more = realloc(p->row, room * sizeof(*more));
	if (!more)
		return csv_no_memory(c, e);
	p->row = more;
	p->room = room;
	return 0;
}

/* Time if the first row has one, else the miss ratio, which all commands write. */
static int
choose_y(struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	int    elapsed = csv_column(c, "elapsed_us");
	double us;

	if (*p->column)
		return 0;
	if (elapsed >= 0 && read_number(c, elapsed, &us, e) < 0)
		return -1;
	strcpy(p->column, elapsed >= 0 && us > 0 ? "elapsed_us" : "miss_ratio");
	return find_y(p, c, at, e);
}

int
plot_read(struct plot *p, struct csv *c, struct error *e)
{
	struct columns at = { .x = -1, .y = -1, .error = -1 }; /* none of them is known yet */
	int	       more;

	if (find_columns(p, c, &at, e) < 0)
		return -1;
	if (!*p->columns)
		plot_list(p->columns, c->column, c->ncolumns);
	while ((more = csv_next(c, e)) == 1)
		if (make_room(p, c, e) < 0 || choose_y(p, c, &at, e) < 0 ||
		    read_row(p, c, &at, e) < 0)
			return -1;
	if (more < 0 || !c->torn)
		return more;
	return error_set(e, "%s: row %" PRIu64 " is torn: its end is missing", c->name, c->row);
}
