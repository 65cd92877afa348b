/* SPDX-License-Identifier: MIT */
/*
 * Texts, ids, and the threads and processes that they name. An id is compared as text: 5 and "5"
 * are one track. Most texts are those of a moment before, so that small caches stand in front of
 * the tables.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"
#include "trace/span_words.h"

#include <stdio.h>
#include <string.h>

bool fgi_chrome_room(struct fgi_chrome *c, void **items, size_t *capacity, size_t item_size,
                     size_t count)
{
    if (count == *capacity && fgi_builder_result(c->builder) == FG_OK) {
        fgi_builder_fail(c->builder,
                         fgi_grow(c->allocator, items, capacity, item_size, count + 1, FGI_FIND));
    }
    return fgi_builder_result(c->builder) == FG_OK;
}

void fgi_chrome_repair_at(struct fgi_chrome *c, const char *kind, uint64_t count, uint64_t offset)
{
    if (count > 0) {
        fgi_builder_repair(c->builder, kind, count, offset);
    }
}

void fgi_chrome_repair(struct fgi_chrome *c, const char *kind)
{
    fgi_builder_repair(c->builder, kind, 1, c->event.offset);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Undo escapes into c->text. */
static bool unescape(struct fgi_chrome *c, const char *text, size_t size)
{
    struct fgi_json_bad bad = { 0 };
    fgi_bytes_clear(&c->text);
    if (size > SIZE_MAX / 3 || !fgi_bytes_reserve(&c->text, 3 * size + 1)) {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        return false;
    }
    c->text.size = fgi_json_unescape(text, size, (char *)c->text.data, &bad);
    fgi_chrome_repair_at(c, "bad_escape", bad.escapes, c->event.offset);
    fgi_chrome_repair_at(c, "null_character", bad.nulls, c->event.offset);
    return true;
}

static uint32_t add_text(struct fgi_chrome *c, const char *text, size_t size, uint8_t flags)
{
    if ((flags & (FGI_JSON_ESCAPED | FGI_JSON_CONTROL)) != 0) {
        if (!unescape(c, text, size)) {
            return 0;
        }
        text = (const char *)c->text.data;
        size = c->text.size;
    }
    if ((flags & (FGI_JSON_HIGH | FGI_JSON_ESCAPED)) != 0 && !fgi_utf8_valid(text, size)) {
        fgi_chrome_repair(c, "broken_utf8");
    }
    if (flags & FGI_JSON_CUT) {
        fgi_chrome_repair(c, "long_text");
    }
    return fgi_builder_text(c->builder, text, size);
}

