/* SPDX-License-Identifier: MIT */
/* Instants, notes and losses of a window: one by one, or how many there are in each bin. */
#include "base/alloc.h"
#include "engine/cpu/bins.h"
#include "engine/cpu/engine_cpu_priv.h"

enum { ASK_EVERY = 65536 }; /* marks between two looks whether the question still stands */

struct marks {
    const struct fg_trace *trace;
    const struct fgi_question *question;
    const struct fg_marks_request *request;
    size_t first; /* into instant_order: the first in the window */
};

static size_t first_in_window(const struct fg_trace *trace, int64_t start_ns)
{
    const uint32_t *order = trace->instant_order.items;
    size_t low = 0, high = trace->instant_order.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trace->instants.items[order[middle]].time_ns < start_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_wanted(const struct fg_marks_request *request, const struct fg_trace_instant *mark)
{
    if (mark->is_loss) {
        return request->with_losses;
    }
    return mark->is_note ? !request->skip_notes : !request->skip_instants;
}

/* The next mark that is wanted from *at on; NULL at the window's end. */
static const struct fg_trace_instant *next_mark(const struct marks *m, size_t *at)
{
    const struct fg_trace *trace = m->trace;
    for (; *at < trace->instant_order.count; ++*at) {
        const struct fg_trace_instant *mark =
            &trace->instants.items[trace->instant_order.items[*at]];
        if (mark->time_ns >= m->request->end_ns) {
            return NULL;
        }
        if (is_wanted(m->request, mark)) {
            return mark;
        }
    }
    return NULL;
}

static enum fg_result list_marks(const struct marks *m, struct fg_marks_reply *reply)
{
    uint32_t *kept = NULL;
    size_t capacity = 0;
    for (size_t at = m->first; next_mark(m, &at); at++) {
        uint32_t position = reply->total++;
        if (position % ASK_EVERY == 0 && fgi_question_cancelled(m->question)) {
            return FG_ERR_CANCELLED;
        }
        if (position < m->request->first || reply->count == m->request->limit) {
            continue;
        }
        if (!FGI_ANSWER_GROW(m->question->arena, kept, capacity, reply->count + 1u)) {
            return FG_ERR_NO_MEMORY;
        }
        kept[reply->count++] = m->trace->instant_order.items[at];
    }
    reply->instants = kept;
    return FG_OK;
}

static void see_mark(struct fg_mark_bin *bin, const struct fg_trace_instant *mark)
{
    bin->count++;
    bin->has_losses |= mark->is_loss;
    bin->has_notes |= !mark->is_loss && mark->is_note;
    bin->has_instants |= !mark->is_loss && !mark->is_note;
}

/* Marks come by time: the bin at hand of each track is all that has to be known. */
static enum fg_result bin_marks(const struct marks *m, uint32_t *at_hand,
                                struct fg_marks_reply *reply)
{
    size_t tracks = m->trace->tracks.count;
    struct fg_mark_bin *bins = NULL;
    size_t capacity = 0;
    uint32_t done = 0;
    const struct fg_trace_instant *mark;
    for (size_t at = m->first; (mark = next_mark(m, &at)) != NULL; at++) {
        if (done++ % ASK_EVERY == 0 && fgi_question_cancelled(m->question)) {
            return FG_ERR_CANCELLED;
        }
        int64_t bin = mark->time_ns >> reply->level;
        uint32_t *current = &at_hand[mark->track < tracks ? mark->track : tracks];
        if (*current == FG_NONE || bins[*current].bin != bin) {
            if (reply->bin_count == FG_MARK_BINS_MAX) {
                reply->is_cut = true;
                break;
            }
            if (!FGI_ANSWER_GROW(m->question->arena, bins, capacity, reply->bin_count + 1u)) {
                return FG_ERR_NO_MEMORY;
            }
            bins[reply->bin_count] = (struct fg_mark_bin){
                .bin = bin,
                .track = mark->track < tracks ? mark->track : FG_NONE,
                .instant = m->trace->instant_order.items[at],
            };
            *current = reply->bin_count++;
        }
        see_mark(&bins[*current], mark);
    }
    reply->bins = bins;
    return FG_OK;
}

enum fg_result fgi_cpu_marks(struct fg_engine *engine, const struct fgi_question *question,
                             const struct fg_marks_request *request,
                             struct fg_marks_reply *out_reply)
{
    const struct fg_trace *trace = engine->trace;
    const struct marks m = { trace, question, request, first_in_window(trace, request->start_ns) };
    *out_reply = (struct fg_marks_reply){ 0 };
    enum fg_result result = list_marks(&m, out_reply);
    if (result != FG_OK || request->width_px == 0 || out_reply->total <= request->limit) {
        return result;
    }
    uint32_t *at_hand = fgi_arena_alloc(question->arena, trace->tracks.count + 1, sizeof *at_hand);
    if (!at_hand) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t t = 0; t <= trace->tracks.count; t++) {
        at_hand[t] = FG_NONE;
    }
    out_reply->has_bins = true;
    out_reply->instants = NULL;
    out_reply->count = 0;
    out_reply->level = fgi_view_level(request->start_ns, request->end_ns, request->width_px);
    return bin_marks(&m, at_hand, out_reply);
}
