/* SPDX-License-Identifier: MIT */
/*
 * Events and their names in the CNATRACE format, version 1, and as a Chrome trace. Both are written
 * as a stream: no document is put together in memory.
 */
#ifndef FG_CAPTURE_CNATRACE_H
#define FG_CAPTURE_CNATRACE_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

#define FG_CNATRACE_EVENTS_MAX     32768
#define FG_CNATRACE_NAMES_MAX      65536
#define FG_CNATRACE_NAME_BYTES_MAX (1u << 20)
#define FG_CNATRACE_TEXT_BYTES_MAX (16u << 20)

enum fg_category {
    FG_CATEGORY_CORE = 0,
    FG_CATEGORY_UPDATE = 1,
    FG_CATEGORY_DRAW = 2,
    FG_CATEGORY_GRAPHICS = 3,
    FG_CATEGORY_AUDIO = 4,
    FG_CATEGORY_CONTENT = 5,
    FG_CATEGORY_APPLICATION = 6,
    FG_CATEGORY_GPU = 7,
};
/** "core", "update", ...; never NULL. */
FG_API const char *fg_category_name(enum fg_category category);

enum fg_process_event_kind {
    FG_PROCESS_EVENT_ZONE = 0,
    FG_PROCESS_EVENT_MARKER = 1,
    FG_PROCESS_EVENT_FRAME = 2,
    FG_PROCESS_EVENT_OBJECT_CREATED = 3,
    FG_PROCESS_EVENT_OBJECT_DESTROYED = 4,
    FG_PROCESS_EVENT_MALFORMED = 5,
};
/** 72 bytes, little-endian, as it lies in the file. */
struct fg_process_event {
    uint64_t sequence; /**< from 1, of the whole process */
    uint64_t time_ns;  /**< CLOCK_MONOTONIC: the begin of a zone or frame */
    uint64_t duration_ns;
    uint64_t frame; /**< number of the frame in which it was emitted; 0 = before the first */
    uint64_t thread;
    uint64_t correlation; /**< unique in its thread; of a frame: its number */
    uint64_t parent;      /**< correlation of the zone around it; 0 = none */
    int64_t value;
    uint32_t name;    /**< id of its text */
    uint8_t kind;     /**< enum fg_process_event_kind */
    uint8_t category; /**< enum fg_category */
    uint16_t flags;   /**< bit 0: ended by the end of an outer zone; 0 in a file */
};
struct fg_cnatrace_name {
    uint32_t id;
    uint32_t size;    /**< bytes */
    const char *text; /**< terminated; UTF-8 */
};
/** Read only; lent until it is freed. */
struct fg_cnatrace {
    uint32_t version;
    uint64_t dropped_events;
    const struct fg_cnatrace_name *names; /**< by id, ascending */
    size_t name_count;
    const struct fg_process_event *events;
    size_t event_count;
};

/**
 * @param allocator NULL = libc; outlives the trace
 * @param names     in any order; ids are unique; they and the events are copied
 * @param out_trace owned: fg_cnatrace_free(); untouched on failure
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_LIMIT (over the maxima above), FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_cnatrace_create(const struct fg_allocator *allocator,
                                                     const struct fg_cnatrace_name *names,
                                                     size_t name_count,
                                                     const struct fg_process_event *events,
                                                     size_t event_count, uint64_t dropped_events,
                                                     struct fg_cnatrace **out_trace);
/**
 * Read a whole file. Names are repaired to UTF-8.
 *
 * @param source    borrowed for the call
 * @param allocator NULL = libc; outlives the trace
 * @param out_trace owned: fg_cnatrace_free(); untouched on failure
 * @param diag      NULL, or where and why it is refused
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_FORMAT (magic), FG_ERR_VERSION, FG_ERR_LIMIT (counts,
 *         sizes), FG_ERR_CORRUPT (truncated, a kind or category out of range, an id twice, bytes
 *         after the end), FG_ERR_IO, FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_cnatrace_read(const struct fg_source *source,
                                                   const struct fg_allocator *allocator,
                                                   struct fg_cnatrace **out_trace,
                                                   struct fg_diag *diag);
/** NULL is legal. */
FG_API void fg_cnatrace_free(struct fg_cnatrace *trace);
/** "" when there is no such name. */
FG_API const char *fg_cnatrace_text(const struct fg_cnatrace *trace, uint32_t id);
/** FG_OK, or what the sink returns. */
FG_API FG_MUST_USE enum fg_result fg_cnatrace_write(const struct fg_cnatrace *trace,
                                                    const struct fg_sink *sink);
/** Chrome's JSON, times in microseconds with three decimals. FG_OK, or what the sink returns. */
FG_API FG_MUST_USE enum fg_result fg_cnatrace_write_chrome(const struct fg_cnatrace *trace,
                                                           const struct fg_sink *sink);

FG_END_DECLS
#endif
