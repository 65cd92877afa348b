/* SPDX-License-Identifier: MIT */
/* FRAM: the CPU side of a frame, put together at the session's level. */
#include "record/flight_priv.h"
#include "record/session_priv.h"
#include "capture/work_kind.h"

#include <string.h>

/* What an application tells is stored as it stands: the two sides must never part. */
#define SAME(told, stored) _Static_assert((uint32_t)(told) == (uint32_t)(stored), #told)
SAME(FG_LOAD_UNKNOWN, FG_CAP_LOAD_UNKNOWN);
SAME(FG_LOAD_LOAD, FG_CAP_LOAD_LOAD);
SAME(FG_LOAD_CLEAR, FG_CAP_LOAD_CLEAR);
SAME(FG_LOAD_DISCARD, FG_CAP_LOAD_DISCARD);
SAME(FG_LOAD_NONE, FG_CAP_LOAD_NONE);
SAME(FG_STORE_UNKNOWN, FG_CAP_STORE_UNKNOWN);
SAME(FG_STORE_STORE, FG_CAP_STORE_STORE);
SAME(FG_STORE_DISCARD, FG_CAP_STORE_DISCARD);
SAME(FG_STORE_NONE, FG_CAP_STORE_NONE);
SAME(FG_ATTACHMENT_COLOR, FG_CAP_ATTACHMENT_COLOR);
SAME(FG_ATTACHMENT_DEPTH, FG_CAP_ATTACHMENT_DEPTH);
SAME(FG_ATTACHMENT_STENCIL, FG_CAP_ATTACHMENT_STENCIL);
SAME(FG_ATTACHMENT_DEPTH_STENCIL, FG_CAP_ATTACHMENT_DEPTH_STENCIL);
SAME(FG_ATTACHMENT_RESOLVE, FG_CAP_ATTACHMENT_RESOLVE);
SAME(FG_BINDING_OTHER, FG_CAP_BINDING_OTHER);
SAME(FG_BINDING_SAMPLER, FG_CAP_BINDING_SAMPLER);
SAME(FG_BINDING_SAMPLED_TEXTURE, FG_CAP_BINDING_SAMPLED_TEXTURE);
SAME(FG_BINDING_STORAGE_TEXTURE, FG_CAP_BINDING_STORAGE_TEXTURE);
SAME(FG_BINDING_UNIFORM_BUFFER, FG_CAP_BINDING_UNIFORM_BUFFER);
SAME(FG_BINDING_STORAGE_BUFFER, FG_CAP_BINDING_STORAGE_BUFFER);
SAME(FG_BINDING_TEXEL_BUFFER, FG_CAP_BINDING_TEXEL_BUFFER);
SAME(FG_BINDING_INPUT_ATTACHMENT, FG_CAP_BINDING_INPUT_ATTACHMENT);
SAME(FG_BINDING_ACCELERATION_STRUCTURE, FG_CAP_BINDING_ACCELERATION_STRUCTURE);
SAME(FG_BINDING_INLINE, FG_CAP_BINDING_INLINE);
SAME(FG_GPU_PASS_OTHER, FG_CAP_GPU_PASS_OTHER);
SAME(FG_GPU_PASS_RENDER, FG_CAP_GPU_PASS_RENDER);
SAME(FG_GPU_PASS_COMPUTE, FG_CAP_GPU_PASS_COMPUTE);
SAME(FG_GPU_PASS_TRANSFER, FG_CAP_GPU_PASS_TRANSFER);
SAME(FG_GPU_PASS_RAY_TRACING, FG_CAP_GPU_PASS_RAY_TRACING);
SAME(FG_GPU_PASS_MARKER, FG_CAP_GPU_PASS_MARKER);
SAME(FG_RESOURCE_UNKNOWN, FG_CAP_RESOURCE_OTHER);
SAME(FG_RESOURCE_BUFFER, FG_CAP_RESOURCE_BUFFER);
SAME(FG_RESOURCE_TEXTURE, FG_CAP_RESOURCE_TEXTURE);
SAME(FG_RESOURCE_TRANSIENT, FG_CAP_RESOURCE_TRANSIENT);
SAME(FG_RESOURCE_IMPORTED, FG_CAP_RESOURCE_IMPORTED);
#undef SAME

