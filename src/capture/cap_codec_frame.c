/* SPDX-License-Identifier: MIT */
/* The parts of FRAM and TMPL: shapes of passes, and the head of a frame. FORMAT.md, 6.2, 6.3. */
#include "capture/cap_frame.h"
#include "capture/work_kind.h"

static void fields_attachment(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_attachment *attachment = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "kind", &attachment->kind);
    fgi_c_u32(codec, "format", &attachment->format);
    fgi_c_u32(codec, "load", &attachment->load);
    fgi_c_u32(codec, "store", &attachment->store);
    fgi_c_u32(codec, "sample_count", &attachment->sample_count);
    fgi_c_u32(codec, "width", &attachment->width);
    fgi_c_u32(codec, "height", &attachment->height);
    fgi_c_opt32(codec, "resource", &attachment->resource);
    fgi_c_struct_end(codec);
}

static void fields_binding(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_binding *binding = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "set", &binding->set);
    fgi_c_u32(codec, "slot", &binding->slot);
    fgi_c_u32(codec, "element", &binding->element);
    fgi_c_u32(codec, "kind", &binding->kind);
    fgi_c_u64(codec, "resource", &binding->resource);
    fgi_c_symbol(codec, "name", &binding->name);
    fgi_c_u64(codec, "offset", &binding->offset);
    fgi_c_opt64(codec, "size_bytes", &binding->size_bytes);
    fgi_c_struct_end(codec);
}

static bool has_workgroup(uint32_t kind)
{
    return kind == FG_CAP_WORK_DISPATCH || kind == FG_CAP_WORK_DISPATCH_INDIRECT;
}

static void fields_work(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_work *work = payload;
    bool all = codec->mode == FGI_CODEC_VISIT;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "kind", &work->kind);
    fgi_c_u32(codec, "repeat", &work->repeat);
    fgi_c_symbol(codec, "pipeline", &work->pipeline);
    fgi_c_u64(codec, "x", &work->x);
    fgi_c_u32(codec, "y", &work->y);
    fgi_c_u32(codec, "z", &work->z);
    if (all || has_workgroup(work->kind)) {
        fgi_c_u32(codec, "workgroup_x", &work->workgroup_x);
        fgi_c_u32(codec, "workgroup_y", &work->workgroup_y);
        fgi_c_u32(codec, "workgroup_z", &work->workgroup_z);
    }
    if (all || fgi_work_is_indirect(work->kind)) {
        fgi_c_u64(codec, "buffer", &work->buffer);
        fgi_c_u64(codec, "offset", &work->offset);
        fgi_c_u32(codec, "draw_count", &work->draw_count);
        fgi_c_u32(codec, "stride_bytes", &work->stride_bytes);
    }
    FGI_C_LIST(codec, work, bindings, binding_count, 8, fields_binding);
    fgi_c_struct_end(codec);
}

void fgi_fields_pass_shape(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_cpu_pass *pass = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "graph_pass", &pass->graph_pass);
    fgi_c_u32(codec, "flags", &pass->flags);
    fgi_c_u32(codec, "ref_count", &pass->ref_count);
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &pass->track);
    if (codec->mode == FGI_CODEC_VISIT) {
        fgi_c_u64(codec, "begin_ticks", &pass->begin_ticks);
        fgi_c_u64(codec, "end_ticks", &pass->end_ticks);
    }
    fgi_c_struct_end(codec);
}

void fgi_fields_gpu_pass_shape(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_gpu_pass *pass = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_opt32(codec, "gpu_pass", &pass->gpu_pass);
    if (codec->mode == FGI_CODEC_VISIT || pass->gpu_pass == FG_CAP_NONE) {
        fgi_c_opt32(codec, "graph_pass", &pass->graph_pass);
        fgi_c_u32(codec, "kind", &pass->kind);
        fgi_c_symbol(codec, "label", &pass->label);
    }
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &pass->track);
    fgi_c_opt32(codec, "submission", &pass->submission);
    fgi_c_opt32(codec, "parent", &pass->parent);
    fgi_c_opt32(codec, "logical", &pass->logical);
    fgi_c_u32(codec, "fragment", &pass->fragment);
    FGI_C_LIST(codec, pass, attachments, attachment_count, 8, fields_attachment);
    FGI_C_LIST(codec, pass, works, work_count, 7, fields_work);
    fgi_c_struct_end(codec);
}

void fgi_fields_template(struct fgi_codec *codec, void *payload)
{
    struct fgi_template *shapes = payload;
    fgi_c_u32(codec, "id", &shapes->id);
    FGI_C_LIST(codec, shapes, passes, pass_count, 4, fgi_fields_pass_shape);
    FGI_C_LIST(codec, shapes, gpu_passes, gpu_pass_count, 8, fgi_fields_gpu_pass_shape);
}

static void fields_semaphore(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_semaphore *semaphore = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "id", &semaphore->id);
    fgi_c_u64(codec, "value", &semaphore->value);
    fgi_c_struct_end(codec);
}

