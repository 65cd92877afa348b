/* SPDX-License-Identifier: MIT */
/* Any bytes as a CNATRACE file: what is read is written to a file that reads the same. */
#include "base/strings.h"
#include <frameglass/capture_cnatrace.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static enum fg_result throw_away(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return FG_OK;
}

static enum fg_result read_bytes(const void *data, size_t size, struct fg_cnatrace **out_trace)
{
    struct fg_memory_view view = { data, size };
    const struct fg_source source = fg_memory_source(&view);
    struct fg_diag diag;
    return fg_cnatrace_read(&source, NULL, out_trace, &diag);
}

static void must_be_equal(const struct fg_cnatrace *a, const struct fg_cnatrace *b)
{
    must(a->name_count == b->name_count && a->event_count == b->event_count &&
         a->dropped_events == b->dropped_events);
    for (size_t i = 0; i < a->name_count; i++) {
        must(a->names[i].id == b->names[i].id && a->names[i].size == b->names[i].size &&
             memcmp(a->names[i].text, b->names[i].text, a->names[i].size) == 0);
        must(fgi_utf8_valid(a->names[i].text, a->names[i].size));
        must(fg_cnatrace_text(a, a->names[i].id) == a->names[i].text);
    }
    must(a->event_count == 0 ||
         memcmp(a->events, b->events, a->event_count * sizeof *a->events) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_cnatrace *trace = NULL, *again = NULL;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    const struct fg_sink nowhere = { .write = throw_away };
    size_t written_bytes;
    if (read_bytes(data, size, &trace) != FG_OK) {
        return 0;
    }
    must(fg_memory_sink_create(NULL, 0, &memory, &sink) == FG_OK);
    must(fg_cnatrace_write(trace, &sink) == FG_OK);
    const void *written = fg_memory_sink_bytes(memory, &written_bytes);
    must(read_bytes(written, written_bytes, &again) == FG_OK);
    must_be_equal(trace, again);
    must(fg_cnatrace_write_chrome(trace, &nowhere) == FG_OK);
    fg_cnatrace_free(again);
    fg_memory_sink_destroy(memory);
    fg_cnatrace_free(trace);
    return 0;
}
