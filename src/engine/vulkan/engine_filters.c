/* SPDX-License-Identifier: MIT */
/* Filters by this engine's ids: terms that are kept, in one normal form for equal ones. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/sort.h"
#include "engine/vulkan/engine_filter.h"
#include <string.h>

/* ---- terms in their normal form, in the filter's memory -------------------------------------- */

static bool number_before(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

static bool keep_text(struct fgi_arena *arena, const char **text)
{
    if (!*text || !**text) {
        *text = NULL;
        return true;
    }
    char *copy = fgi_arena_text(arena, *text, strlen(*text));
    for (char *c = copy; c && *c; c++) {
        *c = fgi_ascii_lower(*c);
    }
    *text = copy;
    return copy != NULL;
}

/* Ascending, each once. An empty list that is there lets nothing pass, so it stays there. */
static bool keep_set(struct fgi_arena *arena, const uint32_t **items, uint32_t *count)
{
    if (!*items) {
        *count = 0;
        return true;
    }
    uint32_t *copy = fgi_arena_alloc(arena, (size_t)*count + 1, sizeof *copy);
    if (!copy) {
        return false;
    }
    memcpy(copy, *items, *count * sizeof *copy);
    if (fgi_sort_u32(arena->allocator, copy, *count, number_before, NULL) != FG_OK) {
        return false;
    }
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (i == 0 || copy[i] != copy[i - 1]) {
            copy[distinct++] = copy[i];
        }
    }
    *items = copy;
    *count = distinct;
    return true;
}

/* No bit behind the last row, and no word behind the last that has one. */
static bool keep_mask(struct fgi_arena *arena, struct fg_filter_terms *terms, uint32_t rows)
{
    if (!terms->mask) {
        terms->mask_rows = 0;
        return true;
    }
    uint32_t count = terms->mask_rows < rows ? terms->mask_rows : rows;
    size_t words = ((size_t)count + 63) / 64;
    uint64_t *mask = fgi_arena_alloc(arena, words + 1, sizeof *mask);
    if (!mask) {
        return false;
    }
    memcpy(mask, terms->mask, words * sizeof *mask);
    if (count % 64 != 0) {
        mask[words - 1] &= (UINT64_C(1) << (count % 64)) - 1;
    }
    while (words > 0 && mask[words - 1] == 0) {
        words--;
    }
    terms->mask = mask;
    terms->mask_rows = words * 64 < count ? (uint32_t)words * 64 : count;
    return true;
}

static bool keep_terms(struct fgi_gpu_filter *filter, const struct fg_filter_terms *terms,
                       uint32_t rows)
{
    struct fg_filter_terms *t = &filter->terms;
    *t = *terms;
    if (!t->has_frames) {
        t->first_frame = t->end_frame = 0;
    }
    if (!t->has_range) {
        t->start_ns = t->end_ns = 0;
    }
    return keep_text(&filter->arena, &t->text) &&
           keep_set(&filter->arena, &t->names, &t->name_count) &&
           keep_set(&filter->arena, &t->categories, &t->category_count) &&
           keep_set(&filter->arena, &t->tracks, &t->track_count) &&
           keep_mask(&filter->arena, t, rows);
}

static void put_set(struct fgi_bytes *key, const uint32_t *items, uint32_t count)
{
    fgi_put_u8(key, items != NULL);
    fgi_put_u32(key, count);
    for (uint32_t i = 0; i < count; i++) {
        fgi_put_u32(key, items[i]);
    }
}

static enum fg_result make_key(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_filter *filter)
{
    const struct fg_filter_terms *t = &filter->terms;
    struct fgi_bytes key = { .allocator = vulkan->allocator };
    fgi_put_text(&key, t->text ? t->text : "", t->text ? strlen(t->text) : 0);
    put_set(&key, t->names, t->name_count);
    put_set(&key, t->categories, t->category_count);
    put_set(&key, t->tracks, t->track_count);
    fgi_put_u32(&key, t->required_classes);
    fgi_put_u32(&key, t->excluded_classes);
    fgi_put_u32(&key, t->status_mask);
    fgi_put_u64(&key, t->min_duration_ns);
    fgi_put_u64(&key, t->max_duration_ns);
    fgi_put_u8(&key, t->has_frames);
    fgi_put_u32(&key, t->first_frame);
    fgi_put_u32(&key, t->end_frame);
    fgi_put_u8(&key, t->has_range);
    fgi_put_u64(&key, (uint64_t)t->start_ns);
    fgi_put_u64(&key, (uint64_t)t->end_ns);
    fgi_put_u64(&key, t->short_child_ns);
    fgi_put_u32(&key, t->similar_parent_percent);
    fgi_put_u8(&key, t->mask != NULL);
    for (size_t i = 0; i < ((size_t)t->mask_rows + 63) / 64; i++) {
        fgi_put_u64(&key, t->mask[i]);
    }
    enum fg_result result = key.result;
    if (result == FG_OK) {
        filter->key = fgi_arena_alloc(&filter->arena, key.size, 1);
        filter->key_size = key.size;
        result = filter->key ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result == FG_OK) {
        memcpy(filter->key, key.data, key.size);
    }
    fgi_bytes_finish(&key);
    return result;
}