#define ITEMS_MAX (1u << 24) /* of any list in one frame */

void fgi_scratch_finish(const struct fg_allocator *allocator, struct fgi_scratch *scratch)
{
    fgi_free(allocator, scratch->gpu_passes,
             scratch->gpu_pass_capacity * sizeof *scratch->gpu_passes);
    fgi_free(allocator, scratch->works, scratch->work_capacity * sizeof *scratch->works);
    fgi_free(allocator, scratch->bindings, scratch->binding_capacity * sizeof *scratch->bindings);
    fgi_free(allocator, scratch->attachments,
             scratch->attachment_capacity * sizeof *scratch->attachments);
    fgi_free(allocator, scratch->cpu_passes,
             scratch->cpu_pass_capacity * sizeof *scratch->cpu_passes);
    fgi_free(allocator, scratch->submissions,
             scratch->submission_capacity * sizeof *scratch->submissions);
    fgi_free(allocator, scratch->semaphores,
             scratch->semaphore_capacity * sizeof *scratch->semaphores);
    fgi_free(allocator, scratch->counters, scratch->counter_capacity * sizeof *scratch->counters);
    fgi_free(allocator, scratch->spans, scratch->span_capacity * sizeof *scratch->spans);
    fgi_free(allocator, scratch->statistics,
             scratch->statistics_capacity * sizeof *scratch->statistics);
}

/** Room in every list for the whole frame, so that pointers between lists stay. */
static enum fg_result reserve(struct fg_session *session, const struct fg_frame *frame)
{
    struct fgi_scratch *scratch = &session->scratch;
    const struct fg_allocator *allocator = session->allocator;
    size_t works = 0;
    size_t bindings = 0;
    size_t attachments = 0;
    size_t brackets = frame->pass_state_count;
    for (size_t i = 0; i < frame->use_count; i++) {
        const struct fg_commands *commands = frame->uses[i].commands;
        if (commands == NULL) {
            continue;
        }
        works += commands->work_count;
        attachments += commands->attachment_count;
        brackets += commands->bracket_count;
        for (size_t w = 0; session->level >= FG_CAP_LEVEL_VERBOSE && w < commands->work_count;
             w++) {
            bindings += commands->works[w].binding_count;
        }
    }
    const struct {
        void **items;
        size_t *capacity;
        size_t size;
        size_t needed;
    } lists[] = {
        { (void **)&scratch->gpu_passes, &scratch->gpu_pass_capacity, sizeof *scratch->gpu_passes,
          frame->instance_count },
        { (void **)&scratch->works, &scratch->work_capacity, sizeof *scratch->works, works },
        { (void **)&scratch->bindings, &scratch->binding_capacity, sizeof *scratch->bindings,
          bindings },
        { (void **)&scratch->attachments, &scratch->attachment_capacity,
          sizeof *scratch->attachments, attachments },
        { (void **)&scratch->cpu_passes, &scratch->cpu_pass_capacity, sizeof *scratch->cpu_passes,
          brackets },
        { (void **)&scratch->submissions, &scratch->submission_capacity,
          sizeof *scratch->submissions, frame->submission_count },
        { (void **)&scratch->semaphores, &scratch->semaphore_capacity, sizeof *scratch->semaphores,
          frame->semaphore_count },
        { (void **)&scratch->counters, &scratch->counter_capacity, sizeof *scratch->counters,
          frame->counter_count },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        size_t before = *lists[i].capacity;
        enum fg_result result = fgi_grow(allocator, lists[i].items, lists[i].capacity,
                                         lists[i].size, lists[i].needed, ITEMS_MAX);
        if (result != FG_OK) {
            return result;
        }
        session->recorder->growth_count += *lists[i].capacity != before ? 1 : 0;
    }
    return FG_OK;
}

/* ---- CPU passes ---- */

