/* SPDX-License-Identifier: MIT */
#include "cli/process_dataset.h"

#include "base/alloc.h"

#include <string.h>

enum { CLASS_CHILD_SHORT = 1 << 10, CLASS_PARENT_SIMILAR = 1 << 11, DISTANCE_MAX = 512 };
static const double slot_units = 1000.0 / 977.0;

static uint32_t thread_of(const struct fgi_dataset_span *span)
{
    return span->lane / 4u;
}

static uint32_t process_of(const struct fgi_dataset_span *span)
{
    return span->lane / 16u;
}

/* A number in [0, 1). */
static double draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state / 4294967296.0;
}

/* Duration of the i-th span in time, by class and variation. */
static double duration_of(uint32_t i, double class, double variation)
{
    double slots;
    if ((i + 1) % 4093 == 0) {
        slots = 120 + 180 * variation;
    } else if (class < 0.58) {
        slots = 0.04 + 0.21 * variation;
    } else if (class < 0.89) {
        slots = 0.35 + 0.85 * variation;
    } else if (class < 0.98) {
        slots = 1.5 + 4 * variation;
    } else {
        slots = 10 + 20 * variation;
    }
    return slots * 0.9 * slot_units;
}

/* Which group the span of a slot and a lane goes to: the next one when it is full. */
static uint32_t group_of(const struct fgi_dataset *dataset, const uint32_t *used, uint32_t slot,
                         uint32_t lane)
{
    uint32_t phase = slot / 24 % 8;
    uint32_t group = (lane / 16 + lane % 4) % 3 + (phase < 6 ? 0 : phase - 5);
    for (group %= FGI_DATASET_GROUPS; used[group] == dataset->group_counts[group];) {
        group = (group + 1) % FGI_DATASET_GROUPS;
    }
    return group;
}

static void make_spans(struct fgi_dataset *dataset)
{
    double clocks[FGI_DATASET_LANES] = { 0 };
    uint32_t used[FGI_DATASET_GROUPS] = { 0 };
    uint32_t random = 0x9e3779b9u;
    uint32_t first = 0;
    for (uint32_t g = 0; g < FGI_DATASET_GROUPS; g++) {
        dataset->group_counts[g] = dataset->span_count / 3 + (g < dataset->span_count % 3);
        dataset->group_first[g] = first;
        first += dataset->group_counts[g];
    }
    for (uint32_t i = 0; i < dataset->span_count; i++) {
        uint32_t slot = i / FGI_DATASET_LANES;
        uint32_t lane = (i + 73 * slot) % FGI_DATASET_LANES;
        double gap = (0.02 + 0.04 * draw(&random)) * slot_units;
        double class = draw(&random);
        double duration = duration_of(i, class, draw(&random));
        uint32_t status = (uint32_t)(4 * draw(&random));
        uint32_t group = group_of(dataset, used, slot, lane);
        uint32_t row = dataset->group_first[group] + used[group]++;
        double start = clocks[lane] + gap;
        clocks[lane] = start + duration;
        dataset->duration = clocks[lane] > dataset->duration ? clocks[lane] : dataset->duration;
        dataset->spans[row] = (struct fgi_dataset_span){
            .start = start,
            .duration = duration,
            .classes = status | (row % 11 == 0 ? 1u << 8 : 0) | (row % 37 == 0 ? 1u << 9 : 0),
            .lane = (uint8_t)lane,
            .group = (uint8_t)group,
        };
    }
}

static void link_rows(struct fgi_dataset *dataset, uint32_t source, uint32_t target,
                      uint32_t family)
{
    if (dataset->link_count < dataset->link_capacity) {
        dataset->links[dataset->link_count++] = (struct fgi_dataset_link){
            .source = source,
            .target = target,
            .family = family,
            .flags = 1 | process_of(&dataset->spans[source]) << 8 |
                     process_of(&dataset->spans[target]) << 16,
        };
    }
}

/* What filters of short children and of similar parents hide. */
static void annotate(struct fgi_dataset_span *parent, struct fgi_dataset_span *child)
{
    double parent_start = (float)parent->start, parent_length = (float)parent->duration;
    double child_start = (float)child->start, child_length = (float)child->duration;
    double longer = parent_length > child_length ? parent_length : child_length;
    double shorter = parent_length > child_length ? child_length : parent_length;
    if (child_length <= 1 && child_start >= parent_start &&
        child_start + child_length <= parent_start + parent_length) {
        child->classes |= CLASS_CHILD_SHORT;
    }
    if (longer - shorter <= longer * 0.25) {
        parent->classes |= CLASS_PARENT_SIMILAR;
    }
}