/* ---- the list -------------------------------------------------------------------------------- */

struct fgi_gpu_filter *fgi_gpu_filter_find(const struct fgi_engine_vulkan *vulkan, uint32_t id)
{
    for (size_t i = 0; i < vulkan->filters.count; i++) {
        if (vulkan->filters.items[i]->id == id) {
            return vulkan->filters.items[i];
        }
    }
    return NULL;
}

static struct fgi_gpu_filter *find_equal(const struct fgi_engine_vulkan *vulkan,
                                         const struct fgi_gpu_filter *filter)
{
    for (size_t i = 0; i < vulkan->filters.count; i++) {
        struct fgi_gpu_filter *old = vulkan->filters.items[i];
        if (old->key_size == filter->key_size &&
            memcmp(old->key, filter->key, old->key_size) == 0) {
            return old;
        }
    }
    return NULL;
}

static void end(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_filter *filter)
{
    if (filter->device) {
        filter->device_end(vulkan, filter->device);
    }
    if (filter->host != 0) {
        (void)vulkan->host->ops->filter_destroy(vulkan->host, filter->host);
    }
    fgi_arena_finish(&filter->arena);
    fgi_free(vulkan->allocator, filter, sizeof *filter);
}

enum fg_result fgi_gpu_filter_make(struct fgi_engine_vulkan *vulkan,
                                   const struct fg_filter_terms *terms,
                                   struct fgi_gpu_filter **out_filter)
{
    struct fgi_gpu_filter *filter = fgi_calloc(vulkan->allocator, 1, sizeof *filter);
    if (!filter) {
        return FG_ERR_NO_MEMORY;
    }
    filter->arena.allocator = vulkan->allocator;
    filter->uses = 1;
    enum fg_result result = keep_terms(filter, terms, fgi_trace_rows(vulkan->engine.trace))
                                ? make_key(vulkan, filter)
                                : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        end(vulkan, filter);
        return result;
    }
    struct fgi_gpu_filter *old = find_equal(vulkan, filter);
    if (old) {
        old->uses++;
        end(vulkan, filter);
        filter = old;
    }
    *out_filter = filter;
    return FG_OK;
}

enum fg_result fgi_gpu_filter_add(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_filter **filter,
                                  struct fgi_gpu_filter **out_filter)
{
    struct fgi_gpu_filter *made = *filter;
    struct fgi_gpu_filter *old = find_equal(vulkan, made);
    *filter = NULL;
    if (old) { /* the same was made meanwhile */
        old->uses++;
        end(vulkan, made);
        *out_filter = old;
        return FG_OK;
    }
    enum fg_result result = FGI_GROW(vulkan->allocator, vulkan->filters.items,
                                     vulkan->filters.capacity, vulkan->filters.count + 1, SIZE_MAX);
    if (result != FG_OK) {
        end(vulkan, made);
        return result;
    }
    made->id = vulkan->next_filter++;
    vulkan->filters.items[vulkan->filters.count++] = made;
    *out_filter = made;
    return FG_OK;
}

void fgi_gpu_filter_drop(struct fgi_engine_vulkan *vulkan, struct fgi_gpu_filter *filter)
{
    if (!filter || --filter->uses > 0) {
        return;
    }
    for (size_t i = 0; i < vulkan->filters.count; i++) {
        if (vulkan->filters.items[i] == filter) {
            vulkan->filters.items[i] = vulkan->filters.items[--vulkan->filters.count];
            break;
        }
    }
    end(vulkan, filter);
}

void fgi_gpu_filters_finish(struct fgi_engine_vulkan *vulkan)
{
    for (size_t i = 0; i < vulkan->filters.count; i++) {
        end(vulkan, vulkan->filters.items[i]);
    }
    fgi_free(vulkan->allocator, vulkan->filters.items,
             vulkan->filters.capacity * sizeof *vulkan->filters.items);
}

