/* SPDX-License-Identifier: MIT */
/* What a trace is made of, in bytes, by name. */
#include "base/alloc.h"
#include "trace/model.h"

#define SEE(name, table) see(context, (name), (table).capacity * sizeof *(table).items)

static void see_blocks(const struct fg_trace *trace, fgi_see_memory *see, void *context)
{
    static const char *const extras[FGI_COLUMN_COUNT] = {
        [FGI_COLUMN_CATEGORY] = "category", [FGI_COLUMN_FRAME] = "frame",
        [FGI_COLUMN_PASS] = "pass",         [FGI_COLUMN_SCOPE] = "scope",
        [FGI_COLUMN_ORIGIN] = "origin",     [FGI_COLUMN_LOGICAL] = "logical",
        [FGI_COLUMN_ARGS] = "arguments",
    };
    struct fgi_block_bytes bytes = { 0 };
    fgi_blocks_measure(trace->store, &bytes);
    see(context, "start_ns", bytes.start_ns);
    see(context, "end_ns", bytes.end_ns);
    see(context, "kind", bytes.kind);
    see(context, "kinds", bytes.kinds);
    see(context, "object", bytes.object);
    for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
        see(context, extras[c], bytes.extra[c]);
    }
    see(context, "lane", bytes.lane);
    see(context, "parent", bytes.parent);
    see(context, "block slots", bytes.slots);
}

void fgi_trace_memory(const struct fg_trace *trace, fgi_see_memory *see, void *context)
{
    see_blocks(trace, see, context);
    see(context, "rows by lane",
        ((size_t)fgi_trace_rows(trace) + 1 + trace->lanes.count + 2) * sizeof(uint32_t));
    SEE("lanes", trace->lanes);
    fgi_links_memory(trace, see, context);
    SEE("kept arguments", trace->args);
    see(context, "places of arguments", trace->args_loader.bytes);
    see(context, "texts", fgi_strings_bytes(&trace->strings));
    SEE("frames", trace->frames);
    SEE("instants", trace->instants);
    SEE("order of instants", trace->instant_order);
    for (size_t i = 0; i < trace->counter_data.count; i++) {
        SEE("times of samples", trace->counter_data.items[i].times);
        SEE("values of samples", trace->counter_data.items[i].values);
    }
}
