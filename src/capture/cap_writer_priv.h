/* SPDX-License-Identifier: MIT */
/* The writer from inside: one struct, its parts by file. */
#ifndef FGI_CAP_WRITER_PRIV_H
#define FGI_CAP_WRITER_PRIV_H
#include "base/bytes.h"
#include "base/hash.h"
#include "base/strings.h"
#include "capture/cap_codec.h"
#include "capture/cap_frame.h"
#include "capture/cap_framing.h"
#include <frameglass/capture_writer.h>

/*
 * Sections are numbered from 1 (`section`). Whatever may be referred to remembers in which section
 * it was stated last; a reference to something that was not stated in the current section makes
 * the writer state it first. That one rule gives symbols before their users, and checkpoints
 * behind which nothing refers to what was before.
 */

/** A list of numbers. */
struct fgi_ids {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

/** A small definition: process, clock, track, metric or pipeline. */
struct fgi_definition {
    uint32_t type;
    uint32_t id;      /**< of a pipeline: its label */
    uint32_t section; /**< where it was stated last */
    union {
        struct fg_cap_process process;
        struct fg_cap_clock clock; /**< its readings are the one below */
        struct fg_cap_track track;
        struct fg_cap_metric metric;
        struct fg_cap_pipeline pipeline;
    };
    struct fg_cap_reading last_reading;
};

/** A topology that frames may name, as it was written. */
struct fgi_kept_topology {
    uint32_t id;
    uint64_t hash;
    uint32_t section;      /**< where it was stated last */
    uint32_t used_section; /**< where a frame last named it */
    uint64_t last_use;
    uint8_t *payload;
    size_t size;
    size_t pass_count;
    size_t resource_count;
    size_t gpu_pass_count;
    struct fgi_ids symbols;
};

struct fgi_kept_template {
    uint32_t id;
    uint64_t hash;
    uint32_t section;
    uint32_t used_section;
    uint64_t last_use; /**< 0 = free */
    struct fgi_shapes shapes;
    struct fgi_ids symbols;
};

/** A stack and where it was stated. */
struct fgi_kept_stack {
    struct fg_cap_stack stack;
    uint32_t section;
};

/** A frame whose GPU times may still come. */
struct fgi_recent_frame {
    struct fg_capture_frame_entry entry;
    uint32_t gpu_pass_count;
    uint32_t section;        /**< of its FRAM */
    uint32_t index;          /**< in that section's frames */
    uint32_t update_section; /**< where an update is listed, and its index there */
    uint32_t update_index;
    struct fgi_gpu_extent extent;
};
enum { FGI_RECENT_FRAMES = 4096 };

/** Frame entries of the current section. */
struct fgi_frame_entries {
    struct fg_capture_frame_entry *items;
    size_t count;
    size_t capacity;
};

struct fg_capture_writer {
    const struct fg_allocator *allocator;
    struct fg_sink sink;
    struct fg_capture_writer_options options; /**< defaults filled in */
    enum fg_result failure; /**< of the sink; everything returns it from then on */
    bool has_meta;
    bool closed;
    uint64_t session_hi;
    uint64_t session_lo;

    struct fgi_bytes buffer;  /**< bytes that the sink has not got yet */
    uint64_t buffer_offset;   /**< where the buffer begins in the file */
    uint32_t unflushed_count; /**< frames since the last flush */
    struct fgi_bytes body;    /**< the payload being encoded */
    struct fgi_bytes stacks_body;
    struct fgi_bytes symbols_body;

    struct fgi_strings strings;
    uint32_t *symbol_sections; /**< by symbol: where it was stated last */
    size_t symbol_capacity;
    struct fgi_ids pending_symbols; /**< to be stated before the payload being encoded */
    struct fgi_ids seen_symbols;    /**< all that were encoded since it was emptied */
    struct fgi_ids pending_stacks;
    enum fg_result ref_result; /**< first reference that could not be met */

    struct fgi_definition *definitions;
    size_t definition_count;
    size_t definition_capacity;
    struct fgi_map64 definition_index; /**< from type and id */
    struct fgi_kept_stack *stacks;
    size_t stack_count;
    size_t stack_capacity;
    struct fgi_map64 stack_index;

    struct fgi_kept_topology *topologies; /**< options.topologies_kept of them at most */
    size_t topology_count;
    size_t topology_capacity;
    struct fgi_map64 topology_ids; /**< from content hash, of all that were ever written */
    uint32_t next_topology;
    struct fgi_bytes spelled; /**< a topology with its symbols as texts, for its hash */
    struct fgi_kept_template *templates;
    uint32_t next_template;
    uint64_t use_count; /**< clock of last_use */
    struct fgi_shapes shapes;

