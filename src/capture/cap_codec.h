/* SPDX-License-Identifier: MIT */
/* One description of each payload, used in every direction. */
#ifndef FGI_CAP_CODEC_H
#define FGI_CAP_CODEC_H
#include "base/arena.h"
#include "base/bytes.h"
#include "base/strings.h"
#include <frameglass/capture.h>

/*
 * A payload is described once, by a function that names its fields in their order in the file. The
 * same function encodes, decodes, and walks a struct with the names of its members (tests print,
 * fill and compare with that), so that the directions cannot disagree.
 */
enum fgi_codec_mode {
    FGI_CODEC_ENCODE, /* struct to bytes; the struct is only read */
    FGI_CODEC_DECODE, /* bytes to struct; arrays come from the arena */
    FGI_CODEC_VISIT,  /* struct to visitor; every member, also those that are not stored */
};

/** What a field refers to. */
enum fgi_codec_ref {
    FGI_REF_SYMBOL,
    FGI_REF_TRACK,
    FGI_REF_CLOCK,
    FGI_REF_PROCESS,
    FGI_REF_METRIC,
    FGI_REF_STACK,
    FGI_REF_COUNT,
};

/** What a member is, for a visitor. */
enum fgi_codec_kind {
    FGI_KIND_U32,
    FGI_KIND_U64,
    FGI_KIND_I64,
    FGI_KIND_F64,
    FGI_KIND_OPT32,
    FGI_KIND_OPT64,
    FGI_KIND_SYMBOL,
    FGI_KIND_TEXT,
    FGI_KIND_U16,
};

struct fgi_codec;
typedef void fgi_fields(struct fgi_codec *codec, void *payload);

struct fgi_codec_visitor {
    void (*value)(void *context, const char *name, enum fgi_codec_kind kind, void *value);
    /** Before the items of a list; `name` is never NULL. May fill in an empty list. */
    void (*list_begin)(void *context, const char *name, const void **items, size_t *count,
                       size_t item_size);
    void (*list_end)(void *context);
    /** Around each struct: list items (name NULL) and nested ones. */
    void (*struct_begin)(void *context, const char *name);
    void (*struct_end)(void *context);
    /** A typed value as a whole; NULL = its members one by one. */
    void (*typed)(void *context, const char *name, struct fg_cap_value *value);
    void *context;
};

struct fgi_codec {
    enum fgi_codec_mode mode;
    enum fg_result result; /**< FG_ERR_NO_MEMORY, FG_ERR_CORRUPT: first failure */
    struct fgi_bytes *out; /**< encoding */
    /** Encoding: symbols are written as their text, from here; NULL = as numbers. */
    const struct fgi_strings *spell_out;
    struct fgi_reader in;    /**< decoding */
    struct fgi_arena *arena; /**< decoding */
    const struct fgi_codec_visitor *visitor;
    /** Told of each reference that is encoded or decoded and is not none; NULL = nobody. */
    void (*on_ref)(void *context, enum fgi_codec_ref kind, uint32_t id);
    void *context;
};

void fgi_c_u32(struct fgi_codec *codec, const char *name, uint32_t *value);
void fgi_c_u64(struct fgi_codec *codec, const char *name, uint64_t *value);
void fgi_c_i64(struct fgi_codec *codec, const char *name, int64_t *value);
void fgi_c_f64(struct fgi_codec *codec, const char *name, double *value);
void fgi_c_opt32(struct fgi_codec *codec, const char *name, uint32_t *value);
void fgi_c_opt64(struct fgi_codec *codec, const char *name, uint64_t *value);
void fgi_c_fix64(struct fgi_codec *codec, const char *name, uint64_t *value);
void fgi_c_symbol(struct fgi_codec *codec, const char *name, uint32_t *value);
void fgi_c_text(struct fgi_codec *codec, const char *name, struct fg_cap_text *value);
/** An id of something that must have been defined; never none. */
void fgi_c_ref(struct fgi_codec *codec, const char *name, enum fgi_codec_ref kind, uint32_t *value);
/** The same, or none. */
void fgi_c_ref_opt(struct fgi_codec *codec, const char *name, enum fgi_codec_ref kind,
                   uint32_t *value);
