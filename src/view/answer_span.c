/* SPDX-License-Identifier: MIT */
/* SPAN: all that is known of one span. */
#include "view/view_priv.h"

enum {
    TAG_IN_ROW = 0x0F01,
    TAG_TIMES = 0x0F40,
    TAG_IDS = 0x0F41,
    TAG_FLAGS = 0x0F42,
    TAG_OBJECT = 0x0F43,
    TAG_BOUND = 0x0F44,
    TAG_DOMAIN = 0x0F45,
    TAG_SELF = 0x0F46,
    TAG_FRAGMENT_ROW = 0x0F47,
    TAG_FRAGMENT_START = 0x0F48,
    TAG_FRAGMENT_END = 0x0F49,
    TAG_CHILDREN = 0x0F4A,
    TAG_CHILD_COUNT = 0x0F4B,
    TAG_PROP_DEPTH = 0x0F50,
    TAG_PROP_KEY = 0x0F51,
    TAG_PROP_TYPE = 0x0F52,
    TAG_PROP_QUALITY = 0x0F53,
    TAG_PROP_VALUE = 0x0F54,
    TAG_WAIT = 0x0F60, /* ROW, NAME, FAMILY, CLAIMED, GAP follow each other */
    TAG_WAKES = 0x0F65,
};

enum { CHILDREN_MAX = 1024 };

/* Property types of the protocol are the argument kinds of the trace. */
_Static_assert(FG_ARG_GROUP == 0 && FG_ARG_TEXT == 4 && FG_ARG_UNKNOWN == 6 &&
                   FG_ARG_DURATION_NS == 7 && FG_ARG_OBJECT == 11 && FG_ARG_TIME_NS == 12,
               "docs/PROTOCOL.md, PROP_TYPE");
_Static_assert(FG_DEPENDENCY_OTHER == 0 && FG_DEPENDENCY_SEMAPHORE == 1 &&
                   FG_DEPENDENCY_SUBMIT == 6,
               "docs/PROTOCOL.md, WAIT_FAMILY");

/* Where in its frame's topology a span's pass is. */
static void find_pass(const struct fgi_ask *ask, const struct fg_trace_span *span,
                      uint32_t *out_topology, uint32_t *out_index)
{
    const struct fg_trace_frame *frame = fg_trace_frame(ask->trace, span->frame);
    *out_topology = frame == NULL ? FG_NONE : frame->topology;
    *out_index = FG_NONE;
    const struct fg_topology *topology = fg_trace_topology(ask->trace, *out_topology);
    for (uint32_t i = 0; topology != NULL && span->pass != FG_NONE && i < topology->pass_count;
         i++) {
        if (topology->passes[i].pass == span->pass) {
            *out_index = i;
            return;
        }
    }
}

static void put_ids(struct fgi_ask *ask, const struct fg_trace_span *span)
{
    const struct fg_trace_pass *pass = fg_trace_pass(ask->trace, span->pass);
    const struct fg_trace_track *track = fg_trace_track(ask->trace, span->track);
    uint32_t topology;
    uint32_t index;
    find_pass(ask, span, &topology, &index);
    const uint32_t values[] = {
        span->row,
        fgi_name(ask, span->name),
        fgi_name(ask, span->category),
        span->track,
        span->lane,
        span->depth,
        span->parent,
        span->frame,
        span->pass,
        fgi_name(ask, pass == NULL ? 0 : pass->name),
        fgi_name(ask, span->scope),
        topology,
        index,
        span->origin,
        span->logical,
        track == NULL ? FG_NONE : track->clock,
    };
    enum { IDS = sizeof values / sizeof *values };
    uint32_t *ids = fgi_u32s(ask, TAG_IDS, IDS);
    for (size_t i = 0; ids != NULL && i < IDS; i++) {
        ids[i] = values[i];
    }
}

static enum fg_result put_fragments(struct fgi_ask *ask, const struct fg_span_detail *detail)
{
    uint32_t count = detail->fragment_count;
    uint32_t *row = fgi_u32s(ask, TAG_FRAGMENT_ROW, count);
    int64_t *start = fgi_i64s(ask, TAG_FRAGMENT_START, count);
    int64_t *end = fgi_i64s(ask, TAG_FRAGMENT_END, count);
    enum fg_result result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        struct fg_trace_span fragment;
        result = fgi_span_at(ask, detail->fragments[i], &fragment);
        if (result == FG_OK) {
            row[i] = fragment.row;
            start[i] = fragment.start_ns;
            end[i] = fragment.end_ns;
        }
    }
    return result;
}