enum fg_result fgi_vulkan_filter_destroy(struct fg_engine *engine, uint32_t id)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct fgi_gpu_filter *filter = fgi_gpu_filter_find(vulkan, id);
    fgi_gpu_filter_drop(vulkan, filter);
    return filter ? FG_OK : FG_ERR_NOT_FOUND;
}

/* ---- making one: on the device in one step, or by the host in its steps ---------------------- */

struct making {
    struct fgi_filter_work base;
    struct fgi_engine_vulkan *vulkan;
    struct fgi_gpu_filter *filter; /* one use of it is the work's, unless it is taken */
    struct fgi_filter_work *host;  /* NULL until the host is asked */
};

static void set_made(struct making *m)
{
    m->base.filter = m->filter->id;
    m->base.rows = m->filter->rows;
    m->base.work.stage = 1;
    m->base.work.is_done = true;
}

/* What is made is kept; the same may have been made meanwhile. */
static enum fg_result keep(struct making *m)
{
    enum fg_result result = fgi_gpu_filter_add(m->vulkan, &m->filter, &m->filter);
    if (result == FG_OK) {
        set_made(m);
    }
    return result;
}

static enum fg_result begin_host(struct making *m, const struct fgi_question *question)
{
    struct fg_engine *host = NULL;
    enum fg_result result = fgi_gpu_host(m->vulkan, &host);
    if (result == FG_OK) {
        result = host->ops->filter_begin(host, question, &m->filter->terms, &m->host);
    }
    m->base.work.total_rows = m->host ? m->host->work.total_rows : 0;
    return result;
}

static enum fg_result step_host(struct making *m, const struct fgi_question *question,
                                uint64_t max_rows)
{
    struct fgi_work *host = &m->host->work;
    enum fg_result result = host->is_done ? FG_OK : host->ops->step(host, question, max_rows);
    m->base.work.done_rows = host->done_rows;
    m->base.work.total_rows = host->total_rows;
    if (result == FG_OK && host->is_done) {
        m->host->is_taken = true;
        m->filter->host = m->host->filter;
        m->filter->rows = m->host->rows;
        result = keep(m);
    }
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct making *m = (struct making *)work;
    enum fg_result result = FG_OK;
    if (!m->host && fgi_gpu_ready(m->vulkan)) {
        if (fgi_question_cancelled(question)) {
            return FG_ERR_CANCELLED;
        }
        result = fgi_gpu_filter_fill(m->vulkan, m->filter);
        if (fgi_gpu_answered(m->vulkan, result)) {
            work->done_rows = work->total_rows;
            return result == FG_OK ? keep(m) : result;
        }
    }
    result = m->host ? FG_OK : begin_host(m, question);
    return result == FG_OK ? step_host(m, question, max_rows) : result;
}

static void destroy(struct fgi_work *work)
{
    struct making *m = (struct making *)work;
    if (!m->base.is_taken) {
        fgi_gpu_filter_drop(m->vulkan, m->filter);
    }
    fgi_work_destroy(m->host ? &m->host->work : NULL);
    fgi_free(m->vulkan->allocator, m, sizeof *m);
}

static const struct fgi_task_ops making_ops = { step, destroy };

enum fg_result fgi_vulkan_filter_begin(struct fg_engine *engine,
                                       const struct fgi_question *question,
                                       const struct fg_filter_terms *terms,
                                       struct fgi_filter_work **out_work)
{
    struct fgi_engine_vulkan *vulkan = fgi_vulkan(engine);
    struct making *m = fgi_calloc(vulkan->allocator, 1, sizeof *m);
    if (!m) {
        return FG_ERR_NO_MEMORY;
    }
    m->vulkan = vulkan;
    m->base.work =
        (struct fgi_work){ .ops = &making_ops, .kind = FGI_WORK_FILTER, .stage_count = 1 };
    enum fg_result result = fgi_gpu_filter_make(vulkan, terms, &m->filter);
    if (result == FG_OK && m->filter->id != 0) {
        set_made(m);
    } else if (result == FG_OK && fgi_gpu_ready(vulkan)) {
        m->base.work.total_rows = fgi_trace_rows(engine->trace);
    } else if (result == FG_OK) {
        result = begin_host(m, question);
    }
    if (result != FG_OK) {
        destroy(&m->base.work);
        return result;
    }
    *out_work = &m->base;
    return FG_OK;
}
