/* SPDX-License-Identifier: MIT */
#include "cli/groupings.h"
#include "trace/span_words.h"
#include <frameglass/trace_structure.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint32_t thread_kind = FG_TRACK_THREAD;

static const struct fgi_grouping_name groupings[] = {
    { "name", FG_STATS_BY_NAME, FG_AGGREGATE_NAME, NULL },
    { "pass", FG_STATS_BY_PASS, FG_AGGREGATE_PASS, NULL },
    { "track", FG_STATS_BY_TRACK, FG_AGGREGATE_TRACK, NULL },
    { "thread", FG_STATS_BY_TRACK, FG_AGGREGATE_TRACK, &thread_kind },
    { "scope", FG_STATS_BY_SCOPE, FG_AGGREGATE_SCOPE, NULL },
    { "category", FG_STATS_BY_CATEGORY, FG_AGGREGATE_CATEGORY, NULL },
    { "process", FG_STATS_BY_PROCESS, FG_AGGREGATE_PROCESS, NULL },
    { "lane", FG_STATS_BY_LANE, FG_AGGREGATE_LANE, NULL },
    { "depth", FG_STATS_BY_DEPTH, FG_AGGREGATE_DEPTH, NULL },
    { "status", FG_STATS_BY_STATUS, FG_AGGREGATE_STATUS, NULL },
    { "class", FG_STATS_BY_CLASSES, FG_AGGREGATE_CLASSES, NULL },
    { "frame", FG_STATS_BY_FRAME, FG_AGGREGATE_FRAME, NULL },
    { "all", FG_STATS_BY_ALL, FG_AGGREGATE_ALL, NULL },
};

const struct fgi_grouping_name *fgi_grouping_find(const char *name)
{
    for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++) {
        if (strcmp(groupings[i].name, name) == 0) {
            return &groupings[i];
        }
    }
    return NULL;
}

static void name_classes(uint32_t classes, char *out, size_t size)
{
    const char *word;
    size_t used = 0;
    snprintf(out, size, "none");
    for (uint32_t i = 0; (word = fgi_class_word(i)) != NULL; i++) {
        if ((classes >> i & 1) != 0 && used < size) {
            int more = snprintf(out + used, size - used, "%s%s", used > 0 ? "|" : "", word);
            used += more > 0 ? (size_t)more : 0;
        }
    }
}

static const char *track_text(const struct fg_trace *trace, uint32_t index)
{
    const struct fg_trace_track *track = fg_trace_track(trace, index);
    return track != NULL ? fg_trace_text(trace, track->name) : "";
}

static void name_lane(const struct fg_trace *trace, uint32_t index, char *out, size_t size)
{
    const struct fg_trace_lane *lane = fg_trace_lane(trace, index);
    snprintf(out, size, "%.150s, depth %u%s", lane != NULL ? track_text(trace, lane->track) : "",
             (unsigned)(lane != NULL ? lane->depth : 0),
             lane != NULL && lane->overlap > 0 ? ", overlap" : "");
}

const char *fgi_group_text(const struct fg_trace *trace, uint32_t aggregate_by, uint32_t key,
                           char *room)
{
    const struct fg_trace_frame *frame;
    const struct fg_trace_pass *pass;
    switch (aggregate_by) {
    case FG_AGGREGATE_ALL:
        return "all";
    case FG_AGGREGATE_STATUS:
        return fgi_status_word(key) != NULL ? fgi_status_word(key) : "";
    case FG_AGGREGATE_CLASSES:
        name_classes(key, room, FGI_GROUP_TEXT);
        return room;
    case FG_AGGREGATE_LANE:
        name_lane(trace, key, room, FGI_GROUP_TEXT);
        return room;
    case FG_AGGREGATE_TRACK:
        return track_text(trace, key);
    case FG_AGGREGATE_PROCESS:
        return fgi_process_text(trace, key, room);
    case FG_AGGREGATE_FRAME:
        frame = fg_trace_frame(trace, key);
        snprintf(room, FGI_GROUP_TEXT, "%" PRIu64, frame != NULL ? frame->id : 0);
        return room;
    case FG_AGGREGATE_PASS:
        pass = fg_trace_pass(trace, key);
        return pass != NULL ? fg_trace_text(trace, pass->name) : "";
    case FG_AGGREGATE_DEPTH:
        snprintf(room, FGI_GROUP_TEXT, "%u", (unsigned)key);
        return room;
    default: /* names, categories and scopes are texts themselves */
        return fg_trace_text(trace, key);
    }
}

enum fg_result fgi_span_read(const struct fg_trace *trace, uint32_t row,
                             struct fg_trace_span *out_span)
{
    uint32_t count = 0;
    enum fg_result result = fg_trace_spans(trace, row, out_span, 1, &count);
    return result == FG_OK && count == 0 ? FG_ERR_NOT_FOUND : result;
}

const char *fgi_span_track(const struct fg_trace *trace, const struct fg_trace_span *span)
{
    return track_text(trace, span->track);
}
