/*
 * fuzz_share.c - the input is a program of processors that share memory: read, described, written
 * and read again, and run with an allocator and a protocol.
 */
#include "sim/base/output.h"
#include "sim/studies/share/model/registry.h"
#include "sim/studies/share/model/share.h"
#include "sim/studies/share/model/summary.h"
#include "tests/fuzz/harness.h"

enum { REFERENCES_MAX = 20000, WORDS_MAX = 1 << 18 };

static uint64_t
sum(const uint64_t by[PROCESSORS_MAX + 1])
{
	uint64_t all = 0;

	for (unsigned i = 0; i <= PROCESSORS_MAX; i++)
		all += by[i];
	return all;
}

static void
describe(const struct program *p, uint32_t page_bytes)
{
	struct summary s;
	struct error   e = { 0 };

	if (summary_make(&s, p, page_bytes, &e)) {
		harness_refused(&e);
		return;
	}
	LAW(s.all.references == p->nreferences && s.all.writes == p->nwrites,
	    "%llu references, not %llu", (unsigned long long)s.all.references,
	    (unsigned long long)p->nreferences);
	LAW(sum(s.objects_by) == p->nobjects && sum(s.words_by) == p->nwords &&
		sum(s.pages_by) == s.pages,
	    "%u objects, %u words, %llu pages", p->nobjects, p->nwords,
	    (unsigned long long)s.pages);
	summary_release(&s);
}

/* ---- written and read again ---- */

static void
write_to(const struct program *p, const char *path)
{
	struct error   e = { 0 };
	struct output *out = output_open(path, &e);

	LAW(out && !program_write(p, out, &e) && !output_commit(out, NULL, &e), "%s", e.text);
}

static void
read_again(const struct program *p)
{
	const char    *path = harness_path("written");
	struct program q;
	struct error   e = { 0 };

	write_to(p, path);
	LAW(!program_read(&q, path, &e), "%s", e.text);
	LAW(q.nreferences == p->nreferences && q.nwrites == p->nwrites &&
		q.nobjects == p->nobjects && q.nwords == p->nwords && q.creates == p->creates,
	    "%llu references of %u objects", (unsigned long long)q.nreferences, q.nobjects);
	program_release(&q);
}

/* ---- run ---- */

static void
draw_choice(struct choice *c, const struct plugin_kind *kind, struct draw *d, char text[DRAW_TEXT])
{
	struct error e = { 0 };

	do
		draw_plugin(d, kind, text);
	while (registry_choose(kind, text, c, &e));
}

static void
run(const struct program *p, struct draw *d)
{
	struct share_config c = { .page_bytes = 64u << draw_below(d, 11),
		.from_create = draw_below(d, 2),
		.cold = draw_below(d, 2) ? COLD_ANY : COLD_PROCESSOR };
	struct share_result r;
	struct error	    e = { 0 };
	char		    protocol[DRAW_TEXT], allocator[DRAW_TEXT];

	draw_choice(&c.protocol, PLUGIN_PROTOCOL, d, protocol);
	draw_choice(&c.allocator, PLUGIN_ALLOCATOR, d, allocator);
	if (share_run(&r, &c, p, &e)) {
		harness_refused(&e);
	} else {
		LAW(c.from_create ? r.references <= p->nreferences : r.references == p->nreferences,
		    "%llu references, not %llu", (unsigned long long)r.references,
		    (unsigned long long)p->nreferences);
		LAW(r.writes <= r.references && r.sharing.words <= p->nwords, "%llu writes",
		    (unsigned long long)r.writes);
		share_release(&r);
	}
	choice_release(&c.protocol);
	choice_release(&c.allocator);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct draw    d = harness_draw(bytes, n);
	const char    *path = harness_path("program");
	struct program p;
	struct error   e = { 0 };

	harness_write(path, bytes, n);
	if (program_read(&p, path, &e)) {
		harness_refused(&e);
		return 0;
	}
	read_again(&p);
	if (p.nreferences <= REFERENCES_MAX && p.nwords <= WORDS_MAX) {
		describe(&p, 64u << draw_below(&d, 11));
		run(&p, &d);
	}
	program_release(&p);
	return 0;
}
