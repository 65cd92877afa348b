/* SPDX-License-Identifier: MIT */
/*
 * Arguments of spans that came from frames. They are not kept: when somebody asks, the frame's
 * records are read again. Groups: frame, work, pipeline, attachments, bindings, statistics,
 * submission. What was counted on the way in is `encoded`, what was read back is `resolved`; what
 * is not known is said to be unknown.
 */
#include "base/alloc.h"
#include "capture/work_kind.h"
#include "convert/capture_to_trace_listing.h"
#include "convert/capture_to_trace_lists.h"
#include <stdio.h>
#include <string.h>

/* Works of a pass that are listed one by one; all are in the totals. */
enum { WORKS_LISTED_MAX = 256 };

#define WORD(words, i) ((i) < sizeof(words) / sizeof *(words) ? (words)[i] : "unknown")

/* ---- work ------------------------------------------------------------------------------------ */

static const char *const work_words[] = { "draw",
                                          "draw indexed",
                                          "draw indirect",
                                          "draw indexed indirect",
                                          "draw indirect count",
                                          "draw indexed indirect count",
                                          "dispatch",
                                          "dispatch indirect",
                                          "draw mesh tasks",
                                          "trace rays",
                                          "copy",
                                          "clear" };

const char *fgi_convert_work_word(uint32_t kind)
{
    return WORD(work_words, kind);
}

/* a * b, or unknown when it does not fit. */
static bool times(uint64_t *a, uint64_t b)
{
    if (b != 0 && *a > UINT64_MAX / b) {
        return false;
    }
    *a *= b;
    return true;
}

static void put_workgroup(struct fgi_listing *l, const struct fg_cap_work *work)
{
    if (work->workgroup_x == 0) {
        fgi_list_unknown(l, "workgroup size", FG_QUALITY_PLAIN);
        fgi_list_unknown(l, "invocations", FG_QUALITY_DERIVED);
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%u x %u x %u", work->workgroup_x, work->workgroup_y,
             work->workgroup_z);
    fgi_list_word(l, "workgroup size", text);
    uint64_t total = work->x;
    bool known = !fgi_work_is_indirect(work->kind) && times(&total, work->y) &&
                 times(&total, work->z) && times(&total, work->workgroup_x) &&
                 times(&total, work->workgroup_y) && times(&total, work->workgroup_z) &&
                 times(&total, work->repeat);
    if (known) {
        fgi_list_number(l, "invocations", total, FG_QUALITY_DERIVED);
    } else {
        fgi_list_unknown(l, "invocations", FG_QUALITY_DERIVED);
    }
}

static void put_counts(struct fgi_listing *l, const struct fg_cap_work *work)
{
    switch (work->kind) {
    case FG_CAP_WORK_DISPATCH:
    case FG_CAP_WORK_DRAW_MESH:
    case FG_CAP_WORK_TRACE_RAYS:
        fgi_list_number(l, "x", work->x, FG_QUALITY_ENCODED);
        fgi_list_number(l, "y", work->y, FG_QUALITY_ENCODED);
        fgi_list_number(l, "z", work->z, FG_QUALITY_ENCODED);
        break;
    case FG_CAP_WORK_DRAW:
    case FG_CAP_WORK_DRAW_INDEXED:
        fgi_list_number(l, work->kind == FG_CAP_WORK_DRAW ? "vertices" : "indices", work->x,
                        FG_QUALITY_ENCODED);
        fgi_list_number(l, "instances", work->y, FG_QUALITY_ENCODED);
        break;
    case FG_CAP_WORK_COPY:
        fgi_list_bytes(l, "bytes", work->x, FG_QUALITY_ENCODED);
        break;
    default:
        break;
    }
    if (fgi_work_is_indirect(work->kind)) {
        fgi_list_unknown(l, "count", FG_QUALITY_ENCODED);
        fgi_list_object(l, "argument buffer", work->buffer);
        fgi_list_bytes(l, "offset", work->offset, FG_QUALITY_PLAIN);
        if (!fgi_work_is_dispatch(work->kind)) {
            fgi_list_number(l, "draws at most", work->draw_count, FG_QUALITY_ENCODED);
            fgi_list_bytes(l, "stride", work->stride_bytes, FG_QUALITY_PLAIN);
        }
    }
}

