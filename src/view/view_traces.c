/* SPDX-License-Identifier: MIT */
/* The view itself: which traces and clients there are. */
#include "base/alloc.h"
#include "view/view.h"
#include "view/view_priv.h"
#include <string.h>

enum fg_result fgi_view_create(const struct fgi_view_options *options, struct fgi_view **out_view)
{
    struct fgi_view *view = fgi_calloc(options->allocator, 1, sizeof *view);
    if (view == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    view->options = *options;
    enum fg_result result = fgi_mutex_create(options->allocator, &view->state);
    if (result == FG_OK) {
        result = fgi_mutex_create(options->allocator, &view->asking);
    }
    if (result != FG_OK) {
        fgi_view_destroy(view);
        return result;
    }
    *out_view = view;
    return FG_OK;
}

static void free_text(struct fgi_view *view, char **text)
{
    if (*text != NULL) {
        fgi_free(view->options.allocator, *text, strlen(*text) + 1);
        *text = NULL;
    }
}

static bool copy_text(struct fgi_view *view, char **text, const char *from)
{
    size_t size = from == NULL ? 1 : strlen(from) + 1;
    char *copy = fgi_malloc(view->options.allocator, size);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, from == NULL ? "" : from, size);
    free_text(view, text);
    *text = copy;
    return true;
}

static void free_frames(struct fgi_view *view, struct fgi_view_trace *entry)
{
    fgi_free(view->options.allocator, entry->frames, entry->frame_count * sizeof *entry->frames);
    entry->frames = NULL;
    entry->frame_count = 0;
}

static void free_entry(struct fgi_view *view, struct fgi_view_trace *entry)
{
    free_text(view, &entry->label);
    free_text(view, &entry->format);
    free_text(view, &entry->packing);
    free_text(view, &entry->failure);
    free_frames(view, entry);
    fgi_view_filters_finish(entry, view->options.allocator);
    fgi_view_names_finish(&entry->names);
    memset(entry, 0, sizeof *entry);
}

void fgi_view_destroy(struct fgi_view *view)
{
    if (view == NULL) {
        return;
    }
    fgi_view_tasks_end(view);
    for (size_t i = 0; i < FGI_VIEW_TRACES; i++) {
        free_entry(view, &view->traces[i]);
    }
    fgi_mutex_destroy(view->asking);
    fgi_mutex_destroy(view->state);
    fgi_free(view->options.allocator, view, sizeof *view);
}

struct fgi_view_trace *fgi_view_find(struct fgi_view *view, uint32_t number)
{
    for (size_t i = 0; number != 0 && i < FGI_VIEW_TRACES; i++) {
        if (view->traces[i].number == number) {
            return &view->traces[i];
        }
    }
    return NULL;
}

static enum fg_result copy_input(struct fgi_view *view, struct fgi_view_trace *entry,
                                 const struct fgi_view_input *input)
{
    struct fgi_view_frame *frames = NULL;
    if (input->frame_count != 0) {
        frames = fgi_calloc(view->options.allocator, input->frame_count, sizeof *frames);
        if (frames == NULL) {
            return FG_ERR_NO_MEMORY;
        }
    }
    for (size_t i = 0; i < input->frame_count; i++) {
        input->frame_of(input->context, i, &frames[i]);
    }
    free_frames(view, entry);
    entry->frames = frames;
    entry->frame_count = input->frame_count;
    entry->size_bytes = input->size_bytes;
    entry->is_live = input->is_live;
    bool copied = copy_text(view, &entry->label, input->label) &&
                  copy_text(view, &entry->format, input->format) &&
                  copy_text(view, &entry->packing, input->packing);
    return copied ? FG_OK : FG_ERR_NO_MEMORY;
}

enum fg_result fgi_view_add(struct fgi_view *view, const struct fgi_view_input *input,
                            uint32_t *out_trace)
{
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = NULL;
    for (size_t i = 0; i < FGI_VIEW_TRACES && entry == NULL; i++) {
        entry = view->traces[i].number == 0 ? &view->traces[i] : NULL;
    }
    enum fg_result result = entry == NULL ? FG_ERR_LIMIT : copy_input(view, entry, input);
    if (result == FG_OK) {
        entry->number = ++view->last_trace;
        entry->names.allocator = view->options.allocator;
        entry->names.table.allocator = view->options.allocator;
        entry->revision = 1;
        entry->flags = input->is_live ? FGI_REPLY_PROVISIONAL : 0;
        *out_trace = entry->number;
    } else if (entry != NULL) {
        free_entry(view, entry);
    }
    fgi_mutex_unlock(view->state);
    return result;
}

void fgi_view_remove(struct fgi_view *view, uint32_t trace)
{
    fgi_mutex_lock(view->asking);
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, trace);
    if (entry != NULL) {
        fgi_view_tasks_end(view);
        free_entry(view, entry);
    }
    fgi_mutex_unlock(view->state);
    fgi_mutex_unlock(view->asking);
}

void fgi_view_progress(struct fgi_view *view, uint32_t trace, uint64_t done, uint64_t total)
{
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, trace);
    if (entry != NULL) {
        entry->done = done;
        entry->total = total;
    }
    fgi_mutex_unlock(view->state);
}

