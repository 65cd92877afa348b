/* SPDX-License-Identifier: MIT */
#include "engine/cpu/selection.h"
#include "base/alloc.h"
#include "base/parallel.h"

/* Reading by lane costs about so many times as much per row as reading in stored order. */
#define LANE_READING_COST 4
/* Blocks of a step that more than one thread reads; they are held for so long. */
#define BLOCKS_AT_ONCE 64u
/* Fewer are read by one: a thread has to be worth its beginning. */
#define BLOCKS_TO_SHARE 8u

/* ---- what is meant --------------------------------------------------------------------------- */

static enum fg_result choose_lanes(struct fgi_chosen *chosen, const struct fgi_question *question,
                                   const struct fg_selection *s)
{
    const struct fg_trace *trace = chosen->cpu->engine.trace;
    size_t lanes = trace->lanes.count;
    size_t tracks = trace->tracks.count;
    if (!s->tracks && !s->lanes) {
        return FG_OK;
    }
    uint64_t *bits = fgi_arena_alloc(question->arena, lanes / 64 + 1, sizeof *bits);
    uint64_t *track_bits = fgi_arena_alloc(question->arena, tracks / 64 + 1, sizeof *track_bits);
    if (!bits || !track_bits) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; s->tracks && i < s->track_count; i++) {
        if (s->tracks[i] < tracks) {
            fgi_set_bit(track_bits, s->tracks[i]);
        }
    }
    for (uint32_t i = 0; s->lanes && i < s->lane_count; i++) {
        if (s->lanes[i] >= lanes) {
            return FG_ERR_NOT_FOUND;
        }
        fgi_set_bit(bits, s->lanes[i]);
    }
    for (uint32_t lane = 0; lane < lanes; lane++) {
        bool is_in = (!s->lanes || fgi_has_bit(bits, lane)) &&
                     (!s->tracks || fgi_has_bit(track_bits, trace->lanes.items[lane].track));
        bits[lane / 64] &= ~(UINT64_C(1) << (lane % 64));
        bits[lane / 64] |= (uint64_t)is_in << (lane % 64);
    }
    chosen->lanes = bits;
    return FG_OK;
}

const struct fgi_row_set *fgi_chosen_set(const struct fgi_chosen *chosen)
{
    return chosen->filter ? &chosen->filter->population.set : &chosen->cpu->all.set;
}

/*
 * Positions of a lane that may meet the range. Spans of one lane do not overlap: of those that
 * start before the range only the last can reach into it.
 */
static void lane_range(const struct fgi_chosen *chosen, struct fgi_cursor *cursor, uint32_t lane,
                       uint32_t *out_first, uint32_t *out_end)
{
    const struct fgi_row_set *set = fgi_chosen_set(chosen);
    uint32_t low = set->lane_first[lane];
    uint32_t high = set->lane_first[lane + 1];
    *out_first = low;
    *out_end = high;
    if (chosen->has_range && low < high) {
        uint32_t first = fgi_lower_bound(cursor, set->rows, low, high, chosen->start_ns);
        *out_end = fgi_lower_bound(cursor, set->rows, first, high, chosen->end_ns);
        *out_first = first > low ? first - 1 : first;
    }
}

/* By lane, when that looks at far fewer rows. */
static enum fg_result choose_way(struct fgi_chosen *chosen)
{
    const struct fg_trace *trace = chosen->cpu->engine.trace;
    uint32_t lanes = (uint32_t)trace->lanes.count;
    chosen->candidates = fgi_trace_rows(trace);
    uint64_t most = chosen->candidates / LANE_READING_COST;
    bool is_narrow = chosen->lanes || chosen->filter || chosen->has_range;
    if (!is_narrow || lanes > most / 64) { /* looking at the lanes is not free either */
        return FG_OK;
    }
    struct fgi_cursor cursor = fgi_trace_cursor(trace);
    uint64_t rows = 0;
    for (uint32_t lane = 0; lane < lanes && rows < most; lane++) {
        uint32_t first = 0;
        uint32_t end = 0;
        if (fgi_chosen_lane(chosen, lane)) {
            lane_range(chosen, &cursor, lane, &first, &end);
        }
        rows += end - first;
    }
    enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    if (rows < most) {
        chosen->is_by_lane = true;
        chosen->candidates = rows;
    }
    return result;
}

