/* draw.c - the seed decides each choice; the tables say what there is to choose. */
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/studies/share/model/registry.h"
#include "sim/trace/generate/workload.h"
#include "tests/fuzz/draw.h"

uint32_t
draw_below(struct draw *d, uint32_t n)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((d->state >> 33) % n);
}

static const char *
one_of(struct draw *d, const char *const *words, size_t n)
{
	return words[draw_below(d, (uint32_t)n)];
}

#define ONE_OF(d, words) one_of(d, words, sizeof(words) / sizeof(*(words)))

uint64_t
draw_between(struct draw *d, uint64_t min, uint64_t max)
{
	uint64_t range = max - min, n = (uint64_t)draw_below(d, 1u << 31) << 31;

	n = (n | draw_below(d, 1u << 31)) >> draw_below(d, 62);
	switch (draw_below(d, 8)) {
	case 0:
		return min;
	case 1:
		return max;
	default:
		return range == UINT64_MAX ? n : min + n % (range + 1);
	}
}

/* ---- plug-ins ---- */

static void
append(char text[DRAW_TEXT], const char *more)
{
	size_t used = strlen(text);

	if (used + strlen(more) < DRAW_TEXT)
		strcpy(text + used, more);
}

void
draw_params(struct draw *d, const struct plugin *p, char text[DRAW_TEXT])
{
	static const char *const texts[] = { "1", "2", "3", "4", "time", "offset", "R|W", "" };

	*text = '\0';
	for (const struct param *q = p->params; q && q->name; q++) {
		char	 number[NUMBER_TEXT];
		uint64_t value = draw_between(d, q->min, q->max);

		if (draw_below(d, 3))
			continue;
		append(text, *text ? "," : "");
		append(text, q->name);
		append(text, "=");
		append(text,
		    q->unit == PARAM_WORD	? q->words[value]
			: q->unit == PARAM_TEXT ? ONE_OF(d, texts)
						: number_format(number, value, q->unit));
	}
}

static void
append_params(struct draw *d, const struct plugin *p, char text[DRAW_TEXT])
{
	char params[DRAW_TEXT];

	draw_params(d, p, params);
	if (!*params)
		return;
	append(text, ":");
	append(text, params);
}

static const struct plugin *
any_plugin(struct draw *d, const struct plugin_kind *kind)
{
	const struct plugin *const *list = kind->list;
	uint32_t		    n = 0;

	while (list[n])
		n++;
	return list[draw_below(d, n)];
}

/* A device of a data sheet: most kinds need one. */
static void
append_data_sheet(struct draw *d, char text[DRAW_TEXT])
{
	uint32_t n = 0;

	while (data_sheets[n].name)
		n++;
	append(text, data_sheets[draw_below(d, n)].name);
}

void
draw_plugin(struct draw *d, const struct plugin_kind *kind, char text[DRAW_TEXT])
{
	const struct plugin *p = any_plugin(d, kind);

	*text = '\0';
	if (kind == PLUGIN_DEVICE && !p->around &&
	    ((const struct device *)(const void *)p)->sheet == SHEET_NEEDED) {
		append_data_sheet(d, text);
		return;
	}
	append(text, p->name);
	if (draw_below(d, 2))
		append_params(d, p, text);
	if (!p->around || (*p->around && !draw_below(d, 3)))
		return;
	append(text, "+");
	if (kind == PLUGIN_DEVICE) {
		append_data_sheet(d, text);
		return;
	}
	while ((p = any_plugin(d, kind))->around)
		;
	append(text, p->name);
	if (draw_below(d, 2))
		append_params(d, p, text);
}

/* ---- options ---- */

/* The value in the example of the table: "2048b" of "--cache 2048b". */
static const char *
example_value(const struct option_info *i)
{
	const char *blank = i->example ? strchr(i->example, ' ') : NULL;

	return blank ? blank + 1 : "";
}

static void
draw_choice(struct draw *d, const struct option_info *i, char text[DRAW_TEXT])
{
	const char *word = i->argument;

	for (size_t n = strcspn(word, "|"); word[n] && draw_below(d, 2); n = strcspn(word, "|"))
		word += n + 1;
	snprintf(text, DRAW_TEXT, "%.*s", (int)strcspn(word, "|"), word);
}

