/*
 * faults.c - lines such as
 *
 *	0.152 ( 0.000 ms): cat/7832 minfault [_start+0x0] => /usr/lib/libc.so.6@0x1ab70 (d.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/text.h"
#include "sim/host/record/child.h"
#include "sim/host/record/faults.h"
#include "sim/trace/scan.h"

#define TRY "perf trace -F all --no-syscalls -- true"

static const char paranoid[] = "/proc/sys/kernel/perf_event_paranoid";

enum { MOST_PARANOID = 1 };

/* ---- may it be used here? ---- */

/* 0: unknown. */
static int
paranoia(void)
{
	FILE *in = fopen(paranoid, "r");
	int   level = 0;

	if (in && fscanf(in, "%d", &level) != 1)
		level = 0;
	if (in)
		fclose(in);
	return level;
}

static int
explain(const char *why, struct error *e)
{
	int level = paranoia();

	if (geteuid() && level > MOST_PARANOID)
		return error_set(e,
		    "--mmap=faults: kernel.perf_event_paranoid is %d: as root, type sysctl "
		    "kernel.perf_event_paranoid=%d, or record as root",
		    level, MOST_PARANOID);
	return error_set(e, "--mmap=faults: `" TRY "` fails here: %s", why);
}

/* Run it once: if it fails, the first line that it prints says why. */
static int
try_perf(struct error *e)
{
	char  line[256], first[256] = "";
	FILE *in = popen(TRY " 2>&1", "r");

	if (!in)
		return error_set(e, "--mmap=faults: perf cannot be started");
	while (fgets(line, sizeof(line), in)) {
		if (!*first)
			text_clean(first, strcspn(line, "\n") + 1, line);
	}
	return pclose(in) ? explain(*first ? first : "it prints nothing", e) : 0;
}

int
faults_check(struct error *e)
{
	char *perf = child_find("perf", e);

	if (!perf)
		return error_set(e,
		    "--mmap=faults: perf is missing: install linux-perf (Debian), "
		    "linux-tools-generic (Ubuntu) or perf (Fedora, Arch, Alpine), or leave it out");
	free(perf);
	return try_perf(e);
}

/* ---- lines ---- */

/* "-12.345" milliseconds. */
static const char *
scan_ms(const char *text, usec_t *time)
{
	bool	    negative = *text == '-';
	const char *p = scan_seconds(text + negative, time); /* of a thousandth, so in ns */

	*time = (negative ? -1 : 1) * *time / 1000;
	return p;
}

/* "cat/7832": a name, which may have blanks and slashes, and a pid, before " minfault". */
static bool
scan_program(const char *text, const char *end, uint64_t *pid, bool *tracer)
{
	static const char strace[] = "strace/";
	const char	 *slash = end;

	while (slash > text && *slash != '/')
		slash--;
	*tracer = !strncmp(text, strace, strlen(strace));
	return *slash == '/' && scan_digits(slash + 1, UINT32_MAX, pid) == end;
}

/* "/usr/lib/libc.so.6@0x1ab70 (d.)", in place. */
static char *
cut_target(char *text, uint64_t *offset)
{
	char *at = NULL;

	for (char *next = text; (next = strstr(next, "@0x")); next++)
		at = next;
	if (*text != '/' || text[1] == '/' || !at || !scan_hex(at + 3, offset))
		return NULL;
	*at = '\0';
	return text;
}

static int
add_fault(struct faults *f, const struct fault *fault, struct error *e)
{
	struct fault *grown =
	    fault->path ? array_grow(f->fault, f->n, &f->capacity, sizeof(*grown)) : NULL;

	if (!grown)
		return error_no_memory(e);
	f->fault = grown;
	f->fault[f->n++] = *fault;
	return 0;
}

static int
add_line(struct faults *f, struct error *e)
{
	char	    *kind = strstr(f->line, "minfault ["), *target, *path;
	const char  *program = strstr(f->line, "ms): ");
	struct fault fault = { 0 };
	uint64_t     pid;
	bool	     tracer;

	kind = kind ? kind : strstr(f->line, "majfault [");
	target = kind ? strstr(kind, "] => ") : NULL;
	if (!target || !program || program + 5 >= kind ||
	    !scan_ms(scan_blanks(f->line), &fault.time) ||
	    !scan_program(program + 5, kind - 1, &pid, &tracer) || tracer)
		return 0;
	fault.pid = (uint32_t)pid;
	if (!f->first_pid) {
		f->first_pid = fault.pid;
		f->first = fault.time;
	}
	path = cut_target(target + strlen("] => "), &fault.offset);
	if (!path)
		return 0;
	fault.offset &= ~(uint64_t)(FAULT_BYTES - 1);
	fault.path = names_intern(&f->paths, path);
	return add_fault(f, &fault, e);
}

int
faults_add(struct faults *f, const char *bytes, size_t n, struct error *e)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (f->length + 1 < sizeof(f->line))
				f->line[f->length++] = bytes[i];
			continue;
		}
		f->line[f->length] = '\0';
		f->length = 0;
		if (add_line(f, e))
			return -1;
	}
	return 0;
}

void
faults_place(struct faults *f, usec_t began)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		if (f->fault[i].time < f->first)
			continue;
		f->fault[kept] = f->fault[i];
		f->fault[kept++].time += began - f->first;
	}
	f->n = kept;
}

void
faults_release(struct faults *f)
{
	names_release(&f->paths);
	free(f->fault);
}