/* Every fifth row follows the one before it in its thread, every 29th one of another process. */
static void make_parents(struct fgi_dataset *dataset)
{
    struct fgi_dataset_span *spans = dataset->spans;
    uint32_t latest[FGI_DATASET_THREADS];
    memset(latest, 0xff, sizeof latest);
    for (uint32_t row = 0; row < dataset->span_count; row++) {
        uint32_t thread = thread_of(&spans[row]);
        dataset->parents[row] = FGI_DATASET_NONE;
        if (dataset->link_count < dataset->link_capacity && row % 5 == 0 &&
            latest[thread] != FGI_DATASET_NONE) {
            link_rows(dataset, latest[thread], row, 0);
            dataset->parents[row] = latest[thread];
            annotate(&spans[latest[thread]], &spans[row]);
        }
        if (dataset->link_count < dataset->link_capacity && row > 7 && row % 29 == 0) {
            uint32_t source = row - 7;
            while (source > 0 && process_of(&spans[source]) == process_of(&spans[row])) {
                source--;
            }
            if (process_of(&spans[source]) != process_of(&spans[row])) {
                link_rows(dataset, source, row, 1);
                dataset->parents[row] = source;
            }
        }
        latest[thread] = row;
    }
}

static void fill_links(struct fgi_dataset *dataset)
{
    const struct fgi_dataset_span *spans = dataset->spans;
    for (uint64_t k = 0; dataset->span_count > 1 && dataset->link_count < dataset->link_capacity;
         k++) {
        uint32_t target = 1 + (uint32_t)(73 * k % (dataset->span_count - 1));
        uint32_t most = target < DISTANCE_MAX ? target : DISTANCE_MAX;
        uint32_t source = target - (1 + (uint32_t)(17 * k % most));
        while (source > 0 && process_of(&spans[source]) == process_of(&spans[target]) &&
               thread_of(&spans[source]) != thread_of(&spans[target])) {
            source--;
        }
        link_rows(dataset, source, target, thread_of(&spans[source]) != thread_of(&spans[target]));
    }
}

enum fg_result fgi_dataset_make(const struct fg_allocator *allocator, uint32_t span_count,
                                uint32_t link_limit, struct fgi_dataset *out_dataset)
{
    struct fgi_dataset dataset = { .allocator = allocator, .span_count = span_count };
    dataset.link_capacity = link_limit < span_count ? link_limit : span_count;
    dataset.spans = fgi_calloc(allocator, (size_t)span_count + 1, sizeof *dataset.spans);
    dataset.parents = fgi_calloc(allocator, (size_t)span_count + 1, sizeof *dataset.parents);
    dataset.links = fgi_calloc(allocator, dataset.link_capacity + 1, sizeof *dataset.links);
    if (!dataset.spans || !dataset.parents || !dataset.links) {
        fgi_dataset_finish(&dataset);
        return FG_ERR_NO_MEMORY;
    }
    make_spans(&dataset);
    make_parents(&dataset);
    fill_links(&dataset);
    *out_dataset = dataset;
    return FG_OK;
}

void fgi_dataset_finish(struct fgi_dataset *dataset)
{
    size_t rows = (size_t)dataset->span_count + 1;
    fgi_free(dataset->allocator, dataset->spans, rows * sizeof *dataset->spans);
    fgi_free(dataset->allocator, dataset->parents, rows * sizeof *dataset->parents);
    fgi_free(dataset->allocator, dataset->links,
             (dataset->link_capacity + 1) * sizeof *dataset->links);
    *dataset = (struct fgi_dataset){ 0 };
}

void fgi_dataset_words(const struct fgi_dataset *dataset, uint32_t row, uint32_t words[8])
{
    const struct fgi_dataset_span *span = &dataset->spans[row];
    float start = (float)span->start;
    float duration = (float)span->duration;
    memcpy(&words[0], &start, 4);
    memcpy(&words[1], &duration, 4);
    words[2] = span->lane;
    words[3] = span->group;
    words[4] = process_of(span);
    words[5] = thread_of(span);
    words[6] = row;
    words[7] = span->classes;
}
