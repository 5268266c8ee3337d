/* cpu_option.c - read and print the costs of the processor. */
#include "sim/setup/cpu_option.h"
#include <stdio.h>
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"

enum { WORD_ROOM = 64 };

static const char usage[] = "type none, sheet, or nanoseconds such as call=812,page=410";

static int
unknown(const char *word, struct error *e)
{
	struct nearest near = nearest_to(word);

	nearest_offer(&near, "none");
	nearest_offer(&near, "sheet");
	for (const struct cpu_cost_info *i = cpu_cost_info; i->name; i++)
		nearest_offer(&near, i->name);
	return nearest_error(&near, "cost", usage, e);
}

static const struct cpu_cost_info *
cost_named(const char *name)
{
	const struct cpu_cost_info *i = cpu_cost_info;

	while (i->name && strcmp(i->name, name) != 0)
		i++;
	return i->name ? i : NULL;
}

static int
parse_value(const struct cpu_cost_info *i, const char *value, uint64_t *ps, struct error *e)
{
	double ns;

	if (!number_decimal(value, &ns))
		return error_usage(e,
		    "'%s=%s' will not do: type nanoseconds without a unit and a sign, such as "
		    "%s=0.5",
		    i->name, value, i->name);
	if (ns > i->most_ns)
		return error_usage(e, "'%s=%s' is too large: %.0f ns is the most", i->name, value,
		    i->most_ns);
	*ps = cpu_cost_of_ns(ns);
	return ns > 0 && !*ps
	    ? error_usage(e, "'%s=%s' is too small: 0.001 ns is the least", i->name, value)
	    : 0;
}

/* "call=812" */
static int
parse_cost(char *item, struct cpu_costs *to, unsigned *given, struct error *e)
{
	char			   *equals = strchr(item, '=');
	const struct cpu_cost_info *i;
	unsigned		    bit;

	if (!strcmp(item, "none") || !strcmp(item, "sheet"))
		return error_usage(e, "%s goes with no other cost", item);
	if (equals)
		*equals = '\0';
	i = cost_named(item);
	if (!i)
		return unknown(item, e);
	if (!equals)
		return error_usage(e, "'%s' needs a number of nanoseconds: type %s=500", item,
		    item);
	bit = 1u << (i - cpu_cost_info);
	if (*given & bit)
		return error_usage(e, "%s is given twice", item);
	*given |= bit;
	return parse_value(i, equals + 1, cpu_cost(to, i), e);
}

int
cpu_option_parse(const char *text, struct cpu_option *to, struct error *e)
{
	unsigned given = 0;
	char	 item[WORD_ROOM];

	*to = (struct cpu_option){ CPU_OF_SHEET, { 0 } };
	if (!strcmp(text, "sheet"))
		return 0;
	to->from = CPU_NONE;
	if (!strcmp(text, "none"))
		return 0;
	for (const char *at = text;; at++) {
		size_t n = strcspn(at, ",");

		if (!n)
			return error_usage(e, "a cost is missing: %s, without blanks", usage);
		if (n >= sizeof(item))
			return error_usage(e, "'%.20s...' is too long: %s", at, usage);
		snprintf(item, sizeof(item), "%.*s", (int)n, at);
		if (parse_cost(item, &to->typed, &given, e))
			return -1;
		at += n;
		if (!*at)
			break;
	}
	if (cpu_costs_any(&to->typed))
		to->from = CPU_TYPED;
	return 0;
}

char *
cpu_costs_words(struct cpu_costs c, char text[CPU_COSTS_TEXT])
{
	size_t used = 0;

	*text = '\0';
	for (const struct cpu_cost_info *i = cpu_cost_info; i->name; i++) {
		uint64_t ps = *cpu_cost(&c, i);

		if (ps && used < CPU_COSTS_TEXT)
			used += (size_t)snprintf(text + used, CPU_COSTS_TEXT - used, "%s%s %.9g ns",
			    used ? ", " : "", i->name, (double)ps / 1000);
	}
	return text;
}
