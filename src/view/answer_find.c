/* SPDX-License-Identifier: MIT */
/* Finding things: SEARCH and PICK. */
#include "base/hash.h"
#include "view/view_priv.h"
#include <string.h>

enum {
    TAG_TEXT = 0x0E01,
    TAG_AFTER = 0x0E02,
    TAG_LIMIT = 0x0E03,
    TAG_FILTER = 0x0E04,
    TAG_ALL = 0x0E40,
    TAG_NEXT = 0x0E41,
    TAG_ROW = 0x0E42,
    TAG_NAME = 0x0E43,
    TAG_TRACK = 0x0E44,
    TAG_FRAME = 0x0E45,
    TAG_START = 0x0E46,
    TAG_END = 0x0E47,
    TAG_THING_KIND = 0x0E50,
    TAG_THING_NAME = 0x0E51,
    TAG_THING_TOPOLOGY = 0x0E52,
    TAG_THING_INDEX = 0x0E53,
    TAG_THING_FRAME = 0x0E54,
    TAG_THING_ALL = 0x0E55,
    TAG_PICK_LANE = 0x1001,
    TAG_PICK_GROUP = 0x1002,
    TAG_PICK_TIME = 0x1003,
    TAG_PICK_TOLERANCE = 0x1004,
    TAG_PICK_FILTER = 0x1005,
    TAG_PICK_ROW = 0x1040,
    TAG_PICK_NAME = 0x1041,
    TAG_PICK_TRACK = 0x1042,
    TAG_PICK_FRAME = 0x1043,
    TAG_PICK_START = 0x1044,
    TAG_PICK_END = 0x1045,
    TAG_PICK_FLAGS = 0x1046,
};

enum thing_kind { THING_PASS = 1, THING_RESOURCE = 2, THING_TRACK = 3, THING_NOTE = 4 };
enum { THINGS_MAX = 1000 };

/* Things that are no spans and have a name that matches. */
struct things {
    struct fgi_ask *ask;
    const char *text;
    uint32_t *kind, *name, *topology, *index, *frame;
    uint32_t count;
    uint32_t total; /* with those that there is no room for */
};

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + 'a' - 'A') : letter;
}

static bool contains(const char *text, const char *part)
{
    for (; *text != 0; text++) {
        size_t i = 0;
        while (part[i] != 0 && lower(text[i]) == lower(part[i])) {
            i++;
        }
        if (part[i] == 0) {
            return true;
        }
    }
    return false;
}

static void add_thing(struct things *things, uint32_t kind, uint32_t name, uint32_t topology,
                      uint32_t index, uint32_t frame)
{
    uint32_t at = things->count;
    if (!contains(fg_trace_text(things->ask->trace, name), things->text)) {
        return;
    }
    things->total++;
    if (at == THINGS_MAX) {
        return;
    }
    things->kind[at] = kind;
    things->name[at] = fgi_name(things->ask, name);
    things->topology[at] = topology;
    things->index[at] = index;
    things->frame[at] = frame;
    things->count++;
}

/* Each name once: where it first occurs. */
static enum fg_result add_resources(struct things *things, uint32_t topologies)
{
    struct fgi_map64 seen = { .allocator = things->ask->view->options.allocator };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < topologies && result == FG_OK; i++) {
        const struct fg_topology *topology = fg_trace_topology(things->ask->trace, i);
        for (uint32_t k = 0; k < topology->resource_count && result == FG_OK; k++) {
            uint32_t name = topology->resources[k].name;
            uint32_t value = 0;
            if (!fgi_map64_get(&seen, name, &value)) {
                add_thing(things, THING_RESOURCE, name, i, k, topology->first_frame);
                result = fgi_map64_put(&seen, name, 0);
            }
        }
    }
    fgi_map64_finish(&seen);
    return result;
}

static enum fg_result find_things(struct things *things)
{
    const struct fg_trace *trace = things->ask->trace;
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    for (uint32_t i = 0; i < info.passes; i++) {
        add_thing(things, THING_PASS, fg_trace_pass(trace, i)->name, FG_NONE, i, FG_NONE);
    }
    enum fg_result result = add_resources(things, (uint32_t)info.topologies);
    for (uint32_t i = 0; i < info.tracks; i++) {
        add_thing(things, THING_TRACK, fg_trace_track(trace, i)->name, FG_NONE, i, FG_NONE);
    }
    for (uint32_t i = 0; i < info.instants && info.notes != 0; i++) {
        const struct fg_trace_instant *instant = fg_trace_instant(trace, i);
        if (instant->is_note) {
            add_thing(things, THING_NOTE, instant->name, FG_NONE, i, instant->frame);
        }
    }
    return result;
}

