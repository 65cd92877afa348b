/* SPDX-License-Identifier: MIT */
/* Dependencies of a trace: forward by source, and the order by target. */
#include "base/alloc.h"
#include "trace/build.h"
#include <string.h>

uint32_t fgi_link_count(const struct fg_trace *trace)
{
    return (uint32_t)trace->dependencies.count;
}

uint32_t fgi_link_source(const struct fg_trace *trace, uint32_t link)
{
    return trace->dependencies.items[link].source;
}

uint32_t fgi_link_target(const struct fg_trace *trace, uint32_t link)
{
    return trace->dependencies.items[link].target;
}

uint32_t fgi_link_family(const struct fg_trace *trace, uint32_t link)
{
    return trace->dependencies.items[link].family;
}

uint32_t fgi_link_flags(const struct fg_trace *trace, uint32_t link)
{
    return trace->dependencies.items[link].flags;
}

uint32_t fgi_link_in(const struct fg_trace *trace, uint32_t position)
{
    return trace->dependency_targets.items[position];
}

/* First number (or position) whose source (or target) is not below `row`. */
static uint32_t lower_bound(const struct fg_trace *trace, bool is_in, uint64_t row)
{
    uint32_t low = 0, high = fgi_link_count(trace);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t at = is_in ? fgi_link_target(trace, fgi_link_in(trace, middle))
                            : fgi_link_source(trace, middle);
        if (at < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t fgi_links_out(const struct fg_trace *trace, uint32_t row, uint32_t *out_first)
{
    *out_first = lower_bound(trace, false, row);
    return lower_bound(trace, false, (uint64_t)row + 1);
}

uint32_t fgi_links_in(const struct fg_trace *trace, uint32_t row, uint32_t *out_first)
{
    *out_first = lower_bound(trace, true, row);
    return lower_bound(trace, true, (uint64_t)row + 1);
}

void fgi_links_memory(const struct fg_trace *trace, fgi_see_memory *see, void *context)
{
    see(context, "dependencies", trace->dependencies.capacity * sizeof *trace->dependencies.items);
    see(context, "dependencies by target",
        trace->dependency_targets.capacity * sizeof *trace->dependency_targets.items);
}

bool fg_trace_dependency(const struct fg_trace *trace, uint32_t i,
                         struct fg_trace_dependency *out_dependency)
{
    if (i >= fgi_link_count(trace)) {
        return false;
    }
    *out_dependency = (struct fg_trace_dependency){
        .source = fgi_link_source(trace, i),
        .target = fgi_link_target(trace, i),
        .family = fgi_link_family(trace, i),
        .flags = fgi_link_flags(trace, i),
    };
    return true;
}

static bool dependency_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_trace *trace = context;
    return trace->dependencies.items[a].source < trace->dependencies.items[b].source;
}
static bool target_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_trace *trace = context;
    return trace->dependencies.items[a].target < trace->dependencies.items[b].target;
}

enum fg_result fgi_builder_order_links(struct fgi_builder *builder)
{
    struct fg_trace *trace = builder->trace;
    size_t kept = 0;
    for (size_t i = 0; i < trace->dependencies.count; i++) {
        struct fg_trace_dependency d = trace->dependencies.items[i];
        if (d.source < fgi_trace_rows(trace) && d.target < fgi_trace_rows(trace)) {
            trace->dependencies.items[kept++] = d;
        } else {
            fgi_builder_repair(builder, "dependency_without_span", 1, UINT64_MAX);
        }
    }
    trace->dependencies.count = kept;
    if (kept == 0) {
        return FG_OK;
    }
    size_t bytes = kept * sizeof *trace->dependencies.items;
    struct fg_trace_dependency *sorted = fgi_malloc(trace->allocator, bytes);
    enum fg_result result = sorted ? FGI_GROW(trace->allocator, trace->dependency_targets.items,
                                              trace->dependency_targets.capacity, kept, FG_NONE)
                                   : FG_ERR_NO_MEMORY;
    uint32_t *order = trace->dependency_targets.items;
    for (size_t i = 0; result == FG_OK && i < kept; i++) {
        order[i] = (uint32_t)i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(trace->allocator, order, kept, dependency_before, trace);
    }
    if (result == FG_OK) {
        for (size_t i = 0; i < kept; i++) {
            sorted[i] = trace->dependencies.items[order[i]];
            order[i] = (uint32_t)i;
        }
        memcpy(trace->dependencies.items, sorted, bytes);
        for (size_t i = 0; i < kept; i++) {
            order[i] = (uint32_t)i;
        }
        trace->dependency_targets.count = kept;
        result = fgi_sort_u32(trace->allocator, order, kept, target_before, trace);
    }
    fgi_free(trace->allocator, sorted, bytes);
    return result;
}
