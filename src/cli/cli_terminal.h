/* SPDX-License-Identifier: MIT */
/* What the operating system knows of our streams and files, and who wants us to stop. */
#ifndef FGI_CLI_TERMINAL_H
#define FGI_CLI_TERMINAL_H
#include <stdbool.h>

bool fgi_stderr_is_terminal(void);
/** How many characters a line of the terminal has that standard output is; 0: it is none. */
unsigned fgi_stdout_columns(void);
/** True when the last write to a stream failed because nobody reads it any more. */
bool fgi_reader_is_gone(void);

/** True when both names lead to one file: writing one would destroy the other. */
bool fgi_is_same_file(const char *path, const char *other);

/**
 * From here on the first SIGINT or SIGTERM (Ctrl-C) only makes fgi_is_interrupted() true, so that
 * long work can end with nothing left half done. A second one ends the process.
 */
void fgi_interrupt_arm(void);
/** Threads: any. */
bool fgi_is_interrupted(void);
/** At the end of the program: dies of the signal that came, or returns `status`. */
int fgi_interrupt_end(int status);

#endif
