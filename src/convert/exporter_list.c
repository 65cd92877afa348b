/* SPDX-License-Identifier: MIT */
/* Every format that can be written, and the loop that all of them have. */
#include "base/alloc.h"
#include "convert/exporter_priv.h"

#include <string.h>

enum { BATCH_SPANS = 1024 };

static const struct fgi_exporter *const exporters[] = {
    &fgi_exporter_sgpt,       &fgi_exporter_chrome,   &fgi_exporter_devtools,
    &fgi_exporter_speedscope, &fgi_exporter_folded,   &fgi_exporter_graph_json,
    &fgi_exporter_csv,        &fgi_exporter_cnatrace,
};
enum { EXPORTER_COUNT = sizeof exporters / sizeof *exporters };

const struct fgi_exporter *fgi_exporter_get(unsigned index)
{
    return index < EXPORTER_COUNT ? exporters[index] : NULL;
}

const struct fgi_exporter *fgi_exporter_find(const char *name)
{
    for (size_t i = 0; i < EXPORTER_COUNT; i++) {
        if (strcmp(exporters[i]->name, name) == 0) {
            return exporters[i];
        }
    }
    return NULL;
}

static enum fg_result visit_batches(const struct fgi_export *work, struct fg_trace_span *batch,
                                    uint64_t total, void *context,
                                    enum fg_result (*visit)(void *, const struct fg_trace_span *))
{
    uint32_t row = 0;
    while (row < total) {
        uint32_t count = 0;
        enum fg_result result = fg_trace_spans(work->trace, row, batch, BATCH_SPANS, &count);
        if (result != FG_OK || count == 0) {
            return result;
        }
        for (uint32_t i = 0; i < count; i++) {
            result = visit(context, &batch[i]);
            if (result != FG_OK) {
                return result;
            }
        }
        row += count;
        if (work->progress != NULL && !work->progress(work->progress_context, row, total)) {
            return FG_ERR_CANCELLED;
        }
    }
    return FG_OK;
}

enum fg_result fgi_export_spans(const struct fgi_export *work, void *context,
                                enum fg_result (*visit)(void *, const struct fg_trace_span *))
{
    struct fg_trace_info info;
    fg_trace_get_info(work->trace, &info);
    struct fg_trace_span *batch = fgi_calloc(work->allocator, BATCH_SPANS, sizeof *batch);
    if (batch == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = visit_batches(work, batch, info.spans, context, visit);
    fgi_free(work->allocator, batch, BATCH_SPANS * sizeof *batch);
    return result;
}
