/* effects_requests.c - requests that are handed to the kernel: AIO, and io_uring. */
#include <string.h>

#include "sim/base/text.h"
#include "traces/calls/effects.h"
#include "traces/calls/fds.h"

#define NOTE_RING                                                                                  \
	"io_uring is used: its reads and writes are not in the log of the system calls (requests)"
#define NOTE_AIO "AIO requests that the log does not show (strace -s 0 hides them)"

/* ---- requests that are handed to the kernel ---- */

/* One request of io_submit. */
struct request {
	struct shown fd;
	bool	     reads, writes;
	uint64_t     offset, length;
};

/* The lengths of a vector, "[{iov_base=0x7f, iov_len=100}, ...]". */
static uint64_t
sum_lengths(const char *text)
{
	static const char label[] = "iov_len=";
	uint64_t	  sum = 0, length;

	while ((text = strstr(text, label))) {
		text += strlen(label);
		if (call_number(text, &length) && length <= INT32_MAX)
			sum += length;
	}
	return sum;
}

/* What is behind the label, if the field begins with it, in the form of now or an older one. */
static char *
labelled(char *field, const char *label)
{
	size_t n = strlen(label);

	if (text_begins(field, "aio_"))
		field += strlen("aio_");
	return !strncmp(field, label, n) && (field[n] == '=' || field[n] == ':') ? field + n + 1
										 : NULL;
}

static void
take_field(struct request *r, char *field)
{
	char *value;

	if ((value = labelled(field, "fildes")) || (value = labelled(field, "filedes"))) {
		r->fd = call_fd(value);
	} else if ((value = labelled(field, "nbytes"))) {
		call_number(value, &r->length);
	} else if ((value = labelled(field, "offset"))) {
		call_number(value, &r->offset);
	} else if ((value = labelled(field, "buf"))) {
		if (*value == '[')
			r->length = sum_lengths(value);
	} else {
		value = labelled(field, "lio_opcode");
		r->reads |= value ? call_is(value, "PREAD", 0) || call_is(value, "PREADV", 7)
				  : !strcmp(field, "pread") || !strcmp(field, "preadv");
		r->writes |= value ? call_is(value, "PWRITE", 1) || call_is(value, "PWRITEV", 8)
				   : !strcmp(field, "pwrite") || !strcmp(field, "pwritev");
	}
}

/* The end of a field: a comma or bracket that is not inside of others, or of a string. */
static char *
end_of_field(char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '"') {
			for (p++; *p && *p != '"'; p++)
				p += *p == '\\' && p[1];
			if (!*p)
				return p;
		} else if (*p == '[' || *p == '{') {
			depth++;
		} else if (!depth && (*p == ',' || *p == '}' || *p == ']')) {
			return p;
		} else if (*p == ']' || *p == '}') {
			depth--;
		}
	}
	return p;
}

/* The request that begins behind the next brace, or NULL; *p is then behind it. */
static bool
next_request(char **p, struct request *r)
{
	bool more = true;

	*r = (struct request){ 0 };
	r->fd.fd = NO_FD;
	*p = strchr(*p, '{');
	if (!*p)
		return false;
	while (more) {
		char *field = *p + 1 + strspn(*p + 1, " "), *end = end_of_field(field);

		more = *end == ',';
		*p = *end ? end + 1 : end;
		*end = '\0';
		take_field(r, field);
		*p -= more;
	}
	return true;
}

static int
add_request(struct syscalls *s, struct call *c, const struct request *r, struct error *e)
{
	bool		   bad;
	struct descriptor *d;
	uint64_t	   size, length;

	if (r->fd.fd < 0 || (!r->reads && !r->writes) || r->offset > INT64_MAX)
		return 0;
	if (syscalls_reserve(s, 4, e))
		return -1;
	d = fd_find(s, c, &r->fd, SHOWS_FILE, &bad, e);
	if (bad)
		return -1;
	if (!fd_is_file(s, d))
		return 0;
	size = s->kernel.tree.file[fd_described(s, d)->file].size;
	length = r->length;
	if (r->reads && size != SIZE_UNKNOWN && size - r->offset < length)
		length = size - r->offset;
	if (!r->reads || r->offset < size)
		fd_move(s, c, d, r->reads ? OP_READ : OP_WRITE, AT_OFFSET, r->offset, length);
	return 0;
}

/* io_submit(context, n, [{...}, ...]) = n: bytes count as they are submitted. */
int
effect_submit(struct syscalls *s, struct call *c, struct error *e)
{
	struct request r;
	uint64_t       seen = 0;
	char	      *p = c->arg[2];

	for (; seen < c->result && next_request(&p, &r); seen++)
		if (add_request(s, c, &r, e))
			return -1;
	input_count_more(s->in, NOTE_AIO, c->result - seen);
	return 0;
}

/* io_uring_enter(ring, n, ...) = how many of these were submitted */
int
effect_ring(struct syscalls *s, struct call *c, struct error *e)
{
	input_note(s->in, NOTE_RING);
	input_count_more(s->in, NOTE_RING, c->result);
	return 0;
}

int
effect_ring_setup(struct syscalls *s, struct call *c, struct error *e)
{
	input_note(s->in, NOTE_RING);
	return effect_other(s, c, e);
}
