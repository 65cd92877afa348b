/* SPDX-License-Identifier: MIT */
/* The numbers of docs/PROTOCOL.md: kinds, tags, types, limits. */
#ifndef FGI_PROTOCOL_H
#define FGI_PROTOCOL_H
#include <stdint.h>

#define FGI_PROTOCOL_VERSION 1
#define FGI_REQUEST_MAGIC    0x51564746u /* FGVQ */
#define FGI_REPLY_MAGIC      0x52564746u /* FGVR */
#define FGI_MESSAGE_HEADER   48u
#define FGI_SECTION_ENTRY    16u
#define FGI_GROUP_PROCESS    0x80000000u /* groups from here on are processes */

enum fgi_protocol_limit {
    FGI_MAX_REQUEST_BYTES = 1 << 20,
    FGI_MAX_BUFFER_BYTES = 4 << 20,
    FGI_MAX_BATCH = 32,
    FGI_MAX_SECTIONS = 64,
    FGI_MAX_CHANNELS = 32,
    FGI_MAX_CLIENTS = 64,
    FGI_MAX_LANES = 16384,
    FGI_MAX_WIDTH_PX = 16384,
    FGI_DEFAULT_SPANS = 65536,
    FGI_MAX_SPANS = 1 << 20,
    FGI_DEFAULT_BINS = 262144,
    FGI_MAX_BINS = 4 << 20,
    FGI_DEFAULT_PAGE = 1000,
    FGI_MAX_PAGE = 65536,
    FGI_MAX_STRIP = 1 << 20,
    FGI_MAX_FILTERS = 64,
    FGI_MAX_TASKS = 16,
    FGI_MAX_SCORES = 4,
    FGI_MAX_ROWS = 65536,
    FGI_STEP_ROWS = 262144,
    FGI_STEPS_HELD = 3,
    FGI_TASK_IDLE_S = 300,
    FGI_MAX_SEARCH_BYTES = 256,
    FGI_MAX_REPLY_BYTES = 256 << 20,
    FGI_MAX_NAMES = 65536,
    FGI_MAX_NAME_BYTES = 1 << 20,
    FGI_READABLE_PX = 24,
};

/** Every kind of request, once: X(number, NAME, needs a loaded trace). */
#define FGI_KINDS(X)                                                                               \
    X(1, HELLO, 0)                                                                                 \
    X(2, TRACES, 0)                                                                                \
    X(3, LOAD, 0)                                                                                  \
    X(4, STRIP, 0)                                                                                 \
    X(5, INFO, 1)                                                                                  \
    X(6, TRACKS, 1)                                                                                \
    X(7, VIEW, 1)                                                                                  \
    X(8, COUNTERS, 1)                                                                              \
    X(9, MARKS, 1)                                                                                 \
    X(10, FILTER_CREATE, 1)                                                                        \
    X(11, FILTER_DESTROY, 1)                                                                       \
    X(12, STATS, 1)                                                                                \
    X(13, FRAMES, 1)                                                                               \
    X(14, SEARCH, 1)                                                                               \
    X(15, SPAN, 1)                                                                                 \
    X(16, PICK, 1)                                                                                 \
    X(17, STRUCTURE, 1)                                                                            \
    X(18, NAMES, 1)                                                                                \
    X(19, CANCEL, 0)                                                                               \
    X(20, TOPOLOGIES, 1)                                                                           \
    X(21, SERIES, 1)                                                                               \
    X(22, EVENTS, 1)                                                                               \
    X(23, COMPARE, 1)                                                                              \
    X(24, AMEND, 1)                                                                                \
    X(25, METRICS, 1)                                                                              \
    X(26, OBJECTS, 1)                                                                              \
    X(27, LOSSES, 1)                                                                               \
    X(28, MINIMAP, 1)                                                                              \
    X(29, LINKS, 1)                                                                                \
    X(30, FOCUS, 1)                                                                                \
    X(31, PATH, 1)                                                                                 \
    X(32, SLICE, 1)                                                                                \
    X(33, AGGREGATE, 1)                                                                            \
    X(34, HISTOGRAM, 1)                                                                            \
    X(35, BUCKETS, 1)                                                                              \
    X(36, ANOMALIES, 1)                                                                            \
    X(37, TASK, 1)                                                                                 \
    X(38, GROUP_SCORES, 1)                                                                         \
    X(39, ROW_SCORES, 1)                                                                           \
    X(40, ENGINE, 1)

enum fgi_protocol_kind {
#define FGI_KIND_ENUM(number, name, loaded) FGI_KIND_##name = (number),
    FGI_KINDS(FGI_KIND_ENUM)
#undef FGI_KIND_ENUM
};

enum fgi_section_type {
    FGI_TYPE_U8 = 1,
    FGI_TYPE_U16 = 2,
    FGI_TYPE_U32 = 3,
    FGI_TYPE_U64 = 4,
    FGI_TYPE_I64 = 5,
    FGI_TYPE_F64 = 6,
    FGI_TYPE_TEXT = 7,
    FGI_TYPE_TEXTS = 8,
    FGI_TYPE_I32 = 9,
};

enum fgi_reply_flag {
    FGI_REPLY_OVERFLOW = 1,
    FGI_REPLY_PROVISIONAL = 2,
    FGI_REPLY_NAMES_MISSING = 4,
    FGI_REPLY_PARTIAL = 8,
    FGI_REPLY_INSTEAD = 16,
};

/** Sections of any reply. The sections of one kind are named where that kind is answered. */
enum fgi_common_tag {
    FGI_TAG_ERROR_TEXT = 0x0040,
    FGI_TAG_ERROR_OFFSET = 0x0041,
    FGI_TAG_NAMES_FIRST = 0x0042,
    FGI_TAG_NAMES = 0x0043,
};

#endif
