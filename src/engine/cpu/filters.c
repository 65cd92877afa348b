/* SPDX-License-Identifier: MIT */
/* Filters: a set of rows, made once, with lanes and bins of its own. */
#include "base/alloc.h"
#include "base/bytes.h"
#include "engine/cpu/engine_cpu_priv.h"
#include <string.h>

uint64_t *fgi_matching_names(const struct fg_trace *trace, struct fgi_arena *arena,
                             const char *text)
{
    uint32_t count = fg_trace_text_count(trace);
    uint64_t *bits = fgi_arena_alloc(arena, (size_t)count / 64 + 1, sizeof *bits);
    for (uint32_t id = 0; bits && id < count; id++) {
        if (fgi_text_contains(fg_trace_text(trace, id), text)) {
            fgi_set_bit(bits, id);
        }
    }
    return bits;
}

/* Terms with their lists turned into sets of bits, so that a row is judged in constant time. */
struct judge {
    const struct fg_filter_terms *terms;
    const uint64_t *text, *names, *categories, *tracks;
};

static bool make_set(struct fgi_arena *arena, const uint32_t *items, uint32_t count, uint32_t limit,
                     const uint64_t **out_bits)
{
    if (!items) {
        return true;
    }
    uint64_t *bits = fgi_arena_alloc(arena, (size_t)limit / 64 + 1, sizeof *bits);
    for (uint32_t i = 0; bits && i < count; i++) {
        if (items[i] < limit) {
            fgi_set_bit(bits, items[i]);
        }
    }
    *out_bits = bits;
    return bits != NULL;
}

static bool make_judge(const struct fg_trace *trace, struct fgi_arena *arena,
                       const struct fg_filter_terms *terms, struct judge *out_judge)
{
    uint32_t texts = fg_trace_text_count(trace);
    *out_judge = (struct judge){ .terms = terms };
    if (terms->text && terms->text[0]) {
        out_judge->text = fgi_matching_names(trace, arena, terms->text);
        if (!out_judge->text) {
            return false;
        }
    }
    return make_set(arena, terms->names, terms->name_count, texts, &out_judge->names) &&
           make_set(arena, terms->categories, terms->category_count, texts,
                    &out_judge->categories) &&
           make_set(arena, terms->tracks, terms->track_count, (uint32_t)trace->tracks.count,
                    &out_judge->tracks);
}

static bool passes(const struct judge *judge, const struct fg_trace *trace,
                   const struct fgi_block *block, uint32_t i)
{
    const struct fg_filter_terms *t = judge->terms;
    uint32_t classes = block->classes[i];
    uint64_t duration = fgi_duration(block->start_ns[i], block->end_ns[i]);
    if ((classes & t->required_classes) != t->required_classes ||
        (classes & t->excluded_classes) != 0 || duration < t->min_duration_ns ||
        (t->max_duration_ns > 0 && duration > t->max_duration_ns) ||
        (t->status_mask != 0 && !(t->status_mask >> block->status[i] & 1))) {
        return false;
    }
    if ((judge->text && !fgi_has_bit(judge->text, block->name[i])) ||
        (judge->names && !fgi_has_bit(judge->names, block->name[i]))) {
        return false;
    }
    if (judge->categories &&
        !fgi_has_bit(judge->categories, fgi_block_extra(block, FGI_COLUMN_CATEGORY, i))) {
        return false;
    }
    if (judge->tracks && !fgi_has_bit(judge->tracks, trace->lanes.items[block->lane[i]].track)) {
        return false;
    }
    if (t->has_frames) {
        uint32_t frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i);
        if (frame < t->first_frame || frame >= t->end_frame) { /* FG_NONE is never inside */
            return false;
        }
    }
    return !t->has_range || fgi_meets(block->start_ns[i], block->end_ns[i], t->start_ns, t->end_ns);
}

/* ---- one normal form for equal terms --------------------------------------------------------- */

