/* SPDX-License-Identifier: MIT */
#include "view_bed.h"
#include "cmocka_all.h"
#include "engine/cpu/engine_cpu.h"
#include "trace/build.h"
#include <string.h>

enum { FRAMES = 12 };

static void add_tables(struct fgi_builder *builder)
{
    struct fg_trace *trace = fgi_builder_trace(builder);
    trace->info.format = "sgpt";
    trace->info.version = 1;
    trace->info.closed = true;
    trace->info.level = 2;
    trace->info.overhead_ns = 1234;
    fgi_builder_process(builder, fgi_builder_cstr(builder, "renderer"), 42);
    fgi_builder_clock(builder,
                      &(struct fg_trace_clock){ .name = fgi_builder_cstr(builder, "monotonic"),
                                                .kind = FG_CLOCK_HOST,
                                                .period_num = 1,
                                                .period_den = 1,
                                                .valid_bits = 64 });
    fgi_builder_clock(builder,
                      &(struct fg_trace_clock){ .name = fgi_builder_cstr(builder, "device"),
                                                .kind = FG_CLOCK_CALIBRATED,
                                                .bound_ns = 50,
                                                .period_num = 125,
                                                .period_den = 3,
                                                .valid_bits = 36,
                                                .pair_count = 9,
                                                .rejected_count = 2 });
    fgi_builder_track(builder,
                      &(struct fg_trace_track){ .name = fgi_builder_cstr(builder, "render thread"),
                                                .kind = FG_TRACK_THREAD,
                                                .id = 7 },
                      false);
    fgi_builder_track(builder,
                      &(struct fg_trace_track){ .name = fgi_builder_cstr(builder, "graphics queue"),
                                                .kind = FG_TRACK_GPU_QUEUE,
                                                .clock = 1,
                                                .id = 0 },
                      false);
    fgi_builder_track(builder,
                      &(struct fg_trace_track){ .name = fgi_builder_cstr(builder, "GPU memory"),
                                                .kind = FG_TRACK_COUNTER },
                      false);
    fgi_builder_counter(builder,
                        &(struct fg_trace_counter){ .name = fgi_builder_cstr(builder, "GPU memory"),
                                                    .unit = fgi_builder_cstr(builder, "bytes"),
                                                    .track = 2 });
    fgi_builder_meta(builder, fgi_builder_cstr(builder, "device.name"),
                     fgi_builder_cstr(builder, "Emulated GPU"));
    fgi_builder_loss(builder, fgi_builder_cstr(builder, "pool was full"), 3);
    fgi_builder_repair(builder, "clamped_time", 2, 4096);
    fgi_builder_skipped(builder, fgi_builder_cstr(builder, "XYZW"), 1);
}

static void add_topology(struct fgi_builder *builder)
{
    static const uint32_t depth[] = { 0 };
    static const uint32_t colour[] = { 1 };
    static const uint32_t unused[] = { 2 };
    uint32_t lighting = fgi_builder_cstr(builder, "lighting");
    const struct fg_topology_pass passes[] = {
        { .id = 10,
          .pass = fgi_builder_pass(builder, fgi_builder_cstr(builder, "depth"), 0, 0),
          .name = fgi_builder_cstr(builder, "depth"),
          .writes = depth,
          .write_count = 1,
          .creates = depth,
          .create_count = 1 },
        { .id = 11,
          .pass = fgi_builder_pass(builder, fgi_builder_cstr(builder, "shade"), lighting, 0),
          .name = fgi_builder_cstr(builder, "shade"),
          .scope = lighting,
          .reads = depth,
          .read_count = 1,
          .writes = colour,
          .write_count = 1,
          .side_effect = true },
        { .id = 12,
          .pass = fgi_builder_pass(builder, fgi_builder_cstr(builder, "debug"), 0, 0),
          .name = fgi_builder_cstr(builder, "debug"),
          .creates = unused,
          .create_count = 1 },
    };
    const struct fg_topology_resource resources[] = {
        { .id = 1,
          .name = fgi_builder_cstr(builder, "depth buffer"),
          .previous = FG_NONE,
          .kind = FG_NODE_TEXTURE,
          .transient = true,
          .producer = 0,
          .footprint_bytes = 230400,
          .format = 126,
          .dimension = 2,
          .width = 320,
          .height = 180,
          .depth = 1,
          .layers = 1,
          .mips = 1,
          .samples = 1,
          .usage = 0x24 },
        { .id = 2,
          .name = fgi_builder_cstr(builder, "colour"),
          .previous = FG_NONE,
          .kind = FG_NODE_TEXTURE,
          .imported = true,
          .producer = 1,
          .footprint_bytes = FG_UNKNOWN_BYTES,
          .format = 37,
          .dimension = 2,
          .width = 320,
          .height = 180 },
        { .id = 3,
          .name = fgi_builder_cstr(builder, "overlay"),
          .previous = FG_NONE,
          .kind = FG_NODE_BUFFER,
          .producer = 2,
          .footprint_bytes = 64 },
    };
    fgi_builder_topology(builder, &(struct fg_topology){ .hash = 0xABCDEF,
                                                         .name = fgi_builder_cstr(builder, "main"),
                                                         .first_frame = FG_NONE,
                                                         .passes = passes,
                                                         .pass_count = 3,
                                                         .resources = resources,
                                                         .resource_count = 3 });
}

