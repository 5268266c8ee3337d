/* setting.c - values of options in one line. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/setting.h"

void
setting_print(const struct options *o, char text[SETTING_ROOM])
{
	static const enum option_id always[] = { OPTION_prefetch, OPTION_policy, OPTION_wait,
		OPTION_scheduler, OPTION_cache, OPTION_device };
	static const enum option_id unusual[] = { OPTION_replay, OPTION_insert, OPTION_layout,
		OPTION_writes, OPTION_complete, OPTION_queue, OPTION_request, OPTION_think_scale,
		OPTION_warmup, OPTION_advice, OPTION_block };
	size_t			    n = 0;

	for (size_t i = 0; i < sizeof(always) / sizeof(*always) && n < SETTING_ROOM; i++)
		n += (size_t)snprintf(text + n, SETTING_ROOM - n, "%s%s %s", i ? ", " : "",
		    option_info[always[i]].name, o->text[always[i]]);
	for (size_t i = 0; i < sizeof(unusual) / sizeof(*unusual) && n < SETTING_ROOM; i++)
		if (strcmp(o->text[unusual[i]], option_info[unusual[i]].initial) != 0)
			n += (size_t)snprintf(text + n, SETTING_ROOM - n, ", %s %s",
			    option_info[unusual[i]].name, o->text[unusual[i]]);
}
