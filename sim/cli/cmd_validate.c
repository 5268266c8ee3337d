/*
 * cmd_validate.c - bufsim validate: compare a device with measured response
 * times, as a table, as JSON, as a picture, and request by request; and fit a
 * data sheet to them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/calibrate.h"
#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/device/sheet.h"
#include "sim/draw/plot_cdf.h"
#include "sim/registry.h"
#include "sim/report/json.h"
#include "sim/setup/endings.h"
#include "sim/setup/setup.h"

enum { CALIBRATE_MIN = 100, TEXT_ROOM = 512 };

struct result {
	const char	      *device;
	const struct measured *m;
	size_t		       from; /* the first request to compare; the fit uses those before */
	struct service	      *service;	    /* of all requests */
	struct comparison      now, before; /* before: with the sheet before calibration */
	struct calibration     fit;
};

static const struct {
	const char *name;
	double	    percent;
} ranks[] = { { "p5", 5 }, { "p10", 10 }, { "p25", 25 }, { "p50", 50 }, { "p75", 75 },
	{ "p90", 90 }, { "p95", 95 }, { "p99", 99 }, { "p99.9", 99.9 }, { "max", 100 } };

enum { RANKS = sizeof(ranks) / sizeof(*ranks) };

static const char *const part_name[SERVICE_PARTS] = {
	[SERVICE_QUEUE] = "queue",
	[SERVICE_OVERHEAD] = "overhead",
	[SERVICE_SEEK] = "seek",
	[SERVICE_ROTATION] = "rotation",
	[SERVICE_TRANSFER] = "transfer",
	[SERVICE_BUS] = "bus",
};

static const struct {
	const char *name, *key;
	unsigned    kinds; /* bits: 1 << request_kind */
} groups[] = {
	{ "reads", "reads", 1 << KIND_READ_SEQUENTIAL | 1 << KIND_READ_OTHER },
	{ "  sequential", "sequential_reads", 1 << KIND_READ_SEQUENTIAL },
	{ "  other", "other_reads", 1 << KIND_READ_OTHER },
	{ "writes", "writes", 1 << KIND_WRITE_SEQUENTIAL | 1 << KIND_WRITE_OTHER },
	{ "  sequential", "sequential_writes", 1 << KIND_WRITE_SEQUENTIAL },
	{ "  other", "other_writes", 1 << KIND_WRITE_OTHER },
};

enum { GROUPS = sizeof(groups) / sizeof(*groups) };

static struct times
group_times(const struct comparison *c, unsigned group)
{
	struct times sum = { 0 };

	for (unsigned kind = 0; kind < REQUEST_KINDS; kind++)
		if (groups[group].kinds >> kind & 1) {
			sum.n += c->kind[kind].n;
			sum.measured += c->kind[kind].measured;
			sum.simulated += c->kind[kind].simulated;
		}
	return sum;
}

static double
mean(double sum, size_t n)
{
	return n ? sum / (double)n : 0;
}

/* 0 if all measured times are 0. */
static double
demerit_percent(const struct comparison *c)
{
	return c->all.measured > 0 ? 100 * c->demerit / mean(c->all.measured, c->n) : 0;
}

/* ---- for a person ---- */

static void
print_head(const struct result *r, FILE *out)
{
	char n[NUMBER_TEXT], from[NUMBER_TEXT], to[NUMBER_TEXT], half[NUMBER_TEXT];

	text_print(r->m->name, out);
	fprintf(out, ": %s requests, one at a time\n", number_group(n, r->m->n));
	if (r->from)
		fprintf(out, "device %s, calibrated on requests 1 to %s and compared on %s to %s\n",
		    r->device, number_group(half, r->from), number_group(from, r->from + 1),
		    number_group(to, r->m->n));
	else
		fprintf(out, "device %s\n", r->device);
}

static void
print_demerit(const char *what, const struct comparison *c, FILE *out)
{
	fprintf(out, "%-13s %8.3f ms, %.2f %% of the mean measured response\n", what, c->demerit,
	    demerit_percent(c));
}

