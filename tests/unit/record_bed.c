/* SPDX-License-Identifier: MIT */
#include "record_bed.h"
#include "../support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

void bed_open(struct bed *bed, const struct fg_software_options *device_options,
              const struct fg_session_options *session_options)
{
    uint32_t queues = device_options != NULL && device_options->queue_count != 0
                          ? device_options->queue_count
                          : 1;
    memset(bed, 0, sizeof *bed);
    assert_int_equal(fg_software_device_create(device_options, &bed->device), FG_OK);
    for (uint32_t i = 0; i < queues && i < BED_QUEUES; i++) {
        assert_int_equal(fg_software_commands_create(bed->device, &bed->native[i]), FG_OK);
    }
    assert_int_equal(fg_session_create(bed->device, session_options, &bed->session), FG_OK);
    assert_int_equal(fg_session_start(bed->session), FG_OK);
}

void bed_close(struct bed *bed)
{
    for (uint32_t i = 0; i < BED_QUEUES; i++) {
        fg_software_commands_destroy(bed->native[i]);
    }
    fg_session_destroy(bed->session);
    fg_device_destroy(bed->device);
    memset(bed, 0, sizeof *bed);
}

void bed_begin(struct bed *bed, uint32_t queues)
{
    bed->frame = fg_frame_begin(bed->device);
    memset(bed->commands, 0, sizeof bed->commands);
    for (uint32_t i = 0; i < queues; i++) {
        fg_software_commands_reset(bed->native[i]);
        bed->commands[i] = fg_commands_begin(
            bed->frame, &(struct fg_commands_desc){ .native = bed->native[i], .queue = i });
    }
}

void bed_pass(struct bed *bed, uint32_t queue, const char *label, int64_t cost_ns)
{
    fg_gpu_pass_begin(bed->commands[queue],
                      &(struct fg_gpu_pass_desc){ .label = label, .kind = FG_GPU_PASS_COMPUTE });
    fg_software_work(bed->native[queue], cost_ns, 100);
    fg_gpu_pass_end(bed->commands[queue]);
}

void bed_end(struct bed *bed)
{
    for (uint32_t i = 0; i < BED_QUEUES; i++) {
        if (bed->commands[i] == NULL) {
            continue;
        }
        fg_commands_end(bed->commands[i]);
        fg_frame_submit(bed->frame,
                        &(struct fg_submission){
                            .queue = i, .commands = &bed->commands[i], .commands_count = 1 },
                        NULL);
        bed->submitted = fg_software_submit(
            bed->device, &(struct fg_software_submission){
                             .queue = i, .commands = &bed->native[i], .commands_count = 1 });
    }
    fg_frame_end(bed->frame);
    bed->frame = NULL;
}

void bed_frame(struct bed *bed, uint32_t count, int64_t cost_ns, int64_t after_ns)
{
    bed_begin(bed, 1);
    for (uint32_t i = 0; i < count; i++) {
        bed_pass(bed, 0, "pass", cost_ns);
    }
    bed_end(bed);
    fg_software_advance(bed->device, after_ns);
}

/* ---- reading back ---- */

static void copy_text(char *out, size_t room, const char *text, size_t size)
{
    size = size < room ? size : room - 1;
    memcpy(out, text, size);
    out[size] = 0;
}

static void copy_symbol(const struct fg_capture *capture, uint32_t symbol, char *out, size_t room)
{
    size_t size;
    const char *text = fg_capture_symbol(capture, symbol, &size);
    copy_text(out, room, text, size);
}

static size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

static void copy_pass(const struct fg_capture *capture, const struct fg_cap_frame *frame,
                      const struct fg_cap_gpu_pass *in, struct seen_pass *out)
{
    const struct fg_cap_topology *topology = fg_capture_topology(capture, frame->topology);
    copy_symbol(capture, in->label, out->label, sizeof out->label);
    out->graph_pass = in->graph_pass;
    if (in->graph_pass != FG_CAP_NONE) {
        assert_non_null(topology);
        copy_symbol(capture, topology->passes[in->graph_pass].name, out->owner, sizeof out->owner);
    }
    out->kind = in->kind;
    out->track = in->track;
    out->submission = in->submission;
    out->parent = in->parent;
    out->logical = in->logical;
    out->fragment = in->fragment;
    out->work_count = in->work_count;
    for (size_t i = 0; i < at_most(in->work_count, 8); i++) {
        out->works[i] = in->works[i];
        out->works[i].bindings = NULL;
        copy_symbol(capture, in->works[i].pipeline, out->pipelines[i], sizeof out->pipelines[i]);
    }
    for (size_t i = 0; in->work_count != 0 && i < at_most(in->works[0].binding_count, 4); i++) {
        out->bindings[i] = in->works[0].bindings[i];
    }
    out->attachment_count = in->attachment_count;
    for (size_t i = 0; i < at_most(in->attachment_count, 4); i++) {
        out->attachments[i] = in->attachments[i];
    }
}