static void put_bindings(struct fgi_listing *l, const struct fg_cap_work *work)
{
    static const char *const words[] = {
        "other",           "sampler",          "sampled texture",
        "storage texture", "uniform buffer",   "storage buffer",
        "texel buffer",    "input attachment", "acceleration structure",
        "inline"
    };
    if (work->binding_count == 0) {
        return;
    }
    fgi_list_begin(l, "bindings");
    for (size_t i = 0; i < work->binding_count; i++) {
        const struct fg_cap_binding *binding = &work->bindings[i];
        char key[64];
        snprintf(key, sizeof key, "set %u, slot %u [%u]", binding->set, binding->slot,
                 binding->element);
        fgi_list_begin(l, key);
        fgi_list_word(l, "kind", WORD(words, binding->kind));
        fgi_list_text(l, "name", fgi_list_symbol(l, binding->name));
        fgi_list_object(l, "resource", binding->resource);
        fgi_list_bytes(l, "offset", binding->offset, FG_QUALITY_PLAIN);
        fgi_list_bytes(l, "size", binding->size_bytes, FG_QUALITY_PLAIN);
        fgi_list_end(l);
    }
    fgi_list_end(l);
}

static void put_resolved(struct fgi_listing *l, const struct fg_cap_gpu_frame *gpu,
                         uint32_t instance)
{
    bool is_open = false;
    for (size_t i = 0; i < gpu->resolved_count; i++) {
        const struct fg_cap_resolved *resolved = &gpu->resolved[i];
        if (resolved->instance != instance) {
            continue;
        }
        if (!is_open) {
            fgi_list_begin(l, "resolved");
            is_open = true;
        }
        char key[64];
        snprintf(key, sizeof key, "work %u, draw %u", resolved->work, resolved->draw);
        fgi_list_begin(l, key);
        fgi_list_number(l, "x", resolved->x, FG_QUALITY_RESOLVED);
        fgi_list_number(l, "y", resolved->y, FG_QUALITY_RESOLVED);
        fgi_list_number(l, "z", resolved->z, FG_QUALITY_RESOLVED);
        fgi_list_end(l);
    }
    if (is_open) {
        fgi_list_end(l);
    }
}

static void put_works(struct fgi_listing *l, const struct fg_cap_gpu_pass *pass)
{
    uint64_t draws = 0;
    uint64_t dispatches = 0;
    bool has_indirect = false;
    if (pass->work_count == 0) {
        return;
    }
    for (size_t i = 0; i < pass->work_count; i++) {
        const struct fg_cap_work *work = &pass->works[i];
        dispatches += fgi_work_is_dispatch(work->kind) ? work->repeat : 0;
        draws += work->kind <= FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT ||
                         work->kind == FG_CAP_WORK_DRAW_MESH
                     ? work->repeat
                     : 0;
        has_indirect |= fgi_work_is_indirect(work->kind);
    }
    fgi_list_begin(l, "work");
    fgi_list_number(l, "draw calls", draws, FG_QUALITY_ENCODED);
    fgi_list_number(l, "dispatch calls", dispatches, FG_QUALITY_ENCODED);
    fgi_list_put(l, "has indirect",
                 (struct fg_trace_arg){ .kind = FG_ARG_BOOL, .value.natural = has_indirect });
    for (size_t i = 0; i < pass->work_count && i < WORKS_LISTED_MAX; i++) {
        const struct fg_cap_work *work = &pass->works[i];
        fgi_list_begin(l, WORD(work_words, work->kind));
        if (work->repeat > 1) {
            fgi_list_number(l, "repeat", work->repeat, FG_QUALITY_ENCODED);
        }
        put_counts(l, work);
        if (fgi_work_is_dispatch(work->kind)) {
            put_workgroup(l, work);
        }
        if (work->pipeline != 0) {
            fgi_list_text(l, "pipeline", fgi_list_symbol(l, work->pipeline));
        }
        put_bindings(l, work);
        fgi_list_end(l);
    }
    if (pass->work_count > WORKS_LISTED_MAX) {
        fgi_list_number(l, "not listed", pass->work_count - WORKS_LISTED_MAX, FG_QUALITY_PLAIN);
    }
    fgi_list_end(l);
}

