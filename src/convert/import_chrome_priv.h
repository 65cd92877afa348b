/* SPDX-License-Identifier: MIT */
/* What the files of the Chrome importer share. */
#ifndef FGI_IMPORT_CHROME_PRIV_H
#define FGI_IMPORT_CHROME_PRIV_H
#include "base/json_read.h"
#include "base/strings.h"
#include "convert/import_chrome.h"
#include "convert/import_chrome_scan.h"
#include "convert/import_chrome_types.h"
#include "trace/build.h"
#include "trace/build_amend.h"

/** Pairs of small numbers become one: each space counts from 0. */
enum fgi_chrome_space {
    FGI_PAIR_THREAD,
    FGI_PAIR_ASYNC_ID,
    FGI_PAIR_ASYNC_SCOPE,
    FGI_PAIR_ASYNC_PID,
    FGI_PAIR_ASYNC_NAME,
    FGI_PAIR_ASYNC_TRACK,
    FGI_PAIR_FLOW_ID,
    FGI_PAIR_FLOW_PID,
    FGI_PAIR_COUNTER_NAME,
    FGI_PAIR_COUNTER_ID,
    FGI_PAIR_COUNTER_ARG,
    FGI_PAIR_OBJECT_ID,
    FGI_PAIR_OBJECT_NAME,
    FGI_PAIR_OBJECT,
    FGI_PAIR_PROFILE,
    FGI_PAIR_NODE,
    FGI_PAIR_SPACES
};

enum fgi_chrome_dialect {
    FGI_CHROME_PLAIN,
    FGI_CHROME_KINETO,
    FGI_CHROME_DEVTOOLS,
    FGI_CHROME_BAZEL,
    FGI_CHROME_CLANG,
    FGI_CHROME_NODE,
    FGI_CHROME_ROCPROF,
    FGI_CHROME_UNITY,
    FGI_CHROME_VIZTRACER,
};

/** Most that is kept of what a file says about itself. */
#define FGI_CHROME_METAS          4096u
#define FGI_CHROME_TEXT_CACHE     4096u
#define FGI_CHROME_ID_CACHE       512u
#define FGI_CHROME_RECENT_THREADS 64u

struct fgi_chrome_known { /* a text of the trace */
    uint64_t print;
    const char *text;
    uint32_t id;
    uint32_t size; /* + 1; 0: empty */
};
struct fgi_chrome_recent {
    uint32_t pid, tid, thread;
    bool is_known;
};

struct fgi_chrome {
    const struct fg_allocator *allocator;
    const struct fgi_chrome_options *options;
    struct fgi_builder *builder;
    struct fgi_chrome_kept *kept;
    struct fgi_json_reader reader;
    struct fgi_chrome_event event;
    struct fgi_bytes saved;         /* raw members of an event that lies in several pieces */
    struct fgi_bytes text;          /* an unescaped text */
    struct fgi_chrome_scan scan;    /* of the piece at hand */
    bool may_be_ahead, wants_ahead; /* reading ahead is worth a thread; the place is right */
    uint64_t ahead_from, ahead_pause_bytes; /* not before; for how long after it stopped early */

    /* Where in the file we are. */
    bool in_event, in_events, in_recovery, saw_events;
    bool has_ended; /* the document that the file began with */
    unsigned events_depth;
    uint64_t event_count;  /* of those with a phase */
    uint64_t other_count;  /* things in the list that are none */
    uint64_t broken_count; /* stretches that are no JSON */
    uint64_t keys_seen;    /* bits of what the root has, to name what it is */
    enum fgi_chrome_dialect dialect;

    uint32_t clock;
    struct fgi_strings ids;
    struct {
        uint64_t packed[2]; /* the text, its size in the last byte; no text has none */
        uint32_t id;
    } id_cache[FGI_CHROME_ID_CACHE];
    struct fgi_chrome_known text_cache[FGI_CHROME_TEXT_CACHE]; /* by twos */
    struct fgi_chrome_recent recent_threads[FGI_CHROME_RECENT_THREADS];
    struct fgi_map64 pairs[FGI_PAIR_SPACES];
    struct fgi_map64 process_of; /* by pid */
    uint32_t last_category;
    uint8_t last_kind; /* of that category: import_chrome_gpu.c */
    int64_t last_ns;

