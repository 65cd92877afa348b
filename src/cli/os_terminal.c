/* SPDX-License-Identifier: MIT */
#include "cli/cli_terminal.h"

#include <errno.h>
#include <unistd.h>

bool fgi_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

bool fgi_reader_is_gone(void)
{
    return errno == EPIPE;
}