static void copy_submissions(const struct fg_cap_frame *in, struct seen_frame *out)
{
    out->submission_count = in->submission_count;
    for (size_t i = 0; i < at_most(in->submission_count, 8); i++) {
        struct seen_submission *seen = &out->submissions[i];
        seen->track = in->submissions[i].track;
        seen->submit_ticks = in->submissions[i].submit_ticks;
        seen->wait_count = in->submissions[i].wait_count;
        seen->signal_count = in->submissions[i].signal_count;
        for (size_t k = 0; k < at_most(seen->wait_count, 4); k++) {
            seen->waits[k] = in->submissions[i].waits[k];
        }
        for (size_t k = 0; k < at_most(seen->signal_count, 4); k++) {
            seen->signals[k] = in->submissions[i].signals[k];
        }
    }
}

static void read_frame(struct seen *seen, const struct fg_capture *capture,
                       const struct fg_cap_frame *in)
{
    if ((seen->frame_count & (seen->frame_count - 1)) == 0) { /* full at each power of two */
        size_t room = seen->frame_count != 0 ? 2 * seen->frame_count : 1;
        seen->frames = realloc(seen->frames, room * sizeof *seen->frames);
        assert_non_null(seen->frames);
    }
    struct seen_frame *out = &seen->frames[seen->frame_count++];
    *out = (struct seen_frame){
        .frame = in->frame,
        .topology = in->topology,
        .level = in->level,
        .begin_ticks = in->begin_ticks,
        .end_ticks = in->end_ticks,
        .submit_ticks = in->submit_ticks,
        .wait_ticks = in->wait_ticks,
        .present_wait_ticks = in->present_wait_ticks,
        .recorder_ns = in->recorder_ns,
        .pass_count = in->gpu_pass_count,
        .passes = calloc(in->gpu_pass_count + 1, sizeof *out->passes),
        .cpu_pass_count = in->pass_count,
        .cpu_passes = calloc(in->pass_count + 1, sizeof *out->cpu_passes),
        .counter_count = in->counter_count,
    };
    for (size_t i = 0; i < in->drop_count; i++) {
        out->drops[in->drops[i].reason] += in->drops[i].count;
        out->dropped += in->drops[i].count;
    }
    for (size_t i = 0; i < in->gpu_pass_count; i++) {
        copy_pass(capture, in, &in->gpu_passes[i], &out->passes[i]);
    }
    if (in->pass_count != 0) {
        memcpy(out->cpu_passes, in->passes, in->pass_count * sizeof *in->passes);
    }
    for (size_t i = 0; i < at_most(in->counter_count, 8); i++) {
        copy_symbol(capture, in->counters[i].name, out->counters[i], sizeof out->counters[i]);
        out->counter_values[i] = in->counters[i].value.i;
    }
    copy_submissions(in, out);
}

static void read_gpu_frame(struct seen *seen, const struct fg_cap_gpu_frame *in)
{
    struct seen_frame *frame = NULL;
    for (size_t i = seen->frame_count; i > 0 && frame == NULL; i--) { /* most often a late one */
        frame = seen->frames[i - 1].frame == in->frame ? &seen->frames[i - 1] : NULL;
    }
    assert_non_null(frame);
    assert_int_equal(in->instance_count, frame->pass_count);
    frame->gpu_records++;
    frame->last |= (in->flags & FG_CAP_GPU_FRAME_LAST) != 0;
    frame->latency_ns = in->latency_ns;
    for (size_t i = 0; i < in->span_count; i++) {
        struct seen_pass *pass = &frame->passes[in->spans[i].instance];
        assert_false(pass->has_span);
        pass->has_span = true;
        pass->span = in->spans[i];
        pass->clock = in->clock;
    }
    for (size_t i = 0; i < in->statistics_count; i++) {
        struct seen_pass *pass = &frame->passes[in->statistics[i].instance];
        pass->statistics_mask = in->statistics[i].mask;
        memcpy(pass->statistics, in->statistics[i].values,
               at_most(in->statistics[i].value_count, 4) * sizeof(uint64_t));
    }
    for (size_t i = 0; i < in->resolved_count; i++) {
        struct seen_pass *pass = &frame->passes[in->resolved[i].instance];
        assert_true(pass->resolved_count < 8);
        pass->resolved[pass->resolved_count++] = in->resolved[i];
    }
}

static void read_clock(struct seen *seen, const struct fg_capture *capture,
                       const struct fg_cap_clock *in)
{
    if (in->id >= sizeof seen->clocks / sizeof seen->clocks[0]) {
        return; /* that of the process's own diagnostics */
    }
    struct seen_clock *clock = &seen->clocks[in->id];
    clock->domain = in->domain;
    copy_symbol(capture, in->reason, clock->reason, sizeof clock->reason);
    if (clock->reading_count == 0) {
        clock->first_reading = in->first_reading; /* a flight recorder has forgotten the others */
    }
    for (size_t i = 0; i < in->reading_count; i++) { /* numbered: restating them is no matter */
        size_t at = (size_t)(in->first_reading - clock->first_reading) + i;
        assert_true(at < SEEN_READINGS_MAX && at <= clock->reading_count);
        clock->readings[at] = in->readings[i];
        clock->reading_count = at + 1 > clock->reading_count ? at + 1 : clock->reading_count;
    }
}