/* A print of a text that is mostly different for different texts, from at most 24 bytes of it. */
static inline uint64_t print_of(const char *text, size_t size)
{
    uint64_t first = 0, middle = 0, last = 0;
    if (size >= 8) {
        memcpy(&first, text, 8);
        memcpy(&middle, text + size / 2 - 4, 8);
        memcpy(&last, text + size - 8, 8);
    } else {
        memcpy(&first, text, size);
    }
    uint64_t print = (first ^ size) * UINT64_C(0x9E3779B97F4A7C15);
    print = (print ^ middle ^ print >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return (print ^ last ^ print >> 32) * UINT64_C(0x94D049BB133111EB);
}

uint32_t fgi_chrome_text(struct fgi_chrome *c, const char *text, size_t size, uint8_t flags)
{
    if (flags != 0 || size == 0 || size >= UINT32_MAX) {
        return add_text(c, text, size, flags);
    }
    uint64_t print = print_of(text, size);
    struct fgi_chrome_known *known = &c->text_cache[(print >> 52) % FGI_CHROME_TEXT_CACHE & ~1u];
    for (unsigned i = 0; i < 2; i++) {
        if (known[i].print == print && known[i].size == size + 1 &&
            memcmp(known[i].text, text, size) == 0) {
            return known[i].id;
        }
    }
    uint32_t id = fgi_builder_text(c->builder, text, size);
    known[1] = known[0];
    known[0] = (struct fgi_chrome_known){
        .print = print,
        .text = fg_trace_text(fgi_builder_trace(c->builder), id),
        .id = id,
        .size = (uint32_t)size + 1,
    };
    return id;
}

/* ---- ids ------------------------------------------------------------------------------------- */

static uint32_t add_id(struct fgi_chrome *c, const char *text, size_t size)
{
    uint32_t id = FG_NONE;
    enum fg_result result = fgi_strings_add(&c->ids, text, size, &id);
    fgi_builder_fail(c->builder, result);
    return result == FG_OK ? id : FG_NONE;
}

uint32_t fgi_chrome_id(struct fgi_chrome *c, const char *text, size_t size, uint8_t flags)
{
    if (flags & (FGI_JSON_ESCAPED | FGI_JSON_CONTROL)) {
        return unescape(c, text, size) ? add_id(c, (const char *)c->text.data, c->text.size)
                                       : FG_NONE;
    }
    if (size > 15) {
        return add_id(c, text, size);
    }
    uint64_t packed[2];
    char bytes[16] = { [15] = (char)size };
    memcpy(bytes, text, size);
    memcpy(packed, bytes, sizeof packed);
    uint64_t mixed = (packed[0] ^ packed[1] << 29) * UINT64_C(0x9E3779B97F4A7C15) ^ packed[1];
    uint32_t slot = (uint32_t)(mixed * UINT64_C(0x9E3779B97F4A7C15) >> 52) % FGI_CHROME_ID_CACHE;
    if (c->id_cache[slot].packed[0] != packed[0] || c->id_cache[slot].packed[1] != packed[1]) {
        uint32_t id = add_id(c, text, size);
        if (id == FG_NONE) {
            return FG_NONE;
        }
        c->id_cache[slot].packed[0] = packed[0];
        c->id_cache[slot].packed[1] = packed[1];
        c->id_cache[slot].id = id;
    }
    return c->id_cache[slot].id;
}

const char *fgi_chrome_id_text(const struct fgi_chrome *c, uint32_t id)
{
    return id == FG_NONE ? "" : fgi_strings_get(&c->ids, id, NULL);
}

uint32_t fgi_chrome_pair(struct fgi_chrome *c, enum fgi_chrome_space space, uint32_t a, uint32_t b,
                         bool *out_is_new)
{
    struct fgi_map64 *map = &c->pairs[space];
    uint64_t key = (uint64_t)a << 32 | b;
    uint32_t index = FG_NONE;
    bool is_new = !fgi_map64_get(map, key, &index);
    if (is_new) {
        index = (uint32_t)map->count;
        enum fg_result result =
            map->count < FGI_FIND ? fgi_map64_put(map, key, index) : FG_ERR_LIMIT;
        fgi_builder_fail(c->builder, result);
        index = result == FG_OK ? index : FG_NONE;
    }
    if (out_is_new != NULL) {
        *out_is_new = is_new && index != FG_NONE;
    }
    return index;
}

/* ---- threads and processes ------------------------------------------------------------------- */

uint32_t fgi_chrome_process(struct fgi_chrome *c, uint32_t pid)
{
    uint32_t index = FG_NONE;
    if (fgi_map64_get(&c->process_of, pid, &index)) {
        return index;
    }
    index = (uint32_t)c->processes.count;
    if (!FGI_CHROME_PUSH(c, c->processes,
                         (struct fgi_chrome_process){ .pid = pid, .index = FG_NONE })) {
        return FG_NONE;
    }
    enum fg_result result = fgi_map64_put(&c->process_of, pid, index);
    fgi_builder_fail(c->builder, result);
    return result == FG_OK ? index : FG_NONE;
}

uint32_t fgi_chrome_thread(struct fgi_chrome *c, uint32_t pid, uint32_t tid)
{
    struct fgi_chrome_recent *recent =
        &c->recent_threads[(pid * 31u + tid) % FGI_CHROME_RECENT_THREADS];
    if (recent->is_known && recent->pid == pid && recent->tid == tid) {
        return recent->thread;
    }
    bool is_new = false;
    uint32_t index = fgi_chrome_pair(c, FGI_PAIR_THREAD, pid, tid, &is_new);
    if (is_new) {
        uint32_t process = fgi_chrome_process(c, pid);
        struct fgi_chrome_thread thread = {
            .pid = pid, .tid = tid, .process = process, .track = FG_NONE
        };
        if (process == FG_NONE || !FGI_CHROME_PUSH(c, c->threads, thread)) {
            return FG_NONE;
        }
    }
    if (index != FG_NONE) {
        *recent =
            (struct fgi_chrome_recent){ .pid = pid, .tid = tid, .thread = index, .is_known = true };
    }
    return index;
}

/* An id as a number, where it is one that the model holds: names have the text of all others. */
static int64_t number_of(const struct fgi_chrome *c, uint32_t id, int64_t otherwise)
{
    struct fgi_decimal decimal;
    const char *text = fgi_chrome_id_text(c, id);
    if (!fgi_decimal_read(text, strlen(text), 0, &decimal) || !decimal.is_integer) {
        return otherwise;
    }
    if (decimal.whole > (uint64_t)INT64_MAX) {
        return otherwise;
    }
    int64_t number = decimal.is_negative ? -(int64_t)decimal.whole : (int64_t)decimal.whole;
    return fgi_is_given_id(number) ? number : otherwise;
}

uint32_t fgi_chrome_builder_process(struct fgi_chrome *c, uint32_t process)
{
    if (process == FG_NONE) {
        return FG_NONE;
    }
    struct fgi_chrome_process *p = &c->processes.items[process];
    if (p->index == FG_NONE) {
        p->index = fgi_builder_process(c->builder, 0, number_of(c, p->pid, fgi_made_id(process)));
    }
    return p->index;
}

uint32_t fgi_chrome_track(struct fgi_chrome *c, uint32_t thread)
{
    if (thread == FG_NONE) {
        return FG_NONE;
    }
    struct fgi_chrome_thread *t = &c->threads.items[thread];
    if (t->track == FG_NONE) {
        const struct fg_trace_track track = {
            .process = fgi_chrome_builder_process(c, t->process),
            .kind = FG_TRACK_THREAD,
            .clock = c->clock,
            .id = number_of(c, t->tid, fgi_made_id(thread)),
        };
        t->track = fgi_builder_track(c->builder, &track, false);
    }
    return t->track;
}

/* "thread 5", "stream 7" (as the file calls it), "GPU stream 7". */
static uint32_t thread_name(struct fgi_chrome *c, const struct fgi_chrome_thread *t, bool is_gpu)
{
    char name[300];
    struct fgi_decimal decimal;
    const char *tid = fgi_chrome_id_text(c, t->tid);
    if (t->name != 0) {
        return t->name;
    }
    bool is_number = fgi_decimal_read(tid, strlen(tid), 0, &decimal);
    const char *before = !is_number ? "" : is_gpu ? "stream " : "thread ";
    (void)snprintf(name, sizeof name, "%s%s", before, t->tid == FG_NONE ? "no thread" : tid);
    return fgi_builder_cstr(c->builder, name);
}

static uint32_t process_name(struct fgi_chrome *c, const struct fgi_chrome_process *p)
{
    const char *pid = fgi_chrome_id_text(c, p->pid);
    if (p->name != 0 && p->labels != 0) {
        char name[600];
        const struct fg_trace *trace = fgi_builder_trace(c->builder);
        (void)snprintf(name, sizeof name, "%s (%s)", fg_trace_text(trace, p->name),
                       fg_trace_text(trace, p->labels));
        return fgi_builder_cstr(c->builder, name);
    }
    if (p->name != 0 || p->labels != 0) {
        return p->name != 0 ? p->name : p->labels;
    }
    struct fgi_decimal decimal;
    char name[300];
    if (fgi_is_given_id(number_of(c, p->pid, fgi_made_id(0)))) {
        return 0; /* "process 7" wherever it is shown */
    }
    bool is_number = fgi_decimal_read(pid, strlen(pid), 0, &decimal);
    (void)snprintf(name, sizeof name, "%s%s", is_number ? "process " : "",
                   pid[0] == '\0' ? "no process" : pid);
    return fgi_builder_cstr(c->builder, name);
}

void fgi_chrome_name_tracks(struct fgi_chrome *c)
{
    struct fg_trace *trace = fgi_builder_trace(c->builder);
    for (size_t i = 0; i < c->processes.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_process *p = &c->processes.items[i];
        if (p->index != FG_NONE) {
            trace->processes.items[p->index].name = process_name(c, p);
        }
    }
    for (size_t i = 0; i < c->threads.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_thread *t = &c->threads.items[i];
        if (t->track == FG_NONE) {
            continue;
        }
        bool is_gpu = t->is_gpu || c->processes.items[t->process].is_gpu;
        uint32_t name = thread_name(c, t, is_gpu);
        trace->tracks.items[t->track].name = name;
        trace->tracks.items[t->track].kind = is_gpu ? FG_TRACK_GPU_QUEUE : FG_TRACK_THREAD;
    }
}
