/* workload.c - the named workloads, and groups of them. */
#include <string.h>

#include "sim/trace/generate/workload.h"

const struct workload workloads[] = {
#define WORKLOAD(name, group, pattern, summary) { name, group, pattern, summary },
#include "sim/trace/generate/workloads.def"
#undef WORKLOAD
	{ 0 },
};

static bool
is_word(const char *word, size_t n, const char *name)
{
	return strlen(name) == n && !memcmp(word, name, n);
}

static bool
word_selects(const char *word, size_t n, const struct workload *p)
{
	return is_word(word, n, "all") || is_word(word, n, p->group) || is_word(word, n, p->name);
}

bool
workload_selected(const struct workload *p, const char *names)
{
	for (const char *word = names;; word++) {
		size_t n = strcspn(word, ",");

		if (word_selects(word, n, p))
			return true;
		word += n;
		if (!*word)
			return false;
	}
}

static bool
is_known(const char *word, size_t n)
{
	for (const struct workload *p = workloads; p->name; p++)
		if (word_selects(word, n, p))
			return true;
	return false;
}

bool
workload_known(const char *names)
{
	for (;; names++) {
		size_t n = strcspn(names, ",");

		if (!is_known(names, n))
			return false;
		names += n;
		if (!*names)
			return true;
	}
}

void
workload_offer(struct nearest *near)
{
	nearest_offer(near, "all");
	for (const struct workload *p = workloads; p->name; p++) {
		nearest_offer(near, p->group);
		nearest_offer(near, p->name);
	}
}
