/*
 * values.h - lists of settings; numbers and parameters of plug-ins may be ranges.
 *
 *	none,linux24:max=31,min=3	none and linux24:max=31,min=3
 *	ondemand:pages=4:256:x2		pages=4, 8, 16 ... 256
 *	ondemand:pages=8:32:+8		pages=8, 16, 24, 32
 *	4:128:x2			4, 8, 16 ... 128
 *	ondemand:pages=4,8,large=0,1	each of 4 and 8 with each of 0 and 1
 *
 * Several ranges multiply; the last one changes fastest.  An item behind a
 * comma that begins with a digit continues the list of the parameter: no name
 * begins so.
 */
#ifndef SIM_SETUP_VALUES_H
#define SIM_SETUP_VALUES_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { VALUES_MAX = 10000 };

/*
 * Append each single value to *text; *n counts them.  The caller frees texts
 * and array, also after a failure.
 */
int values_expand(const char *list, char ***text, unsigned *n, struct error *e);

/*
 * The same for costs, which stand without a name and a colon.  A cost that a
 * value has already begins the next one:
 *
 *	none,call=500,page=400,call=900		none, then call=500,page=400, then call=900
 *	call=500,900,page=400			page=400 with call=500 and with call=900
 */
int costs_expand(const char *list, char ***text, unsigned *n, struct error *e);

#endif
