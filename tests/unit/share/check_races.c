/*
 * check_races.c - between what one processor writes and another references, every kind of sharing
 * has a lock or a barrier, or the moment at which the others are created.
 */
#include <stdlib.h>

#include "sim/studies/share/model/processors.h"
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

static struct error e;

enum {
	N = 8, /* processors */
	WORDS = 8192,
	SYNCS = 64
};

typedef uint32_t moment[N]; /* how far each processor was */

struct watch_order {
	moment	 now[N], lock[SYNCS], flag[SYNCS], barrier;
	uint32_t wrote[WORDS], read[WORDS][N];
	unsigned writer[WORDS];
	uint64_t races, references;
};

static void
join(moment to, const moment from)
{
	for (unsigned i = 0; i < N; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
}

static void
watch_reference(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	struct watch_order *w = self;
	const uint32_t	   *now = w->now[processor];

	ck_assert_uint_lt(word, WORDS);
	w->references++;
	w->races += w->wrote[word] > now[w->writer[word]];
	for (unsigned i = 0; write && i < N; i++)
		w->races += w->read[word][i] > now[i];
	if (write) {
		w->writer[word] = processor;
		w->wrote[word] = now[processor];
	} else {
		w->read[word][processor] = now[processor];
	}
}

static int
watch_sync(void *self, const struct sync_event *s, struct error *unused)
{
	struct watch_order *w = self;
	uint32_t	   *now = w->now[s->processor];
	uint32_t *at = s->kind == SYNC_ACQUIRE || s->kind == SYNC_RELEASE ? w->lock[s->number]
	    : s->kind == SYNC_POST || s->kind == SYNC_PASS		  ? w->flag[s->number]
									  : w->barrier;

	if (s->kind == SYNC_ACQUIRE || s->kind == SYNC_PASS || s->kind == SYNC_DEPART) {
		join(now, at);
	} else if (s->kind == SYNC_CREATE) {
		for (unsigned i = 0; i < N; i++)
			join(w->now[i], w->now[0]);
	} else {
		join(at, now);
	}
	now[s->processor]++;
	return 0;
}

static const struct protocol watching = { .reference = watch_reference, .sync = watch_sync };

/* Races of a program. */
static uint64_t
races_of(struct program *p)
{
	static struct processors  m;
	static struct watch_order w;
	const struct plugin	 *plugin = PLUGIN_ALLOCATOR->list[0];
	struct heap		  h;
	struct clocks		  t;
	struct world		  world = { .program = p,
			     .heap = &h,
			     .clocks = &t,
			     .processors = p->processors };

	memset(&w, 0, sizeof(w));
	for (unsigned i = 0; i < N; i++)
		w.now[i][i] = 1;
	ck_assert(!heap_init(&h, p, 4096, &e) && !clocks_init(&t, p, p->processors, &e));
	world.referenced = calloc((size_t)p->nwords + 1, sizeof(*world.referenced));
	m = (struct processors){ .program = p,
		.heap = &h,
		.world = &world,
		.allocator = (const struct allocator *)(const void *)plugin,
		.allocator_self = plugin_state(plugin, NULL, &e),
		.protocol = &watching,
		.protocol_self = &w };
	ck_assert_msg(!processors_run(&m, true, &e), "%s", e.text);
	ck_assert_uint_eq(w.references, p->nreferences);
	free(m.allocator_self);
	free(world.referenced);
	clocks_release(&t);
	heap_release(&h);
	return w.races;
}

START_TEST(a_race_is_found)
{
	struct program p = program_of("# program t, processors 8, problem p, words of 8 bytes\n"
				      "P 0\nA 1 16\nC\nW 1 0\nP 1\nR 1 0\n");

	ck_assert_uint_eq(races_of(&p), 1);
	program_release(&p);
}
END_TEST

/* A few objects, or a small problem of a program. */
static const char *
small(const struct plugin *kind)
{
	static const char *const of[][2] = { { "sor", "processors=8,rows=64,rounds=4,step=1" },
		{ "lu-blocks", "processors=8,n=64,samples=1" } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (!strcmp(kind->name, of[i][0]))
			return of[i][1];
	return "objects=12,size=264,rounds=4";
}

START_TEST(no_kind_has_races)
{
	static const char *const more[] = { "", ",consumers=3", ",users=2", ",group=3",
		",stripe=512,group=2" };

	for (const struct plugin *const *k = PLUGIN_KIND->list; *k; k++)
		for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++) {
			struct program p;
			char	       text[96];

			snprintf(text, sizeof(text), "%s:%s%s", (*k)->name, small(*k), more[i]);
			if (make_kind(&p, text, &e)) {
				REQUIRE(*more[i] && e.exit_code == EXIT_USAGE, "%s: %s", text,
				    e.text);
				continue;
			}
			REQUIRE(!races_of(&p), "%s has races", text);
			program_release(&p);
		}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("races");

	tcase_add_test(tc, a_race_is_found);
	tcase_add_test(tc, no_kind_has_races);
	return run_tests("races", tc);
}
