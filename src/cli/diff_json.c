/* SPDX-License-Identifier: MIT */
/* A comparison for programs: docs/CLI.md has the shape. */
#include "base/json.h"
#include "cli/diff_output.h"
#include <frameglass/trace_structure.h>

/* States of rows by enum fg_compare_state. */
static const char *const state_names[] = { "both", "added", "removed", "culled",
                                           "no longer culled" };

/* A number, or null where it is not known. */
static void key_maybe(struct fgi_json *json, const char *key, bool is_known, double value)
{
    fgi_json_key(json, key);
    if (is_known) {
        fgi_json_exact_double(json, value);
    } else {
        fgi_json_null(json);
    }
}

static void put_figures(struct fgi_json *json, const char *key,
                        const struct fg_compare_figures *figures)
{
    bool is_there = figures->median_ns >= 0;
    fgi_json_key(json, key);
    fgi_json_inline_object_begin(json);
    fgi_json_key_uint(json, "count", figures->count);
    fgi_json_key_uint(json, "frames", figures->frames);
    fgi_json_key_uint(json, "total_ns", figures->total_ns);
    key_maybe(json, "mean_ns", is_there, figures->mean_ns);
    fgi_json_key_int_or_null(json, "median_ns", is_there, figures->median_ns);
    key_maybe(json, "work", figures->work >= 0, figures->work);
    fgi_json_object_end(json);
}

static void key_text_or_null(struct fgi_json *json, const char *key, const char *text)
{
    fgi_json_key(json, key);
    if (text[0] != '\0') {
        fgi_json_text(json, text);
    } else {
        fgi_json_null(json);
    }
}

static void put_row(struct fgi_json *json, const struct fgi_diff *diff,
                    const struct fg_compare_row *row)
{
    const struct fg_compare_figures *base = &row->sides[FG_COMPARE_BASE];
    const struct fg_compare_figures *other = &row->sides[FG_COMPARE_NEW];
    bool are_there = base->median_ns >= 0 && other->median_ns >= 0;
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "name", row->name);
    fgi_json_key_text(json, "scope", row->scope);
    fgi_json_key_uint(json, "ordinal", row->ordinal);
    fgi_json_key_text(json, "side", row->is_gpu ? "gpu" : "cpu");
    key_text_or_null(json, "track", row->track);
    fgi_json_key_text(json, "state", state_names[row->state]);
    put_figures(json, "base", base);
    put_figures(json, "new", other);
    key_maybe(json, "delta_total_ns", true, (double)other->total_ns - (double)base->total_ns);
    key_maybe(json, "ratio", are_there && base->mean_ns > 0, other->mean_ns / base->mean_ns);
    key_maybe(json, "delta_ns", base->mean_ns >= 0 && other->mean_ns >= 0, row->delta_ns);
    key_maybe(json, "noise_ns", row->noise_ns >= 0, row->noise_ns);
    fgi_json_key_bool(json, "claimed", fg_compare_is_claimed(row->delta_ns, row->noise_ns));
    key_text_or_null(json, "cause", fg_compare_cause_text(row->cause));
    key_text_or_null(json, "work_unit", row->work_unit);
    fgi_json_key_bool(json, "fails", fgi_diff_row_fails(diff, row));
    fgi_json_object_end(json);
}

static void put_total(struct fgi_json *json, const struct fgi_diff *diff, const char *key,
                      const struct fg_compare_total *total)
{
    fgi_json_key(json, key);
    fgi_json_inline_object_begin(json);
    key_maybe(json, "base_ns", total->mean_ns[FG_COMPARE_BASE] >= 0,
              total->mean_ns[FG_COMPARE_BASE]);
    key_maybe(json, "new_ns", total->mean_ns[FG_COMPARE_NEW] >= 0, total->mean_ns[FG_COMPARE_NEW]);
    key_maybe(json, "noise_ns", total->noise_ns >= 0, total->noise_ns);
    fgi_json_key_bool(json, "claimed", fg_compare_is_claimed(total->delta_ns, total->noise_ns));
    fgi_json_key_bool(json, "fails", fgi_diff_total_fails(diff, total));
    fgi_json_object_end(json);
}

