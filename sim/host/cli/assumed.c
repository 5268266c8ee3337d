/* assumed.c - say which setting was assumed, why, and what to type instead. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/base/text.h"
#include "sim/host/cli/assumed.h"
#include "sim/host/live/scratch.h"

static void
print_note(const char *what, uint32_t pages, const struct host *h, const char *dir)
{
	fprintf(stderr, "note: the %s of ", what);
	text_print(dir, stderr);
	fprintf(stderr, " is taken to be %" PRIu32 " KiB: %s", pages * (SCRATCH_PAGE >> 10),
	    h->why);
}

static void
print_instead(const struct kernel_rule *r, const char *name)
{
	fprintf(stderr, "; if it is another, type --prefetch %s:%.*s%s%s=PAGES\n",
	    r->prefetcher->plugin.name, (int)r->typed, r->params, r->typed ? "," : "", name);
}

void
assumed_window_note(const struct kernel_rule *r, const char *dir)
{
	enum host_from from;
	uint32_t       window;

	if (!kernel_rule_window(r, &window, &from) || from != HOST_ASSUMED)
		return;
	print_note("readahead window", window, &r->host, dir);
	print_instead(r, "pages");
}

bool
assumed_request_note(const struct kernel_rule *r, const char *dir, uint64_t longest_bytes)
{
	uint32_t       request = r->host.io_pages, least = request;
	enum host_from from = r->host.io_from, of_window;

	if (r->prefetcher &&
	    (!kernel_rule_window(r, &least, &of_window) ||
		!kernel_rule_request(r, &request, &from)))
		return false;
	if (from != HOST_ASSUMED || !least || longest_bytes <= (uint64_t)least * SCRATCH_PAGE)
		return false;
	print_note("largest request", request, &r->host, dir);
	if (r->prefetcher)
		print_instead(r, "io_pages");
	else
		fputs("; the times of longer calls may differ\n", stderr);
	return true;
}
