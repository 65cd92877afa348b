/* SPDX-License-Identifier: MIT */
/*
 * A program that records into a ring and then crashes in the way that it is told.
 *
 *     flight_child FOLDER WAY
 *
 * Frames are those of a software device on the machine's clock; around and in them are zones.
 */
#include <frameglass/capture.h>
#include <frameglass/flight.h>
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/instrument.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES = 40, EXIT_HANDLED = 42, EXIT_BROKEN = 43, BUSY_THREADS = 3 };

static struct fg_device *device;
static struct fg_session *session;
static struct fg_software_commands *native;
static volatile sig_atomic_t never; /* so that compilers believe in what follows */

static void check(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        _exit(EXIT_BROKEN);
    }
}

static void open_session(const char *folder, const char *way)
{
    const struct fg_flight_options flight = {
        .ring_bytes = 256 << 10,
        .folder = folder,
        .pattern = "{cause}-{number}.sgpt",
        .signals = FG_FLIGHT_ALL_SIGNALS,
    };
    if (strcmp(way, "loop") == 0) {
        check(fg_session_create(NULL, FG_SESSION_OPTIONS(.flight = &flight), &session) == FG_OK &&
                  fg_session_start(session) == FG_OK,
              "session");
        return;
    }
    check(fg_software_device_create(&(struct fg_software_options){ .flags = FG_SOFTWARE_REAL_TIME },
                                    &device) == FG_OK,
          "device");
    check(fg_software_commands_create(device, &native) == FG_OK, "commands");
    check(fg_session_create(device, FG_SESSION_OPTIONS(.flight = &flight), &session) == FG_OK,
          "session");
    check(fg_session_start(session) == FG_OK, "start");
}

/* A frame of the process's own loop. */
static void run_loop(void)
{
    (void)fg_loop_begin(NULL);
    FG_ZONE_BEGIN(update, "child/update");
    FG_ZONE_END(update);
    (void)fg_loop_end(NULL);
}

static void run_frame(void)
{
    if (device == NULL) {
        run_loop();
        return;
    }
    FG_ZONE_BEGIN(frame_zone, "child/frame");
    struct fg_frame *frame = fg_frame_begin(device);
    fg_software_commands_reset(native);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
    for (int i = 0; i < 4; i++) {
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "pass" });
        fg_software_work(native, 1000, 1);
        fg_gpu_pass_end(commands);
    }
    fg_commands_end(commands);
    fg_frame_submit(frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 },
                    NULL);
    check(fg_software_submit(device, &(struct fg_software_submission){ .commands = &native,
                                                                       .commands_count = 1 }) ==
              FG_OK,
          "submit");
    fg_frame_end(frame);
    FG_ZONE_END(frame_zone);
}

/* ---- ways to crash --------------------------------------------------------------------------- */

static void fault(void)
{
    *(volatile int *)(uintptr_t)(never + 8) = 1;
}

static int overflow(volatile int *before)
{
    volatile int here[64];
    here[0] = *before + 1;
    return never != 0 ? 0 : overflow(here) + here[0];
}

static void overflow_stack(void)
{
    /* The least that the system promises to be enough for a handler. */
    static char stack[64 << 10];
    volatile int first = 0;
    stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
    check(sigaltstack(&alternate, NULL) == 0, "sigaltstack");
    (void)overflow(&first);
}

static pthread_barrier_t both;

static void *crash_with_other(void *context)
{
    (void)context;
    FG_ZONE_BEGIN(zone, "child/second thread");
    (void)pthread_barrier_wait(&both);
    fault();
    FG_ZONE_END(zone);
    return NULL;
}

static void crash_twice(void)
{
    pthread_t thread;
    check(pthread_barrier_init(&both, NULL, 2) == 0, "barrier");
    check(pthread_create(&thread, NULL, crash_with_other, NULL) == 0, "thread");
    (void)pthread_barrier_wait(&both);
    fault();
}

static pthread_barrier_t filled;

static void *fill_ring(void *context)
{
    (void)context;
    for (int i = 0; i < 5000; i++) {
        FG_EVENT("child/one of many", i);
    }
    FG_ZONE_BEGIN(zone, "child/busy");
    (void)pthread_barrier_wait(&filled);
    for (;;) {
        (void)pause();
    }
    FG_ZONE_END(zone);
    return NULL;
}

