/* SPDX-License-Identifier: MIT */
/* Request buffers: one reply to each request, in order; who may ask what; how failures look. */
#include "view/view.h"
#include "view/view_priv.h"
#include <frameglass/trace_engine.h>
#include <string.h>

struct kind {
    fgi_answer_fn answer;
    bool needs_trace;
};

static const struct kind kinds[] = {
#define KIND_ROW(number, name, loaded) [number] = { fgi_answer_##name, loaded },
    FGI_KINDS(KIND_ROW)
#undef KIND_ROW
};

static const struct kind *kind_of(uint16_t number)
{
    bool known = number < sizeof kinds / sizeof *kinds && kinds[number].answer != NULL;
    return known ? &kinds[number] : NULL;
}

struct cancel_context {
    struct fgi_view *view;
    const struct fgi_request *request;
};

static bool is_cancelled(void *context)
{
    struct cancel_context *cancel = context;
    return fgi_view_superseded(cancel->view, cancel->request);
}

/* Names up to the highest one used that the client does not have. */
static void put_names(struct fgi_ask *ask)
{
    struct fgi_reply *reply = ask->reply;
    const struct fgi_strings *names = &ask->entry->names.table;
    uint32_t limit = fgi_strings_count(names);
    uint32_t first = ask->request->names < limit ? ask->request->names : limit;
    if (reply->names_used > limit) {
        reply->names_used = limit;
    }
    reply->names = first;
    if (reply->names_used <= first) {
        return;
    }
    uint32_t most = reply->names_used - first;
    most = most > FGI_MAX_NAMES ? FGI_MAX_NAMES : most;
    const char **texts = fgi_arena_alloc(ask->arena, most, sizeof *texts);
    size_t *sizes = fgi_arena_alloc(ask->arena, most, sizeof *sizes);
    if (texts == NULL || sizes == NULL) {
        reply->result = reply->result == FG_OK ? FG_ERR_NO_MEMORY : reply->result;
        return;
    }
    size_t bytes = 0;
    uint32_t count = 0;
    for (; count < most; count++) {
        texts[count] = fgi_strings_get(names, first + count, &sizes[count]);
        /* The first one goes whatever its length, or a client would never get past it. */
        if (count != 0 && bytes + sizes[count] > FGI_MAX_NAME_BYTES) {
            break;
        }
        bytes += sizes[count];
    }
    fgi_reply_u32(reply, FGI_TAG_NAMES_FIRST, first);
    fgi_reply_texts_sized(reply, FGI_TAG_NAMES, texts, sizes, count);
    reply->names = first + count;
    if (reply->names < reply->names_used) {
        reply->flags |= FGI_REPLY_NAMES_MISSING;
    }
}

/* With `asking` held: the trace is there or not, and stays so. */
static enum fg_result begin_trace(struct fgi_ask *ask)
{
    struct fgi_view *view = ask->view;
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, ask->request->trace);
    uint8_t state = entry == NULL ? FGI_STATE_KNOWN : entry->state;
    if (entry != NULL) {
        ask->reply->revision = entry->revision;
        ask->reply->flags = entry->flags;
    }
    fgi_mutex_unlock(view->state);
    if (entry == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no trace of this number");
    }
    if (state != FGI_STATE_LOADED || entry->engine == NULL) {
        return fgi_ask_fail(ask, FG_ERR_STATE, "the trace is not loaded: ask LOAD first");
    }
    ask->entry = entry;
    ask->trace = entry->trace;
    return FG_OK;
}

static enum fg_result answer_over_trace(struct fgi_ask *ask, const struct kind *kind,
                                        struct fg_query **out_query)
{
    struct cancel_context *cancel = fgi_arena_alloc(ask->arena, 1, sizeof *cancel);
    enum fg_result result = cancel == NULL ? FG_ERR_NO_MEMORY : begin_trace(ask);
    if (result != FG_OK) {
        return result;
    }
    *cancel = (struct cancel_context){ ask->view, ask->request };
    result = fg_query_create(ask->entry->engine, ask->view->options.allocator, is_cancelled, cancel,
                             &ask->query);
    if (result != FG_OK) {
        return result;
    }
    *out_query = ask->query;
    result = kind->answer(ask);
    result = result == FG_OK ? ask->request->result : result;
    struct fg_engine_info engine;
    fg_engine_get_info(ask->entry->engine, &engine);
    ask->reply->flags |= engine.reason != NULL ? FGI_REPLY_INSTEAD : 0;
    if (result == FG_OK) {
        put_names(ask);
    }
    return result;
}

