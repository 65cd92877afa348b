/* SPDX-License-Identifier: MIT */
/* Put the two sides of a frame, and the records with rules of their own. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

/* ---- Frames ---------------------------------------------------------------------------------- */

struct fgi_recent_frame *fgi_writer_recent(struct fg_capture_writer *writer, uint64_t frame)
{
    size_t count =
        writer->recent_count < FGI_RECENT_FRAMES ? writer->recent_count : (size_t)FGI_RECENT_FRAMES;
    for (size_t i = 1; i <= count; i++) {
        struct fgi_recent_frame *recent =
            &writer->recent[(writer->recent_count - i) % FGI_RECENT_FRAMES];
        if (recent->entry.frame <= frame) {
            return recent->entry.frame == frame ? recent : NULL;
        }
    }
    return NULL;
}

static uint64_t clock_ns(struct fg_capture_writer *writer, uint32_t clock, uint64_t ticks)
{
    struct fgi_definition *definition = fgi_writer_find(writer, FG_CAPTURE_CLKS, clock);
    if (definition == NULL) {
        return FG_CAP_UNKNOWN;
    }
    return fgi_cap_ticks_ns(ticks, definition->clock.period_num, definition->clock.period_den);
}

static uint32_t drops_of(const struct fg_cap_frame *frame)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < frame->drop_count; i++) {
        sum = frame->drops[i].count > UINT32_MAX - sum ? UINT32_MAX : sum + frame->drops[i].count;
    }
    return (uint32_t)sum;
}

/* What the frame needs in the section's lists, before its record is written. */
enum fg_result fgi_writer_reserve_frame(struct fg_capture_writer *writer)
{
    if (writer->recent == NULL) {
        writer->recent = fgi_calloc(writer->allocator, FGI_RECENT_FRAMES, sizeof *writer->recent);
        if (writer->recent == NULL) {
            return FG_ERR_NO_MEMORY;
        }
    }
    return FGI_GROW(writer->allocator, writer->frames.items, writer->frames.capacity,
                    writer->frames.count + 1, UINT32_MAX);
}

void fgi_writer_list_frame(struct fg_capture_writer *writer, const struct fg_cap_frame *frame,
                           uint64_t offset)
{
    struct fg_capture_frame_entry entry = {
        .frame = frame->frame,
        .offset = offset,
        .gpu_ns = FG_CAP_UNKNOWN,
        .cpu_ns = clock_ns(writer, frame->clock, frame->end_ticks - frame->begin_ticks),
        .dropped = drops_of(frame),
    };
    writer->recent[writer->recent_count++ % FGI_RECENT_FRAMES] = (struct fgi_recent_frame){
        .entry = entry,
        .gpu_pass_count = (uint32_t)frame->gpu_pass_count,
        .section = writer->section,
        .index = (uint32_t)writer->frames.count,
    };
    writer->frames.items[writer->frames.count++] = entry;
    writer->last_frame = frame->frame;
    writer->stats.frame_count++;
}

/*
 * Ranges, against what is known of the topology; the topology is stated in this section after it.
 */
static enum fg_result check_frame(struct fg_capture_writer *writer,
                                  const struct fg_cap_frame *frame)
{
    struct fgi_frame_outcome outcome = { 0 };
    if (writer->stats.frame_count != 0 && frame->frame <= writer->last_frame) {
        return FG_ERR_ARGUMENT;
    }
    if (frame->topology == FG_CAP_NONE) {
        return fgi_frame_check(frame, NULL, &outcome) ? FG_OK : FG_ERR_ARGUMENT;
    }
    struct fgi_kept_topology *kept = fgi_writer_topology(writer, frame->topology);
    if (kept == NULL) {
        return FG_ERR_NOT_FOUND;
    }
    struct fg_cap_topology sizes = {
        .pass_count = kept->pass_count,
        .resource_count = kept->resource_count,
        .gpu_pass_count = kept->gpu_pass_count,
    };
    if (!fgi_frame_check(frame, &sizes, &outcome)) {
        return FG_ERR_ARGUMENT;
    }
    kept->last_use = ++writer->use_count;
    kept->used_section = writer->section;
    return fgi_writer_state_topology(writer, kept);
}

