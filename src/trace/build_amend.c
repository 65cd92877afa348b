/* SPDX-License-Identifier: MIT */
#include "trace/build_amend.h"
#include "base/alloc.h"

struct fgi_amend fgi_amend_begin(struct fgi_builder *builder)
{
    return (struct fgi_amend){ .builder = builder, .cursor = fgi_trace_cursor(builder->trace) };
}

bool fgi_amend_row(struct fgi_amend *amend, uint32_t row)
{
    struct fgi_builder *builder = amend->builder;
    uint64_t sealed = builder->trace->store->row_count;
    if (builder->result != FG_OK || row >= fgi_builder_rows(builder)) {
        fgi_builder_fail(builder, FG_ERR_ARGUMENT);
        return false;
    }
    if (row >= sealed) {
        amend->block = &builder->open;
        amend->at = (uint32_t)(row - sealed);
        return true;
    }
    if (!fgi_cursor_at(&amend->cursor, row)) {
        fgi_builder_fail(builder, amend->cursor.result);
        return false;
    }
    amend->block = amend->cursor.block;
    amend->at = row - amend->cursor.first_row;
    return true;
}

/* The row at hand is of another kind from now on; NULL: leave it as it is. */
static void change_kind(struct fgi_amend *amend, const uint32_t *name, const uint8_t *status)
{
    const struct fgi_block *block = amend->block;
    uint32_t at = amend->at;
    if (!block->kind) {
        block->name[at] = name ? *name : block->name[at];
        block->status[at] = status ? *status : block->status[at];
        return;
    }
    struct fgi_block_store *store = amend->builder->trace->store;
    struct fgi_kind kind = *fgi_block_kind(block, at);
    kind.name = name ? *name : kind.name;
    kind.status = status ? *status : kind.status;
    fgi_builder_fail(amend->builder,
                     fgi_kinds_add(&store->kinds, store->allocator, &kind, &block->kind[at]));
}

static void change_status(struct fgi_amend *amend, uint8_t status)
{
    change_kind(amend, NULL, &status);
}

void fgi_amend_end_ns(struct fgi_amend *amend, int64_t end_ns)
{
    struct fgi_builder *builder = amend->builder;
    int64_t end = fgi_builder_legal_time(builder, end_ns);
    if (end < amend->block->start_ns[amend->at]) {
        fgi_builder_repair(builder, "end_before_start", 1, UINT64_MAX);
        end = amend->block->start_ns[amend->at];
    }
    fgi_builder_saw_time(builder, end);
    amend->block->end_ns[amend->at] = end;
    change_status(amend, FG_SPAN_COMPLETE);
}

void fgi_amend_open_end(struct fgi_amend *amend)
{
    struct fgi_builder *builder = amend->builder;
    uint32_t row =
        amend->at + (amend->block == &builder->open ? (uint32_t)builder->trace->store->row_count
                                                    : amend->cursor.first_row);
    change_status(amend, FG_SPAN_UNFINISHED);
    fgi_builder_fail(builder,
                     FGI_GROW(builder->trace->allocator, builder->open_ends.items,
                              builder->open_ends.capacity, builder->open_ends.count + 1, FG_NONE));
    if (builder->result == FG_OK) {
        builder->open_ends.items[builder->open_ends.count++] = row;
    }
}

void fgi_amend_name(struct fgi_amend *amend, uint32_t name)
{
    change_kind(amend, &name, NULL);
}

void fgi_amend_parent(struct fgi_amend *amend, uint32_t parent)
{
    amend->block->parent[amend->at] = parent;
}

void fgi_amend_finish(struct fgi_amend *amend)
{
    fgi_cursor_finish(&amend->cursor);
}