static void
print_row(const char *name, double measured, double simulated, FILE *out)
{
	fprintf(out, "%-13s %11.3f %11.3f %+11.3f\n", name, measured, simulated,
	    simulated - measured);
}

static void
print_percentiles(const struct comparison *c, FILE *out)
{
	fprintf(out, "\n%-13s %11s %11s %11s\n", "response, ms", "measured", "simulated",
	    "difference");
	print_row("mean", mean(c->all.measured, c->n), mean(c->all.simulated, c->n), out);
	for (unsigned i = 0; i < RANKS; i++)
		print_row(ranks[i].name, sorted_percentile(c->measured, c->n, ranks[i].percent),
		    sorted_percentile(c->simulated, c->n, ranks[i].percent), out);
}

static void
print_groups(const struct comparison *c, FILE *out)
{
	char n[NUMBER_TEXT];

	fprintf(out, "\n%-13s %11s %11s %11s %11s\n", "mean, ms", "measured", "simulated",
	    "difference", "requests");
	for (unsigned i = 0; i < GROUPS; i++) {
		struct times t = group_times(c, i);
		double	     measured = mean(t.measured, t.n), simulated = mean(t.simulated, t.n);

		if (t.n)
			fprintf(out, "%-13s %11.3f %11.3f %+11.3f %11s\n", groups[i].name, measured,
			    simulated, simulated - measured, number_group(n, t.n));
		else
			fprintf(out, "%-13s %11s %11s %11s %11d\n", groups[i].name, "-", "-", "-",
			    0);
	}
}

static usec_t
all_parts(const struct comparison *c)
{
	usec_t us = 0;

	for (unsigned p = 0; p < SERVICE_PARTS; p++)
		us += c->part[p];
	return us;
}

static void
print_parts(const struct comparison *c, FILE *out)
{
	usec_t all = all_parts(c);

	fputs("\nwhere simulated time went\n", out);
	for (unsigned p = 0; p < SERVICE_PARTS; p++)
		fprintf(out, "%-13s %13.6f s %6.1f %%\n", part_name[p], (double)c->part[p] / 1e6,
		    all ? 100 * (double)c->part[p] / (double)all : 0);
	fprintf(out, "%-13s %13.6f s\n", "in all", (double)all / 1e6);
}

/* "read_hit_sequential = 0.067 ; not given before, ...": the origin is a comment. */
static void
print_constant(const struct calibration *k, enum constant_id id, FILE *out)
{
	fprintf(out, "%s = %.3f ; ", constant_info[id].key, k->after[id]);
	if (isnan(k->before[id]))
		fputs("not given before, ", out);
	else
		fprintf(out, "%.15g before, ", k->before[id]);
	if (k->served[id])
		fprintf(out, "by %zu requests from the buffer\n", k->served[id]);
	else
		fputs("by the demerit\n", out);
}

static void
print_constants(const struct calibration *k, FILE *out)
{
	const char *section = "";

	for (unsigned id = 0; id < CONSTANTS; id++) {
		if (!calibration_changed(k, id))
			continue;
		if (strcmp(section, constant_info[id].section) != 0)
			fprintf(out, "%s\n[%s]\n", *section ? "" : "\nfor the data sheet:\n",
			    constant_info[id].section);
		section = constant_info[id].section;
		print_constant(k, id, out);
	}
	if (!*section)
		fputs("\nno constant of the data sheet can be improved\n", out);
}

/* Notes that limit the use of the constants. */
static void
print_doubts(const struct result *r, FILE *out)
{
	char calibrated[SHEET_VALUE_MAX];

	data_sheet_value(r->fit.sheet, "calibrated", calibrated, sizeof(calibrated));
	if (*calibrated) {
		fputs("\nnote: the sheet was calibrated before: ", out);
		text_print(calibrated, out);
		putc('\n', out);
	}
	if (r->now.demerit > r->before.demerit)
		fputs("\nnote: no gain on the second half: keep the sheet as it was\n", out);
}