    FGI_TABLE(struct fgi_chrome_thread) threads;
    FGI_TABLE(struct fgi_chrome_process) processes;
    FGI_TABLE(uint64_t) end_offsets;
    FGI_TABLE(struct fgi_chrome_async) asyncs;
    FGI_TABLE(uint32_t) async_tracks; /* by FGI_PAIR_ASYNC_TRACK */
    FGI_TABLE(struct fgi_chrome_flow) flows;
    struct fgi_map64 linked; /* source << 32 | target, of flows that end on a GPU */
    FGI_TABLE(struct fgi_chrome_launch) launches;
    FGI_TABLE(struct fgi_chrome_untimed) untimed;
    struct fgi_map64 frame_of; /* by id */
    FGI_TABLE(struct fgi_chrome_frame) frames;
    FGI_TABLE(struct fgi_chrome_sample) samples;
    FGI_TABLE(struct fgi_chrome_node) nodes;
    FGI_TABLE(uint32_t) node_of; /* by FGI_PAIR_NODE */
    FGI_TABLE(struct fgi_chrome_profile) profiles;
    FGI_TABLE(uint8_t) counter_is_real; /* by counter: 1 = its samples are doubles */
    FGI_TABLE(uint32_t) counter_tracks; /* by process */
    uint64_t meta_count;
    bool has_sort_index;
};

#define FGI_CHROME_PUSH(c, table, ...)                                                             \
    (fgi_chrome_room((c), (void **)&(table).items, &(table).capacity, sizeof *(table).items,       \
                     (table).count)                                                                \
         ? ((table).items[(table).count] = (__VA_ARGS__), (table).count++, true)                   \
         : false)
/** Room for one more; false once something has failed. */
bool fgi_chrome_room(struct fgi_chrome *c, void **items, size_t *capacity, size_t item_size,
                     size_t count);
/** At the event at hand. */
void fgi_chrome_repair(struct fgi_chrome *c, const char *kind);
void fgi_chrome_repair_at(struct fgi_chrome *c, const char *kind, uint64_t count, uint64_t offset);

/* import_chrome.c */
/** What was scanned becomes part of the trace. `bytes` are those of `offset`. */
void fgi_chrome_records(struct fgi_chrome *c, const struct fgi_chrome_scan *scan,
                        const uint8_t *bytes, uint64_t offset);
/** False: a limit is reached, or somebody wants no more. */
bool fgi_chrome_go_on(struct fgi_chrome *c, uint64_t done, uint64_t total);

/* import_chrome_ahead.c */
/**
 * Read whole events of the list from *offset on, taken apart by another thread, as far as all is
 * ordinary; *offset is then behind the last of them.
 */
void fgi_chrome_read_ahead(struct fgi_chrome *c, uint64_t *offset, uint64_t size);

/* import_chrome_names.c: texts, ids, threads and processes */
uint32_t fgi_chrome_text(struct fgi_chrome *c, const char *text, size_t size, uint8_t flags);
uint32_t fgi_chrome_id(struct fgi_chrome *c, const char *text, size_t size, uint8_t flags);
const char *fgi_chrome_id_text(const struct fgi_chrome *c, uint32_t id);
/** FG_NONE once something has failed. *out_is_new is optional. */
uint32_t fgi_chrome_pair(struct fgi_chrome *c, enum fgi_chrome_space space, uint32_t a, uint32_t b,
                         bool *out_is_new);
uint32_t fgi_chrome_thread(struct fgi_chrome *c, uint32_t pid, uint32_t tid);
uint32_t fgi_chrome_process(struct fgi_chrome *c, uint32_t pid);
/** Index of the builder; made when it is first used. */
uint32_t fgi_chrome_track(struct fgi_chrome *c, uint32_t thread);
uint32_t fgi_chrome_builder_process(struct fgi_chrome *c, uint32_t process);
/** Names and kinds of all tracks, once everything has been read. */
void fgi_chrome_name_tracks(struct fgi_chrome *c);

/* import_chrome_members.c: the members of an object or array that was taken as it stands */
struct fgi_chrome_members {
    struct fgi_json_reader reader;
};
void fgi_chrome_members_begin(struct fgi_chrome_members *members,
                              const struct fg_allocator *allocator, const char *text, size_t size);
/** Containers in it are FGI_JSON_RAW. False: no more. */
bool fgi_chrome_members_next(struct fgi_chrome_members *members, struct fgi_json_item *out_item,
                             enum fgi_json_token *out_token);
void fgi_chrome_members_end(struct fgi_chrome_members *members);
bool fgi_chrome_is_key(const struct fgi_json_item *item, const char *key);
/** The member of that name; false: there is none. */
bool fgi_chrome_member(struct fgi_chrome *c, const char *text, size_t size, const char *key,
                       struct fgi_json_item *out_item, enum fgi_json_token *out_token);
/** The value of a number, or of a text that is one. */
bool fgi_chrome_decimal(const struct fgi_json_item *item, enum fgi_json_token token, int shift,
                        struct fgi_decimal *out_decimal);
struct fgi_chrome_time fgi_chrome_time_of(const struct fgi_decimal *decimal);
/** Rounded to the nearest ns. */
int64_t fgi_chrome_round(struct fgi_chrome_time time);
struct fgi_chrome_time fgi_chrome_add(struct fgi_chrome_time a, struct fgi_chrome_time b);
bool fgi_chrome_natural(const struct fgi_json_item *item, enum fgi_json_token token,
                        uint64_t *out_value);

