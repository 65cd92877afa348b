/* SPDX-License-Identifier: MIT */
/* Write a CNATRACE file, version 1; the layout is at the head of cnatrace_read.c. */
#include "base/bytes.h"
#include "capture/cnatrace.h"

#include <string.h>

/* Sinks may be a system call each. */
struct output {
    const struct fg_sink *sink;
    enum fg_result result;
    size_t size;
    uint8_t bytes[8192];
};

static void flush(struct output *output)
{
    if (output->result == FG_OK && output->size != 0) {
        output->result = output->sink->write(output->sink->context, output->bytes, output->size);
    }
    output->size = 0;
}

static void put(struct output *output, const void *bytes, size_t size)
{
    if (size > sizeof output->bytes - output->size) {
        flush(output);
    }
    if (size <= sizeof output->bytes) {
        if (size != 0) {
            memcpy(output->bytes + output->size, bytes, size);
        }
        output->size += size;
    } else if (output->result == FG_OK) {
        output->result = output->sink->write(output->sink->context, bytes, size);
    }
}

static void put_header(struct output *output, const struct fg_cnatrace *trace)
{
    uint8_t header[FGI_CNATRACE_HEADER_BYTES] = FGI_CNATRACE_MAGIC;
    fgi_store_u16(header + 8, FGI_CNATRACE_VERSION);
    fgi_store_u32(header + 12, (uint32_t)trace->name_count);
    fgi_store_u64(header + 16, trace->event_count);
    fgi_store_u64(header + 24, trace->dropped_events);
    put(output, header, sizeof header);
}

static void put_name(struct output *output, const struct fg_cnatrace_name *name)
{
    uint8_t head[FGI_CNATRACE_NAME_BYTES];
    fgi_store_u32(head, name->id);
    fgi_store_u32(head + 4, name->size);
    put(output, head, sizeof head);
    put(output, name->text, name->size);
}

static void put_event(struct output *output, const struct fg_process_event *event)
{
    uint8_t bytes[FGI_CNATRACE_EVENT_BYTES] = { 0 };
    fgi_store_u64(bytes, event->sequence);
    fgi_store_u64(bytes + 8, event->time_ns);
    fgi_store_u64(bytes + 16, event->duration_ns);
    fgi_store_u64(bytes + 24, event->frame);
    fgi_store_u64(bytes + 32, event->thread);
    fgi_store_u64(bytes + 40, event->correlation);
    fgi_store_u64(bytes + 48, event->parent);
    fgi_store_u64(bytes + 56, (uint64_t)event->value);
    fgi_store_u32(bytes + 64, event->name);
    bytes[68] = event->kind;
    bytes[69] = event->category;
    put(output, bytes, sizeof bytes);
}

enum fg_result fg_cnatrace_write(const struct fg_cnatrace *trace, const struct fg_sink *sink)
{
    struct output output = { .sink = sink };
    put_header(&output, trace);
    for (size_t i = 0; i < trace->name_count; i++) {
        put_name(&output, &trace->names[i]);
    }
    for (size_t i = 0; i < trace->event_count; i++) {
        put_event(&output, &trace->events[i]);
    }
    flush(&output);
    return output.result;
}
