/* SPDX-License-Identifier: MIT */
/* What is answered without a loaded trace: HELLO, TRACES, LOAD, STRIP, CANCEL. */
#include "base/hitch.h"
#include "view/view_priv.h"

enum {
    TAG_CLIENT = 0x0140,
    TAG_PROTOCOL = 0x0141,
    TAG_LIMITS = 0x0142,
    TAG_KINDS = 0x0143,
    TAG_PRODUCT = 0x0144,
    TAG_HOME = 0x0145,
    TAG_TRACE = 0x0240,
    TAG_STATE = 0x0241,
    TAG_LABEL = 0x0242,
    TAG_FORMAT = 0x0243,
    TAG_PACKING = 0x0244,
    TAG_BYTES = 0x0245,
    TAG_DONE = 0x0246,
    TAG_STEPS = 0x0247,
    TAG_REVISION = 0x0248,
    TAG_FAILURE = 0x0249,
    TAG_FAILURE_STATUS = 0x024A,
    TAG_TRACE_FRAMES = 0x024B,
    TAG_LIVE = 0x024C,
    TAG_STRIP_FIRST = 0x0401,
    TAG_STRIP_LIMIT = 0x0402,
    TAG_STRIP_ALL = 0x0440,
    TAG_STRIP_NUMBER = 0x0441,
    TAG_STRIP_CPU = 0x0443,
    TAG_STRIP_GPU = 0x0444,
    TAG_STRIP_DROPPED = 0x0446,
    TAG_STRIP_FLAGS = 0x0447,
};

enum { LIVE_NOT = 0, LIVE_GROWS = 1, LIVE_ENDED = 2, LIVE_GIVEN_UP = 3 };
enum { STRIP_GPU_HITCH = 1, STRIP_CPU_HITCH = 2, STRIP_DROPPED = 4, STRIP_NO_GPU = 8 };

static uint8_t live_of(const struct fgi_view_trace *entry)
{
    return !entry->is_live      ? LIVE_NOT
           : entry->is_given_up ? LIVE_GIVEN_UP
           : entry->has_ended   ? LIVE_ENDED
                                : LIVE_GROWS;
}

/* Columns of the table of traces, all or one of them. `state` is held. */
static enum fg_result put_traces(struct fgi_ask *ask, struct fgi_view_trace *const *entries,
                                 size_t count)
{
    const char *labels[FGI_VIEW_TRACES] = { 0 };
    const char *formats[FGI_VIEW_TRACES] = { 0 };
    const char *packings[FGI_VIEW_TRACES] = { 0 };
    const char *failures[FGI_VIEW_TRACES] = { 0 };
    uint32_t *number = fgi_u32s(ask, TAG_TRACE, count);
    uint8_t *state = fgi_u8s(ask, TAG_STATE, count);
    uint64_t *bytes = fgi_u64s(ask, TAG_BYTES, count);
    uint64_t *done = fgi_u64s(ask, TAG_DONE, count);
    uint64_t *steps = fgi_u64s(ask, TAG_STEPS, count);
    uint64_t *revision = fgi_u64s(ask, TAG_REVISION, count);
    uint32_t *status = fgi_u32s(ask, TAG_FAILURE_STATUS, count);
    uint32_t *frames = fgi_u32s(ask, TAG_TRACE_FRAMES, count);
    uint8_t *live = fgi_u8s(ask, TAG_LIVE, count);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fgi_view_trace *entry = entries[i];
        number[i] = entry->number;
        state[i] = entry->state;
        bytes[i] = entry->size_bytes;
        done[i] = entry->done;
        steps[i] = entry->total;
        revision[i] = entry->revision;
        status[i] = (uint32_t)entry->failure_result;
        frames[i] = entry->frame_count > UINT32_MAX ? UINT32_MAX : (uint32_t)entry->frame_count;
        live[i] = live_of(entry);
        labels[i] = entry->label;
        formats[i] = entry->format;
        packings[i] = entry->packing;
        bool tells = entry->state == FGI_STATE_FAILED || entry->is_troubled;
        failures[i] = tells ? entry->failure : NULL;
    }
    fgi_reply_texts(ask->reply, TAG_LABEL, labels, count);
    fgi_reply_texts(ask->reply, TAG_FORMAT, formats, count);
    fgi_reply_texts(ask->reply, TAG_PACKING, packings, count);
    fgi_reply_texts(ask->reply, TAG_FAILURE, failures, count);
    return FG_OK;
}

static enum fg_result put_all_traces(struct fgi_ask *ask)
{
    struct fgi_view *view = ask->view;
    struct fgi_view_trace *entries[FGI_VIEW_TRACES];
    size_t count = 0;
    fgi_mutex_lock(view->state);
    /* In the order of their numbers, whatever slot they are in. */
    for (uint32_t last = 0;;) {
        struct fgi_view_trace *next = NULL;
        for (size_t i = 0; i < FGI_VIEW_TRACES; i++) {
            struct fgi_view_trace *entry = &view->traces[i];
            if (entry->number > last && (next == NULL || entry->number < next->number)) {
                next = entry;
            }
        }
        if (next == NULL) {
            break;
        }
        last = next->number;
        entries[count++] = next;
    }
    enum fg_result result = put_traces(ask, entries, count);
    fgi_mutex_unlock(view->state);
    return result;
}