    uint32_t section;
    uint64_t section_offset;
    uint64_t previous_directory;
    bool restating;                 /**< a checkpoint began and not everything is restated yet */
    uint64_t checkpoint_cost_bytes; /**< what the current section restates */
    size_t checkpoint_record_count;
    struct fgi_cap_record_entry *records; /**< of the current section */
    size_t record_count;
    size_t record_capacity;
    struct fgi_frame_entries frames;
    struct fgi_frame_entries updates;
    struct fgi_recent_frame *recent; /**< ring of FGI_RECENT_FRAMES, made with the first frame */
    size_t recent_count;             /**< frames put so far */
    uint64_t last_frame;
    uint32_t last_block;
    bool has_block;

    struct fg_capture_writer_stats stats;
};

/* cap_writer.c */
/** The file offset where the next record will begin. */
uint64_t fgi_writer_offset(const struct fg_capture_writer *writer);
/** What every put does first: states that allow none, checkpoint when due. */
enum fg_result fgi_writer_begin(struct fg_capture_writer *writer);
/** A codec that encodes into `out` and notes references. */
struct fgi_codec fgi_writer_codec(struct fg_capture_writer *writer, struct fgi_bytes *out);
/**
 * Append a record whose payload is `body`, preceded by the definitions that are pending. All or
 * nothing: after a failure nothing was appended and nothing is pending.
 */
enum fg_result fgi_writer_commit(struct fg_capture_writer *writer, uint32_t type,
                                 const struct fgi_bytes *body);
/** Encode a struct and commit it. */
enum fg_result fgi_writer_put(struct fg_capture_writer *writer, uint32_t type, fgi_fields *fields,
                              const void *payload);

/* cap_symbols.c */
enum fg_result fgi_ids_add(const struct fg_allocator *allocator, struct fgi_ids *ids, uint32_t id);
void fgi_ids_finish(const struct fg_allocator *allocator, struct fgi_ids *ids);
/** The codec's on_ref: pending what is not stated in this section. */
void fgi_writer_note_ref(void *context, enum fgi_codec_ref kind, uint32_t id);
/** Encode what is pending into symbols_body and stacks_body. */
enum fg_result fgi_writer_encode_pending(struct fg_capture_writer *writer);
/** It was appended, or it failed and is to be stated later. */
void fgi_writer_end_pending(struct fg_capture_writer *writer, bool stated);

/* cap_definitions.c */
struct fgi_definition *fgi_writer_find(struct fg_capture_writer *writer, uint32_t type,
                                       uint32_t id);
/** Know a clock that was appended as it is. */
enum fg_result fgi_writer_keep_clock(struct fg_capture_writer *writer,
                                     const struct fg_cap_clock *clock);
/** State everything in the current section that was stated before it and is small. */
enum fg_result fgi_writer_restate_definitions(struct fg_capture_writer *writer);

/* cap_topology.c */
struct fgi_kept_topology *fgi_writer_topology(struct fg_capture_writer *writer, uint32_t id);
enum fg_result fgi_writer_state_topology(struct fg_capture_writer *writer,
                                         struct fgi_kept_topology *kept);
enum fg_result fgi_writer_restate_topologies(struct fg_capture_writer *writer);
void fgi_writer_finish_topologies(struct fg_capture_writer *writer);

/* cap_template.c */
/** The template for the shapes in writer->shapes, stated in this section; NULL: failed. */
enum fg_result fgi_writer_choose_template(struct fg_capture_writer *writer,
                                          struct fgi_kept_template **out_template);
enum fg_result fgi_writer_restate_templates(struct fg_capture_writer *writer);
void fgi_writer_finish_templates(struct fg_capture_writer *writer);

/* cap_frame_writer.c */
/** Room in the lists for a frame and for an update, before its record is written. */
enum fg_result fgi_writer_reserve_frame(struct fg_capture_writer *writer);
enum fg_result fgi_writer_reserve_update(struct fg_capture_writer *writer);
/** List a frame whose FRAM is at `offset`. */
void fgi_writer_list_frame(struct fg_capture_writer *writer, const struct fg_cap_frame *frame,
                           uint64_t offset);
/** A frame that was listed not too long ago; NULL when it was not. */
struct fgi_recent_frame *fgi_writer_recent(struct fg_capture_writer *writer, uint64_t frame);
void fgi_writer_list_gpu_frame(struct fg_capture_writer *writer, struct fgi_recent_frame *recent,
                               const struct fg_cap_gpu_frame *gpu);

/* cap_section.c */
/** Append the directory of the current section, and begin counting the next one. */
enum fg_result fgi_section_end(struct fg_capture_writer *writer, uint32_t flags);
/** Append the checkpoint that begins a section. */
enum fg_result fgi_section_checkpoint(struct fg_capture_writer *writer);
/** Room in the section's list for `count` more records. */
enum fg_result fgi_section_reserve(struct fg_capture_writer *writer, size_t count);
/** List a record that begins at `offset`. Room was reserved. */
void fgi_section_add_record(struct fg_capture_writer *writer, uint32_t type, uint32_t length,
                            uint64_t offset);
/** End the section and begin the next one when it is due. */
enum fg_result fgi_section_maybe_end(struct fg_capture_writer *writer);

#endif
