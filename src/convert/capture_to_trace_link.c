/* SPDX-License-Identifier: MIT */
/* Dependencies: what a capture says, and what its semaphores mean. */
#include "base/alloc.h"
#include "convert/capture_to_trace_lists.h"

void fgi_convert_ref_run(struct fgi_conversion *c, uint32_t kind, uint64_t a, uint64_t first_b,
                         uint32_t first_row, uint32_t count)
{
    struct fgi_ref_range *last = c->refs.count > 0 ? &c->refs.items[c->refs.count - 1] : NULL;
    if (last && last->kind == kind && last->a == a && last->first_row != FG_NONE &&
        last->first_b + last->count == first_b && last->first_row + last->count == first_row) {
        last->count += count;
        return;
    }
    (void)FGI_PUT(c, c->refs, (struct fgi_ref_range){ kind, a, first_b, count, 0, first_row });
}

void fgi_convert_refs(struct fgi_conversion *c, uint32_t kind, uint64_t a, uint64_t first_b,
                      const uint32_t *rows, uint32_t count)
{
    size_t offset = c->backing->ref_rows.count;
    for (uint32_t i = 0; i < count; i++) {
        (void)FGI_PUT(c, c->backing->ref_rows, rows[i]);
    }
    (void)FGI_PUT(c, c->refs, (struct fgi_ref_range){ kind, a, first_b, count, offset, FG_NONE });
}

static bool ref_before(void *context, uint32_t x, uint32_t y)
{
    const struct fgi_ref_range *refs = context;
    if (refs[x].kind != refs[y].kind) {
        return refs[x].kind < refs[y].kind;
    }
    return refs[x].a != refs[y].a ? refs[x].a < refs[y].a : refs[x].first_b < refs[y].first_b;
}

/* Row of a reference; FG_NONE when it leads nowhere. `order`: ranges by kind, a, first_b. */
static uint32_t resolve(const struct fgi_conversion *c, const uint32_t *order,
                        const struct fg_cap_ref *ref)
{
    size_t low = 0, high = c->refs.count;
    while (low < high) { /* first range that begins after the reference */
        size_t middle = low + (high - low) / 2;
        const struct fgi_ref_range *range = &c->refs.items[order[middle]];
        bool after = range->kind != ref->kind ? range->kind > ref->kind
                     : range->a != ref->a     ? range->a > ref->a
                                              : range->first_b > ref->b;
        if (after) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low == 0) {
        return FG_NONE;
    }
    const struct fgi_ref_range *range = &c->refs.items[order[low - 1]];
    if (range->kind != ref->kind || range->a != ref->a || ref->b - range->first_b >= range->count) {
        return FG_NONE;
    }
    size_t at = (size_t)(ref->b - range->first_b);
    return range->first_row != FG_NONE ? range->first_row + (uint32_t)at
                                       : c->backing->ref_rows.items[range->offset + at];
}

static uint32_t family_of(uint32_t family)
{
    switch (family) {
    case FG_CAP_DEPENDENCY_SUBMIT:
        return FG_DEPENDENCY_SUBMIT;
    case FG_CAP_DEPENDENCY_SEMAPHORE:
        return FG_DEPENDENCY_SEMAPHORE;
    case FG_CAP_DEPENDENCY_FLOW:
        return FG_DEPENDENCY_FLOW;
    case FG_CAP_DEPENDENCY_RESOURCE:
    case FG_CAP_DEPENDENCY_BARRIER:
        return FG_DEPENDENCY_DATA;
    case FG_CAP_DEPENDENCY_FENCE:
        return FG_DEPENDENCY_FENCE;
    case FG_CAP_DEPENDENCY_QUEUE:
        return FG_DEPENDENCY_QUEUE;
    default:
        return FG_DEPENDENCY_OTHER;
    }
}

static void add(struct fgi_conversion *c, uint32_t source, uint32_t target, uint32_t family,
                uint32_t flags)
{
    if (source == FG_NONE || target == FG_NONE) {
        fgi_builder_repair(c->builder, "dependency_without_span", 1, UINT64_MAX);
        return;
    }
    fgi_builder_dependency(c->builder,
                           &(struct fg_trace_dependency){ source, target, family, flags });
}

/* ---- semaphores ------------------------------------------------------------------------------ */

static bool semaphore_before(void *context, uint32_t x, uint32_t y)
{
    const struct fgi_semaphore_use *uses = context;
    const struct fgi_semaphore_use *a = &uses[x];
    const struct fgi_semaphore_use *b = &uses[y];
    if (a->id != b->id) {
        return a->id < b->id;
    }
    if (a->frame != b->frame) {
        return a->frame < b->frame;
    }
    /* A submission waits before it signals. */
    return a->submission != b->submission ? a->submission < b->submission
                                          : !a->is_signal && b->is_signal;
}

