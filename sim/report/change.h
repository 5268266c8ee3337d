/* change.h - "44 % slower than ... (108.6 s; 75.2 s)": a time, compared with another. */
#ifndef SIM_CHANGE_H
#define SIM_CHANGE_H

#include <stdio.h>

#include "sim/base/types.h"

enum { CHANGE_TEXT = 64 };

/* Escape sequences for a terminal. */
extern const char change_plain[], change_bold[], change_red[], change_green[];

/* "44 % slower than": what the time now is, compared with then. */
struct change {
	char	    degree[CHANGE_TEXT];
	const char *than, *colour;
};
struct change change_of(uint64_t now, uint64_t then);

/* A time as short as a time of `largest` may be. */
void change_time(char text[CHANGE_TEXT], uint64_t us, uint64_t largest);

/* Two times of one sentence. */
void change_times(char a[CHANGE_TEXT], char b[CHANGE_TEXT], uint64_t us_a, uint64_t us_b);

/* "44 %"; whole percents from 10 on. */
void change_percent(char text[CHANGE_TEXT], double x);

#endif