static uint32_t add_gpu(struct fgi_builder *builder, uint32_t frame, uint32_t pass,
                        const char *name, int64_t start, int64_t end)
{
    struct fgi_span_in span = fgi_span_in_make(1, fgi_builder_cstr(builder, name), start, end);
    const struct fg_trace_arg args[] = {
        { .key = fgi_builder_cstr(builder, "work"), .kind = FG_ARG_GROUP },
        { .key = fgi_builder_cstr(builder, "draws"),
          .kind = FG_ARG_UINT,
          .quality = FG_QUALITY_ENCODED,
          .depth = 1,
          .value.natural = 14 },
        { .key = fgi_builder_cstr(builder, "workgroup size"),
          .kind = FG_ARG_UNKNOWN,
          .depth = 1,
          .value.natural = 99 },
        { .key = fgi_builder_cstr(builder, "pipeline"),
          .kind = FG_ARG_TEXT,
          .depth = 1,
          .value.text = fgi_builder_cstr(builder, "opaque") },
    };
    span.category = fgi_builder_cstr(builder, "graphics");
    span.classes = FG_CLASS_GPU_PASS;
    span.frame = frame;
    span.pass = pass;
    span.origin = frame % 3;
    span.args = args;
    span.arg_count = 4;
    return fgi_builder_span(builder, &span);
}

static void add_frame(struct fgi_builder *builder, uint32_t number)
{
    static const struct fg_frame_pass passes[] = {
        { .is_known = true, .ref_count = 1 },
        { .is_known = true },
        { .is_known = true, .culled = true },
    };
    int64_t at = (int64_t)number * 1000;
    int64_t slow = number == 7 ? 400 : 0;
    fgi_builder_frame(builder,
                      &(struct fg_trace_frame){ .id = 100 + number,
                                                .start_ns = at,
                                                .cpu_end_ns = at + 300,
                                                .submit_ns = at + 280,
                                                .has_submit = true,
                                                .has_gpu = true,
                                                .track = 0,
                                                .level = 2,
                                                .dropped = number == 5 ? 3 : 0,
                                                .overhead_ns = 10,
                                                .latency_ns = 700,
                                                .wait_ns = -1,
                                                .present_wait_ns = -1 },
                      passes, 3);
    struct fgi_span_in encode =
        fgi_span_in_make(0, fgi_builder_cstr(builder, "depth"), at + 10, at + 60);
    encode.classes = FG_CLASS_ENCODE;
    encode.frame = number;
    encode.pass = 0;
    uint32_t cpu = fgi_builder_span(builder, &encode);
    uint32_t depth = add_gpu(builder, number, 0, "depth", at + 300, at + 400);
    uint32_t shade = add_gpu(builder, number, 1, "shade", at + 420, at + 600 + slow);
    fgi_builder_dependency(builder, &(struct fg_trace_dependency){ .source = depth,
                                                                   .target = shade,
                                                                   .family = FG_DEPENDENCY_DATA });
    fgi_builder_dependency(builder,
                           &(struct fg_trace_dependency){
                               .source = cpu, .target = depth, .family = FG_DEPENDENCY_SUBMIT });
    fgi_builder_sample(builder, 0,
                       &(struct fg_trace_sample){ .time_ns = at, .value.integer = 1000 + number });
}

