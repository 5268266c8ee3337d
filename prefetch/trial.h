/*
 * trial.h - when to veto plans that pay, to learn what a miss costs.
 *
 * Where every plan passes, nothing shows what the requests would cost that
 * reading ahead saves: a drive that reads ahead by itself may serve them in no
 * time.  A single veto does not show it either, as the drive follows a stream only
 * after a few of its requests.  So of the plans that blocks used soon do not
 * pay for alone, after each `every` that pass, `trial` of one file are vetoed:
 * with 512 and 16, 3 in 100 where one file is read.
 */
#ifndef PREFETCH_TRIAL_H
#define PREFETCH_TRIAL_H

#include "sim/core/prefetch.h"

struct trial {
	/* Parameters, as in TRIAL_PARAMS. */
	uint64_t plans, every;

	uint64_t passed;   /* plans that could have been tried */
	file_t	 file;	   /* that is tried */
	uint64_t left;	   /* of its plans; 0: there is no trial */
	uint64_t patience; /* plans of other files that may come meanwhile */
};

/* For the parameters of a plug-in; its state `type` has a struct trial `field`. */
#define TRIAL_PARAMS(type, field)                                                                  \
	{ "trial", PARAM_COUNT, 16, 1, 1 << 30, offsetof(type, field.plans),                       \
		"plans of a file that a trial vetoes, to learn the price of a miss", NULL },       \
	{                                                                                          \
		"every", PARAM_COUNT, 512, 1, 1 << 30, offsetof(type, field.every),                \
		    "plans that pass from one trial to the next", NULL                             \
	}

/* A plan of the file does not pay by blocks used soon alone.  Is it vetoed, to learn what misses cost? */
bool trial_vetoes(struct trial *t, file_t file);

#endif
