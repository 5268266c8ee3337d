/* watch.h - show each reference to the observer, on its way from the machine to the protocol. */
#ifndef SIM_SHARE_WATCH_H
#define SIM_SHARE_WATCH_H

#include "sim/studies/share/model/processors.h"

struct watch {
	const struct world    *world;
	const struct protocol *protocol;
	void		      *protocol_self;
};

/* Put w, which stays where it is, between m and its protocol.  The observer has a reference(). */
void watch_put_between(struct watch *w, struct processors *m);

#endif
