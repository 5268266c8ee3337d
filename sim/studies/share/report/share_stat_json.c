/* share_stat_json.c - what a program of shared memory has, for programs. */
#include "sim/report/json.h"
#include "sim/studies/share/report/share_stat.h"

static bool
add_number(cJSON *list, uint64_t n)
{
	return cJSON_AddItemToArray(list, cJSON_CreateNumber((double)n));
}

/* ---- requests ---- */

static bool
add_requesters(const struct request_size *z, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "processors");
	bool   ok = list;

	for (uint64_t who = z->processors; ok && who; who &= who - 1)
		ok = add_number(list, (uint64_t)__builtin_ctzll(who));
	return ok;
}

static bool
add_runs(const struct summary *s, const struct request_size *z, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "runs");
	bool   ok = list;

	for (uint32_t i = 0; ok && i < z->nruns; i++)
		ok = add_number(list, s->run[z->first_run + i].length);
	return ok;
}

static bool
add_requests(const struct summary *s, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "requests");
	bool   ok = list;

	for (uint32_t i = 0; ok && i < s->nsizes; i++) {
		const struct request_size *z = &s->size[i];
		cJSON			  *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && json_count(item, "bytes", z->bytes) &&
		    json_count(item, "objects", z->objects) && add_requesters(z, item) &&
		    add_runs(s, z, item);
	}
	return ok;
}

/* ---- sharing ---- */

static bool
add_degrees(const char *name, const uint64_t *by, unsigned processors, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, name);
	bool   ok = list;

	for (unsigned i = 0; ok && i <= processors; i++)
		ok = add_number(list, by[i]);
	return ok;
}

/* The n-th element: referenced by n processors. */
static bool
add_sharing(const struct summary *s, unsigned processors, cJSON *to)
{
	cJSON *item = cJSON_AddObjectToObject(to, "referenced_by");

	return item && add_degrees("objects", s->objects_by, processors, item) &&
	    add_degrees("words", s->words_by, processors, item) &&
	    add_degrees("pages", s->pages_by, processors, item);
}

/* ---- processors ---- */

static bool
add_counts(const struct processor_summary *o, cJSON *to)
{
	return json_count(to, "references", o->references) && json_count(to, "writes", o->writes) &&
	    json_count(to, "locks", o->locks) && json_count(to, "barriers", o->barriers) &&
	    json_count(to, "posts", o->posts) && json_count(to, "waits", o->waits);
}

static bool
add_processors(const struct summary *s, unsigned processors, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "by_processor");
	bool   ok = list;

	for (unsigned i = 0; ok && i < processors; i++) {
		const struct processor_summary *o = &s->of[i];
		cJSON			       *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && add_counts(o, item) &&
		    json_count(item, "requests", o->requests) &&
		    json_count(item, "objects", o->objects) &&
		    json_count(item, "words", o->words) && json_count(item, "pages", o->pages);
	}
	return ok;
}

int
share_stat_json(const struct summary *s, const struct program *p, uint32_t page_bytes, FILE *out,
    struct error *e)
{
	cJSON *o = cJSON_CreateObject();

	return json_print(o,
	    o && cJSON_AddStringToObject(o, "trace", p->name) &&
		cJSON_AddStringToObject(o, "problem", p->problem) &&
		json_count(o, "processors", p->processors) &&
		json_count(o, "word_bytes", p->word_bytes) && add_counts(&s->all, o) &&
		json_count(o, "objects", p->nobjects) && json_count(o, "object_bytes", s->bytes) &&
		json_count(o, "words", p->nwords) && json_count(o, "page_bytes", page_bytes) &&
		json_count(o, "pages", s->pages) && add_requests(s, o) &&
		add_sharing(s, p->processors, o) && add_processors(s, p->processors, o),
	    out, e);
}
