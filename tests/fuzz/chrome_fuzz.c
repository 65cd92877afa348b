/* SPDX-License-Identifier: MIT */
/* Any bytes as Chrome JSON: a trace, or a reason; and pieces of another size make the same one. */
#include "convert/import_chrome.h"
#include "fuzz_memory.h"
#include "trace/model.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIECE_BYTES = 64 << 10, SMALL_PIECE_BYTES = 7 };

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static struct fg_trace *import(const struct fg_source *source, size_t piece_bytes)
{
    const struct fgi_chrome_options options = { .allocator = fgt_fuzz_allocator(),
                                                .piece_bytes = piece_bytes };
    struct fg_trace *trace = NULL;
    struct fg_diag diag = { 0 };
    enum fg_result result = fgi_import_chrome(source, &options, &diag, &trace);
    must(result == FG_OK || diag.message[0] != '\0');
    return trace;
}

static void must_be_equal(const struct fg_trace *a, const struct fg_trace *b)
{
    struct fg_trace_info one, other;
    fg_trace_get_info(a, &one);
    fg_trace_get_info(b, &other);
    must(one.spans == other.spans && one.unfinished == other.unfinished &&
         one.instants == other.instants && one.counter_samples == other.counter_samples &&
         one.dependencies == other.dependencies && one.repairs == other.repairs &&
         one.tracks == other.tracks && one.first_ns == other.first_ns);
}

static void read_everything(const struct fg_trace *trace)
{
    struct fg_trace_info info;
    struct fg_trace_arg args[64];
    struct fg_trace_span span;
    uint32_t count;
    fg_trace_get_info(trace, &info);
    for (uint32_t row = 0; row < info.spans && row < 64; row++) {
        must(fg_trace_spans(trace, row, &span, 1, &count) == FG_OK && count == 1);
        must(span.end_ns >= span.start_ns);
        must(fg_trace_span_args(trace, row, args, 64, &count) == FG_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_memory_view view = { data, size };
    const struct fg_source source = fg_memory_source(&view);
    (void)fgi_chrome_sniff(data, size);
    (void)!fgi_chrome_probe(&source, fgt_fuzz_allocator(), NULL);
    struct fg_trace *whole = import(&source, PIECE_BYTES);
    struct fg_trace *pieces = import(&source, SMALL_PIECE_BYTES);
    must((whole == NULL) == (pieces == NULL));
    if (whole != NULL) {
        must_be_equal(whole, pieces);
        read_everything(whole);
    }
    fgi_trace_destroy(whole);
    fgi_trace_destroy(pieces);
    fgt_fuzz_nothing_is_held();
    return 0;
}
