/* stop.c - catch the signals that ask a program to stop. */
#include <signal.h>
#include <stddef.h>

#include "sim/base/stop.h"

const int stop_signal[STOP_SIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void (*end_at_once)(const char *text, int number);

const char *
stop_text(int number)
{
	switch (number) {
	case SIGINT:
		return "stopped (Interrupt)";
	case SIGTERM:
		return "stopped (Terminated)";
	case SIGHUP:
		return "stopped (Hangup)";
	default:
		return "stopped (Quit)";
	}
}

void
stop_end(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	signal(number, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static void
end(int number)
{
	end_at_once(stop_text(number), number);
}

void
stop_at_once(void (*how)(const char *text, int number))
{
	struct sigaction ours = { .sa_handler = end }, before[STOP_SIGNALS];

	end_at_once = how;
	sigfillset(&ours.sa_mask); /* no second message, and no line of progress behind it */
	stop_catch(&ours, before);
}

void
stop_catch(const struct sigaction *ours, struct sigaction *before)
{
	for (int i = 0; i < STOP_SIGNALS; i++)
		if (!sigaction(stop_signal[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
			sigaction(stop_signal[i], ours, NULL);
}

void
stop_restore(const struct sigaction *before)
{
	for (int i = 0; i < STOP_SIGNALS; i++)
		sigaction(stop_signal[i], &before[i], NULL);
}
