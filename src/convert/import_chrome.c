/* SPDX-License-Identifier: MIT */
/*
 * The file as a whole: pieces go in, the events in the list of its root (or the root itself) come
 * out one by one, and what is broken is stepped over to the next event. The order at the end
 * matters: rows first, then what refers to them.
 */
#include "convert/import_chrome.h"
#include "base/alloc.h"
#include "base/result.h"
#include "base/thread.h"
#include "convert/import_chrome_priv.h"
#include "convert/utf16_source.h"

#include <string.h>

enum {
    PIECE_BYTES = 1 << 20,
    RECORDS = 64, /* scanned at once: they stay in the nearest cache */
    PARTS = 1024,
    AHEAD_LEAST = 4 << 20, /* a file of less is read before a thread is there */
};

/* ---- tokens ---------------------------------------------------------------------------------- */

/* The document was whole: what is there in spite of that is read, but not without a word. */
static void see_behind_end(struct fgi_chrome *c, uint64_t offset)
{
    fgi_chrome_repair_at(c, "behind_end", 1, offset);
}

static bool is_behind_end(const struct fgi_chrome *c, unsigned depth)
{
    return c->has_ended && !c->in_event && depth == 0;
}

/* Step over what is broken. All that is broken together is counted once. */
static void recover(struct fgi_chrome *c)
{
    if (c->reader.result != FG_OK) {
        fgi_builder_fail(c->builder, c->reader.result);
        return;
    }
    bool is_behind = is_behind_end(c, c->reader.depth);
    if (is_behind) {
        see_behind_end(c, c->reader.broken_offset);
        c->events_depth = 0;
    } else if (!c->in_recovery) {
        fgi_chrome_repair_at(c, c->in_event ? "broken_event" : "broken_json", 1,
                             c->in_event ? c->event.offset : c->reader.broken_offset);
        c->broken_count++;
    }
    c->in_recovery = !is_behind;
    c->in_event = false;
    c->in_events = true;
    fgi_json_resync(&c->reader, c->events_depth);
}

static void end_event(struct fgi_chrome *c)
{
    c->in_event = false;
    if (fgi_chrome_event_end(c)) {
        c->in_recovery = false;
    } else if (!c->in_recovery) {
        c->other_count++;
        fgi_chrome_repair(c, c->event.has_members ? "no_phase" : "empty_event");
    }
}

static void see_event(struct fgi_chrome *c, enum fgi_json_token token,
                      const struct fgi_json_item *item)
{
    bool is_end = token == FGI_JSON_OBJECT_END && c->reader.depth == c->events_depth;
    if (!is_end) {
        /* Not an event, but another file behind the first: go down into it. */
        if (token == FGI_JSON_ARRAY && c->events_depth == 0 &&
            fgi_chrome_is_key(item, "traceEvents")) {
            c->in_event = false;
            c->events_depth = c->reader.depth;
            return;
        }
        fgi_chrome_event_member(c, token, item);
        return;
    }
    end_event(c);
}

/* Something in the list of events. */
static void see_list(struct fgi_chrome *c, enum fgi_json_token token,
                     const struct fgi_json_item *item)
{
    if (token == FGI_JSON_OBJECT) {
        fgi_chrome_event_begin(c, item->offset);
        c->in_event = true;
    } else if (token == FGI_JSON_ARRAY_END || token == FGI_JSON_OBJECT_END) {
        c->in_events = c->reader.depth == 0 && c->events_depth == 0;
        c->has_ended |= c->reader.depth == 0;
    } else if (token != FGI_JSON_RAW) {
        fgi_chrome_repair_at(c, "not_an_event", 1, item->offset);
        c->other_count++;
        if (token == FGI_JSON_ARRAY) {
            fgi_json_take(&c->reader, 0);
        }
    }
}

static void see_root(struct fgi_chrome *c, enum fgi_json_token token,
                     const struct fgi_json_item *item)
{
    unsigned depth = c->reader.depth;
    bool is_open = token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY;
    bool is_end = token == FGI_JSON_OBJECT_END || token == FGI_JSON_ARRAY_END;
    if (!is_end && is_behind_end(c, depth - (is_open ? 1u : 0u))) {
        see_behind_end(c, item->offset);
    }
    if (depth <= 1 && item->key == NULL && token == FGI_JSON_ARRAY) {
        c->in_events = c->saw_events = true;
        c->events_depth = 1;
    } else if (depth == 1 && item->key == NULL && token == FGI_JSON_OBJECT) {
        if (c->saw_events) { /* behind the list: events go on, or another file */
            c->events_depth = 0;
            c->in_events = true;
            see_list(c, token, item);
        }
    } else if (depth == 2 && token == FGI_JSON_ARRAY && fgi_chrome_is_key(item, "traceEvents")) {
        c->in_events = c->saw_events = true;
        c->events_depth = 2;
    } else if (item->key != NULL) {
        fgi_chrome_root_member(c, token, item);
    } else if (is_end) {
        c->has_ended |= depth == 0;
    } else if (!c->has_ended) {
        c->other_count++; /* a number or a text by itself */
    }
}

