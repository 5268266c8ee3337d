/* numbers.c - the numbers of system calls on x86_64 and arm64, and which of the two a call is of. */
#include <stddef.h>

#include "traces/calls/numbers.h"

enum { HERE = -100, DESCRIPTORS = 1 << 20, CALLS_MOST = 512 };

static const struct numbered calls[] = {
	{ "read", { 0, 63 }, "fvv" },
	{ "write", { 1, 64 }, "fvv" },
	{ "open", { 2, -1 }, "nvv" },
	{ "close", { 3, 57 }, "f" },
	{ "fstat", { 5, 80 }, "fv" },
	{ "lseek", { 8, 62 }, "fvv" },
	{ "mmap", { 9, 222 }, "vvvvfv" },
	{ "pread64", { 17, 67 }, "fvvv" },
	{ "pwrite64", { 18, 68 }, "fvvv" },
	{ "readv", { 19, 65 }, "fvv" },
	{ "writev", { 20, 66 }, "fvv" },
	{ "pipe", { 22, -1 }, "v" },
	{ "dup", { 32, 23 }, "f" },
	{ "dup2", { 33, -1 }, "ff" },
	{ "sendfile", { 40, 71 }, "ffov" },
	{ "socket", { 41, 198 }, "vvv" },
	{ "connect", { 42, 203 }, "fvv" },
	{ "accept", { 43, 202 }, "fvv" },
	{ "socketpair", { 53, 199 }, "vvvv" },
	{ "clone", { 56, 220 }, "cvvvv" },
	{ "fork", { 57, -1 }, "" },
	{ "vfork", { 58, -1 }, "" },
	{ "execve", { 59, 221 }, "nvv" },
	{ "exit", { 60, 93 }, "v" },
	{ "wait4", { 61, 260 }, "vvvv" },
	{ "fcntl", { 72, 25 }, "fvv" },
	{ "ftruncate", { 77, 46 }, "fv" },
	{ "getcwd", { 79, 17 }, "vv" },
	{ "chdir", { 80, 49 }, "n" },
	{ "fchdir", { 81, 50 }, "f" },
	{ "rename", { 82, -1 }, "nn" },
	{ "creat", { 85, -1 }, "nv" },
	{ "link", { 86, -1 }, "nn" },
	{ "unlink", { 87, -1 }, "n" },
	{ "symlink", { 88, -1 }, "nn" },
	{ "readahead", { 187, 213 }, "fvv" },
	{ "io_submit", { 209, 2 }, "vvv" },
	{ "fadvise64", { 221, 223 }, "fvvv" },
	{ "exit_group", { 231, 94 }, "v" },
	{ "waitid", { 247, 95 }, "vvvvv" },
	{ "openat", { 257, 56 }, "dnvv" },
	{ "newfstatat", { 262, 79 }, "dnvv" },
	{ "unlinkat", { 263, 35 }, "dnv" },
	{ "renameat", { 264, 38 }, "dndn" },
	{ "linkat", { 265, 37 }, "dndnv" },
	{ "symlinkat", { 266, 36 }, "ndn" },
	{ "splice", { 275, 76 }, "fofovv" },
	{ "timerfd_create", { 283, 85 }, "vv" },
	{ "fallocate", { 285, 47 }, "fvvv" },
	{ "signalfd4", { 289, 74 }, "fvvv" },
	{ "eventfd2", { 290, 19 }, "vv" },
	{ "accept4", { 288, 242 }, "fvvv" },
	{ "epoll_create1", { 291, 20 }, "v" },
	{ "dup3", { 292, 24 }, "ffv" },
	{ "pipe2", { 293, 59 }, "vv" },
	{ "inotify_init1", { 294, 26 }, "v" },
	{ "preadv", { 295, 69 }, "fvvvv" },
	{ "pwritev", { 296, 70 }, "fvvvv" },
	{ "renameat2", { 316, 276 }, "dndnv" },
	{ "memfd_create", { 319, 279 }, "nv" },
	{ "execveat", { 322, 281 }, "dnvvv" },
	{ "copy_file_range", { 326, 285 }, "fofovv" },
	{ "preadv2", { 327, 286 }, "fvvvvv" },
	{ "pwritev2", { 328, 287 }, "fvvvvv" },
	{ "statx", { 332, 291 }, "dnvvv" },
	{ "io_uring_setup", { 425, 425 }, "vv" },
	{ "io_uring_enter", { 426, 426 }, "fvvvvv" },
	{ "clone3", { 435, 435 }, "vv" },
	{ "close_range", { 436, 436 }, "vvv" },
	{ "openat2", { 437, 437 }, "dnvv" },
};

enum { CALLS = sizeof(calls) / sizeof(*calls) };

const struct numbered *
numbers_find(enum machine m, uint64_t number)
{
	for (unsigned i = 0; m != MACHINE_UNKNOWN && number < CALLS_MOST && i < CALLS; i++)
		if (calls[i].number[m - MACHINE_X86_64] == (int)number)
			return &calls[i];
	return NULL;
}

enum machine
numbers_machine(uint64_t number, uint64_t first, uint64_t second)
{
	bool here = (int32_t)first == HERE, moves = first < DESCRIPTORS && second >= DESCRIPTORS;

	switch (number) {
	case 0:	 /* read; io_setup */
	case 1:	 /* write; io_destroy */
	case 17: /* pread64; getcwd */
	case 18: /* pwrite64; lookup_dcookie */
		return moves ? MACHINE_X86_64 : MACHINE_UNKNOWN;
	case 63: /* uname; read */
	case 64: /* semget; write */
	case 67: /* shmdt; pread64 */
	case 68: /* msgget; pwrite64 */
		return moves ? MACHINE_ARM64 : MACHINE_UNKNOWN;
	case 257: /* openat; none */
	case 262: /* newfstatat; none */
		return here ? MACHINE_X86_64 : MACHINE_UNKNOWN;
	case 56: /* clone; openat */
	case 79: /* getcwd; newfstatat */
		return here ? MACHINE_ARM64 : MACHINE_UNKNOWN;
	default:
		return MACHINE_UNKNOWN;
	}
}
