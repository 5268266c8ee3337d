/*
 * log_text.h - a log of strace, line by line.
 */
#ifndef TESTS_UNIT_TRACES_LOG_TEXT_H
#define TESTS_UNIT_TRACES_LOG_TEXT_H

#include "tests/unit/traces/noted.h"

static char log_text[1 << 17];

static void
setup(void)
{
	scratch_make();
	log_text[0] = '\0';
}

/* One more line: "pid call", 10 us after the last one. */
static void
line(const char *text)
{
	static unsigned time;
	size_t		used = strlen(log_text), pid = strcspn(text, " ");

	time = used ? time + 10 : 0;
	snprintf(log_text + used, sizeof(log_text) - used, "%.*s 1700000000.%06u%s\n", (int)pid,
	    text, time, text + pid);
}

static void
loads(void)
{
	load(log_text);
	ck_assert_str_eq(trace.format, "strace");
	check_promises();
}

#endif
