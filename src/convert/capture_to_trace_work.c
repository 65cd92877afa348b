/* SPDX-License-Identifier: MIT */
/*
 * What a frame gave the device. Like arguments it is not kept: the frame's records are read again
 * when somebody asks.
 */
#include "base/alloc.h"
#include "capture/work_kind.h"
#include "convert/capture_to_trace_listing.h"
#include <stdio.h>
#include <string.h>

struct reading {
    struct fgi_capture_backing *backing;
    struct fgi_arena *arena;
    enum fg_result result;
};

static uint32_t text_of(struct reading *r, const char *text, size_t size)
{
    uint32_t id = 0;
    if (r->result == FG_OK) {
        r->result = fgi_trace_add_text(r->backing->trace, text, size, &id);
    }
    return id;
}

static uint32_t word_of(struct reading *r, const char *word)
{
    return text_of(r, word, strlen(word));
}

/* Text of a symbol, as the conversion has it: repaired where it must be. */
static uint32_t symbol_of(struct reading *r, uint32_t symbol)
{
    uint32_t id = 0;
    if (symbol == 0 || fgi_map64_get(&r->backing->texts, symbol, &id)) {
        return id;
    }
    size_t size = 0;
    const char *text = fg_capture_symbol(r->backing->capture, symbol, &size);
    return text_of(r, text, size);
}