static int
print_text(const struct result *r, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	print_head(r, f.out);
	putc('\n', f.out);
	print_demerit("demerit", &r->now, f.out);
	if (r->from)
		print_demerit("  before", &r->before, f.out);
	print_percentiles(&r->now, f.out);
	print_groups(&r->now, f.out);
	print_parts(&r->now, f.out);
	if (r->from) {
		print_constants(&r->fit, f.out);
		print_doubts(r, f.out);
	}
	return fold_close(&f, 0, e);
}

/* ---- for programs ---- */

static bool
add_demerit(const struct comparison *c, cJSON *to)
{
	return json_decimal(to, "demerit_ms", c->demerit) &&
	    json_decimal(to, "demerit_percent", demerit_percent(c)) &&
	    json_decimal(to, "measured_mean_ms", mean(c->all.measured, c->n)) &&
	    json_decimal(to, "simulated_mean_ms", mean(c->all.simulated, c->n));
}

static bool
add_percentiles(const struct comparison *c, cJSON *to)
{
	cJSON *object = cJSON_AddObjectToObject(to, "percentiles");
	bool   ok = object;

	for (unsigned i = 0; ok && i < RANKS; i++) {
		cJSON *item = cJSON_AddObjectToObject(object, ranks[i].name);

		ok = item &&
		    json_decimal(item, "measured_ms",
			sorted_percentile(c->measured, c->n, ranks[i].percent)) &&
		    json_decimal(item, "simulated_ms",
			sorted_percentile(c->simulated, c->n, ranks[i].percent));
	}
	return ok;
}

static bool
add_groups(const struct comparison *c, cJSON *to)
{
	cJSON *object = cJSON_AddObjectToObject(to, "kinds");
	bool   ok = object;

	for (unsigned i = 0; ok && i < GROUPS; i++) {
		cJSON	    *item = cJSON_AddObjectToObject(object, groups[i].key);
		struct times t = group_times(c, i);

		ok = item && json_count(item, "requests", t.n) &&
		    (t.n ? json_decimal(item, "measured_mean_ms", mean(t.measured, t.n))
			 : cJSON_AddNullToObject(item, "measured_mean_ms") != NULL) &&
		    (t.n ? json_decimal(item, "simulated_mean_ms", mean(t.simulated, t.n))
			 : cJSON_AddNullToObject(item, "simulated_mean_ms") != NULL);
	}
	return ok;
}

static bool
add_parts(const struct comparison *c, cJSON *to)
{
	cJSON *object = cJSON_AddObjectToObject(to, "parts_us");
	bool   ok = object;

	for (unsigned p = 0; ok && p < SERVICE_PARTS; p++)
		ok = json_count(object, part_name[p], (uint64_t)c->part[p]);
	return ok && json_count(object, "all", (uint64_t)all_parts(c));
}

/* The results of calibration. */
static bool
add_fit(const struct result *r, cJSON *to)
{
	cJSON *before = cJSON_AddObjectToObject(to, "before");
	cJSON *constants = cJSON_AddObjectToObject(to, "constants_ms");
	bool   ok = before && constants && add_demerit(&r->before, before) &&
	    json_count(to, "calibrated_on", r->from);

	for (unsigned id = 0; ok && id < CONSTANTS; id++)
		if (calibration_changed(&r->fit, id))
			ok = json_decimal(constants, constant_info[id].key, r->fit.after[id]);
	return ok;
}

static int
print_json(const struct result *r, FILE *out, struct error *e)
{
	const struct comparison *c = &r->now;
	cJSON			*object = cJSON_CreateObject();

	return json_print(object,
	    object && cJSON_AddStringToObject(object, "file", r->m->name) &&
		cJSON_AddStringToObject(object, "device", r->device) &&
		json_count(object, "requests", c->n) && add_demerit(c, object) &&
		add_percentiles(c, object) && add_groups(c, object) && add_parts(c, object) &&
		(!r->from || add_fit(r, object)),
	    out, e);
}

