/* cmd_share.c - bufsim share: page-coherent shared memory. */
#include <stdlib.h>

#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/cli/cmd.h"
#include "sim/cli/share_programs.h"
#include "sim/registry.h"
#include "sim/report/share_report.h"

static int
print(const struct share_report *r, const struct options *o, FILE *out, struct error *e)
{
	if (o->json)
		return share_json(r, out, e);
	(o->csv ? share_csv : share_text)(r, out);
	return 0;
}

static int
run(const struct share_config *c, const struct options *o, const struct program *p, FILE *out,
    struct error *e)
{
	struct share_result result;
	struct share_report report = { p, c, &result, o->protocol, o->allocator,
		o->text[OPTION_count_from], o->text[OPTION_cold] };
	int		    failed;

	if (share_run(&result, c, p, e))
		return -1;
	failed = print(&report, o, out, e);
	share_release(&result);
	return failed;
}

static int
check_page(uint64_t bytes, struct error *e)
{
	char min[NUMBER_TEXT], max[NUMBER_TEXT];

	if (bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && !(bytes & (bytes - 1)))
		return 0;
	return error_usage(e, "--page: the page size is a power of two from %s to %s",
	    number_format(min, PAGE_BYTES_MIN, PARAM_BYTES),
	    number_format(max, PAGE_BYTES_MAX, PARAM_BYTES));
}

static int
configure(struct share_config *c, const struct options *o, struct error *e)
{
	*c = (struct share_config){ .page_bytes = (uint32_t)o->page,
		.from_create = o->count_from == 1,
		.cold = o->cold };
	if (check_page(o->page, e))
		return -1;
	if (registry_choose(PLUGIN_PROTOCOL, o->protocol, &c->protocol, e))
		return error_prefix(e, "--protocol");
	if (registry_choose(PLUGIN_ALLOCATOR, o->allocator, &c->allocator, e))
		return error_prefix(e, "--allocator");
	return 0;
}

static int
run_program(const struct share_config *c, const struct share_programs *s, unsigned i, FILE *out,
    struct error *e)
{
	struct program p;
	int	       failed;

	if (share_programs_read(s, i, &p, e))
		return -1;
	failed = run(c, s->o, &p, out, e);
	program_release(&p);
	return failed;
}

static int
run_all(const struct share_config *c, const struct share_programs *s, FILE *out, struct error *e)
{
	const struct options *o = s->o;

	if (o->csv && !o->json)
		share_csv_names(c->protocol.plugin, out);
	for (unsigned i = 0; i < s->n; i++) {
		if (i && !o->csv && !o->json)
			putc('\n', out);
		if (run_program(c, s, i, out, e))
			return -1;
	}
	return 0;
}

/* Print all, if all has succeeded. */
static int
print_all(const struct memo *m, const struct options *o, FILE *out, struct error *e)
{
	struct fold f;

	if (o->json || o->csv) {
		fwrite(m->text, 1, m->bytes, out);
		return 0;
	}
	if (fold_open(&f, out, e))
		return -1;
	fwrite(m->text, 1, m->bytes, f.out);
	return fold_close(&f, 0, e);
}

static int
run_or_describe(const struct share_config *c, const struct share_programs *s, FILE *out,
    struct error *e)
{
	return s->o->describe ? share_describe(s, out, e) : run_all(c, s, out, e);
}

static int
print_programs(const struct share_config *c, const struct share_programs *s, FILE *out,
    struct error *e)
{
	struct memo m;
	int	    failed;

	if (memo_open(&m, e))
		return -1;
	failed = run_or_describe(c, s, m.out, e);
	failed = memo_close(&m, e) || failed;
	if (!failed)
		failed = print_all(&m, s->o, out, e);
	free(m.text);
	return failed;
}

int
cmd_share(const struct options *o, FILE *out, struct error *e)
{
	struct share_config   c;
	struct share_programs s = { 0 };
	int		      failed = configure(&c, o, e) || share_programs_init(&s, o, e);

	if (!failed)
		failed = o->output ? share_write(&s, e) : print_programs(&c, &s, out, e);
	share_programs_release(&s);
	choice_release(&c.protocol);
	choice_release(&c.allocator);
	return failed ? -1 : 0;
}
