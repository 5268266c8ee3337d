/*
 * kernel.c - open-file descriptions, descriptor tables and tasks.
 *
 * The first calls of a child may be logged before its parent's clone returns.
 * An unknown pid therefore counts as the child of the task that has been inside
 * clone for longest; if there is no such task, it starts without descriptors.
 */
#include <stdlib.h>
#include <string.h>

#include "traces/calls/kernel.h"

/* ---- descriptions ---- */

static uint32_t
new_description(struct kernel *k, uint32_t file, struct error *e)
{
	uint32_t	    number = k->free_description;
	struct description *grown;

	if (number) {
		k->free_description = k->description[number].refs;
	} else {
		grown = array_grow(k->description, (size_t)k->ndescriptions + 1,
		    &k->description_capacity, sizeof(*grown));
		if (!grown) {
			error_no_memory(e);
			return NIL;
		}
		k->description = grown;
		number = ++k->ndescriptions;
	}
	k->description[number] = (struct description){ .file = file };
	return number;
}

static void
drop_description(struct kernel *k, uint32_t number)
{
	struct description *d = &k->description[number];

	if (--d->refs)
		return;
	d->refs = k->free_description;
	k->free_description = number;
}

/* ---- descriptor tables ---- */

/* Index of the first descriptor that is not below fd. */
static uint32_t
place(const struct table *t, uint32_t fd)
{
	uint32_t low = 0, high = t->n, middle;

	if (t->n && fd > t->descriptor[t->n - 1].fd)
		return t->n;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->descriptor[middle].fd < fd)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct descriptor *
table_find(struct table *t, uint32_t fd)
{
	uint32_t i = place(t, fd);

	return i < t->n && t->descriptor[i].fd == fd ? &t->descriptor[i] : NULL;
}

static void
remove_at(struct kernel *k, struct table *t, uint32_t i)
{
	drop_description(k, t->descriptor[i].description);
	t->n--;
	memmove(&t->descriptor[i], &t->descriptor[i + 1], (t->n - i) * sizeof(*t->descriptor));
}

void
kernel_close(struct kernel *k, struct table *t, uint32_t fd)
{
	uint32_t i = place(t, fd);

	if (i < t->n && t->descriptor[i].fd == fd)
		remove_at(k, t, i);
}

void
kernel_close_range(struct kernel *k, struct table *t, uint32_t first, uint64_t last,
    bool only_on_exec)
{
	uint32_t i = place(t, first);

	while (i < t->n && t->descriptor[i].fd <= last) {
		if (only_on_exec)
			t->descriptor[i++].close_on_exec = true;
		else
			remove_at(k, t, i);
	}
}

struct descriptor *
kernel_dup(struct kernel *k, struct table *t, uint32_t fd, uint32_t description, struct error *e)
{
	struct descriptor *grown;
	uint32_t	   i;

	k->description[description].refs++;
	kernel_close(k, t, fd);
	grown = array_grow(t->descriptor, t->n, &t->capacity, sizeof(*grown));
	if (!grown) {
		drop_description(k, description);
		error_no_memory(e);
		return NULL;
	}
	t->descriptor = grown;
	i = place(t, fd);
	memmove(&grown[i + 1], &grown[i], (t->n - i) * sizeof(*grown));
	grown[i] = (struct descriptor){ .fd = fd, .description = description };
	t->n++;
	return &grown[i];
}

struct descriptor *
kernel_open(struct kernel *k, struct table *t, uint32_t fd, uint32_t file, struct error *e)
{
	uint32_t description = new_description(k, file, e);

	return description ? kernel_dup(k, t, fd, description, e) : NULL;
}

static void
drop_table(struct kernel *k, struct table *t)
{
	if (!t || --t->refs)
		return;
	for (uint32_t i = 0; i < t->n; i++)
		drop_description(k, t->descriptor[i].description);
	free(t->descriptor);
	free(t);
}

/* A copy, or an empty one. */
static struct table *
new_table(struct kernel *k, const struct table *from, struct error *e)
{
	struct table *t = calloc(1, sizeof(*t));

	if (t && from && from->n) {
		t->descriptor = malloc(from->n * sizeof(*t->descriptor));
		if (!t->descriptor) {
			free(t);
			t = NULL;
		}
	}
	if (!t) {
		error_no_memory(e);
		return NULL;
	}
	t->refs = 1;
	t->folder = from ? from->folder : NIL;
	if (!from || !from->n)
		return t;
	t->n = t->capacity = from->n;
	memcpy(t->descriptor, from->descriptor, from->n * sizeof(*t->descriptor));
	for (uint32_t i = 0; i < t->n; i++)
		k->description[t->descriptor[i].description].refs++;
	return t;
}

