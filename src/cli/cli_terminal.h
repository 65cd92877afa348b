/* SPDX-License-Identifier: MIT */
/* What the operating system knows of our standard streams. */
#ifndef FGI_CLI_TERMINAL_H
#define FGI_CLI_TERMINAL_H
#include <stdbool.h>

bool fgi_stderr_is_terminal(void);
/** True when the last write to a stream failed because nobody reads it any more. */
bool fgi_reader_is_gone(void);

#endif
