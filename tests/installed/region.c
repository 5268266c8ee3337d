/* region.c - a program with a region of interest, marked by the hooks of PARSEC: as short as its threads are many. */
#include <stdlib.h>
#include <time.h>

void __parsec_bench_begin(int program);
void __parsec_roi_begin(void);
void __parsec_roi_end(void);
void __parsec_bench_end(void);

static void
rest(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

int
main(int argc, char **argv)
{
	__parsec_bench_begin(0);
	rest(30);
	__parsec_roi_begin();
	rest(40 / (argc > 1 ? atol(argv[1]) : 1));
	__parsec_roi_end();
	__parsec_bench_end();
	return 0;
}
