/* SPDX-License-Identifier: MIT */
/* Spans as blocks, each a run of rows of one track that begin in order, and their arguments. */
#include "base/alloc.h"
#include "convert/export_sgpt_priv.h"

#include <string.h>

enum {
    BATCH_SPANS = 16384,
    ARGUMENTS_OF_A_RECORD = 8192,
};

struct rows {
    struct fgi_to_sgpt *to;
    /* the block that is being filled */
    struct fg_cap_block_span *spans;
    struct fg_cap_row_run *runs;
    struct fg_cap_row_parent *parents; /* of asynchronous work: the file says what is in what */
    size_t span_count, run_count, parent_count;
    bool is_special; /* not all of them are zones, complete or as their flags say */
    uint32_t track, first_row;
    int64_t start_ns, end_ns; /* of the latest span */
    /* arguments of a row, and those that make the next record */
    FGI_TABLE(struct fg_trace_arg) args;
    FGI_TABLE(struct fg_cap_argument_list) lists;
    FGI_TABLE(struct fg_cap_argument) flat;
    FGI_TABLE(struct fg_cap_tree) trees;
    FGI_TABLE(struct fg_cap_tree_argument) deep;
    uint64_t graph_count; /* rows that are passes of a graph, scopes, or pieces */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static void put_block(struct rows *rows)
{
    struct fgi_to_sgpt *to = rows->to;
    const struct fg_trace_track *track = fg_trace_track(to->trace, rows->track);
    uint32_t id = (uint32_t)to->block_rows.count;
    if (rows->span_count == 0 ||
        !fgi_to_sgpt_ok(to, FGI_GROW(to->allocator, to->block_rows.items, to->block_rows.capacity,
                                     to->block_rows.count + 1, UINT32_MAX))) {
        return;
    }
    to->block_rows.items[to->block_rows.count++] = rows->first_row;
    if (rows->is_special) {
        const struct fg_cap_rows kinds = { id, rows->runs, rows->run_count, rows->parents,
                                           rows->parent_count };
        (void)fgi_to_sgpt_put(to, fg_capture_writer_rows(to->writer, &kinds));
    }
    const struct fg_cap_span_block block = {
        .id = id,
        .track = rows->track,
        .clock = track->clock,
        .spans = rows->spans,
        .span_count = rows->span_count,
    };
    if (to->result == FG_OK) {
        (void)fgi_to_sgpt_put(to, fg_capture_writer_span_block(to->writer, &block));
    }
    rows->span_count = rows->run_count = rows->parent_count = 0;
    rows->is_special = false;
}

static uint32_t flags_of(enum fg_span_status status)
{
    switch (status) {
    case FG_SPAN_UNFINISHED:
    case FG_SPAN_LOST:
        return FG_CAP_BLOCK_SPAN_UNFINISHED;
    case FG_SPAN_FORCED:
        return FG_CAP_BLOCK_SPAN_FORCED;
    case FG_SPAN_COMPLETE:
    case FG_SPAN_ERROR:
        break;
    }
    return 0;
}

static void put_kind(struct rows *rows, const struct fg_trace_span *span)
{
    struct fg_cap_row_run *last = &rows->runs[rows->run_count > 0 ? rows->run_count - 1 : 0];
    rows->is_special |= span->classes != FG_CLASS_ZONE || span->status == FG_SPAN_LOST ||
                        span->status == FG_SPAN_ERROR;
    if (rows->run_count == 0 || last->classes != span->classes ||
        last->status != (uint32_t)span->status) {
        rows->runs[rows->run_count++] =
            (struct fg_cap_row_run){ 1, span->classes, (uint32_t)span->status };
    } else {
        last->count++;
    }
}

static void put_span(struct rows *rows, const struct fg_trace_span *span)
{
    struct fgi_to_sgpt *to = rows->to;
    bool follows = rows->span_count > 0 && rows->span_count < FG_CAP_BLOCK_SPANS &&
                   rows->track == span->track &&
                   (rows->start_ns < span->start_ns ||
                    (rows->start_ns == span->start_ns && rows->end_ns >= span->end_ns));
    if (!follows) {
        put_block(rows);
        rows->track = span->track;
        rows->first_row = span->row;
    }
    put_kind(rows, span);
    if (span->depth > 0 && fg_trace_track(to->trace, span->track)->kind == FG_TRACK_ASYNC) {
        rows->is_special = true;
        rows->parents[rows->parent_count++] =
            (struct fg_cap_row_parent){ (uint32_t)rows->span_count, span->parent };
    }
    rows->spans[rows->span_count++] = (struct fg_cap_block_span){
        .begin_ticks = span->start_ns,
        .end_ticks = span->end_ns,
        .depth = span->depth,
        .name = fgi_to_sgpt_symbol(to, span->name),
        .category = fgi_to_sgpt_symbol(to, span->category),
        .flags = flags_of(span->status),
        .frame = fgi_to_sgpt_frame(to, span->frame),
        .object = span->object != 0 ? span->object : FG_CAP_UNKNOWN,
    };
    rows->start_ns = span->start_ns;
    rows->end_ns = span->end_ns;
    rows->graph_count += span->pass != FG_NONE || span->scope != 0 || span->origin != FG_NONE ||
                         span->logical != FG_NONE;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static struct fg_cap_value value_of(struct fgi_to_sgpt *to, const struct fg_trace_arg *arg)
{
    switch (arg->kind) {
    case FG_ARG_INT:
    case FG_ARG_DURATION_NS:
    case FG_ARG_TIME_NS:
        return (struct fg_cap_value){ .kind = FG_CAP_VALUE_INT, .i = arg->value.integer };
    case FG_ARG_UINT:
    case FG_ARG_BYTES:
    case FG_ARG_ROW:
    case FG_ARG_RESOURCE:
    case FG_ARG_OBJECT:
        return (struct fg_cap_value){ .kind = FG_CAP_VALUE_UINT, .u = arg->value.natural };
    case FG_ARG_DOUBLE:
        return (struct fg_cap_value){ .kind = FG_CAP_VALUE_F64, .f = arg->value.real };
    case FG_ARG_BOOL:
        return (struct fg_cap_value){ .kind = FG_CAP_VALUE_BOOL, .u = arg->value.natural };
    case FG_ARG_TEXT:
        return (struct fg_cap_value){ .kind = FG_CAP_VALUE_SYMBOL,
                                      .u = fgi_to_sgpt_symbol(to, arg->value.text) };
    default:
        return (struct fg_cap_value){ .kind = FG_CAP_VALUE_INT };
    }
}

static bool is_flat(const struct fg_trace_arg *args, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_plain = args[i].kind == FG_ARG_INT || args[i].kind == FG_ARG_UINT ||
                        args[i].kind == FG_ARG_DOUBLE || args[i].kind == FG_ARG_TEXT ||
                        args[i].kind == FG_ARG_BOOL;
        if (!is_plain || args[i].depth != 0 || args[i].quality != FG_QUALITY_PLAIN) {
            return false;
        }
    }
    return true;
}

/* Lists point into a table that has moved while it grew. */
static void put_arguments(struct rows *rows)
{
    struct fgi_to_sgpt *to = rows->to;
    size_t at = 0;
    for (size_t i = 0; i < rows->lists.count; i++) {
        rows->lists.items[i].arguments = rows->flat.items + at;
        at += rows->lists.items[i].argument_count;
    }
    at = 0;
    for (size_t i = 0; i < rows->trees.count; i++) {
        rows->trees.items[i].arguments = rows->deep.items + at;
        at += rows->trees.items[i].argument_count;
    }
    if (rows->lists.count > 0 && to->result == FG_OK) {
        const struct fg_cap_arguments lists = { rows->lists.items, rows->lists.count };
        (void)fgi_to_sgpt_put(to, fg_capture_writer_arguments(to->writer, &lists));
    }
    if (rows->trees.count > 0 && to->result == FG_OK) {
        const struct fg_cap_trees trees = { rows->trees.items, rows->trees.count };
        (void)fgi_to_sgpt_put(to, fg_capture_writer_trees(to->writer, &trees));
    }
    rows->lists.count = rows->trees.count = rows->flat.count = rows->deep.count = 0;
}

static void put_flat(struct rows *rows, struct fg_cap_ref owner, uint32_t count)
{
    struct fgi_to_sgpt *to = rows->to;
    if (!fgi_to_sgpt_ok(to, FGI_GROW(to->allocator, rows->lists.items, rows->lists.capacity,
                                     rows->lists.count + 1, UINT32_MAX)) ||
        !fgi_to_sgpt_ok(to, FGI_GROW(to->allocator, rows->flat.items, rows->flat.capacity,
                                     rows->flat.count + count, UINT32_MAX))) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_arg *arg = &rows->args.items[i];
        rows->flat.items[rows->flat.count++] =
            (struct fg_cap_argument){ .key = fgi_to_sgpt_symbol(to, arg->key),
                                      .value = value_of(to, arg) };
    }
    rows->lists.items[rows->lists.count++] =
        (struct fg_cap_argument_list){ .owner = owner, .argument_count = count };
}

