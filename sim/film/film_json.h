/*
 * film_json.h - a film as data: all that its picture shows.
 *
 * One JSON object on one line.  Times are in microseconds of the run, blocks
 * are numbered through all files.  A row of a list is a list of numbers.
 *
 *	trace, title, setting	texts
 *	first, last		calls, from 1
 *	begin, end		of the picture
 *	programs		true: each process is one of several programs
 *	acts			[{word, name, us}]: what a process does; the processor
 *				is the last, if it costs anything
 *	parts			[{word, us}]: of a service
 *	uses			[{word, requests}]: what a request is for
 *	fates			[{word, name, blocks}]: what happens to a block
 *	processes		[{number, name, pid}]: those that act, by number
 *	files			[{inode, name, first, blocks}]: those with a block in the
 *				film, by first; the name only if the trace has it
 *	spans			[process, act, from, to]
 *	calls			[number, process, begin, end, write, first, count]
 *	requests		[number, first, count, demanded, use, queued, started,
 *				done, and the time of each part], by started
 *	late			[when, process, request]: a reference waits for a
 *				prefetch under way, one of requests, counted from 0
 *	events			[when, first, count, fate]
 *	stays			[first, count, from, to]: prefetched and not used yet
 *
 * process is a number of processes; act, use and fate count from 0 in their
 * lists.  Requests may begin before the picture and end after it; the sums (us,
 * requests) are of what lies within.
 */
#ifndef SIM_FILM_JSON_H
#define SIM_FILM_JSON_H

#include "sim/draw/picture.h"
#include "sim/film/film.h"

/* After film_finish(); of the trace with that name.  Bytes as if of a picture.  -1: out of memory. */
int film_json(const struct film *f, const char *trace, const char *setting, struct picture *to,
    struct error *e);

#endif
