/* SPDX-License-Identifier: MIT */
/* Payload structs of captures made from traces of other formats. Layout: docs/FORMAT.md, 7.10. */
#ifndef FG_CAPTURE_CONVERTED_H
#define FG_CAPTURE_CONVERTED_H
#include <frameglass/capture_events.h>
#include <frameglass/capture_records.h>

FG_BEGIN_DECLS

/* ---- CONV: what the converted trace says of itself ------------------------------------------- */

/** Something that was mended, dropped or guessed when the foreign file was read. */
struct fg_cap_repair {
    struct fg_cap_text kind;
    uint64_t count;
    uint64_t first_offset; /**< in the foreign file; FG_CAP_UNKNOWN possible */
};

enum fg_cap_converted_frame_flags {
    FG_CAP_CONVERTED_SUBMITTED = 1, /**< submit_ticks is meant */
    FG_CAP_CONVERTED_HAS_GPU = 2,   /**< GPU times of it came */
    FG_CAP_CONVERTED_LOST = 4,      /**< the device was lost while it ran */
};
/** A frame whose spans are all in SPAN records: nothing is made of it but the frame. */
struct fg_cap_converted_frame {
    uint64_t frame;
    int64_t begin_ticks;
    int64_t end_ticks;
    int64_t submit_ticks;
    uint32_t flags; /**< enum fg_cap_converted_frame_flags */
    uint32_t level;
    uint32_t track;      /**< that encoded it, or FG_CAP_NONE */
    uint32_t dropped;    /**< what is missing of it, all reasons together */
    uint32_t missing;    /**< GPU passes without times */
    int64_t recorder_ns; /**< here and below: -1 = not known */
    int64_t latency_ns;
    int64_t wait_ns;
    int64_t present_wait_ns;
};

/** CONV: at most once, after the tracks and before all rows. Lists are in the trace's order. */
struct fg_cap_conversion {
    struct fg_cap_text format; /**< name of the format that it was */
    uint32_t version;          /**< of that format */
    uint32_t level;            /**< enum fg_cap_level, or FG_CAP_NONE: not told */
    uint32_t clock;            /**< of all ticks in this record */
    uint64_t other_events;
    const struct fg_cap_pair *metas; /**< these stand for what META says */
    size_t meta_count;
    const struct fg_cap_limit *losses; /**< by reason: these stand for all others */
    size_t loss_count;
    const struct fg_cap_limit *skipped; /**< parts of the foreign file that were not shown */
    size_t skipped_count;
    const struct fg_cap_repair *repairs;
    size_t repair_count;
    const struct fg_cap_converted_frame *frames;
    size_t frame_count;
};

/* ---- ROWS ------------------------------------------------------------------------------------ */

/** So many spans in a row have these classes and this status. */
struct fg_cap_row_run {
    uint32_t count;
    uint32_t classes; /**< bits of enum fg_span_class (trace_span.h) */
    uint32_t status;  /**< enum fg_span_status (trace_span.h) */
};
/** The parent of a span, where nesting by time does not find it. */
struct fg_cap_row_parent {
    uint32_t index;  /**< of the span in its block; ascending */
    uint32_t parent; /**< row of the trace, or FG_CAP_NONE */
};
/** ROWS: what the spans of the SPAN record behind it are, beside zones. */
struct fg_cap_rows {
    uint32_t block; /**< id of that record */
    const struct fg_cap_row_run *runs;
    size_t run_count;
    const struct fg_cap_row_parent *parents;
    size_t parent_count;
};

/* ---- MARK ------------------------------------------------------------------------------------ */

enum fg_cap_mark_flags {
    FG_CAP_MARK_VALUE = 1, /**< value is meant */
    FG_CAP_MARK_NOTE = 2,  /**< written by a person: the name is the text */
    FG_CAP_MARK_LOSS = 4,  /**< `value` events of the track are missing before it */
};
struct fg_cap_mark {
    int64_t ticks;
    uint32_t track;    /**< FG_CAP_NONE = of the whole trace */
    uint32_t name;     /**< symbol */
    uint32_t category; /**< symbol */
    uint32_t flags;    /**< enum fg_cap_mark_flags */
    uint64_t frame;    /**< FG_CAP_UNKNOWN = none */
    int64_t value;
};
/** MARK: instants of any tracks, in the order of the trace. */
struct fg_cap_marks {
    uint32_t clock;
    const struct fg_cap_mark *marks;
    size_t mark_count;
};

/* ---- ARGT ------------------------------------------------------------------------------------ */

struct fg_cap_tree_argument {
    uint32_t key;     /**< symbol */
    uint32_t depth;   /**< one more than the group before it that it belongs to */
    uint32_t kind;    /**< enum fg_arg_kind (trace_span.h); what `value` holds must fit it */
    uint32_t quality; /**< enum fg_arg_quality (trace_span.h) */
    struct fg_cap_value value;
};
struct fg_cap_tree {
    struct fg_cap_ref owner;
    const struct fg_cap_tree_argument *arguments;
    size_t argument_count;
};
/** ARGT: arguments that are more than a flat list of plain values. */
struct fg_cap_trees {
    const struct fg_cap_tree *trees;
    size_t tree_count;
};

FG_END_DECLS
#endif
