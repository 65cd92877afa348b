/* SPDX-License-Identifier: MIT */
/* Filters: made once, named by number, the least recently used one goes first. */
#include "base/alloc.h"
#include "view/view_priv.h"
#include <frameglass/trace_links.h>
#include <string.h>

enum {
    TAG_TEXT = 0x0A01,
    TAG_NAMES = 0x0A02,
    TAG_CATEGORIES = 0x0A03,
    TAG_TRACKS = 0x0A04,
    TAG_FRAMES = 0x0A05,
    TAG_TIME = 0x0A06,
    TAG_DURATION = 0x0A07,
    TAG_FLAGS = 0x0A08,
    TAG_STATUS = 0x0A09,
    TAG_SHORT_CHILD = 0x0A0A,
    TAG_SIMILAR_PARENT = 0x0A0B,
    TAG_FOCUS_SEEDS = 0x0A0C,
    TAG_FOCUS_REACH = 0x0A0D,
    TAG_ROWS_ONLY = 0x0A0E,
    TAG_FILTER = 0x0A40,
    TAG_ROWS = 0x0A41,
    TAG_DESTROY = 0x0B01,
};

static enum fg_result read_durations(struct fgi_ask *ask, struct fg_filter_terms *out)
{
    const struct fgi_section *section =
        fgi_request_exact(ask->request, TAG_DURATION, FGI_TYPE_I64, 2);
    if (section == NULL) {
        return FG_OK;
    }
    int64_t least = fgi_section_i64(section, 0);
    int64_t most = fgi_section_i64(section, 1);
    if (least < 0 || most < 0 || (most != 0 && most < least)) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "durations must be from least to most, from 0");
    }
    out->min_duration_ns = (uint64_t)least;
    out->max_duration_ns = (uint64_t)most;
    return FG_OK;
}

/* The terms that look at other spans than the one in question. */
static enum fg_result read_relations(struct fgi_ask *ask, struct fgi_view_terms *out)
{
    struct fgi_request *request = ask->request;
    const struct fgi_section *child = fgi_request_exact(request, TAG_SHORT_CHILD, FGI_TYPE_I64, 1);
    const struct fgi_section *reach = fgi_request_exact(request, TAG_FOCUS_REACH, FGI_TYPE_U32, 4);
    int64_t child_ns = child == NULL ? 0 : fgi_section_i64(child, 0);
    uint32_t percent = fgi_request_u32(request, TAG_SIMILAR_PARENT, 0);
    if (child_ns < 0 || percent > 100) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT,
                            "a duration is not below 0, a percentage not over 100");
    }
    out->terms.short_child_ns = (uint64_t)child_ns;
    out->terms.similar_parent_percent = percent;
    size_t rows = 0;
    out->rows = fgi_request_u32s(request, TAG_ROWS_ONLY, ask->arena, &rows);
    out->row_count = (uint32_t)rows;
    enum fg_result result = fgi_ask_rows(ask, TAG_FOCUS_SEEDS, &out->seeds, &out->seed_count);
    if (result != FG_OK || out->seed_count == 0) {
        return result;
    }
    out->reach[1] = 2;
    for (unsigned i = 0; reach != NULL && i < 4; i++) {
        out->reach[i] = fgi_section_u32(reach, i);
    }
    if (out->reach[0] > FG_LINKS_IN) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a direction is both, out or in");
    }
    return FG_OK;
}

