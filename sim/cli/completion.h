/*
 * completion.h - completion for bash, zsh and fish.
 *
 * The scripts call bufsim --complete with the words of the command line up to
 * the cursor, and show what it prints: a candidate a line, a tab, and what it
 * is; or the line ":files", where names of files fit.  So the candidates come
 * from the same tables as the help, and are those of the program that runs.
 */
#ifndef SIM_COMPLETION_H
#define SIM_COMPLETION_H

#include <stdio.h>

/* Candidates for the last of n words behind "bufsim --complete"; it may be "". */
void complete_words(char *const *word, int n, FILE *out);

/* Scripts to be evaluated or installed. */
void completion_bash(FILE *out);
void completion_zsh(FILE *out);
void completion_fish(FILE *out);

#endif
