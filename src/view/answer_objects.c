/* SPDX-License-Identifier: MIT */
/* Resources that the program said it made: OBJECTS. */
#include "view/view_priv.h"
#include <frameglass/trace_state.h>
#include <string.h>

enum {
    TAG_WINDOW = 0x1A01,
    TAG_WHICH = 0x1A02,
    TAG_FIRST = 0x1A03,
    TAG_LIMIT = 0x1A04,
    TAG_SORT = 0x1A05,
    TAG_TEXT = 0x1A06,
    TAG_GROWTH = 0x1A07,
    TAG_HISTORY = 0x1A08,
    TAG_ALL = 0x1A40,
    TAG_COUNT = 0x1A41,
    TAG_SUM = 0x1A42,
    TAG_UNKNOWN = 0x1A43,
    TAG_PEAK = 0x1A44,
    TAG_PEAK_TIME = 0x1A45,
    TAG_OBJECT = 0x1A48,
    TAG_ID = 0x1A49,
    TAG_NAME = 0x1A4A,
    TAG_TYPE = 0x1A4B,
    TAG_BYTES = 0x1A4C,
    TAG_ACCURACY = 0x1A4D,
    TAG_FORMAT = 0x1A4E,
    TAG_SIZE = 0x1A4F,
    TAG_MADE = 0x1A50,
    TAG_GONE = 0x1A51,
    TAG_MADE_FRAME = 0x1A52,
    TAG_GONE_FRAME = 0x1A53,
    TAG_CHANGES = 0x1A54,
    TAG_STATE = 0x1A55,
    TAG_TYPE_NAME = 0x1A58,
    TAG_TYPE_COUNT = 0x1A59,
    TAG_TYPE_BYTES = 0x1A5A,
    TAG_TYPE_UNKNOWN = 0x1A5B,
    TAG_GROWTH_TIME = 0x1A60,
    TAG_GROWTH_COUNT = 0x1A61,
    TAG_GROWTH_BYTES = 0x1A62,
    TAG_EVENT_TIME = 0x1A68,
    TAG_EVENT_KIND = 0x1A69,
    TAG_EVENT_BYTES = 0x1A6A,
    TAG_EVENT_NAME = 0x1A6B,
    TAG_EVENT_FRAME = 0x1A6C,
};

enum { SIZES = 5, EVENTS_MAX = 65536, KIND_OTHER = 255 };

struct objects_request {
    int64_t start_ns, end_ns;
    enum fg_object_set set;
    struct fgi_page page;
    enum fg_object_column column;
    bool is_descending;
    const char *text;
    uint32_t points;
    bool has_history;
    uint32_t history;
};

static enum fg_result read_sort(struct fgi_ask *ask, struct objects_request *out)
{
    size_t count = 0;
    const uint32_t *sort = fgi_request_u32s(ask->request, TAG_SORT, ask->arena, &count);
    if (count == 0) {
        return ask->request->result;
    }
    if (count != 2 || sort[0] >= FG_OBJECT_COLUMNS || sort[1] > 1) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the order is a column of 0 to 5 and 0 or 1");
    }
    out->column = (enum fg_object_column)sort[0];
    out->is_descending = sort[1] != 0;
    return FG_OK;
}

static enum fg_result read_objects(struct fgi_ask *ask, struct objects_request *out)
{
    struct fgi_range window;
    enum fg_result result = fgi_ask_range(ask, TAG_WINDOW, &window);
    if (result != FG_OK) {
        return result;
    }
    uint32_t set = fgi_request_u32(ask->request, TAG_WHICH, FG_OBJECTS_LIVE);
    *out = (struct objects_request){
        .start_ns = window.is_given ? window.start_ns : FG_TIME_MIN,
        .end_ns = window.is_given ? window.end_ns : INT64_MAX,
        .set = (enum fg_object_set)set,
        .page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT),
        .text = fgi_ask_text(ask, TAG_TEXT),
        .points = fgi_request_u32(ask->request, TAG_GROWTH, 0),
        .history = fgi_request_u32(ask->request, TAG_HISTORY, FG_NONE),
    };
    out->has_history = out->history != FG_NONE;
    result = read_sort(ask, out);
    if (result != FG_OK) {
        return result;
    }
    if (set >= FG_OBJECT_SETS) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "which resources: 0 to 3");
    }
    if (out->points > FGI_MAX_WIDTH_PX) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the curve has at most 16384 points");
    }
    if (out->has_history && fg_trace_object(ask->trace, out->history) == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no resource of this number");
    }
    return ask->request->result;
}

