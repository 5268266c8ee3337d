/*
 * generate.c - the made-up traces of the bench, as text on standard output.
 *
 *   generate zipf|scan-loop|files|loop REFERENCES [BLOCKS]
 *
 * zipf       single blocks of one file of BLOCKS (a million), popularity 1 / rank,
 *            popular blocks scattered over the file
 * scan-loop  in bursts of 64 blocks: 68 % continue a loop over 200,000 blocks, 16 % a scan of
 *            another 790,000, both in calls of 16 KiB; 16 % are random blocks of 10,000
 * files      four processes, interleaved, that open a file, read it from end to end in calls of
 *            16 KiB, half the time once more, and then a few blocks of it at random; mostly one
 *            of 64 files of their own, else one of 4,096: 95 % hit in 16,384 blocks
 * loop       over and over through one file of BLOCKS, in calls of 64 KiB
 *
 * Always the same bytes: the seed is fixed, and printed on standard error.
 * splitmix64 is from Guy L. Steele Jr., Doug Lea, Christine H. Flood, Fast
 * splittable pseudorandom number generators, OOPSLA 2014; Zipf numbers come by
 * Wolfgang Hoermann, Gerhard Derflinger, Rejection-inversion to generate
 * variates from monotone discrete distributions, ACM Transactions on Modeling
 * and Computer Simulation 6(3), 1996.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, SEED = 2005 };

static uint64_t random_state = SEED;
static uint64_t now_us;
static uint64_t left; /* references still to be made */

static uint64_t
random64(void)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t
random_below(uint64_t n)
{
	return (random64() >> 32) * n >> 32;
}

static double
random_share(void)
{
	return (double)(random64() >> 11) * 0x1p-53;
}

/* printf() would take longer than everything else. */
static char *
put_number(char *p, uint64_t n)
{
	char  digits[20];
	char *d = digits + sizeof(digits);

	do
		*--d = (char)('0' + n % 10);
	while (n /= 10);
	memcpy(p, d, (size_t)(digits + sizeof(digits) - d));
	p += digits + sizeof(digits) - d;
	*p = ' ';
	return p + 1;
}

struct handle {
	uint64_t pid, inode, nblocks;
};

static void
event(const struct handle *h, char op, uint64_t offset, uint64_t length)
{
	char  line[160];
	char *p = put_number(put_number(put_number(line, now_us), h->pid), h->inode + 3);

	*p++ = op;
	*p++ = ' ';
	p = put_number(put_number(p, h->inode), h->nblocks * BLOCK);
	p = put_number(put_number(p, offset), length);
	p[-1] = '\n';
	fwrite(line, 1, (size_t)(p - line), stdout);
}

/* A call that reads up to n blocks from first on; how many it has read. */
static uint64_t
read_blocks(const struct handle *h, uint64_t first, uint64_t n)
{
	n = n < h->nblocks - first ? n : h->nblocks - first;
	n = n < left ? n : left;
	event(h, 'R', first * BLOCK, n * BLOCK);
	now_us += 20 + random_below(160);
	left -= n;
	return n;
}

/* 1 .. n with probability proportional to 1 / k. */
static uint64_t
random_zipf(uint64_t n)
{
	const double low = log(1.5) - 1, high = log((double)n + 0.5);

	for (;;) {
		double u = low + random_share() * (high - low);
		double k = fmin(fmax(floor(exp(u) + 0.5), 1), (double)n);

		if (u >= log(k + 0.5) - 1 / k)
			return (uint64_t)k;
	}
}

static void
make_zipf(uint64_t nblocks)
{
	const struct handle h = { 1, 1, nblocks };

	event(&h, 'O', 0, 0);
	while (left)
		read_blocks(&h, random_zipf(nblocks) * UINT64_C(618033989) % nblocks, 1);
}

static void
make_scan_loop(uint64_t ignored)
{
	const struct handle loop = { 1, 1, 200000 }, scan = { 1, 2, 790000 }, hot = { 1, 3, 10000 };
	uint64_t	    at_loop = 0, at_scan = 0;

	event(&loop, 'O', 0, 0);
	event(&scan, 'O', 0, 0);
	event(&hot, 'O', 0, 0);
	while (left) {
		uint64_t kind = random_below(100);

		for (uint64_t n = 0; n < 64 && left;) {
			if (kind < 68) {
				n += read_blocks(&loop, at_loop, 4);
				at_loop = (at_loop + 4) % loop.nblocks;
			} else if (kind < 84) {
				n += read_blocks(&scan, at_scan, 4);
				at_scan = (at_scan + 4) % scan.nblocks;
			} else {
				n += read_blocks(&hot, random_below(hot.nblocks), 1);
			}
		}
	}
}

/* Where a process is in the file it has open. */
struct reading {
	struct handle file;
	uint64_t      at, again, jumps;
};

enum { PROCESSES = 4, OWN_FILES = 64, ALL_FILES = 4096, ELSEWHERE_PERCENT = 8 };

static struct handle
choose_file(uint64_t process)
{
	uint64_t inode = random_below(100) < ELSEWHERE_PERCENT
	    ? 1 + random_below(ALL_FILES)
	    : 10000 * process + random_below(OWN_FILES);

	return (struct handle){ process, inode, 1 + inode * UINT64_C(618033989) % 63 };
}

static void
read_on(struct reading *r)
{
	if (r->at < r->file.nblocks) {
		r->at += read_blocks(&r->file, r->at, 4);
	} else if (r->again) {
		r->again--;
		r->at = read_blocks(&r->file, 0, 4);
	} else if (r->jumps) {
		r->jumps--;
		read_blocks(&r->file, random_below(r->file.nblocks), 1);
	} else {
		event(&r->file, 'C', 0, 0);
		*r = (struct reading){ .file = choose_file(r->file.pid),
			.again = random_below(2),
			.jumps = random_below(16) };
		event(&r->file, 'O', 0, 0);
	}
}

static void
make_files(uint64_t ignored)
{
	struct reading reading[PROCESSES];

	for (uint64_t i = 0; i < PROCESSES; i++) {
		reading[i] = (struct reading){ .file = choose_file(i + 1) };
		event(&reading[i].file, 'O', 0, 0);
	}
	while (left)
		read_on(&reading[random_below(PROCESSES)]);
}

static void
make_loop(uint64_t nblocks)
{
	const struct handle h = { 1, 1, nblocks };

	event(&h, 'O', 0, 0);
	for (uint64_t at = 0; left; at %= nblocks)
		at += read_blocks(&h, at, 16);
}

static const struct kind {
	const char *name;
	void (*make)(uint64_t nblocks);
} kinds[] = {
	{ "zipf", make_zipf },
	{ "scan-loop", make_scan_loop },
	{ "files", make_files },
	{ "loop", make_loop },
};

int
main(int argc, char **argv)
{
	uint64_t nblocks = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000000;

	left = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	for (size_t i = 0; left && nblocks && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		fprintf(stderr, "%s: %s references, seed %d\n", argv[1], argv[2], SEED);
		puts("# time_us pid fd op inode file_size offset length");
		kinds[i].make(nblocks);
		return fflush(stdout) || ferror(stdout);
	}
	fprintf(stderr, "usage: generate zipf|scan-loop|files|loop REFERENCES [BLOCKS]\n");
	return 2;
}