/* Zeroed items; NULL where there are none, or none could be had. */
static void *items_of(struct reading *r, size_t count, size_t size)
{
    void *items = count > 0 && r->result == FG_OK ? fgi_arena_alloc(r->arena, count, size) : NULL;
    if (count > 0 && !items && r->result == FG_OK) {
        r->result = FG_ERR_NO_MEMORY;
    }
    return items;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint8_t kind_of(uint32_t work)
{
    if (fgi_work_is_dispatch(work)) {
        return FG_EVENT_DISPATCH;
    }
    if (work <= FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT || work == FG_CAP_WORK_DRAW_MESH) {
        return FG_EVENT_DRAW;
    }
    return work == FG_CAP_WORK_COPY ? FG_EVENT_COPY : FG_EVENT_WORK;
}

/* "dispatch", and how often where the counts have no place for that. */
static uint32_t call_name(struct reading *r, const struct fg_cap_work *work)
{
    const char *word = fgi_convert_work_word(work->kind);
    char text[64];
    bool is_told = kind_of(work->kind) == FG_EVENT_DRAW && work->kind != FG_CAP_WORK_DRAW_MESH;
    if (work->repeat <= 1 || is_told) {
        return word_of(r, word);
    }
    snprintf(text, sizeof text, "%s, %u times", word, work->repeat);
    return word_of(r, text);
}

static void put_counts(const struct fg_cap_work *work, struct fgi_work_call *call)
{
    switch (work->kind) {
    case FG_CAP_WORK_DRAW:
    case FG_CAP_WORK_DRAW_INDEXED:
        *call = (struct fgi_work_call){
            .quality = FG_EVENT_ENCODED, .x = work->x, .y = work->y, .z = work->repeat
        };
        break;
    case FG_CAP_WORK_DISPATCH:
    case FG_CAP_WORK_DRAW_MESH:
    case FG_CAP_WORK_TRACE_RAYS:
        *call = (struct fgi_work_call){
            .quality = FG_EVENT_ENCODED, .x = work->x, .y = work->y, .z = work->z
        };
        break;
    case FG_CAP_WORK_COPY: /* a copy of an unknown number of bytes says 0 */
        call->quality = work->x > 0 ? FG_EVENT_ENCODED : FG_EVENT_NO_COUNTS;
        call->x = work->x;
        break;
    default:
        call->quality = fgi_work_is_indirect(work->kind) ? FG_EVENT_NOT_KNOWN : FG_EVENT_NO_COUNTS;
        break;
    }
}

/* An indirect call that makes one draw or dispatch: one answer is all of it. */
static bool is_single(const struct fg_cap_work *work)
{
    return work->repeat <= 1 && (fgi_work_is_dispatch(work->kind) || work->draw_count <= 1);
}

static uint32_t slot_name(struct reading *r, const struct fg_cap_binding *binding)
{
    char text[64];
    if (binding->element > 0) {
        snprintf(text, sizeof text, "set %u binding %u [%u]", binding->set, binding->slot,
                 binding->element);
    } else {
        snprintf(text, sizeof text, "set %u binding %u", binding->set, binding->slot);
    }
    return word_of(r, text);
}

static bool is_read_only(uint32_t binding_kind)
{
    switch (binding_kind) {
    case FG_CAP_BINDING_SAMPLER:
    case FG_CAP_BINDING_SAMPLED_TEXTURE:
    case FG_CAP_BINDING_UNIFORM_BUFFER:
    case FG_CAP_BINDING_INPUT_ATTACHMENT:
    case FG_CAP_BINDING_ACCELERATION_STRUCTURE:
    case FG_CAP_BINDING_INLINE:
        return true;
    default:
        return false;
    }
}

static void put_call(struct reading *r, const struct fg_cap_work *work, struct fgi_work_call *call)
{
    put_counts(work, call);
    call->is_single = is_single(work);
    call->kind = kind_of(work->kind);
    call->name = call_name(r, work);
    call->pipeline = symbol_of(r, work->pipeline);
    struct fgi_work_binding *bindings = items_of(r, work->binding_count, sizeof *bindings);
    for (size_t i = 0; bindings && i < work->binding_count; i++) {
        const struct fg_cap_binding *from = &work->bindings[i];
        bindings[i] = (struct fgi_work_binding){ .slot = slot_name(r, from),
                                                 .name = symbol_of(r, from->name),
                                                 .resource = from->resource,
                                                 .is_read_only = is_read_only(from->kind) };
    }
    call->bindings = bindings;
    call->binding_count = bindings ? (uint32_t)work->binding_count : 0;
}

/* ---- attachments, passes, submissions -------------------------------------------------------- */

static void put_attachments(struct reading *r, const struct fg_cap_gpu_pass *from,
                            struct fgi_work_pass *pass)
{
    struct fgi_work_attachment *items = items_of(r, from->attachment_count, sizeof *items);
    uint32_t of_kind[5] = { 0 };
    for (size_t i = 0; items && i < from->attachment_count; i++) {
        const struct fg_cap_attachment *a = &from->attachments[i];
        char text[64];
        const char *kind = fgi_convert_attachment_word(a->kind);
        uint32_t number = of_kind[a->kind < 4 ? a->kind : 4]++;
        bool is_numbered =
            a->kind == FG_CAP_ATTACHMENT_COLOR || a->kind == FG_CAP_ATTACHMENT_RESOLVE;
        snprintf(text, sizeof text, is_numbered ? "%s %u" : "%s", kind, number);
        items[i].slot = word_of(r, text);
        if (a->load != FG_CAP_LOAD_UNKNOWN || a->store != FG_CAP_STORE_UNKNOWN) {
            snprintf(text, sizeof text, "%s, %s", fgi_convert_load_word(a->load),
                     fgi_convert_store_word(a->store));
            items[i].text = word_of(r, text);
        }
        items[i].resource = a->resource;
        items[i].access = (uint8_t)((a->load == FG_CAP_LOAD_LOAD ? FG_EVENT_READS : 0) |
                                    (a->load == FG_CAP_LOAD_CLEAR || a->store == FG_CAP_STORE_STORE
                                         ? FG_EVENT_WRITES
                                         : 0));
    }
    pass->attachments = items;
    pass->attachment_count = items ? (uint32_t)from->attachment_count : 0;
}

static void put_passes(struct reading *r, const struct fgi_frame_source *source,
                       const struct fg_cap_frame *frame, struct fgi_frame_work *out)
{
    struct fgi_work_pass *passes = items_of(r, frame->gpu_pass_count, sizeof *passes);
    for (size_t i = 0; passes && i < frame->gpu_pass_count && r->result == FG_OK; i++) {
        const struct fg_cap_gpu_pass *from = &frame->gpu_passes[i];
        struct fgi_work_pass *pass = &passes[i];
        struct fgi_work_call *calls = items_of(r, from->work_count, sizeof *calls);
        *pass = (struct fgi_work_pass){
            .row = i < source->instance_count
                       ? r->backing->ref_rows.items[source->instance_offset + i]
                       : FG_NONE,
            .name = symbol_of(r, from->label),
            .graph_pass = from->graph_pass,
            .submission = from->submission,
            .parent = from->parent,
            .calls = calls,
            .call_count = calls ? (uint32_t)from->work_count : 0,
        };
        put_attachments(r, from, pass);
        for (uint32_t w = 0; w < pass->call_count; w++) {
            put_call(r, &from->works[w], &calls[w]);
        }
    }
    out->passes = passes;
    out->pass_count = passes ? (uint32_t)frame->gpu_pass_count : 0;
}

static const struct fgi_work_semaphore *copy_semaphores(struct reading *r,
                                                        const struct fg_cap_semaphore *from,
                                                        size_t count, uint32_t *out_count)
{
    struct fgi_work_semaphore *copy = items_of(r, count, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = (struct fgi_work_semaphore){ from[i].id, from[i].value };
    }
    *out_count = copy ? (uint32_t)count : 0;
    return copy;
}

static void put_submissions(struct reading *r, const struct fg_cap_frame *frame,
                            struct fgi_frame_work *out)
{
    struct fgi_work_submission *to = items_of(r, frame->submission_count, sizeof *to);
    for (size_t i = 0; to && i < frame->submission_count; i++) {
        const struct fg_cap_submission *from = &frame->submissions[i];
        char text[32];
        snprintf(text, sizeof text, "submission %zu", i);
        to[i].name = word_of(r, text);
        to[i].waits = copy_semaphores(r, from->waits, from->wait_count, &to[i].wait_count);
        to[i].signals = copy_semaphores(r, from->signals, from->signal_count, &to[i].signal_count);
    }
    out->submissions = to;
    out->submission_count = to ? (uint32_t)frame->submission_count : 0;
    out->wait_name = word_of(r, "wait for semaphore");
    out->signal_name = word_of(r, "signal semaphore");
}

/* ---- what was read back ---------------------------------------------------------------------- */

/* Counts of indirect calls, of all records of the frame. */
struct read_back {
    FGI_TABLE(struct fg_cap_resolved) items;
};

static void keep_read_back(struct reading *r, const struct fg_cap_gpu_frame *gpu,
                           const struct fgi_frame_work *work, struct read_back *to)
{
    for (size_t i = 0; i < gpu->resolved_count && r->result == FG_OK; i++) {
        const struct fg_cap_resolved *from = &gpu->resolved[i];
        if (from->instance >= work->pass_count ||
            from->work >= work->passes[from->instance].call_count) {
            continue;
        }
        r->result = FGI_GROW(r->backing->allocator, to->items.items, to->items.capacity,
                             to->items.count + 1, UINT32_MAX);
        if (r->result == FG_OK) {
            to->items.items[to->items.count++] = *from;
        }
    }
}

static struct fgi_work_call *call_of(const struct fgi_frame_work *work,
                                     const struct fg_cap_resolved *from)
{
    /* The calls are ours until the work is handed out. */
    return (struct fgi_work_call *)&work->passes[from->instance].calls[from->work];
}

/* One answer tells the counts of a call that makes one draw; several are draws of their own. */
static void put_read_back(struct reading *r, const struct fgi_frame_work *work,
                          const struct read_back *from)
{
    for (size_t i = 0; i < from->items.count; i++) {
        call_of(work, &from->items.items[i])->draw_count++;
    }
    for (size_t i = 0; i < from->items.count && r->result == FG_OK; i++) {
        const struct fg_cap_resolved *answer = &from->items.items[i];
        struct fgi_work_call *call = call_of(work, answer);
        if (call->draw_count == 1 && call->quality == FG_EVENT_NOT_KNOWN && call->is_single) {
            call->draw_count = 0;
            call->quality = FG_EVENT_RESOLVED;
            call->x = answer->x;
            call->y = answer->y;
            call->z = call->kind == FG_EVENT_DRAW ? 1 : answer->z;
            continue;
        }
        if (!call->draws) {
            call->draws = items_of(r, call->draw_count, sizeof *call->draws);
            call->draw_count = 0;
            call->quality = FG_EVENT_NO_COUNTS;
        }
        if (r->result == FG_OK) {
            char text[32];
            snprintf(text, sizeof text, "draw %u", answer->draw);
            struct fgi_work_draw *draws = (struct fgi_work_draw *)call->draws;
            draws[call->draw_count++] = (struct fgi_work_draw){
                word_of(r, text),
                answer->x,
                answer->y,
                call->kind == FG_EVENT_DRAW ? 1 : answer->z,
            };
        }
    }
}

/* The record at an offset that was kept. */
static bool read_at(struct reading *r, uint64_t offset, enum fg_capture_type type,
                    struct fg_capture_record *out_record)
{
    enum fg_result result = FG_OK;
    bool is_there = fgi_convert_read_at(r->backing->capture, offset, type, out_record, &result);
    r->result = r->result != FG_OK ? r->result : result;
    return is_there && r->result == FG_OK;
}

enum fg_result fgi_convert_load_work(void *context, uint32_t frame, struct fgi_arena *arena,
                                     struct fgi_frame_work *out_work)
{
    struct reading r = { .backing = context, .arena = arena };
    struct read_back answers = { 0 };
    struct fg_capture_record record;
    *out_work = (struct fgi_frame_work){ 0 };
    if (frame >= r.backing->frames.count) {
        return FG_OK;
    }
    const struct fgi_frame_source *source = &r.backing->frames.items[frame];
    if (read_at(&r, source->offset, FG_CAPTURE_FRAM, &record)) {
        put_submissions(&r, record.frame, out_work);
        put_passes(&r, source, record.frame, out_work);
    }
    for (uint32_t g = source->first_gpu; g != FG_NONE && r.result == FG_OK;
         g = r.backing->gpu_sources.items[g].next) {
        if (read_at(&r, r.backing->gpu_sources.items[g].offset, FG_CAPTURE_GSPN, &record)) {
            keep_read_back(&r, record.gpu_frame, out_work, &answers);
        }
    }
    if (r.result == FG_OK) {
        put_read_back(&r, out_work, &answers);
    }
    FGI_FREE_TABLE(r.backing->allocator, answers.items);
    return r.result;
}
