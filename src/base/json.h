/* SPDX-License-Identifier: MIT */
/* Write JSON as a stream: commas and quoting are taken care of, no document in memory. */
#ifndef FGI_JSON_H
#define FGI_JSON_H
#include "base/bytes.h"
#include <frameglass/base.h>

/**
 * Zero plus a sink is a writer at the start of a document. Text is repaired to UTF-8. After a
 * failure (`result`) nothing more is written. Call fgi_json_finish() at the end.
 */
struct fgi_json {
    const struct fg_sink *sink; /**< borrowed */
    int indent;                 /**< spaces per level; 0 = everything on one line */
    enum fg_result result;      /**< first failure */
    unsigned depth;             /**< at most 63 */
    uint64_t has_item;          /**< bit per level: a comma is due */
    uint64_t is_inline;         /**< bit per level: opened with fgi_json_inline_* */
    bool after_key;
    struct fgi_bytes buffer;
};

void fgi_json_object_begin(struct fgi_json *json);
void fgi_json_object_end(struct fgi_json *json);
void fgi_json_array_begin(struct fgi_json *json);
void fgi_json_array_end(struct fgi_json *json);
/** As the above, but kept on one line even when the writer indents (rows of a table). */
void fgi_json_inline_object_begin(struct fgi_json *json);
void fgi_json_inline_array_begin(struct fgi_json *json);
void fgi_json_key(struct fgi_json *json, const char *key);
void fgi_json_text(struct fgi_json *json, const char *text);
void fgi_json_text_sized(struct fgi_json *json, const char *text, size_t size);
void fgi_json_int(struct fgi_json *json, int64_t value);
void fgi_json_uint(struct fgi_json *json, uint64_t value);
/** A recorded number: reading the text again gives the same bits. null when it is not finite. */
void fgi_json_exact_double(struct fgi_json *json, double value);
/** value / 1000 with three decimals, exact: nanoseconds as fractional microseconds. */
void fgi_json_thousandths(struct fgi_json *json, int64_t value);
void fgi_json_thousandths_uint(struct fgi_json *json, uint64_t value);
void fgi_json_bool(struct fgi_json *json, bool value);
void fgi_json_null(struct fgi_json *json);
/** Key and value in one call. */
void fgi_json_key_text(struct fgi_json *json, const char *key, const char *text);
void fgi_json_key_int(struct fgi_json *json, const char *key, int64_t value);
void fgi_json_key_uint(struct fgi_json *json, const char *key, uint64_t value);
void fgi_json_key_bool(struct fgi_json *json, const char *key, bool value);
/** null where it is not known, or there is no text. */
void fgi_json_key_int_or_null(struct fgi_json *json, const char *key, bool is_known, int64_t value);
void fgi_json_key_uint_or_null(struct fgi_json *json, const char *key, bool is_known,
                               uint64_t value);
void fgi_json_key_text_or_null(struct fgi_json *json, const char *key, const char *text);
/** Everything to the sink, a line feed at the end, memory freed; returns the first failure. */
FG_MUST_USE enum fg_result fgi_json_finish(struct fgi_json *json);

#endif
