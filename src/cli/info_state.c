/* SPDX-License-Identifier: MIT */
#include "cli/info_state.h"
#include "base/arena.h"
#include "cli/cli_output.h"
#include <frameglass/trace_state.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_JSON = 1000, ROWS_PEOPLE = 20, VALUE_TEXT = 48 };

/* ---- words ----------------------------------------------------------------------------------- */

/* NULL: the source does not say. */
static const char *kind_name(enum fg_trace_metric_kind kind)
{
    switch (kind) {
    case FG_TRACE_COUNTER:
        return "counter";
    case FG_TRACE_GAUGE:
        return "gauge";
    case FG_TRACE_FRAME_COUNTER:
        return "frame counter";
    case FG_TRACE_DELTA:
        return "delta";
    case FG_TRACE_METRIC_UNKNOWN:
        break;
    }
    return NULL;
}

static const char *accuracy_name(enum fg_trace_accuracy accuracy)
{
    switch (accuracy) {
    case FG_TRACE_EXACT:
        return "exact";
    case FG_TRACE_ESTIMATED:
        return "estimated";
    case FG_TRACE_UNAVAILABLE:
        return "unavailable";
    case FG_TRACE_ACCURACY_UNKNOWN:
        break;
    }
    return NULL;
}

/* ---- metrics --------------------------------------------------------------------------------- */

struct metric_values {
    bool is_double;
    struct fg_counter_figures figures; /* all zero: it was never published */
};

static struct metric_values values_of(const struct fg_trace *trace,
                                      const struct fg_trace_metric *metric)
{
    struct metric_values values = { 0 };
    const struct fg_trace_counter *counter = fg_trace_counter(trace, metric->counter);
    if (counter != NULL) {
        values.is_double = counter->is_double;
        if (fg_trace_counter_figures(trace, metric->counter, 0, 0, &values.figures) != FG_OK) {
            values.figures = (struct fg_counter_figures){ 0 };
        }
    }
    return values;
}

static void json_key_maybe_text(struct fgi_json *json, const char *key, const char *text)
{
    fgi_json_key(json, key);
    if (text != NULL) {
        fgi_json_text(json, text);
    } else {
        fgi_json_null(json);
    }
}

static void json_key_value(struct fgi_json *json, const char *key,
                           const struct metric_values *values, union fg_counter_value value)
{
    fgi_json_key(json, key);
    if (!values->figures.has_last) {
        fgi_json_null(json);
    } else if (values->is_double) {
        fgi_json_exact_double(json, value.real);
    } else {
        fgi_json_int(json, value.integer);
    }
}

static void json_metrics(struct fgi_json *json, const struct fg_trace *trace)
{
    const struct fg_trace_metric *metric;
    fgi_json_key(json, "metrics");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; (metric = fg_trace_metric(trace, i)) != NULL; i++) {
        struct metric_values values = values_of(trace, metric);
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "name", fg_trace_text(trace, metric->name));
        json_key_maybe_text(json, "kind", kind_name(metric->kind));
        fgi_json_key_text(json, "unit", fg_trace_text(trace, metric->unit));
        json_key_maybe_text(json, "accuracy", accuracy_name(metric->accuracy));
        json_key_value(json, "last", &values, values.figures.last);
        json_key_value(json, "low", &values, values.figures.low);
        json_key_value(json, "high", &values, values.figures.high);
        fgi_json_key_uint(json, "samples", values.figures.count);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

