/* SPDX-License-Identifier: MIT */
/*
 * GPU work in traces of PyTorch (Kineto) and rocprof. Kernels, copies and fills make their stream a
 * GPU queue; the call that launched one is found by the correlation number that both carry, where
 * no flow says so already. Such dependencies are marked as derived.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

#include <string.h>

/* What lies this far before everything else was never timed. */
#define UNTIMED_NS INT64_C(1000000000)

enum kind {
    KIND_PLAIN,
    KIND_GPU,
    KIND_GPU_RANGE, /* a range of the program, shown on the GPU */
    KIND_GPU_WAIT,
    KIND_RUNTIME,
};

static enum kind kind_of(const char *category)
{
    static const struct {
        const char *category;
        enum kind kind;
    } kinds[] = {
        { "kernel", KIND_GPU },
        { "Kernel", KIND_GPU },
        { "concurrent_kernel", KIND_GPU },
        { "gpu_memcpy", KIND_GPU },
        { "gpu_memset", KIND_GPU },
        { "Memcpy", KIND_GPU },
        { "Memset", KIND_GPU },
        { "gpu_user_annotation", KIND_GPU_RANGE },
        { "cuda_sync", KIND_GPU_WAIT },
        { "cuda_runtime", KIND_RUNTIME },
        { "cuda_driver", KIND_RUNTIME },
        { "Runtime", KIND_RUNTIME },
        { "hip_runtime", KIND_RUNTIME },
        { "xpu_runtime", KIND_RUNTIME },
        { "mtia_runtime", KIND_RUNTIME },
        { "privateuse1_runtime", KIND_RUNTIME },
        { "overhead", KIND_RUNTIME },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].category, category) == 0) {
            return kinds[i].kind;
        }
    }
    return KIND_PLAIN;
}

static bool is_wait(const char *name)
{
    return strstr(name, "Synchronize") != NULL;
}

uint32_t fgi_chrome_classes(struct fgi_chrome *c, uint32_t thread, uint32_t category, uint32_t name)
{
    const struct fg_trace *trace = fgi_builder_trace(c->builder);
    if (category != c->last_category) {
        c->last_category = category;
        c->last_kind = (uint8_t)kind_of(fg_trace_text(trace, category));
        fgi_chrome_see_category(c, fg_trace_text(trace, category));
    }
    struct fgi_chrome_thread *t = &c->threads.items[thread];
    enum kind kind = (enum kind)c->last_kind;
    if (kind == KIND_PLAIN && c->processes.items[t->process].is_runtime) {
        kind = KIND_RUNTIME;
    }
    if (kind == KIND_PLAIN) {
        bool waits = c->dialect == FGI_CHROME_UNITY &&
                     strncmp(fg_trace_text(trace, name), "WaitingFor", 10) == 0;
        return FG_CLASS_ZONE | (waits ? FG_CLASS_WAIT : 0u);
    }
    if (kind == KIND_RUNTIME) {
        return FG_CLASS_ZONE | FG_CLASS_RUNTIME |
               (is_wait(fg_trace_text(trace, name)) ? FG_CLASS_WAIT : 0u);
    }
    t->is_gpu = true;
    if (c->dialect == FGI_CHROME_PLAIN) {
        c->dialect = FGI_CHROME_KINETO;
    }
    return kind == KIND_GPU        ? FG_CLASS_GPU_PASS
           : kind == KIND_GPU_WAIT ? FG_CLASS_WAIT
                                   : FG_CLASS_ZONE;
}

void fgi_chrome_gpu_span(struct fgi_chrome *c, uint32_t row, uint32_t classes)
{
    const struct fgi_chrome_raw *args = &c->event.args;
    struct fgi_json_item item;
    enum fgi_json_token token;
    uint64_t correlation = 0;
    if (args->size > 2 &&
        fgi_chrome_member(c, args->text, args->size, "correlation", &item, &token) &&
        fgi_chrome_natural(&item, token, &correlation) && correlation != 0) {
        (void)FGI_CHROME_PUSH(c, c->launches,
                              (struct fgi_chrome_launch){
                                  .correlation = correlation,
                                  .row = row,
                                  .is_gpu = (classes & FG_CLASS_GPU_PASS) != 0,
                              });
    }
}

bool fgi_chrome_is_untimed(struct fgi_chrome *c, const struct fgi_span_in *span)
{
    if ((span->classes & FG_CLASS_GPU_PASS) == 0 || span->start_ns != 0 || span->end_ns != 0) {
        return false;
    }
    (void)FGI_CHROME_PUSH(c, c->untimed,
                          (struct fgi_chrome_untimed){ .span = *span,
                                                       .offset = c->event.offset,
                                                       .has_extra = c->event.has_extra });
    return true;
}

void fgi_chrome_finish_untimed(struct fgi_chrome *c)
{
    const struct fgi_builder *builder = c->builder;
    /* They are at no time; where they stand they must not stretch the trace. */
    bool is_untimed = builder->has_time && builder->first_ns > UNTIMED_NS;
    for (size_t i = 0; i < c->untimed.count; i++) {
        struct fgi_span_in span = c->untimed.items[i].span;
        if (is_untimed) {
            fgi_chrome_repair_at(c, "no_time", 1, c->untimed.items[i].offset);
            span.start_ns = span.end_ns = builder->first_ns;
            span.status = FG_SPAN_UNFINISHED;
        }
        uint32_t row = fgi_builder_span(c->builder, &span);
        if (row != FG_NONE && c->untimed.items[i].has_extra) {
            fgi_chrome_place(c, row, c->untimed.items[i].offset);
        }
    }
}

/* The calls by their number: the first of each. Numbers that are small are most of them. */
static void gather_calls(struct fgi_chrome *c, struct fgi_map64 *calls)
{
    for (size_t i = 0; i < c->launches.count; i++) {
        const struct fgi_chrome_launch *launch = &c->launches.items[i];
        uint32_t known;
        if (!launch->is_gpu && !fgi_map64_get(calls, launch->correlation, &known)) {
            fgi_builder_fail(c->builder, fgi_map64_put(calls, launch->correlation, launch->row));
        }
    }
}

void fgi_chrome_finish_launches(struct fgi_chrome *c)
{
    struct fgi_map64 calls = { .allocator = c->allocator };
    gather_calls(c, &calls);
    for (size_t i = 0; i < c->launches.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_launch *launch = &c->launches.items[i];
        uint32_t call, known;
        if (!launch->is_gpu || !fgi_map64_get(&calls, launch->correlation, &call) ||
            fgi_map64_get(&c->linked, (uint64_t)call << 32 | launch->row, &known)) {
            continue;
        }
        fgi_builder_dependency(c->builder, &(struct fg_trace_dependency){
                                               .source = call,
                                               .target = launch->row,
                                               .family = FG_DEPENDENCY_SUBMIT,
                                               .flags = FG_DEPENDENCY_DERIVED,
                                           });
    }
    fgi_map64_finish(&calls);
}
