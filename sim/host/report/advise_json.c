/* advise_json.c - the recommendation and what was tried, for programs. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/memo.h"
#include "sim/host/report/advise_report.h"
#include "sim/report/json.h"

/* ---- a setting ---- */

static bool
add_advice(const struct advise *a, const struct setting *s, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "advice");
	bool   ok = list;

	for (unsigned i = 0; ok && i < a->attempts.nfiles; i++) {
		const struct file *f = &a->attempts.t->file[a->attempts.file[i]];
		cJSON		  *item;

		if (!s->advice[i])
			continue;
		item = cJSON_CreateObject();
		ok = cJSON_AddItemToArray(list, item) &&
		    (f->name ? cJSON_AddStringToObject(item, "file", f->name)
			     : cJSON_AddNullToObject(item, "file")) &&
		    json_count(item, "inode", f->inode) &&
		    cJSON_AddStringToObject(item, "advice", advise_kind(s->advice[i]));
	}
	return ok;
}

static bool
add_setting(const struct advise_report *r, const struct setting *s, uint64_t us, cJSON *to)
{
	char prefetcher[PREFETCHER_TEXT], request[NUMBER_TEXT];

	setting_prefetcher(&r->advise->attempts, s, prefetcher);
	snprintf(request, sizeof(request), "%" PRIu32 "b", s->request_blocks);
	return cJSON_AddStringToObject(to, "prefetcher", prefetcher) &&
	    cJSON_AddStringToObject(to, "policy", r->options->policy) &&
	    cJSON_AddStringToObject(to, "scheduler",
		kernel_model((enum kernel_scheduler)s->scheduler)) &&
	    cJSON_AddStringToObject(to, "request", request) && json_count(to, "elapsed_us", us);
}

/* ---- lines ---- */

static bool
add_command(const struct advise *a, const struct proposal *p, const struct line *l, unsigned i,
    cJSON *list)
{
	struct error ignored;
	struct memo  m;
	bool	     ok;

	if (memo_open(&m, &ignored))
		return false;
	advise_command(a, p, l, i, m.out);
	if (memo_close(&m, &ignored))
		return false;
	ok = cJSON_AddItemToArray(list, cJSON_CreateString(m.text));
	free(m.text);
	return ok;
}

static bool
add_commands(const struct advise *a, const struct proposal *p, const struct line *l, cJSON *list)
{
	bool ok = list;

	for (unsigned i = 0; ok && i < advise_ncommands(a, l); i++)
		ok = add_command(a, p, l, i, list);
	return ok;
}

static bool
add_flips(const struct advise *a, const struct proposal *p, const struct line *l, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "flips");
	bool   ok = list;

	for (unsigned i = NEARBY_LESS; ok && i < a->attempts.nnearby; i++)
		if (line_flips(p, l, i)) {
			cJSON *item = cJSON_CreateObject();

			ok = cJSON_AddItemToArray(list, item) &&
			    cJSON_AddStringToObject(item, "with",
				nearby_name(a->attempts.nearby, i)) &&
			    json_count(item, "costs_us", p->us[i] - l->without_us[i]);
		}
	return ok;
}

/* How to make the window last. */
static bool
add_lasts(const struct advise *a, const struct proposal *p, const struct line *l, cJSON *to)
{
	struct error ignored;
	struct memo  m;
	bool	     ok;

	if (l->kind != LINE_WINDOW)
		return true;
	if (memo_open(&m, &ignored))
		return false;
	backing_lasting(&a->backing, p->setting.window_kb, m.out);
	if (memo_close(&m, &ignored))
		return false;
	ok = cJSON_AddStringToObject(to, "lasts", m.text) &&
	    cJSON_AddStringToObject(to, "lasts_where", backing_lasts_where(&a->backing));
	free(m.text);
	return ok;
}

