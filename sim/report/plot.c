/*
 * plot.c - sort results into lines and panels.
 *
 * Texts are replaced by numbers in order of first appearance, so that rows
 * compare as integers and lines are in the order of the input.  A row takes
 * about 200 bytes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/report/plot.h"

static const char writers[] =
    "bufsim plot draws CSV of bufsim run --csv, bufsim sweep and bufsim mrc --csv";

/* ---- names ---- */

/* The text of setting s in row r, or "". */
static const char *
value_text(const struct plot *p, const struct plot_row *r, unsigned s)
{
	return r->value[s] ? p->value[s].name[r->value[s]] : "";
}

/* An option that makes two rows different lines, and is a column of its own. */
static bool
is_setting(unsigned s)
{
	const struct option_info *i = &option_info[s];

	return s != OPTION_cache && s != OPTION_sizes && s != OPTION_format &&
	    s != OPTION_responses && i->argument &&
	    (option_belongs(i, COMMAND_RUN) || option_belongs(i, COMMAND_MRC));
}

/* "hit-ratio": hit_ratio, as columns are called. */
static char *
underline(char *name)
{
	for (char *c = name; (c = strchr(c, '-'));)
		*c = '_';
	return name;
}

const char *
plot_setting_name(unsigned s, char buf[PLOT_TEXT])
{
	if (s == SETTING_KIND)
		return strcpy(buf, "by");
	snprintf(buf, PLOT_TEXT, "%s", s == OPTION_prefetch ? "prefetcher" : option_info[s].name);
	return underline(buf);
}

bool
plot_varies(const struct plot *p, unsigned s)
{
	return p->value[s].n > 1;
}

/* Append a word to a list. */
static void
join(char buf[PLOT_TEXT], const char *word)
{
	size_t used = strlen(buf);

	if (*word)
		snprintf(buf + used, PLOT_TEXT - used, "%s%s", used ? ", " : "", word);
}

char *
plot_line_name(const struct plot *p, const struct plot_row *r, char buf[PLOT_TEXT])
{
	*buf = '\0';
	for (unsigned s = 0; s < SETTINGS; s++)
		if (plot_varies(p, s))
			join(buf, value_text(p, r, s));
	return buf;
}

char *
plot_legend_title(const struct plot *p, char buf[PLOT_TEXT])
{
	char name[PLOT_TEXT];

	*buf = '\0';
	for (unsigned s = 0; s < SETTINGS; s++)
		if (plot_varies(p, s))
			join(buf, plot_setting_name(s, name));
	return buf;
}

/* Policy, prefetcher and device, and all settings that differ from their defaults. */
static bool
is_notable(const struct plot *p, unsigned s)
{
	const char *initial = s == OPTION_sample ? "1" : option_info[s].initial;

	if (p->value[s].n != 1)
		return false;
	return s == OPTION_policy || s == OPTION_prefetch || s == OPTION_device ||
	    strcmp(p->value[s].name[1], initial ? initial : "") != 0;
}

char *
plot_shared(const struct plot *p, char buf[PLOT_TEXT])
{
	char name[PLOT_TEXT], both[2 * PLOT_TEXT];

	*buf = '\0';
	for (unsigned s = 0; s < OPTIONS; s++) {
		if (!is_notable(p, s))
			continue;
		snprintf(both, sizeof(both), "%s %s", plot_setting_name(s, name),
		    p->value[s].name[1]);
		join(buf, both);
	}
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].error > 0) {
			join(buf, "band: error");
			break;
		}
	return buf;
}

/* ---- reading ---- */

void
plot_start(struct plot *p, const char *y)
{
	*p = (struct plot){ .base = SETTINGS };
	if (!y)
		return;
	snprintf(p->column, sizeof(p->column), "%s", strcmp(y, "time") ? y : "elapsed_us");
	underline(p->column);
}

void
plot_free(struct plot *p)
{
	names_release(&p->trace);
	for (unsigned s = 0; s < SETTINGS; s++)
		names_release(&p->value[s]);
	free(p->row);
	free(p->series);
	*p = (struct plot){ 0 };
}

/* The columns of a file; -1: missing. */
struct columns {
	int trace, blocks, bytes, block_bytes, y, error, setting[OPTIONS];
};

static int
no_column(const struct csv *c, const char *names, const char *hint, struct error *e)
{
	return error_set(e, "%s: no column %s; %s", c->name, names, hint);
}

static int
unknown_y(const struct csv *c, const char *column, struct error *e)
{
	struct nearest near = nearest_to(column);
	char	       hint[PLOT_TEXT];

	if (!strcmp(column, "elapsed_us"))
		return no_column(c, column, "it has no time: try --y miss-ratio", e);
	for (unsigned i = 0; i < c->ncolumns; i++)
		nearest_offer(&near, c->column[i]);
	if (!near.best)
		return no_column(c, column, "see: bufsim list counters", e);
	snprintf(hint, sizeof(hint), "did you mean '%s'?", near.best);
	return no_column(c, column, hint, e);
}