/* What these threads did last is more than a dump has room for. */
static void crash_beside_busy_threads(void)
{
    check(pthread_barrier_init(&filled, NULL, BUSY_THREADS + 1) == 0, "barrier");
    for (int i = 0; i < BUSY_THREADS; i++) {
        pthread_t thread;
        check(pthread_create(&thread, NULL, fill_ring, NULL) == 0, "thread");
    }
    (void)pthread_barrier_wait(&filled);
    fault();
}

/* What the handler reads of this thread leads nowhere: that part of the dump is left out. */
static void break_context(void)
{
#if FG_LEVEL >= 2
    fg_thread_context->ring = (struct fg_ring_event *)(uintptr_t)64;
    fg_thread_context->head += 3;
#endif
    fault();
}

static void fill_disk(void)
{
    const struct rlimit limit = { 100 << 10, 100 << 10 };
    check(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &limit) == 0, "limit");
    fault();
}

static void crash_in_fork(void)
{
    pid_t child = fork();
    if (child == 0) {
        fault();
    }
    int status;
    /* Sanitizers make an exit of the signal. */
    check(child > 0 && waitpid(child, &status, 0) == child && status != 0, "fork");
}

/* Somebody kills it while it runs. */
static void run_until_killed(void)
{
    check(write(STDOUT_FILENO, "r", 1) == 1, "pipe");
    for (;;) {
        run_frame();
    }
}

/* ---- handlers of the program itself ---------------------------------------------------------- */

static sigjmp_buf back;

static void leave(int number)
{
    (void)number;
    _exit(EXIT_HANDLED);
}

static void jump_back(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static void set_handler(const char *way)
{
    struct sigaction action = { .sa_flags = 0 };
    action.sa_handler = strcmp(way, "handled") == 0 ? leave : jump_back;
    (void)sigemptyset(&action.sa_mask);
    check(sigaction(SIGSEGV, &action, NULL) == 0, "sigaction");
}

static void recover(void)
{
    if (sigsetjmp(back, 1) == 0) {
        fault();
    }
    for (int i = 0; i < 4000; i++) {
        run_frame();
    }
    check(fg_flight_dump(session, "recovered") == FG_OK, "dump");
    fg_session_destroy(session);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
    exit(EXIT_HANDLED);
}

/* ---- which one ------------------------------------------------------------------------------- */

static void crash(const char *way)
{
    if (strcmp(way, "abort") == 0) {
        abort();
    } else if (strcmp(way, "ill") == 0) {
        (void)raise(SIGILL);
    } else if (strcmp(way, "fpe") == 0) {
        (void)raise(SIGFPE);
    } else if (strcmp(way, "bus") == 0) {
        (void)raise(SIGBUS);
    } else if (strcmp(way, "overflow") == 0) {
        overflow_stack();
    } else if (strcmp(way, "twice") == 0) {
        crash_twice();
    } else if (strcmp(way, "busy") == 0) {
        crash_beside_busy_threads();
    } else if (strcmp(way, "broken") == 0) {
        break_context();
    } else if (strcmp(way, "full") == 0) {
        fill_disk();
    } else if (strcmp(way, "fork") == 0) {
        crash_in_fork();
    } else if (strcmp(way, "run") == 0) {
        run_until_killed();
    } else if (strcmp(way, "recover") == 0) {
        recover();
    } else if (strcmp(way, "destroyed") == 0) {
        fg_session_destroy(session);
        fault();
    } else {
        fault();
    }
}

int main(int argc, char **argv)
{
    check(argc == 3, "flight_child FOLDER WAY");
    const char *way = argv[2];
    const struct rlimit no_core = { 0, 0 };
    (void)setrlimit(RLIMIT_CORE, &no_core);
    if (strcmp(way, "handled") == 0 || strcmp(way, "recover") == 0) {
        set_handler(way);
    }
    open_session(argv[1], way);
    bool fills_ring = strcmp(way, "full") == 0 || strcmp(way, "busy") == 0;
    int frames = fills_ring ? 2000 : FRAMES;
    for (int i = 0; i < frames; i++) {
        run_frame();
    }
    FG_ZONE_BEGIN(outer, "child/outer");
    FG_ZONE_BEGIN(inner, "child/inner");
    FG_EVENT("child/about to crash", 7);
    crash(way);
    FG_ZONE_END(inner);
    FG_ZONE_END(outer);
    return 0;
}
