/*
 * vectors FOLDER|FILE... - take every step of golden vectors, and compare.
 *
 * One line per file, with the first mismatch of each in full, and a total.
 * Exit 1 if a step differs, a file is damaged, or there is nothing to take.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/number.h"
#include "sim/trace/input.h"
#include "tests/vectors/vectors.h"

enum { PATH_TEXT = 4096 };

static const struct kind *const kinds[] = { &ra24, &ra26, &blk24, &e2e24 };
enum { NKINDS = sizeof(kinds) / sizeof(*kinds) };

struct tally {
	uint64_t files, damaged, patterns, steps, mismatches;
};

struct file {
	const char	  *path, *name; /* the name: without the folder that was given */
	struct input	  *in;
	const struct kind *kind; /* NULL: no header was seen */
	char		   pattern[128];
	bool		   begun; /* a pattern has */
	uint64_t	   step;  /* of the pattern */
	struct tally	   sum;
	char		  *mismatch; /* the first one */
};

/* ---- a file ---- */

static const struct kind *
recognise(const cJSON *header, struct error *e)
{
	char   known[256] = "";
	size_t used = 0;

	for (int i = 0; i < NKINDS; i++) {
		if (cJSON_GetObjectItemCaseSensitive(header, kinds[i]->member))
			return kinds[i];
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s by '%s'",
		    i ? ", " : "", kinds[i]->name, kinds[i]->member);
	}
	error_set(e, "vectors of an unknown kind: a header shows %s", known);
	return NULL;
}

static void
end_pattern(struct file *f)
{
	if (f->begun)
		f->kind->end();
	f->begun = false;
}

static int
take_header(struct file *f, const cJSON *header, struct error *e)
{
	const cJSON	  *name = cJSON_GetObjectItemCaseSensitive(header, "pat");
	const struct kind *kind = recognise(header, e);

	if (!kind)
		return -1;
	end_pattern(f);
	if (f->kind && f->kind != kind)
		return error_set(e, "a pattern of %s among those of %s", kind->name, f->kind->name);
	f->kind = kind;
	snprintf(f->pattern, sizeof(f->pattern), "%s",
	    cJSON_IsString(name) ? name->valuestring : "without a name");
	f->step = 0;
	f->sum.patterns++;
	f->begun = true; /* also if it fails half way */
	return kind->begin(header, e);
}

static void
keep_mismatch(struct file *f, const char *line, const char *why)
{
	size_t room = strlen(line) + strlen(why) + sizeof(f->pattern) + 128;

	f->mismatch = malloc(room);
	if (f->mismatch)
		snprintf(f->mismatch, room,
		    "  line %" PRIu64 ", pattern %s, step %" PRIu64 ":\n    %s\n%s",
		    input_line_number(f->in), f->pattern, f->step, line, why);
}

static int
take_step(struct file *f, const cJSON *step, const char *line, struct error *e)
{
	const cJSON *i = cJSON_GetObjectItemCaseSensitive(step, "i");
	static char  why[DIFFERENCE_TEXT];
	int	     differs;

	why[0] = '\0';
	if (!f->begun)
		return error_set(e, "a step before any header");
	if (!cJSON_IsNumber(i) || i->valuedouble != (double)f->step)
		return error_set(e, "this is not step %" PRIu64 " of pattern %s", f->step,
		    f->pattern);
	differs = f->kind->step(step, why, e);
	if (differs < 0)
		return error_prefix(e, "pattern %s, step %" PRIu64, f->pattern, f->step);
	f->sum.mismatches += differs != 0;
	if (differs && !f->mismatch)
		keep_mismatch(f, line, why);
	f->step++;
	f->sum.steps++;
	return 0;
}