/* A value with its unit, in `out`. */
static const char *value_text(const char *unit, const struct metric_values *values,
                              union fg_counter_value value, char out[VALUE_TEXT])
{
    if (values->is_double) {
        snprintf(out, VALUE_TEXT, "%.6g", value.real);
    } else if (strcmp(unit, "bytes") == 0 && value.integer >= 0) {
        return fgi_bytes_text((uint64_t)value.integer, out, VALUE_TEXT);
    } else if (strcmp(unit, "ns") == 0) {
        return fgi_duration_text(value.integer, out, VALUE_TEXT);
    } else if (strcmp(unit, "basis points") == 0) {
        snprintf(out, VALUE_TEXT, "%.2f %%", (double)value.integer / 100);
    } else {
        snprintf(out, VALUE_TEXT, "%" PRId64 "%s", value.integer,
                 strcmp(unit, "per second") == 0 ? " / s" : "");
    }
    return out;
}

static struct fgi_cell value_cell(struct fgi_arena *arena, const char *unit,
                                  const struct metric_values *values, union fg_counter_value value)
{
    char text[VALUE_TEXT];
    if (!values->figures.has_last) {
        return (struct fgi_cell){ 0 }; /* never published: a dash, and not 0 */
    }
    value_text(unit, values, value, text);
    const char *kept = fgi_arena_text(arena, text, strlen(text));
    return kept != NULL ? fgi_cell_text(kept) : (struct fgi_cell){ 0 };
}

static enum fg_result print_metrics(const struct fg_trace *trace)
{
    static const struct fgi_column columns[] = {
        { "metric", FGI_COLUMN_TEXT, NULL },   { "kind", FGI_COLUMN_TEXT, NULL },
        { "accuracy", FGI_COLUMN_TEXT, NULL }, { "last", FGI_COLUMN_TEXT, NULL },
        { "lowest", FGI_COLUMN_TEXT, NULL },   { "highest", FGI_COLUMN_TEXT, NULL },
        { "samples", FGI_COLUMN_COUNT, NULL },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMNS };
    struct fgi_arena arena = { 0 };
    const struct fg_trace_metric *metric;
    for (uint32_t i = 0; (metric = fg_trace_metric(trace, i)) != NULL; i++) {
        struct metric_values values = values_of(trace, metric);
        const char *unit = fg_trace_text(trace, metric->unit);
        const char *kind = kind_name(metric->kind);
        const char *accuracy = accuracy_name(metric->accuracy);
        const struct fgi_cell cells[COLUMNS] = {
            fgi_cell_text(fg_trace_text(trace, metric->name)),
            kind != NULL ? fgi_cell_text(kind) : (struct fgi_cell){ 0 },
            accuracy != NULL ? fgi_cell_text(accuracy) : (struct fgi_cell){ 0 },
            value_cell(&arena, unit, &values, values.figures.last),
            value_cell(&arena, unit, &values, values.figures.low),
            value_cell(&arena, unit, &values, values.figures.high),
            fgi_cell_number((int64_t)values.figures.count),
        };
        fgi_table_row(&table, cells);
    }
    if (table.row_count > 0 && table.result == FG_OK) {
        printf("\n");
        fgi_table_print(&table);
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&arena);
    return result;
}

/* ---- live resources -------------------------------------------------------------------------- */

static void json_key_bytes(struct fgi_json *json, const char *key, uint64_t size_bytes)
{
    fgi_json_key(json, key);
    if (size_bytes == UINT64_MAX) {
        fgi_json_null(json);
    } else {
        fgi_json_uint(json, size_bytes);
    }
}

static enum fg_result ask_live(struct fg_query *query, uint32_t limit,
                               struct fg_objects_reply *out_reply)
{
    const struct fg_objects_request request = {
        .set = FG_OBJECTS_LIVE,
        .column = FG_OBJECT_BY_SIZE,
        .is_descending = true,
        .limit = limit,
    };
    return fg_query_objects(query, &request, out_reply);
}