static enum fg_result put_frame(struct fg_capture_writer *writer, const struct fg_cap_frame *frame)
{
    struct fgi_kept_template *base = NULL;
    struct fgi_codec codec = fgi_writer_codec(writer, &writer->body);
    enum fg_result result = FG_OK;
    writer->seen_symbols.count = 0;
    if (frame->pass_count + frame->gpu_pass_count != 0) {
        result = fgi_shapes_encode(&writer->shapes, &codec, frame);
        if (result == FG_OK && writer->ref_result == FG_OK) {
            result = fgi_writer_choose_template(writer, &base);
        }
        if (result == FG_OK) {
            result = writer->ref_result;
        }
        if (result != FG_OK) {
            fgi_writer_end_pending(writer, false);
            return result;
        }
    }
    fgi_bytes_clear(&writer->body);
    fgi_frame_encode(&codec, frame, &writer->shapes, base != NULL ? &base->shapes : NULL,
                     base != NULL ? base->id : 0);
    result = fgi_writer_commit(writer, FG_CAPTURE_FRAM, &writer->body);
    if (result == FG_OK) {
        fgi_writer_list_frame(writer, frame,
                              fgi_writer_offset(writer) - FG_CAPTURE_FRAMING_BYTES -
                                  writer->body.size);
    }
    return result;
}

enum fg_result fg_capture_writer_frame(struct fg_capture_writer *writer,
                                       const struct fg_cap_frame *frame)
{
    if (frame == NULL) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    if (result == FG_OK) {
        result = check_frame(writer, frame);
    }
    if (result == FG_OK) {
        result = fgi_writer_reserve_frame(writer);
    }
    if (result == FG_OK) {
        result = put_frame(writer, frame);
    }
    if (result == FG_OK && ++writer->unflushed_count >= writer->options.flush_frames) {
        result = fg_capture_writer_flush(writer);
    }
    return result;
}

/* ---- GPU times ------------------------------------------------------------------------------- */

static bool gpu_frame_fits(const struct fg_cap_gpu_frame *gpu, uint32_t gpu_pass_count)
{
    if (gpu->instance_count != gpu_pass_count) {
        return false;
    }
    for (size_t i = 0; i < gpu->span_count; i++) {
        if (gpu->spans[i].instance >= gpu_pass_count) {
            return false;
        }
    }
    for (size_t i = 0; i < gpu->statistics_count; i++) {
        size_t bits = 0;
        for (uint32_t mask = gpu->statistics[i].mask; mask != 0; mask &= mask - 1) {
            bits++;
        }
        if (gpu->statistics[i].instance >= gpu_pass_count ||
            gpu->statistics[i].value_count != bits) {
            return false;
        }
    }
    for (size_t i = 0; i < gpu->resolved_count; i++) {
        if (gpu->resolved[i].instance >= gpu_pass_count) {
            return false;
        }
    }
    return true;
}

enum fg_result fgi_writer_reserve_update(struct fg_capture_writer *writer)
{
    return FGI_GROW(writer->allocator, writer->updates.items, writer->updates.capacity,
                    writer->updates.count + 1, UINT32_MAX);
}

/* In the section where the frame is listed, or as an update in this one. */
void fgi_writer_list_gpu_frame(struct fg_capture_writer *writer, struct fgi_recent_frame *recent,
                               const struct fg_cap_gpu_frame *gpu)
{
    fgi_gpu_extent_add(&recent->extent, gpu);
    if (recent->extent.any) {
        recent->entry.gpu_ns = clock_ns(writer, recent->extent.clock,
                                        recent->extent.end_ticks - recent->extent.begin_ticks);
    }
    if (recent->section == writer->section) {
        writer->frames.items[recent->index] = recent->entry;
        return;
    }
    struct fg_capture_frame_entry update = recent->entry;
    update.flags = FGI_FRAME_ENTRY_UPDATE;
    if (recent->update_section != writer->section) {
        recent->update_section = writer->section;
        recent->update_index = (uint32_t)writer->updates.count++;
    }
    writer->updates.items[recent->update_index] = update;
}