static enum fg_result read_terms(struct fgi_ask *ask, struct fgi_view_terms *out)
{
    struct fgi_request *request = ask->request;
    size_t names = 0;
    size_t categories = 0;
    size_t tracks = 0;
    *out = (struct fgi_view_terms){ 0 };
    struct fg_filter_terms *terms = &out->terms;
    *terms = (struct fg_filter_terms){
        .text = fgi_ask_text(ask, TAG_TEXT),
        .names = fgi_request_u32s(request, TAG_NAMES, ask->arena, &names),
        .categories = fgi_request_u32s(request, TAG_CATEGORIES, ask->arena, &categories),
        .tracks = fgi_request_u32s(request, TAG_TRACKS, ask->arena, &tracks),
        .status_mask = fgi_request_u32(request, TAG_STATUS, 0),
    };
    terms->name_count = (uint32_t)names;
    terms->category_count = (uint32_t)categories;
    terms->track_count = (uint32_t)tracks;
    const struct fgi_section *flags = fgi_request_exact(request, TAG_FLAGS, FGI_TYPE_U32, 2);
    if (flags != NULL) {
        terms->required_classes = fgi_section_u32(flags, 0);
        terms->excluded_classes = fgi_section_u32(flags, 1);
    }
    struct fgi_frames frames;
    struct fgi_range range;
    enum fg_result result = fgi_ask_frames(ask, TAG_FRAMES, &frames);
    if (result == FG_OK) {
        result = fgi_ask_range(ask, TAG_TIME, &range);
    }
    if (result == FG_OK) {
        result = read_durations(ask, terms);
    }
    if (result == FG_OK) {
        result = read_relations(ask, out);
    }
    if (result != FG_OK) {
        return result;
    }
    terms->has_frames = frames.is_given;
    terms->first_frame = frames.first;
    terms->end_frame = frames.end;
    terms->has_range = range.is_given;
    terms->start_ns = range.start_ns;
    terms->end_ns = range.end_ns;
    return request->result;
}

/* ---- terms that are kept --------------------------------------------------------------------- */

/* Where things go in one block: `memory` NULL only measures. */
struct packing {
    uint8_t *memory;
    size_t bytes;
};

static const uint32_t *pack_u32s(struct packing *to, const uint32_t *items, uint32_t count)
{
    uint32_t *copy = to->memory ? (uint32_t *)(void *)(to->memory + to->bytes) : NULL;
    if (copy && count > 0) {
        memcpy(copy, items, count * sizeof *copy);
    }
    to->bytes += count * sizeof *copy;
    return count > 0 ? copy : NULL;
}

/* A copy of the terms whose lists and text are in the block. */
static struct fgi_view_terms pack_terms(struct packing *to, const struct fgi_view_terms *from)
{
    struct fgi_view_terms copy = *from;
    struct fg_filter_terms *terms = &copy.terms;
    terms->names = pack_u32s(to, from->terms.names, terms->name_count);
    terms->categories = pack_u32s(to, from->terms.categories, terms->category_count);
    terms->tracks = pack_u32s(to, from->terms.tracks, terms->track_count);
    copy.seeds = pack_u32s(to, from->seeds, copy.seed_count);
    copy.rows = pack_u32s(to, from->rows, copy.row_count);
    terms->text = NULL;
    if (from->terms.text) {
        size_t size = strlen(from->terms.text) + 1;
        if (to->memory) {
            terms->text = memcpy(to->memory + to->bytes, from->terms.text, size);
        }
        to->bytes += size;
    }
    return copy;
}

