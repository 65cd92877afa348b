/* SPDX-License-Identifier: MIT */
/*
 * Frame graphs: STRUCTURE of one topology, and what one frame made of it; the list of TOPOLOGIES.
 */
#include "view/view_priv.h"

enum {
    TAG_IN_FRAME = 0x1101,
    TAG_IN_TOPOLOGY = 0x1102,
    TAG_TOPOLOGY = 0x1140,
    TAG_FRAME = 0x1141,
    TAG_HASH = 0x1142,
    TAG_BYTES = 0x1143,
    TAG_FRAMES = 0x1144,
    TAG_UNKNOWN_BYTES = 0x1145,
    TAG_PASS_ID = 0x1147,
    TAG_PASS_NAME = 0x1148,
    TAG_PASS_SCOPE = 0x1149,
    TAG_PASS_FLAGS = 0x114A,
    TAG_PASS_REFS = 0x114B,
    TAG_PASS_GPU = 0x114C,
    TAG_PASS_CPU = 0x114D,
    TAG_PASS_ROW = 0x114E,
    TAG_PASS_IDENTITY = 0x114F,
    TAG_ORDER_BEFORE = 0x1164,
    TAG_ORDER_AFTER = 0x1165,
    TAG_LIST_HASH = 0x1440,
    TAG_LIST_PASSES = 0x1441,
    TAG_LIST_RESOURCES = 0x1442,
    TAG_LIST_FRAMES = 0x1443,
    TAG_LIST_FIRST = 0x1444,
    TAG_LIST_NAME = 0x1445,
    TAG_LIST_DECLARED = 0x1446,
    TAG_LIST_PEAK = 0x1447,
    TAG_LIST_UNKNOWN = 0x1448,
};

enum {
    PASS_CULLED = 1,
    PASS_SIDE_EFFECT = 2,
    PASS_ASYNC = 4,
    PASS_FAILED = 8,
    PASS_NOT_KNOWN = 16
};

static enum fg_result read_structure(struct fgi_ask *ask, uint32_t *out_topology,
                                     uint32_t *out_frame)
{
    *out_frame = fgi_request_u32(ask->request, TAG_IN_FRAME, FG_NONE);
    *out_topology = fgi_request_u32(ask->request, TAG_IN_TOPOLOGY, FG_NONE);
    if (ask->request->result != FG_OK) {
        return ask->request->result;
    }
    if (*out_frame == FG_NONE) {
        return FG_OK;
    }
    const struct fg_trace_frame *frame = fg_trace_frame(ask->trace, *out_frame);
    if (frame == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no frame of this number");
    }
    if (*out_topology != FG_NONE && *out_topology != frame->topology) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the frame has another topology");
    }
    *out_topology = frame->topology;
    if (*out_topology == FG_NONE) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "no structure was recorded for this frame");
    }
    return FG_OK;
}

struct pass_columns {
    uint16_t *flags;
    uint32_t *refs, *row, *identity;
    int64_t *gpu, *cpu;
};

static void put_passes(struct fgi_ask *ask, const struct fg_topology *topology,
                       const struct fg_frame_pass *of_frame, struct pass_columns *out)
{
    uint32_t count = topology->pass_count;
    uint64_t *id = fgi_u64s(ask, TAG_PASS_ID, count);
    uint32_t *name = fgi_u32s(ask, TAG_PASS_NAME, count);
    uint32_t *scope = fgi_u32s(ask, TAG_PASS_SCOPE, count);
    *out = (struct pass_columns){
        .flags = fgi_u16s(ask, TAG_PASS_FLAGS, count),
        .refs = fgi_u32s(ask, TAG_PASS_REFS, count),
        .gpu = fgi_i64s(ask, TAG_PASS_GPU, count),
        .cpu = fgi_i64s(ask, TAG_PASS_CPU, count),
        .row = fgi_u32s(ask, TAG_PASS_ROW, count),
        .identity = fgi_u32s(ask, TAG_PASS_IDENTITY, count),
    };
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_topology_pass *pass = &topology->passes[i];
        bool is_known = of_frame != NULL && of_frame[i].is_known;
        id[i] = pass->id;
        name[i] = fgi_name(ask, pass->name);
        scope[i] = fgi_name(ask, pass->scope);
        out->identity[i] = pass->pass;
        out->flags[i] =
            (uint16_t)((pass->side_effect ? PASS_SIDE_EFFECT : 0) | (pass->async ? PASS_ASYNC : 0) |
                       (is_known && of_frame[i].culled ? PASS_CULLED : 0) |
                       (is_known && of_frame[i].failed ? PASS_FAILED : 0) |
                       (is_known ? 0 : PASS_NOT_KNOWN));
        out->refs[i] = is_known ? of_frame[i].ref_count : FG_NONE;
        out->gpu[i] = -1;
        out->cpu[i] = -1;
        out->row[i] = FG_NONE;
    }
}

/* A filter of one class of spans, made when it is first wanted and kept with the trace. */
static enum fg_result class_filter(struct fgi_ask *ask, uint32_t classes, uint32_t *filter)
{
    if (*filter != 0) {
        return FG_OK;
    }
    const struct fg_filter_terms terms = { .required_classes = classes };
    uint32_t rows = 0;
    return fg_query_filter_create(ask->query, &terms, filter, &rows);
}