void fgi_chrome_records(struct fgi_chrome *c, const struct fgi_chrome_scan *scan,
                        const uint8_t *bytes, uint64_t offset)
{
    for (uint32_t i = 0; i < scan->record_count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_record *record = &scan->records[i];
        fgi_chrome_event_begin(c, offset + (uint64_t)(record->begin - bytes));
        fgi_chrome_event_parts(c, scan->parts + record->first, record->count);
        end_event(c);
    }
}

/* Ordinary events of the piece; in a list of events, between two of them. */
static void see_records(struct fgi_chrome *c)
{
    struct fgi_json_reader *reader = &c->reader;
    enum fgi_chrome_stop stop = FGI_CHROME_STOP_FULL;
    bool is_comma_due;
    while (stop == FGI_CHROME_STOP_FULL && c->in_events && reader->depth == c->events_depth &&
           fgi_json_is_in_list(reader, &is_comma_due) && fgi_builder_result(c->builder) == FG_OK) {
        const uint8_t *behind;
        if (c->may_be_ahead && fgi_json_offset(reader) >= c->ahead_from) {
            c->wants_ahead = true;
            return;
        }
        stop = fgi_chrome_scan(&c->scan, reader->at, reader->end, is_comma_due, &behind);
        if (c->scan.record_count > 0) {
            fgi_chrome_records(c, &c->scan, reader->piece, reader->piece_offset);
            fgi_json_skip(reader, behind);
        }
    }
}