/* ---- the other groups ------------------------------------------------------------------------ */

static void put_pipelines(struct fgi_listing *l, const struct fg_cap_gpu_pass *pass)
{
    static const char *const kinds[] = { "other", "render", "compute", "transfer", "ray tracing" };
    for (size_t i = 0; i < l->backing->pipelines.count; i++) {
        const struct fg_cap_pipeline *pipeline = &l->backing->pipelines.items[i];
        bool is_used = false;
        for (size_t w = 0; w < pass->work_count; w++) {
            is_used |= pass->works[w].pipeline == pipeline->label;
        }
        if (!is_used) {
            continue;
        }
        fgi_list_begin(l, "pipeline");
        fgi_list_text(l, "label", fgi_list_symbol(l, pipeline->label));
        fgi_list_word(l, "kind", WORD(kinds, pipeline->kind));
        fgi_list_text(l, "shader module", fgi_list_symbol(l, pipeline->shader_module));
        fgi_list_text(l, "entry point", fgi_list_symbol(l, pipeline->entry_point));
        fgi_list_end(l);
    }
}

const char *fgi_convert_attachment_word(uint32_t kind)
{
    static const char *const words[] = { "color", "depth", "stencil", "depth stencil", "resolve" };
    return WORD(words, kind);
}

const char *fgi_convert_load_word(uint32_t load)
{
    static const char *const words[] = { "unknown", "load", "clear", "discard", "none" };
    return WORD(words, load);
}

const char *fgi_convert_store_word(uint32_t store)
{
    static const char *const words[] = { "unknown", "store", "discard", "none" };
    return WORD(words, store);
}

static void put_attachments(struct fgi_listing *l, const struct fg_cap_gpu_pass *pass)
{
    if (pass->attachment_count == 0) {
        return;
    }
    fgi_list_begin(l, "attachments");
    for (size_t i = 0; i < pass->attachment_count; i++) {
        const struct fg_cap_attachment *a = &pass->attachments[i];
        fgi_list_begin(l, fgi_convert_attachment_word(a->kind));
        fgi_list_said(l, "format", a->format);
        fgi_list_word(l, "load", fgi_convert_load_word(a->load));
        fgi_list_word(l, "store", fgi_convert_store_word(a->store));
        fgi_list_said(l, "samples", a->sample_count);
        fgi_list_said(l, "width", a->width);
        fgi_list_said(l, "height", a->height);
        if (a->resource != FG_CAP_NONE) {
            fgi_list_put(
                l, "resource",
                (struct fg_trace_arg){ .kind = FG_ARG_RESOURCE, .value.natural = a->resource });
        }
        fgi_list_end(l);
    }
    fgi_list_end(l);
}

static void put_submission(struct fgi_listing *l, const struct fg_cap_frame *frame, uint32_t index)
{
    if (index >= frame->submission_count) {
        return;
    }
    const struct fg_cap_submission *submission = &frame->submissions[index];
    fgi_list_begin(l, "submission");
    fgi_list_number(l, "number in frame", index, FG_QUALITY_PLAIN);
    fgi_list_number(l, "waits for semaphores", submission->wait_count, FG_QUALITY_PLAIN);
    fgi_list_number(l, "signals semaphores", submission->signal_count, FG_QUALITY_PLAIN);
    fgi_list_end(l);
}

static void put_statistics(struct fgi_listing *l, const struct fg_cap_gpu_frame *gpu,
                           uint32_t instance)
{
    static const char *const words[] = { "input assembly vertices", "input assembly primitives",
                                         "vertex invocations",      "geometry invocations",
                                         "geometry primitives",     "clipping invocations",
                                         "clipping primitives",     "fragment invocations",
                                         "tessellation patches",    "tessellation evaluations",
                                         "compute invocations",     "task invocations",
                                         "mesh invocations" };
    for (size_t i = 0; i < gpu->statistics_count; i++) {
        const struct fg_cap_statistics *statistics = &gpu->statistics[i];
        size_t value = 0;
        if (statistics->instance != instance) {
            continue;
        }
        fgi_list_begin(l, "statistics");
        for (unsigned bit = 0; bit < 32 && value < statistics->value_count; bit++) {
            if (statistics->mask >> bit & 1) {
                fgi_list_number(l, WORD(words, bit), statistics->values[value++],
                                FG_QUALITY_RESOLVED);
            }
        }
        fgi_list_end(l);
    }
}