/* import_chrome_event.c */
void fgi_chrome_event_begin(struct fgi_chrome *c, uint64_t offset);
void fgi_chrome_event_member(struct fgi_chrome *c, enum fgi_json_token token,
                             const struct fgi_json_item *item);
/** All of its members at once; what they say lies where it is until the event ends. */
void fgi_chrome_event_parts(struct fgi_chrome *c, const struct fgi_chrome_part *parts,
                            uint32_t count);
/** The event goes on in the next piece: keep what is lent of this one. */
void fgi_chrome_event_save(struct fgi_chrome *c);
/** It is whole; false: it is no event. */
bool fgi_chrome_event_end(struct fgi_chrome *c);
/** Start and end of the event at hand, with everything mended that has to be. */
int64_t fgi_chrome_start_ns(struct fgi_chrome *c, uint32_t thread);

/* One file each: an event of that kind, and what is left to do at the end. */
void fgi_chrome_edge(struct fgi_chrome *c, bool is_end);
void fgi_chrome_finish_edges(struct fgi_chrome *c);
void fgi_chrome_async_event(struct fgi_chrome *c);
void fgi_chrome_finish_async(struct fgi_chrome *c);
void fgi_chrome_flow_event(struct fgi_chrome *c);
/** bind_id on a slice. */
void fgi_chrome_flow_of_span(struct fgi_chrome *c, uint32_t row, int64_t ns);
void fgi_chrome_finish_flows(struct fgi_chrome *c);
/** Give every flow of a thread the row it binds to. */
void fgi_chrome_bind_flows(struct fgi_chrome *c);
void fgi_chrome_counter_event(struct fgi_chrome *c);
void fgi_chrome_object_event(struct fgi_chrome *c);
void fgi_chrome_memory_event(struct fgi_chrome *c);
void fgi_chrome_meta_event(struct fgi_chrome *c);
void fgi_chrome_sample_event(struct fgi_chrome *c);
void fgi_chrome_finish_samples(struct fgi_chrome *c);
void fgi_chrome_other_event(struct fgi_chrome *c, const char *what);

/* import_chrome_gpu.c */
/** FG_CLASS_... of a span, from its category and name; notes that a thread is a GPU's. */
uint32_t fgi_chrome_classes(struct fgi_chrome *c, uint32_t thread, uint32_t category,
                            uint32_t name);
/** A span of a GPU or of the calls that feed it. */
void fgi_chrome_gpu_span(struct fgi_chrome *c, uint32_t row, uint32_t classes);
/** GPU work at time 0 of no length was never timed: it is put aside. True: that was one. */
bool fgi_chrome_is_untimed(struct fgi_chrome *c, const struct fgi_span_in *span);
void fgi_chrome_finish_untimed(struct fgi_chrome *c);
void fgi_chrome_finish_launches(struct fgi_chrome *c);

/* import_chrome_order.c */
void fgi_chrome_order_tracks(struct fgi_chrome *c);

/* import_chrome_root.c: what the root object has beside the events */
void fgi_chrome_root_member(struct fgi_chrome *c, enum fgi_json_token token,
                            const struct fgi_json_item *item);
void fgi_chrome_meta(struct fgi_chrome *c, const char *key, const char *value);
void fgi_chrome_stack_frames(struct fgi_chrome *c, const char *text, size_t size);
void fgi_chrome_root_samples(struct fgi_chrome *c, const char *text, size_t size);
/** Node.js names its categories after itself. */
void fgi_chrome_see_category(struct fgi_chrome *c, const char *category);
const char *fgi_chrome_dialect_name(enum fgi_chrome_dialect dialect);

/* import_chrome_look.c: JSON that is no trace */
uint64_t fgi_chrome_root_key(const char *key, size_t size);
bool fgi_chrome_has_event_keys(uint64_t keys);
/** "a speedscope profile"; NULL: it cannot be told. */
const char *fgi_chrome_looks_like(uint64_t keys);

/** The root itself is an event, and more follow it. Looks at the beginning only. */
FG_MUST_USE enum fg_result fgi_chrome_is_bare(const struct fg_source *source,
                                              const struct fg_allocator *allocator,
                                              bool *out_is_bare);

/* import_chrome_args.c */
void fgi_chrome_place(struct fgi_chrome *c, uint32_t row, uint64_t offset);
/** What is kept to find the arguments again. */
uint64_t fgi_chrome_places_bytes(const struct fgi_chrome_places *places);
enum fg_result fgi_chrome_load_args(void *context, uint32_t row, struct fg_trace_arg *out_args,
                                    uint32_t capacity, uint32_t *out_count);
void fgi_chrome_kept_destroy(void *kept);

#endif
