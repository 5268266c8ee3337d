/*
 * main.c - run a command; print its error.
 *
 * The only file that prints errors and exits.  A command prints when nothing
 * can fail any more; the exit status is 0 only if all output was written.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/mapped.h"
#include "sim/base/output.h"
#include "sim/base/progress.h"
#include "sim/base/stop.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"

static int
deliver(struct error *e)
{
	bool failed = ferror(stdout);

	errno = failed ? errno : 0;
	if (!(fclose(stdout) || failed))
		return 0;
	if (errno != EPIPE)
		return error_set(e, "standard output: %s", strerror(errno));
	e->exit_code = EXIT_FAILED; /* a closed pipe: no message */
	return -1;
}

/* Some names come from the user: print the message on one line. */
static void
complain(const struct error *e)
{
	progress_end();
	fputs("bufsim: ", stderr);
	text_print(e->text, stderr);
	fputc('\n', stderr);
}

/* The same in a signal handler, which may come in the middle of an output. */
static void
say_at_once(const char *text)
{
	const char *part[] = { isatty(STDERR_FILENO) ? "\r\033[K" : "", /* a line of progress */
		"bufsim: ", text, "\n" };

	output_remove_temporary();
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (write(STDERR_FILENO, part[i], strlen(part[i])) < 0)
			break;
}

static void
end_by_signal(const char *text, int number)
{
	say_at_once(text);
	stop_end(number);
	_exit(EXIT_SIGNALLED + number);
}

static void
end_by_fault(const char *text)
{
	say_at_once(text);
	_exit(EXIT_FAILED);
}

/* Open closed standard streams, so that no file gets their numbers and their output. */
static void
open_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY); /* what is written there is an error */
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int
main(int argc, char **argv)
{
	static char  buffer[BUFSIZ];
	struct error e = { 0 };

	open_standard_streams();
	signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error with a message */
	mapped_catch_faults(end_by_fault);
	stop_at_once(end_by_signal);
	progress_show();
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (!command_line(argc, argv, stdout, &e) && !deliver(&e))
		return EXIT_SUCCESS;
	if (*e.text)
		complain(&e);
	/* Without a text it is the status of a recorded program. */
	if (*e.text && e.exit_code > EXIT_SIGNALLED)
		stop_end(e.exit_code - EXIT_SIGNALLED);
	return e.exit_code;
}