static void json_object(struct fgi_json *json, const struct fg_trace *trace, uint32_t number)
{
    const struct fg_trace_object *object = fg_trace_object(trace, number);
    const struct fg_trace_object_event *known = fg_trace_object_at(trace, number, INT64_MAX);
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "id", object->id);
    fgi_json_key_text(json, "name", fg_trace_text(trace, known->name));
    fgi_json_key_text(json, "type", fg_trace_text(trace, known->type));
    json_key_bytes(json, "bytes", known->size_bytes);
    json_key_maybe_text(json, "accuracy", accuracy_name(known->accuracy));
    fgi_json_key(json, "made_ns");
    if (object->made_ns == FG_TIME_MIN) {
        fgi_json_null(json);
    } else {
        fgi_json_int(json, object->made_ns);
    }
    fgi_json_object_end(json);
}

static void json_live(struct fgi_json *json, const struct fg_trace *trace,
                      const struct fg_objects_reply *live)
{
    struct fg_object_sum sums[FG_OBJECT_SETS];
    fg_trace_object_sums(trace, FG_TIME_MIN, INT64_MAX, sums);
    fgi_json_key(json, "live_resources");
    if (fg_trace_object(trace, 0) == NULL) {
        fgi_json_null(json); /* nothing was told of any, which is not none */
        return;
    }
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "count", sums[FG_OBJECTS_LIVE].count);
    json_key_bytes(json, "bytes", sums[FG_OBJECTS_LIVE].size_bytes);
    fgi_json_key_uint(json, "unknown_size", sums[FG_OBJECTS_LIVE].unknown_count);
    fgi_json_key_uint(json, "made", sums[FG_OBJECTS_MADE].count);
    fgi_json_key_uint(json, "gone", sums[FG_OBJECTS_GONE].count);
    fgi_json_key(json, "types");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < live->type_count; i++) {
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "type", fg_trace_text(trace, live->types[i].type));
        fgi_json_key_uint(json, "count", live->types[i].sum.count);
        json_key_bytes(json, "bytes", live->types[i].sum.size_bytes);
        fgi_json_key_uint(json, "unknown_size", live->types[i].sum.unknown_count);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
    fgi_json_key(json, "rows");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < live->count; i++) {
        json_object(json, trace, live->objects[i]);
    }
    fgi_json_array_end(json);
    fgi_json_object_end(json);
}

static struct fgi_cell bytes_cell(struct fgi_arena *arena, uint64_t size_bytes)
{
    char text[VALUE_TEXT];
    if (size_bytes == UINT64_MAX) {
        return (struct fgi_cell){ 0 };
    }
    fgi_bytes_text(size_bytes, text, sizeof text);
    const char *kept = fgi_arena_text(arena, text, strlen(text));
    return kept != NULL ? fgi_cell_text(kept) : (struct fgi_cell){ 0 };
}

static enum fg_result print_live(const struct fg_trace *trace, const struct fg_objects_reply *live)
{
    static const struct fgi_column columns[] = {
        { "live resource", FGI_COLUMN_TEXT, NULL },
        { "type", FGI_COLUMN_TEXT, NULL },
        { "size", FGI_COLUMN_TEXT, NULL },
        { "accuracy", FGI_COLUMN_TEXT, NULL },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMNS };
    struct fgi_arena arena = { 0 };
    for (uint32_t i = 0; i < live->count; i++) {
        const struct fg_trace_object_event *known =
            fg_trace_object_at(trace, live->objects[i], INT64_MAX);
        const char *accuracy = accuracy_name(known->accuracy);
        const struct fgi_cell cells[COLUMNS] = {
            fgi_cell_text(fg_trace_text(trace, known->name)),
            fgi_cell_text(fg_trace_text(trace, known->type)),
            bytes_cell(&arena, known->size_bytes),
            accuracy != NULL ? fgi_cell_text(accuracy) : (struct fgi_cell){ 0 },
        };
        fgi_table_row(&table, cells);
    }
    if (table.row_count > 0 && table.result == FG_OK) {
        printf("\n");
        fgi_table_print(&table);
        if (live->count < live->total) {
            printf("and %u more (--json has them)\n", (unsigned)(live->total - live->count));
        }
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&arena);
    return result;
}