/* Every frame is one submission: a pass with a draw that binds, one with a dispatch. */
static enum fg_result load_work(void *context, uint32_t frame, struct fgi_arena *arena,
                                struct fgi_frame_work *out_work)
{
    static const struct fgi_work_binding bindings[] = { { .resource = 1, .is_read_only = true } };
    static const struct fgi_work_call draw = { .kind = FG_EVENT_DRAW,
                                               .quality = FG_EVENT_ENCODED,
                                               .x = 36,
                                               .y = 2,
                                               .z = 1,
                                               .bindings = bindings,
                                               .binding_count = 1 };
    static const struct fgi_work_attachment attachment = { .resource = 1,
                                                           .access = FG_EVENT_WRITES };
    static const struct fgi_work_semaphore semaphore = { 5, 9 };
    static const struct fgi_work_submission submission = { .signals = &semaphore,
                                                           .signal_count = 1 };
    struct fgi_work_pass *passes = fgi_arena_alloc(arena, 2, sizeof *passes);
    (void)context;
    if (passes == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    passes[0] = (struct fgi_work_pass){ .row = 3 * frame + 1, .parent = FG_NONE };
    passes[1] = (struct fgi_work_pass){ .row = 3 * frame + 2,
                                        .graph_pass = 1,
                                        .parent = FG_NONE,
                                        .attachments = &attachment,
                                        .calls = &draw,
                                        .attachment_count = 1,
                                        .call_count = 1 };
    *out_work = (struct fgi_frame_work){
        .submissions = &submission, .passes = passes, .submission_count = 1, .pass_count = 2
    };
    return FG_OK;
}

static void late_load(void *context, uint32_t number)
{
    struct fgt_view_bed *bed = context;
    bed->loads++;
    if (bed->load_fails) {
        fgi_view_fail(bed->view, number, FG_ERR_CORRUPT, "nothing of use is in it");
    } else if (!bed->load_is_late) {
        fgt_view_bed_attach(bed);
    }
}

void fgt_view_bed_attach(struct fgt_view_bed *bed)
{
    fgi_view_attach(bed->view, bed->number, bed->trace, bed->engine);
}

static void strip_frame(const void *context, size_t index, struct fgi_view_frame *out_frame)
{
    (void)context;
    *out_frame = (struct fgi_view_frame){ .number = 100 + index,
                                          .cpu_ns = 300,
                                          .gpu_ns = index == 7   ? 700
                                                    : index == 9 ? -1
                                                                 : 300,
                                          .dropped = index == 5 ? 3 : 0 };
}

static int64_t tell_time(void *context)
{
    struct fgt_view_bed *bed = context;
    return bed->now_ns += bed->tick_ns;
}

static void add_view(struct fgt_view_bed *bed)
{
    const struct fgi_view_options options = { .home = FGI_VIEW_SERVER,
                                              .load = late_load,
                                              .now_ns = tell_time,
                                              .step_rows = bed->step_rows,
                                              .context = bed };
    const struct fgi_view_input input = { .label = "small.sgpt",
                                          .format = "sgpt",
                                          .packing = "gzip",
                                          .size_bytes = 4096,
                                          .frame_count = FRAMES,
                                          .frame_of = strip_frame };
    assert_int_equal(fgi_view_create(&options, &bed->view), FG_OK);
    assert_int_equal(fgi_view_add(bed->view, &input, &bed->number), FG_OK);
}

static void add_object(struct fgi_builder *builder, uint64_t id, uint32_t kind, int64_t time_ns,
                       const char *name, uint64_t size_bytes)
{
    struct fg_trace_object_event event = { .time_ns = time_ns,
                                           .kind = kind,
                                           .frame = (uint32_t)(time_ns / 1000),
                                           .size_bytes = size_bytes,
                                           .accuracy = FG_TRACE_ACCURACY_UNKNOWN };
    event.name = fgi_builder_cstr(builder, name);
    if (kind == FG_TRACE_OBJECT_MADE) {
        event.type = fgi_builder_cstr(builder, id < 3 ? "texture" : "buffer");
        event.accuracy = FG_TRACE_ESTIMATED;
        event.format = 37;
        event.width = 13;
        event.height = 7;
    }
    fgi_builder_object_event(builder, id, &event);
}

/* Textures 1 and 2, buffer 3 whose size nobody knows; 2 goes; 9 was there. Four losses. */
static void add_program(struct fgi_builder *builder)
{
    struct fg_trace_metric draws = { .kind = FG_TRACE_FRAME_COUNTER,
                                     .accuracy = FG_TRACE_EXACT,
                                     .counter = FG_NONE };
    draws.name = fgi_builder_cstr(builder, "draws");
    draws.unit = fgi_builder_cstr(builder, "count");
    fgi_builder_metric(builder, &draws);
    add_object(builder, 1, FG_TRACE_OBJECT_MADE, 1000, "albedo", 100);
    add_object(builder, 2, FG_TRACE_OBJECT_MADE, 2000, "Depth", 900);
    add_object(builder, 3, FG_TRACE_OBJECT_MADE, 2500, "", UINT64_MAX);
    add_object(builder, 1, FG_TRACE_OBJECT_RESIZED, 3000, "", 400);
    add_object(builder, 2, FG_TRACE_OBJECT_GONE, 4000, "", UINT64_MAX);
    add_object(builder, 9, FG_TRACE_OBJECT_LIVES, 5000, "old", 50);
    fgi_builder_loss_counter(builder, FG_TRACE_PRODUCER_DROPS, 10);
    fgi_builder_loss_counter(builder, FG_TRACE_MALFORMED_ZONES, 0);
    for (uint32_t i = 0; i < 4; i++) {
        struct fg_trace_instant loss = { .time_ns = 1500 + 2000 * (int64_t)i,
                                         .track = i == 2 ? 1 : 0,
                                         .frame = 1 + 2 * i,
                                         .is_loss = true,
                                         .has_value = true,
                                         .value = 1 + i };
        loss.category = fgi_builder_cstr(builder, "loss");
        fgi_builder_instant(builder, &loss);
    }
}

void fgt_view_bed_make(struct fgt_view_bed *bed)
{
    struct fgi_builder *builder = NULL;
    memset(bed, 0, sizeof *bed);
    assert_int_equal(fgi_builder_create(NULL, 0, &builder), FG_OK);
    add_tables(builder);
    add_topology(builder);
    for (uint32_t i = 0; i < FRAMES; i++) {
        add_frame(builder, i);
    }
    fgi_builder_instant(builder, &(struct fg_trace_instant){
                                     .time_ns = 7100,
                                     .track = FG_NONE,
                                     .name = fgi_builder_cstr(builder, "this is where it hitches"),
                                     .frame = 7,
                                     .is_note = true });
    fgi_builder_instant(builder,
                        &(struct fg_trace_instant){ .time_ns = 500,
                                                    .track = 0,
                                                    .name = fgi_builder_cstr(builder, "resize"),
                                                    .frame = 0,
                                                    .category = fgi_builder_cstr(builder, "window"),
                                                    .has_value = true,
                                                    .value = -640 });
    add_program(builder);
    assert_int_equal(fgi_builder_result(builder), FG_OK);
    assert_int_equal(fgi_builder_finish(builder, &bed->trace), FG_OK);
    fgi_builder_destroy(builder);
    bed->trace->work_loader = (struct fgi_work_loader){ .load = load_work };
    assert_int_equal(fgi_engine_cpu_create(NULL, bed->trace, &bed->engine), FG_OK);
    add_view(bed);
}

void fgt_view_bed_renew(struct fgt_view_bed *bed)
{
    fgi_view_destroy(bed->view);
    add_view(bed);
}

void fgt_view_bed_finish(struct fgt_view_bed *bed)
{
    fgi_view_destroy(bed->view);
    fgi_engine_destroy(bed->engine);
    fgi_trace_destroy(bed->trace);
}

void fgt_request_begin(struct fgt_request *request, uint16_t kind, uint32_t trace)
{
    memset(request, 0, sizeof *request);
    request->kind = kind;
    request->trace = trace;
    request->id = 0x1000u + kind;
}

void fgt_request_put(struct fgt_request *request, uint16_t tag, uint8_t type, const void *data,
                     uint32_t count)
{
    static const uint8_t sizes[] = { 0, 1, 2, 4, 8, 8, 8, 1, 1, 4 };
    uint32_t size = count * sizes[type];
    assert_true(size <= sizeof request->section[0].data && request->sections < 16);
    request->section[request->sections].tag = tag;
    request->section[request->sections].type = type;
    request->section[request->sections].count = count;
    request->section[request->sections].size = size;
    memcpy(request->section[request->sections].data, data, size);
    request->sections++;
}

void fgt_request_u32(struct fgt_request *request, uint16_t tag, uint32_t value)
{
    fgt_request_put(request, tag, FGI_TYPE_U32, &value, 1);
}

void fgt_request_i64s(struct fgt_request *request, uint16_t tag, int64_t first, int64_t second)
{
    const int64_t values[] = { first, second };
    fgt_request_put(request, tag, FGI_TYPE_I64, values, 2);
}

void fgt_request_end(struct fgt_request *request, struct fgi_bytes *out)
{
    uint32_t offset = FGI_MESSAGE_HEADER + request->sections * FGI_SECTION_ENTRY;
    uint32_t size = offset;
    for (unsigned i = 0; i < request->sections; i++) {
        size += (request->section[i].size + 7) & ~7u;
    }
    fgi_put_u32(out, FGI_REQUEST_MAGIC);
    fgi_put_u16(out, FGI_PROTOCOL_VERSION);
    fgi_put_u16(out, request->kind);
    fgi_put_u32(out, size);
    fgi_put_u16(out, request->sections);
    fgi_put_u16(out, request->channel);
    fgi_put_u32(out, request->id);
    fgi_put_u32(out, request->client);
    fgi_put_u32(out, request->trace);
    fgi_put_u32(out, request->generation);
    fgi_put_u32(out, request->names);
    fgi_put_zeros(out, 12);
    for (unsigned i = 0; i < request->sections; i++) {
        fgi_put_u16(out, request->section[i].tag);
        fgi_put_u8(out, request->section[i].type);
        fgi_put_u8(out, 0);
        fgi_put_u32(out, request->section[i].count);
        fgi_put_u32(out, offset);
        fgi_put_u32(out, request->section[i].size);
        offset += (request->section[i].size + 7) & ~7u;
    }
    for (unsigned i = 0; i < request->sections; i++) {
        fgi_put_raw(out, request->section[i].data, request->section[i].size);
        fgi_put_align(out, 8);
    }
    assert_int_equal(out->result, FG_OK);
}

static void check_section(const struct fgt_reply *reply, unsigned index, uint32_t *end)
{
    static const uint8_t sizes[] = { 0, 1, 2, 4, 8, 8, 8, 1, 0, 4 };
    const uint8_t *entry = reply->message + FGI_MESSAGE_HEADER + index * FGI_SECTION_ENTRY;
    unsigned type = entry[2];
    uint32_t count = fgi_load_u32(entry + 4);
    uint32_t offset = fgi_load_u32(entry + 8);
    uint32_t bytes = fgi_load_u32(entry + 12);
    assert_true(type >= 1 && type <= 9);
    assert_int_equal(entry[3], 0);
    assert_int_equal(offset % 8, 0);
    assert_int_equal(offset, *end);
    assert_true((uint64_t)offset + bytes <= reply->size);
    if (type == FGI_TYPE_TEXTS) {
        const uint8_t *data = reply->message + offset;
        assert_int_equal(fgi_load_u32(data), 0);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(fgi_load_u32(data + 4 * i) <= fgi_load_u32(data + 4 * i + 4));
        }
        assert_int_equal(bytes, 4 * (count + 1) + fgi_load_u32(data + 4 * count));
    } else {
        assert_int_equal(bytes, count * sizes[type]);
    }
    for (uint32_t i = offset + bytes; i % 8 != 0; i++) {
        assert_int_equal(reply->message[i], 0);
    }
    *end = (offset + bytes + 7) & ~7u;
    for (unsigned other = 0; other < index; other++) {
        const uint8_t *before = reply->message + FGI_MESSAGE_HEADER + other * FGI_SECTION_ENTRY;
        assert_int_not_equal(fgi_load_u16(before), fgi_load_u16(entry));
    }
}

