/*
 * allocator.h - the interface of allocators: which space an object goes to, and when.
 *
 * An allocator decides with heap_place() at the request of an object or at its
 * first reference.  Memory for its spaces is obtained in init().
 */
#ifndef SIM_SHARE_ALLOCATOR_H
#define SIM_SHARE_ALLOCATOR_H

#include "sim/base/plugin.h"
#include "sim/studies/share/model/heap.h"

struct allocator {
	struct plugin plugin;

	/* Parameters are set, the heap is empty.  NULL: nothing to do.  0 or -1. */
	int (*init)(void *self, const struct heap *h, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	/* A processor requests an object. */
	void (*request)(void *self, struct heap *h, uint32_t object, unsigned processor);

	/*
	 * It makes the first reference to an object that is not placed, and that must be placed
	 * now.  NULL: request() places every object.
	 */
	void (*touch)(void *self, struct heap *h, uint32_t object, unsigned processor);
};

#define ALLOCATOR_SIZES                                                                            \
	{                                                                                          \
		sizeof(struct allocator), sizeof(struct heap), sizeof(struct program),             \
		    sizeof(struct space)                                                           \
	}

/* Define allocator_<id>. */
#define ALLOCATOR(id, ...)                                                                         \
	const struct allocator	      allocator_##id = { __VA_ARGS__ };                            \
	const struct plugin_interface allocator_##id##_interface = { PLUGIN_INTERFACE,             \
		ALLOCATOR_SIZES, &allocator_##id.plugin }

/*
 * Spanning minimisation, a parameter of several allocators: a new page before an object that would
 * otherwise touch more pages than it needs (min), or does not fit into the rest of the page (fit).
 */
enum spanning { SPANNING_NO, SPANNING_MIN, SPANNING_FIT };
extern const char *const spanning_words[];

#define PARAM_SPANNING(offset)                                                                     \
	{                                                                                          \
		"spanning", PARAM_WORD, SPANNING_NO, 0, SPANNING_FIT, offset,                      \
		    "a new page before an object that would otherwise touch more pages than it "   \
		    "needs (min), or does not fit into the rest of the page (fit)",                \
		    spanning_words                                                                 \
	}

/* heap_place(), behind a new page if the rule says so. */
void heap_place_spanning(struct heap *h, struct space *s, uint32_t object, uint64_t spanning);

#endif
