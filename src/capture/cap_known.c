/* SPDX-License-Identifier: MIT */
/* What the records read so far have defined. */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"

#include <string.h>

static uint64_t id_key(enum fgi_codec_ref kind, uint32_t id)
{
    return (uint64_t)kind << 32 | id;
}

bool fgi_known_id(const struct fg_capture *capture, enum fgi_codec_ref kind, uint32_t id)
{
    uint32_t pass;
    return fgi_map64_get(&capture->ids, id_key(kind, id), &pass) && pass == capture->pass;
}

enum fg_result fgi_known_add_id(struct fg_capture *capture, enum fgi_codec_ref kind, uint32_t id)
{
    return fgi_map64_put(&capture->ids, id_key(kind, id), capture->pass);
}

void fgi_known_ref(void *context, enum fgi_codec_ref kind, uint32_t id)
{
    struct fg_capture *capture = context;
    bool known;
    if (kind == FGI_REF_SYMBOL) {
        uint32_t index;
        known = fgi_map64_get(&capture->symbol_index, id, &index) &&
                capture->symbols[index].pass == capture->pass;
    } else {
        known = fgi_known_id(capture, kind, id);
    }
    if (!known && !capture->missing.any[kind]) {
        capture->missing.any[kind] = true;
        capture->missing.id[kind] = id;
    }
}

