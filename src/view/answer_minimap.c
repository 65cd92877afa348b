/* SPDX-License-Identifier: MIT */
/* MINIMAP: the whole trace from the coarsest level of detail. */
#include "view/view_priv.h"
#include <frameglass/trace_minimap.h>

enum {
    TAG_KIND = 0x1C01,
    TAG_FILTER = 0x1C02,
    TAG_BUDGET = 0x1C03,
    TAG_LEVEL = 0x1C40,
    TAG_BINS = 0x1C41,
    TAG_GROUP = 0x1C48,
    TAG_ANSWERED = 0x1C49,
    TAG_CELLS = 0x1C4A,
    TAG_CELL_OFFSET = 0x1C50,
    TAG_CELL_CATEGORY = 0x1C51,
    TAG_CELL_LANES = 0x1C52,
    TAG_CELL_STARTS = 0x1C53,
    TAG_CELL_ROW = 0x1C54,
    TAG_CELL_NAME = 0x1C55,
    TAG_CELL_LONGEST = 0x1C56,
    TAG_CELL_COVER = 0x1C57,
    TAG_CELL_FLAGS = 0x1C58,
};

static enum fg_result read_request(struct fgi_ask *ask, struct fg_minimap_request *out)
{
    *out = (struct fg_minimap_request){
        .kind = fgi_request_u32(ask->request, TAG_KIND, FG_VIEW_TRACK),
        .max_cells = fgi_request_u32(ask->request, TAG_BUDGET, 0),
    };
    if (out->kind != FG_VIEW_TRACK && out->kind != FG_VIEW_PROCESS) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a minimap is of tracks (1) or processes (2)");
    }
    if (out->max_cells > FGI_MAX_BINS) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "the budget is over the limit that HELLO names");
    }
    enum fg_result result = fgi_ask_filter(ask, TAG_FILTER, &out->filter);
    return result == FG_OK ? ask->request->result : result;
}

static void put_answers(struct fgi_ask *ask, uint32_t kind, const struct fg_minimap_reply *answer)
{
    uint32_t count = answer->answer_count;
    uint32_t *group = fgi_u32s(ask, TAG_GROUP, count);
    uint8_t *is_answered = fgi_u8s(ask, TAG_ANSWERED, count);
    uint32_t *cells = fgi_u32s(ask, TAG_CELLS, (size_t)count + 1);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_minimap_answer *one = &answer->answers[i];
        group[i] = kind == FG_VIEW_PROCESS ? i | FGI_GROUP_PROCESS : i;
        is_answered[i] = one->is_answered;
        cells[i + 1] = cells[i] + (one->is_answered ? one->cell_count : 0);
    }
}

struct cell_columns {
    uint32_t *offset, *category, *lanes, *starts, *row, *name, *flags;
    double *longest, *cover;
};

static enum fg_result put_cell(struct fgi_ask *ask, const struct cell_columns *to, uint32_t at,
                               const struct fg_minimap_cell *cell, int64_t first_bin)
{
    struct fg_trace_span span;
    to->offset[at] = (uint32_t)((uint64_t)cell->bin - (uint64_t)first_bin);
    to->category[at] = fgi_name(ask, cell->category);
    to->lanes[at] = cell->lanes;
    to->starts[at] = cell->starts;
    to->row[at] = cell->row;
    to->longest[at] = fgi_ns_double(cell->longest_ns);
    to->cover[at] = fgi_ns_double(cell->covered_ns);
    enum fg_result result = fgi_span_at(ask, cell->row, &span);
    if (result == FG_OK) {
        to->name[at] = fgi_name(ask, span.name);
        to->flags[at] = fgi_span_flags(ask, &span);
    }
    return result;
}

static enum fg_result put_cells(struct fgi_ask *ask, const struct fg_minimap_reply *answer)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < answer->answer_count; i++) {
        count += answer->answers[i].is_answered ? answer->answers[i].cell_count : 0;
    }
    struct cell_columns to = {
        .offset = fgi_u32s(ask, TAG_CELL_OFFSET, count),
        .category = fgi_u32s(ask, TAG_CELL_CATEGORY, count),
        .lanes = fgi_u32s(ask, TAG_CELL_LANES, count),
        .starts = fgi_u32s(ask, TAG_CELL_STARTS, count),
        .row = fgi_u32s(ask, TAG_CELL_ROW, count),
        .name = fgi_u32s(ask, TAG_CELL_NAME, count),
        .longest = fgi_f64s(ask, TAG_CELL_LONGEST, count),
        .cover = fgi_f64s(ask, TAG_CELL_COVER, count),
        .flags = fgi_u32s(ask, TAG_CELL_FLAGS, count),
    };
    enum fg_result result = ask->reply->result;
    uint32_t at = 0;
    for (uint32_t i = 0; i < answer->answer_count && result == FG_OK; i++) {
        const struct fg_minimap_answer *one = &answer->answers[i];
        uint32_t cells = one->is_answered ? one->cell_count : 0;
        for (uint32_t k = 0; k < cells && result == FG_OK; k++) {
            result =
                put_cell(ask, &to, at++, &answer->cells[one->first_cell + k], answer->first_bin);
        }
    }
    return result;
}

enum fg_result fgi_answer_MINIMAP(struct fgi_ask *ask)
{
    struct fg_minimap_request from;
    struct fg_minimap_reply answer;
    enum fg_result result = read_request(ask, &from);
    if (result == FG_OK) {
        result = fg_query_minimap(ask->query, &from, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_LEVEL, answer.level);
    int64_t *bins = fgi_i64s(ask, TAG_BINS, 2);
    if (bins != NULL) {
        bins[0] = answer.first_bin;
        bins[1] = answer.last_bin;
    }
    put_answers(ask, from.kind, &answer);
    if (answer.unanswered != 0) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return put_cells(ask, &answer);
}
