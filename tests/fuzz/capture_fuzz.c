/* SPDX-License-Identifier: MIT */
/* Any bytes as a capture: read in order, from the middle, again, and while it grows. */
#include "fuzz_memory.h"
#include <frameglass/capture.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fg_capture_options *defaults(void)
{
    static struct fg_capture_options options;
    options.allocator = fgt_fuzz_allocator();
    return &options;
}

static void read_all(struct fg_capture *capture)
{
    struct fg_capture_record record;
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_FRAM && !record.incomplete) {
            for (size_t i = 0; i < record.frame->gpu_pass_count; i++) {
                (void)fg_capture_symbol(capture, record.frame->gpu_passes[i].label, NULL);
            }
        }
    }
}

static void read_from_the_middle(struct fg_capture *capture)
{
    size_t count;
    struct fg_capture_record record;
    const struct fg_capture_frame_entry *frames = fg_capture_frames(capture, &count);
    for (size_t i = 0; i < count && i < 8; i++) {
        if (fg_capture_seek(capture, frames[count - 1 - i].offset) == FG_OK &&
            fg_capture_next(capture, &record) == FG_ERR_ARGUMENT) {
            abort();
        }
    }
}

static void follow(const uint8_t *data, size_t size)
{
    struct fg_memory_view view = { data, size / 2 };
    struct fg_source source = fg_memory_source(&view);
    const struct fg_capture_options options = { .allocator = fgt_fuzz_allocator(),
                                                .flags = FG_CAPTURE_FOLLOW };
    struct fg_capture *capture;
    bool grown;
    if (fg_capture_open(&source, &options, NULL, &capture) != FG_OK) {
        return;
    }
    read_all(capture);
    view.size = size;
    if (fg_capture_poll(capture, &grown) == FG_OK) {
        read_all(capture);
    }
    fg_capture_close(capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_memory_view view = { data, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    if (fg_capture_open(&source, defaults(), NULL, &capture) == FG_OK) {
        read_all(capture);
        read_from_the_middle(capture);
        fg_capture_rewind(capture);
        read_all(capture);
        fg_capture_close(capture);
    }
    follow(data, size);
    fgt_fuzz_nothing_is_held();
    return 0;
}
