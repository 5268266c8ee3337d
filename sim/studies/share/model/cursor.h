/*
 * cursor.h - the events of one processor, one after the other: its code with the
 * loops run.
 */
#ifndef SIM_SHARE_CURSOR_H
#define SIM_SHARE_CURSOR_H

#include "sim/studies/share/model/program.h"

struct cursor {
	const uint32_t *at;		  /* the next instruction */
	const uint32_t *now;		  /* the one that made the last event */
	uint32_t	depth;		  /* of open loops */
	uint32_t	index[LOOPS_MAX]; /* the counter of each, from 0 */
	uint32_t	times[LOOPS_MAX];
	const uint32_t *body[LOOPS_MAX];
};

struct event {
	enum code kind;	  /* no loop and no line */
	uint32_t  object; /* of a reference or a request; else the number of a lock, ... */
	uint32_t  word;	  /* of a reference */
};

static inline void
cursor_start(struct cursor *c, const struct program *p, unsigned processor)
{
	*c = (struct cursor){ .at = p->code + p->start[processor] };
	c->now = c->at;
}

ALWAYS_INLINE uint32_t
cursor_word(const struct cursor *c, const uint32_t *at, unsigned strides)
{
	uint32_t word = at[1];

	for (unsigned k = 0; k < strides; k++) /* modulo 2^32: negative strides are correct */
		word += c->index[k] * at[2 + k];
	return word;
}

static inline void
cursor_open(struct cursor *c, uint32_t times)
{
	c->at += 2;
	c->index[c->depth] = 0;
	c->times[c->depth] = times;
	c->body[c->depth++] = c->at;
}

static inline void
cursor_close(struct cursor *c)
{
	unsigned inner = c->depth - 1;

	if (++c->index[inner] < c->times[inner]) {
		c->at = c->body[inner];
	} else {
		c->depth--;
		c->at++;
	}
}

/* The next event.  Behind CODE_END it stays CODE_END. */
ALWAYS_INLINE struct event
cursor_next(struct cursor *c)
{
	for (;;) {
		const uint32_t *at = c->at;
		enum code	kind = code_kind(*at);

		switch (kind) {
		case CODE_READ:
		case CODE_WRITE:
			c->now = at;
			c->at = at + 2 + code_strides(*at);
			return (struct event){ kind, code_object(*at),
				cursor_word(c, at, code_strides(*at)) };
		case CODE_LOOP:
		case CODE_RUN:
			cursor_open(c, at[1]);
			break;
		case CODE_CLOSE:
			cursor_close(c);
			break;
		case CODE_LINE:
			c->at = at + 2;
			break;
		case CODE_END:
			c->now = at;
			return (struct event){ CODE_END, 0, 0 };
		default:
			c->now = at;
			c->at = at + code_length(*at);
			return (struct event){ kind, code_length(*at) > 1 ? at[1] : 0, 0 };
		}
	}
}

#endif