static void put_deep(struct rows *rows, struct fg_cap_ref owner, uint32_t count)
{
    struct fgi_to_sgpt *to = rows->to;
    if (!fgi_to_sgpt_ok(to, FGI_GROW(to->allocator, rows->trees.items, rows->trees.capacity,
                                     rows->trees.count + 1, UINT32_MAX)) ||
        !fgi_to_sgpt_ok(to, FGI_GROW(to->allocator, rows->deep.items, rows->deep.capacity,
                                     rows->deep.count + count, UINT32_MAX))) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_trace_arg *arg = &rows->args.items[i];
        rows->deep.items[rows->deep.count++] = (struct fg_cap_tree_argument){
            .key = fgi_to_sgpt_symbol(to, arg->key),
            .depth = arg->depth,
            .kind = arg->kind,
            .quality = arg->quality,
            .value = value_of(to, arg),
        };
    }
    rows->trees.items[rows->trees.count++] =
        (struct fg_cap_tree){ .owner = owner, .argument_count = count };
}

static void put_row_arguments(struct rows *rows, uint32_t row)
{
    struct fgi_to_sgpt *to = rows->to;
    uint32_t count = 0;
    enum fg_result result =
        fg_trace_span_args(to->trace, row, rows->args.items, (uint32_t)rows->args.capacity, &count);
    if (result == FG_OK && count > rows->args.capacity) {
        result = FGI_GROW(to->allocator, rows->args.items, rows->args.capacity, count, UINT32_MAX);
        if (result == FG_OK) {
            result = fg_trace_span_args(to->trace, row, rows->args.items,
                                        (uint32_t)rows->args.capacity, &count);
        }
    }
    if (!fgi_to_sgpt_ok(to, result) || count == 0) {
        return;
    }
    struct fg_cap_ref owner = fgi_to_sgpt_ref(to, row);
    if (is_flat(rows->args.items, count)) {
        put_flat(rows, owner, count);
    } else {
        put_deep(rows, owner, count);
    }
    if (rows->flat.count + rows->deep.count >= ARGUMENTS_OF_A_RECORD) {
        put_arguments(rows);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool goes_on(struct rows *rows, uint64_t done)
{
    const struct fgi_export *work = rows->to->work;
    uint64_t total = rows->to->info.spans;
    return work->progress == NULL || work->progress(work->progress_context, done, total) ||
           fgi_to_sgpt_ok(rows->to, FG_ERR_CANCELLED);
}

static void put_spans(struct rows *rows)
{
    struct fgi_to_sgpt *to = rows->to;
    struct fg_trace_span *batch = fgi_malloc(to->allocator, BATCH_SPANS * sizeof *batch);
    uint32_t row = 0;
    (void)fgi_to_sgpt_ok(to, batch != NULL ? FG_OK : FG_ERR_NO_MEMORY);
    while (to->result == FG_OK && row < to->info.spans && goes_on(rows, row)) {
        uint32_t count = 0;
        (void)fgi_to_sgpt_ok(to, fg_trace_spans(to->trace, row, batch, BATCH_SPANS, &count));
        for (uint32_t i = 0; i < count && to->result == FG_OK; i++) {
            put_span(rows, &batch[i]);
        }
        row += count;
    }
    if (to->result == FG_OK) {
        put_block(rows);
    }
    fgi_free(to->allocator, batch, BATCH_SPANS * sizeof *batch);
}

static void rows_finish(struct rows *rows)
{
    const struct fg_allocator *allocator = rows->to->allocator;
    fgi_free(allocator, rows->spans, FG_CAP_BLOCK_SPANS * sizeof *rows->spans);
    fgi_free(allocator, rows->runs, FG_CAP_BLOCK_SPANS * sizeof *rows->runs);
    fgi_free(allocator, rows->parents, FG_CAP_BLOCK_SPANS * sizeof *rows->parents);
    fgi_free(allocator, rows->args.items, rows->args.capacity * sizeof *rows->args.items);
    fgi_free(allocator, rows->lists.items, rows->lists.capacity * sizeof *rows->lists.items);
    fgi_free(allocator, rows->flat.items, rows->flat.capacity * sizeof *rows->flat.items);
    fgi_free(allocator, rows->trees.items, rows->trees.capacity * sizeof *rows->trees.items);
    fgi_free(allocator, rows->deep.items, rows->deep.capacity * sizeof *rows->deep.items);
}

void fgi_to_sgpt_rows(struct fgi_to_sgpt *to)
{
    struct rows rows = { .to = to };
    rows.spans = fgi_malloc(to->allocator, FG_CAP_BLOCK_SPANS * sizeof *rows.spans);
    rows.runs = fgi_malloc(to->allocator, FG_CAP_BLOCK_SPANS * sizeof *rows.runs);
    rows.parents = fgi_malloc(to->allocator, FG_CAP_BLOCK_SPANS * sizeof *rows.parents);
    if (fgi_to_sgpt_ok(to, rows.spans && rows.runs && rows.parents ? FG_OK : FG_ERR_NO_MEMORY)) {
        put_spans(&rows);
    }
    bool has_arguments = to->trace->args.count > 0 || to->trace->args_loader.load != NULL;
    for (uint32_t row = 0; has_arguments && to->result == FG_OK && row < to->info.spans; row++) {
        put_row_arguments(&rows, row);
    }
    put_arguments(&rows);
    fgi_to_sgpt_lacks(to, "spans that belong to frame graphs", rows.graph_count);
    rows_finish(&rows);
}
