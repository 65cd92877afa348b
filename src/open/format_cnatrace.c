/* SPDX-License-Identifier: MIT */
/* CNATRACE files: the events of a process, in one small file that is read whole. */
#include "base/result.h"
#include "convert/import_cnatrace.h"
#include "open/document_priv.h"
#include <frameglass/capture_cnatrace.h>

#include <string.h>

static bool sniff_cnatrace(const uint8_t *head, size_t size)
{
    static const char magic[] = "CNATRACE";
    return size >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0;
}

static enum fg_result open_cnatrace(struct fg_document *document, struct fg_diag *diag)
{
    return fg_cnatrace_read(&document->source, document->allocator, &document->cnatrace, diag);
}

static enum fg_result load_cnatrace(struct fg_document *document, struct fg_diag *diag,
                                    struct fg_trace **out_trace)
{
    const enum fg_result result = fgi_import_cnatrace(document->cnatrace, document->allocator,
                                                      document->options.max_rows, out_trace);
    return result == FG_OK
               ? FG_OK
               : fgi_fail(diag, result, 0, "the events make no trace: %s", fg_result_text(result));
}

static bool is_frame(const struct fg_process_event *event)
{
    return event->kind == FG_PROCESS_EVENT_FRAME;
}

static uint64_t frame_count_cnatrace(const struct fg_document *document)
{
    uint64_t count = 0;
    for (size_t i = 0; i < document->cnatrace->event_count; i++) {
        count += is_frame(&document->cnatrace->events[i]);
    }
    return count;
}

static void frames_cnatrace(const struct fg_document *document, uint64_t first, size_t count,
                            struct fg_strip_frame *out_frames)
{
    const struct fg_process_event *event = document->cnatrace->events;
    for (uint64_t seen = 0; count != 0; event++) {
        if (!is_frame(event) || seen++ < first) {
            continue;
        }
        *out_frames++ = (struct fg_strip_frame){
            .frame = event->correlation,
            .cpu_ns = event->duration_ns <= INT64_MAX ? (int64_t)event->duration_ns : -1,
            .gpu_ns = -1,
        };
        count--;
    }
}

static void close_cnatrace(struct fg_document *document)
{
    fg_cnatrace_free(document->cnatrace);
}

const struct fgi_format fgi_format_cnatrace = {
    .name = "cnatrace",
    .about = "Events of a process, CNATRACE version 1",
    .sniff = sniff_cnatrace,
    .open = open_cnatrace,
    .load = load_cnatrace,
    .frame_count = frame_count_cnatrace,
    .frames = frames_cnatrace,
    .close = close_cnatrace,
};
