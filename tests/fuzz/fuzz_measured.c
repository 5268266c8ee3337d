/* fuzz_measured.c - the input is a file of measured requests: loaded, and served by a device. */
#include <stdlib.h>

#include "sim/analysis/demerit.h"
#include "tests/fuzz/harness.h"

enum { REQUESTS_MAX = 2000 };

static void
serve(const struct measured *m)
{
	struct config	  c = { 0 };
	struct comparison all = { 0 };
	struct service	 *s = calloc(m->n, sizeof(*s));
	struct error	  e = { 0 };

	LAW(!registry_choose(PLUGIN_DEVICE, "cheetah9lp", &c.device, &e), "%s", e.text);
	if (!measured_check(m, 17783240, &e) && !demerit_replay(m, &c, s, &e) &&
	    !comparison_init(&all, m, s, 0, m->n, &e)) {
		LAW(all.n == m->n && all.all.n == m->n, "%zu requests, not %zu", all.n, m->n);
		LAW(all.demerit >= 0, "a demerit of %g", all.demerit);
		comparison_release(&all);
	} else {
		harness_refused(&e);
	}
	free(s);
	choice_release(&c.device);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct draw	d = harness_draw(bytes, n);
	const char     *path = harness_path("measured");
	struct measured m;
	struct error	e = { 0 };

	harness_write(path, bytes, n);
	if (measured_load(&m, path, draw_below(&d, 2) ? GAP_AFTER : GAP_BEFORE, &e))
		harness_refused(&e);
	else if (m.n && m.n <= REQUESTS_MAX)
		serve(&m);
	measured_release(&m);
	return 0;
}
