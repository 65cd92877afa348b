/* SPDX-License-Identifier: MIT */
/* What frameglass.wasm exports: docs/PROTOCOL.md, section 8. */
#include "base/alloc.h"
#include "view/protocol.h"
#include "wasm/module.h"
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

/** Bytes of the embedder's source: how many were read, -1 on failure. Offsets are whole numbers. */
__attribute__((import_module("frameglass"), import_name("read_at"))) int32_t frameglass_read_at(
    int32_t source, double offset, void *into, int32_t bytes);

/** What an export makes; 0 stops it. */
__attribute__((import_module("frameglass"), import_name("write"))) int32_t frameglass_write(
    const void *from, int32_t bytes);

/** Steps of loading; `steps` is 0 while their number is not known. */
__attribute__((import_module("frameglass"), import_name("progress"))) void frameglass_progress(
    uint32_t trace, double done, double steps);

enum { SOURCES = 16, NAME_BYTES = 32 };

/* A source of the embedder's; slots are found by the trace that they became. */
struct slot {
    uint32_t trace;
    bool is_used;
    int32_t number;
    double size;
};

static struct fgi_module *module;
static struct fgi_bytes reply;
static struct slot slots[SOURCES];

int32_t EXPORT(fg_wasm_start)(void);
void *EXPORT(fg_wasm_alloc)(uint32_t bytes);
void EXPORT(fg_wasm_free)(void *block, uint32_t bytes);
uint32_t EXPORT(fg_wasm_open)(int32_t source, double size, const char *label, uint32_t label_bytes,
                              int32_t is_live);
int32_t EXPORT(fg_wasm_grow)(uint32_t trace, double size);
void EXPORT(fg_wasm_close)(uint32_t trace);
const void *EXPORT(fg_wasm_request)(const void *request, uint32_t bytes);
uint32_t EXPORT(fg_wasm_reply_bytes)(void);
int32_t EXPORT(fg_wasm_export)(uint32_t trace, const char *what, uint32_t what_bytes);
const char *EXPORT(fg_wasm_error)(void);

static enum fg_result slot_read_at(void *context, uint64_t offset, void *bytes, size_t size,
                                   size_t *out_read)
{
    const struct slot *slot = context;
    uint64_t end = (uint64_t)slot->size;
    *out_read = 0;
    if (offset >= end || size == 0) {
        return FG_OK;
    }
    uint64_t left = end - offset;
    size_t wanted = left < size ? (size_t)left : size;
    wanted = wanted > INT32_MAX ? INT32_MAX : wanted;
    int32_t got = frameglass_read_at(slot->number, (double)offset, bytes, (int32_t)wanted);
    if (got < 0 || (size_t)got > wanted) {
        return FG_ERR_IO;
    }
    *out_read = (size_t)got;
    return FG_OK;
}

static enum fg_result slot_size(void *context, uint64_t *out_size_bytes)
{
    const struct slot *slot = context;
    *out_size_bytes = (uint64_t)slot->size;
    return FG_OK;
}

static void tell_progress(uint32_t trace, uint64_t done, uint64_t all)
{
    frameglass_progress(trace, (double)done, (double)all);
}

int32_t fg_wasm_start(void)
{
    const struct fgi_module_options options = { .progress = tell_progress };
    reply.limit = FGI_MAX_REPLY_BYTES;
    return module != NULL ? FG_OK : (int32_t)fgi_module_create(&options, &module);
}

void *fg_wasm_alloc(uint32_t bytes)
{
    return fgi_malloc(NULL, bytes);
}

void fg_wasm_free(void *block, uint32_t bytes)
{
    fgi_free(NULL, block, bytes);
}

static bool is_size(double size)
{
    return size >= 0 && size <= 9007199254740992.0;
}

uint32_t fg_wasm_open(int32_t source, double size, const char *label, uint32_t label_bytes,
                      int32_t is_live)
{
    struct slot *slot = NULL;
    char name[256] = { 0 };
    for (size_t i = 0; i < SOURCES && slot == NULL; i++) {
        slot = slots[i].is_used ? NULL : &slots[i];
    }
    if (slot == NULL || !is_size(size)) {
        return 0;
    }
    memcpy(name, label, label_bytes < sizeof name ? label_bytes : sizeof name - 1);
    *slot = (struct slot){ .is_used = true, .number = source, .size = size };
    const struct fg_source of_slot = { .read_at = slot_read_at,
                                       .size = slot_size,
                                       .context = slot };
    slot->trace = fgi_module_open(module, &of_slot, name, is_live != 0);
    slot->is_used = slot->trace != 0;
    return slot->trace;
}

static struct slot *slot_of(uint32_t trace)
{
    for (size_t i = 0; i < SOURCES; i++) {
        if (slots[i].is_used && slots[i].trace == trace) {
            return &slots[i];
        }
    }
    return NULL;
}

int32_t fg_wasm_grow(uint32_t trace, double size)
{
    struct slot *slot = slot_of(trace);
    if (slot == NULL || !is_size(size) || size < slot->size) {
        return 0;
    }
    slot->size = size;
    return fgi_module_grow(module, trace);
}

void fg_wasm_close(uint32_t trace)
{
    struct slot *slot = slot_of(trace);
    fgi_module_close(module, trace);
    if (slot != NULL) {
        *slot = (struct slot){ 0 };
    }
}

const void *fg_wasm_request(const void *request, uint32_t bytes)
{
    fgi_bytes_clear(&reply);
    return fgi_module_answer(module, request, bytes, &reply) == FG_OK ? reply.data : NULL;
}

uint32_t fg_wasm_reply_bytes(void)
{
    return (uint32_t)reply.size;
}

static enum fg_result write_out(void *context, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    (void)context;
    while (size != 0) {
        int32_t some = size > INT32_MAX ? INT32_MAX : (int32_t)size;
        if (frameglass_write(at, some) == 0) {
            return FG_ERR_CANCELLED;
        }
        at += some;
        size -= (size_t)some;
    }
    return FG_OK;
}

int32_t fg_wasm_export(uint32_t trace, const char *what, uint32_t what_bytes)
{
    const struct fg_sink sink = { .write = write_out };
    char name[NAME_BYTES] = { 0 };
    memcpy(name, what, what_bytes < sizeof name ? what_bytes : sizeof name - 1);
    return fgi_module_export(module, trace, name, &sink);
}

const char *fg_wasm_error(void)
{
    return fgi_module_error(module);
}
