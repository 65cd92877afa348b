/* SPDX-License-Identifier: MIT */
/* Any bytes as an input: packings, formats, the index, the trace, and every exporter over it. */
#include "convert/exporter.h"
#include "fuzz_memory.h"
#include <frameglass/open.h>
#include <frameglass/trace.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum fg_result throw_away(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)context += size;
    return FG_OK;
}

static void use(struct fg_document *document)
{
    struct fg_strip_frame frames[16];
    uint64_t written_bytes = 0;
    struct fg_sink sink = { .write = throw_away, .context = &written_bytes };
    const struct fgi_exporter *exporter;
    (void)fg_document_frames(document, 0, 16, frames);
    if (fg_document_load(document, NULL) != FG_OK) {
        return;
    }
    struct fgi_export work = { .trace = fg_document_trace(document), .sink = &sink };
    for (unsigned i = 0; (exporter = fgi_exporter_get(i)) != NULL; i++) {
        (void)exporter->write(&work);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_memory_view view = { data, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_document *document = NULL;
    const struct fg_open_options options = {
        .allocator = fgt_fuzz_allocator(),
        .budget_bytes = 1 << 24,
        .spool_memory_bytes = 1 << 20,
        .spool_limit_bytes = 1 << 24,
    };
    if (fg_open_source(&source, &options, NULL, &document) == FG_OK) {
        use(document);
        fg_document_close(document);
    }
    fgt_fuzz_nothing_is_held();
    return 0;
}
