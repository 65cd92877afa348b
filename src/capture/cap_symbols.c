/* SPDX-License-Identifier: MIT */
/* Symbols and stacks: stated just before their first user in each section. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

enum fg_result fgi_ids_add(const struct fg_allocator *allocator, struct fgi_ids *ids, uint32_t id)
{
    if (ids->count == ids->capacity) {
        enum fg_result result =
            FGI_GROW(allocator, ids->items, ids->capacity, ids->count + 1, UINT32_MAX);
        if (result != FG_OK) {
            return result;
        }
    }
    ids->items[ids->count++] = id;
    return FG_OK;
}

void fgi_ids_finish(const struct fg_allocator *allocator, struct fgi_ids *ids)
{
    fgi_free(allocator, ids->items, ids->capacity * sizeof *ids->items);
    *ids = (struct fgi_ids){ 0 };
}

enum fg_result fg_capture_writer_symbol(struct fg_capture_writer *writer, const char *text,
                                        size_t size, uint32_t *out_symbol)
{
    if (writer == NULL || out_symbol == NULL || (text == NULL && size != 0)) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result =
        fgi_strings_add(&writer->strings, text != NULL ? text : "", size, out_symbol);
    if (result != FG_OK) {
        return result;
    }
    size_t before = writer->symbol_capacity;
    result = FGI_GROW(writer->allocator, writer->symbol_sections, writer->symbol_capacity,
                      (size_t)*out_symbol + 1, UINT32_MAX);
    for (size_t i = before; i < writer->symbol_capacity; i++) {
        writer->symbol_sections[i] = 0;
    }
    return result;
}

static void fail_ref(struct fg_capture_writer *writer, enum fg_result result)
{
    if (writer->ref_result == FG_OK) {
        writer->ref_result = result;
    }
}

static void note_symbol(struct fg_capture_writer *writer, uint32_t symbol)
{
    if (symbol >= fgi_strings_count(&writer->strings) || symbol >= writer->symbol_capacity) {
        fail_ref(writer, FG_ERR_ARGUMENT);
        return;
    }
    enum fg_result result = fgi_ids_add(writer->allocator, &writer->seen_symbols, symbol);
    if (result == FG_OK && writer->symbol_sections[symbol] != writer->section) {
        result = fgi_ids_add(writer->allocator, &writer->pending_symbols, symbol);
        if (result == FG_OK) {
            writer->symbol_sections[symbol] = writer->section;
        }
    }
    if (result != FG_OK) {
        fail_ref(writer, result);
    }
}

/* The stack and those below it, callers first. */
static void note_stack(struct fg_capture_writer *writer, uint32_t id)
{
    size_t first = writer->pending_stacks.count;
    uint32_t index;
    while (id != FG_CAP_NONE) {
        if (!fgi_map64_get(&writer->stack_index, id, &index)) {
            fail_ref(writer, FG_ERR_ARGUMENT);
            return;
        }
        struct fgi_kept_stack *kept = &writer->stacks[index];
        if (kept->section == writer->section) {
            break;
        }
        if (fgi_ids_add(writer->allocator, &writer->pending_stacks, index) != FG_OK) {
            fail_ref(writer, FG_ERR_NO_MEMORY);
            return;
        }
        kept->section = writer->section;
        id = kept->stack.parent;
    }
    uint32_t *items = writer->pending_stacks.items;
    for (size_t i = first, j = writer->pending_stacks.count; i + 1 < j; i++, j--) {
        uint32_t swap = items[i];
        items[i] = items[j - 1];
        items[j - 1] = swap;
    }
}

static void note_definition(struct fg_capture_writer *writer, uint32_t type, uint32_t id)
{
    /* Definitions are restated as a whole at the beginning of a section: known means stated. */
    if (fgi_writer_find(writer, type, id) == NULL) {
        fail_ref(writer, FG_ERR_ARGUMENT);
    }
}

