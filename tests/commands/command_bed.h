/* SPDX-License-Identifier: MIT */
/* Texts of lists, for tests. */
#ifndef FGT_COMMAND_BED_H
#define FGT_COMMAND_BED_H
#include <frameglass/command_list.h>

/** The whole text: the caller's, by free(). Fails the test when there is none. */
char *command_text(struct fg_command_list *list);
/** Fails the test, with the first line that differs, unless the text is this one. */
void command_same_text(const char *text, const char *expected);
/** The same against a file; with FGT_GOLDEN_WRITE in the environment the file is written. */
void command_same_file(const char *text, const char *name);
/** The number before the words, in the sums at the end. */
uint64_t command_sum(const char *text, const char *words);

#endif
