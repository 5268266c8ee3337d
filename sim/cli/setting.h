/* setting.h - the settings of a run in one line, below a picture. */
#ifndef SIM_CLI_SETTING_H
#define SIM_CLI_SETTING_H

#include "sim/setup/options.h"

enum { SETTING_ROOM = 1024 };

/* The settings that matter most, and those that are not as usual: "prefetch none, policy lru, ...". */
void setting_print(const struct options *o, char text[SETTING_ROOM]);

#endif
