/* SPDX-License-Identifier: MIT */
/* Targets of views, and the indexes that stand for them: those of lanes made all at once. */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "engine/cpu/engine_cpu_priv.h"

enum {
    COARSEST_BINS = 512,    /* of the trace: what a minimap is drawn from */
    COARSEST_TOTAL = 65536, /* of all lanes, or one for so many spans: */
    COARSEST_SPANS = 8,
    WORKERS = 2,
    LANES_AT_ONCE = 8 /* a worker takes so many, so that a few long lanes are shared */
};
/* Fewer spans are indexed sooner than threads are made. */
#define SPANS_A_WORKER (2 * FGI_BLOCK_SPANS)

struct fgi_lanes fgi_target_lanes(const struct fgi_engine_cpu *cpu, uint32_t kind, uint32_t index)
{
    const struct fg_trace *trace = cpu->engine.trace;
    if (kind == FG_VIEW_PROCESS) {
        return (struct fgi_lanes){
            .list = cpu->process_lanes + cpu->process_first[index],
            .count = cpu->process_first[index + 1] - cpu->process_first[index],
        };
    }
    if (kind == FG_VIEW_TRACK) {
        return (struct fgi_lanes){ .first = trace->tracks.items[index].first_lane,
                                   .count = trace->tracks.items[index].lane_count };
    }
    return (struct fgi_lanes){ .first = index, .count = 1 };
}

unsigned fgi_view_level(int64_t start, int64_t end, uint32_t width_px)
{
    uint64_t ns_per_px = fgi_duration(start, end) / width_px;
    unsigned level = 0;
    while (level < 63 && ns_per_px >> (level + 1) != 0) {
        level++;
    }
    return level;
}

/* ---- all lanes at once ----------------------------------------------------------------------- */

/* An allocator that several threads may call. */
struct locked_memory {
    struct fgi_mutex *mutex; /* guards the allocator behind */
    const struct fg_allocator *behind;
};

static void *locked_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct locked_memory *memory = context;
    fgi_mutex_lock(memory->mutex);
    void *resized = memory->behind->resize(memory->behind->context, block, old_size, size);
    fgi_mutex_unlock(memory->mutex);
    return resized;
}

/* Lanes are handed out in order, a few at a time. */
struct lane_work {
    struct fgi_engine_cpu *cpu;
    struct fgi_mutex *mutex; /* guards next_lane; NULL: one thread */
    uint32_t next_lane;
    struct lane_worker {
        struct fgi_index_maker maker;
        uint64_t differing[64];
        enum fg_result result; /* first failure */
    } workers[WORKERS];
};

static bool take_lanes(struct lane_work *work, uint32_t *first, uint32_t *end)
{
    uint32_t lanes = (uint32_t)work->cpu->engine.trace->lanes.count;
    if (work->mutex) {
        fgi_mutex_lock(work->mutex);
    }
    *first = work->next_lane;
    *end = lanes - *first > LANES_AT_ONCE ? *first + LANES_AT_ONCE : lanes;
    work->next_lane = *end;
    if (work->mutex) {
        fgi_mutex_unlock(work->mutex);
    }
    return *first < *end;
}

static void survey(void *context, unsigned w)
{
    struct lane_work *work = context;
    struct lane_worker *worker = &work->workers[w];
    uint32_t first, end;
    while (worker->result == FG_OK && take_lanes(work, &first, &end)) {
        for (uint32_t lane = first; lane < end && worker->result == FG_OK; lane++) {
            worker->result =
                fgi_index_survey(&worker->maker, &(struct fgi_lanes){ .first = lane, .count = 1 },
                                 &work->cpu->all.lanes[lane], worker->differing);
        }
    }
}

static void fill(void *context, unsigned w)
{
    struct lane_work *work = context;
    struct lane_worker *worker = &work->workers[w];
    uint32_t first, end;
    while (worker->result == FG_OK && take_lanes(work, &first, &end)) {
        for (uint32_t lane = first; lane < end && worker->result == FG_OK; lane++) {
            worker->result =
                fgi_index_fill(&worker->maker, &(struct fgi_lanes){ .first = lane, .count = 1 },
                               &work->cpu->all.lanes[lane]);
        }
    }
}