static uint64_t bits_of(struct fgi_ask *ask, const struct fg_trace_arg *arg)
{
    switch (arg->kind) {
    case FG_ARG_GROUP:
    case FG_ARG_UNKNOWN:
        return 0;
    case FG_ARG_TEXT:
        return fgi_name(ask, arg->value.text);
    default:
        return arg->value.natural; /* all others fill the 64 bits of the union */
    }
}

static void put_props(struct fgi_ask *ask, const struct fg_trace_arg *args, uint32_t count)
{
    uint32_t *depth = fgi_u32s(ask, TAG_PROP_DEPTH, count);
    uint32_t *key = fgi_u32s(ask, TAG_PROP_KEY, count);
    uint8_t *type = fgi_u8s(ask, TAG_PROP_TYPE, count);
    uint8_t *quality = fgi_u8s(ask, TAG_PROP_QUALITY, count);
    uint64_t *value = fgi_u64s(ask, TAG_PROP_VALUE, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        depth[i] = args[i].depth;
        key[i] = fgi_name(ask, args[i].key);
        type[i] = args[i].kind;
        quality[i] = args[i].quality;
        value[i] = bits_of(ask, &args[i]);
    }
}

static enum fg_result put_links(struct fgi_ask *ask, uint16_t tag, const struct fg_span_link *links,
                                uint32_t count)
{
    uint32_t *row = fgi_u32s(ask, tag, count);
    uint32_t *name = fgi_u32s(ask, (uint16_t)(tag + 1), count);
    uint8_t *family = fgi_u8s(ask, (uint16_t)(tag + 2), count);
    uint8_t *claimed = fgi_u8s(ask, (uint16_t)(tag + 3), count);
    int64_t *gap = fgi_i64s(ask, (uint16_t)(tag + 4), count);
    enum fg_result result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        struct fg_trace_span other;
        result = fgi_span_at(ask, links[i].row, &other);
        if (result == FG_OK) {
            row[i] = links[i].row;
            name[i] = fgi_name(ask, other.name);
            family[i] = (uint8_t)(links[i].family <= FG_DEPENDENCY_GRAPH ? links[i].family : 0);
            claimed[i] = links[i].is_claimed;
            gap[i] = links[i].is_claimed ? links[i].gap_ns : 0;
        }
    }
    return result;
}

enum fg_result fgi_answer_SPAN(struct fgi_ask *ask)
{
    struct fg_span_detail detail;
    uint32_t wanted = fgi_request_u32(ask->request, TAG_IN_ROW, FG_NONE);
    enum fg_result result = ask->request->result;
    if (result == FG_OK) {
        result = fg_query_span(ask->query, wanted, &detail);
    }
    if (result != FG_OK) {
        return result;
    }
    const struct fg_trace_span *span = &detail.span;
    int64_t *times = fgi_i64s(ask, TAG_TIMES, 2);
    if (times == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    times[0] = span->start_ns;
    times[1] = span->end_ns;
    put_ids(ask, span);
    fgi_reply_u32(ask->reply, TAG_FLAGS, fgi_span_flags(ask, span));
    fgi_reply_u64(ask->reply, TAG_OBJECT, span->object);
    fgi_reply_i64(ask->reply, TAG_BOUND, fgi_clock_bound(fgi_track_clock(ask->trace, span->track)));
    fgi_reply_u8(ask->reply, TAG_DOMAIN, (uint8_t)detail.clock_kind);
    fgi_reply_u64(ask->reply, TAG_SELF, detail.self_ns);
    uint32_t children = detail.child_count < CHILDREN_MAX ? detail.child_count : CHILDREN_MAX;
    fgi_reply_put(ask->reply, TAG_CHILDREN, FGI_TYPE_U32, detail.children, children);
    fgi_reply_u32(ask->reply, TAG_CHILD_COUNT, detail.child_count);
    put_props(ask, detail.args, detail.arg_count);
    result = put_fragments(ask, &detail);
    if (result == FG_OK) {
        result = put_links(ask, TAG_WAIT, detail.waits, detail.wait_count);
    }
    if (result == FG_OK) {
        result = put_links(ask, TAG_WAKES, detail.wakes, detail.wake_count);
    }
    return result;
}
