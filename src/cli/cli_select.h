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
    uint64_t min_ns, max_ns;
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
#define FGI_OPTION_TRACK(out_text)                                                                 \
    {                                                                                              \
        .name = "track", .kind = FGI_OPTION_TEXT, .value = (out_text), .argument = "NAME",         \
        .about = "only spans of tracks of this name"                                               \
    }
#define FGI_OPTION_CATEGORY(out_text)                                                              \
    {                                                                                              \
        .name = "category", .kind = FGI_OPTION_TEXT, .value = (out_text), .argument = "NAME",      \
        .about = "only spans of this category"                                                     \
    }
#define FGI_OPTION_LONGER(out_ns)                                                                  \
    {                                                                                              \
        .name = "longer-than", .kind = FGI_OPTION_DURATION, .value = (out_ns), .argument = "TIME", \
        .about = "only spans of at least this length: 1.5ms"                                       \
    }
#define FGI_OPTION_SHORTER(out_ns)                                                                 \
    {                                                                                              \
        .name = "shorter-than", .kind = FGI_OPTION_DURATION, .value = (out_ns),                    \
        .argument = "TIME", .about = "only spans of at most this length"                           \
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
 * @param has_kind      true: only tracks of `kind` besides
 * @param out_selected  filled on FGI_GO; end it with fgi_selected_finish()
 * @return FGI_GO, or the exit status: a name that is not there, or an empty range, is told
 */
int fgi_select_find(const struct fgi_input *input, const struct fgi_select *select,
                    const uint32_t *only_kind, struct fgi_selected *out_selected);
/** NULL is legal, and so is one that is all zeroes. */
void fgi_selected_finish(struct fgi_selected *selected);
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
