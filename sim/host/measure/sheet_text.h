/*
 * sheet_text.h - a calibration as a data sheet of kind ssd, with a section for
 * the processor.
 */
#ifndef SIM_SHEET_TEXT_H
#define SIM_SHEET_TEXT_H

#include <stdio.h>

#include "sim/host/measure/probe.h"

void sheet_print(const struct calibration *c, const struct probe_facts *facts, FILE *out);

#endif
