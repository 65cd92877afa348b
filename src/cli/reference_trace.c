/* SPDX-License-Identifier: MIT */
#include "cli/reference_trace.h"
#include "trace/build.h"
#include <stdio.h>

enum { LANES_A_THREAD = 4, THREADS_A_PROCESS = 4, STATUSES = 4, PIECE = 4096 };
enum { STATUS_BITS = 3, STATUS_FAILED = 3, BIT_RUNTIME = 1 << 8, BIT_WAIT = 1 << 9 };

struct making {
    const struct fgi_dataset *dataset;
    struct fgi_builder *builder;
    uint32_t names[FGI_DATASET_GROUPS * STATUSES];
    uint32_t categories[FGI_DATASET_GROUPS];
};

/* A unit of the data set is a millisecond, so that what its clocks add up to are whole ns. */
static int64_t to_ns(double units)
{
    return (int64_t)(units * 1e6);
}

static uint32_t add_text(struct fgi_builder *builder, const char *word, uint32_t number)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%s %u", word, number);
    return fgi_builder_text(builder, text, (size_t)size);
}

static void add_tables(struct making *m)
{
    static const char *const groups[] = { "compute", "network", "storage" };
    for (uint32_t i = 0; i < FGI_DATASET_GROUPS; i++) {
        m->categories[i] = fgi_builder_cstr(m->builder, groups[i]);
        for (uint32_t status = 0; status < STATUSES; status++) {
            m->names[i * STATUSES + status] = add_text(m->builder, groups[i], status);
        }
    }
    (void)fgi_builder_clock(m->builder, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    for (uint32_t i = 0; i < FGI_DATASET_PROCESSES; i++) {
        (void)fgi_builder_process(m->builder, add_text(m->builder, "process", i), i);
    }
    for (uint32_t i = 0; i < FGI_DATASET_THREADS; i++) {
        const struct fg_trace_track track = { .name = add_text(m->builder, "thread", i),
                                              .process = i / THREADS_A_PROCESS,
                                              .id = i };
        (void)fgi_builder_track(m->builder, &track, true);
    }
}

static uint32_t classes_of(uint32_t bits)
{
    return FG_CLASS_ZONE | ((bits & BIT_RUNTIME) != 0 ? FG_CLASS_RUNTIME : 0) |
           ((bits & BIT_WAIT) != 0 ? FG_CLASS_WAIT : 0);
}

static void add_spans(struct making *m, uint32_t copy)
{
    const struct fgi_dataset *dataset = m->dataset;
    const int64_t shift_ns = copy * to_ns(dataset->duration);
    const uint32_t first_row = copy * dataset->span_count;
    for (uint32_t row = 0; row < dataset->span_count; row++) {
        const struct fgi_dataset_span *span = &dataset->spans[row];
        uint32_t status = span->classes & STATUS_BITS;
        struct fgi_span_in in = fgi_span_in_make(
            span->lane / LANES_A_THREAD, m->names[span->group * STATUSES + status],
            shift_ns + to_ns(span->start), shift_ns + to_ns(span->start + span->duration));
        in.depth = span->lane % LANES_A_THREAD;
        in.parent =
            dataset->parents[row] == FGI_DATASET_NONE ? FG_NONE : first_row + dataset->parents[row];
        in.category = m->categories[span->group];
        in.classes = classes_of(span->classes);
        in.status = status == STATUS_FAILED ? FG_SPAN_ERROR : FG_SPAN_COMPLETE;
        (void)fgi_builder_span(m->builder, &in);
    }
}

static void add_links(struct making *m, uint32_t copy)
{
    const struct fgi_dataset *dataset = m->dataset;
    const uint32_t first_row = copy * dataset->span_count;
    uint32_t sources[PIECE], targets[PIECE], families[PIECE], flags[PIECE] = { 0 };
    for (uint32_t first = 0; first < dataset->link_count; first += PIECE) {
        uint32_t left = dataset->link_count - first;
        uint32_t count = left < PIECE ? left : PIECE;
        for (uint32_t i = 0; i < count; i++) {
            const struct fgi_dataset_link *link = &dataset->links[first + i];
            sources[i] = first_row + link->source;
            targets[i] = first_row + link->target;
            families[i] = link->family == 0 ? FG_DEPENDENCY_FLOW : FG_DEPENDENCY_OTHER;
        }
        fgi_builder_links(m->builder, &(const struct fgi_links_in){ .count = count,
                                                                    .source = sources,
                                                                    .target = targets,
                                                                    .family = families,
                                                                    .flags = flags });
    }
}

enum fg_result fgi_reference_trace(const struct fg_allocator *allocator, uint32_t span_count,
                                   uint32_t dependency_count, uint32_t copies,
                                   struct fg_trace **out_trace)
{
    struct fgi_dataset dataset = { 0 };
    struct making m = { .dataset = &dataset };
    enum fg_result result = fgi_builder_create(allocator, 0, &m.builder);
    if (result == FG_OK) {
        result = fgi_dataset_make(allocator, span_count, dependency_count, &dataset);
    }
    if (result == FG_OK) {
        add_tables(&m);
        for (uint32_t copy = 0; copy < copies; copy++) {
            add_spans(&m, copy);
        }
        for (uint32_t copy = 0; copy < copies; copy++) {
            add_links(&m, copy);
        }
    }
    fgi_dataset_finish(&dataset);
    result = result == FG_OK ? fgi_builder_finish(m.builder, out_trace) : result;
    fgi_builder_destroy(m.builder);
    return result;
}