static const struct fgi_submission_rows *rows_of(const struct fgi_conversion *c,
                                                 const struct fgi_map64 *by_key,
                                                 const struct fgi_semaphore_use *use)
{
    uint32_t i = 0;
    uint64_t key = (uint64_t)use->frame << 32 | use->submission;
    return fgi_map64_get(by_key, key, &i) ? &c->submissions.items[i] : NULL;
}

static void link_uses(struct fgi_conversion *c, const struct fgi_map64 *by_key,
                      const struct fgi_semaphore_use *signal, const struct fgi_semaphore_use *wait)
{
    const struct fgi_submission_rows *from = rows_of(c, by_key, signal);
    const struct fgi_submission_rows *to = rows_of(c, by_key, wait);
    /* Submissions without timed passes are common (present, uploads): there is nothing to draw. */
    if (from && to && from->last_row != FG_NONE && to->first_row != FG_NONE) {
        add(c, from->last_row, to->first_row, FG_DEPENDENCY_SEMAPHORE, 0);
    }
}

/*
 * Uses of one semaphore in submission order. A binary one (value 0) pairs a wait with the last
 * signal before it that nobody took. A timeline wait is met by the first signal that reaches its
 * value, wherever it was submitted.
 */
static void link_semaphore(struct fgi_conversion *c, const struct fgi_map64 *by_key,
                           const uint32_t *order, size_t first, size_t end)
{
    const struct fgi_semaphore_use *uses = c->semaphores.items;
    uint32_t free_signal = FG_NONE;
    for (size_t i = first; i < end; i++) {
        const struct fgi_semaphore_use *use = &uses[order[i]];
        if (use->is_signal) {
            free_signal = use->value == 0 ? order[i] : free_signal;
        } else if (use->value == 0) {
            if (free_signal != FG_NONE) {
                link_uses(c, by_key, &uses[free_signal], use);
                free_signal = FG_NONE;
            }
        } else {
            /* Values rise along the timeline: the nearest signals are looked at first. */
            size_t best = end;
            for (size_t k = i; k-- > first;) {
                const struct fgi_semaphore_use *signal = &uses[order[k]];
                if (signal->is_signal && signal->value < use->value) {
                    break;
                }
                best = signal->is_signal ? k : best;
            }
            for (size_t k = i + 1; k < end && best == end; k++) {
                const struct fgi_semaphore_use *signal = &uses[order[k]];
                best = signal->is_signal && signal->value >= use->value ? k : best;
            }
            if (best < end) {
                link_uses(c, by_key, &uses[order[best]], use);
            }
        }
    }
}

static void link_semaphores(struct fgi_conversion *c, const struct fgi_map64 *by_key)
{
    size_t count = c->semaphores.count;
    if (count == 0) {
        return;
    }
    uint32_t *order = fgi_malloc(c->allocator, count * sizeof *order);
    if (!order) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    fgi_builder_fail(c->builder, fgi_sort_u32(c->allocator, order, count, semaphore_before,
                                              c->semaphores.items));
    for (size_t first = 0; first < count;) {
        size_t end = first + 1;
        while (end < count &&
               c->semaphores.items[order[end]].id == c->semaphores.items[order[first]].id) {
            end++;
        }
        link_semaphore(c, by_key, order, first, end);
        first = end;
    }
    fgi_free(c->allocator, order, count * sizeof *order);
}

/*
 * Blocks have rising numbers, so that the ranges of their spans are in order as they come; a search
 * begins where the last one ended. FG_NONE: not there, so far.
 */
static uint32_t block_row(const struct fgi_conversion *c, size_t *at, uint32_t block,
                          uint32_t index)
{
    const struct fgi_ref_range *refs = c->refs.items;
    size_t i = *at;
    bool hit = i < c->refs.count && refs[i].a == block && index >= refs[i].first_b &&
               index - refs[i].first_b < refs[i].count;
    if (!hit && c->refs.count > 0) { /* numbers without gaps lead straight there */
        i = block - refs[0].a < c->refs.count ? (size_t)(block - refs[0].a) : 0;
        hit = refs[i].a == block && index >= refs[i].first_b &&
              index - refs[i].first_b < refs[i].count;
    }
    if (!hit) {
        size_t low = 0, high = c->refs.count;
        while (low < high) { /* first range that begins after */
            size_t middle = low + (high - low) / 2;
            bool after =
                refs[middle].a != block ? refs[middle].a > block : refs[middle].first_b > index;
            high = after ? middle : high;
            low = after ? low : middle + 1;
        }
        i = low - 1;
        if (low == 0 || refs[i].a != block || index - refs[i].first_b >= refs[i].count) {
            return FG_NONE;
        }
    }
    *at = i;
    return refs[i].first_row + (uint32_t)(index - refs[i].first_b);
}

