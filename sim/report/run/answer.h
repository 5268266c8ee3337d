/* answer.h - the first lines of the report of a run: the answer in a sentence. */
#ifndef SIM_ANSWER_H
#define SIM_ANSWER_H

#include "sim/report/run/report.h"

/* The sentence, and a line for each of several programs. */
void answer_print(const struct report *r, FILE *out);

#endif
