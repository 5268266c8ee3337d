/* replay_data.c - a replay and its prediction, for programs. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/host/report/replay_classes.h"
#include "sim/report/json.h"

enum { ROW_ROOM = 128, NAME_ROOM = 768 };

/* ---- columns ---- */

enum cell_kind { CELL_NULL, CELL_TEXT, CELL_COUNT, CELL_US };

struct cell {
	const char    *name;
	enum cell_kind kind;
	const char    *text;
	uint64_t       n;
	double	       us;
};

/* Room for all columns. */
struct row {
	struct cell cell[48];
	unsigned    n;
	char	    prefetcher[NAME_ROOM];
};

static void
add_text(struct row *w, const char *name, const char *text)
{
	w->cell[w->n++] =
	    (struct cell){ .name = name, .kind = text ? CELL_TEXT : CELL_NULL, .text = text };
}

static void
add_count(struct row *w, const char *name, uint64_t n, bool known)
{
	w->cell[w->n++] =
	    (struct cell){ .name = name, .kind = known ? CELL_COUNT : CELL_NULL, .n = n };
}

static void
add_us(struct row *w, const char *name, double us, bool known)
{
	w->cell[w->n++] =
	    (struct cell){ .name = name, .kind = known ? CELL_US : CELL_NULL, .us = us };
}

/* The window and the request that the prediction has, and where they are from. */
static void
add_device(struct row *w, const struct replay_report *r)
{
	const struct host *h = r->host;
	uint32_t	   window = 0, request = h->io_pages;
	enum host_from	   from = h->io_from, window_from = HOST_ASSUMED;
	bool		   known = r->rule && kernel_rule_window(r->rule, &window, &window_from);

	if (r->rule)
		kernel_rule_request(r->rule, &request, &from);
	add_count(w, "window_pages", window, known);
	add_text(w, "window_from", known ? host_from_word[window_from] : NULL);
	add_count(w, "request_pages", request, true);
	add_text(w, "request_from", host_from_word[from]);
	add_text(w, "why_not_sysfs", *h->why ? h->why : NULL);
}

static void
add_settings(struct row *w, const struct replay_report *r)
{
	snprintf(w->prefetcher, sizeof(w->prefetcher), "%s%s%s",
	    r->rule ? r->rule->prefetcher->plugin.name : "none",
	    r->rule && *r->rule->params ? ":" : "", r->rule ? r->rule->params : "");
	add_text(w, "trace", r->calls->name);
	add_text(w, "advice", r->how->random ? "random" : "normal");
	add_text(w, "memory", r->how->warm ? "warm" : "cold");
	add_text(w, "replay", r->how->by_process ? "process" : "serial");
	add_us(w, "think_scale", r->how->think_scale, true);
	add_count(w, "cache_pages", r->cache_pages, r->policy);
	add_text(w, "policy", r->policy);
	add_text(w, "device", r->device);
	add_text(w, "prefetcher", w->prefetcher);
	add_device(w, r);
	add_text(w, "kernel", r->host->release);
	add_text(w, "file_system", *r->host->type ? r->host->type : NULL);
	add_count(w, "calls", r->calls->naccess, true);
}

static void
add_pages(struct row *w, const struct replay_report *r)
{
	struct round_counts read = rounds_counts(r->rounds, round_pages_read);
	bool		    known = replay_counts_pages(r);

	add_count(w, "pages_read", read.median, known);
	add_count(w, "pages_read_min", read.least, known);
	add_count(w, "pages_read_max", read.greatest, known);
	add_count(w, "predicted_pages_read", r->predicted->pages_read, true);
	add_count(w, "resident_pages", rounds_counts(r->rounds, round_resident_pages).median, true);
	add_count(w, "predicted_resident_pages", r->predicted->resident_pages,
	    r->predicted->resident_pages != PREDICT_UNKNOWN);
}

