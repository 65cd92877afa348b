/* SPDX-License-Identifier: MIT */
/* PATH: the longest chain of spans that depend on each other. */
#include "view/view_priv.h"
#include <frameglass/trace_path.h>

enum {
    TAG_BY = 0x1F01,
    TAG_PATH_OF = 0x1F02,
    TAG_WINDOW = 0x1F03,
    TAG_FILTER = 0x1F04,
    TAG_FAMILIES = 0x1F05,
    TAG_FIRST = 0x1F06,
    TAG_LIMIT = 0x1F07,
    TAG_SLACK_OF = 0x1F08,
    TAG_LONGEST_CHAIN = 0x1F09,
    TAG_LENGTH = 0x1F40,
    TAG_ENDPOINT = 0x1F41,
    TAG_FLAGS = 0x1F42,
    TAG_COUNTS = 0x1F43,
    TAG_SUMS = 0x1F44,
    TAG_ALL = 0x1F45,
    TAG_CYCLE = 0x1F46,
    TAG_PIECE_KIND = 0x1F48,
    TAG_PIECE_CLAIMED = 0x1F49,
    TAG_PIECE_ROW = 0x1F4A,
    TAG_PIECE_LINK = 0x1F4B,
    TAG_PIECE_START = 0x1F4C,
    TAG_PIECE_END = 0x1F4D,
    TAG_PIECE_NAME = 0x1F4E,
    TAG_PIECE_TRACK = 0x1F4F,
    TAG_SLACK = 0x1F50,
    TAG_LENGTH_TO = 0x1F51,
    TAG_PIECE_FAMILY = 0x1F52,
    TAG_PIECE_DERIVED = 0x1F53,
};

static enum fg_result read_path(struct fgi_ask *ask, struct fg_path_request *out)
{
    struct fgi_range window;
    struct fgi_request *request = ask->request;
    enum fg_result result = fgi_ask_range(ask, TAG_WINDOW, &window);
    const struct fgi_section *row = fgi_request_exact(request, TAG_PATH_OF, FGI_TYPE_U32, 1);
    const struct fgi_section *slack = fgi_request_section(request, TAG_SLACK_OF, FGI_TYPE_U32);
    *out = (struct fg_path_request){
        .by = fgi_request_u32(request, TAG_BY, FG_PATH_BY_DEPENDENCIES),
        .has_row = row != NULL,
        .row = row == NULL ? 0 : fgi_section_u32(row, 0),
        .families = fgi_request_u32(request, TAG_FAMILIES, 0),
        .start_ns = window.start_ns,
        .end_ns = window.end_ns,
        .max_chain = fgi_request_u32(request, TAG_LONGEST_CHAIN, 0),
        .figures = slack != NULL && slack->count != 0 ? FG_PATH_SLACKS | FG_PATH_LENGTHS : 0,
    };
    if (result == FG_OK && out->by > FG_PATH_BY_PARENTS) {
        result = fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a path is by dependencies or by parents");
    }
    if (result == FG_OK) {
        result = fgi_ask_filter(ask, TAG_FILTER, &out->filter);
    }
    return result == FG_OK ? request->result : result;
}

static enum fg_result begin(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling)
{
    struct fg_path_request from;
    enum fg_result result = read_path(ask, &from);
    return result == FG_OK ? fg_task_path(job->query, &from, scheduling, &job->task) : result;
}