/* How long two traces without frames are; null where frames are compared. */
static void put_whole(struct fgi_json *json, const int64_t length_ns[2])
{
    fgi_json_key(json, "whole");
    if (length_ns[FG_COMPARE_BASE] < 0 || length_ns[FG_COMPARE_NEW] < 0) {
        fgi_json_null(json);
        return;
    }
    fgi_json_inline_object_begin(json);
    fgi_json_key_int(json, "base_ns", length_ns[FG_COMPARE_BASE]);
    fgi_json_key_int(json, "new_ns", length_ns[FG_COMPARE_NEW]);
    fgi_json_object_end(json);
}

static void put_lists(struct fgi_json *json, const struct fgi_diff *diff)
{
    static const struct {
        const char *key;
        uint8_t states[2];
    } lists[] = {
        { "rows", { FG_COMPARE_BOTH, FG_COMPARE_BOTH } },
        { "only_base", { FG_COMPARE_REMOVED, FG_COMPARE_CULLED } },
        { "only_new", { FG_COMPARE_ADDED, FG_COMPARE_UNCULLED } },
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        fgi_json_key(json, lists[k].key);
        fgi_json_array_begin(json);
        for (uint32_t i = 0; i < diff->reply.row_count; i++) {
            const struct fg_compare_row *row = &diff->reply.rows[i];
            if (row->state == lists[k].states[0] || row->state == lists[k].states[1]) {
                put_row(json, diff, row);
            }
        }
        fgi_json_array_end(json);
    }
}

static void put_resources(struct fgi_json *json, const struct fg_compare_reply *reply)
{
    static const char *const states[] = { [FG_COMPARE_RESOURCE_ADDED] = "added",
                                          [FG_COMPARE_RESOURCE_REMOVED] = "removed",
                                          [FG_COMPARE_RESOURCE_CHANGED] = "changed" };
    static const char *const keys[2][2] = { { "base", "base_bytes" }, { "new", "new_bytes" } };
    fgi_json_key(json, "resources");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < reply->resource_count; i++) {
        const struct fg_compare_resource *item = &reply->resources[i];
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "name", item->name);
        fgi_json_key_text(json, "state", states[item->state]);
        for (int k = 0; k < 2; k++) {
            key_text_or_null(json, keys[k][0], item->text[k]);
            fgi_json_key(json, keys[k][1]);
            if (item->bytes[k] == FG_UNKNOWN_BYTES) {
                fgi_json_null(json);
            } else {
                fgi_json_uint(json, item->bytes[k]);
            }
        }
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

static void put_counters(struct fgi_json *json, const struct fg_compare_reply *reply)
{
    fgi_json_key(json, "counters");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; i < reply->counter_count; i++) {
        const struct fg_compare_counter *item = &reply->counters[i];
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "name", item->name);
        fgi_json_key_text(json, "unit", item->unit);
        key_maybe(json, "base", true, item->mean[FG_COMPARE_BASE]);
        key_maybe(json, "new", true, item->mean[FG_COMPARE_NEW]);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

enum fg_result fgi_diff_print_json(const struct fgi_diff *diff)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "by", diff->by);
    fgi_json_key_uint(&json, "base_frames", diff->reply.frames[FG_COMPARE_BASE]);
    fgi_json_key_uint(&json, "new_frames", diff->reply.frames[FG_COMPARE_NEW]);
    put_whole(&json, diff->reply.length_ns);
    put_total(&json, diff, "gpu", &diff->reply.gpu);
    put_total(&json, diff, "cpu", &diff->reply.cpu);
    fgi_json_key(&json, "same_graphs");
    if (diff->reply.same == FG_COMPARE_NO_GRAPH) {
        fgi_json_null(&json);
    } else {
        fgi_json_bool(&json, diff->reply.same == FG_COMPARE_SAME);
    }
    put_lists(&json, diff);
    put_resources(&json, &diff->reply);
    put_counters(&json, &diff->reply);
    fgi_json_key(&json, "verdict");
    enum fgi_diff_verdict verdict = fgi_diff_verdict(diff);
    if (diff->has_gate && verdict != FGI_DIFF_UNKNOWN) {
        fgi_json_text(&json, verdict == FGI_DIFF_FAIL ? "fail" : "pass");
    } else {
        fgi_json_null(&json);
    }
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}