/* ---- files ---- */

static int
write_response(struct output *out, const struct result *r, size_t i, struct error *e)
{
	const struct measured_request *q = &r->m->request[i];
	const struct service	      *s = &r->service[i];
	char			       row[TEXT_ROOM];
	size_t			       n;

	n = (size_t)snprintf(row, sizeof(row), "%zu,%s,%" PRIu64 ",%" PRIu32 ",%.3f,%" PRId64,
	    i + 1, q->write ? "write" : "read", q->sector, q->sectors, q->response_us,
	    service_us(s));
	for (unsigned p = 0; p < SERVICE_PARTS; p++)
		n += (size_t)snprintf(row + n, sizeof(row) - n, ",%" PRId64, s->part[p]);
	row[n++] = '\n';
	return output_bytes(out, row, n, e);
}

static int
write_responses(const struct result *r, const char *path, struct error *e)
{
	static const char header[] =
	    "request,op,sector,sectors,measured_us,response_us,device_queue_us,overhead_us,"
	    "seek_us,rotation_us,transfer_us,bus_us\n";
	struct output *out = output_open(path, e);
	int	       failed;

	if (!out)
		return -1;
	failed = output_bytes(out, header, sizeof(header) - 1, e);
	for (size_t i = r->from; !failed && i < r->m->n; i++)
		failed = write_response(out, r, i, e);
	if (!failed)
		return output_commit(out, NULL, e);
	output_abandon(out);
	return -1;
}

static int
draw(const struct result *r, const char *path, enum plot_target target, struct error *e)
{
	char		title[TEXT_ROOM], subtitle[TEXT_ROOM], n[NUMBER_TEXT], device[81], file[81];
	struct picture	picture = { 0 };
	int		failed;
	struct cdf_plot p = {
		.title = title,
		.subtitle = subtitle,
		.line = { { "measured", r->now.measured }, { "simulated", r->now.simulated } },
		.nlines = 2,
		.n = r->now.n,
		.target = target,
	};

	snprintf(title, sizeof(title), "%s and %s requests of %s",
	    text_clean(device, sizeof(device), text_file_name(r->device)),
	    number_group(n, r->now.n), text_clean(file, sizeof(file), text_file_name(r->m->name)));
	if (r->from) {
		p.line[1] = (struct cdf_line){ "before calibration", r->before.simulated };
		p.line[2] = (struct cdf_line){ "after calibration", r->now.simulated };
		p.nlines = 3;
		snprintf(subtitle, sizeof(subtitle),
		    "demerit %.3f ms (%.2f %%) before, %.3f ms (%.2f %%) after calibration on the "
		    "requests before these",
		    r->before.demerit, demerit_percent(&r->before), r->now.demerit,
		    demerit_percent(&r->now));
	} else {
		snprintf(subtitle, sizeof(subtitle), "demerit %.3f ms, %.2f %% of the mean",
		    r->now.demerit, demerit_percent(&r->now));
	}
	failed = cdf_plot_draw(&p, &picture, e);
	if (!failed)
		failed = output_whole(path, picture.bytes, picture.n, e);
	free(picture.bytes);
	return failed;
}

static int
write_sheet(const struct result *r, const char *path, struct error *e)
{
	char what[SHEET_VALUE_MAX - sizeof("calibrated = ")], before[100], name[41], *text;
	int  failed;

	data_sheet_value(r->fit.sheet, "calibrated", before, sizeof(before));
	snprintf(what, sizeof(what), "overheads, on requests 1 to %zu of %s%s%s", r->from,
	    text_clean(name, sizeof(name), text_file_name(r->m->name)), *before ? "; before: " : "",
	    before);
	text = sheet_with(r->fit.sheet, "", "calibrated", what, e);
	failed = text ? output_whole(path, text, strlen(text), e) : -1;
	free(text);
	return failed;
}

