/* map_json.c - rows of a raster as texts, and the rest as numbers. */
#include "sim/film/map_json.h"
#include "sim/analysis/classes.h"
#include "sim/report/json.h"

/* A row is shorter: a letter for each column at most. */
enum { ROW_ROOM = RUN_MAP_WIDTH + NUMBER_TEXT };

static bool
add_kinds(const struct run_map *m, cJSON *to)
{
	cJSON *kinds = cJSON_AddArrayToObject(to, "kinds");
	cJSON *counts = cJSON_AddObjectToObject(to, "counts");
	bool   ok = kinds && counts;

	for (unsigned i = 0; ok && i < RUN_MAP_KINDS; i++)
		ok = cJSON_AddItemToArray(kinds, cJSON_CreateString(run_map_names[i])) &&
		    json_count(counts, run_map_names[i], m->total[i]);
	return ok;
}

static bool
add_files(const struct run_map *m, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "files");
	char   inode[NUMBER_TEXT];
	bool   ok = list;

	for (file_t i = 0; ok && i < m->t->nfiles; i++) {
		const struct file *f = &m->t->file[i];
		cJSON		  *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    cJSON_AddStringToObject(item, "name", class_file_name(m->t, i, inode)) &&
		    json_count(item, "first", f->base - m->first) &&
		    json_count(item, "blocks", f->nblocks);
	}
	return ok;
}

static bool
add_calls(const struct run_map *m, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "calls");
	bool   ok = list;

	for (unsigned i = 0; ok && i < RUN_MAP_WIDTH; i++)
		ok = cJSON_AddItemToArray(list, cJSON_CreateNumber((double)m->call[i]));
	return ok;
}

/* The runs of a row of pixels. */
static void
print_row(const uint8_t *pixel, char text[ROW_ROOM])
{
	unsigned end = RUN_MAP_WIDTH;
	int	 n = 0;

	while (end && !pixel[end - 1])
		end--;
	for (unsigned from = 0, to; from < end; from = to) {
		for (to = from + 1; to < end && pixel[to] == pixel[from];)
			to++;
		if (to - from > 1)
			n += snprintf(text + n, NUMBER_TEXT, "%u", to - from);
		text[n++] = pixel[from] ? (char)('a' + pixel[from] - 1) : '.';
	}
	text[n] = '\0';
}

static bool
add_rows(const struct run_map *m, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "rows");
	char   text[ROW_ROOM];
	bool   ok = list;

	for (unsigned y = 0; ok && y < RUN_MAP_HEIGHT; y++) {
		print_row(m->raster.pixel + y * RUN_MAP_WIDTH, text);
		ok = cJSON_AddItemToArray(list, cJSON_CreateString(text));
	}
	return ok;
}

int
map_json(const struct run_map *m, const char *setting, struct picture *to, struct error *e)
{
	cJSON *object = cJSON_CreateObject();

	return json_picture(object,
	    object && cJSON_AddStringToObject(object, "trace", m->t->name) &&
		cJSON_AddStringToObject(object, "setting", setting) &&
		json_count(object, "begin_us", (uint64_t)m->begin) &&
		json_count(object, "end_us", (uint64_t)m->end) &&
		json_count(object, "blocks", m->last - m->first + 1) &&
		json_count(object, "width", RUN_MAP_WIDTH) &&
		json_count(object, "height", RUN_MAP_HEIGHT) && add_kinds(m, object) &&
		add_files(m, object) && add_calls(m, object) && add_rows(m, object),
	    to, e);
}