static int64_t clamp_ns(uint64_t duration_ns)
{
    return duration_ns > INT64_MAX ? INT64_MAX : (int64_t)duration_ns;
}

/* Sums of one class of spans, by pass, in one frame. Earlier rows stay where they are better. */
static enum fg_result put_times(struct fgi_ask *ask, const struct pass_columns *to, uint32_t count,
                                uint32_t frame, uint32_t filter, int64_t *times)
{
    const struct fg_stats_request from = { .by = FG_STATS_BY_PASS,
                                           .filter = filter,
                                           .has_frames = true,
                                           .first_frame = frame,
                                           .end_frame = frame + 1 };
    struct fg_stats_reply answer;
    enum fg_result result = fg_query_stats(ask->query, &from, &answer);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < answer.count; k++) {
            const struct fg_stats_row *row = &answer.rows[k];
            if (row->key == to->identity[i] && row->count != 0) {
                times[i] = (times[i] < 0 ? 0 : times[i]) + clamp_ns(row->total_ns);
                to->row[i] = to->row[i] == FG_NONE ? row->longest : to->row[i];
            }
        }
    }
    return FG_OK;
}

static enum fg_result put_frame_times(struct fgi_ask *ask, const struct pass_columns *to,
                                      uint32_t count, uint32_t frame)
{
    struct fgi_view_trace *entry = ask->entry;
    enum fg_result result = class_filter(ask, FG_CLASS_GPU_PASS, &entry->gpu_filter);
    if (result == FG_OK) {
        result = class_filter(ask, FG_CLASS_ENCODE, &entry->encode_filter);
    }
    if (result == FG_OK) {
        result = put_times(ask, to, count, frame, entry->gpu_filter, to->gpu);
    }
    if (result == FG_OK) {
        result = put_times(ask, to, count, frame, entry->encode_filter, to->cpu);
    }
    return result;
}

static void put_orders(struct fgi_ask *ask, const struct fg_topology *topology)
{
    uint32_t *before = fgi_u32s(ask, TAG_ORDER_BEFORE, topology->edge_count);
    uint32_t *after = fgi_u32s(ask, TAG_ORDER_AFTER, topology->edge_count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < topology->edge_count; i++) {
        before[i] = topology->edges[2 * i];
        after[i] = topology->edges[2 * i + 1];
    }
}

enum fg_result fgi_answer_STRUCTURE(struct fgi_ask *ask)
{
    uint32_t number;
    uint32_t frame;
    struct pass_columns passes;
    enum fg_result result = read_structure(ask, &number, &frame);
    if (result != FG_OK) {
        return result;
    }
    const struct fg_topology *topology = fg_trace_topology(ask->trace, number);
    if (topology == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no topology of this number");
    }
    const struct fg_frame_pass *of_frame =
        frame == FG_NONE ? NULL : fg_trace_frame_passes(ask->trace, frame);
    fgi_reply_u32(ask->reply, TAG_TOPOLOGY, number);
    fgi_reply_u32(ask->reply, TAG_FRAME, frame);
    fgi_reply_u64(ask->reply, TAG_HASH, topology->hash);
    uint64_t *bytes = fgi_u64s(ask, TAG_BYTES, 2);
    uint32_t *frames = fgi_u32s(ask, TAG_FRAMES, 2);
    put_passes(ask, topology, of_frame, &passes);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    bytes[0] = topology->declared_bytes;
    bytes[1] = topology->peak_bytes;
    frames[0] = topology->frame_count;
    frames[1] = topology->first_frame;
    fgi_reply_u32(ask->reply, TAG_UNKNOWN_BYTES, topology->unknown_bytes_count);
    if (frame != FG_NONE) {
        result = put_frame_times(ask, &passes, topology->pass_count, frame);
    }
    if (result == FG_OK) {
        result = fgi_put_resources(ask, topology, of_frame);
    }
    put_orders(ask, topology);
    return result;
}

enum fg_result fgi_answer_TOPOLOGIES(struct fgi_ask *ask)
{
    struct fg_trace_info info;
    fg_trace_get_info(ask->trace, &info);
    uint32_t count = (uint32_t)info.topologies;
    uint64_t *hash = fgi_u64s(ask, TAG_LIST_HASH, count);
    uint32_t *passes = fgi_u32s(ask, TAG_LIST_PASSES, count);
    uint32_t *resources = fgi_u32s(ask, TAG_LIST_RESOURCES, count);
    uint32_t *frames = fgi_u32s(ask, TAG_LIST_FRAMES, count);
    uint32_t *first = fgi_u32s(ask, TAG_LIST_FIRST, count);
    uint32_t *name = fgi_u32s(ask, TAG_LIST_NAME, count);
    uint64_t *declared = fgi_u64s(ask, TAG_LIST_DECLARED, count);
    uint64_t *peak = fgi_u64s(ask, TAG_LIST_PEAK, count);
    uint32_t *unknown = fgi_u32s(ask, TAG_LIST_UNKNOWN, count);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_topology *topology = fg_trace_topology(ask->trace, i);
        hash[i] = topology->hash;
        passes[i] = topology->pass_count;
        resources[i] = topology->resource_count;
        frames[i] = topology->frame_count;
        first[i] = topology->first_frame;
        name[i] = fgi_name(ask, topology->name);
        declared[i] = topology->declared_bytes;
        peak[i] = topology->peak_bytes;
        unknown[i] = topology->unknown_bytes_count;
    }
    return FG_OK;
}
