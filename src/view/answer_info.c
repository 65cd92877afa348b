/* SPDX-License-Identifier: MIT */
/* What a trace is, and who answers questions about it: INFO, NAMES, ENGINE. */
#include "view/view_priv.h"
#include <frameglass/trace_engine.h>
#include <frameglass/trace_state.h>
#include <stdio.h>

enum {
    TAG_COUNTS = 0x0540,
    TAG_RANGE = 0x0541,
    TAG_FORMAT = 0x0542,
    TAG_STATE = 0x0543,
    TAG_DROP_REASON = 0x0544,
    TAG_DROP_COUNT = 0x0545,
    TAG_REPAIR_NAME = 0x0546,
    TAG_REPAIR_COUNT = 0x0547,
    TAG_DEFECT_NAME = 0x0548,
    TAG_DEFECT_OFFSET = 0x0549,
    TAG_DEFECT_TEXT = 0x054A,
    TAG_SKIPPED_TYPE = 0x054B,
    TAG_SKIPPED_COUNT = 0x054C,
    TAG_META_KEY = 0x054D,
    TAG_META_VALUE = 0x054E,
    TAG_CLOCK_NAME = 0x0550,
    TAG_CLOCK_REJECTED = 0x0551,
    TAG_CLOCK_DOMAIN = 0x0552,
    TAG_CLOCK_BOUND = 0x0553,
    TAG_CLOCK_REASON = 0x0554,
    TAG_CLOCK_PERIOD = 0x0555,
    TAG_CLOCK_BITS = 0x0556,
    TAG_CLOCK_READINGS = 0x0557,
    TAG_DEFECTS = 0x0558,
    TAG_OVERHEAD = 0x0559,
    TAG_MEMORY = 0x055A,
    TAG_TRACKED = 0x055B,
    TAG_ENGINE = 0x2840,
    TAG_ENGINE_COUNTS = 0x2841,
};

enum { DEFECTS_MAX = 4096, LEVEL_UNKNOWN = 255 };

static void put_numbers(struct fgi_ask *ask, const struct fg_trace_info *info)
{
    const uint64_t counts[] = {
        info->spans,           info->unfinished, info->instants,  info->counters,
        info->counter_samples, info->samples,    info->objects,   info->other_events,
        info->dependencies,    info->names,      info->processes, info->tracks,
        info->lanes,           info->frames,     info->resources, info->topologies,
        info->skipped_records, info->notes,      info->passes,
    };
    enum { COUNTS = sizeof counts / sizeof *counts };
    uint64_t *column = fgi_u64s(ask, TAG_COUNTS, COUNTS);
    int64_t *range = fgi_i64s(ask, TAG_RANGE, 4);
    uint8_t *state = fgi_u8s(ask, TAG_STATE, 6);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (size_t i = 0; i < COUNTS; i++) {
        column[i] = counts[i];
    }
    range[0] = info->has_range ? info->start_ns : 0;
    range[1] = info->has_range ? info->end_ns : 0;
    range[2] = info->has_extent ? info->first_ns : 0;
    range[3] = info->has_extent ? info->last_ns : 0;
    state[0] = info->closed;
    state[1] = info->recovered;
    state[2] = info->level < LEVEL_UNKNOWN ? (uint8_t)info->level : LEVEL_UNKNOWN;
    state[3] = info->device_lost;
    state[4] = info->has_range;
    state[5] = info->has_extent;
    fgi_reply_i64(ask->reply, TAG_OVERHEAD, info->overhead_ns);
}

static void put_losses(struct fgi_ask *ask, const struct fg_trace_info *info)
{
    uint32_t *reason = fgi_u32s(ask, TAG_DROP_REASON, info->losses);
    uint64_t *dropped = fgi_u64s(ask, TAG_DROP_COUNT, info->losses);
    uint32_t *type = fgi_u32s(ask, TAG_SKIPPED_TYPE, info->skipped);
    uint64_t *skipped = fgi_u64s(ask, TAG_SKIPPED_COUNT, info->skipped);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < info->losses; i++) {
        const struct fg_trace_tally *loss = fg_trace_loss(ask->trace, i);
        reason[i] = fgi_name(ask, loss->name);
        dropped[i] = loss->count;
    }
    for (uint32_t i = 0; i < info->skipped; i++) {
        const struct fg_trace_tally *tally = fg_trace_skipped(ask->trace, i);
        type[i] = fgi_name(ask, tally->name);
        skipped[i] = tally->count;
    }
}

static void put_damage(struct fgi_ask *ask, const struct fg_trace_info *info)
{
    uint32_t defects = info->defects < DEFECTS_MAX ? info->defects : DEFECTS_MAX;
    const char **kinds = fgi_arena_alloc(ask->arena, defects + 1, sizeof *kinds);
    const char **repairs = fgi_arena_alloc(ask->arena, info->repairs + 1, sizeof *repairs);
    uint64_t *count = fgi_u64s(ask, TAG_REPAIR_COUNT, info->repairs);
    uint64_t *offset = fgi_u64s(ask, TAG_DEFECT_OFFSET, defects);
    uint32_t *text = fgi_u32s(ask, TAG_DEFECT_TEXT, defects);
    if (ask->reply->result != FG_OK || kinds == NULL || repairs == NULL) {
        ask->reply->result = FG_ERR_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < info->repairs; i++) {
        const struct fg_trace_repair *repair = fg_trace_repair(ask->trace, i);
        repairs[i] = repair->kind;
        count[i] = repair->count;
    }
    for (uint32_t i = 0; i < defects; i++) {
        const struct fg_trace_defect *defect = fg_trace_defect(ask->trace, i);
        kinds[i] = defect->kind;
        offset[i] = defect->offset;
        text[i] = fgi_name(ask, defect->text);
    }
    fgi_reply_texts(ask->reply, TAG_REPAIR_NAME, repairs, info->repairs);
    fgi_reply_texts(ask->reply, TAG_DEFECT_NAME, kinds, defects);
    fgi_reply_u64(ask->reply, TAG_DEFECTS, info->defects);
}

