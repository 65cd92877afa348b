/* SPDX-License-Identifier: MIT */
/* A small trace with something of everything, a view over it, and requests put together by hand. */
#ifndef FGT_VIEW_BED_H
#define FGT_VIEW_BED_H
#include "base/bytes.h"
#include "view/message.h"
#include "view/view.h"
#include <frameglass/trace.h>

struct fgt_view_bed {
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fgi_view *view;
    uint32_t number;   /**< of the trace */
    unsigned loads;    /**< how often LOAD reached the home */
    bool load_fails;   /**< what the home then does */
    bool load_is_late; /**< it does nothing: the test attaches */
    /* The view's time stands still unless a test says how far it goes each time it is read. */
    int64_t now_ns, tick_ns;
    uint64_t step_rows; /**< option of the views to come */
};
/** Frames 0..11 of 1000 ns; three GPU passes and an encode span in each; frame 7 hitches. */
void fgt_view_bed_make(struct fgt_view_bed *bed);
/** Another view over the same trace, to be attached: nothing of what was asked before is left. */
void fgt_view_bed_renew(struct fgt_view_bed *bed);
void fgt_view_bed_finish(struct fgt_view_bed *bed);
/** The home's answer to LOAD, for the test to give later. */
void fgt_view_bed_attach(struct fgt_view_bed *bed);

/** As cmocka's setup and teardown of a group: the state is a bed with its trace attached. */
int fgt_view_setup(void **state);
int fgt_view_teardown(void **state);

/** A request in the making. */
struct fgt_request {
    struct fgi_bytes bytes;
    uint16_t sections;
    struct {
        uint16_t tag;
        uint8_t type;
        uint32_t count;
        uint32_t size;
        uint8_t data[512];
    } section[16];
    uint16_t kind, channel;
    uint32_t id, client, trace, generation, names;
};
void fgt_request_begin(struct fgt_request *request, uint16_t kind, uint32_t trace);
void fgt_request_put(struct fgt_request *request, uint16_t tag, uint8_t type, const void *data,
                     uint32_t count);
void fgt_request_u32(struct fgt_request *request, uint16_t tag, uint32_t value);
void fgt_request_i64s(struct fgt_request *request, uint16_t tag, int64_t first, int64_t second);
/** Append the message to `out`. */
void fgt_request_end(struct fgt_request *request, struct fgi_bytes *out);

/** A reply, checked against every rule of docs/PROTOCOL.md, section 1. */
struct fgt_reply {
    struct fgi_bytes bytes; /**< owned */
    const uint8_t *message;
    uint32_t size, status, id, client, names, trace;
    uint16_t kind, flags, sections;
    uint64_t revision;
};
/** Ask one request; fails the test when the reply breaks a rule. */
struct fgt_reply fgt_ask(struct fgi_view *view, struct fgt_request *request);
/** Take message number `index` of a buffer apart. */
struct fgt_reply fgt_reply_at(struct fgi_bytes *bytes, unsigned index);
void fgt_reply_finish(struct fgt_reply *reply);
/** Payload and count of a section; NULL and 0 when it is not there. */
const uint8_t *fgt_section(const struct fgt_reply *reply, uint16_t tag, uint32_t *out_count);
uint32_t fgt_count(const struct fgt_reply *reply, uint16_t tag);
uint32_t fgt_u32(const struct fgt_reply *reply, uint16_t tag, uint32_t index);
uint64_t fgt_u64(const struct fgt_reply *reply, uint16_t tag, uint32_t index);
double fgt_f64(const struct fgt_reply *reply, uint16_t tag, uint32_t index);
unsigned fgt_u8(const struct fgt_reply *reply, uint16_t tag, uint32_t index);
unsigned fgt_u16(const struct fgt_reply *reply, uint16_t tag, uint32_t index);
/** Is text number `index` of a texts section (or a text section) this? */
bool fgt_text_is(const struct fgt_reply *reply, uint16_t tag, uint32_t index, const char *text);

#endif
