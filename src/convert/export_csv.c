/* SPDX-License-Identifier: MIT */
/* Spans as comma-separated values (RFC 4180 with line feeds): one row each, in stored order. */
#include "convert/csv.h"
#include "convert/exporter_priv.h"
#include "trace/span_words.h"

#include <stdio.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 16 };

struct csv {
    const struct fgi_export *work;
    struct fgi_bytes line;
};

static void put(struct csv *csv, const char *text)
{
    fgi_put_raw(&csv->line, text, strlen(text));
}

static void put_name(struct csv *csv, uint32_t text)
{
    put(csv, ",");
    fgi_csv_text(&csv->line, fg_trace_text(csv->work->trace, text));
}

/* Its name, or the words that statistics have for a process without one. */
static void put_process(struct csv *csv, uint32_t index)
{
    char room[FGI_PROCESS_TEXT];
    put(csv, ",");
    fgi_csv_text(&csv->line, fgi_process_text(csv->work->trace, index, room));
}

static void put_int(struct csv *csv, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, ",%lld", (long long)value);
    put(csv, text);
}

static void put_uint(struct csv *csv, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, ",%llu", (unsigned long long)value);
    put(csv, text);
}

/* A number, or nothing when there is none. */
static void put_maybe(struct csv *csv, bool is_there, uint64_t value)
{
    if (is_there) {
        put_uint(csv, value);
    } else {
        put(csv, ",");
    }
}

/* A number of the source, or nothing where it has none. */
static void put_id(struct csv *csv, bool is_there, int64_t id)
{
    if (is_there && fgi_is_given_id(id)) {
        put_int(csv, id);
    } else {
        put(csv, ",");
    }
}

static void put_classes(struct csv *csv, uint32_t classes)
{
    const char *word;
    const char *separator = ",";
    if (classes == 0) {
        put(csv, ",");
    }
    for (uint32_t i = 0; (word = fgi_class_word(i)) != NULL; i++) {
        if ((classes >> i & 1) != 0) {
            put(csv, separator);
            put(csv, word);
            separator = "|";
        }
    }
}

static enum fg_result flush(struct csv *csv, size_t over_bytes)
{
    if (csv->line.result != FG_OK || csv->line.size <= over_bytes) {
        return csv->line.result;
    }
    const struct fg_sink *sink = csv->work->sink;
    enum fg_result result = sink->write(sink->context, csv->line.data, csv->line.size);
    fgi_bytes_clear(&csv->line);
    return result;
}

static enum fg_result put_span(void *context, const struct fg_trace_span *span)
{
    struct csv *csv = context;
    const struct fg_trace *trace = csv->work->trace;
    const struct fg_trace_track *track = fg_trace_track(trace, span->track);
    const struct fg_trace_clock *clock = fg_trace_clock(trace, track->clock);
    const struct fg_trace_process *process = fg_trace_process(trace, track->process);
    const struct fg_trace_frame *frame = fg_trace_frame(trace, span->frame);
    const struct fg_trace_pass *pass = fg_trace_pass(trace, span->pass);
    char row[16];
    snprintf(row, sizeof row, "%u", (unsigned)span->row);
    put(csv, row);
    put_process(csv, track->process);
    put_name(csv, track->name);
    put_name(csv, clock != NULL ? clock->name : 0);
    put_uint(csv, span->depth);
    put_maybe(csv, span->parent != FG_NONE, span->parent);
    put_name(csv, span->name);
    put_name(csv, span->category);
    put_classes(csv, span->classes);
    put_name(csv, pass != NULL ? pass->name : 0);
    put_name(csv, span->scope);
    put_maybe(csv, frame != NULL, frame != NULL ? frame->id : 0);
    put(csv, ",");
    put(csv, fgi_status_word(span->status));
    put_int(csv, span->start_ns);
    put_int(csv, span->end_ns);
    put_uint(csv, (uint64_t)span->end_ns - (uint64_t)span->start_ns);
    put_id(csv, process != NULL, process != NULL ? process->id : 0);
    put_id(csv, track->kind == FG_TRACK_THREAD || track->kind == FG_TRACK_GPU_QUEUE, track->id);
    put(csv, "\n");
    return flush(csv, FLUSH_BYTES);
}

static enum fg_result write_csv(const struct fgi_export *work)
{
    struct csv csv = { .work = work, .line = { .allocator = work->allocator } };
    put(&csv, "row,process,track,clock,depth,parent,name,category,classes,pass,scope,frame,status,"
              "start_ns,end_ns,duration_ns,pid,tid\n");
    enum fg_result result = fgi_export_spans(work, &csv, put_span);
    if (result == FG_OK) {
        result = flush(&csv, 0);
    }
    fgi_bytes_finish(&csv.line);
    return result;
}

const struct fgi_exporter fgi_exporter_csv = {
    .name = "csv",
    .about = "one line for each span, exact nanoseconds",
    .write = write_csv,
};
