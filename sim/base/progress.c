/*
 * progress.c - a timer whose signal handler prints how far the work is.
 *
 * The work itself is never interrupted by a look at the clock.  The handler
 * uses only functions that POSIX allows in one: text is put together here.
 */
#define _XOPEN_SOURCE 700 /* setitimer() */

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/progress.h"
#include "sim/base/terminal.h"

enum { LINE_ROOM = 160, TICK_US = 200000 };

_Atomic uint64_t progress_done;

static bool timed;
static const char *volatile work; /* NULL: none */
static const char	    *unit;
static uint64_t		     total;
static double		     begun; /* seconds */
static volatile sig_atomic_t shown;

struct line {
	char   text[LINE_ROOM];
	size_t n;
};

static void
put(struct line *l, const char *text)
{
	size_t n = strlen(text);

	if (n > LINE_ROOM - l->n)
		n = LINE_ROOM - l->n;
	memcpy(l->text + l->n, text, n);
	l->n += n;
}

static void
put_number(struct line *l, uint64_t n)
{
	char digits[24], *first = digits + sizeof(digits) - 1;

	*first = '\0';
	do
		*--first = (char)('0' + n % 10);
	while (n /= 10);
	put(l, first);
}

/* "45 s", "12 min", "35 h" */
static void
put_time(struct line *l, uint64_t s)
{
	put_number(l, s < 100 ? s : s < 6000 ? (s + 30) / 60 : (s + 1800) / 3600);
	put(l, s < 100 ? " s" : s < 6000 ? " min" : " h");
}

static void
put_share(struct line *l, uint64_t done)
{
	if (unit) {
		put_number(l, done);
		put(l, " of ");
		put_number(l, total);
		put(l, " ");
		put(l, unit);
	} else {
		put_number(l, (uint64_t)(100 * ((double)done / (double)total)));
		put(l, " %");
	}
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
print(const char *what)
{
	struct line l = { .n = 0 };
	uint64_t    done = atomic_load_explicit(&progress_done, memory_order_relaxed);
	double	    spent = seconds() - begun;

	put(&l, "\r");
	put(&l, what);
	put(&l, ": ");
	if (!total) {
		put_time(&l, (uint64_t)(spent + 0.5));
	} else {
		if (done > total)
			done = total;
		put_share(&l, done);
		if (done && spent > 0.5) {
			put(&l, ", ");
			put_time(&l,
			    (uint64_t)(spent * (double)(total - done) / (double)done + 0.5));
			put(&l, " left");
		}
	}
	put(&l, "\033[K");
	shown = write(STDERR_FILENO, l.text, l.n) > 0;
}

static void
tick(int number)
{
	int	    before = errno;
	const char *what = work;

	if (what)
		print(what);
	errno = before;
}

void
progress_show(void)
{
	struct sigaction	      action = { .sa_handler = tick, .sa_flags = SA_RESTART };
	static const struct itimerval often = { { 0, TICK_US }, { 1, 0 } };

	if (!terminal_is(STDERR_FILENO))
		return;
	timed = !sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &often, NULL);
}

/* The handler must see either all of the work or none. */
void
progress_begin(const char *what, const char *of, uint64_t whole)
{
	if (!timed)
		return;
	work = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	unit = of;
	total = whole;
	begun = seconds();
	progress_reach(0);
	atomic_signal_fence(memory_order_seq_cst);
	work = what;
}

void
progress_end(void)
{
	if (!timed)
		return;
	work = NULL;
	progress_hide();
}

void
progress_hide(void)
{
	static const char erase[] = "\r\033[K";

	if (!shown)
		return;
	shown = false; /* first: the timer may print the line again at once */
	if (write(STDERR_FILENO, erase, sizeof(erase) - 1) < 0)
		shown = true;
}
