/* events.c - which events of the block layer are taken, and their volumes. */
#include <inttypes.h>
#include <stdio.h>

#include "traces/events.h"

const char *const events_words[] = { "auto", "Q", "D", "C", NULL };

void
events_choose(struct events *v, enum event_action best)
{
	if (v->asked != EVENT_AUTO)
		v->taken = (enum event_action)v->asked;
	else if (v->taken == EVENT_AUTO)
		v->taken = best < EVENT_C ? best : EVENT_C;
}

int
events_again(struct events *v, enum event_action better, const char *format, struct input *in,
    struct error *e)
{
	if (!input_rewinds(in))
		return error_set(e,
		    "the first event of action %s is far behind the beginning: use --format "
		    "%s:action=%s, or name the file instead of a pipe",
		    events_words[better], format, events_words[better]);
	v->taken = better;
	return input_rewind(in, e) ? -1 : READ_AGAIN;
}

void
events_note(const struct events *v, struct input *in)
{
	static const char *const note[] = {
		[EVENT_Q] = "one event of each request is read: as it was submitted (Q)",
		[EVENT_D] = "no request is shown as it was submitted (Q): they are read as they "
			    "were issued (D)",
		[EVENT_C] = "no request is shown as it was submitted or issued (Q, D): they are "
			    "read as they were completed (C)",
	};
	static const char *const asked[] = {
		[EVENT_D] = "requests are read as they were issued (D)",
		[EVENT_C] = "requests are read as they were completed (C)",
	};

	if (v->asked == EVENT_AUTO || v->asked == EVENT_Q)
		input_note(in, note[v->taken]);
	else
		input_note(in, asked[v->asked]);
}

const char *
events_volume(struct events *v, uint32_t major, uint32_t minor)
{
	if (unlikely(major != v->major || minor != v->minor || !*v->volume)) {
		v->major = major;
		v->minor = minor;
		snprintf(v->volume, sizeof(v->volume), "%" PRIu32 ",%" PRIu32, major, minor);
	}
	return v->volume;
}

void
events_note_leap(struct input *in)
{
	input_note(in,
	    "a time more than a day away from those around it was replaced by the one before it");
}