static void
add_times(struct row *w, const struct replay_report *r)
{
	const struct rounds	*all = r->rounds;
	const struct round	*median = rounds_median(all);
	const struct prediction *p = r->predicted;

	add_us(w, "elapsed_us", median->us, true);
	add_us(w, "elapsed_min_us", all->round[0].us, true);
	add_us(w, "elapsed_max_us", all->round[all->n - 1].us, true);
	add_count(w, "predicted_elapsed_us", p->stats.elapsed_us, p->timed);
	add_count(w, "predicted_think_us", p->stats.think_us, p->timed);
	add_count(w, "predicted_cpu_us", p->stats.cpu_us, p->timed);
	add_count(w, "predicted_stall_us", p->stats.stall_us, p->timed);
	add_count(w, "runs", all->n, true);
	add_count(w, "rejected_runs", all->rejected, true);
	add_count(w, "lost_pages", rounds_counts(all, round_lost_pages).greatest, true);
	add_us(w, "waited_us", median->times.waited_us, true);
	add_us(w, "cpu_us", median->times.cpu_us, true);
	add_count(w, "real_time", r->real_time, true);
}

static void
add_classes(struct row *w, const struct replay_report *r)
{
	static const char *const predicted[REPLAY_CLASSES] = { "predicted_calls_20us",
		"predicted_calls_200us", "predicted_calls_1ms", "predicted_calls_longer" };
	struct replay_classes	 c = replay_classes_of(r);

	for (unsigned i = 0; i < REPLAY_CLASSES; i++)
		add_count(w, replay_class_info[i].column, c.measured[i], true);
	for (unsigned i = 0; i < REPLAY_CLASSES; i++)
		add_count(w, predicted[i], c.predicted[i], r->predicted->timed);
}

static void
fill(struct row *w, const struct replay_report *r)
{
	w->n = 0;
	add_settings(w, r);
	add_pages(w, r);
	add_times(w, r);
	add_classes(w, r);
}

/* ---- CSV and JSON ---- */

static void
print_cell(const struct cell *c, FILE *out)
{
	if (c->kind == CELL_TEXT)
		csv_text(c->text, out);
	else if (c->kind == CELL_COUNT)
		fprintf(out, "%" PRIu64, c->n);
	else if (c->kind == CELL_US)
		fprintf(out, "%.9g", c->us);
}

void
replay_csv(const struct replay_report *r, FILE *out)
{
	struct row w;

	fill(&w, r);
	for (unsigned i = 0; i < w.n; i++)
		fprintf(out, "%s%s", i ? "," : "", w.cell[i].name);
	putc('\n', out);
	for (unsigned i = 0; i < w.n; i++) {
		if (i)
			putc(',', out);
		print_cell(&w.cell[i], out);
	}
	putc('\n', out);
}

static bool
add_cell(cJSON *to, const struct cell *c)
{
	switch (c->kind) {
	case CELL_TEXT:
		return cJSON_AddStringToObject(to, c->name, c->text);
	case CELL_COUNT:
		return json_count(to, c->name, c->n);
	case CELL_US:
		return json_decimal(to, c->name, c->us);
	default:
		return cJSON_AddNullToObject(to, c->name);
	}
}

int
replay_json(const struct replay_report *r, FILE *out, struct error *e)
{
	cJSON	  *o = cJSON_CreateObject();
	struct row w;
	bool	   good = o;

	fill(&w, r);
	for (unsigned i = 0; good && i < w.n; i++)
		good = add_cell(o, &w.cell[i]);
	return json_print(o, good, out, e);
}

/* ---- each call ---- */

int
replay_responses(const struct replay_report *r, struct output *to, struct error *e)
{
	static const char head[] = "call,bytes,measured_us,predicted_us\n";
	const float	 *us = rounds_median(r->rounds)->times.call_us;
	int		  failed = output_bytes(to, head, sizeof(head) - 1, e);

	for (size_t i = 0; !failed && i < r->calls->naccess; i++) {
		char	 row[ROW_ROOM];
		unsigned n = (unsigned)snprintf(row, sizeof(row), "%zu,%u,%.2f,", i + 1,
		    r->calls->access[i].length, (double)us[i]);

		if (r->predicted->timed)
			n += (unsigned)snprintf(row + n, sizeof(row) - n, "%" PRId64,
			    r->predicted->response[i].us);
		row[n++] = '\n';
		failed = output_bytes(to, row, n, e);
	}
	return failed;
}
