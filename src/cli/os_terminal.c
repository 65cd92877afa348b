/* SPDX-License-Identifier: MIT */
#include "cli/cli_terminal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The signal that came; 0. Only this is written by its handler. */
static volatile sig_atomic_t interrupted_by;

bool fgi_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

unsigned fgi_stdout_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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

static void on_signal(int number)
{
    interrupted_by = number;
}

void fgi_interrupt_arm(void)
{
    /* Reads of a pipe come back, so that waiting for input can be given up. */
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    struct sigaction before;
    static const int numbers[] = { SIGINT, SIGTERM };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* What the parent has us ignore (nohup, a job in the background) stays ignored. */
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
}

bool fgi_is_interrupted(void)
{
    return interrupted_by != 0;
}

int fgi_interrupt_end(int status)
{
    if (interrupted_by != 0) {
        (void)signal((int)interrupted_by, SIG_DFL);
        (void)raise((int)interrupted_by);
    }
    return status;
}
