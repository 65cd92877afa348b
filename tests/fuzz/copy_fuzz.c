/* SPDX-License-Identifier: MIT */
/* Any bytes as a capture that is repaired, copied with a note, and redacted: what is made of it
 * must read without a defect of its own making. */
#include "fuzz_memory.h"
#include <frameglass/capture_copy.h>

#include <stdlib.h>
#include <string.h>

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
    }
}

static void repair(const struct fg_source *source)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_capture_repair_report report;
    if (fg_memory_sink_create(fgt_fuzz_allocator(), 0, &memory, &sink) != FG_OK) {
        return;
    }
    if (fg_capture_repair(source, defaults(), &sink, NULL, &report) == FG_OK) {
        struct fg_memory_view view;
        struct fg_capture_repair_report again;
        view.bytes = fg_memory_sink_bytes(memory, &view.size);
        struct fg_source copy = fg_memory_source(&view);
        if (fg_capture_repair(&copy, defaults(), NULL, NULL, &again) != FG_OK ||
            again.kept_count != report.kept_count || again.skipped_bytes != 0 ||
            again.dropped_count != 0) {
            abort();
        }
    }
    fg_memory_sink_destroy(memory);
}

/* How often each kind of defect is named. */
static void count_defects(const struct fg_source *source, uint64_t counts[64])
{
    struct fg_capture *capture;
    size_t count;
    if (fg_capture_open(source, defaults(), NULL, &capture) != FG_OK) {
        abort();
    }
    read_all(capture);
    const struct fg_capture_defect *defects = fg_capture_defects(capture, &count);
    for (size_t i = 0; i < count; i++) {
        /* What runs past a file's end ends inside of a longer one: then its checksum is bad. */
        bool is_short = defects[i].kind == FG_CAPTURE_DEFECT_short_record;
        counts[is_short ? FG_CAPTURE_DEFECT_bad_checksum : defects[i].kind]++;
    }
    fg_capture_close(capture);
}

static void amend(const struct fg_source *source, const uint8_t *data, size_t size)
{
    static const struct fg_capture_new_note note = { .frame = FG_CAP_UNKNOWN, .text = { "x", 1 } };
    struct fg_capture_amendment made;
    uint64_t before[64] = { 0 };
    uint64_t after[64] = { 0 };
    if (fg_capture_amend(source, defaults(), &note, 1, NULL, &made) != FG_OK) {
        return;
    }
    if (made.keep_bytes < sizeof made.head || made.keep_bytes > size) {
        abort();
    }
    struct fg_memory_view view = { .size = (size_t)made.keep_bytes + made.tail_bytes };
    uint8_t *copied = malloc(view.size);
    if (copied != NULL) {
        memcpy(copied, data, (size_t)made.keep_bytes);
        memcpy(copied, made.head, sizeof made.head);
        memcpy(copied + made.keep_bytes, made.tail, made.tail_bytes);
        view.bytes = copied;
        struct fg_source copy = fg_memory_source(&view);
        count_defects(source, before);
        count_defects(&copy, after);
        for (size_t kind = 0; kind < 64; kind++) {
            if (before[kind] == 0 && after[kind] != 0) {
                abort();
            }
        }
    }
    free(copied);
    fg_capture_amendment_finish(fgt_fuzz_allocator(), &made);
}

static void redact(const struct fg_source *source)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    uint64_t counts[64] = { 0 };
    if (fg_memory_sink_create(fgt_fuzz_allocator(), 0, &memory, &sink) != FG_OK) {
        return;
    }
    const struct fg_capture_redact_options options = { .allocator = fgt_fuzz_allocator() };
    if (fg_capture_redact(source, &options, &sink, NULL, NULL) == FG_OK) {
        struct fg_memory_view view;
        view.bytes = fg_memory_sink_bytes(memory, &view.size);
        struct fg_source copy = fg_memory_source(&view);
        count_defects(&copy, counts);
        for (size_t kind = 0; kind < 64; kind++) {
            if (counts[kind] != 0) {
                abort();
            }
        }
    }
    fg_memory_sink_destroy(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_memory_view view = { data, size };
    struct fg_source source = fg_memory_source(&view);
    repair(&source);
    amend(&source, data, size);
    redact(&source);
    fgt_fuzz_nothing_is_held();
    return 0;
}
