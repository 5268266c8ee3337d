/*
 * workers.h - below points.c: who computes the points.
 *
 * A worker shares the memory of its parent at the fork, without a copy, and
 * sends its result back as text through a pipe.  Points are handed out one by
 * one, so that no worker is idle while work is left.
 */
#ifndef SIM_WORKERS_H
#define SIM_WORKERS_H

#include "sim/points/points.h"

/* As points_run(): by p->jobs workers, or by this process, which a signal ends. */
int work_run(const struct points *p, point_taker *take, void *to, struct error *e);
int work_alone(const struct points *p, point_taker *take, void *to, struct error *e);

/* The result of point i, or its error.  The caller frees m->text, also after a failure. */
struct memo;
int work_make(const struct points *p, size_t i, struct memo *m, struct error *e);

#endif