struct fgt_reply fgt_reply_at(struct fgi_bytes *bytes, unsigned index)
{
    struct fgt_reply reply = { .message = bytes->data };
    for (;; index--) {
        assert_true(bytes->size - (size_t)(reply.message - bytes->data) >= FGI_MESSAGE_HEADER);
        reply.size = fgi_load_u32(reply.message + 8);
        if (index == 0) {
            break;
        }
        reply.message += reply.size;
    }
    assert_int_equal(fgi_load_u32(reply.message), FGI_REPLY_MAGIC);
    assert_int_equal(fgi_load_u16(reply.message + 4), FGI_PROTOCOL_VERSION);
    assert_int_equal(reply.size % 8, 0);
    reply.kind = fgi_load_u16(reply.message + 6);
    reply.sections = fgi_load_u16(reply.message + 12);
    reply.flags = fgi_load_u16(reply.message + 14);
    reply.id = fgi_load_u32(reply.message + 16);
    reply.client = fgi_load_u32(reply.message + 20);
    reply.trace = fgi_load_u32(reply.message + 24);
    reply.names = fgi_load_u32(reply.message + 32);
    reply.status = fgi_load_u32(reply.message + 36);
    reply.revision = fgi_load_u64(reply.message + 40);
    uint32_t end = FGI_MESSAGE_HEADER + reply.sections * FGI_SECTION_ENTRY;
    for (unsigned i = 0; i < reply.sections; i++) {
        check_section(&reply, i, &end);
    }
    assert_int_equal(end, reply.size);
    return reply;
}

