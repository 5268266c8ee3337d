/*
 * sched_linus.h - the common part of the elevators of Linux 2.4: parameters,
 * the rules of the request queue, and the limit on segments.
 */
#ifndef SIM_SCHED_LINUS_H
#define SIM_SCHED_LINUS_H

#include "sim/block/scheduler.h"

enum linus_version { LINUS_2_4_17, LINUS_2_4_20, LINUS_2_4_27 };

struct linus {
	uint64_t version, active, contiguous;
};

extern const struct param linus_params[];

void linus_init(void *self, struct queue *q);

/* The place of r in request i; or, if that has too many segments, the place instead. */
struct place linus_merge(const struct linus *l, const struct queue *q, enum placing how, uint32_t i,
    const struct request *r);

/* The queue is sorted already: the first request is next. */
uint32_t linus_pick(void *self, const struct queue *q, const struct moment *m);

#endif
