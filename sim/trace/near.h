/*
 * near.h - what a file that does not exist may be meant to be.
 */
#ifndef SIM_NEAR_H
#define SIM_NEAR_H

#include "sim/base/error.h"

/* If there is no file of this path but one with an ending behind it, the message names that. */
void near_suggest(const char *path, struct error *e);

#endif
