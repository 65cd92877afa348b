/* SPDX-License-Identifier: MIT */
/* Small definitions that the writer keeps, to restate them behind each checkpoint. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

static uint64_t key_of(uint32_t type, uint32_t id)
{
    return (uint64_t)type << 32 | id;
}

struct fgi_definition *fgi_writer_find(struct fg_capture_writer *writer, uint32_t type, uint32_t id)
{
    uint32_t index;
    if (!fgi_map64_get(&writer->definition_index, key_of(type, id), &index)) {
        return NULL;
    }
    return &writer->definitions[index];
}

/* Room for one more, so that nothing can fail after its record was written. */
static enum fg_result reserve_definition(struct fg_capture_writer *writer, uint32_t type,
                                         uint32_t id, struct fgi_definition **out_definition)
{
    *out_definition = fgi_writer_find(writer, type, id);
    if (*out_definition != NULL) {
        return FG_OK;
    }
    enum fg_result result =
        FGI_GROW(writer->allocator, writer->definitions, writer->definition_capacity,
                 writer->definition_count + 1, UINT32_MAX - 1);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_definition *definition = &writer->definitions[writer->definition_count];
    *definition = (struct fgi_definition){ .type = type, .id = id };
    *out_definition = definition;
    return FG_OK;
}

/* The record of a new definition is in: it may be referred to from now on. */
static enum fg_result keep_definition(struct fg_capture_writer *writer,
                                      struct fgi_definition *definition)
{
    definition->section = writer->section;
    size_t index = (size_t)(definition - writer->definitions);
    if (index < writer->definition_count) {
        return FG_OK;
    }
    enum fg_result result = fgi_map64_put(
        &writer->definition_index, key_of(definition->type, definition->id), (uint32_t)index);
    if (result == FG_OK) {
        writer->definition_count++;
    }
    return result;
}

static enum fg_result begin_definition(struct fg_capture_writer *writer, uint32_t type, uint32_t id,
                                       struct fgi_definition **out_definition)
{
    enum fg_result result = fgi_writer_begin(writer);
    return result == FG_OK ? reserve_definition(writer, type, id, out_definition) : result;
}

enum fg_result fg_capture_writer_process(struct fg_capture_writer *writer,
                                         const struct fg_cap_process *process)
{
    struct fgi_definition *definition;
    if (process == NULL || process->id == FG_CAP_NONE) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin_definition(writer, FG_CAPTURE_PROC, process->id, &definition);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_PROC, fgi_fields_process, process);
    }
    if (result == FG_OK) {
        definition->process = *process;
        result = keep_definition(writer, definition);
    }
    return result;
}

enum fg_result fg_capture_writer_track(struct fg_capture_writer *writer,
                                       const struct fg_cap_track *track)
{
    struct fgi_definition *definition;
    if (track == NULL || track->id == FG_CAP_NONE) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin_definition(writer, FG_CAPTURE_TRAK, track->id, &definition);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_TRAK, fgi_fields_track, track);
    }
    if (result == FG_OK) {
        definition->track = *track;
        result = keep_definition(writer, definition);
    }
    return result;
}

enum fg_result fg_capture_writer_metric(struct fg_capture_writer *writer,
                                        const struct fg_cap_metric *metric)
{
    struct fgi_definition *definition;
    if (metric == NULL || metric->id == FG_CAP_NONE) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin_definition(writer, FG_CAPTURE_MDEF, metric->id, &definition);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_MDEF, fgi_fields_metric, metric);
    }
    if (result == FG_OK) {
        definition->metric = *metric;
        result = keep_definition(writer, definition);
    }
    return result;
}

enum fg_result fg_capture_writer_pipeline(struct fg_capture_writer *writer,
                                          const struct fg_cap_pipeline *pipeline)
{
    struct fgi_definition *definition;
    if (pipeline == NULL) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin_definition(writer, FG_CAPTURE_PIPE, pipeline->label, &definition);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_PIPE, fgi_fields_pipeline, pipeline);
    }
    if (result == FG_OK) {
        definition->pipeline = *pipeline;
        result = keep_definition(writer, definition);
    }
    return result;
}

/* With its last reading only: those before it are in the file. */
static enum fg_result keep_clock(struct fg_capture_writer *writer,
                                 struct fgi_definition *definition,
                                 const struct fg_cap_clock *clock)
{
    struct fg_cap_clock kept = *clock;
    if (clock->reading_count != 0) {
        definition->last_reading = clock->readings[clock->reading_count - 1];
        kept.first_reading = clock->first_reading + clock->reading_count - 1;
        kept.reading_count = 1;
    } else if (definition->section != 0) {
        kept.first_reading = definition->clock.first_reading;
        kept.reading_count = definition->clock.reading_count;
    }
    kept.readings = NULL;
    definition->clock = kept;
    return keep_definition(writer, definition);
}