/*
 * At most so many bins for the trace, and for all lanes together not more than what the finest
 * level may have, so that very many lanes of few spans do not cost more than their spans.
 */
static unsigned choose_coarsest(struct fgi_engine_cpu *cpu, const struct lane_work *work)
{
    const struct fg_trace *trace = cpu->engine.trace;
    int64_t first = cpu->first_ns;
    int64_t last = cpu->last_ns;
    uint64_t bins = 0;
    for (size_t i = 0; i < trace->lanes.count; i++) {
        const struct fgi_index *index = &cpu->all.lanes[i];
        if (index->span_count > 0) {
            first = index->first_ns < first ? index->first_ns : first;
            last = index->last_ns > last ? index->last_ns : last;
            bins++;
        }
    }
    cpu->first_ns = first;
    cpu->last_ns = last;
    unsigned level = 63;
    uint64_t most = fgi_trace_rows(trace) / COARSEST_SPANS;
    most = most > COARSEST_TOTAL ? most : COARSEST_TOTAL;
    while (level > 0 && bins > 0) {
        uint64_t reach =
            (uint64_t)(last >> (level - 1)) - (uint64_t)(first >> (level - 1)); /* one less */
        bins += work->workers[0].differing[level - 1];
        if (reach >= COARSEST_BINS || bins > most) {
            break;
        }
        level--;
    }
    return level;
}

static enum fg_result run_workers(struct lane_work *work, unsigned count,
                                  void (*run)(void *context, unsigned worker))
{
    work->next_lane = 0;
    if (count > 1) {
        fgi_parallel(work->cpu->allocator, count, run, work);
    } else {
        run(work, 0);
    }
    for (unsigned w = 0; w < count; w++) {
        if (work->workers[w].result != FG_OK) {
            return work->workers[w].result;
        }
    }
    return FG_OK;
}

static enum fg_result work_lanes(struct lane_work *work, unsigned count,
                                 const struct fg_allocator *allocator)
{
    struct fgi_engine_cpu *cpu = work->cpu;
    for (unsigned w = 0; w < count; w++) {
        struct lane_worker *worker = &work->workers[w];
        worker->maker = (struct fgi_index_maker){ allocator, cpu->engine.trace, &cpu->all.set, 63 };
    }
    enum fg_result result = run_workers(work, count, survey);
    if (result != FG_OK) {
        return result;
    }
    for (unsigned w = 1; w < count; w++) {
        for (unsigned k = 0; k < 64; k++) {
            work->workers[0].differing[k] += work->workers[w].differing[k];
        }
    }
    cpu->coarsest = choose_coarsest(cpu, work);
    for (unsigned w = 0; w < count; w++) {
        work->workers[w].maker.coarsest = cpu->coarsest;
    }
    return run_workers(work, count, fill);
}

enum fg_result fgi_lane_indexes_make(struct fgi_engine_cpu *cpu)
{
    const struct fg_trace *trace = cpu->engine.trace;
    struct locked_memory memory = { .behind = fgi_allocator(cpu->allocator) };
    struct fg_allocator locked = { locked_resize, &memory };
    const struct fg_allocator *allocator = cpu->allocator;
    unsigned count = 1;
    cpu->coarsest = 63;
    cpu->first_ns = INT64_MAX;
    cpu->last_ns = INT64_MIN;
    if (trace->lanes.count == 0) {
        return FG_OK;
    }
    struct lane_work *work = fgi_calloc(cpu->allocator, 1, sizeof *work);
    cpu->all.lanes = fgi_calloc(cpu->allocator, trace->lanes.count, sizeof *cpu->all.lanes);
    enum fg_result result = work && cpu->all.lanes ? FG_OK : FG_ERR_NO_MEMORY;
    /* Blocks that are made again are made by one thread. */
    if (result == FG_OK && !trace->store->loader.load &&
        fgi_trace_rows(trace) >= WORKERS * SPANS_A_WORKER) {
        count = WORKERS;
        allocator = &locked;
        result = fgi_mutex_create(cpu->allocator, &memory.mutex);
        if (result == FG_OK) {
            result = fgi_mutex_create(cpu->allocator, &work->mutex);
        }
    }
    if (result == FG_OK) {
        work->cpu = cpu;
        result = work_lanes(work, count, allocator);
    }
    if (work) {
        fgi_mutex_destroy(work->mutex);
    }
    fgi_mutex_destroy(memory.mutex);
    fgi_free(cpu->allocator, work, sizeof *work);
    return result;
}

