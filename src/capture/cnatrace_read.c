/* SPDX-License-Identifier: MIT */
/*
 * Read a CNATRACE file, version 1. All numbers are little-endian.
 *
 *     0   "CNATRACE"                   32  for each name: u32 id, u32 size, the text
 *     8   u16 version                      for each event, 72 bytes:
 *     10  u16 reserved                     u64 sequence, time_ns, duration_ns, frame, thread,
 *     12  u32 names                        correlation, parent; i64 value; u32 name; u8 kind;
 *     16  u64 events                       u8 category; u16 reserved
 *     24  u64 dropped events
 *
 * Refused as a whole: what is cut short or goes on after its end, is over a limit, has a kind or
 * category out of range, or the same id twice (its events would name one of two things). Accepted:
 * reserved fields that are not zero (they are not kept), events whose name is not there (its text
 * is empty), any order of ids and events, and names that are no UTF-8 (they are repaired).
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/result.h"
#include "capture/cnatrace.h"

#include <string.h>

struct counts {
    uint32_t names;
    uint64_t events, dropped;
};

/* What a file can hold at most. */
#define FILE_BYTES_MAX                                                                             \
    (FGI_CNATRACE_HEADER_BYTES + (size_t)FG_CNATRACE_NAMES_MAX * FGI_CNATRACE_NAME_BYTES +         \
     FG_CNATRACE_TEXT_BYTES_MAX + (size_t)FG_CNATRACE_EVENTS_MAX * FGI_CNATRACE_EVENT_BYTES)

static enum fg_result cut_short(struct fg_diag *diag, uint64_t offset, const char *what)
{
    return fgi_fail(diag, FG_ERR_CORRUPT, offset, "the file ends within its %s", what);
}

static enum fg_result read_header(const uint8_t *header, size_t size, struct counts *out_counts,
                                  struct fg_diag *diag)
{
    const size_t magic = sizeof FGI_CNATRACE_MAGIC - 1;
    if (size < magic || memcmp(header, FGI_CNATRACE_MAGIC, magic) != 0) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0, "expected the 8 bytes " FGI_CNATRACE_MAGIC);
    }
    if (size < FGI_CNATRACE_HEADER_BYTES) {
        return cut_short(diag, size, "header");
    }
    const unsigned version = fgi_load_u16(header + 8);
    if (version != FGI_CNATRACE_VERSION) {
        return fgi_fail(diag, FG_ERR_VERSION, 8, "version %u, and only version 1 is known",
                        version);
    }
    *out_counts = (struct counts){
        .names = fgi_load_u32(header + 12),
        .events = fgi_load_u64(header + 16),
        .dropped = fgi_load_u64(header + 24),
    };
    if (out_counts->names > FG_CNATRACE_NAMES_MAX) {
        return fgi_fail(diag, FG_ERR_LIMIT, 12, "%u names, more than the %u there can be",
                        (unsigned)out_counts->names, (unsigned)FG_CNATRACE_NAMES_MAX);
    }
    if (out_counts->events > FG_CNATRACE_EVENTS_MAX) {
        return fgi_fail(diag, FG_ERR_LIMIT, 16, "%llu events, more than the %u there can be",
                        (unsigned long long)out_counts->events, (unsigned)FG_CNATRACE_EVENTS_MAX);
    }
    return FG_OK;
}

static enum fg_result read_names(struct fgi_reader *reader, uint32_t count,
                                 struct fg_cnatrace *trace, struct fg_diag *diag)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t offset = reader->position;
        const uint32_t id = fgi_get_u32(reader);
        const uint32_t size = fgi_get_u32(reader);
        total += size;
        if (!reader->failed &&
            (size > FG_CNATRACE_NAME_BYTES_MAX || total > FG_CNATRACE_TEXT_BYTES_MAX)) {
            return fgi_fail(diag, FG_ERR_LIMIT, offset,
                            "name %u of %u bytes is too long, or all "
                            "of them together",
                            (unsigned)id, (unsigned)size);
        }
        const uint8_t *text = fgi_get_raw(reader, size);
        if (text == NULL && reader->failed) {
            return cut_short(diag, offset, "names");
        }
        enum fg_result result = fgi_cnatrace_add_name(trace, id, (const char *)text, size);
        if (result == FG_ERR_ARGUMENT) {
            return fgi_fail(diag, FG_ERR_CORRUPT, offset, "name %u is there twice", (unsigned)id);
        }
        if (result != FG_OK) {
            return fgi_fail(diag, result, offset, "name %u: %s", (unsigned)id,
                            fg_result_text(result));
        }
    }
    return FG_OK;
}