static struct fg_cap_cpu_pass cpu_pass(struct fg_session *session, const struct fg_frame *frame,
                                       const struct fgi_bracket *bracket, uint32_t thread)
{
    bool timed = bracket->begin_ns >= 0 && bracket->end_ns >= bracket->begin_ns &&
                 (session->flags & FG_SESSION_NO_CPU_PASSES) == 0;
    return (struct fg_cap_cpu_pass){
        .graph_pass = bracket->graph_pass,
        .flags =
            (timed ? FG_CAP_CPU_PASS_TIMED : 0u) | (bracket->failed ? FG_CAP_CPU_PASS_FAILED : 0u),
        .ref_count = session->level >= FG_CAP_LEVEL_STRUCTURE
                         ? frame->pass_states[bracket->graph_pass].ref_count
                         : 0,
        .track = fgi_session_thread_track(session, thread),
        .begin_ticks = timed ? (uint64_t)bracket->begin_ns : 0,
        .end_ticks = timed ? (uint64_t)bracket->end_ns : 0,
    };
}

/** Passes that were encoded, command buffer by command buffer, then all the others. */
static void fill_cpu_passes(struct fg_session *session, const struct fg_frame *frame,
                            struct fg_cap_frame *record)
{
    struct fg_cap_cpu_pass *list = session->scratch.cpu_passes;
    size_t count = 0;
    for (size_t u = 0; u < frame->use_count; u++) {
        const struct fg_commands *commands = frame->uses[u].commands;
        /* Reused command buffers were encoded before this frame. */
        bool now = commands != NULL && (commands->flags & FG_COMMANDS_REUSED) == 0;
        for (size_t b = 0; now && b < commands->bracket_count; b++) {
            if (commands->brackets[b].graph_pass < frame->pass_state_count) {
                list[count++] = cpu_pass(session, frame, &commands->brackets[b], commands->thread);
            }
        }
    }
    for (uint32_t p = 0; session->level >= FG_CAP_LEVEL_STRUCTURE && p < frame->pass_state_count;
         p++) {
        if (!frame->pass_states[p].encoded) {
            list[count++] = (struct fg_cap_cpu_pass){
                .graph_pass = p,
                .flags = frame->pass_states[p].culled ? FG_CAP_CPU_PASS_CULLED : 0u,
                .ref_count = frame->pass_states[p].ref_count,
                .track = FG_CAP_NONE,
            };
        }
    }
    record->passes = list;
    record->pass_count = count;
}

/* ---- GPU passes ---- */

/** Lists of the frame being filled: how much of each is used. */
struct fill {
    struct fg_session *session;
    const struct fg_frame *frame;
    size_t works;
    size_t bindings;
    size_t attachments;
};

static void fill_bindings(struct fill *fill, const struct fg_commands *commands,
                          const struct fgi_work *work, struct fg_cap_work *out)
{
    struct fg_cap_binding *list = &fill->session->scratch.bindings[fill->bindings];
    for (uint32_t i = 0; i < work->binding_count; i++) {
        const struct fg_binding *binding = &commands->bindings[work->first_binding + i];
        list[i] = (struct fg_cap_binding){
            .set = binding->set,
            .slot = binding->slot,
            .element = binding->element,
            .kind = (uint32_t)binding->kind,
            .resource = binding->resource,
            .offset = binding->offset_bytes,
            .size_bytes = binding->size_bytes != 0 ? binding->size_bytes : FG_CAP_UNKNOWN,
        };
    }
    out->bindings = list;
    out->binding_count = work->binding_count;
    fill->bindings += work->binding_count;
}

static struct fg_cap_work work_record(struct fill *fill, const struct fgi_work *work)
{
    const struct fgi_recorder *recorder = fill->session->recorder;
    struct fg_cap_work out = {
        .kind = work->kind,
        .repeat = work->repeat,
        .pipeline = fgi_session_pipeline_symbol(fill->session, work->pipeline),
        .x = work->x,
        .y = work->y,
        .z = work->z,
        .buffer = work->resource != 0 ? work->resource : work->buffer,
        .offset = work->offset,
        .draw_count = work->draw_count,
        .stride_bytes = work->stride_bytes,
    };
    if (fgi_work_is_dispatch(work->kind) && work->pipeline != 0 &&
        work->pipeline <= recorder->pipeline_count) {
        const uint32_t *size = recorder->pipelines[work->pipeline - 1].workgroup;
        out.workgroup_x = size[0];
        out.workgroup_y = size[1];
        out.workgroup_z = size[2];
    }
    return out;
}