/* ---- losses ---------------------------------------------------------------------------------- */

static const char *track_name(const struct fg_trace *trace, uint32_t number)
{
    const struct fg_trace_track *track = fg_trace_track(trace, number);
    return track != NULL ? fg_trace_text(trace, track->name) : "";
}

static void json_losses(struct fgi_json *json, const struct fg_trace *trace)
{
    const struct fg_trace_track_loss *loss;
    fgi_json_key(json, "losses");
    fgi_json_object_begin(json);
    fgi_json_key(json, "counters");
    fgi_json_object_begin(json);
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        json_key_bytes(json, fg_trace_loss_counter_name(i), fg_trace_loss_counter(trace, i));
    }
    fgi_json_object_end(json);
    fgi_json_key(json, "tracks");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; (loss = fg_trace_track_loss(trace, i)) != NULL; i++) {
        const struct fg_trace_track *track = fg_trace_track(trace, loss->track);
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "track", track_name(trace, loss->track));
        fgi_json_key_int(json, "id", track != NULL ? track->id : -1);
        fgi_json_key_uint(json, "lost", loss->count);
        fgi_json_key_uint(json, "gaps", loss->gap_count);
        fgi_json_key_int(json, "first_ns", loss->first_ns);
        fgi_json_key_int(json, "last_ns", loss->last_ns);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
    fgi_json_object_end(json);
}

/* One line for the counters, when the capture says any of them. */
static void print_loss_counters(const struct fg_trace *trace)
{
    bool is_any = false;
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        is_any |= fg_trace_loss_counter(trace, i) != UINT64_MAX;
    }
    if (!is_any) {
        return;
    }
    printf("\nLosses of the program since it began:\n");
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        uint64_t count = fg_trace_loss_counter(trace, i);
        printf("  %-24s", fg_trace_loss_counter_name(i));
        if (count == UINT64_MAX) {
            printf("-\n");
        } else {
            printf("%" PRIu64 "\n", count);
        }
    }
}

static enum fg_result print_track_losses(const struct fg_trace *trace)
{
    static const struct fgi_column columns[] = {
        { "track that lost events", FGI_COLUMN_TEXT, NULL },
        { "events", FGI_COLUMN_COUNT, NULL },
        { "times", FGI_COLUMN_COUNT, NULL },
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMNS };
    const struct fg_trace_track_loss *loss;
    for (uint32_t i = 0; (loss = fg_trace_track_loss(trace, i)) != NULL; i++) {
        const struct fgi_cell cells[COLUMNS] = {
            fgi_cell_text(track_name(trace, loss->track)),
            fgi_cell_number(loss->count <= INT64_MAX ? (int64_t)loss->count : INT64_MAX),
            fgi_cell_number(loss->gap_count),
        };
        fgi_table_row(&table, cells);
    }
    if (table.row_count > 0 && table.result == FG_OK) {
        printf("\n");
        fgi_table_print(&table);
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    return result;
}

/* ---- all of it ------------------------------------------------------------------------------- */

enum fg_result fgi_info_state_json(struct fgi_json *json, const struct fg_trace *trace,
                                   struct fg_query *query)
{
    struct fg_objects_reply live;
    enum fg_result result = ask_live(query, ROWS_JSON, &live);
    if (result == FG_OK) {
        json_metrics(json, trace);
        json_live(json, trace, &live);
        json_losses(json, trace);
    }
    return result;
}

enum fg_result fgi_info_state_print(const struct fg_trace *trace, struct fg_query *query)
{
    struct fg_objects_reply live;
    enum fg_result result = ask_live(query, ROWS_PEOPLE, &live);
    if (result == FG_OK) {
        result = print_metrics(trace);
    }
    if (result == FG_OK) {
        result = print_live(trace, &live);
    }
    if (result == FG_OK) {
        print_loss_counters(trace);
        result = print_track_losses(trace);
    }
    return result;
}
