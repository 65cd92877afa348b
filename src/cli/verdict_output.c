/* SPDX-License-Identifier: MIT */
#include "cli/verdict_output.h"
#include "trace/model.h"
#include <frameglass/trace.h>
#include <frameglass/trace_structure.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static uint32_t told_of(const struct fg_verdict_window *window)
{
    return window->frame_count - window->counts[FG_VERDICT_UNKNOWN];
}

void fgi_verdict_json(struct fgi_json *json, const struct fg_verdict_window *window)
{
    if (window->frame_count == 0) {
        fgi_json_null(json);
        return;
    }
    fgi_json_inline_object_begin(json);
    fgi_json_key_text_or_null(json, "verdict", window->verdict_name);
    fgi_json_key_uint(json, "frames", window->frame_count);
    fgi_json_key_uint(json, "told", told_of(window));
    fgi_json_key_uint(json, "inferred", window->inferred_count);
    fgi_json_key_uint(json, "cpu", window->counts[FG_VERDICT_CPU]);
    fgi_json_key_uint(json, "gpu", window->counts[FG_VERDICT_GPU]);
    fgi_json_key_uint(json, "present", window->counts[FG_VERDICT_PRESENT]);
    fgi_json_key_uint(json, "balanced", window->counts[FG_VERDICT_BALANCED]);
    fgi_json_object_end(json);
}

FG_PRINTF(2, 3)
static void add(char out[FGI_VERDICT_TEXT], const char *format, ...)
{
    const size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + used, FGI_VERDICT_TEXT - used, format, arguments);
    va_end(arguments);
}

const char *fgi_verdict_text(const struct fg_verdict_window *window, char out[FGI_VERDICT_TEXT])
{
    static const char *const words[FG_VERDICTS] = { "cannot be told", "CPU-bound", "GPU-bound",
                                                    "present-bound",  "balanced",  "mixed" };
    static const char *const short_words[] = { "", "CPU", "GPU", "present", "balanced" };
    const uint32_t told = told_of(window);
    const char *between = ": ";
    out[0] = '\0';
    add(out, "%s", words[window->verdict]);
    if (window->inferred_count > 0 && window->inferred_count == told) {
        add(out, " (inferred)");
    } else if (window->inferred_count > 0) {
        add(out, " (%" PRIu32 " inferred)", window->inferred_count);
    }
    for (int verdict = FG_VERDICT_CPU; verdict < FG_VERDICT_MIXED; verdict++) {
        if (window->counts[verdict] > 0) {
            add(out, "%s%s %" PRIu32, between, short_words[verdict], window->counts[verdict]);
            between = ", ";
        }
    }
    if (told > 0) {
        add(out, " of %" PRIu32 " frame%s", told, told == 1 ? "" : "s");
    }
    /* Few speak for many. */
    if (told > 0 && window->counts[FG_VERDICT_UNKNOWN] > told) {
        add(out, ", %" PRIu32 " cannot be told", window->counts[FG_VERDICT_UNKNOWN]);
    }
    return out;
}

const char *fgi_verdict_doubt(const struct fg_trace *trace)
{
    return fgi_trace_times_are_of_execution(trace)
               ? NULL
               : "GPU times of this driver are not of execution: no verdict is of them.";
}

const char *fgi_verdict_basis(const struct fg_frame_row *row)
{
    return row->verdict_name == NULL               ? NULL
           : (row->flags & FG_FRAME_INFERRED) != 0 ? "inferred"
                                                   : "measured";
}

bool fgi_verdict_is_open(const struct fg_frame_row *row)
{
    return row->verdict_name == NULL && (row->flags & FG_FRAME_PAUSE) == 0 && row->frame_ns >= 0 &&
           row->cpu_work_ns >= 0 && row->gpu_busy_ns >= 0;
}

void fgi_verdict_frames(const struct fg_trace *trace, int64_t start_ns, int64_t end_ns,
                        uint32_t *out_first, uint32_t *out_end)
{
    const struct fg_trace_frame *frame;
    const bool is_all = start_ns == 0 && end_ns == 0;
    *out_first = 0;
    *out_end = 0;
    for (uint32_t i = 0; (frame = fg_trace_frame(trace, i)) != NULL; i++) {
        const bool is_before = !is_all && frame->start_ns >= end_ns;
        if (is_before) {
            break;
        }
        /* It runs until the next one begins. */
        *out_first = !is_all && frame->start_ns <= start_ns ? i : *out_first;
        *out_end = i + 1;
    }
}
