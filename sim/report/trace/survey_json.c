/* survey_json.c - keys of JSON: those of figures.def, then lists. */
#include <inttypes.h>

#include "sim/report/json.h"
#include "sim/report/notes.h"
#include "sim/report/trace/survey_json.h"

char *
survey_hex(char buf[CHECKSUM_TEXT], uint64_t sum)
{
	snprintf(buf, CHECKSUM_TEXT, "%016" PRIx64, sum);
	return buf;
}

static bool
add_figures(const struct survey *v, cJSON *to)
{
	bool ok = true;

	for (const struct figure_info *i = figure_info; ok && i->name; i++)
		ok = json_count(to, i->name,
		    *(const uint64_t *)(const void *)((const char *)&v->n + i->offset));
	return ok;
}

/* Without values, all but their number is null. */
static bool
add_number(cJSON *to, const char *name, const struct spread *s, uint64_t value)
{
	return s->n ? json_count(to, name, value) : cJSON_AddNullToObject(to, name) != NULL;
}

static bool
add_spread(const struct spread *s, const char *name, cJSON *to)
{
	cJSON *item = cJSON_AddObjectToObject(to, name);
	char   key[16];
	bool   ok = item && json_count(item, "n", s->n) &&
	    (s->n ? json_decimal(item, "mean", s->mean)
		  : cJSON_AddNullToObject(item, "mean") != NULL) &&
	    add_number(item, "least", s, s->least);

	for (unsigned i = 0; ok && i < SPREAD_PERCENTILES; i++) {
		snprintf(key, sizeof(key), "p%u", spread_percentile[i]);
		ok = add_number(item, key, s, s->at[i]);
	}
	return ok && add_number(item, "greatest", s, s->greatest);
}

static bool
add_spreads(const struct survey *v, cJSON *to)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < DISTRIBUTIONS; i++)
		ok = i == SPREAD_reuse_distance_blocks && !v->distances
		    ? cJSON_AddNullToObject(to, distribution_info[i].name) != NULL
		    : add_spread(&v->spread[i], distribution_info[i].name, to);
	return ok;
}

bool
survey_classes_json(const struct class_total total[CALL_CLASSES], cJSON *to)
{
	cJSON *object = cJSON_AddObjectToObject(to, "classes");
	bool   ok = object;

	for (unsigned i = 0; ok && i < CALL_CLASSES; i++) {
		const struct class_total *n = &total[class_order[i]];
		cJSON *item = cJSON_AddObjectToObject(object, class_names[class_order[i]]);

		ok = item && json_count(item, "references", n->references) &&
		    json_count(item, "blocks", n->blocks) && json_count(item, "runs", n->runs) &&
		    json_count(item, "run_blocks", n->run_blocks);
	}
	return ok;
}

static bool
add_sizes(const struct survey *v, uint64_t top, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "call_lengths");
	bool   ok = list;

	for (uint32_t i = 0; ok && i < number_top(v->nsizes, top); i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    json_count(item, "bytes", v->size[i].bytes) &&
		    json_count(item, "calls", v->size[i].calls);
	}
	return ok;
}

static bool
add_part(const struct survey *v, const struct survey_part *p, const char *first, cJSON *to)
{
	return json_count(to, "calls", p->reads + p->writes) && json_count(to, "reads", p->reads) &&
	    json_count(to, "writes", p->writes) &&
	    json_count(to, "bytes", p->read_bytes + p->write_bytes) &&
	    json_count(to, "read_bytes", p->read_bytes) &&
	    json_count(to, "write_bytes", p->write_bytes) &&
	    json_count(to, "references", p->references) &&
	    json_count(to, "write_references", p->write_references) &&
	    json_decimal(to, "share", (double)p->references / (double)v->n.references) &&
	    json_count(to, first, p->first_references);
}

bool
survey_file_json(const struct file *f, cJSON *to)
{
	return json_count(to, "inode", f->inode) &&
	    (!f->name || cJSON_AddStringToObject(to, "name", f->name));
}

