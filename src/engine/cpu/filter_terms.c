/* SPDX-License-Identifier: MIT */
/* The terms of a filter: judging a row by them, and one normal form for equal ones. */
#include "engine/cpu/filter_terms.h"
#include "base/bytes.h"
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

bool fgi_judge_make(const struct fg_trace *trace, struct fgi_arena *arena,
                    const struct fg_filter_terms *terms, struct fgi_judge *out_judge)
{
    uint32_t texts = fg_trace_text_count(trace);
    *out_judge = (struct fgi_judge){ .terms = *terms };
    if (terms->text && terms->text[0]) {
        out_judge->text = fgi_matching_names(trace, arena, terms->text);
        if (!out_judge->text) {
            return false;
        }
    }
    if (terms->mask) {
        uint32_t rows = fgi_trace_rows(trace);
        out_judge->mask_rows = terms->mask_rows < rows ? terms->mask_rows : rows;
        size_t words = (size_t)out_judge->mask_rows / 64 + 1;
        uint64_t *mask = fgi_arena_alloc(arena, words, sizeof *mask);
        if (!mask) {
            return false;
        }
        memcpy(mask, terms->mask, ((size_t)out_judge->mask_rows + 63) / 64 * sizeof *mask);
        mask[words - 1] &= (UINT64_C(1) << (out_judge->mask_rows % 64)) - 1;
        out_judge->mask = mask;
    }
    return make_set(arena, terms->names, terms->name_count, texts, &out_judge->names) &&
           make_set(arena, terms->categories, terms->category_count, texts,
                    &out_judge->categories) &&
           make_set(arena, terms->tracks, terms->track_count, (uint32_t)trace->tracks.count,
                    &out_judge->tracks);
}

static bool is_in_sets(const struct fgi_judge *judge, const struct fg_trace *trace,
                       const struct fgi_block *block, uint32_t i)
{
    uint32_t row = block->first_row + i;
    if ((judge->mask && (row >= judge->mask_rows || !fgi_has_bit(judge->mask, row))) ||
        (judge->similar && fgi_has_bit(judge->similar, row))) {
        return false;
    }
    if ((judge->text && !fgi_has_bit(judge->text, fgi_block_name(block, i))) ||
        (judge->names && !fgi_has_bit(judge->names, fgi_block_name(block, i)))) {
        return false;
    }
    if (judge->categories && !fgi_has_bit(judge->categories, fgi_block_category(block, i))) {
        return false;
    }
    return !judge->tracks || fgi_has_bit(judge->tracks, trace->lanes.items[block->lane[i]].track);
}

bool fgi_judge_passes(const struct fgi_judge *judge, const struct fg_trace *trace,
                      const struct fgi_block *block, uint32_t i)
{
    const struct fg_filter_terms *t = &judge->terms;
    uint32_t classes = fgi_block_classes(block, i);
    uint64_t duration = fgi_duration(block->start_ns[i], block->end_ns[i]);
    if ((classes & t->required_classes) != t->required_classes ||
        (classes & t->excluded_classes) != 0 || duration < t->min_duration_ns ||
        (t->max_duration_ns > 0 && duration > t->max_duration_ns) ||
        (t->status_mask != 0 && !(t->status_mask >> fgi_block_status(block, i) & 1)) ||
        (t->short_child_ns > 0 && duration <= t->short_child_ns && block->parent[i] != FG_NONE)) {
        return false;
    }
    if (t->has_frames) {
        uint32_t frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i);
        if (frame < t->first_frame || frame >= t->end_frame) { /* FG_NONE is never inside */
            return false;
        }
    }
    return is_in_sets(judge, trace, block, i) &&
           (!t->has_range ||
            fgi_meets(block->start_ns[i], block->end_ns[i], t->start_ns, t->end_ns));
}

bool fgi_is_similar(uint64_t parent_ns, uint64_t child_ns, uint32_t percent)
{
    uint64_t difference = parent_ns > child_ns ? parent_ns - child_ns : child_ns - parent_ns;
    /* percent of the parent, rounded down, without a product that overflows */
    return difference <= parent_ns / 100 * percent + parent_ns % 100 * percent / 100;
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

/* Bits that are set: what is behind the last one does not matter. */
static void put_mask(struct fgi_bytes *key, const struct fgi_judge *judge)
{
    size_t words = judge->mask ? (size_t)judge->mask_rows / 64 + 1 : 0;
    while (words > 0 && judge->mask[words - 1] == 0) {
        words--;
    }
    fgi_put_u8(key, judge->mask != NULL);
    for (size_t i = 0; i < words; i++) {
        fgi_put_u64(key, judge->mask[i]);
    }
}

void fgi_judge_put_key(struct fgi_bytes *key, const struct fg_allocator *allocator,
                       struct fgi_arena *arena, const struct fgi_judge *judge)
{
    const struct fg_filter_terms *t = &judge->terms;
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
    fgi_put_u64(key, t->short_child_ns);
    fgi_put_u32(key, t->similar_parent_percent);
    put_mask(key, judge);
}
