/* SPDX-License-Identifier: MIT */
/* Our own container, .sgpt. */
#include "base/bytes.h"
#include "convert/capture_to_trace.h"
#include "open/document_priv.h"

static bool sniff_sgpt(const uint8_t *head, size_t size)
{
    return size >= 4 && fgi_load_u32(head) == FG_CAPTURE_MAGIC;
}

static bool is_followed(const struct fg_document *document)
{
    return (document->options.flags & FG_OPEN_FOLLOW) != 0;
}

static enum fg_result open_capture(const struct fg_document *document, struct fg_diag *diag,
                                   struct fg_capture **out_capture)
{
    const struct fg_capture_options options = {
        .allocator = document->allocator,
        .flags = is_followed(document) ? FG_CAPTURE_FOLLOW : 0,
    };
    return fg_capture_open(&document->source, &options, diag, out_capture);
}

static enum fg_result open_sgpt(struct fg_document *document, struct fg_diag *diag)
{
    return open_capture(document, diag, &document->capture);
}

/* What is followed is read by two: the document's reader looks for growth while the trace's own one
 * is asked for arguments, perhaps on another thread. */
static enum fg_result load_sgpt(struct fg_document *document, struct fg_diag *diag,
                                struct fg_trace **out_trace)
{
    struct fgi_capture_to_trace_options options = {
        .allocator = document->allocator,
        .budget_bytes = document->options.budget_bytes,
        .max_rows = document->options.max_rows,
        .progress = document->options.progress,
        .progress_context = document->options.progress_context,
        .previous = document->trace,
        .owns_capture = is_followed(document),
    };
    struct fg_capture *capture = document->capture;
    enum fg_result result = FG_OK;
    if (options.owns_capture) {
        result = open_capture(document, diag, &capture);
    }
    if (result == FG_OK) {
        result = fgi_capture_to_trace(capture, &options, diag, out_trace);
    }
    if (result != FG_OK && options.owns_capture && capture != document->capture) {
        fg_capture_close(capture);
    }
    return result;
}

static uint64_t frame_count_sgpt(const struct fg_document *document)
{
    size_t count = 0;
    (void)fg_capture_frames(document->capture, &count);
    return count;
}

static int64_t known_ns(uint64_t value)
{
    return value <= INT64_MAX ? (int64_t)value : -1;
}

static void frames_sgpt(const struct fg_document *document, uint64_t first, size_t count,
                        struct fg_strip_frame *out_frames)
{
    size_t total = 0;
    const struct fg_capture_frame_entry *entries = fg_capture_frames(document->capture, &total);
    for (size_t i = 0; i < count; i++) {
        const struct fg_capture_frame_entry *entry = &entries[first + i];
        out_frames[i] = (struct fg_strip_frame){
            .frame = entry->frame,
            .cpu_ns = known_ns(entry->cpu_ns),
            .gpu_ns = known_ns(entry->gpu_ns),
            .dropped = entry->dropped,
        };
    }
}

static enum fg_result poll_sgpt(struct fg_document *document, bool *out_grown)
{
    return fg_capture_poll(document->capture, out_grown);
}

static void close_sgpt(struct fg_document *document)
{
    fg_capture_close(document->capture);
}

const struct fgi_format fgi_format_sgpt = {
    .name = "sgpt",
    .about = "Frameglass captures",
    .sniff = sniff_sgpt,
    .open = open_sgpt,
    .load = load_sgpt,
    .frame_count = frame_count_sgpt,
    .frames = frames_sgpt,
    .poll = poll_sgpt,
    .close = close_sgpt,
};
