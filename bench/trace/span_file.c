/* SPDX-License-Identifier: MIT */
#include "span_file.h"

#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_SPANS = 32768, RECORD_LINKS = 32768, SECTION_BYTES = 4 << 20 };

struct track_block {
    struct fg_cap_block_span *spans;
    uint32_t count;
};

struct span_file {
    struct fg_capture_writer *writer;
    enum fg_result result;
    uint32_t track_count;
    struct track_block *tracks;
    uint32_t *block_first; /* position of each block's first span, and of the end */
    size_t block_capacity;
    uint32_t block_count;
    struct fg_cap_dependency *links;
    uint32_t link_count;
    uint32_t link_blocks[2]; /* where source and target were found last */
    uint64_t section_bytes;
};

static void keep(struct span_file *file, enum fg_result result)
{
    file->result = file->result != FG_OK ? file->result : result;
}

static void state(struct span_file *file, uint32_t processes, uint32_t tracks)
{
    char text[32];
    const struct fg_cap_meta meta = { .producer = { "generate_spans", 14 } };
    keep(file, fg_capture_writer_meta(file->writer, &meta));
    keep(file, fg_capture_writer_clock(file->writer,
                                       &(const struct fg_cap_clock){ .domain = FG_CAP_DOMAIN_HOST,
                                                                     .host_clock = FG_CAP_NONE,
                                                                     .period_num = 1,
                                                                     .period_den = 1,
                                                                     .valid_bits = 64 }));
    for (uint32_t i = 0; i < processes; i++) {
        snprintf(text, sizeof text, "process %u", i);
        const struct fg_cap_process process = { .id = i,
                                                .os_id = i + 1,
                                                .name = span_file_name(file, text) };
        keep(file, fg_capture_writer_process(file->writer, &process));
    }
    for (uint32_t i = 0; i < tracks; i++) {
        snprintf(text, sizeof text, "thread %u", i);
        const struct fg_cap_track track = { .id = i,
                                            .process = i * processes / tracks,
                                            .parent = FG_CAP_NONE,
                                            .name = span_file_name(file, text),
                                            .os_id = i + 1,
                                            .sort = i };
        keep(file, fg_capture_writer_track(file->writer, &track));
    }
}

enum fg_result span_file_create(const struct fg_sink *sink, uint32_t processes, uint32_t tracks,
                                struct span_file **out_file)
{
    struct span_file *file = fgi_calloc(NULL, 1, sizeof *file);
    if (!file) {
        return FG_ERR_NO_MEMORY;
    }
    file->track_count = tracks;
    file->tracks = fgi_calloc(NULL, tracks, sizeof *file->tracks);
    file->links = fgi_calloc(NULL, RECORD_LINKS, sizeof *file->links);
    enum fg_result result = file->tracks && file->links ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < tracks && result == FG_OK; i++) {
        file->tracks[i].spans = fgi_calloc(NULL, BLOCK_SPANS, sizeof *file->tracks[i].spans);
        result = file->tracks[i].spans ? FG_OK : FG_ERR_NO_MEMORY;
    }
    if (result == FG_OK) {
        result = fg_capture_writer_create(sink, NULL, &file->writer);
    }
    if (result == FG_OK) {
        state(file, processes, tracks);
        result = file->result;
    }
    if (result != FG_OK) {
        span_file_destroy(file);
        return result;
    }
    *out_file = file;
    return FG_OK;
}

void span_file_destroy(struct span_file *file)
{
    if (!file) {
        return;
    }
    for (uint32_t i = 0; file->tracks && i < file->track_count; i++) {
        fgi_free(NULL, file->tracks[i].spans, BLOCK_SPANS * sizeof *file->tracks[i].spans);
    }
    fgi_free(NULL, file->tracks, file->track_count * sizeof *file->tracks);
    fgi_free(NULL, file->links, RECORD_LINKS * sizeof *file->links);
    fgi_free(NULL, file->block_first, file->block_capacity * sizeof *file->block_first);
    fg_capture_writer_destroy(file->writer);
    fgi_free(NULL, file, sizeof *file);
}

uint32_t span_file_name(struct span_file *file, const char *text)
{
    uint32_t symbol = 0;
    if (file->result == FG_OK) {
        keep(file, fg_capture_writer_symbol(file->writer, text, strlen(text), &symbol));
    }
    return symbol;
}

/* The writer ends sections with frames, of which there are none here. */
static void flush(struct span_file *file)
{
    struct fg_capture_writer_stats stats;
    keep(file, fg_capture_writer_flush(file->writer));
    fg_capture_writer_get_stats(file->writer, &stats);
    if (stats.written_bytes - file->section_bytes >= SECTION_BYTES) {
        keep(file, fg_capture_writer_checkpoint(file->writer));
        file->section_bytes = stats.written_bytes;
    }
}

void span_file_end_block(struct span_file *file, uint32_t track)
{
    struct track_block *block = &file->tracks[track];
    if (block->count == 0 || file->result != FG_OK) {
        return;
    }
    keep(file, FGI_GROW(NULL, file->block_first, file->block_capacity,
                        (size_t)file->block_count + 2, SIZE_MAX / 8));
    if (file->result != FG_OK) {
        return;
    }
    if (file->block_count == 0) {
        file->block_first[0] = 0;
    }
    keep(file, fg_capture_writer_span_block(
                   file->writer, &(const struct fg_cap_span_block){ .id = file->block_count,
                                                                    .track = track,
                                                                    .spans = block->spans,
                                                                    .span_count = block->count }));
    file->block_first[file->block_count + 1] = file->block_first[file->block_count] + block->count;
    file->block_count++;
    block->count = 0;
    flush(file);
}

void span_file_add(struct span_file *file, uint32_t track, const struct fg_cap_block_span *span)
{
    struct track_block *block = &file->tracks[track];
    block->spans[block->count++] = *span;
    if (block->count == BLOCK_SPANS) {
        span_file_end_block(file, track);
        block->count = 0;
    }
}

void span_file_end_spans(struct span_file *file)
{
    for (uint32_t i = 0; i < file->track_count; i++) {
        span_file_end_block(file, i);
    }
}

static void end_links(struct span_file *file)
{
    if (file->link_count > 0 && file->result == FG_OK) {
        keep(file,
             fg_capture_writer_dependencies(file->writer, &(const struct fg_cap_dependencies){
                                                              file->links, file->link_count }));
        flush(file);
    }
    file->link_count = 0;
}

/* Positions are asked for in nearly ascending order. */
static struct fg_cap_ref ref_of(const struct span_file *file, uint32_t *block, uint32_t position)
{
    while (position < file->block_first[*block]) {
        --*block;
    }
    while (position >= file->block_first[*block + 1]) {
        ++*block;
    }
    return (struct fg_cap_ref){ .kind = FG_CAP_REF_BLOCK_SPAN,
                                .a = *block,
                                .b = position - file->block_first[*block] };
}

void span_file_link(struct span_file *file, uint32_t source, uint32_t target, uint32_t family,
                    uint32_t flags)
{
    file->links[file->link_count++] = (struct fg_cap_dependency){
        .from = ref_of(file, &file->link_blocks[0], source),
        .to = ref_of(file, &file->link_blocks[1], target),
        .family = family,
        .flags = flags,
    };
    if (file->link_count == RECORD_LINKS) {
        end_links(file);
    }
}

enum fg_result span_file_close(struct span_file *file)
{
    span_file_end_spans(file);
    end_links(file);
    if (file->result == FG_OK) {
        keep(file, fg_capture_writer_close(file->writer));
    }
    return file->result;
}
