/* kernel_rule.c - find the version; measure the window, and large folios by the rule that agrees better. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/host/live/forecast.h"
#include "sim/host/live/kernel_rule.h"
#include "sim/host/live/performer.h"
#include "sim/host/live/scratch.h"
#include "sim/host/live/window.h"
#include "sim/registry.h"

/* ---- parameters ---- */

/* The value of the parameter of that name; NULL: it has none. */
static const char *
value_of(const struct kernel_rule *r, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = strstr(r->params, name); p; p = strstr(p + 1, name))
		if ((p == r->params || p[-1] == ',') && p[n] == '=')
			return p + n + 1;
	return NULL;
}

/* The parameter of that name, if the prefetcher has it and the user has not set it; else NULL. */
static const struct param *
lacks(const struct kernel_rule *r, const char *name)
{
	for (const struct param *q = r->prefetcher->plugin.params; q && q->name; q++)
		if (!strcmp(q->name, name))
			return value_of(r, name) ? NULL : q;
	return NULL;
}

static void
add_param(struct kernel_rule *r, const char *name, const char *value)
{
	size_t used = strlen(r->params);

	snprintf(r->params + used, sizeof(r->params) - used, "%s%s=%s", used ? "," : "", name,
	    value);
}

static void
add_number(struct kernel_rule *r, const char *name, uint64_t n)
{
	const struct param *q = lacks(r, name);
	char		    value[NUMBER_TEXT];

	if (!q)
		return;
	n = n < q->min ? q->min : n > q->max ? q->max : n;
	add_param(r, name, q->words ? q->words[n] : number_format(value, n, PARAM_COUNT));
}

/* The settings of the device, behind what was typed. */
static void
add_device(struct kernel_rule *r)
{
	r->params[r->typed] = '\0';
	if (!value_of(r, "kb"))
		add_number(r, "pages", r->host.ra_pages);
	add_number(r, "io_pages", r->host.io_pages);
}

/* Are the parameters valid together? */
static int
check_params(const struct kernel_rule *r, const struct trace *calls, struct error *e)
{
	struct forecast f;

	if (forecast_init(&f, calls, r->prefetcher, r->params, e))
		return -1;
	forecast_release(&f);
	return 0;
}

static int
choose(struct kernel_rule *r, const char *name, struct error *e)
{
	struct choice c;
	const char   *params;

	if (registry_choose(PLUGIN_PREFETCHER, name, &c, e))
		return -1;
	r->prefetcher = prefetcher_of(&c);
	params = c.params ? c.params : "";
	choice_release(&c);
	if (r->prefetcher->plugin.around)
		return error_usage(e, "%s is not the readahead of a kernel", name);
	if (strlen(params) >= sizeof(r->params) / 2)
		return error_usage(e, "the parameters are too long");
	snprintf(r->params, sizeof(r->params), "%s", params);
	return 0;
}

int
kernel_rule_init(struct kernel_rule *r, const char *dir, const char *name,
    const struct trace *calls, struct error *e)
{
	const struct param *version;

	host_init(&r->host, dir);
	if (choose(r, name ? name : "ondemand", e))
		return name ? error_prefix(e, "--prefetch") : -1;
	version = lacks(r, "version");
	if (version && !name)
		add_param(r, "version",
		    version->words[host_version(&r->host, version->words,
			(unsigned)version->max + 1)]);
	r->typed = strlen(r->params);
	add_device(r);
	return check_params(r, calls, e) ? error_prefix(e, "--prefetch") : 0;
}

/* ---- the window ---- */

/* A number among the parameters; false: there is none.  *typed: by the user. */
static bool
number_of(const struct kernel_rule *r, const char *name, uint32_t *n, bool *typed)
{
	const char *value = value_of(r, name);

	if (!value || sscanf(value, "%" SCNu32, n) != 1)
		return false;
	*typed = value < r->params + r->typed;
	return true;
}

bool
kernel_rule_window(const struct kernel_rule *r, uint32_t *pages, enum host_from *from)
{
	bool typed;

	if (number_of(r, "kb", pages, &typed))
		*pages /= SCRATCH_PAGE >> 10;
	else if (!number_of(r, "pages", pages, &typed))
		return false;
	*from = typed ? HOST_TYPED : r->host.ra_from;
	return true;
}

