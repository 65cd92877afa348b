/* SPDX-License-Identifier: MIT */
/* What goes to the device: tables, lane order and rows, in pieces that a ring takes. */
#include "engine/vulkan/gpu_columns.h"
#include "trace/model.h"
#include <stddef.h>
#include <string.h>

/* What is uploaded before the rows, in this order. */
enum table { TABLE_LANE_ROWS, TABLE_KINDS, TABLE_LANES, TABLE_TRACKS, TABLES };

/** What one call does. */
struct uploading {
    struct fg_gpu_trace *gpu;
    const struct fg_compute_sink *sink;
    struct fg_compute_ring *ring;
    uint64_t serial;
};

/** Rows [first, first + count) of a column, which are in one chunk, from ring memory. */
static enum fg_result add_copy(const struct uploading *u, const struct fgi_gpu_column *column,
                               uint32_t first, uint32_t count, struct fg_compute_view from)
{
    const uint32_t chunk = first >> column->shift;
    const uint64_t offset = (uint64_t)(first - (chunk << column->shift)) * column->row_bytes;
    const uint64_t bytes = (uint64_t)count * column->row_bytes;
    return fg_compute_sink_add(
        u->sink,
        FG_COMPUTE_NODE(.name = "upload", .kind = FG_COMPUTE_COPY,
                        .source = fg_compute_view_part(from, 0, bytes),
                        .target = fg_compute_view_part(column->chunks[chunk], offset, bytes)));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const struct fgi_gpu_column_memory *table_memory(const struct fg_gpu_trace *gpu,
                                                        enum table table)
{
    const struct fgi_gpu_column_memory *memories[TABLES] = { &gpu->lane_rows, &gpu->kinds,
                                                             &gpu->lanes, &gpu->tracks };
    return memories[table];
}

static uint32_t table_rows(const struct fg_gpu_trace *gpu, enum table table)
{
    const uint32_t rows[TABLES] = { gpu->counts.rows, gpu->counts.kinds, gpu->counts.lanes,
                                    gpu->counts.tracks };
    return rows[table];
}

static void write_quad(const struct fg_trace *trace, enum table table, uint32_t i, uint32_t quad[4])
{
    memset(quad, 0, 4 * sizeof *quad);
    if (table == TABLE_KINDS) {
        const struct fgi_kind *kind = &trace->store->kinds.items[i];
        quad[0] = kind->name;
        quad[1] = kind->category;
        quad[2] = kind->classes | (uint32_t)kind->status << 16;
        return;
    }
    const struct fg_trace_lane *lane = table == TABLE_LANES ? &trace->lanes.items[i] : NULL;
    const struct fg_trace_track *track = &trace->tracks.items[lane ? lane->track : i];
    if (lane) {
        quad[0] = lane->track;
        quad[1] = track->process;
        quad[2] = track->clock;
        quad[3] = lane->depth;
    } else {
        quad[0] = track->process;
        quad[1] = track->clock;
        quad[2] = track->first_lane;
        quad[3] = track->lane_count;
    }
}

/** The next piece of what comes before the rows. */
static enum fg_result upload_table(struct uploading *u, uint64_t *out_bytes)
{
    struct fg_gpu_trace *gpu = u->gpu;
    const enum table table = (enum table)gpu->next_table;
    const struct fgi_gpu_column *column = &table_memory(gpu, table)->column;
    const uint32_t rows = table_rows(gpu, table);
    uint32_t most = gpu->upload_rows;
    if (most > UINT32_C(1) << column->shift) {
        most = UINT32_C(1) << column->shift;
    }
    const uint32_t first = gpu->next_position;
    const uint32_t count = rows - first < most ? rows - first : most;
    enum fg_result result = FG_OK;
    if (count > 0) {
        struct fg_compute_memory memory;
        *out_bytes = (uint64_t)count * column->row_bytes;
        result = fg_compute_ring_take(u->ring, *out_bytes, u->serial, &memory);
        if (result != FG_OK) {
            return result;
        }
        uint32_t *words = memory.host;
        if (table == TABLE_LANE_ROWS) {
            memcpy(words, gpu->trace->lane_rows + first, *out_bytes);
        }
        for (uint32_t i = 0; table != TABLE_LANE_ROWS && i < count; i++) {
            write_quad(gpu->trace, table, first + i, words + (size_t)i * 4);
        }
        result = add_copy(u, column, first, count, memory.view);
    }
    if (result == FG_OK) {
        gpu->next_position = first + count;
        if (gpu->next_position == rows) {
            gpu->next_position = 0;
            gpu->next_table++;
        }
    }
    return result;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/** One column of rows [first, first + count) into ring memory. */
static enum fg_result fill(const struct fg_gpu_trace *gpu, enum fg_gpu_column which, uint32_t first,
                           uint32_t count, void *bytes)
{
    static const enum fgi_column extras[FG_GPU_COLUMNS] = {
        [FG_GPU_COLUMN_FRAME] = FGI_COLUMN_FRAME,
        [FG_GPU_COLUMN_PASS] = FGI_COLUMN_PASS,
        [FG_GPU_COLUMN_SCOPE] = FGI_COLUMN_SCOPE,
    };
    struct fgi_cursor cursor = fgi_trace_cursor(gpu->trace);
    for (uint32_t at = 0; at < count && fgi_cursor_at(&cursor, first + at);) {
        const struct fgi_block *block = cursor.block;
        const uint32_t from = first + at - cursor.first_row;
        const uint32_t there = cursor.count - from;
        const uint32_t n = there < count - at ? there : count - at;
        if (which == FG_GPU_COLUMN_START || which == FG_GPU_COLUMN_END) {
            const int64_t *times = which == FG_GPU_COLUMN_START ? block->start_ns : block->end_ns;
            memcpy((int64_t *)bytes + at, times + from, n * sizeof *times);
            at += n;
            continue;
        }
        const uint32_t *words = which == FG_GPU_COLUMN_LANE     ? block->lane
                                : which == FG_GPU_COLUMN_KIND   ? block->kind
                                : which == FG_GPU_COLUMN_PARENT ? block->parent
                                                                : block->extra[extras[which]];
        uint32_t *into = (uint32_t *)bytes + at;
        if (words) {
            memcpy(into, words + from, n * sizeof *words);
        }
        for (uint32_t i = 0; !words && i < n; i++) {
            into[i] = fgi_column_default(extras[which]);
        }
        at += n;
    }
    const enum fg_result result = cursor.result;
    fgi_cursor_finish(&cursor);
    return result;
}

/** All columns of one piece. */
static enum fg_result upload_piece(struct uploading *u, uint32_t piece, uint64_t *out_bytes)
{
    struct fg_gpu_trace *gpu = u->gpu;
    const uint32_t first = piece * gpu->upload_rows;
    const uint32_t left = gpu->counts.rows - first;
    const uint32_t count = left < gpu->upload_rows ? left : gpu->upload_rows;
    uint64_t bytes = 0;
    for (unsigned c = 0; c < FG_GPU_COLUMNS; c++) {
        bytes += (uint64_t)gpu->columns[c].column.row_bytes * count;
    }
    struct fg_compute_memory memory;
    enum fg_result result = fg_compute_ring_take(u->ring, bytes, u->serial, &memory);
    uint64_t at = 0;
    for (unsigned c = 0; c < FG_GPU_COLUMNS && result == FG_OK; c++) {
        const struct fgi_gpu_column *column = &gpu->columns[c].column;
        const uint64_t size = (uint64_t)column->row_bytes * count;
        if (size == 0) {
            continue;
        }
        result = fill(gpu, (enum fg_gpu_column)c, first, count, (char *)memory.host + at);
        if (result == FG_OK) {
            result = add_copy(u, column, first, count, fg_compute_view_part(memory.view, at, size));
        }
        at += size;
    }
    *out_bytes = bytes;
    return result;
}

/** The piece that is next: new ones first, then those that were touched. piece_count: none. */
static uint32_t next_piece(const struct fg_gpu_trace *gpu)
{
    uint32_t piece = gpu->counts.resident_rows / gpu->upload_rows;
    if (gpu->counts.resident_rows < gpu->counts.rows) {
        return piece;
    }
    for (piece = 0; gpu->touched_count > 0 && piece < gpu->piece_count; piece++) {
        if (gpu->touched[piece]) {
            return piece;
        }
    }
    return gpu->piece_count;
}

static void piece_done(struct fg_gpu_trace *gpu, uint32_t piece)
{
    const uint32_t end = (piece + 1) * gpu->upload_rows;
    gpu->generations[piece] = ++gpu->generation;
    gpu->touched_count -= gpu->touched[piece];
    gpu->touched[piece] = 0;
    if (gpu->counts.resident_rows < gpu->counts.rows) {
        gpu->counts.resident_rows = end < gpu->counts.rows ? end : gpu->counts.rows;
    }
}

/** Rows are there for what comes behind their copies: what is in flight does not see them. */
static enum fg_result tell_residents(struct fg_gpu_trace *gpu, const struct fg_compute_sink *sink)
{
    if (gpu->host_table.resident_rows == gpu->counts.resident_rows) {
        return FG_OK;
    }
    const struct fg_compute_view word =
        fg_compute_view_part(gpu->table.view, offsetof(struct fgi_gpu_table, resident_rows),
                             sizeof gpu->host_table.resident_rows);
    const enum fg_result result = fg_compute_sink_add(
        sink, FG_COMPUTE_NODE(.name = "resident rows", .kind = FG_COMPUTE_FILL, .target = word,
                              .word = gpu->counts.resident_rows));
    if (result == FG_OK) {
        gpu->host_table.resident_rows = gpu->counts.resident_rows;
    }
    return result;
}

enum fg_result fg_gpu_trace_upload(struct fg_gpu_trace *gpu, const struct fg_compute_sink *sink,
                                   struct fg_compute_ring *ring, uint64_t serial,
                                   uint64_t max_bytes)
{
    struct uploading u = { gpu, sink, ring, serial };
    const uint64_t before = gpu->counts.uploaded_bytes;
    enum fg_result result = FG_OK;
    while (result == FG_OK) {
        uint64_t bytes = 0;
        const uint32_t piece = next_piece(gpu);
        if (gpu->next_table < TABLES) {
            result = upload_table(&u, &bytes);
        } else if (piece < gpu->piece_count && gpu->counts.rows > 0) {
            result = upload_piece(&u, piece, &bytes);
            if (result == FG_OK) {
                piece_done(gpu, piece);
            }
        } else {
            result = FG_ERR_NOT_FOUND;
        }
        if (result == FG_OK) {
            gpu->counts.pieces += bytes > 0;
            gpu->counts.uploaded_bytes += bytes;
            if (max_bytes != 0 && gpu->counts.uploaded_bytes - before + bytes > max_bytes) {
                break;
            }
        }
    }
    gpu->counts.is_complete = gpu->next_table == TABLES && gpu->touched_count == 0 &&
                              gpu->counts.resident_rows == gpu->counts.rows;
    const enum fg_result told = tell_residents(gpu, sink);
    if (told != FG_OK) {
        return told;
    }
    /* What comes in the way of the next piece is none of this call's, if it added some. */
    const bool added = gpu->counts.uploaded_bytes != before;
    return added && (result == FG_ERR_NOT_FOUND || result == FG_ERR_BUSY) ? FG_OK : result;
}

enum fg_result fg_gpu_trace_touch(struct fg_gpu_trace *gpu, uint32_t first_row, uint32_t row_count)
{
    if (first_row > gpu->counts.rows || row_count > gpu->counts.rows - first_row) {
        return FG_ERR_ARGUMENT;
    }
    for (uint32_t row = first_row; row < first_row + row_count;) {
        const uint32_t piece = row / gpu->upload_rows;
        if (row < gpu->counts.resident_rows && !gpu->touched[piece]) {
            gpu->touched[piece] = 1;
            gpu->touched_count++;
            gpu->counts.is_complete = false;
        }
        row = (piece + 1) * gpu->upload_rows;
    }
    return FG_OK;
}
