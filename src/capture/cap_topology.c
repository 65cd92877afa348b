/* SPDX-License-Identifier: MIT */
/* Topologies: one id per content, kept as long as frames may name them. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

#include <string.h>

struct fgi_kept_topology *fgi_writer_topology(struct fg_capture_writer *writer, uint32_t id)
{
    for (size_t i = 0; i < writer->topology_count; i++) {
        if (writer->topologies[i].id == id) {
            return &writer->topologies[i];
        }
    }
    return NULL;
}

static void drop_topology(struct fg_capture_writer *writer, struct fgi_kept_topology *kept)
{
    fgi_free(writer->allocator, kept->payload, kept->size);
    fgi_ids_finish(writer->allocator, &kept->symbols);
    *kept = (struct fgi_kept_topology){ 0 };
}

void fgi_writer_finish_topologies(struct fg_capture_writer *writer)
{
    for (size_t i = 0; i < writer->topology_count; i++) {
        drop_topology(writer, &writer->topologies[i]);
    }
    fgi_free(writer->allocator, writer->topologies,
             writer->topology_capacity * sizeof *writer->topologies);
    fgi_map64_finish(&writer->topology_ids);
}

/* A place for one more: a new one, or that of the topology that was not used for longest. */
static enum fg_result make_room(struct fg_capture_writer *writer,
                                struct fgi_kept_topology **out_place)
{
    if (writer->topology_count < writer->options.topologies_kept) {
        enum fg_result result =
            FGI_GROW(writer->allocator, writer->topologies, writer->topology_capacity,
                     writer->topology_count + 1, writer->options.topologies_kept);
        if (result == FG_OK) {
            *out_place = &writer->topologies[writer->topology_count++];
            **out_place = (struct fgi_kept_topology){ .id = FG_CAP_NONE };
        }
        return result;
    }
    struct fgi_kept_topology *oldest = &writer->topologies[0];
    for (size_t i = 1; i < writer->topology_count; i++) {
        if (writer->topologies[i].last_use < oldest->last_use) {
            oldest = &writer->topologies[i];
        }
    }
    drop_topology(writer, oldest);
    oldest->id = FG_CAP_NONE;
    *out_place = oldest;
    return FG_OK;
}

enum fg_result fgi_writer_state_topology(struct fg_capture_writer *writer,
                                         struct fgi_kept_topology *kept)
{
    if (kept->section == writer->section) {
        return FG_OK;
    }
    for (size_t i = 0; i < kept->symbols.count; i++) {
        fgi_writer_note_ref(writer, FGI_REF_SYMBOL, kept->symbols.items[i]);
    }
    struct fgi_bytes body = { .data = kept->payload, .size = kept->size };
    enum fg_result result = fgi_writer_commit(writer, FG_CAPTURE_TOPO, &body);
    if (result == FG_OK) {
        kept->section = writer->section;
    }
    return result;
}

enum fg_result fgi_writer_restate_topologies(struct fg_capture_writer *writer)
{
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < writer->topology_count && result == FG_OK; i++) {
        if (writer->topologies[i].used_section + 1 == writer->section) {
            result = fgi_writer_state_topology(writer, &writer->topologies[i]);
        }
    }
    return result;
}

/* Encode with the final id, and keep what restating needs. */
static enum fg_result keep(struct fg_capture_writer *writer, struct fgi_kept_topology *kept,
                           const struct fg_cap_topology *topology)
{
    writer->seen_symbols.count = 0;
    fgi_bytes_clear(&writer->body);
    struct fgi_codec codec = fgi_writer_codec(writer, &writer->body);
    fgi_fields_topology(&codec, (void *)topology);
    enum fg_result result = writer->ref_result != FG_OK ? writer->ref_result : writer->body.result;
    for (size_t i = 0; i < writer->seen_symbols.count && result == FG_OK; i++) {
        result = fgi_ids_add(writer->allocator, &kept->symbols, writer->seen_symbols.items[i]);
    }
    fgi_writer_end_pending(writer, false);
    if (result != FG_OK) {
        return result;
    }
    kept->payload = fgi_malloc(writer->allocator, writer->body.size);
    if (kept->payload == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memcpy(kept->payload, writer->body.data, writer->body.size);
    kept->size = writer->body.size;
    kept->pass_count = topology->pass_count;
    kept->resource_count = topology->resource_count;
    kept->gpu_pass_count = topology->gpu_pass_count;
    return FG_OK;
}

/* The body with its symbols as texts: the same in every file. */
static enum fg_result content_hash(struct fg_capture_writer *writer,
                                   const struct fg_cap_topology *topology, uint64_t *out_hash)
{
    fgi_bytes_clear(&writer->spelled);
    struct fgi_codec codec = {
        .mode = FGI_CODEC_ENCODE,
        .out = &writer->spelled,
        .spell_out = &writer->strings,
    };
    fgi_fields_topology_body(&codec, (void *)topology);
    *out_hash = fgi_hash64(0, writer->spelled.data, writer->spelled.size);
    return writer->spelled.result;
}

enum fg_result fg_capture_writer_topology(struct fg_capture_writer *writer,
                                          const struct fg_cap_topology *topology, uint32_t *out_id)
{
    struct fgi_frame_outcome outcome;
    if (topology == NULL || out_id == NULL || !fgi_topology_check(topology, &outcome)) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_cap_topology stated = *topology;
    enum fg_result result = fgi_writer_begin(writer);
    if (result == FG_OK) {
        result = content_hash(writer, topology, &stated.hash);
    }
    if (result != FG_OK) {
        return result;
    }
    bool known = fgi_map64_get(&writer->topology_ids, stated.hash, &stated.id);
    struct fgi_kept_topology *kept = known ? fgi_writer_topology(writer, stated.id) : NULL;
    if (kept == NULL) {
        stated.id = known ? stated.id : writer->next_topology;
        result = make_room(writer, &kept);
        result = result == FG_OK ? keep(writer, kept, &stated) : result;
        if (result == FG_OK && !known) {
            result = fgi_map64_put(&writer->topology_ids, stated.hash, stated.id);
        }
        if (result != FG_OK) {
            if (kept != NULL) {
                drop_topology(writer, kept);
                kept->id = FG_CAP_NONE;
            }
            return result;
        }
        writer->next_topology += known ? 0 : 1;
        kept->id = stated.id;
        kept->hash = stated.hash;
    }
    kept->last_use = ++writer->use_count;
    kept->used_section = writer->section;
    result = fgi_writer_state_topology(writer, kept);
    if (result == FG_OK) {
        *out_id = stated.id;
    }
    return result;
}
