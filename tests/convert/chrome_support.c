/* SPDX-License-Identifier: MIT */
#include "chrome_support.h"
#include "cmocka_all.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ARGS = 256 };

void chrome_input(struct chrome_input *input, const void *bytes, size_t size)
{
    input->view = (struct fg_memory_view){ .bytes = bytes, .size = size };
    input->source = fg_memory_source(&input->view);
}

struct fg_trace *chrome_import(struct chrome_input *input, size_t piece_bytes,
                               enum fg_result *out_result, struct fg_diag *out_diag)
{
    struct fg_trace *trace = NULL;
    const struct fgi_chrome_options options = { .piece_bytes = piece_bytes };
    enum fg_result result = fgi_import_chrome(&input->source, &options, out_diag, &trace);
    if (out_result != NULL) {
        *out_result = result;
    }
    return result == FG_OK ? trace : NULL;
}

struct fg_trace *chrome_import_text(struct chrome_input *input, const char *json)
{
    chrome_input(input, json, strlen(json));
    struct fg_trace *trace = chrome_import(input, 0, NULL, NULL);
    assert_non_null(trace);
    return trace;
}

uint64_t chrome_repairs(const struct fg_trace *trace, const char *kind, uint64_t *out_offset)
{
    const struct fg_trace_repair *repair;
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        if (strcmp(repair->kind, kind) == 0) {
            if (out_offset != NULL) {
                *out_offset = repair->first_offset;
            }
            return repair->count;
        }
    }
    return 0;
}

struct fg_trace_info chrome_info(const struct fg_trace *trace)
{
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    return info;
}

struct fg_trace_span chrome_span(const struct fg_trace *trace, uint32_t row)
{
    struct fg_trace_span span = { .row = FG_NONE };
    uint32_t count = 0;
    if (fg_trace_spans(trace, row, &span, 1, &count) != FG_OK || count == 0) {
        span.row = FG_NONE;
    }
    return span;
}

static const char *value_text(const struct fg_trace *trace, const struct fg_trace_arg *arg,
                              char *out, size_t size)
{
    switch ((enum fg_arg_kind)arg->kind) {
    case FG_ARG_INT:
        snprintf(out, size, "%" PRId64, arg->value.integer);
        return out;
    case FG_ARG_UINT:
    case FG_ARG_BOOL:
        snprintf(out, size, "%" PRIu64, arg->value.natural);
        return out;
    case FG_ARG_DOUBLE:
        snprintf(out, size, "%.17g", arg->value.real);
        return out;
    case FG_ARG_TEXT:
        snprintf(out, size, "%s", fg_trace_text(trace, arg->value.text));
        return out;
    case FG_ARG_UNKNOWN:
        return "unknown";
    default:
        return "group";
    }
}

const char *chrome_argument(struct fg_trace *trace, uint32_t row, const char *key, char *out,
                            size_t size)
{
    struct fg_trace_arg args[ARGS];
    uint32_t count = 0;
    if (fg_trace_span_args(trace, row, args, ARGS, &count) != FG_OK) {
        return NULL;
    }
    for (uint32_t i = 0; i < count && i < ARGS; i++) {
        if (args[i].depth == 0 && strcmp(fg_trace_text(trace, args[i].key), key) == 0) {
            return value_text(trace, &args[i], out, size);
        }
    }
    return NULL;
}

/* ---- print ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t print, uint64_t value)
{
    return fgi_mix64(print ^ fgi_mix64(value + UINT64_C(0x9E3779B97F4A7C15)));
}

static uint64_t mix_text(uint64_t print, const char *text)
{
    return mix(print, fgi_hash64(0, text, strlen(text)));
}

static uint64_t mix_args(uint64_t print, struct fg_trace *trace, uint32_t row)
{
    struct fg_trace_arg args[ARGS];
    uint32_t count = 0;
    print = mix(print, (uint64_t)fg_trace_span_args(trace, row, args, ARGS, &count));
    for (uint32_t i = 0; i < count && i < ARGS; i++) {
        char value[300];
        print = mix_text(print, fg_trace_text(trace, args[i].key));
        print = mix_text(mix(print, args[i].depth), value_text(trace, &args[i], value, 300));
    }
    return mix(print, count);
}

static uint64_t mix_rows(uint64_t print, struct fg_trace *trace)
{
    uint32_t rows = (uint32_t)chrome_info(trace).spans;
    for (uint32_t row = 0; row < rows; row++) {
        struct fg_trace_span span = chrome_span(trace, row);
        print = mix(mix(print, (uint64_t)span.start_ns), (uint64_t)span.end_ns);
        print = mix(mix(print, span.lane), span.depth);
        print = mix(mix(print, span.parent), span.status);
        print = mix_text(mix(print, span.classes), fg_trace_text(trace, span.name));
        print = mix_text(print, fg_trace_text(trace, span.category));
        print = mix_args(print, trace, row);
    }
    return print;
}

uint64_t chrome_print(struct fg_trace *trace)
{
    const struct fg_trace_info info = chrome_info(trace);
    const struct fg_trace_repair *repair;
    const struct fg_trace_instant *instant;
    const struct fg_trace_track *track;
    const struct fg_trace_meta *meta;
    struct fg_trace_dependency link;
    uint64_t print = mix(mix(info.closed, info.counter_samples), info.samples);
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        print = mix_text(mix(mix(print, repair->count), repair->first_offset), repair->kind);
    }
    for (uint32_t i = 0; (instant = fg_trace_instant(trace, i)) != NULL; i++) {
        print =
            mix_text(mix(print, (uint64_t)instant->time_ns), fg_trace_text(trace, instant->name));
    }
    for (uint32_t i = 0; (track = fg_trace_track(trace, i)) != NULL; i++) {
        print = mix_text(mix(print, track->kind), fg_trace_text(trace, track->name));
    }
    for (uint32_t i = 0; (meta = fg_trace_meta(trace, i)) != NULL; i++) {
        print = mix_text(mix_text(print, fg_trace_text(trace, meta->key)),
                         fg_trace_text(trace, meta->value));
    }
    for (uint32_t i = 0; fg_trace_dependency(trace, i, &link); i++) {
        print = mix(mix(mix(print, link.source), link.target), link.family);
    }
    return mix_rows(print, trace);
}
