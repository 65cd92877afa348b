/* SPDX-License-Identifier: MIT */
/* EVENTS: what one frame gave the device, in order. */
#include "view/view_priv.h"
#include <frameglass/trace_events.h>

enum {
    TAG_IN_FRAME = 0x1601,
    TAG_FIRST = 0x1602,
    TAG_LIMIT = 0x1603,
    TAG_ALL = 0x1640,
    TAG_TOPOLOGY = 0x1641,
    TAG_KIND = 0x1642,
    TAG_DEPTH = 0x1643,
    TAG_ROW = 0x1644,
    TAG_NAME = 0x1645,
    TAG_PASS = 0x1646,
    TAG_TRACK = 0x1647,
    TAG_START = 0x1648,
    TAG_NS = 0x1649,
    TAG_QUALITY = 0x164A,
    TAG_X = 0x164B,
    TAG_Y = 0x164C,
    TAG_Z = 0x164D,
    TAG_PIPELINE = 0x164E,
    TAG_BIND_EVENT = 0x1650,
    TAG_BIND_KIND = 0x1651,
    TAG_BIND_SLOT = 0x1652,
    TAG_BIND_RES = 0x1653,
    TAG_BIND_NAME = 0x1654,
    TAG_BIND_ACCESS = 0x1655,
    TAG_BIND_PRODUCER = 0x1656,
    TAG_BIND_TEXT = 0x1657,
};

/* Kinds, qualities and accesses of the protocol are those of the trace. */
_Static_assert(FG_EVENT_SUBMISSION == 0 && FG_EVENT_CULLED == 8 && FG_EVENT_SIGNAL == 10,
               "docs/PROTOCOL.md, KIND");
_Static_assert(FG_EVENT_NOT_KNOWN == 3, "docs/PROTOCOL.md, QUALITY");
_Static_assert(FG_EVENT_READS == 1 && FG_EVENT_WRITES == 2 && FG_EVENT_CREATES == 4 &&
                   FG_EVENT_BINDING_USE == 2,
               "docs/PROTOCOL.md, BIND_ACCESS and BIND_KIND");

static void put_events(struct fgi_ask *ask, const struct fg_event *events, uint32_t count)
{
    uint8_t *kind = fgi_u8s(ask, TAG_KIND, count);
    uint8_t *depth = fgi_u8s(ask, TAG_DEPTH, count);
    uint32_t *row = fgi_u32s(ask, TAG_ROW, count);
    uint32_t *name = fgi_u32s(ask, TAG_NAME, count);
    uint32_t *pass = fgi_u32s(ask, TAG_PASS, count);
    uint32_t *track = fgi_u32s(ask, TAG_TRACK, count);
    int64_t *start = fgi_i64s(ask, TAG_START, count);
    int64_t *ns = fgi_i64s(ask, TAG_NS, count);
    uint8_t *quality = fgi_u8s(ask, TAG_QUALITY, count);
    uint64_t *x = fgi_u64s(ask, TAG_X, count);
    uint64_t *y = fgi_u64s(ask, TAG_Y, count);
    uint64_t *z = fgi_u64s(ask, TAG_Z, count);
    uint32_t *pipeline = fgi_u32s(ask, TAG_PIPELINE, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        kind[i] = events[i].kind;
        depth[i] = events[i].depth;
        row[i] = events[i].row;
        name[i] = fgi_name(ask, events[i].name);
        pass[i] = events[i].pass;
        track[i] = events[i].track;
        start[i] = events[i].start_ns;
        ns[i] = events[i].duration_ns;
        quality[i] = events[i].quality;
        x[i] = events[i].x;
        y[i] = events[i].y;
        z[i] = events[i].z;
        pipeline[i] = fgi_name(ask, events[i].pipeline);
    }
}

static void put_bindings(struct fgi_ask *ask, const struct fg_event_binding *bindings,
                         uint32_t count)
{
    uint32_t *event = fgi_u32s(ask, TAG_BIND_EVENT, count);
    uint8_t *kind = fgi_u8s(ask, TAG_BIND_KIND, count);
    uint32_t *slot = fgi_u32s(ask, TAG_BIND_SLOT, count);
    uint32_t *resource = fgi_u32s(ask, TAG_BIND_RES, count);
    uint32_t *name = fgi_u32s(ask, TAG_BIND_NAME, count);
    uint8_t *access = fgi_u8s(ask, TAG_BIND_ACCESS, count);
    uint32_t *producer = fgi_u32s(ask, TAG_BIND_PRODUCER, count);
    uint32_t *text = fgi_u32s(ask, TAG_BIND_TEXT, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        event[i] = bindings[i].event;
        kind[i] = bindings[i].kind;
        slot[i] = fgi_name(ask, bindings[i].slot);
        resource[i] = bindings[i].resource;
        name[i] = fgi_name(ask, bindings[i].name);
        access[i] = bindings[i].access;
        producer[i] = bindings[i].producer;
        text[i] = fgi_name(ask, bindings[i].text);
    }
}

/* Bindings of events before `event`: they are sorted by event. */
static uint32_t bindings_before(const struct fg_events_reply *events, uint32_t event)
{
    uint32_t low = 0;
    uint32_t high = events->binding_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (events->bindings[middle].event < event) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

enum fg_result fgi_answer_EVENTS(struct fgi_ask *ask)
{
    struct fg_events_reply events;
    uint32_t frame = fgi_request_u32(ask->request, TAG_IN_FRAME, FG_NONE);
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    enum fg_result result = ask->request->result;
    if (result == FG_OK && fg_trace_frame(ask->trace, frame) == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no frame of this number");
    }
    if (result == FG_OK) {
        result = fg_query_events(ask->query, frame, &events);
    }
    if (result != FG_OK) {
        return result == FG_ERR_LIMIT ? fgi_ask_fail(ask, result, "the frame has too many events")
                                      : result;
    }
    uint32_t first = page.first < events.count ? page.first : events.count;
    uint32_t count = page.limit < events.count - first ? page.limit : events.count - first;
    uint32_t from = bindings_before(&events, first);
    uint32_t to = bindings_before(&events, first + count);
    fgi_reply_u32(ask->reply, TAG_ALL, events.count);
    fgi_reply_u32(ask->reply, TAG_TOPOLOGY, events.topology);
    if (count > 0) {
        put_events(ask, events.events + first, count);
    }
    if (to > from) {
        put_bindings(ask, events.bindings + from, to - from);
    }
    if (first + count < events.count) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return FG_OK;
}