/* ---- finding the records --------------------------------------------------------------------- */

bool fgi_convert_read_again(struct fg_capture *capture, uint64_t offset,
                            struct fg_capture_record *out_record, enum fg_result *out_result)
{
    enum fg_result result = fg_capture_seek(capture, offset);
    if (result == FG_OK) {
        result = fg_capture_next(capture, out_record);
    }
    *out_result = result == FG_ERR_NOT_FOUND ? FG_OK : result;
    return result == FG_OK && out_record->offset == offset && out_record->data;
}

bool fgi_convert_read_at(struct fg_capture *capture, uint64_t offset, enum fg_capture_type type,
                         struct fg_capture_record *out_record, enum fg_result *out_result)
{
    return fgi_convert_read_again(capture, offset, out_record, out_result) &&
           (int)out_record->type == (int)type;
}

static bool read_at(struct fgi_listing *l, uint64_t offset, enum fg_capture_type type,
                    struct fg_capture_record *out_record)
{
    enum fg_result result = FG_OK;
    bool is_there = fgi_convert_read_at(l->backing->capture, offset, type, out_record, &result);
    l->result = l->result != FG_OK ? l->result : result;
    return is_there;
}

static void list_frame(struct fgi_listing *l, uint32_t frame, const struct fg_cap_frame *f)
{
    const struct fg_trace_frame *row = &l->backing->trace->frames.items[frame];
    fgi_list_begin(l, "frame");
    fgi_list_number(l, "number", f->frame, FG_QUALITY_PLAIN);
    fgi_list_number(l, "level", f->level, FG_QUALITY_PLAIN);
    fgi_list_number(l, "submissions", f->submission_count, FG_QUALITY_PLAIN);
    fgi_list_number(l, "gpu passes", f->gpu_pass_count, FG_QUALITY_PLAIN);
    fgi_list_number(l, "dropped", row->dropped, FG_QUALITY_PLAIN);
    fgi_list_number(l, "without gpu times", row->missing, FG_QUALITY_PLAIN);
    const struct {
        const char *key;
        int64_t ns;
    } times[] = { { "recorder", row->overhead_ns },
                  { "waiting", row->wait_ns },
                  { "waiting for present", row->present_wait_ns },
                  { "submit to results", row->latency_ns } };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        fgi_list_put(
            l, times[i].key,
            (struct fg_trace_arg){ .kind = times[i].ns < 0 ? FG_ARG_UNKNOWN : FG_ARG_DURATION_NS,
                                   .value.integer = times[i].ns });
    }
    fgi_list_end(l);
}

/* Only of what was measured from begin to end; a length of 0 is a clock that is too coarse. */
static void put_cost(struct fgi_listing *l, uint32_t row, const struct fgi_call_counts *calls)
{
    struct fg_trace_span span;
    uint32_t count = 0;
    if (row == FG_NONE || l->result != FG_OK) {
        return;
    }
    l->result = fg_trace_spans(l->backing->trace, row, &span, 1, &count);
    if (l->result == FG_OK && count == 1 && span.status == FG_SPAN_COMPLETE &&
        span.end_ns > span.start_ns) {
        fgi_list_cost(l, calls, fgi_duration(span.start_ns, span.end_ns));
    }
}

/*
 * Everything of a frame at once, as whoever asks for one of its spans mostly goes on to the next:
 * its records are looked up once, not once for each span.
 */