static enum fg_result put_things(struct fgi_ask *ask, const char *text)
{
    struct things things = { .ask = ask, .text = text };
    uint32_t *memory = fgi_arena_alloc(ask->arena, 5 * THINGS_MAX, sizeof *memory);
    if (memory == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    things.kind = memory;
    things.name = memory + THINGS_MAX;
    things.topology = memory + 2 * THINGS_MAX;
    things.index = memory + 3 * THINGS_MAX;
    things.frame = memory + 4 * THINGS_MAX;
    enum fg_result result = find_things(&things);
    uint8_t *kind = fgi_u8s(ask, TAG_THING_KIND, things.count);
    if (kind == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < things.count; i++) {
        kind[i] = (uint8_t)things.kind[i];
    }
    fgi_reply_put(ask->reply, TAG_THING_NAME, FGI_TYPE_U32, things.name, things.count);
    fgi_reply_put(ask->reply, TAG_THING_TOPOLOGY, FGI_TYPE_U32, things.topology, things.count);
    fgi_reply_put(ask->reply, TAG_THING_INDEX, FGI_TYPE_U32, things.index, things.count);
    fgi_reply_put(ask->reply, TAG_THING_FRAME, FGI_TYPE_U32, things.frame, things.count);
    fgi_reply_u32(ask->reply, TAG_THING_ALL, things.total);
    if (things.total > things.count) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return result;
}

static enum fg_result read_search(struct fgi_ask *ask, struct fg_search_request *out)
{
    const char *text = fgi_ask_text(ask, TAG_TEXT);
    const struct fgi_section *after = fgi_request_exact(ask->request, TAG_AFTER, FGI_TYPE_U32, 1);
    struct fgi_page page = fgi_ask_page(ask, 0, TAG_LIMIT);
    if (text == NULL || text[0] == 0 || strlen(text) > FGI_MAX_SEARCH_BYTES) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the text must have 1 to 256 bytes");
    }
    *out = (struct fg_search_request){
        .text = text,
        .has_after = after != NULL,
        .after = after == NULL ? 0 : fgi_section_u32(after, 0),
        .limit = page.limit,
    };
    enum fg_result result = fgi_ask_filter(ask, TAG_FILTER, &out->filter);
    return result == FG_OK ? ask->request->result : result;
}

static enum fg_result begin_search(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_search_request from;
    enum fg_result result = read_search(ask, &from);
    return result == FG_OK ? fg_task_search(job->query, &from, scheduling, &job->task) : result;
}

static enum fg_result put_search(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_search_request from;
    struct fg_search_reply answer;
    enum fg_result result = read_search(ask, &from);
    if (result == FG_OK) {
        result = fg_task_result_search(job->task, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_ALL, answer.total);
    fgi_reply_u32(ask->reply, TAG_NEXT, answer.next);
    uint32_t *row = fgi_u32s(ask, TAG_ROW, answer.count);
    uint32_t *name = fgi_u32s(ask, TAG_NAME, answer.count);
    uint32_t *track = fgi_u32s(ask, TAG_TRACK, answer.count);
    uint32_t *frame = fgi_u32s(ask, TAG_FRAME, answer.count);
    int64_t *start = fgi_i64s(ask, TAG_START, answer.count);
    int64_t *end = fgi_i64s(ask, TAG_END, answer.count);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    for (uint32_t i = 0; i < answer.count; i++) {
        const struct fg_trace_span *span = &answer.spans[i];
        row[i] = span->row;
        name[i] = fgi_name(ask, span->name);
        track[i] = span->track;
        frame[i] = span->frame;
        start[i] = span->start_ns;
        end[i] = span->end_ns;
    }
    if (answer.next != FG_NONE) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return from.has_after ? FG_OK : put_things(ask, from.text);
}

const struct fgi_job_ops fgi_search_job = { .begin = begin_search,
                                            .put = put_search,
                                            .stages = { "names" } };

enum fg_result fgi_answer_SEARCH(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_search_job);
}

static enum fg_result read_pick(struct fgi_ask *ask, struct fg_pick_request *out)
{
    struct fgi_request *request = ask->request;
    uint32_t lane = fgi_request_u32(request, TAG_PICK_LANE, FG_NONE);
    uint32_t group = fgi_request_u32(request, TAG_PICK_GROUP, FG_NONE);
    const struct fgi_section *time = fgi_request_exact(request, TAG_PICK_TIME, FGI_TYPE_I64, 1);
    const struct fgi_section *tolerance =
        fgi_request_exact(request, TAG_PICK_TOLERANCE, FGI_TYPE_I64, 1);
    int64_t reach = tolerance == NULL ? 0 : fgi_section_i64(tolerance, 0);
    if ((lane == FG_NONE) == (group == FG_NONE) || time == NULL || reach < 0) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "picking needs a lane or a group, and a time");
    }
    *out = (struct fg_pick_request){
        .target = { .kind = FG_VIEW_LANE, .previous_mode = FG_VIEW_NONE, .index = lane },
        .time_ns = fgi_section_i64(time, 0),
        .tolerance_ns = (uint64_t)reach,
    };
    if (lane == FG_NONE) {
        out->target.kind = group >= FGI_GROUP_PROCESS ? FG_VIEW_PROCESS : FG_VIEW_TRACK;
        out->target.index = group & ~FGI_GROUP_PROCESS;
    }
    enum fg_result result = fgi_ask_filter(ask, TAG_PICK_FILTER, &out->filter);
    return result == FG_OK ? request->result : result;
}

enum fg_result fgi_answer_PICK(struct fgi_ask *ask)
{
    struct fg_pick_request from;
    uint32_t row = FG_NONE;
    struct fg_trace_span span = { .row = FG_NONE, .track = FG_NONE, .frame = FG_NONE };
    enum fg_result result = read_pick(ask, &from);
    if (result == FG_OK) {
        result = fg_query_pick(ask->query, &from, &row);
    }
    if (result == FG_OK && row != FG_NONE) {
        result = fgi_span_at(ask, row, &span);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_PICK_ROW, row);
    fgi_reply_u32(ask->reply, TAG_PICK_NAME, fgi_name(ask, span.name));
    fgi_reply_u32(ask->reply, TAG_PICK_TRACK, span.track);
    fgi_reply_u32(ask->reply, TAG_PICK_FRAME, span.frame);
    fgi_reply_i64(ask->reply, TAG_PICK_START, span.start_ns);
    fgi_reply_i64(ask->reply, TAG_PICK_END, span.end_ns);
    fgi_reply_u32(ask->reply, TAG_PICK_FLAGS, row == FG_NONE ? 0 : fgi_span_flags(ask, &span));
    return FG_OK;
}
