/* SPDX-License-Identifier: MIT */
/* Every call to a POSIX operating system that a program with a server in it makes. */
#include "base/memory_use.h"
#include "base/process.h"

#include <errno.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum fg_result fgi_random_bytes(void *bytes, size_t size)
{
    int descriptor = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return FG_ERR_IO;
    }
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(descriptor, (char *)bytes + done, size - done);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            break;
        }
    }
    close(descriptor);
    return done == size ? FG_OK : FG_ERR_IO;
}

static enum fg_result bind_loopback(int descriptor, uint16_t port, uint16_t *out_port)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int yes = 1;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    /*
     * A port that was ours a moment ago may be taken again; one that somebody listens on may not.
     */
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(descriptor, SOMAXCONN) != 0) {
        return errno == EADDRINUSE ? FG_ERR_BUSY : FG_ERR_IO;
    }
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) {
        return FG_ERR_IO;
    }
    *out_port = ntohs(address.sin_port);
    return FG_OK;
}

enum fg_result fgi_listen_loopback(uint16_t port, int *out_socket, uint16_t *out_port)
{
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) {
        return FG_ERR_IO;
    }
    enum fg_result result = bind_loopback(descriptor, port, out_port);
    if (result != FG_OK) {
        close(descriptor);
        return result;
    }
    *out_socket = descriptor;
    return FG_OK;
}

/* In the grandchild: becomes the program, or says why not through the pipe. */
static void become(const char *const *arguments, int report)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setsid();
    int nowhere = open("/dev/null", O_RDWR);
    for (int descriptor = 0; nowhere >= 0 && descriptor < 3; descriptor++) {
        dup2(nowhere, descriptor);
    }
    /* execvp takes char *const * for history's sake and writes to nothing. */
    execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    int why = errno;
    ssize_t ignored = write(report, &why, sizeof why);
    (void)ignored;
    _exit(127);
}

enum fg_result fgi_process_start(const char *const *arguments)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return FG_ERR_IO;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    /* Twice, so that the program is nobody's child and leaves no zombie. */
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            become(arguments, ends[1]);
        }
        _exit(grandchild < 0 ? 1 : 0);
    }
    close(ends[1]);
    int why = 0;
    int status = 1;
    ssize_t got = 0;
    if (child > 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        do {
            got = read(ends[0], &why, sizeof why);
        } while (got < 0 && errno == EINTR);
    }
    close(ends[0]);
    if (child < 0 || status != 0) {
        return FG_ERR_IO;
    }
    return got == 0 ? FG_OK : why == ENOENT ? FG_ERR_NOT_FOUND : FG_ERR_IO;
}

static void stop_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

void fgi_stop_arm(void)
{
    sigset_t set;
    stop_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool fgi_stop_wait(int64_t timeout_ns)
{
    sigset_t set;
    stop_signals(&set);
    struct timespec timeout = { .tv_sec = (time_t)(timeout_ns / 1000000000),
                                .tv_nsec = (long)(timeout_ns % 1000000000) };
    int signal_number =
        timeout_ns < 0 ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &timeout);
    /* EINTR is a stop of the debugger or a shell's job control: not asked to end. */
    return signal_number > 0;
}

int64_t fgi_process_resident_bytes(void)
{
    /* Pages: "size resident ...". Where there is no such file nothing is known. */
    char text[64];
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return -1;
    }
    ssize_t got = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    text[got > 0 ? got : 0] = '\0';
    const char *at = strchr(text, ' ');
    int64_t pages = 0;
    if (at == NULL || at[1] < '0' || at[1] > '9') {
        return -1;
    }
    for (at++; *at >= '0' && *at <= '9'; at++) {
        pages = pages * 10 + (*at - '0');
    }
    return pages * sysconf(_SC_PAGESIZE);
}
