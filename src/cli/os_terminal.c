/* SPDX-License-Identifier: MIT */
#include "cli/cli_terminal.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

bool fgi_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

bool fgi_reader_is_gone(void)
{
    return errno == EPIPE;
}

bool fgi_is_same_file(const char *path, const char *other)
{
    struct stat one;
    struct stat two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}
