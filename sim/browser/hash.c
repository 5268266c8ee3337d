/* hash.c - xxHash, from its header: its package has no library for a web page. */
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <xxhash.h>