/* All tokens of a piece, or those before the place where to read ahead. */
static void see_piece(struct fgi_chrome *c)
{
    struct fgi_json_item item;
    for (;;) {
        if (c->in_events && !c->in_event) {
            see_records(c);
            if (c->wants_ahead) {
                return;
            }
        }
        enum fgi_json_token token = fgi_json_next(&c->reader, &item);
        if (token == FGI_JSON_MORE || token == FGI_JSON_END) {
            break;
        }
        if (token == FGI_JSON_BROKEN) {
            recover(c);
        } else if (c->in_event) {
            see_event(c, token, &item);
        } else if (c->in_events) {
            see_list(c, token, &item);
        } else {
            see_root(c, token, &item);
        }
        if (fgi_builder_result(c->builder) != FG_OK) {
            return;
        }
    }
    if (c->in_event) {
        fgi_chrome_event_save(c);
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

bool fgi_chrome_go_on(struct fgi_chrome *c, uint64_t done, uint64_t total)
{
    const struct fgi_chrome_options *o = c->options;
    if (o->max_rows != 0 && fgi_builder_rows(c->builder) > o->max_rows) {
        fgi_builder_fail(c->builder, FG_ERR_LIMIT);
    } else if (o->progress != NULL && !o->progress(o->progress_context, done, total)) {
        fgi_builder_fail(c->builder, FG_ERR_CANCELLED);
    }
    return fgi_builder_result(c->builder) == FG_OK;
}

/* Threads are worth it for what is large. */
static bool may_be_ahead(const struct fgi_chrome *c, uint64_t offset, uint64_t size)
{
    unsigned threads = c->options->threads;
    bool is_large = size > offset && size - offset >= AHEAD_LEAST;
    return threads == 0 ? is_large && fgi_processor_count() > 1 : threads > 1 && offset < size;
}

static void read_pieces(struct fgi_chrome *c, uint8_t *bytes, size_t piece_bytes)
{
    const struct fg_source *source = &c->kept->source;
    uint64_t offset = 0, size = 0;
    fgi_builder_fail(c->builder, source->size(source->context, &size));
    while (fgi_chrome_go_on(c, offset, size)) {
        size_t got = 0;
        size_t mark = 0;
        fgi_builder_fail(c->builder,
                         source->read_at(source->context, offset, bytes, piece_bytes, &got));
        if (got == 0 || fgi_builder_result(c->builder) != FG_OK) {
            break;
        }
        if (offset == 0 && got >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
            mark = 3;
            c->reader.piece_offset = 3;
        }
        fgi_json_feed(&c->reader, bytes + mark, got - mark);
        offset += got;
        c->may_be_ahead = may_be_ahead(c, offset, size);
        see_piece(c);
        if (c->wants_ahead) {
            c->wants_ahead = false;
            offset = fgi_json_offset(&c->reader);
            fgi_chrome_read_ahead(c, &offset, size);
        }
    }
    c->may_be_ahead = false;
    fgi_json_close(&c->reader);
    if (fgi_builder_result(c->builder) == FG_OK) {
        see_piece(c);
    }
}

static void read_all(struct fgi_chrome *c)
{
    size_t piece_bytes = c->options->piece_bytes > 0 ? c->options->piece_bytes : PIECE_BYTES;
    uint8_t *bytes = fgi_malloc(c->allocator, piece_bytes);
    c->scan.record_capacity = RECORDS;
    c->scan.part_capacity = PARTS;
    c->scan.records = fgi_malloc(c->allocator, RECORDS * sizeof *c->scan.records);
    c->scan.parts = fgi_malloc(c->allocator, PARTS * sizeof *c->scan.parts);
    if (bytes != NULL && c->scan.records != NULL && c->scan.parts != NULL) {
        read_pieces(c, bytes, piece_bytes);
    } else {
        fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
    }
    fgi_free(c->allocator, bytes, piece_bytes);
    fgi_free(c->allocator, c->scan.records, RECORDS * sizeof *c->scan.records);
    fgi_free(c->allocator, c->scan.parts, PARTS * sizeof *c->scan.parts);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void report_mends(struct fgi_chrome *c)
{
    static const char *const kinds[FGI_JSON_MENDS] = {
        [FGI_JSON_MISSING_COMMA] = "missing_comma",
        [FGI_JSON_EXTRA_COMMA] = "extra_comma",
        [FGI_JSON_CONTROL_BYTE] = "control_byte",
        [FGI_JSON_UNCLOSED] = "unclosed",
    };
    const struct fgi_json_reader *reader = &c->reader;
    if (c->in_event) {
        fgi_chrome_repair(c, "cut_event");
    }
    for (size_t i = 0; i < FGI_JSON_MENDS; i++) {
        fgi_chrome_repair_at(c, kinds[i], reader->mends[i], reader->mend_offset[i]);
    }
    struct fg_trace_info *info = &fgi_builder_trace(c->builder)->info;
    info->closed = reader->mends[FGI_JSON_UNCLOSED] == 0 && !c->in_event;
    info->recovered = !info->closed || c->in_recovery;
}

/* Offsets were counted in UTF-8; a person looks into the file. */
static void place_repairs(struct fgi_chrome *c)
{
    struct fg_trace *trace = fgi_builder_trace(c->builder);
    for (size_t i = 0; c->kept->wide != NULL && i < trace->repairs.count; i++) {
        uint64_t *offset = &trace->repairs.items[i].first_offset;
        if (*offset != UINT64_MAX) {
            *offset = fgi_utf16_source_place(c->kept->wide, *offset);
        }
    }
}

static void finish_rows(struct fgi_chrome *c)
{
    fgi_chrome_finish_edges(c);
    fgi_chrome_finish_async(c);
    fgi_chrome_finish_untimed(c);
    fgi_chrome_finish_flows(c);
    fgi_chrome_finish_launches(c);
    fgi_chrome_finish_samples(c);
    fgi_chrome_name_tracks(c);
    fgi_chrome_order_tracks(c);
    report_mends(c);
    place_repairs(c);
    fgi_chrome_meta(c, "dialect", fgi_chrome_dialect_name(c->dialect));
}

/* Nothing came of the events that there are, or there is not even a list of them. */
static bool is_nothing(const struct fgi_chrome *c)
{
    return c->event_count == 0 && (!c->saw_events || c->other_count > 0 || c->broken_count > 0);
}

static enum fg_result refuse(const struct fgi_chrome *c, struct fg_diag *diag)
{
    const char *what = fgi_chrome_looks_like(c->keys_seen);
    if (what != NULL) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0, "it is JSON, but no Chrome trace: it looks like %s",
                        what);
    }
    if (c->other_count > 0) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0,
                        "it is JSON, but no Chrome trace: nothing in its list is an event");
    }
    if (c->saw_events) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0,
                        "it begins like a Chrome trace, but no event in it can be read");
    }
    return fgi_fail(diag, FG_ERR_FORMAT, 0,
                    "it begins like JSON, but there is no event of a Chrome trace in it");
}

static enum fg_result finish(struct fgi_chrome *c, struct fg_diag *diag,
                             struct fg_trace **out_trace)
{
    enum fg_result result = fgi_builder_result(c->builder);
    if (result == FG_OK && is_nothing(c)) {
        return refuse(c, diag);
    }
    if (result == FG_OK) {
        finish_rows(c);
        result = fgi_builder_finish(c->builder, out_trace);
    }
    if (result != FG_OK) {
        return fgi_fail(diag, result, fgi_json_offset(&c->reader), "the events make no trace: %s",
                        fg_result_text(result));
    }
    struct fg_trace *trace = *out_trace;
    c->kept->trace = trace;
    trace->args_loader = (struct fgi_args_loader){ fgi_chrome_load_args, c->kept,
                                                   fgi_chrome_places_bytes(&c->kept->places) };
    trace->backing = c->kept;
    trace->backing_destroy = fgi_chrome_kept_destroy;
    c->kept = NULL;
    return FG_OK;
}

