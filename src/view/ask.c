/* SPDX-License-Identifier: MIT */
/* What questions have in common: parameters, columns, flags. */
#include "view/view_priv.h"
#include <string.h>

enum fg_result fgi_ask_fail(struct fgi_ask *ask, enum fg_result result, const char *text)
{
    ask->text = text;
    return result;
}

enum fg_result fgi_ask_range(struct fgi_ask *ask, uint16_t tag, struct fgi_range *out)
{
    *out = (struct fgi_range){ 0 };
    const struct fgi_section *section = fgi_request_exact(ask->request, tag, FGI_TYPE_I64, 2);
    if (section == NULL) {
        return ask->request->result;
    }
    out->is_given = true;
    out->start_ns = fgi_section_i64(section, 0);
    out->end_ns = fgi_section_i64(section, 1);
    if (out->start_ns >= out->end_ns) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a window must begin before it ends");
    }
    return FG_OK;
}

enum fg_result fgi_ask_window(struct fgi_ask *ask, uint16_t tag, struct fgi_range *out)
{
    enum fg_result result = fgi_ask_range(ask, tag, out);
    if (result == FG_OK && !out->is_given) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the window is missing");
    }
    return result;
}

enum fg_result fgi_ask_frames(struct fgi_ask *ask, uint16_t tag, struct fgi_frames *out)
{
    *out = (struct fgi_frames){ .end = FG_NONE };
    const struct fgi_section *section = fgi_request_exact(ask->request, tag, FGI_TYPE_U32, 2);
    if (section == NULL) {
        return ask->request->result;
    }
    out->is_given = true;
    out->first = fgi_section_u32(section, 0);
    out->end = fgi_section_u32(section, 1);
    if (out->first > out->end) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a range of frames must begin before it ends");
    }
    return FG_OK;
}

struct fgi_page fgi_ask_page(struct fgi_ask *ask, uint16_t first_tag, uint16_t limit_tag)
{
    struct fgi_page page = {
        .first = fgi_request_u32(ask->request, first_tag, 0),
        .limit = fgi_request_u32(ask->request, limit_tag, 0),
    };
    if (page.limit == 0) {
        page.limit = FGI_DEFAULT_PAGE;
    }
    if (page.limit > FGI_MAX_PAGE) {
        page.limit = FGI_MAX_PAGE;
    }
    return page;
}

struct fgi_page fgi_page_of(struct fgi_ask *ask, struct fgi_page page, uint64_t all)
{
    uint64_t rest = page.first < all ? all - page.first : 0;
    if (rest > page.limit) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
        rest = page.limit;
    }
    return (struct fgi_page){ .first = page.first, .limit = (uint32_t)rest };
}

enum fg_result fgi_ask_rows(struct fgi_ask *ask, uint16_t tag, const uint32_t **out_rows,
                            uint32_t *out_count)
{
    size_t count = 0;
    *out_rows = fgi_request_u32s(ask->request, tag, ask->arena, &count);
    *out_count = (uint32_t)count;
    if (count > FGI_MAX_ROWS) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "too many rows in one request: at most 65536");
    }
    return ask->request->result;
}

const char *fgi_ask_text(struct fgi_ask *ask, uint16_t tag)
{
    const struct fgi_section *section = fgi_request_section(ask->request, tag, FGI_TYPE_TEXT);
    if (section == NULL) {
        return NULL;
    }
    char *text = fgi_arena_text(ask->arena, (const char *)section->data, section->count);
    if (text == NULL) {
        ask->request->result = FG_ERR_NO_MEMORY;
    }
    return text;
}

uint32_t fgi_status_flags(uint32_t classes, enum fg_span_status status)
{
    static const uint32_t of_status[] = {
        [FG_SPAN_COMPLETE] = 0,
        [FG_SPAN_UNFINISHED] = 0x10000,
        [FG_SPAN_LOST] = 0x10000 | 0x20000,
        [FG_SPAN_ERROR] = 0x40000,
        [FG_SPAN_FORCED] = 0x10000 | 0x200000,
    };
    return (classes & 0xFFFF) | of_status[status];
}