/* The reply, or an error in its place when it does not fit. */
static enum fg_result finish(struct fgi_ask *ask, enum fg_result status, struct fgi_bytes *out)
{
    struct fgi_reply *reply = ask->reply;
    status = status == FG_OK ? reply->result : status;
    if (status == FG_OK) {
        status = fgi_reply_finish(reply, ask->request, FG_OK, out);
        if (status == FG_OK) {
            return FG_OK;
        }
        out->result = FG_OK; /* what was there before is untouched */
        ask->text = status == FG_ERR_LIMIT ? "the reply would be too large: ask for less" : NULL;
    }
    reply->result = FG_OK;
    reply->section_count = 0;
    reply->names = ask->request->names;
    reply->flags &= FGI_REPLY_PROVISIONAL | FGI_REPLY_PARTIAL | FGI_REPLY_INSTEAD;
    fgi_reply_text(reply, FGI_TAG_ERROR_TEXT,
                   ask->text != NULL ? ask->text : fg_result_text(status));
    return fgi_reply_finish(reply, ask->request, status, out);
}

static enum fg_result answer_one(struct fgi_view *view, struct fgi_request *request,
                                 enum fg_result parsed, struct fgi_bytes *out)
{
    struct fgi_arena arena = { .allocator = view->options.allocator };
    struct fgi_reply reply = { .arena = &arena,
                               .client = request->client,
                               .names = request->names };
    struct fgi_ask ask = { .view = view, .request = request, .reply = &reply, .arena = &arena };
    struct fg_query *query = NULL;
    enum fg_result status = parsed;
    const struct kind *kind = kind_of(request->kind);
    bool locked = false;
    if (status == FG_OK && kind == NULL) {
        status = fgi_ask_fail(&ask, FG_ERR_UNSUPPORTED, "this build knows no request of this kind");
    }
    if (status == FG_OK && kind->needs_trace) {
        fgi_mutex_lock(view->asking);
        locked = true;
        status = fgi_view_superseded(view, request) ? FG_ERR_CANCELLED
                                                    : answer_over_trace(&ask, kind, &query);
    } else if (status == FG_OK) {
        status = kind->answer(&ask);
        status = status == FG_OK ? request->result : status;
    }
    status = finish(&ask, status, out);
    fg_query_destroy(query);
    if (locked) {
        fgi_mutex_unlock(view->asking);
    }
    fgi_arena_finish(&arena);
    return status;
}

/* Generations count from the moment of arrival, before anything waits for its turn. */
static void note_arrivals(struct fgi_view *view, const uint8_t *bytes, size_t size)
{
    struct fgi_request request;
    for (unsigned i = 0; i < FGI_MAX_BATCH && size != 0; i++) {
        enum fg_result result = fgi_request_parse(bytes, size, &request);
        if (request.size == 0) {
            return;
        }
        if (result == FG_OK) {
            fgi_view_superseded(view, &request);
        }
        bytes += request.size;
        size -= request.size;
    }
}

enum fg_result fgi_view_answer(struct fgi_view *view, const void *request, size_t size,
                               struct fgi_bytes *out)
{
    const uint8_t *bytes = request;
    struct fgi_request parsed;
    enum fg_result result = FG_OK;
    if (size > FGI_MAX_BUFFER_BYTES) {
        memset(&parsed, 0, sizeof parsed);
        return answer_one(view, &parsed, FG_ERR_LIMIT, out);
    }
    note_arrivals(view, bytes, size);
    unsigned count = 0;
    do {
        enum fg_result status = fgi_request_parse(bytes, size, &parsed);
        if (count == FGI_MAX_BATCH) {
            status = FG_ERR_LIMIT;
            parsed.size = 0;
        }
        result = answer_one(view, &parsed, status, out);
        bytes += parsed.size;
        size -= parsed.size;
        count++;
    } while (result == FG_OK && parsed.size != 0 && size != 0);
    return result;
}