void fgi_writer_note_ref(void *context, enum fgi_codec_ref kind, uint32_t id)
{
    struct fg_capture_writer *writer = context;
    switch (kind) {
    case FGI_REF_SYMBOL:
        note_symbol(writer, id);
        break;
    case FGI_REF_STACK:
        note_stack(writer, id);
        break;
    case FGI_REF_TRACK:
        note_definition(writer, FG_CAPTURE_TRAK, id);
        break;
    case FGI_REF_CLOCK:
        note_definition(writer, FG_CAPTURE_CLKS, id);
        break;
    case FGI_REF_PROCESS:
        note_definition(writer, FG_CAPTURE_PROC, id);
        break;
    case FGI_REF_METRIC:
        note_definition(writer, FG_CAPTURE_MDEF, id);
        break;
    case FGI_REF_COUNT:
        break;
    }
}

enum fg_result fgi_writer_encode_pending(struct fg_capture_writer *writer)
{
    /* Stacks first: they bring symbols of their own. */
    if (writer->pending_stacks.count != 0) {
        fgi_bytes_clear(&writer->stacks_body);
        struct fgi_codec codec = fgi_writer_codec(writer, &writer->stacks_body);
        fgi_put_varint(codec.out, writer->pending_stacks.count);
        for (size_t i = 0; i < writer->pending_stacks.count; i++) {
            fgi_fields_stack(&codec, &writer->stacks[writer->pending_stacks.items[i]].stack);
        }
        if (writer->ref_result != FG_OK || writer->stacks_body.result != FG_OK) {
            return writer->ref_result != FG_OK ? writer->ref_result : writer->stacks_body.result;
        }
    }
    if (writer->pending_symbols.count == 0) {
        return FG_OK;
    }
    fgi_bytes_clear(&writer->symbols_body);
    fgi_put_varint(&writer->symbols_body, writer->pending_symbols.count);
    for (size_t i = 0; i < writer->pending_symbols.count; i++) {
        uint32_t symbol = writer->pending_symbols.items[i];
        size_t size;
        const char *text = fgi_strings_get(&writer->strings, symbol, &size);
        fgi_put_varint(&writer->symbols_body, symbol);
        fgi_put_text(&writer->symbols_body, text, size);
    }
    return writer->symbols_body.result;
}

void fgi_writer_end_pending(struct fg_capture_writer *writer, bool stated)
{
    for (size_t i = 0; i < writer->pending_symbols.count && !stated; i++) {
        writer->symbol_sections[writer->pending_symbols.items[i]] = 0;
    }
    for (size_t i = 0; i < writer->pending_stacks.count && !stated; i++) {
        writer->stacks[writer->pending_stacks.items[i]].section = 0;
    }
    writer->pending_symbols.count = 0;
    writer->pending_stacks.count = 0;
    writer->ref_result = FG_OK;
}

static enum fg_result keep_stack(struct fg_capture_writer *writer, const struct fg_cap_stack *stack)
{
    uint32_t index;
    if (stack->id == FG_CAP_NONE || fgi_map64_get(&writer->stack_index, stack->id, &index) ||
        (stack->parent != FG_CAP_NONE &&
         !fgi_map64_get(&writer->stack_index, stack->parent, &index))) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = FGI_GROW(writer->allocator, writer->stacks, writer->stack_capacity,
                                     writer->stack_count + 1, UINT32_MAX - 1);
    if (result == FG_OK) {
        result = fgi_map64_put(&writer->stack_index, stack->id, (uint32_t)writer->stack_count);
    }
    if (result == FG_OK) {
        writer->stacks[writer->stack_count++] = (struct fgi_kept_stack){ .stack = *stack };
    }
    return result;
}

enum fg_result fg_capture_writer_stacks(struct fg_capture_writer *writer,
                                        const struct fg_cap_stacks *stacks)
{
    if (stacks == NULL) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    for (size_t i = 0; i < stacks->stack_count && result == FG_OK; i++) {
        result = keep_stack(writer, &stacks->stacks[i]);
    }
    return result;
}
