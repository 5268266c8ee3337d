/* survey_text.h - the figures of a trace, for a person. */
#ifndef SIM_SURVEY_TEXT_H
#define SIM_SURVEY_TEXT_H

#include <stdio.h>

#include "sim/analysis/survey.h"

/* Of files, processes and lengths of calls the first `top`, 0: all. */
void survey_text(const struct survey *v, uint64_t top, FILE *out);

#endif