static void read_meta(struct seen *seen, const struct fg_cap_meta *in)
{
    seen->level = in->level;
    seen->development = in->development;
    copy_text(seen->meta_note, sizeof seen->meta_note, in->note.data, in->note.size);
    copy_text(seen->engine_version, sizeof seen->engine_version, in->engine_version.data,
              in->engine_version.size);
    copy_text(seen->adapter, sizeof seen->adapter, in->adapter_device.data,
              in->adapter_device.size);
    seen->feature_count = in->feature_count;
    for (size_t i = 0; i < at_most(in->feature_count, 8); i++) {
        copy_text(seen->features[i], sizeof seen->features[i], in->features[i].data,
                  in->features[i].size);
    }
}

static void read_lost(struct seen *seen, const struct fg_cap_device_lost *in)
{
    seen->lost = true;
    seen->lost_frame = in->frame;
    seen->open_count = in->open_count;
    for (size_t i = 0; i < at_most(in->open_count, 8); i++) {
        seen->open[i] = in->open[i];
    }
}

static void read_note(struct seen *seen, const struct fg_cap_note *in)
{
    seen->note_count++;
    copy_text(seen->note, sizeof seen->note, in->text.data, in->text.size);
    seen->note_frame = in->frame;
}

static void read_record(struct seen *seen, const struct fg_capture *capture,
                        const struct fg_capture_record *record)
{
    if (record->restated && record->type != FG_CAPTURE_CLKS) {
        return;
    }
    switch (record->type) {
    case FG_CAPTURE_META:
        read_meta(seen, record->meta);
        break;
    case FG_CAPTURE_FRAM:
        read_frame(seen, capture, record->frame);
        break;
    case FG_CAPTURE_GSPN:
        read_gpu_frame(seen, record->gpu_frame);
        break;
    case FG_CAPTURE_TOPO:
        seen->topology_count++;
        break;
    case FG_CAPTURE_CLKS:
        read_clock(seen, capture, record->clock);
        break;
    case FG_CAPTURE_LOST:
        read_lost(seen, record->device_lost);
        break;
    case FG_CAPTURE_NOTE:
        read_note(seen, record->note);
        break;
    case FG_CAPTURE_SUMM:
        seen->summary = *record->summary;
        seen->has_summary = true;
        break;
    default:
        break;
    }
}

static struct fg_capture *open_bytes(struct fg_memory_view *view, struct fg_source *source)
{
    struct fg_capture *capture = NULL;
    *source = fg_memory_source(view);
    assert_int_equal(fg_capture_open(source, NULL, NULL, &capture), FG_OK);
    return capture;
}

void seen_read(struct seen *seen, const void *bytes, size_t size)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source;
    struct fg_capture_record record;
    memset(seen, 0, sizeof *seen);
    struct fg_capture *capture = open_bytes(&view, &source);
    while (fg_capture_next(capture, &record) == FG_OK) {
        read_record(seen, capture, &record);
    }
    fg_capture_get_info(capture, &seen->info);
    seen->defect_count = (size_t)fg_capture_defect_count(capture);
    assert_int_equal(seen->defect_count, 0);
    fg_capture_close(capture);
}

void seen_session(struct seen *seen, struct fg_session *session)
{
    size_t size;
    const void *bytes = fg_session_bytes(session, &size);
    assert_non_null(bytes);
    seen_read(seen, bytes, size);
    assert_true(seen->info.closed);
}

void seen_bed(struct seen *seen, struct bed *bed)
{
    struct fg_session_status status;
    fg_session_get_status(bed->session, &status);
    if (!status.closed) {
        (void)fg_session_finish(bed->session, SECOND_NS);
    }
    seen_session(seen, bed->session);
}

void seen_free(struct seen *seen)
{
    for (size_t i = 0; i < seen->frame_count; i++) {
        free(seen->frames[i].passes);
        free(seen->frames[i].cpu_passes);
    }
    free(seen->frames);
    memset(seen, 0, sizeof *seen);
}

void seen_topology(const void *bytes, size_t size, uint32_t id,
                   void (*visit)(const struct fg_capture *capture,
                                 const struct fg_cap_topology *topology))
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source;
    struct fg_capture_record record;
    struct fg_capture *capture = open_bytes(&view, &source);
    while (fg_capture_next(capture, &record) == FG_OK) {
    }
    assert_non_null(fg_capture_topology(capture, id));
    visit(capture, fg_capture_topology(capture, id));
    fg_capture_close(capture);
}

int64_t seen_duration(const struct seen_pass *pass)
{
    return (int64_t)(pass->span.end_ticks - pass->span.begin_ticks);
}
