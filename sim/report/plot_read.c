/*
 * plot_read.c - rows of CSV become points.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/registry.h"
#include "sim/report/plot.h"

static const char writers[] =
    "bufsim plot draws CSV of bufsim run --csv, bufsim sweep and bufsim mrc --csv";

static const char semicolons[] = "its columns are separated by semicolons: save it with commas";

/* ---- columns ---- */

/* The columns of a file; -1: missing. */
struct columns {
	int trace, blocks, bytes, block_bytes, y, x, error, setting[OPTIONS];
};

static int
unknown_y(const struct csv *c, const char *column, struct error *e)
{
	static const char *const words[] = { "time", "hit-ratio", "miss-ratio" };
	struct nearest		 near = nearest_to(column);

	if (strchr(column, ','))
		return error_usage(e, "--y %s: a picture shows one column", column);
	if (!strcmp(column, "elapsed_us"))
		return error_usage(e, "%s: no column %s; it has no time: try --y miss-ratio",
		    c->name, column);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		nearest_offer(&near, words[i]);
	for (unsigned i = 0; i < c->ncolumns; i++)
		nearest_offer(&near, c->column[i]);
	if (!near.best)
		return error_usage(e, "%s: no column %s; see: bufsim list counters", c->name,
		    column);
	return error_usage(e, "%s: no column %s; did you mean '%s'?", c->name, column, near.best);
}

static int
find_y(const struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	char name[PLOT_TEXT + 8];

	at->y = at->error = -1;
	if (!*p->column)
		return 0;
	at->y = csv_column(c, p->column);
	snprintf(name, sizeof(name), "%s_error", p->column);
	at->error = csv_column(c, name);
	return at->y < 0 ? unknown_y(c, p->column, e) : 0;
}

/* The first file determines the kind of the axis. */
static int
find_x(struct plot *p, const struct csv *c, struct columns *at, struct error *e)
{
	char	    name[PLOT_TEXT];
	enum x_kind kind = X_RESULT;

	at->x = -1;
	if (p->x_kind == X_CACHE)
		return 0;
	at->x = csv_column(c, p->x);
	for (unsigned s = 0; s < OPTIONS; s++)
		if (plot_is_setting(s) && !strcmp(plot_setting_name(s, name), p->x)) {
			kind = X_SETTING;
			at->setting[s] = -1;
		}
	kind = at->x < 0 ? X_PARAMETER : kind;
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

/* The size of the cache is a setting like others where it is not the axis. */
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
	r->size = r->x = (double)blocks * p->block_bytes;
	if (strcmp(p->x, "block") != 0 &&
	    set_value(p, c, r, OPTION_block, number_format(text, bytes, PARAM_BYTES), e))
		return -1;
	if (p->x_kind == X_SETTING || p->x_kind == X_PARAMETER)
		return set_value(p, c, r, OPTION_cache, plot_size_text(r->size, text), e);
	return 0;
}

/* ---- the horizontal axis ---- */

static const struct {
	enum option_id	 setting;
	enum plugin_kind kind;
} plugins[] = { { OPTION_prefetch, PLUGIN_PREFETCHER }, { OPTION_policy, PLUGIN_POLICY },
	{ OPTION_scheduler, PLUGIN_SCHEDULER }, { OPTION_device, PLUGIN_DEVICE } };
enum { PLUGINS = sizeof(plugins) / sizeof(*plugins) };

/* Take "name=value", and a separator, out of "plug-in:a=1,name=value+inner:name=value". */
static bool
take_parameter(char *text, const char *name, char value[PLOT_TEXT])
{
	size_t length = strlen(name), n;

	for (char *at = text + 1; *text && (at = strstr(at, name)); at++) {
		if (!strchr(":,", at[-1]) || at[length] != '=')
			continue;
		n = strcspn(at, ",+");
		snprintf(value, PLOT_TEXT, "%.*s", (int)(n - length - 1), at + length + 1);
		at -= at[n] != ',';
		memmove(at, at + n + 1, strlen(at + n + 1) + 1);
		return true;
	}
	return false;
}

static const struct plugin *
find_plugin(enum plugin_kind kind, const char *name, size_t n)
{
	const struct plugin *const *p = registry_list(kind);

	while (*p && (strncmp((*p)->name, name, n) || (*p)->name[n]))
		p++;
	return *p;
}

/* The value that a parameter has without being given: of the plug-in, or of the one inside. */
static bool
initial_parameter(enum plugin_kind kind, const char *text, const char *name, char value[PLOT_TEXT])
{
	while (text && *text) {
		const struct plugin *p = find_plugin(kind, text, strcspn(text, ":+"));
		const char	    *plus = strchr(text, '+');

		for (const struct param *q = p ? p->params : NULL; q && q->name; q++)
			if (!strcmp(q->name, name) && q->unit != PARAM_WORD) {
				number_format(value, q->initial, q->unit);
				return true;
			}
		text = plus ? plus + 1 : p ? p->around : NULL;
	}
	return false;
}

/* The parameter of a row, and the settings without it.  "": no plug-in of the row has it. */
static int
read_parameter(struct plot *p, const struct csv *c, const struct columns *at, struct plot_row *r,
    char value[PLOT_TEXT], struct error *e)
{
	char *text;
	int   failed = 0;

	*value = '\0';
	for (unsigned i = 0; i < PLUGINS; i++) {
		unsigned s = plugins[i].setting;

		if (at->setting[s] < 0 || *value || failed)
			continue;
		text = strdup(c->field[at->setting[s]]);
		if (!text)
			return csv_no_memory(c, e);
		if (take_parameter(text, p->x, value))
			failed = set_value(p, c, r, s, text, e);
		else
			initial_parameter(plugins[i].kind, text, p->x, value);
		free(text);
	}
	return failed;
}

/* A number, or a size with its unit; NAN if it is unknown. */
static int
read_x(struct plot *p, const struct csv *c, const struct columns *at, struct plot_row *r,
    struct error *e)
{
	char	    value[PLOT_TEXT] = "", *end;
	const char *text = value;
	uint64_t    n;

	if (p->x_kind == X_CACHE)
		return 0;
	if (p->x_kind == X_PARAMETER && read_parameter(p, c, at, r, value, e) < 0)
		return -1;
	if (p->x_kind != X_PARAMETER)
		text = known(c->field[at->x]);
	r->x = NAN;
	if (!*text)
		return 0;
	r->x = strtod(text, &end);
	if (!*end && isfinite(r->x))
		return 0;
	if (number_parse(text, PARAM_BYTES, &n, e) && number_parse(text, PARAM_USEC, &n, e))
		return error_set(e,
		    "%s: row %" PRIu64
		    ": --x %s: '%s' is not a number; it can make lines, but no axis",
		    c->name, c->row, p->x, text);
	r->x = (double)n;
	return 0;
}

/* ---- rows ---- */

/* A setting that is empty has its default. */
static const char *
setting_field(const struct csv *c, const struct columns *at, unsigned s)
{
	const char *text = known(c->field[at->setting[s]]);

	return *text || !option_info[s].initial ? text : option_info[s].initial;
}

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
		if (!r->value[s] && set_value(p, c, r, s, setting_field(c, at, s), e))
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