static bool
add_file(const struct file *f, cJSON *to)
{
	return survey_file_json(f, to) && json_count(to, "blocks", f->nblocks);
}

static bool
add_files(const struct survey *v, uint64_t top, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "top_files");
	bool   ok = list;

	for (uint32_t i = 0; ok && i < number_top(v->t->nfiles, top); i++) {
		file_t f = v->top_file[i];
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && add_file(&v->t->file[f], item) &&
		    add_part(v, &v->file[f], "footprint_blocks", item);
	}
	return ok;
}

static bool
add_processes(const struct survey *v, uint64_t top, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "top_processes");
	bool   ok = list;

	for (uint32_t i = 0; ok && i < number_top(v->n.processes, top); i++) {
		uint32_t p = v->top_process[i];
		cJSON	*item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    json_count(item, "pid", v->t->process[p].pid) &&
		    (!v->t->process[p].name ||
			cJSON_AddStringToObject(item, "name", v->t->process[p].name)) &&
		    (!v->t->program ||
			cJSON_AddStringToObject(item, "program",
			    v->t->program[v->t->program_of[p]])) &&
		    add_part(v, &v->process[p], "first_references", item);
	}
	return ok;
}

static bool
add_largest(const struct survey *v, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "largest_files");
	bool   ok = list;

	for (unsigned i = 0; ok && i < v->nlargest; i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    add_file(&v->t->file[v->largest[i]], item) &&
		    json_count(item, "references", v->file[v->largest[i]].references);
	}
	return ok;
}

/* The source of a binary trace. */
static bool
add_source(const struct trace *t, cJSON *to)
{
	const struct source *s = &t->source;
	cJSON		    *item = t->mapping ? cJSON_AddObjectToObject(to, "source") : NULL;
	char		     sum[CHECKSUM_TEXT];

	return !t->mapping ||
	    (cJSON_AddStringToObject(item, "path", s->path) &&
		cJSON_AddStringToObject(item, "format", s->format) &&
		json_count(item, "bytes", s->bytes) &&
		cJSON_AddStringToObject(item, "xxh3", survey_hex(sum, s->xxh3)) &&
		cJSON_AddStringToObject(item, "mmap", s->touched ? "touch" : "count") &&
		cJSON_AddStringToObject(item, "bufsim", s->version));
}

/* "lacks" and "notes": what the text says in its last lines. */
static bool
add_notes(const struct trace *t, cJSON *to)
{
	cJSON *lacks = cJSON_AddArrayToObject(to, "lacks");
	cJSON *notes = cJSON_AddArrayToObject(to, "notes");
	bool   ok = lacks && notes;
	char   note[NOTE_ROOM];

	for (unsigned i = 0; ok && i < LACKS; i++)
		ok = !(t->lacks & 1U << i) ||
		    cJSON_AddItemToArray(lacks, cJSON_CreateString(notes_lack(i)));
	for (unsigned i = 0; ok && i < TRACE_NOTES && t->note[i]; i++)
		ok = cJSON_AddItemToArray(notes, cJSON_CreateString(trace_note(t, i, note)));
	return ok;
}

int
survey_json(const struct survey *v, uint64_t top, FILE *out, struct error *e)
{
	cJSON *o = cJSON_CreateObject();

	return json_print(o,
	    o && cJSON_AddStringToObject(o, "trace", v->t->name) &&
		cJSON_AddStringToObject(o, "format", v->t->format) &&
		json_count(o, "block_bytes", v->t->block_bytes) &&
		(!v->t->time_unit || cJSON_AddStringToObject(o, "time_unit", v->t->time_unit)) &&
		add_figures(v, o) && add_spreads(v, o) && survey_classes_json(v->class, o) &&
		add_sizes(v, top, o) && json_count(o, "other_length_calls", v->other_sizes) &&
		add_files(v, top, o) && add_processes(v, top, o) && add_largest(v, o) &&
		add_source(v->t, o) && add_notes(v->t, o),
	    out, e);
}
