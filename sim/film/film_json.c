/* film_json.c - lists of rows. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/film/film_json.h"
#include "sim/film/film_words.h"
#include "sim/report/json.h"

enum { COLUMNS = 8 + SERVICE_PARTS };

/* ---- rows ---- */

static bool
add_row(cJSON *to, const uint64_t *column, unsigned n)
{
	char   text[COLUMNS * NUMBER_TEXT];
	size_t used = 0;

	for (unsigned i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%c%" PRIu64,
		    i ? ',' : '[', column[i]);
	snprintf(text + used, sizeof(text) - used, "]");
	return cJSON_AddItemToArray(to, cJSON_CreateRaw(text));
}

#define ADD_ROW(to, ...)                                                                           \
	add_row(to, (const uint64_t[]){ __VA_ARGS__ },                                             \
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static bool
add_spans(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "spans");
	bool   ok = list;

	for (size_t i = 0; ok && i < f->nspans; i++) {
		const struct film_span *s = &f->span[i];

		ok = s->to <= s->from ||
		    ADD_ROW(list, s->process, s->act, (uint64_t)s->from, (uint64_t)s->to);
	}
	return ok;
}

static bool
add_calls(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "calls");
	bool   ok = list;

	for (size_t i = 0; ok && i < f->ncall; i++) {
		const struct film_call *c = &f->call[i];

		ok = ADD_ROW(list, c->number, c->process, (uint64_t)c->begin, (uint64_t)c->end,
		    c->access->write, access_block(f->t, c->access), access_count(f->t, c->access));
	}
	return ok;
}

static bool
add_requests(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "requests");
	bool   ok = list;

	for (size_t i = 0; ok && i < f->nrequests; i++) {
		const struct film_request *r = &f->request[i];
		uint64_t column[COLUMNS] = { r->number, r->block, r->count, r->demanded, r->use,
			(uint64_t)r->queued, (uint64_t)r->started, (uint64_t)r->done };

		for (unsigned k = 0; k < SERVICE_PARTS; k++)
			column[COLUMNS - SERVICE_PARTS + k] = (uint64_t)r->part[k];
		ok = add_row(list, column, COLUMNS);
	}
	return ok;
}

static bool
add_late(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "late");
	bool   ok = list;

	for (size_t i = 0; ok && i < f->nlate; i++)
		ok = ADD_ROW(list, (uint64_t)f->late[i].when, f->late[i].process,
		    f->late[i].request);
	return ok;
}

static bool
add_events(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "events");
	bool   ok = list;

	for (size_t i = 0; ok && i < f->nevents; i++) {
		const struct film_event *v = &f->event[i];

		ok = ADD_ROW(list, (uint64_t)v->when, v->block, v->count, v->fate);
	}
	return ok;
}

/* Neighbours that come and go at the same time are one row. */
static bool
add_stays(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "stays");
	bool   ok = list;

	for (size_t i = 0, n; ok && i < f->nstays; i += n) {
		const struct film_stay *y = &f->stay[i];

		n = film_stays_alike(f, i);
		ok = y->to <= y->from ||
		    ADD_ROW(list, y->block, n, (uint64_t)y->from, (uint64_t)y->to);
	}
	return ok;
}

/* ---- names and sums ---- */

static bool
add_word(cJSON *list, const char *word, const char *what, const char *sum, uint64_t n)
{
	cJSON *item = cJSON_CreateObject();

	return cJSON_AddItemToArray(list, item) && cJSON_AddStringToObject(item, "word", word) &&
	    (!what || cJSON_AddStringToObject(item, "name", what)) && json_count(item, sum, n);
}

