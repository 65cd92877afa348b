/* SPDX-License-Identifier: MIT */
/*
 * Time buckets, one after the other. Lanes are in time order and their spans do not overlap, so
 * each lane has one position that moves on; what starts or ends inside a bucket is sorted and
 * swept.
 */
#include "base/alloc.h"
#include "base/radix.h"
#include "engine/cpu/selection.h"
#include "trace/task.h"

/* Starts and ends of spans inside one bucket, as distances from its start. */
struct edges {
    uint64_t *items;
    size_t count, capacity;
};
struct dividing {
    struct fgi_buckets_work base;
    struct fgi_engine_cpu *cpu;
    struct fgi_chosen chosen;
    uint32_t *positions; /* by lane: the first span that may reach into the next bucket */
    uint32_t lane_count, bucket_count, lanes;
    struct fg_bucket *buckets;
    uint32_t next;
    int64_t start, end;
    struct edges starts, ends, spare;
};

/* start + floor(i * (end - start) / count) */
static int64_t boundary(const struct dividing *d, uint32_t i)
{
    uint64_t width = fgi_duration(d->start, d->end);
    uint64_t whole = width / d->bucket_count;
    uint64_t rest = width % d->bucket_count;
    return (int64_t)((uint64_t)d->start + whole * i + rest * i / d->bucket_count);
}

static enum fg_result put(struct dividing *d, struct edges *edges, uint64_t distance)
{
    enum fg_result result = FGI_GROW(d->cpu->allocator, edges->items, edges->capacity,
                                     edges->count + 1, SIZE_MAX / sizeof(uint64_t));
    if (result == FG_OK) {
        edges->items[edges->count++] = distance;
    }
    return result;
}

static void add_part(struct fg_bucket *bucket, uint64_t part)
{
    bucket->is_saturated |= bucket->sum_ns > UINT64_MAX - part;
    bucket->sum_ns = bucket->is_saturated ? UINT64_MAX : bucket->sum_ns + part;
}

/* One span of which a part is in the bucket. */
static enum fg_result add_span(struct dividing *d, struct fg_bucket *bucket, int64_t start,
                               int64_t end)
{
    int64_t from = start > bucket->start_ns ? start : bucket->start_ns;
    int64_t to = end < bucket->end_ns ? end : bucket->end_ns;
    bucket->count++;
    bucket->starts += start >= bucket->start_ns;
    if (start == end) { /* it takes no time */
        return FG_OK;
    }
    add_part(bucket, fgi_duration(from, to));
    enum fg_result result = put(d, &d->starts, fgi_duration(bucket->start_ns, from));
    return result == FG_OK ? put(d, &d->ends, fgi_duration(bucket->start_ns, to)) : result;
}

/* Spans of one lane that meet the bucket; *seen counts what was looked at. */
static enum fg_result add_lane(struct dividing *d, struct fgi_cursor *cursor,
                               struct fg_bucket *bucket, uint32_t lane, uint64_t *seen)
{
    const struct fgi_row_set *set = fgi_chosen_set(&d->chosen);
    uint32_t limit = set->lane_first[lane + 1];
    uint32_t keep = d->positions[lane];
    enum fg_result result = FG_OK;
    for (uint32_t at = keep; at < limit && result == FG_OK; at++) {
        if (!fgi_cursor_at(cursor, set->rows[at])) {
            return cursor->result;
        }
        uint32_t i = set->rows[at] - cursor->first_row;
        int64_t start = cursor->block->start_ns[i];
        int64_t end = cursor->block->end_ns[i];
        if (start >= bucket->end_ns) {
            break;
        }
        (*seen)++;
        if (end <= bucket->end_ns) { /* nothing of it, or of what came before, is in the next one */
            keep = at + 1;
        }
        if (fgi_meets(start, end, bucket->start_ns, bucket->end_ns) &&
            fgi_chosen_has(&d->chosen, cursor->block, i)) {
            result = add_span(d, bucket, start, end);
        }
    }
    d->positions[lane] = keep;
    return result;
}