/* ---- tasks ---- */

struct task *
kernel_entry(struct kernel *k, uint32_t pid, struct error *e)
{
	uint32_t    *number = map_at(&k->pid_map, pid);
	struct task *grown;

	if (number && !*number) {
		grown =
		    array_grow(k->task, (size_t)k->ntasks + 1, &k->task_capacity, sizeof(*grown));
		if (grown) {
			k->task = grown;
			*number = ++k->ntasks;
			k->task[*number] = (struct task){ .pid = pid };
		}
	}
	if (number && *number)
		return &k->task[*number];
	error_no_memory(e);
	return NULL;
}

static void
stop_cloning(struct kernel *k, struct task *t)
{
	uint32_t *at = &k->cloning;

	if (!t->cloning)
		return;
	while (&k->task[*at] != t)
		at = &k->task[*at].next_cloning;
	*at = t->next_cloning;
	t->cloning = false;
}

/* Start a task, with a copy of the parent's descriptor table, or with the same table. */
static int
start(struct kernel *k, struct task *t, struct table *parent, bool shares, struct error *e)
{
	struct table *own = parent && shares ? parent : new_table(k, parent, e);

	if (!own)
		return -1;
	if (own == parent)
		own->refs++;
	if (!t->table) {
		k->nrunning++;
		k->running_sum += (uint64_t)(t - k->task);
	}
	stop_cloning(k, t);
	drop_table(k, t->table);
	free(t->begun);
	*t = (struct task){ .pid = t->pid, .table = own };
	return 0;
}

static struct task *
cloning_task(struct kernel *k)
{
	struct task *oldest = NULL;

	for (uint32_t i = k->cloning; i; i = k->task[i].next_cloning) {
		struct task *t = &k->task[i];

		if (!oldest || t->clone_time < oldest->clone_time ||
		    (t->clone_time == oldest->clone_time && t < oldest))
			oldest = t;
	}
	return oldest;
}

struct task *
kernel_task(struct kernel *k, uint32_t pid, struct error *e)
{
	struct task *t = kernel_entry(k, pid, e), *parent;

	if (!t || t->table)
		return t;
	parent = cloning_task(k);
	if (start(k, t, parent ? parent->table : NULL, parent && parent->shares, e))
		return NULL;
	t->early = parent != NULL;
	if (parent)
		stop_cloning(k, parent);
	return t;
}

uint32_t
kernel_alone(const struct kernel *k)
{
	return k->nrunning == 1 ? k->task[k->running_sum].pid : 0;
}

void
kernel_begin_clone(struct kernel *k, struct task *parent, usec_t time, bool shares)
{
	if (!parent->cloning) {
		parent->next_cloning = k->cloning;
		k->cloning = (uint32_t)(parent - k->task);
	}
	parent->cloning = true;
	parent->clone_time = time;
	parent->shares = shares;
}

int
kernel_end_clone(struct kernel *k, struct task *parent, uint32_t child_pid, bool shares,
    struct error *e)
{
	struct table *table = parent->table;
	struct task  *child;

	stop_cloning(k, parent);
	if (!child_pid || child_pid == parent->pid)
		return 0;
	child = kernel_entry(k, child_pid, e);
	if (!child)
		return -1;
	if (child->table && child->early) {
		child->early = false;
		return 0;
	}
	return start(k, child, table, shares, e);
}

int
kernel_exec(struct kernel *k, struct task *t, struct error *e)
{
	struct table *own = t->table;

	if (own->refs > 1) {
		own = new_table(k, t->table, e);
		if (!own)
			return -1;
		drop_table(k, t->table);
		t->table = own;
	}
	for (uint32_t i = 0; i < own->n;) {
		if (own->descriptor[i].close_on_exec)
			remove_at(k, own, i);
		else
			i++;
	}
	return 0;
}

void
kernel_exit(struct kernel *k, struct task *t)
{
	stop_cloning(k, t);
	if (t->table) {
		k->nrunning--;
		k->running_sum -= (uint64_t)(t - k->task);
	}
	drop_table(k, t->table);
	t->table = NULL;
}

void
kernel_release(struct kernel *k)
{
	for (uint32_t i = 1; i <= k->ntasks; i++) {
		drop_table(k, k->task[i].table);
		free(k->task[i].begun);
	}
	free(k->task);
	free(k->description);
	map_release(&k->pid_map);
	tree_release(&k->tree);
}