/** Difference to `base` modulo 2^64: zigzag, or as unsigned. */
void fgi_c_delta(struct fgi_codec *codec, const char *name, uint64_t base, uint64_t *value);
void fgi_c_udelta(struct fgi_codec *codec, const char *name, uint64_t base, uint64_t *value);
/** Signed ticks as a difference to the ones before, which are then updated. */
void fgi_c_step(struct fgi_codec *codec, const char *name, int64_t *before, int64_t *value);

/**
 * A list. `items` is the address of the pointer member. Decoding allocates as many items as the
 * count says, but only when that many of `min_bytes` each fit in what is left.
 */
void fgi_c_list(struct fgi_codec *codec, const char *name, const void **items, size_t *count,
                size_t item_size, size_t min_bytes, fgi_fields *fields);
#define FGI_C_LIST(codec, parent, member, count_member, min_bytes, fields)                         \
    fgi_c_list((codec), #member, (const void **)&(parent)->member, &(parent)->count_member,        \
               sizeof *(parent)->member, (min_bytes), (fields))
/** A count as FGI_C_LIST has it, and memory for the items; the caller goes through them itself. */
void *fgi_c_items(struct fgi_codec *codec, const void **items, size_t *count, size_t item_size,
                  size_t min_bytes);

/**
 * Whether fields that a later writer appended to a payload take part: encoding, when they say
 * something (`is_said`), so that what has nothing to say is what it always was; decoding, when the
 * payload goes on; visiting, always.
 */
bool fgi_c_appended(const struct fgi_codec *codec, bool is_said);

void fgi_c_struct_begin(struct fgi_codec *codec, const char *name);
void fgi_c_struct_end(struct fgi_codec *codec);

/** Decoding: these bytes break the format. The first failure stays. */
void fgi_c_fail(struct fgi_codec *codec, enum fg_result result);
/** What came of it: a decoder that ran out of bytes included. */
enum fg_result fgi_c_result(const struct fgi_codec *codec);

/* Fields that several payloads have. */
fgi_fields fgi_fields_u32_item;
fgi_fields fgi_fields_text_item;
fgi_fields fgi_fields_drop;
fgi_fields fgi_fields_stack;
void fgi_c_value(struct fgi_codec *codec, const char *name, struct fg_cap_value *value);

/* One per record kind; the payload struct is the one that FG_CAPTURE_RECORDS names. */
fgi_fields fgi_fields_meta, fgi_fields_symbols, fgi_fields_clock, fgi_fields_process,
    fgi_fields_track, fgi_fields_pipeline, fgi_fields_topology, fgi_fields_note,
    fgi_fields_counters, fgi_fields_summary, fgi_fields_device_lost, fgi_fields_span_block,
    fgi_fields_dependencies, fgi_fields_arguments, fgi_fields_stacks, fgi_fields_samples,
    fgi_fields_metric, fgi_fields_metric_samples, fgi_fields_resource_events, fgi_fields_events,
    fgi_fields_gpu_frame, fgi_fields_conversion, fgi_fields_rows, fgi_fields_marks,
    fgi_fields_trees;

/** The body of a topology: everything that its hash covers. */
fgi_fields fgi_fields_topology_body;

/** A record kind whose payload one function describes (all but FRAM, TMPL, DIRE and CKPT). */
struct fgi_codec_entry {
    uint32_t type;
    uint32_t size; /**< of the struct */
    const char *name;
    fgi_fields *fields;
};
/** NULL for other types. */
const struct fgi_codec_entry *fgi_codec_find(uint32_t type);
/** One of FG_CAPTURE_RECORDS. */
bool fgi_codec_is_known(uint32_t type);
/** Index of the first dependency that is out of order; the count when there is none. */
size_t fgi_dependencies_check(const struct fg_cap_dependencies *list);
/** Likewise for the spans of a block. */
size_t fgi_block_spans_check(const struct fg_cap_span_block *block);
/** Whether details name events of the list, ascending. */
bool fgi_resource_details_check(const struct fg_cap_resource_events *list);
/** All of them, by number; NULL after the last. */
const struct fgi_codec_entry *fgi_codec_at(size_t index);

#endif
