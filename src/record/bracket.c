/* SPDX-License-Identifier: MIT */
/* The listeners of a frame graph's bracket. Nothing here needs the recorder. */
#include <frameglass/graph.h>

#include <string.h>

enum fg_result fg_graph_listeners_add(struct fg_graph_listeners *listeners,
                                      const struct fg_graph_listener *listener)
{
    if (listeners == NULL || listener == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (listeners->count == FG_GRAPH_LISTENERS_MAX) {
        return FG_ERR_LIMIT;
    }
    listeners->items[listeners->count++] = *listener;
    return FG_OK;
}

static bool same_listener(const struct fg_graph_listener *a, const struct fg_graph_listener *b)
{
    return a->pass_begin == b->pass_begin && a->pass_end == b->pass_end && a->context == b->context;
}

enum fg_result fg_graph_listeners_remove(struct fg_graph_listeners *listeners,
                                         const struct fg_graph_listener *listener)
{
    if (listeners == NULL || listener == NULL) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t i = listeners->count; i-- > 0;) {
        if (same_listener(&listeners->items[i], listener)) {
            listeners->count--;
            memmove(&listeners->items[i], &listeners->items[i + 1],
                    (listeners->count - i) * sizeof listeners->items[0]);
            return FG_OK;
        }
    }
    return FG_ERR_NOT_FOUND;
}

void fg_graph_announce_begin(const struct fg_graph_listeners *listeners,
                             const struct fg_graph_event *event)
{
    for (uint32_t i = 0; i < listeners->count; i++) {
        if (listeners->items[i].pass_begin != NULL) {
            listeners->items[i].pass_begin(listeners->items[i].context, event);
        }
    }
}

void fg_graph_announce_end(const struct fg_graph_listeners *listeners,
                           const struct fg_graph_event *event)
{
    for (uint32_t i = listeners->count; i-- > 0;) {
        if (listeners->items[i].pass_end != NULL) {
            listeners->items[i].pass_end(listeners->items[i].context, event);
        }
    }
}

int fg_graph_pass_run(const struct fg_graph_listeners *listeners,
                      const struct fg_graph_event *event, int (*run)(void *context), void *context)
{
    fg_graph_pass_begin(listeners, event);
    int result = run(context);
    fg_graph_pass_end(listeners, event);
    return result;
}
