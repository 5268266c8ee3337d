/*
 * word.h - a short word as a number, so that words compare fast.
 *
 * Letters, digits and _ are the digits 1 to 37 of a system without zero: each
 * number is one word of at most WORD_LETTERS, and 0 is none.  Upper and lower
 * case are the same.
 */
#ifndef SIM_WORD_H
#define SIM_WORD_H

#include "sim/base/types.h"

enum { WORD_LETTERS = 12, WORD_DIGITS = 37 };

/* 0: not a letter of a word. */
ALWAYS_INLINE unsigned
word_digit(char letter)
{
	unsigned lower = (unsigned)(letter | 0x20) - 'a';

	if (lower < 26)
		return 11 + lower;
	if ((unsigned)letter - '0' < 10)
		return 1 + (unsigned)letter - '0';
	return letter == '_' ? WORD_DIGITS : 0;
}

/* The word that n characters begin with, cut to its room. */
ALWAYS_INLINE uint64_t
word_pack(const char *text, size_t n)
{
	uint64_t word = 0;
	unsigned digit;

	for (size_t i = 0; i < n && i < WORD_LETTERS && (digit = word_digit(text[i])); i++)
		word = word * WORD_DIGITS + digit;
	return word;
}

#endif
