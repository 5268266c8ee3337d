/* frames_recording.h - what a recording of a kernel holds, and what it lacks, for a person. */
#ifndef SIM_FRAMES_RECORDING_TEXT_H
#define SIM_FRAMES_RECORDING_TEXT_H

#include <stdio.h>

#include "sim/studies/frames/model/recording.h"

/* All of it. */
void frames_recording(const struct recording_facts *f, FILE *out);

/* What is missing alone, each line as a message of bufsim about the file of that name; "": as a note. */
void frames_losses(const struct recording_facts *f, const char *name, FILE *out);

#endif