static enum fg_result add_symbol(struct fg_capture *capture, const struct fg_cap_symbol *symbol)
{
    enum fg_result result = FGI_GROW(capture->allocator, capture->symbols, capture->symbol_capacity,
                                     capture->symbol_count + 1, UINT32_MAX - 1);
    if (result != FG_OK) {
        return result;
    }
    const char *text = fgi_arena_text(&capture->lasting, symbol->text.data, symbol->text.size);
    if (text == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    result = fgi_map64_put(&capture->symbol_index, symbol->id, (uint32_t)capture->symbol_count);
    if (result == FG_OK) {
        capture->symbols[capture->symbol_count++] = (struct fgi_known_symbol){
            .text = text,
            .size = symbol->text.size,
            .pass = capture->pass,
        };
    }
    return result;
}

/* Symbols are numbered from 1 on, so that a list by number will do; 0 is always known. */
enum { SYMBOL_PASSES_MAX = 1 << 24 };

static enum fg_result note_symbol_pass(struct fg_capture *capture, uint32_t symbol)
{
    size_t before = capture->symbol_pass_capacity;
    if (symbol >= SYMBOL_PASSES_MAX) {
        return FG_OK;
    }
    enum fg_result result =
        FGI_GROW(capture->allocator, capture->symbol_passes, capture->symbol_pass_capacity,
                 (size_t)symbol + 1, SYMBOL_PASSES_MAX);
    for (size_t i = before; i < capture->symbol_pass_capacity; i++) {
        capture->symbol_passes[i] = 0;
    }
    if (result == FG_OK) {
        capture->symbol_passes[symbol] = capture->pass;
        capture->symbol_passes[0] = capture->pass;
    }
    return result;
}

enum fg_result fgi_known_add_symbols(struct fg_capture *capture,
                                     const struct fg_cap_symbols *symbols, bool *out_changed,
                                     uint32_t *out_changed_id)
{
    *out_changed = false;
    for (size_t i = 0; i < symbols->symbol_count; i++) {
        const struct fg_cap_symbol *symbol = &symbols->symbols[i];
        uint32_t index;
        if (symbol->id == 0) {
            continue;
        }
        enum fg_result result = note_symbol_pass(capture, symbol->id);
        if (result != FG_OK) {
            return result;
        }
        if (!fgi_map64_get(&capture->symbol_index, symbol->id, &index)) {
            result = add_symbol(capture, symbol);
            if (result != FG_OK) {
                return result;
            }
            continue;
        }
        struct fgi_known_symbol *known = &capture->symbols[index];
        known->pass = capture->pass;
        if (!*out_changed && (known->size != symbol->text.size ||
                              memcmp(known->text, symbol->text.data, known->size) != 0)) {
            *out_changed = true;
            *out_changed_id = symbol->id;
        }
    }
    return FG_OK;
}

const char *fg_capture_symbol(const struct fg_capture *capture, uint32_t symbol, size_t *out_size)
{
    uint32_t index;
    bool known =
        capture != NULL && symbol != 0 && fgi_map64_get(&capture->symbol_index, symbol, &index);
    if (out_size != NULL) {
        *out_size = known ? capture->symbols[index].size : 0;
    }
    return known ? capture->symbols[index].text : "";
}

/* ---- Topologies and templates ---------------------------------------------------------------- */

bool fgi_known_topology_at(const struct fg_capture *capture, uint32_t id, uint32_t *out_index)
{
    return fgi_map64_get(&capture->topology_index, id, out_index) &&
           capture->topologies[*out_index].pass == capture->pass;
}

const struct fg_cap_topology *fgi_known_topology(void *capture, uint32_t id)
{
    struct fg_capture *self = capture;
    uint32_t index;
    return fgi_known_topology_at(self, id, &index) ? self->topologies[index].topology : NULL;
}

const struct fg_cap_topology *fg_capture_topology(const struct fg_capture *capture, uint32_t id)
{
    uint32_t index;
    if (capture == NULL || !fgi_map64_get(&capture->topology_index, id, &index)) {
        return NULL;
    }
    return capture->topologies[index].topology;
}

const struct fgi_template *fgi_known_template(void *capture, uint32_t id)
{
    struct fg_capture *self = capture;
    uint32_t index;
    return fgi_map64_get(&self->template_index, id, &index) ? &self->templates[index].shapes : NULL;
}

static uint64_t content_hash(const struct fg_capture *capture, uint32_t length)
{
    return fgi_hash64(length, capture->payload, length);
}

static struct fgi_codec decoder(struct fg_capture *capture, struct fgi_arena *arena,
                                uint32_t length)
{
    return (struct fgi_codec){
        .mode = FGI_CODEC_DECODE,
        .in = fgi_reader_make(capture->payload, length),
        .arena = arena,
    };
}

enum fg_result fgi_known_add_topology(struct fg_capture *capture, uint32_t id, uint32_t length)
{
    uint32_t index;
    if (fgi_map64_get(&capture->topology_index, id, &index)) {
        capture->topologies[index].pass = capture->pass;
        return FG_OK;
    }
    struct fgi_codec codec = decoder(capture, &capture->lasting, length);
    struct fgi_known_topology known = { .content_hash = content_hash(capture, length),
                                        .pass = capture->pass };
    known.topology = fgi_arena_alloc(&capture->lasting, 1, sizeof *known.topology);
    if (known.topology == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_fields_topology(&codec, known.topology);
    enum fg_result result = fgi_c_result(&codec);
    if (result == FG_OK) {
        result = FGI_GROW(capture->allocator, capture->topologies, capture->topology_capacity,
                          capture->topology_count + 1, UINT32_MAX - 1);
    }
    if (result == FG_OK) {
        result = fgi_map64_put(&capture->topology_index, id, (uint32_t)capture->topology_count);
    }
    if (result == FG_OK) {
        capture->topologies[capture->topology_count++] = known;
    }
    return result;
}

enum fg_result fgi_known_add_template(struct fg_capture *capture, uint32_t id, uint32_t length)
{
    uint32_t index;
    if (fgi_map64_get(&capture->template_index, id, &index)) {
        return FG_OK;
    }
    struct fgi_codec codec = decoder(capture, &capture->template_arena, length);
    struct fgi_known_template known = { .content_hash = content_hash(capture, length) };
    fgi_fields_template(&codec, &known.shapes);
    enum fg_result result = fgi_c_result(&codec);
    if (result == FG_OK) {
        result = FGI_GROW(capture->allocator, capture->templates, capture->template_capacity,
                          capture->template_count + 1, UINT32_MAX - 1);
    }
    if (result == FG_OK) {
        result = fgi_map64_put(&capture->template_index, id, (uint32_t)capture->template_count);
    }
    if (result == FG_OK) {
        capture->templates[capture->template_count++] = known;
    }
    return result;
}

enum fg_result fgi_known_same_topology(const struct fg_capture *capture, uint32_t id,
                                       uint32_t length, bool *out_known)
{
    uint32_t index;
    *out_known = fgi_known_topology_at(capture, id, &index);
    bool same =
        !*out_known || capture->topologies[index].content_hash == content_hash(capture, length);
    return same ? FG_OK : FG_ERR_CORRUPT;
}

enum fg_result fgi_known_same_template(const struct fg_capture *capture, uint32_t id,
                                       uint32_t length, bool *out_known)
{
    uint32_t index;
    *out_known = fgi_map64_get(&capture->template_index, id, &index);
    bool same =
        !*out_known || capture->templates[index].content_hash == content_hash(capture, length);
    return same ? FG_OK : FG_ERR_CORRUPT;
}

void fgi_known_forget_templates(struct fg_capture *capture)
{
    fgi_map64_finish(&capture->template_index);
    capture->template_count = 0;
    fgi_arena_reset(&capture->template_arena);
    capture->known_from = capture->known_to = 0;
}

void fgi_known_begin_pass(struct fg_capture *capture)
{
    capture->pass++;
    fgi_known_forget_templates(capture);
    fgi_map64_finish(&capture->frame_passes);
}

void fgi_known_finish(struct fg_capture *capture)
{
    fgi_map64_finish(&capture->symbol_index);
    fgi_map64_finish(&capture->ids);
    fgi_map64_finish(&capture->topology_index);
    fgi_map64_finish(&capture->template_index);
    fgi_map64_finish(&capture->frame_passes);
    fgi_free(capture->allocator, capture->symbol_passes,
             capture->symbol_pass_capacity * sizeof *capture->symbol_passes);
    fgi_free(capture->allocator, capture->symbols,
             capture->symbol_capacity * sizeof *capture->symbols);
    fgi_free(capture->allocator, capture->topologies,
             capture->topology_capacity * sizeof *capture->topologies);
    fgi_free(capture->allocator, capture->templates,
             capture->template_capacity * sizeof *capture->templates);
    fgi_arena_finish(&capture->template_arena);
    fgi_arena_finish(&capture->lasting);
}