enum fg_result fgi_choose(struct fgi_engine_cpu *cpu, const struct fgi_question *question,
                          const struct fg_selection *s, struct fgi_chosen *out_chosen)
{
    *out_chosen = (struct fgi_chosen){
        .cpu = cpu,
        .start_ns = s->start_ns,
        .end_ns = s->end_ns,
        .has_range = s->start_ns != FG_TIME_MIN || s->end_ns != INT64_MAX,
        .has_frames = s->has_frames,
        .first_frame = s->first_frame,
        .end_frame = s->end_frame,
    };
    enum fg_result result = choose_lanes(out_chosen, question, s);
    if (result == FG_OK) {
        result = fgi_filter_hold(cpu, s->filter, &out_chosen->filter);
    }
    if (result == FG_OK) {
        result = choose_way(out_chosen);
        if (result != FG_OK) {
            fgi_chosen_finish(out_chosen);
        }
    }
    return result;
}

void fgi_chosen_finish(struct fgi_chosen *chosen)
{
    if (chosen->filter) {
        (void)fgi_cpu_filter_destroy(&chosen->cpu->engine, chosen->filter->id);
        chosen->filter = NULL;
    }
}

bool fgi_chosen_has(const struct fgi_chosen *chosen, const struct fgi_block *block, uint32_t i)
{
    if (chosen->filter && !fgi_has_bit(chosen->filter->bits, block->first_row + i)) {
        return false;
    }
    if (chosen->has_frames) {
        uint32_t frame = fgi_block_extra(block, FGI_COLUMN_FRAME, i);
        if (frame < chosen->first_frame || frame >= chosen->end_frame) {
            return false;
        }
    }
    return fgi_chosen_lane(chosen, block->lane[i]) &&
           (!chosen->has_range ||
            fgi_meets(block->start_ns[i], block->end_ns[i], chosen->start_ns, chosen->end_ns));
}

/* ---- reading --------------------------------------------------------------------------------- */

struct piece {
    const struct fgi_block *block;
    uint32_t first, end; /* items of the block */
};
struct pieces {
    const struct fgi_chosen *chosen;
    fgi_consume consume;
    void *context;
    struct piece items[BLOCKS_AT_ONCE];
    uint32_t count;
    enum fg_result results[FGI_READERS];
};

static enum fg_result read_piece(const struct pieces *p, const struct piece *piece, unsigned reader)
{
    const struct fgi_chosen *chosen = p->chosen;
    bool is_all = !chosen->filter && !chosen->lanes && !chosen->has_frames && !chosen->has_range;
    uint32_t items[FGI_BATCH_SPANS];
    enum fg_result result = FG_OK;
    for (uint32_t at = piece->first; at < piece->end && result == FG_OK;) {
        uint32_t left = piece->end - at;
        uint32_t end = at + (left < FGI_BATCH_SPANS ? left : FGI_BATCH_SPANS);
        uint32_t count = 0;
        for (; at < end; at++) {
            items[count] = at;
            count += is_all || fgi_chosen_has(chosen, piece->block, at);
        }
        if (count > 0) {
            result =
                p->consume(p->context, &(struct fgi_batch){ piece->block, items, count, reader });
        }
    }
    return result;
}

static void read_share(void *context, unsigned reader)
{
    struct pieces *p = context;
    for (uint32_t i = 0; i < p->count && p->results[reader] == FG_OK; i++) {
        if (p->items[i].block->index % FGI_READERS == reader) {
            p->results[reader] = read_piece(p, &p->items[i], reader);
        }
    }
}

static enum fg_result read_pieces(struct pieces *p, const struct fg_allocator *allocator)
{
    if (p->count >= BLOCKS_TO_SHARE) {
        fgi_parallel(allocator, FGI_READERS, read_share, p);
    } else {
        for (unsigned reader = 0; reader < FGI_READERS; reader++) {
            read_share(p, reader);
        }
    }
    for (unsigned reader = 0; reader < FGI_READERS; reader++) {
        if (p->results[reader] != FG_OK) {
            return p->results[reader];
        }
    }
    return FG_OK;
}