uint32_t fgi_span_flags(const struct fgi_ask *ask, const struct fg_trace_span *span)
{
    uint32_t flags = fgi_status_flags(span->classes, span->status);
    const struct fg_trace_lane *lane = fg_trace_lane(ask->trace, span->lane);
    if (lane != NULL && lane->overlap != 0) {
        flags |= 0x80000;
    }
    if (span->row >= ask->entry->firm_rows) {
        flags |= 0x100000;
    }
    return flags;
}

bool fgi_relative(int64_t time_ns, int64_t t0_ns, double *out_offset)
{
    const uint64_t most = UINT64_C(1) << 53;
    bool is_before = time_ns < t0_ns;
    uint64_t distance =
        is_before ? (uint64_t)t0_ns - (uint64_t)time_ns : (uint64_t)time_ns - (uint64_t)t0_ns;
    bool fits = distance <= most;
    double offset = (double)(fits ? distance : most);
    *out_offset = is_before ? -offset : offset;
    return fits;
}

int64_t fgi_bin_of(int64_t time_ns, unsigned level)
{
    uint64_t moved = (uint64_t)time_ns ^ (UINT64_C(1) << 63); /* order kept, from 0 */
    uint64_t zero = UINT64_C(1) << 63;
    return (int64_t)((moved >> level) - (zero >> level));
}

void fgi_put_window(struct fgi_ask *ask, uint16_t tag, int64_t start_ns, int64_t end_ns,
                    unsigned level)
{
    int64_t *window = fgi_i64s(ask, tag, 2);
    if (window != NULL) {
        window[0] = start_ns;
        window[1] = end_ns;
    }
    fgi_reply_u32(ask->reply, (uint16_t)(tag + 1), level);
    fgi_reply_i64(ask->reply, (uint16_t)(tag + 2), fgi_bin_of(start_ns, level));
}

enum fg_result fgi_span_at(const struct fgi_ask *ask, uint32_t row, struct fg_trace_span *out_span)
{
    uint32_t count = 0;
    enum fg_result result = fg_trace_spans(ask->trace, row, out_span, 1, &count);
    return result == FG_OK && count == 0 ? FG_ERR_NOT_FOUND : result;
}

enum fg_result fgi_put_row(struct fgi_ask *ask, uint32_t row, uint32_t *out_name,
                           uint32_t *out_track)
{
    struct fg_trace_span span;
    *out_name = 0;
    *out_track = FG_NONE;
    if (row == FG_NONE) {
        return FG_OK;
    }
    enum fg_result result = fgi_span_at(ask, row, &span);
    if (result == FG_OK) {
        *out_name = fgi_name(ask, span.name);
        *out_track = span.track;
    }
    return result;
}

double fgi_ns_double(uint64_t ns)
{
    const uint64_t most = UINT64_C(1) << 53;
    return (double)(ns > most ? most : ns);
}

const struct fg_trace_clock *fgi_track_clock(const struct fg_trace *trace, uint32_t track)
{
    const struct fg_trace_track *found = fg_trace_track(trace, track);
    return found == NULL ? NULL : fg_trace_clock(trace, found->clock);
}

int64_t fgi_clock_bound(const struct fg_trace_clock *clock)
{
    if (clock == NULL || clock->kind == FG_CLOCK_NOMINAL) {
        return -1;
    }
    if (clock->kind == FG_CLOCK_HOST) {
        return 0;
    }
    return clock->bound_ns > INT64_MAX ? INT64_MAX : (int64_t)clock->bound_ns;
}

uint8_t *fgi_u8s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_U8, count);
}

uint16_t *fgi_u16s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_U16, count);
}

int32_t *fgi_i32s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_I32, count);
}

uint32_t *fgi_u32s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_U32, count);
}

uint64_t *fgi_u64s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_U64, count);
}

int64_t *fgi_i64s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_I64, count);
}

double *fgi_f64s(struct fgi_ask *ask, uint16_t tag, size_t count)
{
    return fgi_reply_column(ask->reply, tag, FGI_TYPE_F64, count);
}
