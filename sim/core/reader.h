/*
 * reader.h - readers that cannot go on: for which blocks or for what room
 * they wait, when they go on, and whose fault the wait was.
 */
#ifndef SIM_READER_H
#define SIM_READER_H

#include "sim/core/sim.h"

/* Reader r sleeps until it has its blocks, or until there is room for its next one. */
void reader_sleep(struct sim *s, struct reader *r, enum waiting why);

/* Reader r, woken, has its turn. */
void reader_resume(struct sim *s, struct reader *r);

/* May r bring in a block, or are there no frames and requests, or others before it? */
bool reader_has_room(const struct sim *s, const struct reader *r);

/* Blocks from .. to - 1 of a request in service have become readable. */
void readers_deliver(struct sim *s, const struct in_service *served, uint32_t from, uint32_t to);

/* If there is room, it is the turn of whoever has waited for it longest; who was admitted has had
 * his. */
void readers_admit(struct sim *s);
void readers_dismiss(struct sim *s);

/* What readers have waited up to now is not counted. */
void readers_restart_waits(struct sim *s);

#endif