static bool number_before(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

static void put_set(struct fgi_bytes *key, const struct fg_allocator *allocator,
                    struct fgi_arena *arena, const uint32_t *items, uint32_t count)
{
    fgi_put_u8(key, items != NULL);
    if (!items || count == 0) {
        fgi_put_u32(key, 0);
        return;
    }
    uint32_t *sorted = fgi_arena_alloc(arena, count, sizeof *sorted);
    if (!sorted) {
        key->result = FG_ERR_NO_MEMORY;
        return;
    }
    memcpy(sorted, items, count * sizeof *sorted);
    enum fg_result result = fgi_sort_u32(allocator, sorted, count, number_before, NULL);
    key->result = key->result != FG_OK ? key->result : result;
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            sorted[distinct++] = sorted[i];
        }
    }
    fgi_put_u32(key, distinct);
    for (uint32_t i = 0; i < distinct; i++) {
        fgi_put_u32(key, sorted[i]);
    }
}

static void put_terms(struct fgi_bytes *key, const struct fg_allocator *allocator,
                      struct fgi_arena *arena, const struct fg_filter_terms *t)
{
    const char *text = t->text ? t->text : "";
    fgi_put_u32(key, (uint32_t)strlen(text));
    for (; *text; text++) {
        fgi_put_u8(key, (uint8_t)fgi_ascii_lower(*text));
    }
    put_set(key, allocator, arena, t->names, t->name_count);
    put_set(key, allocator, arena, t->categories, t->category_count);
    put_set(key, allocator, arena, t->tracks, t->track_count);
    fgi_put_u32(key, t->required_classes);
    fgi_put_u32(key, t->excluded_classes);
    fgi_put_u32(key, t->status_mask);
    fgi_put_u64(key, t->min_duration_ns);
    fgi_put_u64(key, t->max_duration_ns);
    fgi_put_u8(key, t->has_frames);
    fgi_put_u32(key, t->has_frames ? t->first_frame : 0);
    fgi_put_u32(key, t->has_frames ? t->end_frame : 0);
    fgi_put_u8(key, t->has_range);
    fgi_put_u64(key, t->has_range ? (uint64_t)t->start_ns : 0);
    fgi_put_u64(key, t->has_range ? (uint64_t)t->end_ns : 0);
}

/* ---- filter objects -------------------------------------------------------------------------- */

static size_t bit_words(const struct fgi_engine_cpu *cpu)
{
    return fgi_trace_rows(cpu->engine.trace) / 64 + 1;
}

static void filter_destroy(struct fgi_engine_cpu *cpu, struct fgi_cpu_filter *filter)
{
    const struct fg_allocator *allocator = cpu->allocator;
    size_t lanes = cpu->engine.trace->lanes.count;
    fgi_population_finish(cpu, &filter->population);
    fgi_free(allocator, filter->key, filter->key_size);
    fgi_free(allocator, filter->bits, bit_words(cpu) * sizeof *filter->bits);
    fgi_free(allocator, filter->rows, ((size_t)filter->row_count + 1) * sizeof *filter->rows);
    fgi_free(allocator, filter->lane_first, (lanes + 1) * sizeof *filter->lane_first);
    fgi_free(allocator, filter, sizeof *filter);
}

void fgi_filters_finish(struct fgi_engine_cpu *cpu)
{
    for (size_t i = 0; i < cpu->filters.count; i++) {
        filter_destroy(cpu, cpu->filters.items[i]);
    }
    fgi_free(cpu->allocator, cpu->filters.items,
             cpu->filters.capacity * sizeof *cpu->filters.items);
}

static enum fg_result judge_rows(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                 const struct judge *judge, struct fgi_cpu_filter *filter)
{
    const struct fg_trace *trace = cpu->engine.trace;
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    enum fg_result result = FG_OK;
    for (uint32_t row = 0; row < fgi_trace_rows(trace) && result == FG_OK; row++) {
        if (row % 65536 == 0 && fgi_question_cancelled(question)) {
            result = FG_ERR_CANCELLED;
        } else if (!fgi_cursor_at(&cursor, row)) {
            result = cursor.result;
        } else if (passes(judge, trace, cursor.block, row - cursor.first_row)) {
            fgi_set_bit(filter->bits, row);
            filter->row_count++;
        }
    }
    fgi_cursor_finish(&cursor);
    return result;
}

