/*
 * map.c - open addressing with linear probing, at most half full.
 *
 * Entries are never removed.  Names are found by a hash of their text; two
 * names with the same hash take neighbouring keys.
 *
 * Keys come from traces of unknown origin, so places depend on a random
 * number: no list of inodes or names can be made that all fall on one place.
 * Nothing depends on the places but the time.
 */
#define _DEFAULT_SOURCE /* getentropy() is not in POSIX.1-2008 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/base/map.h"
#include "sim/base/memory.h"

struct map_entry {
	uint64_t key;
	uint32_t value;
	bool	 used;
};

enum { FIRST_CAPACITY = 64 };

/* The random number of this process, the same in all threads. */
static uint64_t
secret(void)
{
	static _Atomic uint64_t number; /* 0: not chosen yet */
	uint64_t		chosen = atomic_load(&number), other;

	if (chosen)
		return chosen;
	if (getentropy(&other, sizeof(other)))
		other = (uintptr_t)&number; /* where the system has loaded us */
	other |= 1;
	return atomic_compare_exchange_strong(&number, &chosen, other) ? other : chosen;
}

static uint32_t
first_place(const struct map *m, uint64_t key)
{
	return (uint32_t)XXH3_64bits_withSeed(&key, sizeof(key), m->seed) & (m->capacity - 1);
}

static struct map_entry *
place(const struct map *m, uint64_t key)
{
	uint32_t mask = m->capacity - 1;
	uint32_t i = first_place(m, key);

	ASSERT(m->used < m->capacity); /* so the search ends */
	while (m->entry[i].used && m->entry[i].key != key)
		i = (i + 1) & mask;
	return &m->entry[i];
}

static int
enlarge(struct map *m)
{
	struct map old = *m;

	if (old.capacity > UINT32_MAX / 2)
		return -1;
	m->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
	m->seed = secret();
	m->entry = memory_table(m->capacity, sizeof(*m->entry));
	if (!m->entry) {
		*m = old;
		return -1;
	}
	for (uint32_t i = 0; i < old.capacity; i++)
		if (old.entry[i].used)
			*place(m, old.entry[i].key) = old.entry[i];
	free(old.entry);
	return 0;
}

uint32_t *
map_at(struct map *m, uint64_t key)
{
	struct map_entry *found;

	if (m->used >= m->capacity / 2 && enlarge(m))
		return NULL;
	found = place(m, key);
	if (!found->used) {
		*found = (struct map_entry){ .key = key, .used = true };
		m->used++;
	}
	return &found->value;
}

uint32_t
map_get(const struct map *m, uint64_t key)
{
	return m->capacity ? place(m, key)->value : 0;
}

void
map_prefetch(const struct map *m, uint64_t key)
{
	if (m->capacity)
		__builtin_prefetch(&m->entry[first_place(m, key)], 1);
}

void
map_release(struct map *m)
{
	free(m->entry);
	*m = (struct map){ 0 };
}

void *
array_grow(void *array, size_t n, uint32_t *capacity, size_t element_bytes)
{
	uint32_t wanted = *capacity ? *capacity * 2 : 16;

	if (n < *capacity)
		return array;
	if (wanted < *capacity || n >= wanted)
		return NULL;
	array = realloc(array, wanted * element_bytes);
	if (array)
		*capacity = wanted;
	return array;
}

static uint32_t
names_add(struct names *s, const char *name)
{
	char **grown = array_grow(s->name, (size_t)s->n + 1, &s->capacity, sizeof(*s->name));
	size_t bytes = strlen(name) + 1;
	char  *copy;

	if (!grown)
		return 0;
	s->name = grown;
	copy = malloc(bytes);
	if (!copy)
		return 0;
	memcpy(copy, name, bytes);
	s->name[++s->n] = copy;
	return s->n;
}

uint32_t
names_intern(struct names *s, const char *name)
{
	uint32_t *number;

	for (uint64_t key = XXH3_64bits_withSeed(name, strlen(name), secret());; key++) {
		number = map_at(&s->map, key);
		if (!number)
			return 0;
		if (!*number)
			return *number = names_add(s, name);
		if (!strcmp(s->name[*number], name))
			return *number;
	}
}

void
names_release(struct names *s)
{
	for (uint32_t i = 1; i <= s->n; i++)
		free(s->name[i]);
	free(s->name);
	map_release(&s->map);
	*s = (struct names){ 0 };
}
