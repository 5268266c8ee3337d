/* share_stat.c - bufsim share --stat, and --save. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/text.h"
#include "sim/studies/share/report/share_stat.h"
#include "sim/studies/share/share_points.h"

static int
describe(const struct share_programs *s, const struct program *p, uint32_t page, FILE *out,
    struct error *e)
{
	struct summary summary;
	int	       failed = 0;

	if (summary_make(&summary, p, page, e))
		return error_prefix(e, "%s", p->path ? p->path : p->name);
	if (s->o->json)
		failed = share_stat_json(&summary, p, page, out, e);
	else
		share_stat_text(&summary, p, page, out);
	summary_release(&summary);
	return failed;
}

/* The only one of the list. */
static int
find_page(const struct options *o, uint32_t *page, struct error *e)
{
	struct share_points p = { .o = o };
	struct options	    one;
	struct share_config c = { 0 };
	int		    failed = grid_init(&p.grid, COMMAND_SHARE, o, e);

	if (!failed && p.grid.npoints > 1)
		failed =
		    error_usage(e, "--stat describes programs: give one value of each setting");
	if (!failed)
		failed = share_point_options(&p, 0, &one, e) || share_configure(&c, &one, e);
	if (!failed) {
		*page = c.page_bytes;
		share_config_release(&c);
	}
	grid_release(&p.grid);
	return failed ? -1 : 0;
}

int
share_describe(const struct share_programs *s, FILE *out, struct error *e)
{
	uint32_t page;

	if (find_page(s->o, &page, e))
		return -1;
	for (unsigned i = 0; i < s->n; i++) {
		struct program p;
		int	       failed;

		if (share_programs_read(s, i, &p, e))
			return -1;
		if (i && !s->o->json)
			putc('\n', out);
		failed = describe(s, &p, page, out, e);
		program_release(&p);
		if (failed)
			return -1;
	}
	return 0;
}

static void
say(const char *name, const struct program *p, uint64_t bytes)
{
	char n[NUMBER_TEXT], size[NUMBER_TEXT];

	text_print(name, stderr);
	fprintf(stderr, ": %s references of %u processors, %s\n", number_group(n, p->nreferences),
	    p->processors, number_bytes(size, bytes));
}

int
share_save(const struct share_programs *s, struct error *e)
{
	struct output *out;
	struct program p;
	uint64_t       bytes;
	int	       failed;

	if (s->n != 1)
		return error_usage(e, "--save writes one program: name one trace or --pattern");
	if (share_programs_read(s, 0, &p, e))
		return -1;
	out = output_open(s->o->save, e);
	failed = !out || program_write(&p, out, e);
	if (out && failed)
		output_abandon(out);
	else if (out)
		failed = output_commit(out, &bytes, e);
	if (!failed && strcmp(s->o->save, "-") != 0)
		say(s->o->save, &p, bytes);
	program_release(&p);
	return failed ? -1 : 0;
}
