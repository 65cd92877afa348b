/* SPDX-License-Identifier: MIT */
/* Spans: the rows of a trace, what belongs to them, and the graph passes that they are work of. */
#ifndef FG_TRACE_SPAN_H
#define FG_TRACE_SPAN_H
#include <frameglass/base.h>

FG_BEGIN_DECLS

struct fg_trace;

enum fg_span_status {
    FG_SPAN_COMPLETE = 0,
    FG_SPAN_UNFINISHED = 1, /**< no end was recorded: ended at its parent's or the trace's end */
    FG_SPAN_LOST = 2,       /**< open when the device was lost; unfinished as well */
    FG_SPAN_ERROR = 3,      /**< complete, and the source marks it as failed */
    FG_SPAN_FORCED = 4, /**< ended because a zone around it did: that one's end; unfinished too */
};

/** What a span is: classification bits, combined. */
enum fg_span_class {
    FG_CLASS_FRAME = 1u << 0,        /**< a whole frame on the thread that encodes it */
    FG_CLASS_ENCODE = 1u << 1,       /**< CPU time of one graph pass */
    FG_CLASS_GPU_PASS = 1u << 2,     /**< measured between two stamps of a queue */
    FG_CLASS_SCOPE = 1u << 3,        /**< made here, from the scope chain of its passes */
    FG_CLASS_FRAGMENT = 1u << 4,     /**< one of several pieces of a logical pass */
    FG_CLASS_UNATTRIBUTED = 1u << 5, /**< begun outside any graph pass */
    FG_CLASS_ZONE = 1u << 6,         /**< an instrumented zone of a thread */
    FG_CLASS_WAIT = 1u << 7,         /**< the time was spent waiting */
    FG_CLASS_ASYNC = 1u << 8,
    FG_CLASS_SUBPASS = 1u << 9,  /**< a marker inside a pass: never mixed with passes */
    FG_CLASS_RUNTIME = 1u << 10, /**< work of a runtime, not of the program */
    FG_CLASS_PRESENT = 1u << 11, /**< with FG_CLASS_WAIT: the wait for present */
};

/**
 * A graph pass wherever it occurs: the n-th pass of this name in this scope, in any topology.
 * Labels of GPU passes are never keys; this is.
 */
struct fg_trace_pass {
    uint32_t name;
    uint32_t scope;   /**< text id of its scope path "a/b"; 0 = outermost */
    uint32_t ordinal; /**< from 0, among those of equal name and scope in one topology */
};

struct fg_trace_span {
    uint32_t row; /**< stored order: the identity, the same on every opening */
    uint32_t track;
    uint32_t lane;
    uint32_t depth;  /**< 0 = outermost on its track */
    uint32_t parent; /**< row, or FG_NONE */
    uint32_t name;
    uint32_t category; /**< text id; 0 = none */
    uint32_t classes;  /**< enum fg_span_class bits */
    enum fg_span_status status;
    uint32_t frame;   /**< index into the frames, or FG_NONE */
    uint32_t pass;    /**< index into the passes, or FG_NONE */
    uint32_t scope;   /**< text id of its scope path; 0 = none */
    uint32_t origin;  /**< timestamp pool that it came from, or FG_NONE */
    uint32_t logical; /**< row of the first fragment of the same pass, or FG_NONE: it is whole */
    uint64_t object;  /**< id that the source gives it; 0 = none */
    int64_t start_ns;
    int64_t end_ns; /**< >= start_ns */
};

enum fg_arg_kind {
    FG_ARG_GROUP = 0,
    FG_ARG_INT = 1,
    FG_ARG_UINT = 2,
    FG_ARG_DOUBLE = 3,
    FG_ARG_TEXT = 4, /**< value.text is a text id */
    FG_ARG_BOOL = 5,
    FG_ARG_UNKNOWN = 6,     /**< recorded as unknown, which is not zero */
    FG_ARG_DURATION_NS = 7, /**< integer */
    FG_ARG_BYTES = 8,       /**< natural */
    FG_ARG_ROW = 9,         /**< natural: a span */
    FG_ARG_RESOURCE = 10,   /**< natural: index in the topology of the span's frame */
    FG_ARG_OBJECT = 11,     /**< natural: a number of the source */
    FG_ARG_TIME_NS = 12,    /**< integer */
};
enum fg_arg_quality {
    FG_QUALITY_PLAIN = 0,
    FG_QUALITY_ENCODED = 1,  /**< counted on the way to the device */
    FG_QUALITY_RESOLVED = 2, /**< read back from the device; never mixed with encoded */
    FG_QUALITY_DECLARED = 3,
    FG_QUALITY_DERIVED = 4,
};

/** One argument; a tree in order: a child is one deeper than the group before it. */
struct fg_trace_arg {
    uint32_t key;    /**< text id */
    uint8_t kind;    /**< enum fg_arg_kind */
    uint8_t quality; /**< enum fg_arg_quality */
    uint16_t depth;
    union {
        int64_t integer;
        uint64_t natural; /**< also bool */
        double real;
        uint32_t text;
    } value;
};

/** The i-th pass identity; NULL past the end. Borrowed while the trace lives. */
FG_API const struct fg_trace_pass *fg_trace_pass(const struct fg_trace *trace, uint32_t i);
/**
 * Spans in stored order, from `first_row`; fewer than `capacity` only at the end.
 *
 * @return FG_OK, or what the block store met while it loaded a block again
 */
FG_API FG_MUST_USE enum fg_result fg_trace_spans(const struct fg_trace *trace, uint32_t first_row,
                                                 struct fg_trace_span *out_spans, uint32_t capacity,
                                                 uint32_t *out_count);
/** Arguments of a span, at most `capacity`; out_count says how many there are. */
FG_API FG_MUST_USE enum fg_result fg_trace_span_args(const struct fg_trace *trace, uint32_t row,
                                                     struct fg_trace_arg *out_args,
                                                     uint32_t capacity, uint32_t *out_count);

FG_END_DECLS
#endif
