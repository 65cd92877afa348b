/* SPDX-License-Identifier: MIT */
#include "cli/cli_select.h"
#include "base/alloc.h"
#include <frameglass/trace.h>

#include <string.h>

static bool is_given(const struct fgi_option_range *range)
{
    return range->has_first || range->has_end;
}

int fgi_select_window(const struct fgi_input *input, const char *option,
                      const struct fgi_option_range *range, int64_t *out_start_ns,
                      int64_t *out_end_ns)
{
    struct fg_trace_info info;
    fg_trace_get_info(input->trace, &info);
    int64_t origin_ns = info.has_extent ? info.first_ns : 0;
    int64_t first = range->first;
    int64_t end = range->end;
    if (!is_given(range)) {
        *out_start_ns = *out_end_ns = 0;
        return FGI_GO;
    }
    bool overflows =
        (range->first_is_relative && __builtin_add_overflow(first, origin_ns, &first)) ||
        (range->end_is_relative && __builtin_add_overflow(end, origin_ns, &end));
    *out_start_ns = range->has_first ? first : FG_TIME_MIN;
    *out_end_ns = range->has_end ? end : INT64_MAX;
    if (overflows || *out_start_ns >= *out_end_ns) {
        return fgi_command_fail(input->command, FGI_EXIT_USAGE,
                                "--%s: there is nothing between its two ends", option);
    }
    return FGI_GO;
}

/* Tracks of a name, of a kind, or both. */
static int find_tracks(const struct fgi_input *input, const char *name, const uint32_t *only_kind,
                       struct fgi_selected *out)
{
    struct fg_trace_info info;
    const struct fg_trace_track *track;
    uint32_t count = 0;
    fg_trace_get_info(input->trace, &info);
    out->track_room = (size_t)info.tracks + 1;
    out->tracks = fgi_malloc(NULL, out->track_room * sizeof *out->tracks);
    if (out->tracks == NULL) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s",
                                fg_result_text(FG_ERR_NO_MEMORY));
    }
    for (uint32_t i = 0; (track = fg_trace_track(input->trace, i)) != NULL; i++) {
        bool is_kind = only_kind == NULL || (uint32_t)track->kind == *only_kind;
        bool is_named = name == NULL || strcmp(fg_trace_text(input->trace, track->name), name) == 0;
        if (is_kind && is_named) {
            out->tracks[count++] = i;
        }
    }
    out->selection.tracks = out->tracks;
    out->selection.track_count = count;
    return name == NULL || count > 0 ? FGI_GO
                                     : fgi_command_fail(input->command, FGI_EXIT_USAGE,
                                                        "--track: %s has no track called '%s'",
                                                        fgi_input_name(input), name);
}

static int make_filter(const struct fgi_input *input, const struct fgi_select *select,
                       struct fgi_selected *out)
{
    uint32_t category = 0, rows = 0;
    struct fg_filter_terms terms = {
        .text = select->match,
        .min_duration_ns = select->min_ns,
        .max_duration_ns = select->max_ns,
    };
    if (select->in_filter) {
        const struct fg_selection *all = &out->selection;
        terms.tracks = all->tracks;
        terms.track_count = all->track_count;
        terms.has_frames = all->has_frames;
        terms.first_frame = all->first_frame;
        terms.end_frame = all->end_frame;
        terms.has_range = select->time_too && all->start_ns < all->end_ns;
        terms.start_ns = all->start_ns;
        terms.end_ns = all->end_ns;
    }
    if (select->category != NULL) {
        category = fg_trace_text_find(input->trace, select->category);
        if (category == FG_NONE) {
            return fgi_command_fail(input->command, FGI_EXIT_USAGE,
                                    "--category: %s has none called '%s'", fgi_input_name(input),
                                    select->category);
        }
        terms.categories = &category;
        terms.category_count = 1;
    }
    struct fg_task *task = NULL;
    enum fg_result result = fg_task_filter(input->query, &terms, FG_TASK_INTERACTIVE, &task);
    result = fgi_task_run(task, "filtering", result);
    if (result == FG_OK) {
        result = fg_task_result_filter(task, &out->selection.filter, &rows);
    }
    fg_task_destroy(task);
    if (result != FG_OK) {
        return fgi_input_fail(input, result, &(struct fg_diag){ 0 });
    }
    out->query = input->query;
    return FGI_GO;
}

int fgi_select_find(const struct fgi_input *input, const struct fgi_select *select,
                    const uint32_t *only_kind, struct fgi_selected *out_selected)
{
    struct fgi_selected selected = { 0 };
    int status =
        fgi_select_window(input, select->time_option != NULL ? select->time_option : "time",
                          &select->time, &selected.selection.start_ns, &selected.selection.end_ns);
    if (status == FGI_GO && is_given(&select->frames)) {
        selected.selection.has_frames = true;
        fgi_input_frame_range(input, &select->frames, &selected.selection.first_frame,
                              &selected.selection.end_frame);
    }
    if (status == FGI_GO && (select->track != NULL || only_kind != NULL)) {
        status = find_tracks(input, select->track, only_kind, &selected);
    }
    const struct fg_selection *found = &selected.selection;
    bool has_terms = (select->match != NULL && select->match[0] != '\0') ||
                     select->category != NULL || select->min_ns != 0 || select->max_ns != 0 ||
                     (select->in_filter && (found->has_frames || found->tracks != NULL)) ||
                     (select->time_too && found->start_ns < found->end_ns);
    if (status == FGI_GO && has_terms) {
        status = make_filter(input, select, &selected);
    }
    if (status != FGI_GO) {
        fgi_selected_finish(&selected);
        return status;
    }
    *out_selected = selected;
    return FGI_GO;
}

void fgi_selected_finish(struct fgi_selected *selected)
{
    if (selected == NULL) {
        return;
    }
    if (selected->query != NULL) {
        (void)fg_query_filter_destroy(selected->query, selected->selection.filter);
    }
    fgi_free(NULL, selected->tracks, selected->track_room * sizeof *selected->tracks);
    *selected = (struct fgi_selected){ 0 };
}