/** Works of one pass: what lies in between belongs to passes inside it. */
static void fill_works(struct fill *fill, const struct fg_commands *commands, uint32_t pass,
                       struct fg_cap_gpu_pass *out)
{
    struct fg_cap_work *list = &fill->session->scratch.works[fill->works];
    size_t count = 0;
    size_t end = commands->passes[pass].end_work < commands->work_count
                     ? commands->passes[pass].end_work
                     : commands->work_count;
    for (size_t i = commands->passes[pass].first_work; i < end; i++) {
        const struct fgi_work *work = &commands->works[i];
        if (work->pass != pass) {
            continue;
        }
        list[count] = work_record(fill, work);
        if (fill->session->level >= FG_CAP_LEVEL_VERBOSE) {
            fill_bindings(fill, commands, work, &list[count]);
        }
        count++;
    }
    out->works = list;
    out->work_count = count;
    fill->works += count;
}

static void fill_attachments(struct fill *fill, const struct fg_commands *commands,
                             const struct fgi_pass *pass, struct fg_cap_gpu_pass *out)
{
    struct fg_cap_attachment *list = &fill->session->scratch.attachments[fill->attachments];
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        const struct fg_attachment *attachment = &commands->attachments[pass->first_attachment + i];
        list[i] = (struct fg_cap_attachment){
            .kind = (uint32_t)attachment->kind,
            .format = attachment->format,
            .load = (uint32_t)attachment->load,
            .store = (uint32_t)attachment->store,
            .sample_count = attachment->samples,
            .width = attachment->width,
            .height = attachment->height,
            .resource =
                fgi_graph_find_resource(fill->frame->graph, attachment->resource, pass->graph_pass),
        };
    }
    out->attachments = list;
    out->attachment_count = pass->attachment_count;
    fill->attachments += pass->attachment_count;
}

static void fill_gpu_passes(struct fg_session *session, const struct fg_frame *frame,
                            struct fg_cap_frame *record)
{
    struct fill fill = { .session = session, .frame = frame };
    for (size_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_instance *instance = &frame->instances[i];
        const struct fgi_pass *pass = fgi_instance_pass(frame, instance);
        struct fg_cap_gpu_pass *out = &session->scratch.gpu_passes[i];
        *out = (struct fg_cap_gpu_pass){
            .gpu_pass = (uint32_t)i,
            .graph_pass = FG_CAP_NONE,
            .kind = fgi_instance_kind(frame, instance),
            .track = fgi_session_queue_track(fgi_instance_queue(frame, instance)),
            .submission = frame->uses[instance->use].submission,
            .parent = instance->parent,
            .logical = instance->logical,
            .fragment = instance->fragment,
        };
        if (pass == NULL || session->level < FG_CAP_LEVEL_WORKLOAD) {
            continue;
        }
        const struct fg_commands *commands = frame->uses[instance->use].commands;
        fill_works(&fill, commands, instance->pass, out);
        fill_attachments(&fill, commands, pass, out);
    }
    record->gpu_passes = session->scratch.gpu_passes;
    record->gpu_pass_count = frame->instance_count;
}

/* ---- the rest ---- */

static void fill_submissions(struct fg_session *session, const struct fg_frame *frame,
                             struct fg_cap_frame *record)
{
    struct fg_cap_semaphore *semaphores = session->scratch.semaphores;
    for (size_t i = 0; i < frame->semaphore_count; i++) {
        semaphores[i] =
            (struct fg_cap_semaphore){ frame->semaphores[i].semaphore, frame->semaphores[i].value };
    }
    for (size_t i = 0; i < frame->submission_count; i++) {
        const struct fgi_submission *submission = &frame->submissions[i];
        session->scratch.submissions[i] = (struct fg_cap_submission){
            .track = fgi_session_queue_track(submission->queue),
            .submit_ticks = (uint64_t)submission->submit_ns,
            .waits = semaphores + submission->first_semaphore,
            .wait_count = submission->wait_count,
            .signals = semaphores + submission->first_semaphore + submission->wait_count,
            .signal_count = submission->signal_count,
        };
    }
    record->submissions = session->scratch.submissions;
    record->submission_count = frame->submission_count;
}