static bool
add_lines(const struct advise *a, const struct proposal *p, cJSON *to)
{
	cJSON *commands = cJSON_AddArrayToObject(to, "commands");
	cJSON *lines = cJSON_AddArrayToObject(to, "lines");
	bool   ok = commands && lines;

	for (unsigned i = 0; ok && i < p->nlines; i++) {
		const struct line *l = &p->line[i];
		cJSON		  *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(lines, item) && add_commands(a, p, l, commands) &&
		    add_commands(a, p, l, cJSON_AddArrayToObject(item, "commands")) &&
		    add_lasts(a, p, l, item) &&
		    json_count(item, "saves_us", l->without_us[0] - p->us[0]) &&
		    add_flips(a, p, l, item);
	}
	return ok;
}

static bool
add_confirm(const struct advise_report *r, const struct setting *s, cJSON *to)
{
	struct error ignored;
	struct memo  m;
	bool	     ok;

	if (memo_open(&m, &ignored))
		return false;
	advise_confirm(r, s, m.out);
	if (memo_close(&m, &ignored))
		return false;
	ok = cJSON_AddStringToObject(to, "confirm", m.text);
	free(m.text);
	return ok;
}

/* ---- machines ---- */

static bool
add_times(const struct advise *a, const uint64_t us[NEARBY_MAX], cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "nearby");
	bool   ok = list;

	for (unsigned i = NEARBY_LESS; ok && i < a->attempts.nnearby; i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    cJSON_AddStringToObject(item, "with", nearby_name(a->attempts.nearby, i)) &&
		    json_count(item, "as_it_is_us", a->as_is_us[i]) &&
		    json_count(item, "elapsed_us", us[i]);
	}
	return ok;
}

/* ---- all of it ---- */

/* A proposal; without lines, Linux as it comes. */
static bool
add_proposal(const struct advise_report *r, const struct proposal *p, cJSON *to)
{
	const struct advise  *a = r->advise;
	const struct setting *s = p->nlines ? &p->setting : &a->as_is;
	const uint64_t	     *us = p->nlines ? p->us : a->as_is_us;

	return to && add_setting(r, s, us[0], to) && add_advice(a, s, to) &&
	    json_count(to, "saves_us", a->as_is_us[0] - us[0]) && add_lines(a, p, to) &&
	    add_confirm(r, s, to) && add_times(a, us, to);
}

static bool
add_candidates(const struct advise_report *r, cJSON *to)
{
	const struct advise *a = r->advise;
	cJSON		    *list = cJSON_AddArrayToObject(to, "candidates");
	bool		     ok = list;

	for (size_t i = 0; ok && i < a->nranked; i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    add_setting(r, &a->ranked[i].setting, a->ranked[i].us, item);
	}
	return ok;
}

static bool
add_head(const struct advise_report *r, cJSON *to)
{
	const struct attempts *m = &r->advise->attempts;

	return to && cJSON_AddStringToObject(to, "trace", m->t->name) &&
	    cJSON_AddStringToObject(to, "device", r->options->device) &&
	    json_count(to, "cache_blocks", m->nearby[NEARBY_GIVEN].cache_blocks) &&
	    cJSON_AddStringToObject(to, "kernel", m->kernel.version) &&
	    json_count(to, "runs", m->n) &&
	    cJSON_AddBoolToObject(to, "leave_as_it_is", !advise_best(r->advise));
}

int
advise_json(const struct advise_report *r, FILE *out, struct error *e)
{
	const struct advise *a = r->advise;
	cJSON		    *o = cJSON_CreateObject(), *as_is;
	bool		     ok = add_head(r, o);

	as_is = ok ? cJSON_AddObjectToObject(o, "as_it_is") : NULL;
	ok = as_is && add_setting(r, &a->as_is, a->as_is_us[0], as_is) &&
	    add_proposal(r, &a->settings, cJSON_AddObjectToObject(o, "recommendation"));
	if (ok && a->with_advice.nlines)
		ok = add_proposal(r, &a->with_advice, cJSON_AddObjectToObject(o, "with_advice"));
	else
		ok = ok && cJSON_AddNullToObject(o, "with_advice");
	return json_print(o, ok && add_candidates(r, o), out, e);
}
