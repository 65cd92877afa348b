/* SPDX-License-Identifier: MIT */
#include "cli/cli_select.h"
#include "base/alloc.h"
#include "cli/cli_output.h"
#include "trace/span_words.h"
#include <frameglass/trace.h>
#include <frameglass/trace_aggregate.h>

#include <inttypes.h>
#include <stdio.h>
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

/* "+1.25ms": exact, in the unit that needs the fewest digits. */
static int put_time(char *out, size_t size, uint64_t since_ns)
{
    static const struct {
        const char *name;
        uint64_t scale_ns;
        int decimals;
    } units[] = { { "s", 1000000000, 9 }, { "ms", 1000000, 6 }, { "us", 1000, 3 }, { "ns", 1, 0 } };
    size_t unit = 0;
    while (units[unit].scale_ns > 1 && since_ns < units[unit].scale_ns) {
        unit++;
    }
    uint64_t part = since_ns % units[unit].scale_ns;
    int decimals = units[unit].decimals;
    for (; decimals > 0 && part % 10 == 0; decimals--) {
        part /= 10;
    }
    int used = snprintf(out, size, "+%" PRIu64, since_ns / units[unit].scale_ns);
    if (decimals > 0) {
        used += snprintf(out + used, size - (size_t)used, ".%0*" PRIu64, decimals, part);
    }
    return used + snprintf(out + used, size - (size_t)used, "%s", units[unit].name);
}

const char *fgi_window_text(const struct fgi_input *input, int64_t start_ns, int64_t end_ns,
                            char *out)
{
    struct fg_trace_info info;
    fg_trace_get_info(input->trace, &info);
    uint64_t since_ns = (uint64_t)start_ns - (uint64_t)info.first_ns;
    uint64_t length_ns = (uint64_t)end_ns - (uint64_t)start_ns;
    if (since_ns > INT64_MAX || length_ns >= INT64_MAX - since_ns) { /* too far for a + */
        snprintf(out, FGI_WINDOW_TEXT, "%" PRId64 ":", start_ns);
        return out;
    }
    int used = put_time(out, FGI_WINDOW_TEXT, since_ns);
    out[used++] = ':';
    (void)put_time(out + used, FGI_WINDOW_TEXT - (size_t)used,
                   since_ns + (length_ns > 0 ? length_ns : 1));
    return out;
}

/* ---- names that there are not ---------------------------------------------------------------- */

enum { NAMED_MOST = 10 };

/* Different names, in the order in which they were met, and whether there are more. */
struct known {
    const char *names[NAMED_MOST];
    uint32_t count;
    bool has_more;
};

static void know(struct known *known, const char *name)
{
    for (uint32_t i = 0; i < known->count; i++) {
        if (strcmp(known->names[i], name) == 0) {
            return;
        }
    }
    if (known->count < NAMED_MOST && name[0] != '\0') {
        known->names[known->count++] = name;
    } else if (name[0] != '\0') {
        known->has_more = true;
    }
}

/* Says which there are. */
static int refuse_name(const struct fgi_input *input, const char *option, const char *name,
                       const struct known *known)
{
    char list[640] = "none", plain[FGI_PLAIN_TEXT];
    size_t used = 0;
    for (uint32_t i = 0; i < known->count && used < sizeof list; i++) {
        int more = snprintf(list + used, sizeof list - used, "%s%.60s", i > 0 ? ", " : "",
                            fgi_plain_text(known->names[i], plain, sizeof plain));
        used += more > 0 ? (size_t)more : 0;
    }
    return fgi_command_fail(input->command, FGI_EXIT_USAGE,
                            "--%s: %s has none called '%s'; there %s %s%s", option,
                            fgi_input_name(input), name, known->count == 1 ? "is" : "are", list,
                            known->has_more ? " and more" : "");
}

static int refuse_track(const struct fgi_input *input, const char *name)
{
    const struct fg_trace_track *track;
    struct known known = { 0 };
    for (uint32_t i = 0; (track = fg_trace_track(input->trace, i)) != NULL; i++) {
        know(&known, fg_trace_text(input->trace, track->name));
    }
    return refuse_name(input, "track", name, &known);
}

