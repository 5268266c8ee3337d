/*
 * sched_linus.h - what the elevators of Linux 2.4 share: parameters, the
 * rules of its request queue, and the limit on segments.
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

/* r merged with request i; or, if that had too many segments, where it goes instead. */
struct place linus_merge(const struct linus *l, const struct queue *q, enum placing how, uint32_t i,
    const struct request *r);

/* Its sorting has been done when it was placed. */
uint32_t linus_pick(void *self, const struct queue *q, const struct moment *m);

#endif