static int
find_columns(const struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	char name[PLOT_TEXT], missing[PLOT_TEXT] = "";

	at->trace = csv_column(c, "trace");
	at->blocks = csv_column(c, "cache_blocks");
	at->bytes = csv_column(c, "cache_bytes");
	at->block_bytes = csv_column(c, "block_bytes");
	for (unsigned s = 0; s < OPTIONS; s++)
		at->setting[s] = is_setting(s) ? csv_column(c, plot_setting_name(s, name)) : -1;
	join(missing, at->trace < 0 ? "trace" : "");
	join(missing, at->blocks < 0 ? "cache_blocks" : "");
	join(missing,
	    at->block_bytes < 0 && at->setting[OPTION_block] < 0 && at->bytes < 0 ? "block_bytes"
										  : "");
	if (*missing)
		return no_column(c, missing, writers, e);
	at->y = at->error = -1;
	if (!*p->column)
		return 0;
	at->y = csv_column(c, p->column);
	snprintf(name, sizeof(name), "%.400s_error", p->column);
	at->error = csv_column(c, name);
	return at->y < 0 ? unknown_y(c, p->column, e) : 0;
}

static int
bad_field(const struct csv *c, int column, const char *what, struct error *e)
{
	return error_set(e, "%s: row %" PRIu64 ": %s: '%s' is %s", c->name, c->row,
	    c->column[column], c->field[column], what);
}

/* The text of a field; bufsim 0.6 wrote - for what is unknown. */
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

static int
no_memory(const struct csv *c, struct error *e)
{
	return error_set(e, "%s: row %" PRIu64 ": out of memory", c->name, c->row);
}

/* The size of a block: mrc has a column of the bytes of the cache, bufsim 0.6 had none in bytes. */
static int
read_block(const struct csv *c, const struct columns *at, uint64_t blocks, uint64_t *bytes,
    struct error *e)
{
	int from = at->block_bytes >= 0 ? at->block_bytes : at->setting[OPTION_block];

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
read_size(struct plot *p, const struct csv *c, const struct columns *at, struct plot_row *r,
    struct error *e)
{
	uint64_t blocks, bytes;
	char	 text[NUMBER_TEXT];

	if (!number_whole(c->field[at->blocks], &blocks) || blocks > UINT32_MAX)
		return bad_field(c, at->blocks, "not a number of blocks", e);
	if (!blocks)
		return bad_field(c, at->blocks,
		    "not a size that can be drawn: leave out runs with --cache 0", e);
	if (read_block(c, at, blocks, &bytes, e) < 0)
		return -1;
	p->block_bytes = (double)bytes;
	r->x = (double)blocks * p->block_bytes;
	r->value[OPTION_block] =
	    names_intern(&p->value[OPTION_block], number_format(text, bytes, PARAM_BYTES));
	return 0;
}

/* A setting that is empty has its default. */
static const char *
setting_field(const struct csv *c, const struct columns *at, unsigned s)
{
	const char *text = known(c->field[at->setting[s]]);

	return *text || !option_info[s].initial ? text : option_info[s].initial;
}

static int
read_row(struct plot *p, const struct csv *c, const struct columns *at, struct error *e)
{
	struct plot_row *r = &p->row[p->nrows];
	bool		 simulated = at->setting[OPTION_prefetch] >= 0;
	uint32_t	 trace = names_intern(&p->trace, c->field[at->trace]);

	*r = (struct plot_row){ .panel = trace - 1, .file = c->name, .at = c->row };
	if (read_size(p, c, at, r, e) < 0 || read_number(c, at->y, &r->y, e) < 0)
		return -1;
	if (at->error >= 0 && read_number(c, at->error, &r->error, e) < 0)
		return -1;
	if (isnan(r->error))
		r->error = 0;
	for (unsigned s = 0; s < OPTIONS; s++)
		if (at->setting[s] >= 0 && s != OPTION_block)
			r->value[s] = names_intern(&p->value[s], setting_field(c, at, s));
	r->value[SETTING_KIND] =
	    names_intern(&p->value[SETTING_KIND], simulated ? "simulated" : "mrc");
	for (unsigned s = 0; s < SETTINGS; s++)
		if (!r->value[s] && (at->setting[s] >= 0 || s == SETTING_KIND || s == OPTION_block))
			return no_memory(c, e);
	if (!trace)
		return no_memory(c, e);
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
		return no_memory(c, e);
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
	return find_columns(p, c, at, e);
}

int
plot_read(struct plot *p, struct csv *c, struct error *e)
{
	struct columns at;
	int	       more;

	if (find_columns(p, c, &at, e) < 0)
		return -1;
	while ((more = csv_next(c, e)) == 1)
		if (make_room(p, c, e) < 0 || choose_y(p, c, &at, e) < 0 ||
		    read_row(p, c, &at, e) < 0)
			return -1;
	if (more < 0 || !c->torn)
		return more;
	return error_set(e, "%s: row %" PRIu64 " is torn: its end is missing", c->name, c->row);
}

/* ---- arranging ---- */

static int
compare_key(const struct plot_row *a, const struct plot_row *b)
{
	for (unsigned s = 0; s < SETTINGS; s++)
		if (a->value[s] != b->value[s])
			return a->value[s] < b->value[s] ? -1 : 1;
	return 0;
}

/* Order by line, panel and cache size; rows that are equal in these are one point. */
static int
compare_points(const void *va, const void *vb)
{
	const struct plot_row *a = va, *b = vb;
	int		       order = compare_key(a, b);

	if (order)
		return order;
	if (a->panel != b->panel)
		return a->panel < b->panel ? -1 : 1;
	return (a->x > b->x) - (a->x < b->x);
}

/* The name of a row in an error. */
static void
describe(const struct plot *p, const struct plot_row *r, char buf[2 * PLOT_TEXT])
{
	char name[PLOT_TEXT], size[NUMBER_TEXT];

	plot_line_name(p, r, name);
	snprintf(buf, (size_t)2 * PLOT_TEXT, "%s, %s%s%s", p->trace.name[r->panel + 1],
	    number_bytes(size, (uint64_t)r->x), *name ? ", " : "", name);
}

/* Drop repeated points; points with contradictory values are an error. */
static int
drop_doubles(struct plot *p, struct error *e)
{
	char   what[2 * PLOT_TEXT];
	size_t kept = 0;

	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i], *last = &p->row[kept ? kept - 1 : 0];