static void put_figures(struct fgi_ask *ask, const struct fg_path_reply *path)
{
    const uint32_t counts[8] = { path->rows,        path->links,        path->left_out,
                                 path->invalid,     path->max_hops,     path->chain_count,
                                 path->cycle_count, path->untold_queued };
    const uint64_t sums[6] = { path->sums.work_ns,    path->sums.wait_ns,    path->sums.queue_ns,
                               path->sums.unknown_ns, path->sums.overlap_ns, path->sums.unclaimed };
    fgi_reply_u64(ask->reply, TAG_LENGTH, path->length_ns);
    fgi_reply_u32(ask->reply, TAG_ENDPOINT, path->endpoint);
    fgi_reply_u32(ask->reply, TAG_FLAGS, path->flags);
    uint32_t *to_counts = fgi_u32s(ask, TAG_COUNTS, 8);
    uint64_t *to_sums = fgi_u64s(ask, TAG_SUMS, 6);
    uint32_t cycle_count = path->cycle_count < FGI_MAX_ROWS ? path->cycle_count : FGI_MAX_ROWS;
    uint32_t *cycle = fgi_u32s(ask, TAG_CYCLE, cycle_count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (unsigned i = 0; i < 8; i++) {
        to_counts[i] = counts[i];
    }
    for (unsigned i = 0; i < 6; i++) {
        to_sums[i] = sums[i];
    }
    for (uint32_t i = 0; i < cycle_count; i++) {
        cycle[i] = path->cycle[i];
    }
}

enum { MOST_FAMILY = 31 };

static enum fg_result put_pieces(struct fgi_ask *ask, const struct fg_path_reply *path)
{
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    page = fgi_page_of(ask, page, path->piece_count);
    uint32_t count = page.limit;
    fgi_reply_u32(ask->reply, TAG_ALL, path->piece_count);
    uint8_t *kind = fgi_u8s(ask, TAG_PIECE_KIND, count);
    uint8_t *is_claimed = fgi_u8s(ask, TAG_PIECE_CLAIMED, count);
    uint32_t *row = fgi_u32s(ask, TAG_PIECE_ROW, count);
    uint32_t *link = fgi_u32s(ask, TAG_PIECE_LINK, count);
    int64_t *start = fgi_i64s(ask, TAG_PIECE_START, count);
    int64_t *end = fgi_i64s(ask, TAG_PIECE_END, count);
    uint32_t *name = fgi_u32s(ask, TAG_PIECE_NAME, count);
    uint32_t *track = fgi_u32s(ask, TAG_PIECE_TRACK, count);
    uint8_t *family = fgi_u8s(ask, TAG_PIECE_FAMILY, count);
    uint8_t *is_derived = fgi_u8s(ask, TAG_PIECE_DERIVED, count);
    enum fg_result result = ask->reply->result;
    for (uint32_t i = 0; result == FG_OK && i < count; i++) {
        const struct fg_path_piece *piece = &path->pieces[page.first + i];
        kind[i] = (uint8_t)piece->kind;
        is_claimed[i] = piece->is_claimed;
        row[i] = piece->row;
        link[i] = piece->link;
        start[i] = piece->start_ns;
        end[i] = piece->end_ns;
        family[i] = (uint8_t)(piece->family > MOST_FAMILY ? MOST_FAMILY : piece->family);
        is_derived[i] = (piece->flags & FG_DEPENDENCY_DERIVED) != 0;
        result = fgi_put_row(ask, piece->row, &name[i], &track[i]);
    }
    return result;
}

static enum fg_result put_slacks(struct fgi_ask *ask, const struct fg_path_reply *path)
{
    const uint32_t *rows = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_ask_rows(ask, TAG_SLACK_OF, &rows, &count);
    if (result != FG_OK || count == 0) {
        return result;
    }
    if (path->slacks == NULL || path->lengths == NULL) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the task was started without SLACK_OF");
    }
    uint64_t *slack = fgi_u64s(ask, TAG_SLACK, count);
    uint64_t *length = fgi_u64s(ask, TAG_LENGTH_TO, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        /* What takes no part has a length of 0 and a slack of 0: that would be critical. A row that
           does take part may have them, too, when all is of length 0: then the path is. */
        bool counts =
            rows[i] < path->figure_rows &&
            (path->lengths[rows[i]] != 0 || path->slacks[rows[i]] != 0 || path->length_ns == 0);
        slack[i] = counts ? path->slacks[rows[i]] : UINT64_MAX;
        length[i] = counts ? path->lengths[rows[i]] : UINT64_MAX;
    }
    return FG_OK;
}

static enum fg_result put(struct fgi_ask *ask, struct fgi_job *job)
{
    struct fg_path_reply path;
    enum fg_result result = fg_task_result_path(job->task, &path);
    if (result != FG_OK) {
        return result;
    }
    put_figures(ask, &path);
    result = put_pieces(ask, &path);
    return result == FG_OK ? put_slacks(ask, &path) : result;
}

const struct fgi_job_ops fgi_path_job = { .begin = begin,
                                          .put = put,
                                          .stages = { "longest", "figures", "chain" } };

enum fg_result fgi_answer_PATH(struct fgi_ask *ask)
{
    return fgi_job_answer(ask, &fgi_path_job);
}
