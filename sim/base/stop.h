/*
 * stop.h - the signals that ask a program to stop: SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT.
 */
#ifndef SIM_STOP_H
#define SIM_STOP_H

struct sigaction;

enum { STOP_SIGNALS = 4 };

extern const int stop_signal[STOP_SIGNALS];

/* Until something else catches them, call how() in the handler, with stop_text() and the signal. */
void stop_at_once(void (*how)(const char *text, int number));

/*
 * End by that signal, also in its handler: a shell stops a loop of commands only for a program
 * that a signal ended.  Returns in process 1 of a container, which no signal ends.
 */
void stop_end(int number);

/* Catch them, apart from those that are ignored: nohup ignores SIGHUP.  before: [STOP_SIGNALS] */
void stop_catch(const struct sigaction *ours, struct sigaction *before);
void stop_restore(const struct sigaction *before);

/* "stopped (Interrupt)".  Safe in a signal handler. */
const char *stop_text(int number);

#endif