static enum fg_result gather_lanes(struct fgi_engine_cpu *cpu, struct fgi_cpu_filter *filter)
{
    const struct fg_trace *trace = cpu->engine.trace;
    size_t lanes = trace->lanes.count;
    filter->rows =
        fgi_malloc(cpu->allocator, ((size_t)filter->row_count + 1) * sizeof *filter->rows);
    filter->lane_first = fgi_malloc(cpu->allocator, (lanes + 1) * sizeof *filter->lane_first);
    if (!filter->rows || !filter->lane_first) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t count = 0;
    for (size_t lane = 0; lane < lanes; lane++) {
        filter->lane_first[lane] = count;
        for (uint32_t i = trace->lane_first[lane]; i < trace->lane_first[lane + 1]; i++) {
            if (fgi_has_bit(filter->bits, trace->lane_rows[i])) {
                filter->rows[count++] = trace->lane_rows[i];
            }
        }
    }
    filter->lane_first[lanes] = count;
    filter->population.set = (struct fgi_row_set){ filter->rows, filter->lane_first };
    return FG_OK;
}

static enum fg_result filter_make(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                                  const struct fg_filter_terms *terms, const struct fgi_bytes *key,
                                  struct fgi_cpu_filter **out_filter)
{
    struct judge judge;
    if (!make_judge(cpu->engine.trace, question->arena, terms, &judge)) {
        return FG_ERR_NO_MEMORY;
    }
    struct fgi_cpu_filter *filter = fgi_calloc(cpu->allocator, 1, sizeof *filter);
    if (!filter) {
        return FG_ERR_NO_MEMORY;
    }
    filter->bits = fgi_calloc(cpu->allocator, bit_words(cpu), sizeof *filter->bits);
    filter->key = fgi_malloc(cpu->allocator, key->size);
    filter->key_size = key->size;
    enum fg_result result =
        filter->bits && filter->key ? judge_rows(cpu, question, &judge, filter) : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        memcpy(filter->key, key->data, key->size);
        result = gather_lanes(cpu, filter);
    }
    if (result == FG_OK) {
        result = FGI_GROW(cpu->allocator, cpu->filters.items, cpu->filters.capacity,
                          cpu->filters.count + 1, FG_NONE - 1);
    }
    if (result != FG_OK) {
        filter_destroy(cpu, filter);
        return result;
    }
    filter->id = ++cpu->next_filter;
    cpu->filters.items[cpu->filters.count++] = filter;
    *out_filter = filter;
    return FG_OK;
}

enum fg_result fgi_cpu_filter_create(struct fg_engine *engine, const struct fgi_question *question,
                                     const struct fg_filter_terms *terms, uint32_t *out_filter,
                                     uint32_t *out_rows)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct fgi_bytes key = { .allocator = cpu->allocator };
    struct fgi_cpu_filter *filter = NULL;
    put_terms(&key, cpu->allocator, question->arena, terms);
    enum fg_result result = key.result;
    for (size_t i = 0; i < cpu->filters.count && result == FG_OK && !filter; i++) {
        struct fgi_cpu_filter *old = cpu->filters.items[i];
        if (old->key_size == key.size && memcmp(old->key, key.data, key.size) == 0) {
            filter = old;
        }
    }
    if (result == FG_OK && !filter) {
        result = filter_make(cpu, question, terms, &key, &filter);
    }
    fgi_bytes_finish(&key);
    if (result == FG_OK) {
        filter->uses++;
        *out_filter = filter->id;
        *out_rows = filter->row_count;
    }
    return result;
}

enum fg_result fgi_cpu_filter_destroy(struct fg_engine *engine, uint32_t id)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    for (size_t i = 0; i < cpu->filters.count; i++) {
        struct fgi_cpu_filter *filter = cpu->filters.items[i];
        if (filter->id != id) {
            continue;
        }
        if (--filter->uses == 0) {
            cpu->filters.items[i] = cpu->filters.items[--cpu->filters.count];
            filter_destroy(cpu, filter);
        }
        return FG_OK;
    }
    return FG_ERR_NOT_FOUND;
}

enum fg_result fgi_filter_find(struct fgi_engine_cpu *cpu, uint32_t id,
                               struct fgi_population **out_population, const uint64_t **out_bits)
{
    *out_population = &cpu->all;
    *out_bits = NULL;
    if (id == 0) {
        return FG_OK;
    }
    for (size_t i = 0; i < cpu->filters.count; i++) {
        if (cpu->filters.items[i]->id == id) {
            *out_population = &cpu->filters.items[i]->population;
            *out_bits = cpu->filters.items[i]->bits;
            return FG_OK;
        }
    }
    return FG_ERR_NOT_FOUND;
}
