/* SPDX-License-Identifier: MIT */
#include "trace/group_match.h"
#include "base/wide.h"
#include "trace/model.h"
#include <stdio.h>
#include <string.h>

const char *fgi_group_name(const struct fg_trace *trace, uint32_t by, uint32_t key)
{
    switch (by) {
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
        return fg_trace_text(trace, key);
    case FG_AGGREGATE_LANE:
        return fg_trace_text(trace, trace->tracks.items[trace->lanes.items[key].track].name);
    case FG_AGGREGATE_TRACK:
        return fg_trace_text(trace, trace->tracks.items[key].name);
    case FG_AGGREGATE_PROCESS:
        return fg_trace_text(trace, trace->processes.items[key].name);
    case FG_AGGREGATE_PASS:
        return fg_trace_text(trace, trace->passes.items[key].name);
    default:
        return "";
    }
}

/* Numbers and a second text that tell keys of one name apart. */
static const char *details(const struct fg_trace *trace, uint32_t by, uint32_t key,
                           uint32_t numbers[2])
{
    numbers[0] = numbers[1] = 0;
    switch (by) {
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
    case FG_AGGREGATE_TRACK:
    case FG_AGGREGATE_PROCESS:
        return "";
    case FG_AGGREGATE_LANE:
        numbers[0] = trace->lanes.items[key].depth;
        numbers[1] = trace->lanes.items[key].overlap;
        return "";
    case FG_AGGREGATE_PASS:
        numbers[0] = trace->passes.items[key].ordinal;
        return fg_trace_text(trace, trace->passes.items[key].scope);
    default:
        numbers[0] = key;
        return "";
    }
}

const char *fgi_group_identity(const struct fg_trace *trace, uint32_t by, uint32_t key,
                               struct fgi_arena *arena)
{
    uint32_t numbers[2];
    const char *scope = details(trace, by, key, numbers);
    const char *name = fgi_group_name(trace, by, key);
    size_t size = strlen(scope) + strlen(name) + 32;
    char *text = fgi_arena_alloc(arena, size, 1);
    if (text) {
        (void)snprintf(text, size, "%s\n%s\n%010u\n%010u", name, scope, numbers[0], numbers[1]);
    }
    return text;
}

static bool are_same(const struct fg_trace *a, uint32_t x, const struct fg_trace *b, uint32_t y,
                     uint32_t by)
{
    uint32_t p[2];
    uint32_t q[2];
    const char *scope = details(a, by, x, p);
    return strcmp(scope, details(b, by, y, q)) == 0 && p[0] == q[0] && p[1] == q[1] &&
           strcmp(fgi_group_name(a, by, x), fgi_group_name(b, by, y)) == 0;
}

uint32_t fgi_group_find(const struct fg_trace *trace, uint32_t by, const struct fg_trace *other,
                        uint32_t key)
{
    size_t count = 0;
    if (trace == other) {
        return key;
    }
    switch (by) {
    case FG_AGGREGATE_NAME:
    case FG_AGGREGATE_CATEGORY:
    case FG_AGGREGATE_SCOPE:
        return key == 0 ? 0 : fg_trace_text_find(trace, fg_trace_text(other, key));
    case FG_AGGREGATE_LANE:
        count = trace->lanes.count;
        break;
    case FG_AGGREGATE_TRACK:
        count = trace->tracks.count;
        break;
    case FG_AGGREGATE_PROCESS:
        count = trace->processes.count;
        break;
    case FG_AGGREGATE_PASS:
        count = trace->passes.count;
        break;
    default:
        return key;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (are_same(trace, i, other, key, by)) {
            return i;
        }
    }
    return FG_NONE;
}

uint32_t fgi_clock_find(const struct fg_trace *trace, const struct fg_trace *other, uint32_t clock)
{
    if (trace == other) {
        return clock;
    }
    const char *name = fg_trace_text(other, other->clocks.items[clock].name);
    for (uint32_t i = 0; i < trace->clocks.count; i++) {
        if (strcmp(fg_trace_text(trace, trace->clocks.items[i].name), name) == 0) {
            return i;
        }
    }
    return FG_NONE;
}

uint32_t fgi_error_ppm(uint64_t errors, uint64_t count)
{
    return count == 0 ? 0 : (uint32_t)(((fgi_wide)errors * FG_MICRO + count / 2) / count);
}