enum fg_result fg_capture_writer_gpu_frame(struct fg_capture_writer *writer,
                                           const struct fg_cap_gpu_frame *gpu_frame)
{
    if (gpu_frame == NULL) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_recent_frame *recent = fgi_writer_recent(writer, gpu_frame->frame);
    if (recent == NULL) {
        return FG_ERR_NOT_FOUND;
    }
    if (!gpu_frame_fits(gpu_frame, recent->gpu_pass_count)) {
        return FG_ERR_ARGUMENT;
    }
    result = fgi_writer_reserve_update(writer);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_GSPN, fgi_fields_gpu_frame, gpu_frame);
    }
    if (result == FG_OK) {
        fgi_writer_list_gpu_frame(writer, recent, gpu_frame);
    }
    return result;
}

/* ---- Blocks, dependencies, raw payloads ------------------------------------------------------ */

enum fg_result fg_capture_writer_span_block(struct fg_capture_writer *writer,
                                            const struct fg_cap_span_block *block)
{
    if (block == NULL || block->span_count == 0 || block->span_count > FG_CAP_BLOCK_SPANS ||
        fgi_block_spans_check(block) != block->span_count) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    if (result != FG_OK) {
        return result;
    }
    if (writer->has_block && block->id <= writer->last_block) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_cap_span_block ranged = *block;
    ranged.first_ticks = block->spans[0].begin_ticks;
    ranged.last_ticks = block->spans[0].end_ticks;
    for (size_t i = 1; i < block->span_count; i++) {
        if (block->spans[i].end_ticks > ranged.last_ticks) {
            ranged.last_ticks = block->spans[i].end_ticks;
        }
    }
    result = fgi_writer_put(writer, FG_CAPTURE_SPAN, fgi_fields_span_block, &ranged);
    if (result == FG_OK) {
        writer->last_block = block->id;
        writer->has_block = true;
    }
    return result;
}

enum fg_result fg_capture_writer_dependencies(struct fg_capture_writer *writer,
                                              const struct fg_cap_dependencies *list)
{
    if (list == NULL || fgi_dependencies_check(list) != list->dependency_count) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_DEPS, fgi_fields_dependencies, list);
    }
    return result;
}

/* The references of ring memory, which nobody encoded. */
static enum fg_result note_events(struct fg_capture_writer *writer, const void *payload,
                                  size_t size)
{
    struct fgi_arena arena = { .allocator = writer->allocator };
    struct fg_cap_events events = { 0 };
    struct fgi_codec codec = {
        .mode = FGI_CODEC_DECODE,
        .in = fgi_reader_make(payload, size),
        .arena = &arena,
        .on_ref = fgi_writer_note_ref,
        .context = writer,
    };
    fgi_fields_events(&codec, &events);
    enum fg_result result = fgi_c_result(&codec);
    fgi_arena_finish(&arena);
    return result == FG_ERR_CORRUPT ? FG_ERR_ARGUMENT : result;
}

enum fg_result fg_capture_writer_raw(struct fg_capture_writer *writer, uint32_t type,
                                     const void *payload, size_t size)
{
    if ((payload == NULL && size != 0) || size > UINT32_MAX) {
        return FG_ERR_ARGUMENT;
    }
    if (type != FG_CAPTURE_ZRAW && fgi_codec_is_known(type)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    if (result != FG_OK) {
        return result;
    }
    if (type == FG_CAPTURE_ZRAW) {
        result = note_events(writer, payload, size);
    }
    struct fgi_bytes body = { .data = (void *)payload, .size = size };
    if (result != FG_OK) {
        fgi_writer_end_pending(writer, false);
        return result;
    }
    return fgi_writer_commit(writer, type, &body);
}