		if (!kept || compare_points(last, r)) {
			p->row[kept++] = *r;
			continue;
		}
		if (last->y == r->y || (isnan(last->y) && isnan(r->y)))
			continue;
		describe(p, r, what);
		return error_set(e,
		    "%s is given twice, with another %s: %s, row %" PRIu64 ", and %s, row %" PRIu64,
		    what, p->column, last->file, last->at, r->file, r->at);
	}
	p->nrows = kept;
	return 0;
}

static int
find_base(struct plot *p, const char *base, struct error *e)
{
	char all[PLOT_TEXT] = "";

	for (unsigned s = 0; s < SETTINGS; s++) {
		if (!plot_varies(p, s))
			continue;
		for (uint32_t i = 0; i < p->value[s].n; i++) {
			join(all, p->value[s].name[i + 1]);
			if (strcmp(p->value[s].name[i + 1], base) != 0)
				continue;
			p->base = s;
			p->base_value = i + 1;
			return 0;
		}
	}
	if (!*all)
		return error_usage(e, "--relative %s: there is only one line", base);
	return error_usage(e, "--relative %s: no line has that name; the lines are: %s", base, all);
}

static int
no_base(const struct plot *p, const struct plot_row *r, const char *why, struct error *e)
{
	char what[2 * PLOT_TEXT];

	describe(p, r, what);
	return error_set(e, "%s: there is nothing to compare it with: %s for %s", what, why,
	    p->value[p->base].name[p->base_value]);
}

/* Divide each point by the one that differs from it in the base's setting only. */
static int
divide(struct plot *p, struct plot_row *r, struct error *e)
{
	struct plot_row	       key = *r;
	const struct plot_row *base;

	key.value[p->base] = p->base_value;
	base = bsearch(&key, p->row, p->nrows, sizeof(key), compare_points);
	if (!base)
		return no_base(p, r, "no row", e);
	if (!(fabs(base->y) > 0))
		return no_base(p, r, "0 or nothing", e);
	r->y /= base->y;
	r->error = 0; /* the combined error is unknown */
	return 0;
}

static int
make_relative(struct plot *p, const char *base, struct error *e)
{
	size_t kept = 0;

	if (find_base(p, base, e) < 0)
		return -1;
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].value[p->base] != p->base_value && divide(p, &p->row[i], e) < 0)
			return -1;
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].value[p->base] != p->base_value)
			p->row[kept++] = p->row[i];
	p->nrows = kept;
	return 0;
}

/* Number the lines, and find the beginning of each in each panel. */
static int
make_series(struct plot *p, struct error *e)
{
	p->series = calloc(p->nrows, sizeof(*p->series));
	if (!p->series)
		return error_set(e, "out of memory for the plot");
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];
		bool		 line = !i || compare_key(r - 1, r);

		p->nlines += line;
		r->line = p->nlines - 1;
		if (line || r[-1].panel != r->panel)
			p->series[p->nseries++] =
			    (struct plot_series){ .line = r->line, .panel = r->panel, .first = i };
		p->series[p->nseries - 1].n++;
	}
	return 0;
}

int
plot_arrange(struct plot *p, const char *base, struct error *e)
{
	bool defined = false;

	for (size_t i = 0; i < p->nrows; i++)
		defined |= !isnan(p->row[i].y);
	if (!p->nrows)
		return error_set(e, "there are no rows to draw");
	if (!defined)
		return error_set(e, "%s is empty in every row: there is nothing to draw",
		    p->column);
	qsort(p->row, p->nrows, sizeof(*p->row), compare_points);
	if (drop_doubles(p, e) < 0 || (base && make_relative(p, base, e) < 0))
		return -1;
	return make_series(p, e);
}
