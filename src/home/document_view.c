/* SPDX-License-Identifier: MIT */
#include "home/document_view.h"
#include "base/alloc.h"
#include "open/document.h"
#include <frameglass/capture_copy.h>
#include <frameglass/open.h>
#include <stdio.h>
#include <string.h>

/* A frame of the index in the view's form. */
static void frame_of(const void *document, size_t index, struct fgi_view_frame *out_frame)
{
    struct fg_strip_frame frame = { .cpu_ns = -1, .gpu_ns = -1 };
    (void)fg_document_frames(document, index, 1, &frame);
    *out_frame = (struct fgi_view_frame){ .number = frame.frame,
                                          .cpu_ns = frame.cpu_ns,
                                          .gpu_ns = frame.gpu_ns,
                                          .dropped = frame.dropped };
}

struct fgi_view_input fgi_view_input_of(const struct fg_document *document, const char *label,
                                        uint64_t size_bytes, bool is_live)
{
    return (struct fgi_view_input){
        .label = label,
        .format = fg_document_format(document),
        .packing = fg_document_packing(document),
        .size_bytes = size_bytes,
        .is_live = is_live,
        .frame_count = (size_t)fg_document_frame_count(document),
        .frame_of = frame_of,
        .context = document,
    };
}

static enum fg_result amend(const struct fg_allocator *allocator,
                            const struct fg_document *document,
                            const struct fg_capture_new_note *notes, size_t count,
                            struct fg_diag *diag, struct fgi_view_amendment *out)
{
    const struct fg_capture_options options = { .allocator = allocator };
    struct fg_capture_amendment made;
    enum fg_result result =
        fg_capture_amend(fgi_document_source(document), &options, notes, count, diag, &made);
    if (result == FG_OK) {
        memcpy(out->head, made.head, sizeof out->head);
        out->keep_bytes = made.keep_bytes;
        fgi_put_raw(&out->tail, made.tail, made.tail_bytes);
        fg_capture_amendment_finish(allocator, &made);
        result = out->tail.result;
    }
    return result;
}

enum fg_result fgi_document_amend(const struct fg_allocator *allocator,
                                  const struct fg_document *document,
                                  const struct fgi_view_note *notes, size_t count,
                                  struct fg_diag *diag, struct fgi_view_amendment *out)
{
    if (fgi_document_capture(document) == NULL) {
        return FG_ERR_UNSUPPORTED;
    }
    struct fg_capture_new_note *list = fgi_calloc(allocator, count, sizeof *list);
    if (list == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        list[i] = (struct fg_capture_new_note){
            .frame = notes[i].frame,
            .has_time = notes[i].has_time,
            .time_ns = notes[i].time_ns,
            .text = { notes[i].text, notes[i].size },
        };
    }
    enum fg_result result = amend(allocator, document, list, count, diag, out);
    fgi_free(allocator, list, count * sizeof *list);
    return result;
}

void fgi_failure_text(char *text, size_t size, enum fg_result result, const struct fg_diag *diag)
{
    if (diag->message[0] != 0) {
        snprintf(text, size, "%s (at byte %llu)", diag->message, (unsigned long long)diag->offset);
    } else {
        snprintf(text, size, "%s", fg_result_text(result));
    }
}
