/* SPDX-License-Identifier: MIT */
/* Nodes of primitives. */
#include "engine/vulkan/prim_priv.h"

#include "base/alloc.h"

#include <string.h>

enum { MAX_USES = 1 << 20 };

void fgi_prim_begin(struct fgi_prim_node *node, const struct fgi_gpu_work *work,
                    const struct fg_compute_kernel *kernel, const void *push, uint64_t groups)
{
    node->work = work;
    node->node = (struct fg_compute_node){ .name = kernel->name,
                                           .kind = FG_COMPUTE_DISPATCH,
                                           .program.kernel = kernel,
                                           .group_count = groups,
                                           .push = push };
    node->uses = node->first_uses;
    node->use_count = 0;
    node->use_room = sizeof node->first_uses / sizeof *node->first_uses;
    node->result = FG_OK;
}

void fgi_prim_constant(struct fgi_prim_node *node, uint32_t value)
{
    node->node.program.constants[node->node.program.constant_count++] = value;
}

/** Room for one more use. */
static void grow_uses(struct fgi_prim_node *node)
{
    if (node->use_count < node->use_room || node->result != FG_OK) {
        return;
    }
    struct fg_compute_use *uses = NULL;
    size_t room = 0;
    node->result =
        FGI_GROW(node->work->allocator, uses, room, node->use_room * 2, (size_t)MAX_USES);
    if (node->result != FG_OK) {
        return;
    }
    memcpy(uses, node->uses, node->use_count * sizeof *uses);
    if (node->uses != node->first_uses) {
        fgi_free(node->work->allocator, node->uses, node->use_room * sizeof *uses);
    }
    node->uses = uses;
    node->use_room = room;
}

void fgi_prim_view(struct fgi_prim_node *node, struct fg_compute_view view, uint64_t bytes,
                   uint32_t access)
{
    if (view.size_bytes == 0 || bytes == 0) {
        return;
    }
    grow_uses(node);
    if (node->result == FG_OK) {
        view.size_bytes = bytes < view.size_bytes ? bytes : view.size_bytes;
        node->uses[node->use_count++] = (struct fg_compute_use){ .view = view, .access = access };
    }
}

void fgi_prim_column(struct fgi_prim_node *node, const struct fgi_gpu_column *column, uint64_t rows,
                     uint32_t access)
{
    uint64_t left = rows * column->row_bytes;
    for (uint32_t i = 0; i < column->chunk_count && left > 0; i++) {
        const uint64_t bytes = column->chunks[i].size_bytes;
        fgi_prim_view(node, column->chunks[i], left, access);
        left -= left < bytes ? left : bytes;
    }
    if (column->chunk_count > 1) {
        fgi_prim_view(node, column->table, UINT64_MAX, FG_COMPUTE_READ);
    }
}

enum fg_result fgi_prim_add(struct fgi_prim_node *node)
{
    if (node->result == FG_OK) {
        node->node.uses = node->uses;
        node->node.use_count = (uint32_t)node->use_count;
        node->result = fg_compute_sink_add(node->work->sink, &node->node);
    }
    if (node->uses != node->first_uses) {
        fgi_free(node->work->allocator, node->uses, node->use_room * sizeof *node->uses);
        node->uses = node->first_uses;
    }
    return node->result;
}

enum fg_result fgi_prim_clear(const struct fgi_gpu_work *work, const struct fgi_gpu_column *column,
                              uint64_t words)
{
    uint64_t left = words * sizeof(uint32_t);
    for (uint32_t i = 0; i < column->chunk_count && left > 0; i++) {
        struct fg_compute_view view = column->chunks[i];
        view.size_bytes = left < view.size_bytes ? left : view.size_bytes;
        left -= view.size_bytes;
        const enum fg_result result = fg_compute_sink_add(
            work->sink, FG_COMPUTE_NODE(.name = "clear", .kind = FG_COMPUTE_FILL, .target = view));
        if (result != FG_OK) {
            return result;
        }
    }
    return FG_OK;
}

uint32_t fgi_prim_group(const struct fg_compute *compute, const struct fg_compute_kernel *kernel)
{
    const struct fg_compute_program program = { .kernel = kernel };
    return fg_compute_group_size(compute, &program);
}

bool fgi_prim_holds(const struct fgi_gpu_column *column, uint64_t rows, uint32_t row_bytes)
{
    return column->row_bytes == row_bytes && column->chunk_count != 0 &&
           fgi_gpu_column_rows(column) >= rows;
}
