/* SPDX-License-Identifier: MIT */
/* What the operating system knows of our streams and files. */
#ifndef FGI_CLI_TERMINAL_H
#define FGI_CLI_TERMINAL_H
#include <stdbool.h>

bool fgi_stderr_is_terminal(void);
/** True when the last write to a stream failed because nobody reads it any more. */
bool fgi_reader_is_gone(void);

/** True when both names lead to one file: writing one would destroy the other. */
bool fgi_is_same_file(const char *path, const char *other);

#endif
