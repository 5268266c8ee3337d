/* kind.c - the program of a kind: its text, read as that of any other trace. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/memo.h"
#include "sim/studies/share/model/kind.h"

enum { SCRIPT_BYTES_MAX = 16 << 20 };

struct script {
	FILE	*out;
	uint64_t bytes;
};

/* A kind without the parameter has words of 8 bytes. */
static unsigned
word_bytes(const struct kind_settings *k)
{
	return k->word ? (unsigned)k->word : TAG_BYTES;
}

uint32_t
kind_words(const struct kind_settings *k)
{
	return (uint32_t)((k->size - TAG_BYTES + k->word - 1) / k->word);
}

void
script_line(struct script *s, const char *format, ...)
{
	va_list args;
	int	n;

	if (!script_has_room(s))
		return;
	va_start(args, format);
	n = vfprintf(s->out, format, args);
	va_end(args);
	s->bytes += n > 0 ? (uint64_t)n + 1 : 0;
	putc('\n', s->out);
}

bool
script_has_room(const struct script *s)
{
	return s->bytes <= SCRIPT_BYTES_MAX;
}

void
script_run(struct script *s, char letter, uint64_t object, uint64_t word, uint64_t n)
{
	script_line(s, "%c %llu %llu %llu 1", letter, (unsigned long long)object,
	    (unsigned long long)word, (unsigned long long)n);
}

void
script_update(struct script *s, uint64_t object, uint64_t words, unsigned loops)
{
	static const char *const strides[] = { "1", "0 1", "0 0 1" };

	script_line(s, "( %llu", (unsigned long long)words);
	script_line(s, "R %llu 0 %s", (unsigned long long)object, strides[loops]);
	script_line(s, "W %llu 0 %s", (unsigned long long)object, strides[loops]);
	script_line(s, ")");
}

/* ---- sections ---- */

static void
request(const struct sharing_kind *kind, const struct kind_settings *k, struct script *s,
    unsigned processor)
{
	if (kind->request)
		kind->request(k, s, processor);
	else if (!processor)
		for (uint64_t o = 1; o <= k->objects; o++)
			script_line(s, "A %llu %llu", (unsigned long long)o,
			    (unsigned long long)k->size);
}

static void
write_script(const struct sharing_kind *kind, const struct kind_settings *k, const char *text,
    struct script *s)
{
	script_line(s, "# program %s, processors %u, problem generated, words of %u bytes", text,
	    (unsigned)k->processors, word_bytes(k));
	for (unsigned p = 0; p < k->processors; p++) {
		script_line(s, "P %u", p);
		request(kind, k, s, p);
		if (!p && kind->prepare)
			kind->prepare(k, s);
		if (!p)
			script_line(s, "C");
		kind->work(k, s, p);
		if (!p)
			script_line(s, "J");
	}
}

/* ---- text to program ---- */

static int
check(const struct sharing_kind *kind, const struct kind_settings *k, struct error *e)
{
	if (word_bytes(k) & (word_bytes(k) - 1))
		return error_usage(e, "word: the bytes of a word are 1, 2, 4 or 8");
	return kind->check ? kind->check(k, e) : 0;
}

static int
make(struct program *p, const struct sharing_kind *kind, const struct kind_settings *k,
    const char *text, struct error *e)
{
	struct memo   m;
	struct script s = { 0 };
	int	      failed;

	if (check(kind, k, e) || memo_open(&m, e))
		return -1;
	s.out = m.out;
	write_script(kind, k, text, &s);
	if (memo_close(&m, e))
		return -1;
	if (s.bytes > SCRIPT_BYTES_MAX)
		failed = error_usage(e, "the program has more than %d MiB of text",
		    SCRIPT_BYTES_MAX >> 20);
	else
		failed = program_parse(p, m.text, m.bytes, e);
	free(m.text);
	return failed;
}

int
kind_make(struct program *p, const struct choice *kind, const char *text, struct error *e)
{
	void *self = plugin_state(kind->plugin, kind->params, e);
	int   failed = -1;

	*p = (struct program){ 0 };
	if (self)
		failed =
		    make(p, (const struct sharing_kind *)(const void *)kind->plugin, self, text, e);
	free(self);
	return failed ? error_prefix(e, "%s", text) : 0;
}