/* ---- the command ---- */

static bool
is_sheet(const char *path)
{
	return text_ends_in(path, strlen(path), ".dev");
}

static int
check(const struct options *o, enum plot_target *target, struct error *e)
{
	if (endings_check("--responses ", o->responses, &written_csv, e))
		return -1;
	if (!o->output || (o->calibrate && is_sheet(o->output)))
		return 0;
	if (is_sheet(o->output))
		return error_usage(e, "--output %s: only --calibrate writes a data sheet",
		    o->output);
	if (!picture_target(o->output, target, e))
		return 0;
	return o->calibrate
	    ? error_usage(e,
		  "--output %s: its name must end in .svg, .png or .pdf for a picture, or in .dev "
		  "for the data sheet",
		  o->output)
	    : -1;
}

static int
load(struct measured *m, const struct config *c, const struct options *o, struct error *e)
{
	void	*self;
	uint64_t capacity;

	if (measured_load(m, o->argument[0], (enum gap)o->gap, e))
		return -1;
	self = device_start(&c->device, e);
	if (!self)
		return -1;
	capacity = config_device(c)->capacity(self);
	device_stop(config_device(c), self);
	return measured_check(m, capacity, e);
}

/* Replay with the current sheet, and compare the requests from r->from on. */
static int
judge(struct result *r, const struct config *c, struct comparison *to, struct error *e)
{
	return demerit_replay(r->m, c, r->service, e) ||
		comparison_init(to, r->m, r->service, r->from, r->m->n, e)
	    ? -1
	    : 0;
}

/* Fit to the first half; compare on the second, with the drive in the state after the first. */
static int
fit(struct result *r, const struct config *c, struct error *e)
{
	struct config fitted = *c;

	if (r->m->n < CALIBRATE_MIN)
		return error_set(e, "%s: %zu requests are too few to calibrate with: %d are needed",
		    r->m->name, r->m->n, CALIBRATE_MIN);
	r->from = r->m->n / 2;
	if (calibrate(&r->fit, r->m, r->from, c, e) || judge(r, c, &r->before, e))
		return -1;
	fitted.device.sheet = r->fit.sheet;
	return judge(r, &fitted, &r->now, e);
}

static int
compare(struct result *r, const struct config *c, bool with_fit, struct error *e)
{
	int failed;

	r->service = calloc(r->m->n, sizeof(*r->service));
	if (!r->service)
		return error_set(e, "out of memory for %zu requests", r->m->n);
	progress_begin(with_fit ? "calibrating" : "replaying", NULL, 0);
	failed = with_fit ? fit(r, c, e) : judge(r, c, &r->now, e);
	progress_end();
	return failed;
}

static int
report(const struct result *r, const struct options *o, enum plot_target target, FILE *out,
    struct error *e)
{
	if (o->responses && write_responses(r, o->responses, e))
		return -1;
	if (o->output &&
	    (is_sheet(o->output) ? write_sheet(r, o->output, e) : draw(r, o->output, target, e)))
		return -1;
	return (o->json ? print_json : print_text)(r, out, e);
}

int
cmd_validate(const struct options *o, FILE *out, struct error *e)
{
	struct setup	 s;
	struct measured	 m = { 0 };
	struct result	 r = { .device = o->device, .m = &m };
	enum plot_target target = PLOT_SVG;
	int		 failed;

	if (check(o, &target, e) || setup_device(&s, o, e))
		return -1;
	failed = load(&m, &s.config, o, e);
	if (!failed)
		failed = compare(&r, &s.config, o->calibrate, e);
	if (!failed)
		failed = report(&r, o, target, out, e);
	comparison_release(&r.before);
	comparison_release(&r.now);
	calibration_release(&r.fit);
	free(r.service);
	measured_release(&m);
	setup_release(&s);
	return failed;
}