static struct fg_process_event load_event(const uint8_t *bytes)
{
    return (struct fg_process_event){
        .sequence = fgi_load_u64(bytes),
        .time_ns = fgi_load_u64(bytes + 8),
        .duration_ns = fgi_load_u64(bytes + 16),
        .frame = fgi_load_u64(bytes + 24),
        .thread = fgi_load_u64(bytes + 32),
        .correlation = fgi_load_u64(bytes + 40),
        .parent = fgi_load_u64(bytes + 48),
        .value = (int64_t)fgi_load_u64(bytes + 56),
        .name = fgi_load_u32(bytes + 64),
        .kind = bytes[68],
        .category = bytes[69],
    };
}

static enum fg_result read_events(struct fgi_reader *reader, size_t count,
                                  struct fg_process_event *events, struct fg_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        const size_t offset = reader->position;
        const uint8_t *bytes = fgi_get_raw(reader, FGI_CNATRACE_EVENT_BYTES);
        if (bytes == NULL) {
            return cut_short(diag, offset, "events");
        }
        events[i] = load_event(bytes);
        if (events[i].kind > FG_PROCESS_EVENT_MALFORMED || events[i].category > FG_CATEGORY_GPU) {
            return fgi_fail(diag, FG_ERR_CORRUPT, offset + 68,
                            "kind %u and category %u: one of them there is not",
                            (unsigned)events[i].kind, (unsigned)events[i].category);
        }
    }
    if (fgi_reader_left(reader) != 0) {
        return fgi_fail(diag, FG_ERR_CORRUPT, reader->position,
                        "the file goes on after its last event");
    }
    return FG_OK;
}

static enum fg_result read_all(const uint8_t *bytes, size_t size,
                               const struct fg_allocator *allocator, struct fg_cnatrace **out_trace,
                               struct fg_diag *diag)
{
    struct counts counts;
    struct fg_cnatrace *trace = NULL;
    struct fg_process_event *events = NULL;
    enum fg_result result = read_header(bytes, size, &counts, diag);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_reader reader = fgi_reader_make(bytes, size);
    (void)fgi_get_raw(&reader, FGI_CNATRACE_HEADER_BYTES);
    /* Looked at before memory is spent on it. */
    if ((uint64_t)counts.names * FGI_CNATRACE_NAME_BYTES +
            counts.events * FGI_CNATRACE_EVENT_BYTES >
        fgi_reader_left(&reader)) {
        return cut_short(diag, size, "names or events");
    }
    const size_t event_count = (size_t)counts.events;
    result = fgi_cnatrace_make(allocator, counts.names, event_count, &trace, &events);
    if (result != FG_OK) {
        return result;
    }
    result = read_names(&reader, counts.names, trace, diag);
    if (result == FG_OK) {
        result = read_events(&reader, event_count, events, diag);
    }
    if (result == FG_OK) {
        result = fgi_cnatrace_finish(trace, 0, event_count, counts.dropped);
    }
    if (result != FG_OK) {
        fg_cnatrace_free(trace);
        return result;
    }
    *out_trace = trace;
    return FG_OK;
}

enum fg_result fg_cnatrace_read(const struct fg_source *source,
                                const struct fg_allocator *allocator,
                                struct fg_cnatrace **out_trace, struct fg_diag *diag)
{
    uint8_t header[FGI_CNATRACE_HEADER_BYTES];
    struct counts counts;
    uint64_t file_bytes = 0;
    size_t got = 0;
    if (source == NULL || out_trace == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (source->size(source->context, &file_bytes) != FG_OK ||
        source->read_at(source->context, 0, header, sizeof header, &got) != FG_OK) {
        return fgi_fail(diag, FG_ERR_IO, 0, "the input cannot be read");
    }
    enum fg_result result = read_header(header, got, &counts, diag);
    if (result != FG_OK) {
        return result;
    }
    if (file_bytes > FILE_BYTES_MAX) {
        return fgi_fail(diag, FG_ERR_CORRUPT, FILE_BYTES_MAX,
                        "the file is larger than such files can be");
    }
    const size_t size = (size_t)file_bytes;
    uint8_t *bytes = fgi_malloc(allocator, size);
    if (bytes == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    if (source->read_at(source->context, 0, bytes, size, &got) != FG_OK) {
        result = fgi_fail(diag, FG_ERR_IO, 0, "the input cannot be read");
    } else {
        result = read_all(bytes, got, allocator, out_trace, diag);
    }
    fgi_free(allocator, bytes, size);
    return result;
}