struct fgt_reply fgt_ask(struct fgi_view *view, struct fgt_request *request)
{
    struct fgi_bytes question = { 0 };
    struct fgi_bytes answer = { 0 };
    fgt_request_end(request, &question);
    assert_int_equal(fgi_view_answer(view, question.data, question.size, &answer), FG_OK);
    fgi_bytes_finish(&question);
    struct fgt_reply reply = fgt_reply_at(&answer, 0);
    reply.bytes = answer;
    assert_int_equal(reply.size, answer.size);
    assert_int_equal(reply.kind, request->kind);
    assert_int_equal(reply.id, request->id);
    assert_int_equal(reply.trace, request->trace);
    return reply;
}

void fgt_reply_finish(struct fgt_reply *reply)
{
    fgi_bytes_finish(&reply->bytes);
}

static const uint8_t *entry_of(const struct fgt_reply *reply, uint16_t tag)
{
    for (unsigned i = 0; i < reply->sections; i++) {
        const uint8_t *entry = reply->message + FGI_MESSAGE_HEADER + i * FGI_SECTION_ENTRY;
        if (fgi_load_u16(entry) == tag) {
            return entry;
        }
    }
    return NULL;
}

const uint8_t *fgt_section(const struct fgt_reply *reply, uint16_t tag, uint32_t *out_count)
{
    const uint8_t *entry = entry_of(reply, tag);
    *out_count = entry == NULL ? 0 : fgi_load_u32(entry + 4);
    return entry == NULL ? NULL : reply->message + fgi_load_u32(entry + 8);
}

