/* program_write.c - a program in the text form, with its loops. */
#include <stdio.h>
#include <string.h>

#include "sim/base/output.h"
#include "sim/studies/share/model/program.h"

enum { LINE_ROOM = 160 };

struct writer {
	const struct program *p;
	struct output	     *out;
	uint32_t	      run; /* times of the run that is open; 0: none */
};

static int
write_text(struct writer *w, const char *text, struct error *e)
{
	return output_bytes(w->out, text, strlen(text), e);
}

static int
write_reference(struct writer *w, const uint32_t *at, struct error *e)
{
	char   line[LINE_ROOM];
	size_t n = (size_t)snprintf(line, sizeof(line), "%c %u %u",
	    code_kind(*at) == CODE_READ ? 'R' : 'W', code_object(*at), at[1]);

	if (w->run)
		n += (size_t)snprintf(line + n, sizeof(line) - n, " %u", w->run);
	for (unsigned k = 0; k < code_strides(*at); k++)
		n += (size_t)snprintf(line + n, sizeof(line) - n, " %d", (int32_t)at[2 + k]);
	snprintf(line + n, sizeof(line) - n, "\n");
	return write_text(w, line, e);
}

static int
write_sync(struct writer *w, const uint32_t *at, struct error *e)
{
	static const char letter[CODES] = { [CODE_LOCK] = 'L',
		[CODE_UNLOCK] = 'U',
		[CODE_BARRIER] = 'B',
		[CODE_POST] = 'S',
		[CODE_WAIT] = 'V' };
	enum code	  kind = code_kind(*at);
	enum sync_set	  set = kind == CODE_BARRIER	   ? SET_BARRIERS
		: kind == CODE_LOCK || kind == CODE_UNLOCK ? SET_LOCKS
							   : SET_FLAGS;
	char		  line[LINE_ROOM];

	snprintf(line, sizeof(line), "%c %u\n", letter[kind], w->p->ids[set].id[at[1]]);
	return write_text(w, line, e);
}

static int
write_instruction(struct writer *w, const uint32_t *at, struct error *e)
{
	char line[LINE_ROOM] = "";

	switch (code_kind(*at)) {
	case CODE_READ:
	case CODE_WRITE:
		return write_reference(w, at, e);
	case CODE_RUN:
		w->run = at[1];
		break;
	case CODE_LOOP:
		snprintf(line, sizeof(line), "( %u\n", at[1]);
		break;
	case CODE_CLOSE:
		strcpy(line, w->run ? "" : ")\n");
		w->run = 0;
		break;
	case CODE_REQUEST:
		snprintf(line, sizeof(line), "A %u %llu\n", at[1],
		    (unsigned long long)w->p->object[at[1]].bytes);
		break;
	case CODE_CREATE:
	case CODE_JOIN:
		strcpy(line, code_kind(*at) == CODE_CREATE ? "C\n" : "J\n");
		break;
	case CODE_LINE:
		break;
	default:
		return write_sync(w, at, e);
	}
	return write_text(w, line, e);
}

static int
write_header(struct writer *w, struct error *e)
{
	const struct program *p = w->p;
	char		      line[LINE_ROOM];

	snprintf(line, sizeof(line), ", processors %u, problem ", p->processors);
	if (write_text(w, "# program ", e) || write_text(w, p->name, e) || write_text(w, line, e) ||
	    write_text(w, p->problem, e))
		return -1;
	snprintf(line, sizeof(line), ", words of %u bytes\n", p->word_bytes);
	return write_text(w, line, e);
}

int
program_write(const struct program *p, struct output *out, struct error *e)
{
	struct writer w = { .p = p, .out = out };
	char	      line[LINE_ROOM];

	if (write_header(&w, e))
		return -1;
	for (unsigned i = 0; i < p->processors; i++) {
		if (!p->first_line[i])
			continue;
		snprintf(line, sizeof(line), "P %u\n", i);
		if (write_text(&w, line, e))
			return -1;
		for (const uint32_t *at = p->code + p->start[i]; code_kind(*at) != CODE_END;
		     at += code_length(*at))
			if (write_instruction(&w, at, e))
				return -1;
	}
	return 0;
}