enum fg_result fgi_answer_HELLO(struct fgi_ask *ask)
{
    static const uint32_t versions[] = { FGI_PROTOCOL_VERSION, FGI_PROTOCOL_VERSION };
    static const uint32_t limits[] = { FGI_MAX_REQUEST_BYTES, FGI_MAX_BUFFER_BYTES, FGI_MAX_BATCH,
                                       FGI_MAX_LANES,         FGI_MAX_WIDTH_PX,     FGI_MAX_SPANS,
                                       FGI_MAX_BINS,          FGI_MAX_PAGE };
    static const uint16_t kinds[] = {
#define KIND_NUMBER(number, name, loaded) number,
        FGI_KINDS(KIND_NUMBER)
#undef KIND_NUMBER
    };
    const char *const product[] = { "frameglass", fg_version(), "cpu" };
    uint32_t client = fgi_view_client_add(ask->view);
    ask->reply->client = client;
    fgi_reply_u32(ask->reply, TAG_CLIENT, client);
    fgi_reply_put(ask->reply, TAG_PROTOCOL, FGI_TYPE_U32, versions, 2);
    fgi_reply_put(ask->reply, TAG_LIMITS, FGI_TYPE_U32, limits, sizeof limits / sizeof *limits);
    fgi_reply_put(ask->reply, TAG_KINDS, FGI_TYPE_U16, kinds, sizeof kinds / sizeof *kinds);
    fgi_reply_texts(ask->reply, TAG_PRODUCT, product, 3);
    fgi_reply_u8(ask->reply, TAG_HOME, ask->view->options.home);
    return put_all_traces(ask);
}

enum fg_result fgi_answer_TRACES(struct fgi_ask *ask)
{
    return put_all_traces(ask);
}

enum fg_result fgi_answer_LOAD(struct fgi_ask *ask)
{
    struct fgi_view *view = ask->view;
    uint32_t number = ask->request->trace;
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, number);
    bool begin =
        entry != NULL && (entry->state == FGI_STATE_KNOWN || entry->state == FGI_STATE_FAILED);
    if (begin) {
        entry->state = FGI_STATE_LOADING;
        entry->done = 0;
        entry->total = 0;
    }
    fgi_mutex_unlock(view->state);
    if (begin) {
        view->options.load(view->options.context, number);
    }
    fgi_mutex_lock(view->state);
    entry = fgi_view_find(view, number);
    enum fg_result result = FG_ERR_NOT_FOUND;
    if (entry != NULL) {
        ask->reply->revision = entry->revision;
        ask->reply->flags = entry->flags;
        result = put_traces(ask, &entry, 1);
    }
    fgi_mutex_unlock(view->state);
    return result;
}

static int64_t strip_cpu(const void *context, size_t index)
{
    const struct fgi_view_frame *frames = context;
    return frames[index].cpu_ns;
}

static int64_t strip_gpu(const void *context, size_t index)
{
    const struct fgi_view_frame *frames = context;
    return frames[index].gpu_ns;
}

/* `state` is held: the frames may be replaced. */
static enum fg_result put_strip(struct fgi_ask *ask, const struct fgi_view_trace *entry,
                                size_t first, size_t count)
{
    uint64_t *number = fgi_u64s(ask, TAG_STRIP_NUMBER, count);
    int64_t *cpu = fgi_i64s(ask, TAG_STRIP_CPU, count);
    int64_t *gpu = fgi_i64s(ask, TAG_STRIP_GPU, count);
    uint32_t *dropped = fgi_u32s(ask, TAG_STRIP_DROPPED, count);
    uint8_t *flags = fgi_u8s(ask, TAG_STRIP_FLAGS, count);
    uint8_t *hitches = fgi_arena_alloc(ask->arena, entry->frame_count + 1, 1);
    if (ask->reply->result != FG_OK || hitches == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    static const fgi_hitch_time times[] = { strip_cpu, strip_gpu };
    static const uint8_t hitch_flags[] = { STRIP_CPU_HITCH, STRIP_GPU_HITCH };
    fgi_hitch_mark(times, entry->frames, entry->frame_count, hitch_flags, hitches);
    for (size_t i = 0; i < count; i++) {
        const struct fgi_view_frame *frame = &entry->frames[first + i];
        number[i] = frame->number;
        cpu[i] = frame->cpu_ns < 0 ? -1 : frame->cpu_ns;
        gpu[i] = frame->gpu_ns < 0 ? -1 : frame->gpu_ns;
        dropped[i] = frame->dropped;
        flags[i] = (uint8_t)(hitches[first + i] | (frame->dropped != 0 ? STRIP_DROPPED : 0) |
                             (frame->gpu_ns < 0 ? STRIP_NO_GPU : 0));
    }
    return FG_OK;
}

enum fg_result fgi_answer_STRIP(struct fgi_ask *ask)
{
    uint32_t first = fgi_request_u32(ask->request, TAG_STRIP_FIRST, 0);
    uint32_t limit = fgi_request_u32(ask->request, TAG_STRIP_LIMIT, 0);
    if (limit == 0 || limit > FGI_MAX_STRIP) {
        limit = FGI_MAX_STRIP;
    }
    fgi_mutex_lock(ask->view->state);
    const struct fgi_view_trace *entry = fgi_view_find(ask->view, ask->request->trace);
    enum fg_result result = FG_ERR_NOT_FOUND;
    if (entry != NULL) {
        size_t start = first < entry->frame_count ? first : entry->frame_count;
        size_t count = entry->frame_count - start;
        count = count > limit ? limit : count;
        ask->reply->revision = entry->revision;
        ask->reply->flags = entry->flags;
        if (start + count < entry->frame_count) {
            ask->reply->flags |= FGI_REPLY_OVERFLOW;
        }
        fgi_reply_u32(ask->reply, TAG_STRIP_ALL, (uint32_t)entry->frame_count);
        result = put_strip(ask, entry, start, count);
    }
    fgi_mutex_unlock(ask->view->state);
    return result;
}

enum fg_result fgi_answer_CANCEL(struct fgi_ask *ask)
{
    /* Its generation was noted when it arrived: there is nothing left to do. */
    (void)ask;
    return FG_OK;
}