static enum fg_result fill_cache(struct fgi_capture_backing *backing, uint32_t frame)
{
    struct fgi_args_cache *cache = &backing->cache;
    const struct fgi_frame_source *source = &backing->frames.items[frame];
    uint32_t count = source->instance_count;
    struct fg_capture_record record;
    cache->is_valid = false;
    fgi_arena_reset(&cache->arena);
    struct fgi_listing *lists = fgi_arena_alloc(&cache->arena, (size_t)count + 1, sizeof *lists);
    cache->lists = fgi_arena_alloc(&cache->arena, (size_t)count + 1, sizeof *cache->lists);
    struct fgi_call_counts *calls =
        fgi_arena_alloc(&cache->arena, (size_t)count + 1, sizeof *calls);
    if (!lists || !cache->lists || !calls) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i <= count; i++) {
        lists[i].backing = backing;
    }
    if (read_at(&lists[count], source->offset, FG_CAPTURE_FRAM, &record)) {
        list_frame(&lists[count], frame, record.frame);
        for (uint32_t i = 0; i < count && i < record.frame->gpu_pass_count; i++) {
            const struct fg_cap_gpu_pass *pass = &record.frame->gpu_passes[i];
            fgi_count_calls(pass, &calls[i]);
            put_works(&lists[i], pass);
            put_pipelines(&lists[i], pass);
            put_attachments(&lists[i], pass);
            put_submission(&lists[i], record.frame, pass->submission);
        }
    }
    for (uint32_t g = source->first_gpu; g != FG_NONE; g = backing->gpu_sources.items[g].next) {
        if (read_at(&lists[count], backing->gpu_sources.items[g].offset, FG_CAPTURE_GSPN,
                    &record)) {
            for (uint32_t i = 0; i < count; i++) {
                put_statistics(&lists[i], record.gpu_frame, i);
                put_resolved(&lists[i], record.gpu_frame, i);
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        put_cost(&lists[i], backing->ref_rows.items[source->instance_offset + i], &calls[i]);
    }
    for (uint32_t i = 0; i <= count; i++) {
        if (lists[i].result != FG_OK) {
            return lists[i].result;
        }
        cache->lists[i] = (struct fgi_cached_args){ lists[i].out, lists[i].count };
    }
    cache->of = frame;
    cache->is_valid = true;
    return FG_OK;
}

/* Which list of its frame a row has: an instance's, the frame's own (the last), or none. */
static bool find_list(const struct fgi_capture_backing *backing, const struct fg_trace_span *span,
                      uint32_t *out_list)
{
    const struct fgi_frame_source *source = &backing->frames.items[span->frame];
    *out_list = source->instance_count;
    if (span->row == source->frame_row) {
        return true;
    }
    if (!(span->classes & (FG_CLASS_GPU_PASS | FG_CLASS_SUBPASS))) {
        return false;
    }
    for (uint32_t i = 0; i < source->instance_count; i++) {
        if (backing->ref_rows.items[source->instance_offset + i] == span->row) {
            *out_list = i;
            return true;
        }
    }
    return false;
}

/* What the records of its frame say of a row. */
static enum fg_result load_frame_args(struct fgi_capture_backing *backing,
                                      const struct fg_trace_span *span,
                                      struct fg_trace_arg *out_args, uint32_t capacity,
                                      uint32_t *out_count)
{
    enum fg_result result = FG_OK;
    uint32_t list = 0;
    if (span->frame >= backing->frames.count || !find_list(backing, span, &list)) {
        return FG_OK;
    }
    if (!backing->cache.is_valid || backing->cache.of != span->frame) {
        result = fill_cache(backing, span->frame);
    }
    if (result == FG_OK) {
        fgi_put_cached(&backing->cache.lists[list], out_args, capacity, out_count);
    }
    return result;
}

enum fg_result fgi_convert_load_args(void *context, uint32_t row, struct fg_trace_arg *out_args,
                                     uint32_t capacity, uint32_t *out_count)
{
    struct fgi_capture_backing *backing = context;
    struct fg_trace_span span;
    uint32_t count = 0;
    *out_count = 0;
    enum fg_result result = fg_trace_spans(backing->trace, row, &span, 1, &count);
    if (result == FG_OK) {
        result = load_frame_args(backing, &span, out_args, capacity, out_count);
    }
    return result != FG_OK ? result
                           : fgi_convert_load_lists(backing, row, out_args, capacity, out_count);
}