static void put_sums(struct fgi_ask *ask, const struct objects_request *from)
{
    struct fg_object_sum sums[FG_OBJECT_SETS];
    uint64_t *count = fgi_u64s(ask, TAG_COUNT, FG_OBJECT_SETS);
    uint64_t *bytes = fgi_u64s(ask, TAG_SUM, FG_OBJECT_SETS);
    uint64_t *unknown = fgi_u64s(ask, TAG_UNKNOWN, FG_OBJECT_SETS);
    fg_trace_object_sums(ask->trace, from->start_ns, from->end_ns, sums);
    for (unsigned i = 0; ask->reply->result == FG_OK && i < FG_OBJECT_SETS; i++) {
        count[i] = sums[i].count;
        bytes[i] = sums[i].size_bytes;
        unknown[i] = sums[i].unknown_count;
    }
}

/* The end of part `i` of `count` equal parts of [first, last]. */
static int64_t end_of_part(int64_t first, int64_t last, uint32_t i, uint32_t count)
{
    uint64_t length = (uint64_t)last - (uint64_t)first;
    uint64_t whole = length / count * (i + 1);
    uint64_t rest = length % count * (i + 1) / count;
    return (int64_t)((uint64_t)first + whole + rest);
}

static enum fg_result put_growth(struct fgi_ask *ask, const struct objects_request *from)
{
    struct fg_trace_info info;
    struct fg_object_point peak;
    uint32_t count = from->points;
    struct fg_object_point *points = fgi_arena_alloc(ask->arena, (size_t)count + 1, sizeof *points);
    if (points == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    fg_trace_get_info(ask->trace, &info);
    int64_t first = info.has_extent ? info.first_ns : 0;
    int64_t last = info.has_extent ? info.last_ns : 0;
    for (uint32_t i = 0; i < count; i++) {
        /* The last one is behind everything. */
        int64_t end = i + 1 == count ? last : end_of_part(first, last, i, count);
        points[i].time_ns = i + 1 == count ? end + 1 : end;
    }
    fg_trace_object_growth(ask->trace, points, count, from->end_ns, &peak);
    int64_t *time = fgi_i64s(ask, TAG_GROWTH_TIME, count);
    uint64_t *live = fgi_u64s(ask, TAG_GROWTH_COUNT, count);
    uint64_t *bytes = fgi_u64s(ask, TAG_GROWTH_BYTES, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        time[i] = points[i].time_ns;
        live[i] = points[i].live.count;
        bytes[i] = points[i].live.size_bytes;
    }
    bool is_known = peak.live.size_bytes != UINT64_MAX;
    fgi_reply_u64(ask->reply, TAG_PEAK, peak.live.size_bytes);
    fgi_reply_i64(ask->reply, TAG_PEAK_TIME, is_known ? peak.time_ns : 0);
    return FG_OK;
}

static void put_identity(struct fgi_ask *ask, const struct objects_request *from,
                         const uint32_t *objects, uint32_t count)
{
    uint32_t *number = fgi_u32s(ask, TAG_OBJECT, count);
    uint64_t *id = fgi_u64s(ask, TAG_ID, count);
    int64_t *made = fgi_i64s(ask, TAG_MADE, count);
    int64_t *gone = fgi_i64s(ask, TAG_GONE, count);
    uint32_t *made_frame = fgi_u32s(ask, TAG_MADE_FRAME, count);
    uint32_t *gone_frame = fgi_u32s(ask, TAG_GONE_FRAME, count);
    uint32_t *changes = fgi_u32s(ask, TAG_CHANGES, count);
    uint8_t *state = fgi_u8s(ask, TAG_STATE, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_object *object = fg_trace_object(ask->trace, objects[i]);
        const struct fg_trace_object_event *first =
            fg_trace_object_event(ask->trace, object->first_event);
        const struct fg_trace_object_event *known =
            fg_trace_object_at(ask->trace, objects[i], from->end_ns);
        bool is_gone = object->gone_ns != INT64_MAX;
        number[i] = objects[i];
        id[i] = object->id;
        made[i] = object->made_ns;
        gone[i] = object->gone_ns;
        made_frame[i] = object->made_ns != FG_TIME_MIN ? first->frame : FG_NONE;
        gone_frame[i] = is_gone ? first[object->event_count - 1].frame : FG_NONE;
        changes[i] = known->time_ns < from->end_ns ? (uint32_t)(known - first) + 1 : 0;
        state[i] = is_gone;
    }
}

static void put_facts(struct fgi_ask *ask, const struct objects_request *from,
                      const uint32_t *objects, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_NAME, count);
    uint32_t *type = fgi_u32s(ask, TAG_TYPE, count);
    uint64_t *bytes = fgi_u64s(ask, TAG_BYTES, count);
    uint8_t *accuracy = fgi_u8s(ask, TAG_ACCURACY, count);
    uint32_t *format = fgi_u32s(ask, TAG_FORMAT, count);
    uint32_t *size = fgi_u32s(ask, TAG_SIZE, (size_t)count * SIZES);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_object_event *known =
            fg_trace_object_at(ask->trace, objects[i], from->end_ns);
        const uint32_t sizes[SIZES] = { known->width, known->height, known->depth, known->mip_count,
                                        known->layer_count };
        name[i] = fgi_name(ask, known->name);
        type[i] = fgi_name(ask, known->type);
        bytes[i] = known->size_bytes;
        accuracy[i] = (uint8_t)known->accuracy;
        format[i] = known->format;
        memcpy(&size[(size_t)i * SIZES], sizes, sizeof sizes);
    }
}