/* All that is there to refer to so far are spans of blocks, in order. */
static bool refs_are_blocks(struct fgi_conversion *c)
{
    for (; c->refs_checked < c->refs.count; c->refs_checked++) {
        const struct fgi_ref_range *range = &c->refs.items[c->refs_checked];
        const struct fgi_ref_range *before = range - 1;
        if (range->kind != FG_CAP_REF_BLOCK_SPAN || range->first_row == FG_NONE ||
            (c->refs_checked > 0 &&
             (before->a > range->a ||
              (before->a == range->a && before->first_b + before->count > range->first_b)))) {
            return false; /* and remains so */
        }
    }
    return true;
}

/* Kept until all rows are there. */
static void keep_links(struct fgi_conversion *c, const struct fgi_link_columns *from,
                       uint32_t first)
{
    for (uint32_t i = first; i < from->count; i++) {
        (void)FGI_PUT(c, c->dependencies,
                      (struct fg_cap_dependency){
                          .from = { .a = from->from_block[i], .b = from->from_index[i] },
                          .to = { .a = from->to_block[i], .b = from->to_index[i] },
                          .family = from->family[i],
                          .flags = from->flags[i] });
    }
}

void fgi_convert_link_columns(struct fgi_conversion *c, const struct fgi_link_columns *from)
{
    uint32_t done = 0;
    /* The order stays that of the file: behind one that has to wait all others wait. */
    if (c->dependencies.count == 0 && refs_are_blocks(c)) {
        size_t from_at = 0, to_at = 0;
        for (; done < from->count; done++) {
            uint32_t source =
                block_row(c, &from_at, from->from_block[done], from->from_index[done]);
            uint32_t target = block_row(c, &to_at, from->to_block[done], from->to_index[done]);
            if (source == FG_NONE || target == FG_NONE) {
                break; /* it may come yet */
            }
            from->from_block[done] = source;
            from->to_block[done] = target;
            from->family[done] = family_of(from->family[done]);
        }
        fgi_builder_links(c->builder, &(struct fgi_links_in){ .count = done,
                                                              .source = from->from_block,
                                                              .target = from->to_block,
                                                              .family = from->family,
                                                              .flags = from->flags });
    }
    keep_links(c, from, done);
}

static void place_lists(struct fgi_conversion *c, const uint32_t *order)
{
    size_t count = c->arg_lists.count;
    uint32_t *rows = fgi_malloc(c->allocator, (count + 1) * sizeof *rows);
    if (!rows) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i] = resolve(c, order, &c->arg_lists.items[i].owner);
    }
    fgi_convert_place_lists(c, rows);
    fgi_free(c->allocator, rows, (count + 1) * sizeof *rows);
}

/* What the capture names by reference: dependencies, and arguments that came apart from spans. */
static void link_recorded(struct fgi_conversion *c)
{
    size_t count = c->refs.count;
    if (c->dependencies.count == 0 && c->arg_lists.count == 0) {
        return;
    }
    uint32_t *order = fgi_malloc(c->allocator, (count + 1) * sizeof *order);
    if (!order) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    fgi_builder_fail(c->builder,
                     fgi_sort_u32(c->allocator, order, count, ref_before, c->refs.items));
    for (size_t i = 0; i < c->dependencies.count; i++) {
        const struct fg_cap_dependency *d = &c->dependencies.items[i];
        add(c, resolve(c, order, &d->from), resolve(c, order, &d->to), family_of(d->family),
            d->flags);
    }
    place_lists(c, order);
    fgi_free(c->allocator, order, (count + 1) * sizeof *order);
}

void fgi_convert_links(struct fgi_conversion *c)
{
    struct fgi_map64 by_key = { .allocator = c->allocator };
    for (uint32_t i = 0; i < c->submissions.count; i++) {
        const struct fgi_submission_rows *rows = &c->submissions.items[i];
        uint64_t key = (uint64_t)rows->frame << 32 | rows->submission;
        fgi_builder_fail(c->builder, fgi_map64_put(&by_key, key, i));
        fgi_convert_refs(c, FG_CAP_REF_SUBMISSION, c->backing->trace->frames.items[rows->frame].id,
                         rows->submission, &rows->last_row, 1);
        uint32_t frame_row = c->backing->frames.items[rows->frame].frame_row;
        if (rows->first_row != FG_NONE && frame_row != FG_NONE) {
            add(c, frame_row, rows->first_row, FG_DEPENDENCY_SUBMIT, 0);
        }
    }
    link_semaphores(c, &by_key);
    link_recorded(c);
    fgi_map64_finish(&by_key);
}
