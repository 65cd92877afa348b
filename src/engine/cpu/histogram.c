/* SPDX-License-Identifier: MIT */
/* Histograms: bins are found by integers alone, the domain by a reading of its own when none is
 * given. */
#include "base/alloc.h"
#include "engine/cpu/groups.h"
#include "trace/task.h"

enum { LOG_BINS = 65 };

/* What one reader has counted. */
struct tally {
    uint64_t *counts;
    uint64_t below, above, measured, unfinished, unmeasured;
    uint64_t low, high; /* of the values; low > high: there are none */
};
struct counting {
    struct fgi_histogram_work base;
    struct fgi_engine_cpu *cpu;
    struct fgi_chosen chosen;
    struct fgi_reading reading;
    struct fgi_grouping_rule rule;
    uint32_t scale, bins;
    bool has_domain, is_counting; /* otherwise the domain is looked for */
    uint64_t low, high;
    uint64_t *
        firsts; /* linear and edges: first value of each bin, ascending; in the question's memory */
    struct tally tallies[FGI_READERS];
};

static void find_domain(struct tally *t, uint64_t value)
{
    t->low = value < t->low ? value : t->low;
    t->high = value > t->high ? value : t->high;
}

/* The last bin that begins at or below the value. */
static uint32_t bin_of(const struct counting *c, uint64_t value)
{
    if (c->scale == FG_HISTOGRAM_LOG2) {
        uint32_t bin = 0;
        for (; value > 0; value >>= 1) {
            bin++;
        }
        return bin;
    }
    uint32_t low = 0;
    uint32_t high = c->bins;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (c->firsts[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static enum fg_result see(void *context, const struct fgi_batch *batch)
{
    struct counting *c = context;
    struct tally *t = &c->tallies[batch->reader];
    for (uint32_t k = 0; k < batch->count; k++) {
        uint32_t i = batch->items[k];
        uint64_t value = 0;
        bool is_open = fgi_is_unfinished(fgi_block_status(batch->block, i));
        bool has_value =
            !is_open && fgi_measure(c->cpu, &c->rule, &c->chosen, batch->block, i, &value);
        if (!c->is_counting) {
            if (has_value) {
                find_domain(t, value);
            }
            continue;
        }
        t->unfinished += is_open;
        t->unmeasured += !is_open && !has_value;
        if (has_value) {
            t->measured++;
            t->below += value < c->low;
            t->above += value > c->high;
            if (value >= c->low && value <= c->high) {
                t->counts[bin_of(c, value)]++;
            }
        }
    }
    return FG_OK;
}

/* ceil(i * width / bins): a product of 96 bits, divided digit by digit. */
static uint64_t part_up(uint64_t width, uint32_t i, uint32_t bins)
{
    uint64_t low = (width & UINT32_MAX) * i;
    uint64_t high = (width >> 32) * i + (low >> 32);
    uint64_t quotient = high / bins << 32;
    uint64_t rest = high % bins << 32 | (low & UINT32_MAX);
    return quotient + rest / bins + (rest % bins > 0);
}

/* Equal widths: the value v is in bin i where floor((v - low) * bins / (high - low)) is i. */
static void lay_out_bins(struct counting *c)
{
    if (c->high - c->low < c->bins - 1) { /* a bin is at least one number wide */
        c->bins = (uint32_t)(c->high - c->low) + 1;
    }
    for (uint32_t i = 0; i < c->bins; i++) {
        c->firsts[i] = c->low + part_up(c->high - c->low, i, c->bins);
    }
}

static void set_domain(struct counting *c)
{
    const struct tally *a = &c->tallies[0];
    const struct tally *b = &c->tallies[1];
    c->low = a->low < b->low ? a->low : b->low;
    c->high = a->high > b->high ? a->high : b->high;
    c->has_domain = c->low <= c->high;
    if (!c->has_domain) { /* no value: nothing will be counted */
        c->low = c->high = 0;
    }
    lay_out_bins(c);
}

static uint64_t last_of(const struct counting *c, uint32_t i)
{
    if (c->scale == FG_HISTOGRAM_LOG2) {
        return i == 0 ? 0 : i == LOG_BINS - 1 ? UINT64_MAX : (UINT64_C(1) << i) - 1;
    }
    return i + 1 == c->bins ? c->high : c->firsts[i + 1] - 1;
}

static enum fg_result make_reply(struct counting *c, const struct fgi_question *question)
{
    struct fg_histogram_bin *bins =
        fgi_arena_alloc(question->arena, (size_t)c->bins + 1, sizeof *bins);
    struct fg_histogram_reply *reply = &c->base.reply;
    if (!bins) {
        return FG_ERR_NO_MEMORY;
    }
    *reply = (struct fg_histogram_reply){
        .bins = bins,
        .count = c->has_domain ? c->bins : 0,
        .has_domain = c->has_domain,
        .low = c->low,
        .high = c->high,
        .is_clipped = c->rule.measure == FG_MEASURE_CLIPPED,
    };
    for (uint32_t i = 0; i < c->bins; i++) {
        bool is_log = c->scale == FG_HISTOGRAM_LOG2;
        bins[i].first = !is_log ? c->firsts[i] : i == 0 ? 0 : UINT64_C(1) << (i - 1);
        bins[i].last = last_of(c, i);
        for (unsigned r = 0; r < FGI_READERS; r++) {
            bins[i].count += c->tallies[r].counts[i];
        }
    }
    for (unsigned r = 0; r < FGI_READERS; r++) {
        reply->below += c->tallies[r].below;
        reply->above += c->tallies[r].above;
        reply->measured += c->tallies[r].measured;
        reply->unfinished += c->tallies[r].unfinished;
        reply->unmeasured += c->tallies[r].unmeasured;
    }
    while (c->scale == FG_HISTOGRAM_LOG2 && reply->count > 0 && bins[reply->count - 1].count == 0) {
        reply->count--;
    }
    return FG_OK;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct counting *c = (struct counting *)work;
    uint64_t end = work->done_rows + max_rows < max_rows ? UINT64_MAX : work->done_rows + max_rows;
    enum fg_result result = FG_OK;
    bool is_first = true;
    while (result == FG_OK && !work->is_done && (is_first || work->done_rows < end)) {
        is_first = false;
        result =
            fgi_read_on(&c->reading, question, end - work->done_rows, see, c, &work->done_rows);
        if (result != FG_OK || !c->reading.is_done) {
            continue;
        }
        if (!c->is_counting) {
            set_domain(c);
            c->is_counting = true;
            c->reading = (struct fgi_reading){ .chosen = &c->chosen };
            continue;
        }
        result = make_reply(c, question);
        work->total_rows = work->done_rows;
        work->stage = result == FG_OK;
        work->is_done = result == FG_OK;
    }
    return result;
}

static void counting_destroy(struct fgi_work *work)
{
    struct counting *c = (struct counting *)work;
    fgi_chosen_finish(&c->chosen);
    fgi_free(c->cpu->allocator, c, sizeof *c);
}

static const struct fgi_task_ops ops = { step, counting_destroy };

static enum fg_result begin(struct counting *c, const struct fgi_question *question,
                            const struct fg_histogram_request *request)
{
    c->bins = request->scale == FG_HISTOGRAM_LOG2    ? LOG_BINS
              : request->scale == FG_HISTOGRAM_EDGES ? request->edge_count - 1
                                                     : request->bins;
    c->firsts = fgi_arena_alloc(question->arena, (size_t)c->bins + 1, sizeof *c->firsts);
    if (!c->firsts) {
        return FG_ERR_NO_MEMORY;
    }
    for (unsigned r = 0; r < FGI_READERS; r++) {
        c->tallies[r] = (struct tally){
            .counts = fgi_arena_alloc(question->arena, (size_t)c->bins + 1, sizeof(uint64_t)),
            .low = UINT64_MAX,
        };
        if (!c->tallies[r].counts) {
            return FG_ERR_NO_MEMORY;
        }
    }
    c->low = request->low;
    c->high = request->high;
    if (request->scale == FG_HISTOGRAM_LOG2) {
        c->low = 0;
        c->high = UINT64_MAX;
    } else if (request->scale == FG_HISTOGRAM_EDGES) {
        c->low = request->edges[0];
        c->high = request->edges[c->bins];
        for (uint32_t i = 0; i < c->bins; i++) {
            c->firsts[i] = request->edges[i];
        }
    } else if (request->has_domain) {
        lay_out_bins(c);
    }
    c->has_domain = c->is_counting = request->scale != FG_HISTOGRAM_LINEAR || request->has_domain;
    enum fg_result result = fgi_choose(c->cpu, question, &request->selection, &c->chosen);
    return result == FG_OK && request->measure == FG_MEASURE_SELF ? fgi_cover_make(c->cpu) : result;
}

enum fg_result fgi_cpu_histogram_begin(struct fg_engine *engine,
                                       const struct fgi_question *question,
                                       const struct fg_histogram_request *request,
                                       struct fgi_histogram_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct counting *c = fgi_calloc(cpu->allocator, 1, sizeof *c);
    if (!c) {
        return FG_ERR_NO_MEMORY;
    }
    c->cpu = cpu;
    c->scale = request->scale;
    c->rule.measure = request->measure;
    c->rule.values = request->values;
    enum fg_result result = begin(c, question, request);
    if (result != FG_OK) {
        counting_destroy(&c->base.work);
        return result;
    }
    c->reading.chosen = &c->chosen;
    c->base.work = (struct fgi_work){
        .ops = &ops,
        .kind = FGI_WORK_HISTOGRAM,
        .total_rows = c->chosen.candidates * (c->is_counting ? 1 : 2),
        .stage_count = 1,
    };
    *out_work = &c->base;
    return FG_OK;
}