enum fg_result fg_capture_writer_clock(struct fg_capture_writer *writer,
                                       const struct fg_cap_clock *clock)
{
    struct fgi_definition *definition;
    if (clock == NULL || clock->id == FG_CAP_NONE) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin_definition(writer, FG_CAPTURE_CLKS, clock->id, &definition);
    if (result == FG_OK) {
        result = fgi_writer_put(writer, FG_CAPTURE_CLKS, fgi_fields_clock, clock);
    }
    if (result != FG_OK) {
        return result;
    }
    return keep_clock(writer, definition, clock);
}

enum fg_result fgi_writer_keep_clock(struct fg_capture_writer *writer,
                                     const struct fg_cap_clock *clock)
{
    struct fgi_definition *definition;
    enum fg_result result = reserve_definition(writer, FG_CAPTURE_CLKS, clock->id, &definition);
    return result == FG_OK ? keep_clock(writer, definition, clock) : result;
}

static enum fg_result restate(struct fg_capture_writer *writer, struct fgi_definition *definition)
{
    struct fg_cap_clock clock;
    switch (definition->type) {
    case FG_CAPTURE_PROC:
        return fgi_writer_put(writer, FG_CAPTURE_PROC, fgi_fields_process, &definition->process);
    case FG_CAPTURE_TRAK:
        return fgi_writer_put(writer, FG_CAPTURE_TRAK, fgi_fields_track, &definition->track);
    case FG_CAPTURE_MDEF:
        return fgi_writer_put(writer, FG_CAPTURE_MDEF, fgi_fields_metric, &definition->metric);
    case FG_CAPTURE_PIPE:
        return fgi_writer_put(writer, FG_CAPTURE_PIPE, fgi_fields_pipeline, &definition->pipeline);
    default:
        clock = definition->clock;
        clock.readings = &definition->last_reading;
        return fgi_writer_put(writer, FG_CAPTURE_CLKS, fgi_fields_clock, &clock);
    }
}

/* What `definition` refers to, as up to three others. */
static size_t references_of(struct fg_capture_writer *writer, struct fgi_definition *definition,
                            struct fgi_definition *out_others[3])
{
    size_t count = 0;
    struct fgi_definition *candidates[3] = { NULL, NULL, NULL };
    if (definition->type == FG_CAPTURE_TRAK) {
        candidates[0] = fgi_writer_find(writer, FG_CAPTURE_PROC, definition->track.process);
        candidates[1] = fgi_writer_find(writer, FG_CAPTURE_TRAK, definition->track.parent);
        candidates[2] = fgi_writer_find(writer, FG_CAPTURE_CLKS, definition->track.clock);
    } else if (definition->type == FG_CAPTURE_CLKS) {
        candidates[0] = fgi_writer_find(writer, FG_CAPTURE_CLKS, definition->clock.host_clock);
    } else if (definition->type == FG_CAPTURE_MDEF) {
        candidates[0] = fgi_writer_find(writer, FG_CAPTURE_TRAK, definition->metric.track);
    }
    for (size_t i = 0; i < 3; i++) {
        if (candidates[i] != NULL && candidates[i]->section != writer->section) {
            out_others[count++] = candidates[i];
        }
    }
    return count;
}

/*
 * State `definition` after everything that it refers to: a later statement may have made an early
 * track point to a late one, so the order of the first statements is not enough. Instead of
 * recursion, one chain is walked at a time; a definition that is on the chain already (a circle of
 * parents) is stated as it is.
 */
static enum fg_result restate_chain(struct fg_capture_writer *writer, struct fgi_ids *chain,
                                    uint32_t first)
{
    chain->count = 0;
    enum fg_result result = fgi_ids_add(writer->allocator, chain, first);
    while (result == FG_OK && chain->count != 0) {
        struct fgi_definition *definition = &writer->definitions[chain->items[chain->count - 1]];
        struct fgi_definition *others[3];
        size_t count = references_of(writer, definition, others);
        struct fgi_definition *next = NULL;
        for (size_t i = 0; i < count && next == NULL; i++) {
            bool on_chain = false;
            for (size_t j = 0; j < chain->count; j++) {
                on_chain |= &writer->definitions[chain->items[j]] == others[i];
            }
            next = on_chain ? NULL : others[i];
        }
        if (next != NULL) {
            result = fgi_ids_add(writer->allocator, chain, (uint32_t)(next - writer->definitions));
            continue;
        }
        result = restate(writer, definition);
        if (result == FG_OK) {
            definition->section = writer->section;
            chain->count--;
        }
    }
    return result;
}

enum fg_result fgi_writer_restate_definitions(struct fg_capture_writer *writer)
{
    static const uint32_t order[] = { FG_CAPTURE_PROC, FG_CAPTURE_CLKS, FG_CAPTURE_TRAK,
                                      FG_CAPTURE_MDEF, FG_CAPTURE_PIPE };
    struct fgi_ids chain = { 0 };
    enum fg_result result = FG_OK;
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (size_t i = 0; i < writer->definition_count && result == FG_OK; i++) {
            struct fgi_definition *definition = &writer->definitions[i];
            if (definition->type == order[k] && definition->section != writer->section) {
                result = restate_chain(writer, &chain, (uint32_t)i);
            }
        }
    }
    fgi_ids_finish(writer->allocator, &chain);
    return result;
}