/* The next blocks, one at a time where they would have to be made again. */
static enum fg_result read_rows(struct fgi_reading *r, uint32_t end, struct pieces *p)
{
    struct fgi_block_store *store = r->chosen->cpu->engine.trace->store;
    uint32_t most = store->loader.load ? 1 : BLOCKS_AT_ONCE;
    enum fg_result result = FG_OK;
    uint32_t row = r->row;
    p->count = 0;
    while (row < end && p->count < most && result == FG_OK) {
        const struct fgi_block *block = NULL;
        result = fgi_blocks_acquire(store, row / FGI_BLOCK_SPANS, &block);
        if (result == FG_OK) {
            uint32_t left = end - block->first_row;
            uint32_t limit = left < block->count ? left : block->count;
            p->items[p->count++] = (struct piece){ block, row - block->first_row, limit };
            row = block->first_row + limit;
        }
    }
    if (result == FG_OK) {
        result = read_pieces(p, r->chosen->cpu->allocator);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        fgi_blocks_release(store, p->items[i].block);
    }
    r->row = row;
    return result;
}

/* Positions of one lane that lie in one block, at most `room`. */
static enum fg_result read_positions(struct fgi_reading *r, struct fgi_cursor *cursor,
                                     uint32_t room, struct pieces *p)
{
    const uint32_t *rows = fgi_chosen_set(r->chosen)->rows;
    uint32_t items[FGI_BATCH_SPANS];
    uint32_t count = 0;
    room = room < FGI_BATCH_SPANS ? room : FGI_BATCH_SPANS;
    if (!fgi_cursor_at(cursor, rows[r->position])) {
        return cursor->result;
    }
    for (; room > 0 && r->position < r->limit; room--, r->position++) {
        uint32_t i = rows[r->position] - cursor->first_row;
        if (i >= cursor->count) {
            break;
        }
        items[count] = i;
        count += fgi_chosen_has(r->chosen, cursor->block, i);
    }
    return count > 0 ? p->consume(p->context, &(struct fgi_batch){ cursor->block, items, count, 0 })
                     : FG_OK;
}

static enum fg_result read_lanes(struct fgi_reading *r, uint64_t max_rows, struct pieces *p,
                                 uint64_t *done)
{
    uint32_t lanes = (uint32_t)r->chosen->cpu->engine.trace->lanes.count;
    struct fgi_cursor cursor = fgi_trace_cursor(r->chosen->cpu->engine.trace);
    enum fg_result result = FG_OK;
    while (result == FG_OK && cursor.result == FG_OK && *done < max_rows && !r->is_done) {
        if (r->position < r->limit) {
            uint64_t left = max_rows - *done;
            uint32_t before = r->position;
            result = read_positions(r, &cursor, left < UINT32_MAX ? (uint32_t)left : UINT32_MAX, p);
            *done += r->position - before;
        } else if (r->lane < lanes) {
            if (fgi_chosen_lane(r->chosen, r->lane)) {
                lane_range(r->chosen, &cursor, r->lane, &r->position, &r->limit);
            }
            r->lane++;
        } else {
            r->is_done = true;
        }
    }
    result = result == FG_OK ? cursor.result : result;
    fgi_cursor_finish(&cursor);
    return result;
}

enum fg_result fgi_read_on(struct fgi_reading *r, const struct fgi_question *question,
                           uint64_t max_rows, fgi_consume consume, void *context,
                           uint64_t *done_rows)
{
    struct pieces p = { .chosen = r->chosen, .consume = consume, .context = context };
    uint32_t rows = fgi_trace_rows(r->chosen->cpu->engine.trace);
    uint64_t done = 0;
    enum fg_result result = FG_OK;
    if (r->chosen->is_by_lane) {
        result = read_lanes(r, max_rows, &p, &done);
    } else {
        uint32_t first = r->row;
        uint32_t end = max_rows < rows - first ? first + (uint32_t)max_rows : rows;
        while (r->row < end && result == FG_OK) {
            result = fgi_question_cancelled(question) ? FG_ERR_CANCELLED : read_rows(r, end, &p);
        }
        done = r->row - first;
        r->is_done = r->row == rows;
    }
    question->visits->spans += done;
    *done_rows += done;
    return result;
}