static void fields_counter(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_counter *counter = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_symbol(codec, "name", &counter->name);
    fgi_c_symbol(codec, "unit", &counter->unit);
    fgi_c_value(codec, "value", &counter->value);
    fgi_c_struct_end(codec);
}

static void fields_submission(struct fgi_codec *codec, struct fg_cap_submission *submission,
                              uint64_t begin_ticks)
{
    fgi_c_struct_begin(codec, NULL);
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &submission->track);
    fgi_c_delta(codec, "submit_ticks", begin_ticks, &submission->submit_ticks);
    FGI_C_LIST(codec, submission, waits, wait_count, 2, fields_semaphore);
    FGI_C_LIST(codec, submission, signals, signal_count, 2, fields_semaphore);
    fgi_c_struct_end(codec);
}

static void submissions(struct fgi_codec *codec, struct fg_cap_frame *frame)
{
    uint32_t count = (uint32_t)frame->submission_count;
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_begin(codec->visitor->context, "submissions",
                                   (const void **)&frame->submissions, &frame->submission_count,
                                   sizeof *frame->submissions);
    } else {
        fgi_c_u32(codec, NULL, &count);
    }
    if (codec->mode == FGI_CODEC_DECODE) {
        frame->submission_count = count;
    }
    struct fg_cap_submission *items = fgi_c_items(codec, (const void **)&frame->submissions,
                                                  &frame->submission_count, sizeof *items, 4);
    for (size_t i = 0; i < frame->submission_count && !codec->in.failed; i++) {
        fields_submission(codec, &items[i], frame->begin_ticks);
    }
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_end(codec->visitor->context);
    }
}

enum { KNOWN_SUBMIT = 1, KNOWN_WAIT = 2, KNOWN_PRESENT_WAIT = 4, KNOWN_RECORDER = 8 };

/* The numbers that a frame may not have, behind a mask of those that it has. */
static void optional_numbers(struct fgi_codec *codec, struct fg_cap_frame *frame)
{
    if (codec->mode == FGI_CODEC_VISIT) {
        fgi_c_opt64(codec, "submit_ticks", &frame->submit_ticks);
        fgi_c_opt64(codec, "wait_ticks", &frame->wait_ticks);
        fgi_c_opt64(codec, "present_wait_ticks", &frame->present_wait_ticks);
        fgi_c_opt64(codec, "recorder_ns", &frame->recorder_ns);
        return;
    }
    uint32_t known = 0;
    if (codec->mode == FGI_CODEC_ENCODE) {
        known |= frame->submit_ticks != FG_CAP_UNKNOWN ? KNOWN_SUBMIT : 0;
        known |= frame->wait_ticks != FG_CAP_UNKNOWN ? KNOWN_WAIT : 0;
        known |= frame->present_wait_ticks != FG_CAP_UNKNOWN ? KNOWN_PRESENT_WAIT : 0;
        known |= frame->recorder_ns != FG_CAP_UNKNOWN ? KNOWN_RECORDER : 0;
    } else {
        frame->submit_ticks = frame->wait_ticks = FG_CAP_UNKNOWN;
        frame->present_wait_ticks = frame->recorder_ns = FG_CAP_UNKNOWN;
    }
    fgi_c_u32(codec, NULL, &known);
    if ((known & KNOWN_SUBMIT) != 0) {
        fgi_c_delta(codec, NULL, frame->begin_ticks, &frame->submit_ticks);
    }
    if ((known & KNOWN_WAIT) != 0) {
        fgi_c_u64(codec, NULL, &frame->wait_ticks);
    }
    if ((known & KNOWN_PRESENT_WAIT) != 0) {
        fgi_c_u64(codec, NULL, &frame->present_wait_ticks);
    }
    if ((known & KNOWN_RECORDER) != 0) {
        fgi_c_u64(codec, NULL, &frame->recorder_ns);
    }
}

void fgi_fields_frame_head(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_frame *frame = payload;
    fgi_c_u64(codec, "frame", &frame->frame);
    fgi_c_opt32(codec, "topology", &frame->topology);
    fgi_c_u32(codec, "level", &frame->level);
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &frame->clock);
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &frame->track);
    fgi_c_fix64(codec, "begin_ticks", &frame->begin_ticks);
    fgi_c_udelta(codec, "end_ticks", frame->begin_ticks, &frame->end_ticks);
    optional_numbers(codec, frame);
    submissions(codec, frame);
    FGI_C_LIST(codec, frame, counters, counter_count, 4, fields_counter);
    FGI_C_LIST(codec, frame, drops, drop_count, 2, fgi_fields_drop);
}

void fgi_fields_frame_visit(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_frame *frame = payload;
    fgi_fields_frame_head(codec, frame);
    FGI_C_LIST(codec, frame, passes, pass_count, 0, fgi_fields_pass_shape);
    FGI_C_LIST(codec, frame, gpu_passes, gpu_pass_count, 0, fgi_fields_gpu_pass_shape);
}
