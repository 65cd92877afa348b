/* SPDX-License-Identifier: MIT */
/* What the Chrome importer holds of events, and what of them stays with the trace. */
#ifndef FGI_IMPORT_CHROME_TYPES_H
#define FGI_IMPORT_CHROME_TYPES_H
#include "base/hash.h"
#include "trace/build.h"

/* ---- what the trace keeps: where the arguments of its rows are ------------------------------- */

/** Offsets by row, 4 bytes each: rows that follow each other lie close together in the file. */
struct fgi_chrome_places {
    FGI_TABLE(struct fgi_chrome_chunk *) chunks;
    struct fgi_map64 far; /**< rows whose offset fits into no chunk: index into far_offsets */
    FGI_TABLE(uint64_t) far_offsets;
};
struct fgi_chrome_end_args {
    uint32_t row;
    uint64_t offset; /**< of the event that ended it */
};
struct fgi_chrome_kept {
    const struct fg_allocator *allocator;
    struct fg_source source;
    struct fgi_utf16_source *wide; /**< `source` is this one's; NULL: it is UTF-8 as it stands */
    struct fg_trace *trace;
    struct fgi_chrome_places places;
    FGI_TABLE(struct fgi_chrome_end_args) ends; /**< by row, once the trace is finished */
};

/* ---- one event ------------------------------------------------------------------------------- */

/** A time or a length as written: ns + billionths of one. */
struct fgi_chrome_time {
    int64_t ns; /**< rounded down */
    uint32_t billionths;
};
enum fgi_chrome_number {
    FGI_CHROME_ABSENT = 0,
    FGI_CHROME_GIVEN,
    FGI_CHROME_BAD, /**< there, but no number */
};
struct fgi_chrome_raw {
    const char *text;
    size_t size;
    size_t saved_at; /**< place in `saved`; SIZE_MAX: still in the piece */
    uint8_t flags;
};
struct fgi_chrome_event {
    uint64_t offset;
    char phase; /**< 0: none */
    bool has_members, has_extra, has_name, binds_enclosing, flow_in, flow_out, id_is_local;
    bool has_id, has_id2, is_global;
    uint8_t ts_state, dur_state; /**< enum fgi_chrome_number */
    uint32_t name, category;     /**< text ids */
    uint32_t pid, tid;           /**< as ids; FG_NONE: not said */
    uint32_t id, scope, bind_id; /**< likewise */
    struct fgi_chrome_time ts, dur;
    struct fgi_chrome_raw args, stack, id2;
    uint32_t stack_frame; /**< id of `sf` */
    uint64_t weight;
};

/* ---- what is gathered until the end ---------------------------------------------------------- */

struct fgi_chrome_edge { /* B or E of a thread */
    int64_t ns;
    uint32_t item;         /* B: row; E: index into end_offsets, or FG_NONE */
    uint32_t name_and_end; /* name << 1 | is_end */
};
struct fgi_chrome_thread {
    uint32_t pid, tid;
    uint32_t process; /* index into processes */
    uint32_t track;   /* of the builder; FG_NONE: nothing is on it yet */
    uint32_t name;    /* text id */
    bool is_gpu, has_time;
    int64_t last_ns; /* start of its latest event */
    int64_t sort_index;
    FGI_TABLE(struct fgi_chrome_edge) edges;
};
struct fgi_chrome_process {
    uint32_t pid;
    uint32_t name;           /* text id */
    uint32_t labels;         /* likewise */
    uint32_t index;          /* of the builder, or FG_NONE */
    bool is_gpu, is_runtime; /* rocprof says so by the name */
    int64_t sort_index;
};
struct fgi_chrome_async {
    int64_t ns;
    uint64_t offset; /* UINT64_MAX: nothing to show of it */
    uint32_t key, name, category, track;
    uint32_t match; /* beginnings: the end's index; FG_NONE */
    uint32_t row;
    bool is_end, has_name;
};
enum {
    FGI_CHROME_FLOW_START = 1,
    FGI_CHROME_FLOW_STEP = 2,
    FGI_CHROME_FLOW_END = 4,
    FGI_CHROME_FLOW_NEXT = 8, /* binds to the slice that begins next */
};
struct fgi_chrome_flow {
    int64_t ns;
    uint64_t offset;
    uint32_t key;
    uint32_t loose_key; /* known by id2 only: its key without that; FG_NONE */
    uint32_t thread;    /* FG_NONE: `row` is known */
    uint32_t row;       /* FG_NONE: nothing was found to bind it to */
    uint32_t bits;
};
struct fgi_chrome_launch { /* a GPU span or the call that caused it, by correlation number */
    uint64_t correlation;
    uint32_t row;
    bool is_gpu;
};
struct fgi_chrome_untimed { /* GPU work whose times were never written */
    struct fgi_span_in span;
    uint64_t offset;
    bool has_extra;
};
struct fgi_chrome_frame { /* of a stack */
    uint32_t name, parent;
};
struct fgi_chrome_sample {
    int64_t ns;
    uint64_t weight;
    uint32_t thread, frame_id, name;
};
struct fgi_chrome_node {
    uint32_t name, parent; /* text id; index of a node, or FG_NONE */
    uint32_t first_frame, frame_count;
};
struct fgi_chrome_profile {
    uint32_t thread, index;
    int64_t ns; /* of its latest sample */
};

#endif