static int
take_line(struct file *f, const char *line, size_t length, struct error *e)
{
	cJSON *o = cJSON_ParseWithLength(line, length);
	int    result;

	if (!cJSON_IsObject(o))
		result = error_set(e, "not an object of JSON");
	else if (cJSON_GetObjectItemCaseSensitive(o, "hdr"))
		result = take_header(f, o, e);
	else
		result = take_step(f, o, line, e);
	cJSON_Delete(o);
	return result;
}

static int
take_lines(struct file *f, struct error *e)
{
	char  *line;
	size_t length;
	int    more;

	while ((more = input_line(f->in, &line, &length, e)) > 0)
		if (length && take_line(f, line, length, e) < 0)
			return error_prefix(e, "line %" PRIu64, input_line_number(f->in));
	if (more == 0 && !f->sum.steps)
		return error_set(e, "no steps");
	return more;
}

static void
report(const struct file *f, const struct error *e)
{
	bool good = !e && !f->sum.mismatches;

	printf("%-7s %-34s %5" PRIu64 " patterns %7" PRIu64 " steps %7" PRIu64 " mismatches\n",
	    good ? "ok" : "FAILED", f->name, f->sum.patterns, f->sum.steps, f->sum.mismatches);
	if (f->mismatch)
		printf("%s", f->mismatch);
	if (e)
		printf("  %s\n", e->text);
}

static void
take_file(const char *path, const char *name, struct tally *total)
{
	struct file  f = { .path = path, .name = name };
	struct error e = { 0 };
	int	     result = -1;

	f.in = input_open(path, &e);
	if (f.in)
		result = take_lines(&f, &e);
	end_pattern(&f);
	report(&f, result < 0 ? &e : NULL);
	total->files++;
	total->damaged += result < 0;
	total->patterns += f.sum.patterns;
	total->steps += f.sum.steps;
	total->mismatches += f.sum.mismatches;
	free(f.mismatch);
	if (f.in)
		input_close(f.in);
}

/* ---- folders ---- */

static bool
ends_with(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n >= m && !strcmp(s + n - m, ending);
}

/* What lies in `path`; names are told without its first `skip` characters. */
static int
walk(const char *path, size_t skip, struct tally *total)
{
	struct dirent **entry;
	struct stat	st;
	char		below[PATH_TEXT];
	int		n, result = 0;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		take_file(path, path + skip, total);
		return 0;
	}
	n = scandir(path, &entry, NULL, alphasort);
	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;

		if (snprintf(below, sizeof(below), "%s/%s", path, name) >= PATH_TEXT)
			result = -1;
		else if (name[0] != '.' &&
		    (ends_with(name, ".jsonl.gz") || ends_with(name, ".jsonl") ||
			(stat(below, &st) == 0 && S_ISDIR(st.st_mode))))
			result |= walk(below, skip, total);
		free(entry[i]);
	}
	free(entry);
	return result;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void
report_total(const struct tally *t)
{
	char patterns[NUMBER_TEXT], steps[NUMBER_TEXT], mismatches[NUMBER_TEXT];

	printf("%" PRIu64 " files, %s patterns, %s steps, %s mismatches", t->files,
	    number_group(patterns, t->patterns), number_group(steps, t->steps),
	    number_group(mismatches, t->mismatches));
	if (t->damaged)
		printf(", %" PRIu64 " damaged files", t->damaged);
	printf("\n");
}

int
main(int argc, char **argv)
{
	struct tally total = { 0 };
	int	     result = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: vectors FOLDER|FILE...\n");
		return EXIT_USAGE;
	}
	for (int i = 1; i < argc; i++)
		result |= walk(argv[i], is_folder(argv[i]) ? strlen(argv[i]) + 1 : 0, &total);
	report_total(&total);
	if (!total.files)
		fprintf(stderr, "vectors: no files *.jsonl.gz or *.jsonl there\n");
	if (result < 0)
		fprintf(stderr, "vectors: a folder could not be read\n");
	return result < 0 || !total.files || total.damaged || total.mismatches ? EXIT_FAILED : 0;
}