/* Union and largest number at one time; an end at a start's time comes first. */
static enum fg_result sweep(struct dividing *d, struct fg_bucket *bucket)
{
    size_t count = d->starts.count;
    enum fg_result result = FGI_GROW(d->cpu->allocator, d->spare.items, d->spare.capacity,
                                     count + 1, SIZE_MAX / sizeof(uint64_t));
    if (result != FG_OK) {
        return result;
    }
    fgi_radix_sort_u64(d->starts.items, d->spare.items, count);
    fgi_radix_sort_u64(d->ends.items, d->spare.items, count);
    size_t ended = 0;
    uint64_t since = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = d->starts.items[i];
        while (ended < i && d->ends.items[ended] <= at) {
            ended++;
            if (ended == i) {
                bucket->covered_ns += d->ends.items[ended - 1] - since;
            }
        }
        since = ended == i ? at : since;
        uint32_t open = (uint32_t)(i + 1 - ended);
        bucket->peak = open > bucket->peak ? open : bucket->peak;
    }
    bucket->covered_ns += count > 0 ? d->ends.items[count - 1] - since : 0;
    return FG_OK;
}

static void fill_capacity(const struct dividing *d, struct fg_bucket *bucket)
{
    uint64_t width = fgi_duration(bucket->start_ns, bucket->end_ns);
    bool fits = d->lanes == 0 || width <= UINT64_MAX / d->lanes;
    bucket->capacity_ns = fits ? width * d->lanes : UINT64_MAX;
    bucket->is_saturated |= !fits;
    bucket->idle_ns =
        bucket->capacity_ns > bucket->sum_ns ? bucket->capacity_ns - bucket->sum_ns : 0;
}

static enum fg_result fill_bucket(struct dividing *d, struct fgi_cursor *cursor, uint64_t *seen)
{
    struct fg_bucket *bucket = &d->buckets[d->next];
    enum fg_result result = FG_OK;
    *bucket =
        (struct fg_bucket){ .start_ns = boundary(d, d->next), .end_ns = boundary(d, d->next + 1) };
    d->starts.count = d->ends.count = 0;
    for (uint32_t lane = 0; lane < d->lane_count && result == FG_OK; lane++) {
        if (fgi_chosen_lane(&d->chosen, lane)) {
            result = add_lane(d, cursor, bucket, lane, seen);
        }
    }
    if (result == FG_OK) {
        result = sweep(d, bucket);
    }
    fill_capacity(d, bucket);
    d->next++;
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct dividing *d = (struct dividing *)work;
    struct fgi_cursor cursor = fgi_trace_cursor(d->cpu->engine.trace);
    enum fg_result result = FG_OK;
    uint64_t seen = 0;
    uint64_t of_last = 0;
    while (result == FG_OK && d->next < d->bucket_count &&
           (seen == 0 || (seen < max_rows && of_last <= max_rows - seen))) {
        uint64_t before = seen;
        result =
            fgi_question_cancelled(question) ? FG_ERR_CANCELLED : fill_bucket(d, &cursor, &seen);
        of_last = seen - before; /* the next one will be about as large */
    }
    fgi_cursor_finish(&cursor);
    question->visits->spans += seen;
    work->done_rows += seen;
    if (result == FG_OK && d->next == d->bucket_count) {
        work->total_rows = work->done_rows;
        work->stage = 1;
        work->is_done = true;
    }
    return result;
}

static void edges_finish(struct dividing *d, struct edges *edges)
{
    fgi_free(d->cpu->allocator, edges->items, edges->capacity * sizeof *edges->items);
}

static void dividing_destroy(struct fgi_work *work)
{
    struct dividing *d = (struct dividing *)work;
    fgi_free(d->cpu->allocator, d->positions, ((size_t)d->lane_count + 1) * sizeof(uint32_t));
    edges_finish(d, &d->starts);
    edges_finish(d, &d->ends);
    edges_finish(d, &d->spare);
    fgi_chosen_finish(&d->chosen);
    fgi_free(d->cpu->allocator, d, sizeof *d);
}