static enum fg_result keep_terms(struct fgi_ask *ask, const struct fgi_view_terms *terms,
                                 struct fgi_view_filter *filter)
{
    struct packing size = { 0 };
    (void)pack_terms(&size, terms);
    struct packing block = { .memory = fgi_malloc(ask->view->options.allocator, size.bytes + 1) };
    if (block.memory == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    filter->terms = pack_terms(&block, terms);
    filter->memory = block.memory;
    filter->memory_bytes = size.bytes + 1;
    return FG_OK;
}

static bool same_u32s(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

static bool same_terms(const struct fgi_view_terms *left, const struct fgi_view_terms *right)
{
    const struct fg_filter_terms *a = &left->terms;
    const struct fg_filter_terms *b = &right->terms;
    return strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0 &&
           same_u32s(a->names, a->name_count, b->names, b->name_count) &&
           same_u32s(a->categories, a->category_count, b->categories, b->category_count) &&
           same_u32s(a->tracks, a->track_count, b->tracks, b->track_count) &&
           a->required_classes == b->required_classes &&
           a->excluded_classes == b->excluded_classes && a->status_mask == b->status_mask &&
           a->min_duration_ns == b->min_duration_ns && a->max_duration_ns == b->max_duration_ns &&
           a->has_frames == b->has_frames && a->first_frame == b->first_frame &&
           a->end_frame == b->end_frame && a->has_range == b->has_range &&
           a->start_ns == b->start_ns && a->end_ns == b->end_ns &&
           a->short_child_ns == b->short_child_ns &&
           a->similar_parent_percent == b->similar_parent_percent &&
           same_u32s(left->seeds, left->seed_count, right->seeds, right->seed_count) &&
           same_u32s(left->reach, 4, right->reach, 4) &&
           same_u32s(left->rows, left->row_count, right->rows, right->row_count);
}

/* ---- filters of the engine ------------------------------------------------------------------- */

/* Text ids of names; a name that the trace has not is FG_NONE, which no span has. */
static enum fg_result map_names(struct fgi_ask *ask, const uint32_t **names, uint32_t count)
{
    uint32_t *texts = fgi_arena_alloc(ask->arena, (size_t)count + 1, sizeof *texts);
    if (texts == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        texts[i] = fgi_text_of_name(ask, (*names)[i]);
    }
    *names = count > 0 ? texts : NULL;
    return FG_OK;
}

/* Bits of the rows that the client chose, as far as the focus reaches them. */
static enum fg_result make_mask(struct fgi_ask *ask, struct fg_query *query,
                                const struct fgi_view_terms *from, struct fg_filter_terms *out)
{
    struct fg_focus_reply focus = { 0 };
    if (from->seed_count != 0) {
        const struct fg_focus_request request = { .seeds = from->seeds,
                                                  .seed_count = from->seed_count,
                                                  .direction = from->reach[0],
                                                  .hops = from->reach[1],
                                                  .families = from->reach[2],
                                                  .capacity = from->reach[3] };
        enum fg_result result = fg_query_focus(query, &request, &focus);
        if (result != FG_OK) {
            return result;
        }
        out->mask = focus.mask;
        out->mask_rows = focus.mask_rows;
    }
    if (from->row_count == 0) {
        return FG_OK;
    }
    struct fg_trace_info info;
    fg_trace_get_info(ask->trace, &info);
    uint32_t rows = (uint32_t)info.spans;
    uint64_t *mask = fgi_arena_alloc(ask->arena, (size_t)rows / 64 + 1, sizeof *mask);
    if (mask == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < from->row_count; i++) {
        uint32_t row = from->rows[i];
        uint64_t bit = UINT64_C(1) << (row % 64);
        if (row < rows && (focus.mask == NULL || (focus.mask[row / 64] & bit) != 0)) {
            mask[row / 64] |= bit;
        }
    }
    out->mask = mask;
    out->mask_rows = rows;
    return FG_OK;
}

/* The terms as the engine knows them. */
static enum fg_result map_terms(struct fgi_ask *ask, struct fg_query *query,
                                const struct fgi_view_terms *from, struct fg_filter_terms *out)
{
    *out = from->terms;
    enum fg_result result = map_names(ask, &out->names, out->name_count);
    if (result == FG_OK) {
        result = map_names(ask, &out->categories, out->category_count);
    }
    return result == FG_OK ? make_mask(ask, query, from, out) : result;
}

static enum fg_result make_filter(struct fgi_ask *ask, const struct fgi_view_terms *terms,
                                  uint32_t *out_filter, uint32_t *out_rows)
{
    struct fg_filter_terms mapped;
    enum fg_result result = map_terms(ask, ask->query, terms, &mapped);
    return result == FG_OK ? fg_query_filter_create(ask->query, &mapped, out_filter, out_rows)
                           : result;
}

/* Give up the engine's filter as often as it was made. */
static void unmake(struct fgi_ask *ask, struct fgi_view_filter *filter)
{
    for (; filter->made != 0; filter->made--) {
        (void)fg_query_filter_destroy(ask->query, filter->engine_filter);
    }
    filter->engine_filter = 0;
}

static void drop(struct fgi_ask *ask, struct fgi_view_filter *filter)
{
    unmake(ask, filter);
    fgi_free(ask->view->options.allocator, filter->memory, filter->memory_bytes);
    *filter = (struct fgi_view_filter){ 0 };
}

void fgi_view_filters_forget(struct fgi_view_trace *entry)
{
    for (size_t i = 0; i < FGI_MAX_FILTERS; i++) {
        entry->filters[i].engine_filter = 0;
        entry->filters[i].made = 0;
    }
    entry->gpu_filter = 0;
    entry->encode_filter = 0;
}

void fgi_view_filters_finish(struct fgi_view_trace *entry, const struct fg_allocator *allocator)
{
    for (size_t i = 0; i < FGI_MAX_FILTERS; i++) {
        fgi_free(allocator, entry->filters[i].memory, entry->filters[i].memory_bytes);
    }
    memset(entry->filters, 0, sizeof entry->filters);
}

/* ---- numbers of clients ---------------------------------------------------------------------- */

static struct fgi_view_filter *slot_of_number(struct fgi_view_trace *entry, uint32_t number)
{
    for (size_t i = 0; number != 0 && i < FGI_MAX_FILTERS; i++) {
        if (entry->filters[i].number == number) {
            return &entry->filters[i];
        }
    }
    return NULL;
}

/* The slot of the filter: the one that means the same, or a new one in the place of the oldest. */
static enum fg_result slot_for(struct fgi_ask *ask, const struct fgi_view_terms *terms,
                               uint32_t engine_filter, struct fgi_view_filter **out_slot)
{
    struct fgi_view_trace *entry = ask->entry;
    struct fgi_view_filter *oldest = &entry->filters[0];
    for (size_t i = 0; i < FGI_MAX_FILTERS; i++) {
        struct fgi_view_filter *filter = &entry->filters[i];
        bool is_same = filter->engine_filter == engine_filter ||
                       (filter->engine_filter == 0 && same_terms(&filter->terms, terms));
        if (filter->number != 0 && is_same) {
            filter->engine_filter = engine_filter;
            *out_slot = filter;
            return FG_OK;
        }
        if (filter->last_used < oldest->last_used) {
            oldest = filter;
        }
    }
    struct fgi_view_filter made = { .engine_filter = engine_filter };
    enum fg_result result = keep_terms(ask, terms, &made);
    if (result == FG_OK) {
        drop(ask, oldest);
        *oldest = made;
        oldest->number = ++entry->last_filter;
        *out_slot = oldest;
    }
    return result;
}

static enum fg_result begin(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fgi_view_terms terms;
    struct fg_filter_terms mapped;
    enum fg_result result = read_terms(ask, &terms);
    if (result == FG_OK) {
        result = map_terms(ask, job->query, &terms, &mapped);
    }
    return result == FG_OK ? fg_task_filter(job->query, &mapped, scheduling, &job->task) : result;
}

/* The terms are in every step's message: they are kept from the one that makes the filter. */
static enum fg_result put(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fgi_view_terms terms;
    struct fgi_view_filter *filter = NULL;
    uint32_t engine_filter = 0;
    uint32_t rows = 0;
    enum fg_result result = read_terms(ask, &terms);
    if (result == FG_OK) {
        result = fg_task_result_filter(job->task, &engine_filter, &rows);
    }
    if (result != FG_OK) {
        return result;
    }
    result = slot_for(ask, &terms, engine_filter, &filter);
    if (result != FG_OK) {
        (void)fg_query_filter_destroy(ask->query, engine_filter);
        return result;
    }
    filter->uses++;
    filter->made++;
    filter->last_used = ++ask->entry->filter_clock;
    fgi_reply_u32(ask->reply, TAG_FILTER, filter->number);
    fgi_reply_u32(ask->reply, TAG_ROWS, rows);
    return FG_OK;
}

const struct fgi_job_ops fgi_filter_job = { .begin = begin, .put = put, .stages = { "rows" } };

enum fg_result fgi_answer_FILTER_CREATE(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_filter_job);
}

enum fg_result fgi_answer_FILTER_DESTROY(struct fgi_ask *ask)
{
    struct fgi_view_filter *filter =
        slot_of_number(ask->entry, fgi_request_u32(ask->request, TAG_DESTROY, 0));
    if (filter == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no filter of this number (any more)");
    }
    if (--filter->uses == 0) {
        drop(ask, filter);
    }
    return FG_OK;
}

enum fg_result fgi_ask_filter(struct fgi_ask *ask, uint16_t tag, uint32_t *out_filter)
{
    uint32_t number = fgi_request_u32(ask->request, tag, 0);
    *out_filter = 0;
    if (number == 0) {
        return FG_OK;
    }
    struct fgi_view_filter *filter = slot_of_number(ask->entry, number);
    if (filter == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "the filter is gone: make it again");
    }
    if (filter->engine_filter == 0) { /* the trace was made anew since */
        uint32_t rows = 0;
        enum fg_result result = make_filter(ask, &filter->terms, &filter->engine_filter, &rows);
        if (result != FG_OK) {
            filter->engine_filter = 0;
            return result;
        }
        filter->made = 1;
    }
    filter->last_used = ++ask->entry->filter_clock;
    *out_filter = filter->engine_filter;
    return FG_OK;
}