/* ---- the beginning --------------------------------------------------------------------------- */

static enum fg_result keep_source(struct fgi_chrome *c, const struct fg_source *source)
{
    uint8_t head[4] = { 0 };
    size_t got = 0;
    c->kept = fgi_calloc(c->allocator, 1, sizeof *c->kept);
    if (c->kept == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    c->kept->allocator = c->allocator;
    c->kept->places.far.allocator = c->allocator;
    c->kept->source = *source;
    enum fg_result result = source->read_at(source->context, 0, head, sizeof head, &got);
    enum fgi_utf16 order = fgi_utf16_sniff(head, got);
    if (result == FG_OK && order != FGI_UTF16_NONE) {
        result =
            fgi_utf16_source_create(source, order, c->allocator, &c->kept->wide, &c->kept->source);
    }
    return result;
}

static void begin(struct fgi_chrome *c, bool is_bare)
{
    const struct fg_trace_clock clock = {
        .name = fgi_builder_cstr(c->builder, "trace"),
        .kind = FG_CLOCK_HOST,
        .period_num = 1,
        .period_den = 1,
        .valid_bits = 64,
    };
    struct fg_trace_info *info = &fgi_builder_trace(c->builder)->info;
    info->format = "chrome";
    info->version = 1;
    c->clock = fgi_builder_clock(c->builder, &clock);
    c->last_category = FG_NONE;
    c->ids.allocator = c->allocator;
    c->process_of.allocator = c->allocator;
    c->frame_of.allocator = c->allocator;
    c->linked.allocator = c->allocator;
    c->saved.allocator = c->allocator;
    c->text.allocator = c->allocator;
    for (size_t i = 0; i < FGI_PAIR_SPACES; i++) {
        c->pairs[i].allocator = c->allocator;
    }
    c->in_events = c->saw_events = is_bare;
    fgi_json_start(&c->reader, c->allocator);
}

#define FREE_TABLE(c, table)                                                                       \
    fgi_free((c)->allocator, (c)->table.items, (c)->table.capacity * sizeof *(c)->table.items)

static void destroy(struct fgi_chrome *c)
{
    for (size_t i = 0; i < c->threads.count; i++) {
        FREE_TABLE(c, threads.items[i].edges);
    }
    for (size_t i = 0; i < FGI_PAIR_SPACES; i++) {
        fgi_map64_finish(&c->pairs[i]);
    }
    FREE_TABLE(c, threads);
    FREE_TABLE(c, processes);
    FREE_TABLE(c, end_offsets);
    FREE_TABLE(c, asyncs);
    FREE_TABLE(c, async_tracks);
    FREE_TABLE(c, flows);
    FREE_TABLE(c, launches);
    FREE_TABLE(c, untimed);
    FREE_TABLE(c, frames);
    FREE_TABLE(c, samples);
    FREE_TABLE(c, nodes);
    FREE_TABLE(c, node_of);
    FREE_TABLE(c, profiles);
    FREE_TABLE(c, counter_is_real);
    FREE_TABLE(c, counter_tracks);
    fgi_map64_finish(&c->process_of);
    fgi_map64_finish(&c->frame_of);
    fgi_map64_finish(&c->linked);
    fgi_strings_finish(&c->ids);
    fgi_json_finish_reading(&c->reader);
    fgi_bytes_finish(&c->saved);
    fgi_bytes_finish(&c->text);
    fgi_chrome_kept_destroy(c->kept);
    fgi_builder_destroy(c->builder);
    fgi_free(c->allocator, c, sizeof *c);
}

enum fg_result fgi_import_chrome(const struct fg_source *source,
                                 const struct fgi_chrome_options *options, struct fg_diag *diag,
                                 struct fg_trace **out_trace)
{
    static const struct fgi_chrome_options none = { 0 };
    options = options != NULL ? options : &none;
    struct fgi_chrome *c = fgi_calloc(options->allocator, 1, sizeof *c);
    if (c == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    bool is_bare = false;
    c->allocator = options->allocator;
    c->options = options;
    enum fg_result result = fgi_builder_create(c->allocator, 0, &c->builder);
    if (result == FG_OK) {
        result = keep_source(c, source);
    }
    if (result == FG_OK) {
        result = fgi_chrome_is_bare(&c->kept->source, c->allocator, &is_bare);
    }
    if (result == FG_OK) {
        begin(c, is_bare);
        read_all(c);
        result = finish(c, diag, out_trace);
    }
    destroy(c);
    return result;
}