static uint16_t flags_of(const struct fg_trace *trace)
{
    struct fg_trace_info info;
    fg_trace_get_info(trace, &info);
    bool provisional = info.is_growing;
    bool partial = info.recovered || info.defects != 0;
    return (uint16_t)((provisional ? FGI_REPLY_PROVISIONAL : 0) |
                      (partial ? FGI_REPLY_PARTIAL : 0));
}

/* Another trace, or none, in the place of the one before. Both locks are held. */
static void set_trace(struct fgi_view *view, struct fgi_view_trace *entry,
                      const struct fg_trace *loaded, struct fg_engine *engine)
{
    struct fg_trace_info info = { .firm_rows = UINT32_MAX };
    fgi_view_tasks_end(view); /* one over another trace may stand on this one, too */
    if (loaded != NULL) {
        fg_trace_get_info(loaded, &info);
        entry->flags = flags_of(loaded);
        entry->done = entry->total;
    }
    entry->trace = loaded;
    entry->engine = engine;
    entry->firm_rows = entry->is_live ? info.firm_rows : UINT32_MAX;
    entry->has_ended = loaded != NULL && !info.is_growing;
    fgi_view_filters_forget(entry);
    memset(entry->scores, 0, sizeof entry->scores);
    fgi_view_names_forget(&entry->names);
}

/* What an entry becomes when its loading has ended. */
static void settle(struct fgi_view *view, uint32_t trace, const struct fg_trace *loaded,
                   struct fg_engine *engine, enum fg_result result, const char *text)
{
    fgi_mutex_lock(view->asking);
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, trace);
    if (entry != NULL) {
        set_trace(view, entry, loaded, engine);
        entry->state = loaded != NULL ? FGI_STATE_LOADED : FGI_STATE_FAILED;
        entry->failure_result = result;
        entry->revision++;
        if (loaded == NULL && !copy_text(view, &entry->failure, text)) {
            free_text(view, &entry->failure);
        }
    }
    fgi_mutex_unlock(view->state);
    fgi_mutex_unlock(view->asking);
}

void fgi_view_attach(struct fgi_view *view, uint32_t trace, const struct fg_trace *loaded,
                     struct fg_engine *engine)
{
    settle(view, trace, loaded, engine, FG_OK, NULL);
}

void fgi_view_fail(struct fgi_view *view, uint32_t trace, enum fg_result result, const char *text)
{
    settle(view, trace, NULL, NULL, result, text);
}

enum fg_result fgi_view_replace(struct fgi_view *view, uint32_t trace,
                                const struct fgi_view_input *input, const struct fg_trace *loaded,
                                struct fg_engine *engine)
{
    fgi_mutex_lock(view->asking);
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, trace);
    enum fg_result result = entry == NULL ? FG_ERR_NOT_FOUND : copy_input(view, entry, input);
    if (entry != NULL) {
        entry->revision++;
        if (loaded != NULL) {
            set_trace(view, entry, loaded, engine);
        }
    }
    fgi_mutex_unlock(view->state);
    fgi_mutex_unlock(view->asking);
    return result;
}

void fgi_view_trouble(struct fgi_view *view, uint32_t trace, const char *text, bool is_over)
{
    fgi_mutex_lock(view->state);
    struct fgi_view_trace *entry = fgi_view_find(view, trace);
    if (entry != NULL && entry->state != FGI_STATE_FAILED) {
        entry->is_troubled = text != NULL;
        entry->is_given_up = is_over;
        if (text != NULL && !copy_text(view, &entry->failure, text)) {
            free_text(view, &entry->failure);
        }
    }
    fgi_mutex_unlock(view->state);
}

bool fgi_view_superseded(struct fgi_view *view, const struct fgi_request *request)
{
    bool is_old = false;
    if (request->generation == 0 || request->client == 0) {
        return false;
    }
    fgi_mutex_lock(view->state);
    for (size_t i = 0; i < FGI_MAX_CLIENTS; i++) {
        struct fgi_view_client *client = &view->clients[i];
        if (client->number == request->client) {
            uint32_t *newest = &client->newest[request->channel];
            client->last_seen = ++view->client_clock;
            is_old = request->generation < *newest;
            *newest = is_old ? *newest : request->generation;
            break;
        }
    }
    fgi_mutex_unlock(view->state);
    return is_old;
}

bool fgi_view_is_past(struct fgi_view *view, uint32_t client, uint16_t channel, uint32_t generation)
{
    bool is_past = false;
    fgi_mutex_lock(view->state);
    for (size_t i = 0; generation != 0 && client != 0 && i < FGI_MAX_CLIENTS; i++) {
        if (view->clients[i].number == client) {
            is_past = generation < view->clients[i].newest[channel];
        }
    }
    fgi_mutex_unlock(view->state);
    return is_past;
}

uint32_t fgi_view_client_add(struct fgi_view *view)
{
    struct fgi_view_client *oldest = &view->clients[0];
    fgi_mutex_lock(view->state);
    for (size_t i = 1; i < FGI_MAX_CLIENTS; i++) {
        if (view->clients[i].last_seen < oldest->last_seen) {
            oldest = &view->clients[i];
        }
    }
    memset(oldest, 0, sizeof *oldest);
    oldest->number = ++view->last_client;
    oldest->last_seen = ++view->client_clock;
    uint32_t number = oldest->number;
    fgi_mutex_unlock(view->state);
    return number;
}
