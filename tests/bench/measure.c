/*
 * measure.c - what commands cost, run in turn.
 *
 *   measure RUNS OUT COMMAND... [-- COMMAND...]...
 *
 * Runs all the commands once, then all of them again, RUNS times, so that what
 * else the machine does meets them alike.  Prints a line for each: the least
 * processor time (user and system) and elapsed time in seconds, and the least
 * peak of resident memory in KiB.  What the nth command prints in all its runs
 * goes to OUT.n.
 */
#define _DEFAULT_SOURCE /* wait4() */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS = 16 };

struct command {
	char **argv;
	char   out[4096];
	double cpu, wall;
	long   kib;
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void
execute(const struct command *c)
{
	int fd = open(c->out, O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		perror(c->out);
	} else {
		execvp(c->argv[0], c->argv);
		perror(c->argv[0]);
	}
	_exit(127);
}

static int
run(struct command *c, int is_first)
{
	struct rusage u;
	double	      start = now(), cpu, wall;
	int	      status;
	pid_t	      child = fork();

	if (child == 0)
		execute(c);
	if (child < 0 || wait4(child, &status, 0, &u) < 0 || status)
		return -1;
	wall = now() - start;
	cpu = seconds(u.ru_utime) + seconds(u.ru_stime);
	c->cpu = is_first || cpu < c->cpu ? cpu : c->cpu;
	c->wall = is_first || wall < c->wall ? wall : c->wall;
	c->kib = is_first || u.ru_maxrss < c->kib ? u.ru_maxrss : c->kib;
	return 0;
}

/* The commands between the dashes, which are overwritten; how many. */
static int
split(char **argv, const char *out, struct command *c)
{
	int n = 0;

	for (; *argv && n < COMMANDS; n++) {
		c[n].argv = argv;
		snprintf(c[n].out, sizeof(c[n].out), "%s.%d", out, n + 1);
		unlink(c[n].out);
		while (*argv && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv)
			*argv++ = NULL;
	}
	return n;
}

int
main(int argc, char **argv)
{
	static struct command command[COMMANDS];
	int		      runs = argc > 3 ? atoi(argv[1]) : 0;
	int		      n = runs > 0 ? split(argv + 3, argv[2], command) : 0;

	if (!n) {
		fprintf(stderr, "usage: measure RUNS OUT COMMAND... [-- COMMAND...]...\n");
		return 2;
	}
	for (int r = 0; r < runs; r++)
		for (int i = 0; i < n; i++)
			if (run(&command[i], r == 0))
				return 1;
	for (int i = 0; i < n; i++)
		printf("%.6f %.6f %ld\n", command[i].cpu, command[i].wall, command[i].kib);
	return 0;
}