static void put_meta(struct fgi_ask *ask, const struct fg_trace_info *info)
{
    uint32_t *key = fgi_u32s(ask, TAG_META_KEY, info->metas);
    uint32_t *value = fgi_u32s(ask, TAG_META_VALUE, info->metas);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < info->metas; i++) {
        const struct fg_trace_meta *meta = fg_trace_meta(ask->trace, i);
        key[i] = fgi_name(ask, meta->key);
        value[i] = fgi_name(ask, meta->value);
    }
}

static void put_clocks(struct fgi_ask *ask, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_CLOCK_NAME, count);
    uint32_t *rejected = fgi_u32s(ask, TAG_CLOCK_REJECTED, count);
    uint8_t *domain = fgi_u8s(ask, TAG_CLOCK_DOMAIN, count);
    int64_t *bound = fgi_i64s(ask, TAG_CLOCK_BOUND, count);
    uint32_t *reason = fgi_u32s(ask, TAG_CLOCK_REASON, count);
    uint64_t *period = fgi_u64s(ask, TAG_CLOCK_PERIOD, (size_t)count * 2);
    uint8_t *bits = fgi_u8s(ask, TAG_CLOCK_BITS, count);
    uint32_t *readings = fgi_u32s(ask, TAG_CLOCK_READINGS, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_clock *clock = fg_trace_clock(ask->trace, i);
        name[i] = fgi_name(ask, clock->name);
        rejected[i] = clock->rejected_count;
        domain[i] = (uint8_t)clock->kind;
        bound[i] = fgi_clock_bound(clock);
        reason[i] = fgi_name(ask, clock->reason);
        period[2 * i] = clock->period_num;
        period[2 * i + 1] = clock->period_den;
        bits[i] = (uint8_t)(clock->valid_bits > 64 ? 64 : clock->valid_bits);
        readings[i] = clock->pair_count;
    }
}

/* What the program says of itself beside spans: how much of it there is. */
static void put_tracked(struct fgi_ask *ask, const struct fg_trace_info *info)
{
    uint64_t *tracked = fgi_u64s(ask, TAG_TRACKED, 5);
    if (tracked == NULL) {
        return;
    }
    tracked[0] = info->metrics;
    tracked[1] = info->objects;
    tracked[2] = info->live_objects;
    tracked[3] = info->gaps;
    for (uint32_t i = 0; i < info->track_losses; i++) {
        uint64_t lost = fg_trace_track_loss(ask->trace, i)->count;
        uint64_t room = UINT64_MAX - 1 - tracked[4];
        tracked[4] += lost < room ? lost : room;
    }
}

/* The first counter of a name that the format reserves (docs/FORMAT.md, 6.3). */
static uint32_t counter_called(struct fgi_ask *ask, uint32_t count, const char *name)
{
    uint32_t text = fg_trace_text_find(ask->trace, name);
    for (uint32_t i = 0; text != FG_NONE && i < count; i++) {
        if (fg_trace_counter(ask->trace, i)->name == text) {
            return i;
        }
    }
    return FG_NONE;
}

static void put_memory(struct fgi_ask *ask, uint32_t counters)
{
    uint32_t *memory = fgi_u32s(ask, TAG_MEMORY, 2);
    if (memory != NULL) {
        memory[0] = counter_called(ask, counters, "memory.used");
        memory[1] = counter_called(ask, counters, "memory.budget");
    }
}

enum fg_result fgi_answer_INFO(struct fgi_ask *ask)
{
    struct fg_trace_info info;
    char version[16];
    fg_trace_get_info(ask->trace, &info);
    snprintf(version, sizeof version, "%u", (unsigned)info.version);
    const char *const format[] = { info.format, version };
    fgi_reply_texts(ask->reply, TAG_FORMAT, format, 2);
    put_numbers(ask, &info);
    put_losses(ask, &info);
    put_damage(ask, &info);
    put_meta(ask, &info);
    put_clocks(ask, info.clocks);
    put_tracked(ask, &info);
    put_memory(ask, (uint32_t)info.counters);
    return FG_OK;
}

enum fg_result fgi_answer_NAMES(struct fgi_ask *ask)
{
    ask->reply->names_used = fgi_strings_count(&ask->entry->names.table);
    return FG_OK;
}

enum fg_result fgi_answer_ENGINE(struct fgi_ask *ask)
{
    struct fg_engine_info info;
    fg_engine_get_info(ask->entry->engine, &info);
    const char *const texts[] = { info.name, info.answers, info.device ? info.device : "",
                                  info.reason ? info.reason : "" };
    fgi_reply_texts(ask->reply, TAG_ENGINE, texts, sizeof texts / sizeof *texts);
    uint64_t *counts = fgi_u64s(ask, TAG_ENGINE_COUNTS, 3);
    if (counts != NULL) {
        counts[0] = info.own_questions;
        counts[1] = info.other_questions;
        counts[2] = info.submissions;
    }
    return FG_OK;
}