static const struct fgi_task_ops ops = { step, dividing_destroy };

/* Times of different clocks are only put side by side where the axis is theirs, or nearly. */
static enum fg_result check_clocks(const struct dividing *d)
{
    const struct fg_trace *trace = d->cpu->engine.trace;
    uint32_t clock = FG_NONE;
    bool is_nominal = false;
    for (uint32_t lane = 0; lane < d->lane_count; lane++) {
        const struct fgi_row_set *set = fgi_chosen_set(&d->chosen);
        if (!fgi_chosen_lane(&d->chosen, lane) ||
            set->lane_first[lane] == set->lane_first[lane + 1]) {
            continue;
        }
        uint32_t own = trace->tracks.items[trace->lanes.items[lane].track].clock;
        is_nominal |= trace->clocks.items[own].kind == FG_CLOCK_NOMINAL;
        if (clock != FG_NONE && clock != own && is_nominal) {
            return FG_ERR_CLOCK;
        }
        clock = clock == FG_NONE ? own : clock;
    }
    return FG_OK;
}

/* By lane: the last span that starts before the range; no earlier one can reach into it. */
static enum fg_result place_lanes(struct dividing *d)
{
    const struct fgi_row_set *set = fgi_chosen_set(&d->chosen);
    struct fgi_cursor cursor = fgi_trace_cursor(d->cpu->engine.trace);
    for (uint32_t lane = 0; lane < d->lane_count; lane++) {
        if (fgi_chosen_lane(&d->chosen, lane)) {
            uint32_t first = set->lane_first[lane];
            uint32_t at =
                fgi_lower_bound(&cursor, set->rows, first, set->lane_first[lane + 1], d->start);
            d->positions[lane] = at > first ? at - 1 : at;
            d->lanes++;
        }
    }
    enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    return result;
}

static enum fg_result begin(struct dividing *d, const struct fgi_question *question,
                            const struct fg_buckets_request *request)
{
    uint64_t width = fgi_duration(d->start, d->end);
    d->lane_count = (uint32_t)d->cpu->engine.trace->lanes.count;
    d->bucket_count = request->count < width ? request->count : (uint32_t)width;
    d->buckets = fgi_arena_alloc(question->arena, (size_t)d->bucket_count + 1, sizeof *d->buckets);
    d->positions = fgi_calloc(d->cpu->allocator, (size_t)d->lane_count + 1, sizeof(uint32_t));
    if (!d->buckets || !d->positions) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_choose(d->cpu, question, &request->selection, &d->chosen);
    if (result == FG_OK) {
        result = check_clocks(d);
    }
    if (result == FG_OK) {
        result = place_lanes(d);
    }
    d->lanes = request->lanes > 0 ? request->lanes : d->lanes;
    d->base.reply = (struct fg_buckets_reply){
        .buckets = d->buckets,
        .count = d->bucket_count,
        .lanes = d->lanes,
        .start_ns = d->start,
        .end_ns = d->end,
    };
    return result;
}

enum fg_result fgi_cpu_buckets_begin(struct fg_engine *engine, const struct fgi_question *question,
                                     const struct fg_buckets_request *request,
                                     struct fgi_buckets_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct dividing *d = fgi_calloc(cpu->allocator, 1, sizeof *d);
    if (!d) {
        return FG_ERR_NO_MEMORY;
    }
    d->cpu = cpu;
    d->start = request->selection.start_ns;
    d->end = request->selection.end_ns;
    enum fg_result result = begin(d, question, request);
    if (result != FG_OK) {
        dividing_destroy(&d->base.work);
        return result;
    }
    d->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_BUCKETS,
        .total_rows = d->chosen.candidates,
        .stage_count = 1,
    };
    *out_work = &d->base;
    return FG_OK;
}