static bool
add_words(const struct film *f, cJSON *to)
{
	cJSON *acts = cJSON_AddArrayToObject(to, "acts");
	cJSON *parts = cJSON_AddArrayToObject(to, "parts");
	cJSON *uses = cJSON_AddArrayToObject(to, "uses");
	cJSON *fates = cJSON_AddArrayToObject(to, "fates");
	bool   ok = acts && parts && uses && fates;

	for (unsigned i = 0; ok && i < WAITS; i++)
		ok = add_word(acts, wait_info[i].word, wait_info[i].what, "us", f->act_us[i]);
	ok = ok && add_word(acts, "think", "thinking", "us", f->act_us[FILM_THINK]);
	if (f->act_us[FILM_CPU])
		ok = ok &&
		    add_word(acts, wait_info[CAUSE_CPU].word, wait_info[CAUSE_CPU].what, "us",
			f->act_us[FILM_CPU]);
	for (unsigned i = 0; ok && i < SERVICE_PARTS; i++)
		ok = add_word(parts, film_part_word[i], NULL, "us", f->part_us[i]);
	for (unsigned i = 0; ok && i < FILM_USES; i++)
		ok = add_word(uses, film_use_word[i], NULL, "requests", f->used[i]);
	for (unsigned i = 0; ok && i < FILM_FATES; i++)
		ok = add_word(fates, film_fate_words[i].word, film_fate_words[i].what, "blocks",
		    f->blocks[i]);
	return ok;
}

static bool
add_processes(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "processes");
	bool   ok = list;
	char   name[FILM_NAME];

	for (uint32_t i = 0; ok && i < f->nprocesses; i++) {
		const struct film_process *p = &f->process[i];
		cJSON			  *item;

		if (!p->acts)
			continue;
		item = cJSON_CreateObject();
		ok = cJSON_AddItemToArray(list, item) && json_count(item, "number", i) &&
		    cJSON_AddStringToObject(item, "name", film_process_name(f, i, name)) &&
		    json_count(item, "pid", p->traced->pid);
	}
	return ok;
}

/* ---- files ---- */

static void
mark(const struct film *f, block_t first, uint32_t count, bool *seen)
{
	for (file_t i = trace_file(f->t, first);
	     i < f->t->nfiles && f->t->file[i].base < first + count; i++)
		seen[i] = true;
}

/* [files]: has it a block in the film?  For free(). */
static bool *
find_files(const struct film *f)
{
	bool *seen = calloc((size_t)f->t->nfiles + 1, sizeof(*seen));

	for (size_t i = 0; seen && i < f->ncall; i++)
		mark(f, access_block(f->t, f->call[i].access),
		    access_count(f->t, f->call[i].access), seen);
	for (size_t i = 0; seen && i < f->nrequests; i++)
		mark(f, f->request[i].block, f->request[i].count, seen);
	for (size_t i = 0; seen && i < f->nevents; i++)
		mark(f, f->event[i].block, f->event[i].count, seen);
	for (size_t i = 0; seen && i < f->nstays; i++)
		mark(f, f->stay[i].block, 1, seen);
	return seen;
}

static bool
add_file(const struct file *f, cJSON *list)
{
	cJSON *item = cJSON_CreateObject();

	return cJSON_AddItemToArray(list, item) && json_count(item, "inode", f->inode) &&
	    (!f->name || cJSON_AddStringToObject(item, "name", f->name)) &&
	    json_count(item, "first", f->base) && json_count(item, "blocks", f->nblocks);
}

static bool
add_files(const struct film *f, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "files");
	bool  *seen = find_files(f);
	bool   ok = list && seen;

	for (file_t i = 0; ok && i < f->t->nfiles; i++)
		ok = !seen[i] || add_file(&f->t->file[i], list);
	free(seen);
	return ok;
}

/* ---- all ---- */

static bool
add_picture(const struct film *f, const char *trace, const char *setting, cJSON *to)
{
	struct error e;
	char	    *title = film_heading(f, trace, &e);
	bool	     ok = title && cJSON_AddStringToObject(to, "trace", trace) &&
	    cJSON_AddStringToObject(to, "title", title) &&
	    cJSON_AddStringToObject(to, "setting", setting) && json_count(to, "first", f->first) &&
	    json_count(to, "last", f->first + f->ncall - 1) &&
	    json_count(to, "begin", (uint64_t)f->begin) &&
	    json_count(to, "end", (uint64_t)f->end) &&
	    cJSON_AddBoolToObject(to, "programs", f->programs);

	free(title);
	return ok;
}

int
film_json(const struct film *f, const char *trace, const char *setting, struct picture *to,
    struct error *e)
{
	cJSON *o = cJSON_CreateObject();

	return json_picture(o,
	    o && add_picture(f, trace, setting, o) && add_words(f, o) && add_processes(f, o) &&
		add_files(f, o) && add_spans(f, o) && add_calls(f, o) && add_requests(f, o) &&
		add_late(f, o) && add_events(f, o) && add_stays(f, o),
	    to, e);
}