static bool
draw_named_plugin(struct draw *d, const char *option, char text[DRAW_TEXT])
{
	static const struct {
		const char		 *option;
		const struct plugin_kind *kind;
	} named[] = {
		{ "policy", PLUGIN_POLICY },
		{ "prefetch", PLUGIN_PREFETCHER },
		{ "scheduler", PLUGIN_SCHEDULER },
		{ "device", PLUGIN_DEVICE },
		{ "format", PLUGIN_FORMAT },
		{ "protocol", PLUGIN_PROTOCOL },
		{ "allocator", PLUGIN_ALLOCATOR },
	};

	for (size_t k = 0; k < sizeof(named) / sizeof(*named); k++)
		if (!strcmp(named[k].option, option)) {
			draw_plugin(d, named[k].kind, text);
			return true;
		}
	return false;
}

/* A name, or some shapes. */
void
draw_workload(struct draw *d, char text[DRAW_TEXT])
{
	char	 part[64], between = '\0';
	uint32_t n = 0;

	while (workloads[n].name)
		n++;
	snprintf(text, DRAW_TEXT, "%s", workloads[draw_below(d, n)].name);
	if (draw_below(d, 2))
		return;
	*text = '\0';
	do {
		snprintf(part, sizeof(part), "%.1s%s:calls=%u", &between,
		    any_plugin(d, PLUGIN_SHAPE)->name, 1 + draw_below(d, 2000));
		if (strlen(text) + strlen(part) < DRAW_TEXT)
			strcat(text, part);
		between = draw_below(d, 2) ? '+' : '/';
	} while (draw_below(d, 2));
}

void
draw_value(struct draw *d, const struct option_info *i, char text[DRAW_TEXT])
{
	static const char *const sizes[] = { "1b", "2b", "7b", "64b", "1000b", "64K", "1M", "16M",
		"1/8", "1/2", "1/1" };

	if (!i->argument)
		*text = '\0';
	else if (option_is_choice(i))
		draw_choice(d, i, text);
	else if (draw_named_plugin(d, i->name, text))
		return;
	else if (i == &option_info[OPTION_pattern])
		draw_workload(d, text);
	else if (i == &option_info[OPTION_kinds])
		snprintf(text, DRAW_TEXT, "%s:rounds=%u", any_plugin(d, PLUGIN_KIND)->name,
		    1 + draw_below(d, 9));
	else if (option_is_size(i) && draw_below(d, 2))
		snprintf(text, DRAW_TEXT, "%s", ONE_OF(d, sizes));
	else
		snprintf(text, DRAW_TEXT, "%s",
		    i->initial && draw_below(d, 2) ? i->initial : example_value(i));
}

/* Exchange, double or remove a few characters. */
static void
damage(struct draw *d, char text[DRAW_TEXT])
{
	static const char letters[] = "0123456789bKMGT%/.,:=+-x \t\"'\\\n\x7f\x1b\xc3\xa9z";

	for (uint32_t k = 1 + draw_below(d, 3); k; k--) {
		size_t n = strlen(text), at = draw_below(d, (uint32_t)n + 1);

		if (n + 2 >= DRAW_TEXT)
			return;
		switch (draw_below(d, 3)) {
		case 0:
			memmove(text + at + 1, text + at, n - at + 1);
			text[at] = letters[draw_below(d, sizeof(letters) - 1)];
			break;
		case 1:
			if (at < n)
				text[at] = letters[draw_below(d, sizeof(letters) - 1)];
			break;
		default:
			if (at < n)
				memmove(text + at, text + at + 1, n - at);
		}
	}
}

void
draw_any_value(struct draw *d, const struct option_info *i, char text[DRAW_TEXT])
{
	static const char *const others[] = { "", "0", "1", "-1", "+1", "00", "1e3", "7", "64",
		"512", "4096", "1000000", "18446744073709551615", "18446744073709551616", "0.1",
		"0.5", "1.5", "10%", "100%", "101%", "1/8", "0/1", "1/0", "8/8", "4K", "64K", "1M",
		"64MB", "64MiB", "1T", "16777216T", "0b", "1b", "33b", "4096b", "1us", "10ms",
		"30s", "1000000000s", "auto", "all", "none", "lru", "linux24", "seq", "stride,back",
		"time", "hit-ratio", "4K:64K:x2", "1b:100b:+7b", "1/64:1:x1.5", "64K:4K:x2",
		"1:2:x1", "1b,2b,4b", ",", ":", "=", "a=1", "+", "./none.so", "toy.dev",
		"broken.dev", "/", ".", "%s%n", "-", "--", "*", "\xff\xfe", "\302\2332J",
		"\x1b[31m", "a\nb" };

	if (draw_below(d, 8)) {
		draw_value(d, i, text);
		if (!draw_below(d, 8))
			damage(d, text);
	} else {
		snprintf(text, DRAW_TEXT, "%s", ONE_OF(d, others));
	}
}