static void put_types(struct fgi_ask *ask, const struct fg_object_type_sum *types, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_TYPE_NAME, count);
    uint64_t *objects = fgi_u64s(ask, TAG_TYPE_COUNT, count);
    uint64_t *bytes = fgi_u64s(ask, TAG_TYPE_BYTES, count);
    uint64_t *unknown = fgi_u64s(ask, TAG_TYPE_UNKNOWN, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        name[i] = fgi_name(ask, types[i].type);
        objects[i] = types[i].sum.count;
        bytes[i] = types[i].sum.size_bytes;
        unknown[i] = types[i].sum.unknown_count;
    }
}

static void put_history(struct fgi_ask *ask, uint32_t number)
{
    const struct fg_trace_object *object = fg_trace_object(ask->trace, number);
    uint32_t count = object->event_count < EVENTS_MAX ? object->event_count : EVENTS_MAX;
    int64_t *time = fgi_i64s(ask, TAG_EVENT_TIME, count);
    uint8_t *kind = fgi_u8s(ask, TAG_EVENT_KIND, count);
    uint64_t *bytes = fgi_u64s(ask, TAG_EVENT_BYTES, count);
    uint32_t *name = fgi_u32s(ask, TAG_EVENT_NAME, count);
    uint32_t *frame = fgi_u32s(ask, TAG_EVENT_FRAME, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_object_event *event =
            fg_trace_object_event(ask->trace, object->first_event + i);
        time[i] = event->time_ns;
        kind[i] = event->kind <= FG_TRACE_OBJECT_LIVES ? (uint8_t)event->kind : KIND_OTHER;
        bytes[i] = event->size_bytes;
        name[i] = fgi_name(ask, event->name);
        frame[i] = event->frame;
    }
}

enum fg_result fgi_answer_OBJECTS(struct fgi_ask *ask)
{
    struct objects_request from;
    struct fg_objects_reply answer;
    enum fg_result result = read_objects(ask, &from);
    if (result == FG_OK) {
        result = put_growth(ask, &from);
    }
    if (result == FG_OK) {
        const struct fg_objects_request question = {
            .start_ns = from.start_ns,
            .end_ns = from.end_ns,
            .set = from.set,
            .text = from.text,
            .column = from.column,
            .is_descending = from.is_descending,
            .first = from.page.first,
            .limit = from.page.limit,
        };
        result = fg_query_objects(ask->query, &question, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_ALL, answer.total);
    put_sums(ask, &from);
    put_identity(ask, &from, answer.objects, answer.count);
    put_facts(ask, &from, answer.objects, answer.count);
    put_types(ask, answer.types, answer.type_count);
    if (from.has_history) {
        put_history(ask, from.history);
    }
    if ((uint64_t)from.page.first + answer.count < answer.total) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return ask->reply->result;
}
