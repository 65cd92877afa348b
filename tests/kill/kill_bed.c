/* SPDX-License-Identifier: MIT */
#include "../support/cmocka_all.h"

#include "kill_bed.h"

#include "base/bytes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_STEPS = 20000 };

static _Noreturn void stop_here(struct child *child)
{
    atomic_store_explicit(&child->shared->stopped, 1,
                          memory_order_release); /* with await_child() */
    for (;;) {
        (void)pause();
    }
}

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size != 0) {
        ssize_t done = write(file, bytes, size);
        if (done <= 0) {
            return false;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/*
 * Number of records of a type in whole records. A write begins with a record, or with the header.
 */
static unsigned count_type(const uint8_t *bytes, size_t size, const char *type)
{
    unsigned count = 0;
    size_t at = size >= 4 && memcmp(bytes, "SGPT", 4) == 0 ? 32 : 0;
    while (at + 16 <= size) {
        count += memcmp(bytes + at + 4, type, 4) == 0;
        at += 16 + fgi_load_u32(bytes + at + 8);
    }
    return count;
}

static bool is_chosen(struct child *child, const uint8_t *bytes, size_t size)
{
    switch (child->moment) {
    case AT_FRAME_WRITE:
        return child->nth-- == 0;
    case AT_TOPOLOGY_WRITE:
        return count_type(bytes, size, "TOPO") != 0 && child->nth-- == 0;
    case AT_DIRECTORY_WRITE:
        return count_type(bytes, size, "DIRE") != 0 && child->nth-- == 0;
    default:
        return false;
    }
}

static enum fg_result child_write(void *context, const void *bytes, size_t size)
{
    struct child *child = context;
    if (is_chosen(child, bytes, size)) {
        size_t part = size * child->part_percent / 100;
        (void)write_all(child->file, bytes, part);
        stop_here(child);
    }
    if (!write_all(child->file, bytes, size)) {
        return FG_ERR_IO;
    }
    atomic_fetch_add_explicit(&child->shared->durable_frames, count_type(bytes, size, "FRAM"),
                              memory_order_release); /* with check_file() */
    return FG_OK;
}

static enum fg_result child_patch(void *context, uint64_t offset, const void *bytes, size_t size)
{
    struct child *child = context;
    if (child->moment == AT_PATCH && child->nth-- == 0) {
        stop_here(child);
    }
    return pwrite(child->file, bytes, size, (off_t)offset) == (ssize_t)size ? FG_OK : FG_ERR_IO;
}

static void *child_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct child *child = context;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (old_size != 0) {
        atomic_fetch_add_explicit(&child->shared->growths, 1, memory_order_relaxed);
        if (child->moment == AT_GROWTH && child->nth-- == 0) {
            stop_here(child);
        }
    }
    return realloc(block, size);
}

enum fg_result child_open(struct child *child)
{
    child->file = open(child->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return child->file >= 0 ? FG_OK : FG_ERR_IO;
}

struct fg_sink child_sink(struct child *child)
{
    return (struct fg_sink){ child_write, child_patch, child };
}

void child_frame_done(struct child *child, uint64_t frames_written)
{
    atomic_store_explicit(&child->shared->durable_frames, frames_written,
                          memory_order_release); /* with check_file() */
    if (child->moment == BETWEEN_FRAMES && child->nth-- == 0) {
        stop_here(child);
    }
}

struct fg_allocator child_allocator(struct child *child)
{
    return (struct fg_allocator){ child_resize, child };
}

static void await_child(struct shared *shared, pid_t pid, enum moment moment, unsigned nth)
{
    for (unsigned i = 0; i < WAIT_STEPS; i++) {
        bool reached =
            moment == AT_ANY_TIME
                ? atomic_load_explicit(&shared->durable_frames, memory_order_acquire) > nth
                : atomic_load_explicit(&shared->stopped, memory_order_acquire) != 0;
        if (reached) {
            return;
        }
        int status;
        if (waitpid(pid, &status, WNOHANG) == pid) {
            if (moment == AT_ANY_TIME) {
                return; /* it was faster than the kill */
            }
            fail_msg("the child ended with %d before moment %d, %u", status, (int)moment, nth);
        }
        (void)usleep(500);
    }
    fail_msg("the child did not reach moment %d, %u", (int)moment, nth);
}

static void check_file(const struct kill_test *test, const char *path, uint64_t durable_frames,
                       bool exact)
{
    struct fg_file_source *file;
    struct fg_source source;
    struct fg_capture *capture;
    struct fg_capture_record record;
    uint64_t frames = 0;
    uint64_t gpu_frames = 0;
    assert_int_equal(fg_file_source_open(path, &file, &source), FG_OK);
    uint64_t size = 0;
    assert_int_equal(source.size(source.context, &size), FG_OK);
    if (size < FG_CAPTURE_HEADER_BYTES) {
        assert_int_equal(durable_frames, 0);
        fg_file_source_close(file);
        return;
    }
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    size_t listed;
    (void)fg_capture_frames(capture, &listed);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_FRAM) {
            assert_int_equal(record.frame->frame, frames);
            assert_false(record.incomplete);
            test->check_frame(capture, record.frame);
            frames++;
        } else if (record.type == FG_CAPTURE_GSPN) {
            assert_int_equal(record.gpu_frame->frame, gpu_frames);
            gpu_frames++;
        }
    }
    /* Those that were written are there; a write cut short can hold at most one more. */
    assert_int_equal(listed, frames);
    assert_true(frames >= durable_frames);
    assert_true(frames <= durable_frames + 1);
    assert_true(!exact || frames == durable_frames);
    assert_true(gpu_frames + test->gpu_delay >= frames);
    /* The cut end, and nothing else. */
    size_t defect_count;
    const struct fg_capture_defect *defects = fg_capture_defects(capture, &defect_count);
    assert_true(defect_count <= 1);
    assert_true(defect_count == 0 || defects[0].kind == FG_CAPTURE_DEFECT_short_record);
    fg_capture_close(capture);
    if (test->check_rest != NULL) {
        test->check_rest(&source, durable_frames);
    }
    fg_file_source_close(file);
}

void kill_once(const struct kill_test *test, enum moment moment, unsigned nth,
               unsigned part_percent)
{
    char path[] = "/tmp/frameglass-kill-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    struct child child = {
        .shared = shared, .moment = moment, .nth = nth, .part_percent = part_percent
    };
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        child.path = path;
        /* A moment that never came is a mistake of the test. */
        _exit(test->record(&child) == FG_OK ? 0 : 1);
    }
    await_child(shared, pid, moment, nth);
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
    uint64_t durable = atomic_load_explicit(&shared->durable_frames, memory_order_acquire);
    bool exact = moment == BETWEEN_FRAMES || moment == AT_GROWTH || moment == AT_PATCH ||
                 (moment != AT_ANY_TIME && part_percent == 0);
    check_file(test, path, durable, exact);
    (void)munmap(shared, sizeof *shared);
    (void)unlink(path);
}
