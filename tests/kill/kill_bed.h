/* SPDX-License-Identifier: MIT */
/*
 * A child process records and is killed with SIGKILL at a chosen moment; then its file is read.
 *
 * The child says in shared memory how far it is. Its sink writes to a file; at a write that the
 * parent chose it writes only part of the bytes, says so, and waits to be killed.
 */
#ifndef FGI_TEST_KILL_BED_H
#define FGI_TEST_KILL_BED_H
#include <frameglass/capture.h>

#include <stdatomic.h>

/** Where the child is to stop. */
enum moment {
    AT_FRAME_WRITE,    /**< in the nth write */
    AT_TOPOLOGY_WRITE, /**< in the nth write that holds a TOPO after the first */
    AT_DIRECTORY_WRITE,
    AT_GROWTH,      /**< in the nth growth of memory */
    AT_PATCH,       /**< before the nth patch of the header */
    AT_ANY_TIME,    /**< nowhere: it is killed while it runs */
    BETWEEN_FRAMES, /**< when the nth call of child_frame_done() is reached */
};

struct shared {
    _Atomic uint64_t durable_frames; /**< frames whose writes have returned */
    _Atomic uint64_t growths;        /**< so that the parent knows that there were any */
    _Atomic uint32_t stopped;
};

struct child {
    struct shared *shared;
    const char *path;
    enum moment moment;
    unsigned nth;
    unsigned part_percent; /**< of the chosen write's bytes that reach the file */
    int file;
};

/** Opens the child's file; FG_OK or FG_ERR_IO. */
enum fg_result child_open(struct child *child);
struct fg_sink child_sink(struct child *child);
/**
 * For a recording that writes its file itself, not through child_sink(): `frames_written` are
 * handed to the operating system.
 */
void child_frame_done(struct child *child, uint64_t frames_written);
struct fg_allocator child_allocator(struct child *child);

/** What a test records and what it expects of each frame. */
struct kill_test {
    /** Record everything; FG_OK when the end was reached without being killed. */
    enum fg_result (*record)(struct child *child);
    /** Names and contents of one frame. Asserts. */
    void (*check_frame)(const struct fg_capture *capture, const struct fg_cap_frame *frame);
    unsigned gpu_delay; /**< frames after which GPU times are in the file */
    /** Everything else; so many frames are in the file for sure. Asserts. NULL = nothing. */
    void (*check_rest)(const struct fg_source *source, uint64_t durable_frames);
};
/** Record in a child, kill it at the moment, check the file. */
void kill_once(const struct kill_test *test, enum moment moment, unsigned nth,
               unsigned part_percent);

#endif
