/* SPDX-License-Identifier: MIT */
/* Which spans a command is about: options that several commands have in common. */
#ifndef FGI_CLI_SELECT_H
#define FGI_CLI_SELECT_H
#include "cli/cli_input.h"
#include <frameglass/trace_aggregate.h>

/** What was asked for; zero: all spans. */
struct fgi_select {
    struct fgi_option_range frames, time;
    const char *time_option; /**< name of that of `time`, for messages; NULL = "time" */
    const char *match, *track, *category;
    const char *status, *classes, *no_classes; /**< words, commas between them */
    bool errors;                               /**< the status "error" alone */
    uint64_t min_ns, max_ns;
    uint64_t short_child_ns, similar_parent_percent;
    bool in_filter; /**< frames and tracks in the filter, for questions that do not take them */
    bool time_too;  /**< and the time, too */
};
/** The options, into an array of struct fgi_option. */
#define FGI_OPTION_FRAMES(out_range)                                                               \
    {                                                                                              \
        .name = "frames", .kind = FGI_OPTION_RANGE, .value = (out_range), .argument = "A:B",       \
        .about = "only spans of the frames from A to before B"                                     \
    }
#define FGI_OPTION_WINDOW(out_range)                                                               \
    {                                                                                              \
        .name = "time", .kind = FGI_OPTION_TIME, .value = (out_range), .argument = "T0:T1",        \
        .about = "only spans that meet [T0, T1); +5ms counts from the first time"                  \
    }
#define FGI_OPTION_MATCH(out_text)                                                                 \
    {                                                                                              \
        .name = "match", .kind = FGI_OPTION_TEXT, .value = (out_text), .argument = "TEXT",         \
        .about = "only spans whose name contains it, in capitals or not"                           \
    }
/** Those that every command has which selects spans; `select`: a struct fgi_select. */
#define FGI_OPTIONS_SPANS(select)                                                                  \
    { .name = "track",                                                                             \
      .kind = FGI_OPTION_TEXT,                                                                     \
      .value = &(select).track,                                                                    \
      .argument = "NAME",                                                                          \
      .about = "only spans of tracks of this name" },                                              \
        { .name = "category",                                                                      \
          .kind = FGI_OPTION_TEXT,                                                                 \
          .value = &(select).category,                                                             \
          .argument = "NAME",                                                                      \
          .about = "only spans of this category" },                                                \
        { .name = "longer-than",                                                                   \
          .kind = FGI_OPTION_DURATION,                                                             \
          .value = &(select).min_ns,                                                               \
          .argument = "TIME",                                                                      \
          .about = "only spans of at least this length: 1.5ms" },                                  \
        { .name = "shorter-than",                                                                  \
          .kind = FGI_OPTION_DURATION,                                                             \
          .value = &(select).max_ns,                                                               \
          .argument = "TIME",                                                                      \
          .least = 1,                                                                              \
          .about = "only spans of at most this length" },                                          \
        { .name = "errors", .value = &(select).errors, .about = "only spans that failed" },        \
        { .name = "status",                                                                        \
          .kind = FGI_OPTION_TEXT,                                                                 \
          .value = &(select).status,                                                               \
          .argument = "WORDS",                                                                     \
          .about = "only these: complete,unfinished,lost,error,forced" },                          \
        { .name = "class",                                                                         \
          .kind = FGI_OPTION_TEXT,                                                                 \
          .value = &(select).classes,                                                              \
          .argument = "WORDS",                                                                     \
          .about = "only spans of all these classes: zone,wait" },                                 \
        { .name = "no-class",                                                                      \
          .kind = FGI_OPTION_TEXT,                                                                 \
          .value = &(select).no_classes,                                                           \
          .argument = "WORDS",                                                                     \
          .about = "only spans of none of them: runtime" },                                        \
        { .name = "hide-short",                                                                    \
          .kind = FGI_OPTION_DURATION,                                                             \
          .value = &(select).short_child_ns,                                                       \
          .argument = "TIME",                                                                      \
          .least = 1,                                                                              \
          .about = "no spans inside others that are not longer than this" },                       \
    {                                                                                              \
        .name = "hide-similar", .kind = FGI_OPTION_COUNT,                                          \
        .value = &(select).similar_parent_percent, .argument = "PERCENT", .least = 1, .most = 100, \
        .about = "no spans that one directly inside differs from by at most this"                  \
    }

/** A selection of a trace, with what it stands on. */
struct fgi_selected {
    struct fg_selection selection;
    struct fg_query *query;
    uint32_t *tracks; /**< owned: what selection.tracks may point to */
    size_t track_room;
};

/**
 * Find in a trace what was asked for.
 *
 * @param only_kind     NULL: all tracks; otherwise those of this enum fg_track_kind besides
 * @param out_selected  filled on FGI_GO; end it with fgi_selected_finish()
 * @return FGI_GO, or the exit status: a name that is not there, or an empty range, is told
 */
int fgi_select_find(const struct fgi_input *input, const struct fgi_select *select,
                    const uint32_t *only_kind, struct fgi_selected *out_selected);
/** NULL is legal, and so is one that is all zeroes. */
void fgi_selected_finish(struct fgi_selected *selected);
enum { FGI_WINDOW_TEXT = 80 };
/**
 * What --time takes for the time of a span: "+1.25ms:+1.5ms", exact. Of a span of no length it is
 * the nanosecond that it is in.
 *
 * @param out FGI_WINDOW_TEXT bytes; returned
 */
const char *fgi_window_text(const struct fgi_input *input, int64_t start_ns, int64_t end_ns,
                            char *out);
/**
 * The window in ns that an option asks for; 0, 0 when it does not.
 *
 * @param option its name, for messages
 * @return FGI_GO, or the exit status
 */
int fgi_select_window(const struct fgi_input *input, const char *option,
                      const struct fgi_option_range *range, int64_t *out_start_ns,
                      int64_t *out_end_ns);

#endif