static void fill_counters(struct fg_session *session, const struct fg_frame *frame,
                          struct fg_cap_frame *record)
{
    static const char *const units[] = { "", "bytes", "ns", "per second", "basis points" };
    for (size_t i = 0; i < frame->counter_count; i++) {
        const struct fgi_counter *counter = &frame->counters[i];
        const char *unit =
            (size_t)counter->unit < sizeof units / sizeof units[0] ? units[counter->unit] : "";
        session->scratch.counters[i] = (struct fg_cap_counter){
            .name = fgi_session_symbol(session, counter->name, strlen(counter->name)),
            .unit = fgi_session_symbol(session, unit, strlen(unit)),
            .value = { .kind = FG_CAP_VALUE_INT, .i = counter->value },
        };
    }
    record->counters = session->scratch.counters;
    record->counter_count = frame->counter_count;
}

static size_t fill_drops(struct fg_session *session, const struct fg_frame *frame,
                         struct fg_cap_drop *drops)
{
    size_t count = 0;
    for (uint32_t i = 0; i < FGI_DROP_REASONS; i++) {
        if (frame->drops[i] != 0) {
            drops[count++] = (struct fg_cap_drop){ i, frame->drops[i] };
            session->drops[i] += frame->drops[i];
            session->dropped += frame->drops[i];
        }
    }
    return count;
}

static uint64_t known_or_not(int64_t ns)
{
    return ns < 0 ? FG_CAP_UNKNOWN : (uint64_t)ns;
}

static enum fg_result put_frame(struct fg_session *session, const struct fg_frame *frame,
                                struct fg_cap_frame *record)
{
    record->topology = fgi_session_topology(session, frame, false);
    enum fg_result result = session->result;
    if (result == FG_OK) {
        result = fg_capture_writer_frame(session->writer, record);
    }
    if (result == FG_ERR_NOT_FOUND) {
        /* The file has it, but too long ago: it must be stated again. */
        record->topology = fgi_session_topology(session, frame, true);
        result = session->result != FG_OK ? session->result
                                          : fg_capture_writer_frame(session->writer, record);
    }
    return result;
}

void fgi_session_write_frame(struct fg_session *session, const struct fg_frame *frame,
                             struct fgi_audience *audience)
{
    struct fg_cap_drop drops[FGI_DROP_REASONS];
    if (session == NULL || session->result != FG_OK || session->state == FGI_SESSION_CLOSED ||
        !fgi_session_ok(session, reserve(session, frame))) {
        return;
    }
    struct fg_cap_frame record = {
        .frame = session->frames_written,
        .level = session->level,
        .clock = FGI_HOST_CLOCK,
        .track = fgi_session_thread_track(session, frame->thread),
        .begin_ticks = (uint64_t)frame->begin_ns,
        .end_ticks = (uint64_t)frame->end_ns,
        .submit_ticks = known_or_not(frame->submit_ns),
        .wait_ticks = known_or_not(frame->wait_ns),
        .present_wait_ticks = known_or_not(frame->present_wait_ns),
        .recorder_ns = session->recorder->device->caps.clock_stands ? FG_CAP_UNKNOWN
                                                                    : (uint64_t)frame->overhead_ns,
        .drops = drops,
        .drop_count = fill_drops(session, frame, drops),
    };
    fill_submissions(session, frame, &record);
    fill_counters(session, frame, &record);
    fill_cpu_passes(session, frame, &record);
    fill_gpu_passes(session, frame, &record);
    if (!fgi_session_ok(session, put_frame(session, frame, &record))) {
        return;
    }
    audience->frame = session->frames_written++;
    audience->written = true;
    session->overhead_ns += frame->overhead_ns;
    session->cpu_ns += frame->end_ns - frame->begin_ns;
    fgi_session_notify(session, FG_SESSION_FRAME_WRITTEN, audience->frame, "a frame was written");
    fgi_flight_device_frame(session, audience->frame, frame);
}
