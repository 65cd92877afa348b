/* SPDX-License-Identifier: MIT */
#include "cli/anomaly_groups.h"
#include "base/json.h"
#include "cli/cli_output.h"

#include <inttypes.h>
#include <stdio.h>

enum { SCORE_TEXT = 40 };

const char *fgi_score_text(uint64_t micro, char *out, size_t size)
{
    if (micro == UINT64_MAX) {
        snprintf(out, size, "more than fits");
    } else {
        snprintf(out, size, "%" PRIu64 ".%02u", micro / FG_MICRO,
                 (unsigned)(micro % FG_MICRO / 10000));
    }
    return out;
}

static const char *state_of(const struct fg_groups_row *row)
{
    uint32_t flags = row->score.flags;
    return flags & FG_GROUP_ONLY_NEW                        ? "only new"
           : flags & FG_GROUP_ONLY_BASE                     ? "only base"
           : flags & (FG_GROUP_BAD_BASE | FG_GROUP_BAD_NEW) ? "invalid"
           : flags & FG_GROUP_REGRESSION                    ? "regression"
                                                            : "";
}

/* How a group is called, in the trace that has it. */
static const char *name_of(const struct fgi_anomaly_groups *groups, const struct fg_groups_row *row,
                           char *room)
{
    unsigned side = row->key[1] != FG_NONE ? 1 : 0;
    return fgi_group_text(groups->sides[side]->trace, groups->by->aggregate_by, row->key[side],
                          room);
}

static const char *clock_of(const struct fgi_anomaly_groups *groups,
                            const struct fg_groups_row *row)
{
    unsigned side = row->key[1] != FG_NONE ? 1 : 0;
    const struct fg_trace *trace = groups->sides[side]->trace;
    const struct fg_trace_clock *clock = fg_trace_clock(trace, row->clock[side]);
    return clock != NULL ? fg_trace_text(trace, clock->name) : "";
}

static void put_side(struct fgi_json *json, const char *key, const struct fg_group_figures *side)
{
    fgi_json_key(json, key);
    if (!side->is_known) {
        fgi_json_null(json);
        return;
    }
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "count", side->count);
    fgi_json_key_uint(json, "mean_ns", side->mean_ns);
    fgi_json_key_uint(json, "error_ppm", side->error_ppm);
    fgi_json_object_end(json);
}

static void put_row(struct fgi_json *json, const struct fgi_anomaly_groups *groups,
                    const struct fg_groups_row *row)
{
    char room[FGI_GROUP_TEXT];
    const struct fg_group_score *score = &row->score;
    bool is_both = row->figures[0].is_known && row->figures[1].is_known;
    fgi_json_inline_object_begin(json);
    fgi_json_key_text(json, "name", name_of(groups, row, room));
    fgi_json_key_text(json, "clock", clock_of(groups, row));
    put_side(json, "base", &row->figures[0]);
    put_side(json, "new", &row->figures[1]);
    fgi_json_key_bool(json, "regression", (score->flags & FG_GROUP_REGRESSION) != 0);
    fgi_json_key_bool(json, "saturated", (score->flags & FG_GROUP_SATURATED) != 0);
    fgi_json_key(json, "score");
    if (is_both) {
        fgi_json_object_begin(json);
        fgi_json_key_uint(json, "micro", score->score_micro);
        fgi_json_key_uint(json, "ratio_micro", score->ratio_micro);
        fgi_json_key_int(json, "mean_delta_ns", score->mean_delta_ns);
        fgi_json_key_int(json, "count_delta", score->count_delta);
        fgi_json_key_int(json, "error_delta_ppm", score->error_delta_ppm);
        fgi_json_object_end(json);
    } else {
        fgi_json_null(json);
    }
    fgi_json_object_end(json);
}

static enum fg_result print_json(const struct fgi_anomaly_groups *groups,
                                 const struct fg_groups_reply *reply)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "by", groups->by->name);
    fgi_json_key_uint(&json, "groups", reply->group_count);
    fgi_json_key_uint(&json, "regressed", reply->regressed);
    fgi_json_key_uint(&json, "only_base", reply->only_base);
    fgi_json_key_uint(&json, "only_new", reply->only_new);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < reply->count; i++) {
        put_row(&json, groups, &reply->rows[i]);
    }
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static struct fgi_cell mean_cell(const struct fg_group_figures *side)
{
    int64_t mean_ns = side->mean_ns <= INT64_MAX ? (int64_t)side->mean_ns : INT64_MAX;
    return (struct fgi_cell){ .is_known = side->is_known, .value = mean_ns };
}

static struct fgi_cell count_cell(const struct fg_group_figures *side)
{
    return (struct fgi_cell){ .is_known = side->is_known, .value = (int64_t)side->count };
}

static enum fg_result print_table(const struct fgi_anomaly_groups *groups,
                                  const struct fg_groups_reply *reply)
{
    static const struct fgi_column columns[] = {
        { "name", FGI_COLUMN_TEXT, "name" },
        { "base count", FGI_COLUMN_COUNT, "base_count" },
        { "new count", FGI_COLUMN_COUNT, "new_count" },
        { "base mean", FGI_COLUMN_DURATION, "base_mean_ns" },
        { "new mean", FGI_COLUMN_DURATION, "new_mean_ns" },
        { "score", FGI_COLUMN_TEXT, NULL },
        { NULL, FGI_COLUMN_COUNT, "score_micro" },
        { "", FGI_COLUMN_TEXT, "state" },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    struct fgi_arena arena = { 0 };
    for (uint32_t i = 0; i < reply->count; i++) {
        const struct fg_groups_row *row = &reply->rows[i];
        char *name = fgi_arena_alloc(&arena, FGI_GROUP_TEXT, 1);
        char *score = fgi_arena_alloc(&arena, SCORE_TEXT, 1);
        if (name == NULL || score == NULL) {
            table.result = FG_ERR_NO_MEMORY;
            break;
        }
        bool is_both = row->figures[0].is_known && row->figures[1].is_known;
        uint64_t micro = row->score.score_micro;
        const struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_text(name_of(groups, row, name)),
            count_cell(&row->figures[0]),
            count_cell(&row->figures[1]),
            mean_cell(&row->figures[0]),
            mean_cell(&row->figures[1]),
            { .is_known = is_both, .text = fgi_score_text(micro, score, SCORE_TEXT) },
            { .is_known = is_both && micro <= INT64_MAX, .value = (int64_t)micro },
            fgi_cell_text(state_of(row)),
        };
        fgi_table_row(&table, cells);
    }
    if (groups->as_csv) {
        fgi_table_print_csv(&table);
    } else {
        fgi_table_print(&table);
        printf("\n%u of %u groups are slower or fail more often by the threshold\n",
               (unsigned)reply->regressed, (unsigned)reply->group_count);
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&arena);
    return result;
}

enum fg_result fgi_anomaly_groups_print(const struct fgi_anomaly_groups *groups)
{
    struct fg_groups_reply reply;
    struct fg_task *task = NULL;
    enum fg_result result = fg_task_groups(&groups->request, FG_TASK_INTERACTIVE, &task);
    result = fgi_task_run(task, "comparing groups", result);
    if (result == FG_OK) {
        result = fg_task_result_groups(task, &reply);
    }
    if (result == FG_OK) {
        result = groups->as_json ? print_json(groups, &reply) : print_table(groups, &reply);
    }
    fg_task_destroy(task);
    return result;
}
