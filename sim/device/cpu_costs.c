/* cpu_costs.c - the costs as a table, for options, data sheets and reports. */
#include "sim/device/cpu_costs.h"
#include <string.h>

#include "sim/device/sheet.h"

#define CALL_MOST_NS 1e7
#define BYTE_MOST_NS 1e5

const struct cpu_cost_info cpu_cost_info[] = {
	{ "call", "each call", offsetof(struct cpu_costs, call_ps), CALL_MOST_NS },
	{ "page", "each block reference", offsetof(struct cpu_costs, page_ps), CALL_MOST_NS },
	{ "byte", "each byte of a call", offsetof(struct cpu_costs, byte_ps), BYTE_MOST_NS },
	{ "read_page", "each block read", offsetof(struct cpu_costs, read_page_ps), CALL_MOST_NS },
	{ "single_page", "each block reference without readahead",
	    offsetof(struct cpu_costs, single_page_ps), CALL_MOST_NS },
	{ 0 },
};

static const char section[] = "cpu_ns";

bool
cpu_costs_any(const struct cpu_costs *c)
{
	return c->call_ps || c->page_ps || c->byte_ps || c->read_page_ps || c->single_page_ps;
}

uint64_t
cpu_cost_of_ns(double ns)
{
	return (uint64_t)(ns * 1000 + 0.5);
}

bool
cpu_costs_read(struct sheet *s, struct cpu_costs *to)
{
	bool found = false;

	*to = (struct cpu_costs){ 0 };
	for (const struct cpu_cost_info *i = cpu_cost_info; i->name; i++) {
		if (!sheet_has(s, section, i->name))
			continue;
		found = true;
		*cpu_cost(to, i) = cpu_cost_of_ns(sheet_number(s, section, i->name, 0, i->most_ns));
	}
	return found;
}

bool
cpu_costs_of_text(const char *text, struct cpu_costs *to)
{
	struct sheet s;
	struct error ignored;
	bool	     found;

	*to = (struct cpu_costs){ 0 };
	if (!strstr(text, section)) /* the usual case, and quick */
		return false;
	sheet_open(&s, text);
	found = cpu_costs_read(&s, to);
	sheet_close(&s, &ignored); /* the device knows the other sections */
	return found;
}