static int refuse_category(const struct fgi_input *input, const char *name)
{
    const struct fg_aggregate_request request = { .by = FG_AGGREGATE_CATEGORY };
    struct fg_aggregate_reply reply;
    struct known known = { 0 };
    if (fg_query_aggregate(input->query, &request, &reply) == FG_OK) {
        for (uint32_t i = 0; i < reply.count; i++) {
            know(&known, fg_trace_text(input->trace, reply.rows[i].key));
        }
    }
    return refuse_name(input, "category", name, &known);
}

/* ---- what is selected ------------------------------------------------------------------------ */

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
    return name == NULL || count > 0 ? FGI_GO : refuse_track(input, name);
}

/* Lists those that there are. */
static int refuse_word(const struct fgi_input *input, const char *option, const char *list,
                       const char *(*word_of)(uint32_t i))
{
    char known[160] = "";
    const char *word;
    size_t used = 0;
    for (uint32_t i = 0; (word = word_of(i)) != NULL && used < sizeof known; i++) {
        int more = snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? "," : "", word);
        used += more > 0 ? (size_t)more : 0;
    }
    return fgi_command_fail(input->command, FGI_EXIT_USAGE,
                            "--%s does not take '%s': expected some of %s", option, list, known);
}

/* Bits of words with commas between them, each the i-th of `word_of`; NULL: none. */
static int find_words(const struct fgi_input *input, const char *option, const char *list,
                      const char *(*word_of)(uint32_t i), uint32_t *out_bits)
{
    *out_bits = 0;
    while (list != NULL) {
        size_t length = strcspn(list, ",");
        const char *word;
        uint32_t i = 0;
        while ((word = word_of(i)) != NULL &&
               (strlen(word) != length || strncmp(word, list, length) != 0)) {
            i++;
        }
        if (word == NULL) {
            return refuse_word(input, option, list, word_of);
        }
        *out_bits |= 1u << i;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return FGI_GO;
}

/* What a span itself is, and how it lies to others. */
static int find_kinds(const struct fgi_input *input, const struct fgi_select *select,
                      struct fg_filter_terms *terms)
{
    int status = find_words(input, "status", select->status, fgi_status_word, &terms->status_mask);
    if (status == FGI_GO) {
        status =
            find_words(input, "class", select->classes, fgi_class_word, &terms->required_classes);
    }
    if (status == FGI_GO) {
        status = find_words(input, "no-class", select->no_classes, fgi_class_word,
                            &terms->excluded_classes);
    }
    if (status == FGI_GO && select->errors && select->status != NULL) {
        status = fgi_command_fail(input->command, FGI_EXIT_USAGE,
                                  "--errors and --status exclude each other");
    }
    if (status == FGI_GO && select->max_ns != 0 && select->min_ns > select->max_ns) {
        status =
            fgi_command_fail(input->command, FGI_EXIT_USAGE,
                             "--longer-than and --shorter-than: there is nothing between them");
    }
    if (select->errors) {
        terms->status_mask = 1u << FG_SPAN_ERROR;
    }
    terms->short_child_ns = select->short_child_ns;
    terms->similar_parent_percent = (uint32_t)select->similar_parent_percent;
    return status;
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
    int status = find_kinds(input, select, &terms);
    if (status != FGI_GO) {
        return status;
    }
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
            return refuse_category(input, select->category);
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

/* Something that is a matter of the spans alone. */
static bool has_span_terms(const struct fgi_select *select)
{
    return (select->match != NULL && select->match[0] != '\0') || select->category != NULL ||
           select->min_ns != 0 || select->max_ns != 0 || select->errors || select->status != NULL ||
           select->classes != NULL || select->no_classes != NULL || select->short_child_ns != 0 ||
           select->similar_parent_percent != 0;
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
    bool has_terms = has_span_terms(select) ||
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
