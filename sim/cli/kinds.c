/* kinds.c - each kind of plug-ins, and the options that name one. */
#include "sim/cli/kinds.h"

#define PLUGINS(kind, option) extern const struct plugin_kind plugin_##kind;
#include "sim/setup/program.def"

const struct plugin_kind *const all_kinds[] = {
#define PLUGINS(kind, option) &plugin_##kind,
#include "sim/setup/program.def"
	NULL
};

static const struct {
	const struct plugin_kind *kind;
	enum option_id		  option;
} named_by[] = {
#define PLUGINS(kind, option) { &plugin_##kind, OPTION_##option },
#include "sim/setup/program.def"
#define NAMES(kind, option) { &plugin_##kind, OPTION_##option },
#include "sim/setup/program.def"
};

enum option_id
kind_option(const struct plugin_kind *kind)
{
	size_t n = 0;

	while (named_by[n].kind != kind)
		n++;
	return named_by[n].option;
}

const struct plugin_kind *
kind_named_by(enum option_id option)
{
	for (size_t n = 0; n < sizeof(named_by) / sizeof(*named_by); n++)
		if (named_by[n].option == option)
			return named_by[n].kind;
	return NULL;
}