uint32_t fgt_count(const struct fgt_reply *reply, uint16_t tag)
{
    uint32_t count;
    fgt_section(reply, tag, &count);
    return count;
}

static const uint8_t *item(const struct fgt_reply *reply, uint16_t tag, uint32_t index,
                           unsigned size)
{
    uint32_t count;
    const uint8_t *data = fgt_section(reply, tag, &count);
    assert_non_null(data);
    assert_true(index < count);
    return data + (size_t)index * size;
}

uint32_t fgt_u32(const struct fgt_reply *reply, uint16_t tag, uint32_t index)
{
    return fgi_load_u32(item(reply, tag, index, 4));
}

uint64_t fgt_u64(const struct fgt_reply *reply, uint16_t tag, uint32_t index)
{
    return fgi_load_u64(item(reply, tag, index, 8));
}

double fgt_f64(const struct fgt_reply *reply, uint16_t tag, uint32_t index)
{
    uint64_t bits = fgt_u64(reply, tag, index);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

unsigned fgt_u8(const struct fgt_reply *reply, uint16_t tag, uint32_t index)
{
    return *item(reply, tag, index, 1);
}

unsigned fgt_u16(const struct fgt_reply *reply, uint16_t tag, uint32_t index)
{
    return fgi_load_u16(item(reply, tag, index, 2));
}

bool fgt_text_is(const struct fgt_reply *reply, uint16_t tag, uint32_t index, const char *text)
{
    const uint8_t *entry = entry_of(reply, tag);
    size_t size = strlen(text);
    assert_non_null(entry);
    const uint8_t *data = reply->message + fgi_load_u32(entry + 8);
    uint32_t count = fgi_load_u32(entry + 4);
    if (entry[2] == FGI_TYPE_TEXT) {
        return count == size && memcmp(data, text, size) == 0;
    }
    assert_true(index < count);
    uint32_t from = fgi_load_u32(data + 4 * index);
    uint32_t to = fgi_load_u32(data + 4 * index + 4);
    return to - from == size && memcmp(data + 4 * (count + 1) + from, text, size) == 0;
}

int fgt_view_setup(void **state)
{
    static struct fgt_view_bed bed;
    fgt_view_bed_make(&bed);
    fgt_view_bed_attach(&bed);
    *state = &bed;
    return 0;
}

int fgt_view_teardown(void **state)
{
    fgt_view_bed_finish(*state);
    return 0;
}
