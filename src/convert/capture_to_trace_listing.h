/* SPDX-License-Identifier: MIT */
/* Arguments of one span in the making. The first failure is kept in `result`. */
#ifndef FGI_CAPTURE_TO_TRACE_LISTING_H
#define FGI_CAPTURE_TO_TRACE_LISTING_H
#include "convert/capture_to_trace_priv.h"

struct fgi_listing {
    struct fgi_capture_backing *backing;
    struct fg_trace_arg *out; /**< in the cache's arena */
    uint32_t capacity, count;
    uint16_t depth;
    enum fg_result result;
};

/**
 * The record at an offset that was kept; names and templates before it are made known. False: it is
 * not there (any more), or *out_result says what reading met.
 */
bool fgi_convert_read_again(struct fg_capture *capture, uint64_t offset,
                            struct fg_capture_record *out_record, enum fg_result *out_result);
/** The same where its type is known before. */
bool fgi_convert_read_at(struct fg_capture *capture, uint64_t offset, enum fg_capture_type type,
                         struct fg_capture_record *out_record, enum fg_result *out_result);

/** Text ids: of any text, of a symbol of the capture. */
uint32_t fgi_list_intern(struct fgi_listing *l, const char *text, size_t size);
uint32_t fgi_list_symbol(struct fgi_listing *l, uint32_t symbol);
/** Add an argument; its key and depth are filled in. */
void fgi_list_put(struct fgi_listing *l, const char *key, struct fg_trace_arg arg);
void fgi_list_number(struct fgi_listing *l, const char *key, uint64_t value, uint8_t quality);
/** FG_CAP_UNKNOWN is not known. */
void fgi_list_bytes(struct fgi_listing *l, const char *key, uint64_t value, uint8_t quality);
void fgi_list_unknown(struct fgi_listing *l, const char *key, uint8_t quality);
/** A number of which 0 means that nobody said it. */
void fgi_list_said(struct fgi_listing *l, const char *key, uint64_t value);
void fgi_list_object(struct fgi_listing *l, const char *key, uint64_t value);
void fgi_list_text(struct fgi_listing *l, const char *key, uint32_t text);
void fgi_list_word(struct fgi_listing *l, const char *key, const char *word);
void fgi_list_begin(struct fgi_listing *l, const char *key);
void fgi_list_end(struct fgi_listing *l);

/* Words of the format's enumerations; "unknown" for others. */
const char *fgi_convert_work_word(uint32_t kind);
const char *fgi_convert_attachment_word(uint32_t kind);
const char *fgi_convert_load_word(uint32_t load);
const char *fgi_convert_store_word(uint32_t store);

/** What the calls of a GPU pass say by themselves about what a unit of them cost. */
struct fgi_call_counts {
    uint64_t draws;           /**< as encoded */
    bool draws_are_known;     /**< no call draws as often as a buffer says */
    bool has_direct_dispatch; /**< groups are known without reading back */
};
void fgi_count_calls(const struct fg_cap_gpu_pass *pass, struct fgi_call_counts *out_counts);
/** Group "cost": what one draw, pixel and invocation took; the span's other arguments are in. */
void fgi_list_cost(struct fgi_listing *l, const struct fgi_call_counts *counts, uint64_t span_ns);

#endif
