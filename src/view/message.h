/* SPDX-License-Identifier: MIT */
/*
 * One message of the view protocol: requests taken apart, replies put together. docs/PROTOCOL.md 1.
 */
#ifndef FGI_MESSAGE_H
#define FGI_MESSAGE_H
#include "base/arena.h"
#include "base/bytes.h"
#include "view/protocol.h"
#include <frameglass/base.h>

struct fgi_section {
    uint16_t tag;
    uint8_t type;
    uint32_t count;
    uint32_t bytes;
    const uint8_t *data;
};

/** A request as it came. Sections borrow the request's bytes. */
struct fgi_request {
    uint16_t version;
    uint16_t kind;
    uint32_t size;
    uint16_t channel;
    uint32_t id;
    uint32_t client;
    uint32_t trace;
    uint32_t generation;
    uint32_t names;
    uint32_t section_count;
    struct fgi_section sections[FGI_MAX_SECTIONS];
    enum fg_result result; /**< first section that was asked for and had the wrong form */
};

/**
 * Take one request apart. Whatever of the header could be read is in `out_request` in any case, so
 * that an error reply can echo it; `size` is 0 when it cannot be used to find the next request.
 *
 * @param bytes borrowed as long as the request is used
 * @return FG_OK, FG_ERR_FORMAT, FG_ERR_VERSION, FG_ERR_ARGUMENT (reserved fields), FG_ERR_LIMIT
 */
FG_MUST_USE enum fg_result fgi_request_parse(const uint8_t *bytes, size_t size,
                                             struct fgi_request *out_request);
/** A section by its tag and expected type; NULL when it is not there (or `result` is set: wrong
 * type). */
const struct fgi_section *fgi_request_section(struct fgi_request *request, uint16_t tag,
                                              enum fgi_section_type type);
/**
 * As fgi_request_section(), for a section that must have exactly `count` elements when it is there.
 */
const struct fgi_section *fgi_request_exact(struct fgi_request *request, uint16_t tag,
                                            enum fgi_section_type type, uint32_t count);
/** The one u32 of a section, or `missing`. */
uint32_t fgi_request_u32(struct fgi_request *request, uint16_t tag, uint32_t missing);
/** Element of a section; `index` is in range. */
uint32_t fgi_section_u32(const struct fgi_section *section, uint32_t index);
int64_t fgi_section_i64(const struct fgi_section *section, uint32_t index);
uint64_t fgi_section_u64(const struct fgi_section *section, uint32_t index);
/** An aligned copy of a u32 section in the arena, or NULL and 0 when it is missing or empty. */
const uint32_t *fgi_request_u32s(struct fgi_request *request, uint16_t tag, struct fgi_arena *arena,
                                 size_t *out_count);

/** A reply while it is put together. Payloads are borrowed until fgi_reply_finish(). */
struct fgi_reply {
    struct fgi_arena *arena; /**< for texts and columns; lives longer than the reply */
    uint16_t flags;
    uint32_t client;
    uint32_t names;      /**< number of names the client has after it */
    uint32_t names_used; /**< highest name id used, plus one */
    uint64_t revision;
    uint32_t section_count;
    struct fgi_section sections[FGI_MAX_SECTIONS];
    enum fg_result result; /**< first failure while putting */
};

/** Numbers: `count` elements of a type with a fixed size. */
void fgi_reply_put(struct fgi_reply *reply, uint16_t tag, enum fgi_section_type type,
                   const void *data, size_t count);
/** One value, copied. */
void fgi_reply_u8(struct fgi_reply *reply, uint16_t tag, uint8_t value);
void fgi_reply_u32(struct fgi_reply *reply, uint16_t tag, uint32_t value);
void fgi_reply_u64(struct fgi_reply *reply, uint16_t tag, uint64_t value);
void fgi_reply_i64(struct fgi_reply *reply, uint16_t tag, int64_t value);
/** Text, borrowed; NULL is "". */
void fgi_reply_text(struct fgi_reply *reply, uint16_t tag, const char *text);
/** Texts, copied; NULL items are "". */
void fgi_reply_texts(struct fgi_reply *reply, uint16_t tag, const char *const *texts, size_t count);
/** As fgi_reply_texts(), with sizes. */
void fgi_reply_texts_sized(struct fgi_reply *reply, uint16_t tag, const char *const *texts,
                           const size_t *sizes, size_t count);
/** Zeroed column of `count` elements in the reply's arena; NULL and `result` set when refused. */
FG_MUST_USE void *fgi_reply_column(struct fgi_reply *reply, uint16_t tag,
                                   enum fgi_section_type type, size_t count);
/** Says that a name id is in the reply; returns it. */
uint32_t fgi_reply_name(struct fgi_reply *reply, uint32_t name);

/**
 * Header, directory and payloads to the end of `out`. With `status` other than FG_OK only the
 * ERROR_* sections are taken.
 *
 * @return FG_OK, FG_ERR_LIMIT (larger than a reply may be), FG_ERR_NO_MEMORY; then `out` is as
 * before
 */
FG_MUST_USE enum fg_result fgi_reply_finish(struct fgi_reply *reply,
                                            const struct fgi_request *request,
                                            enum fg_result status, struct fgi_bytes *out);

#endif