/* ---- one by one ------------------------------------------------------------------------------ */

static enum fg_result index_make(struct fgi_engine_cpu *cpu, const struct fgi_row_set *set,
                                 const struct fgi_lanes *lanes, struct fgi_index **out_index)
{
    struct fgi_index_maker maker = { cpu->allocator, cpu->engine.trace, set, cpu->coarsest };
    struct fgi_index *index = fgi_calloc(cpu->allocator, 1, sizeof *index);
    if (!index) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_index_survey(&maker, lanes, index, NULL);
    if (result == FG_OK) {
        result = fgi_index_fill(&maker, lanes, index);
    }
    if (result != FG_OK) {
        fgi_index_finish(index, cpu->allocator);
        fgi_free(cpu->allocator, index, sizeof *index);
        return result;
    }
    *out_index = index;
    return FG_OK;
}

static void index_destroy(const struct fgi_engine_cpu *cpu, struct fgi_index *index)
{
    if (index) {
        fgi_index_finish(index, cpu->allocator);
        fgi_free(cpu->allocator, index, sizeof *index);
    }
}

enum fg_result fgi_index_get(struct fgi_engine_cpu *cpu, struct fgi_population *population,
                             uint32_t kind, uint32_t index, const struct fgi_index **out_index)
{
    if (kind == FG_VIEW_LANE && population->lanes) {
        *out_index = &population->lanes[index];
        return FG_OK;
    }
    uint64_t key = (uint64_t)kind << 32 | index;
    uint32_t position = 0;
    if (fgi_map64_get(&population->map, key, &position)) {
        *out_index = population->indexes.items[position];
        return FG_OK;
    }
    struct fgi_lanes lanes = fgi_target_lanes(cpu, kind, index);
    struct fgi_index *made = NULL;
    enum fg_result result =
        FGI_GROW(cpu->allocator, population->indexes.items, population->indexes.capacity,
                 population->indexes.count + 1, FG_NONE - 1);
    if (result == FG_OK) {
        result = index_make(cpu, &population->set, &lanes, &made);
    }
    if (result == FG_OK) {
        population->map.allocator = cpu->allocator;
        result = fgi_map64_put(&population->map, key, (uint32_t)population->indexes.count);
    }
    if (result != FG_OK) {
        index_destroy(cpu, made);
        return result;
    }
    population->indexes.items[population->indexes.count++] = made;
    *out_index = made;
    return FG_OK;
}

void fgi_population_finish(struct fgi_engine_cpu *cpu, struct fgi_population *population)
{
    size_t lanes = cpu->engine.trace->lanes.count;
    for (size_t i = 0; population->lanes && i < lanes; i++) {
        fgi_index_finish(&population->lanes[i], cpu->allocator);
    }
    fgi_free(cpu->allocator, population->lanes, lanes * sizeof *population->lanes);
    for (size_t i = 0; i < population->indexes.count; i++) {
        index_destroy(cpu, population->indexes.items[i]);
    }
    fgi_free(cpu->allocator, population->indexes.items,
             population->indexes.capacity * sizeof *population->indexes.items);
    fgi_map64_finish(&population->map);
}

uint64_t fgi_population_bytes(const struct fgi_engine_cpu *cpu,
                              const struct fgi_population *population)
{
    uint64_t bytes = 0;
    for (size_t i = 0; population->lanes && i < cpu->engine.trace->lanes.count; i++) {
        bytes += fgi_index_bytes(&population->lanes[i]);
    }
    for (size_t i = 0; i < population->indexes.count; i++) {
        bytes += fgi_index_bytes(population->indexes.items[i]);
    }
    return bytes;
}
