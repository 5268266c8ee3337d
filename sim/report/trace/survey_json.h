/* survey_json.h - the figures of a trace, for programs. */
#ifndef SIM_SURVEY_JSON_H
#define SIM_SURVEY_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/analysis/survey.h"

/* One object on one line; of files, processes and lengths of calls the first `top`, 0: all. */
int survey_json(const struct survey *v, uint64_t top, FILE *out, struct error *e);

/* What other reports have, too: the classes, and the inode and name of a file.  False: out of memory. */
bool survey_classes_json(const struct class_total total[CALL_CLASSES], cJSON *to);
bool survey_file_json(const struct file *f, cJSON *to);

/* A checksum as xxhsum prints it.  Returns buf. */
enum { CHECKSUM_TEXT = 17 };
char *survey_hex(char buf[CHECKSUM_TEXT], uint64_t sum);

#endif