bool
kernel_rule_request(const struct kernel_rule *r, uint32_t *pages, enum host_from *from)
{
	bool typed;

	if (!number_of(r, "io_pages", pages, &typed))
		return false;
	*from = typed ? HOST_TYPED : r->host.io_from;
	return true;
}

static void
measure_window(struct kernel_rule *r, const char *dir)
{
	struct host   *h = &r->host;
	struct error   why = { 0 };
	enum host_from from;
	uint32_t       pages;
	size_t	       used = strlen(h->why);

	if (!kernel_rule_window(r, &pages, &from) || from != HOST_ASSUMED)
		return;
	if (window_measure(dir, &pages, &why)) {
		snprintf(h->why + used, sizeof(h->why) - used, ", and %s", why.text);
		return;
	}
	h->ra_pages = pages;
	h->ra_from = HOST_MEASURED;
	add_device(r);
}

/* ---- large folios ---- */

/* A version before large folios has none. */
static bool
may_be_large(const struct kernel_rule *r, const struct trace *calls)
{
	struct kernel_rule large = *r;
	struct error	   none = { 0 };

	if (!lacks(r, "large"))
		return false;
	add_number(&large, "large", 1);
	return !check_params(&large, calls, &none);
}

/* Have exactly the pages come that call i was predicted to read? */
static bool
agrees(const struct forecast *f, size_t i, const struct scratch *s, block_t base)
{
	size_t	       n, came = 0, met = 0;
	const block_t *predicted = forecast_of(f, i, &n);

	for (uint32_t k = s->first; k < s->end; k++)
		came += scratch_came(s, k);
	for (size_t k = 0; k < n; k++)
		met += scratch_came(s, predicted[k] - base);
	return met == n && met == came;
}

/* Read, and count the calls at which each of the two rules has predicted the pages. */
static int
count_agreed(const struct trace *calls, struct scratch *s, const struct forecast with[2],
    size_t agreed[2], struct error *e)
{
	int fd = scratch_open(s, e), failed = fd < 0;

	for (size_t i = 0; !failed && i < calls->naccess; i++) {
		const struct access *a = &calls->access[i];

		failed =
		    scratch_read(fd, a->offset, a->length, e) || scratch_look(s, 0, s->npages, e);
		for (unsigned large = 0; !failed && large < 2; large++)
			agreed[large] += agrees(&with[large], i, s, calls->file[0].base);
	}
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

static int
compare(const struct trace *calls, const char *dir, const struct forecast with[2], bool *large,
    struct error *e)
{
	struct scratch s;
	size_t	       agreed[2] = { 0 };
	int	       failed;

	if (scratch_init(&s, dir, calls->file[0].bytes, e))
		return -1;
	failed = count_agreed(calls, &s, with, agreed, e);
	scratch_release(&s);
	*large = agreed[1] >= agreed[0];
	return failed;
}

int
kernel_rule_measure(struct kernel_rule *r, const char *dir, const struct trace *calls,
    struct error *e)
{
	struct forecast with[2] = { 0 };
	bool		large = false;
	int		failed = 0;

	measure_window(r, dir);
	if (!may_be_large(r, calls))
		return 0;
	if (performer_check(calls, dir, e))
		return -1;
	for (unsigned i = 0; !failed && i < 2; i++) {
		struct kernel_rule one = *r;

		add_number(&one, "large", i);
		failed = forecast_init(&with[i], calls, one.prefetcher, one.params, e);
	}
	if (!failed)
		failed = compare(calls, dir, with, &large, e);
	for (unsigned i = 0; i < 2; i++)
		forecast_release(&with[i]);
	add_number(r, "large", large);
	return failed;
}

int
kernel_rule_fault(struct kernel_rule *r, struct error *e)
{
	if (!strcmp(r->prefetcher->plugin.name, "none") || strstr(r->params, "by=fault"))
		return 0;
	if (!lacks(r, "by"))
		return error_usage(e,
		    "--by fault: only ondemand models page faults: name it with --prefetch");
	add_param(r, "by", "fault");
	return 0;
}
