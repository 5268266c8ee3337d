/* share_stat.c - bufsim share --stat, and -o. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/text.h"
#include "sim/cli/share_programs.h"
#include "sim/report/share_stat.h"

static int
describe(const struct share_programs *s, const struct program *p, FILE *out, struct error *e)
{
	uint32_t       page = (uint32_t)s->o->page;
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

int
share_describe(const struct share_programs *s, FILE *out, struct error *e)
{
	if (s->o->csv)
		return error_usage(e, "--stat prints text or --json, not --csv");
	for (unsigned i = 0; i < s->n; i++) {
		struct program p;
		int	       failed;

		if (share_programs_read(s, i, &p, e))
			return -1;
		if (i && !s->o->json)
			putc('\n', out);
		failed = describe(s, &p, out, e);
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
	if (output_check(s->o->save, e) || share_programs_read(s, 0, &p, e))
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
