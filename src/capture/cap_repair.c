/* SPDX-License-Identifier: MIT */
/* Copy what is valid into a fresh, closed file; nothing is invented. */
#include "capture/cap_reader_priv.h"
#include "capture/cap_writer_priv.h"

#include "base/result.h"

enum { FLUSH_BYTES = 1 << 20 };

/* Directories are made anew; a section ends where a checkpoint begins the next one. */
static enum fg_result copy_record(struct fg_capture_writer *writer,
                                  const struct fg_capture_record *record)
{
    enum fg_result result = FG_OK;
    if (record->type == FG_CAPTURE_CKPT && writer->record_count != 0) {
        result = fgi_section_end(writer, 0);
    }
    if (record->type == FG_CAPTURE_META) {
        writer->session_lo = record->meta->session_lo;
    } else if (record->type == FG_CAPTURE_FRAM && result == FG_OK) {
        result = fgi_writer_reserve_frame(writer);
    } else if (record->type == FG_CAPTURE_GSPN && result == FG_OK) {
        result = fgi_writer_reserve_update(writer);
    } else if (record->type == FG_CAPTURE_CLKS && result == FG_OK) {
        result = fgi_writer_keep_clock(writer, record->clock);
    }
    if (result != FG_OK) {
        return result;
    }
    uint64_t offset = fgi_writer_offset(writer);
    struct fgi_bytes body = { .data = (void *)record->payload, .size = record->length };
    result = fgi_writer_commit(writer, record->type, &body);
    if (result != FG_OK) {
        return result;
    }
    if (record->type == FG_CAPTURE_FRAM) {
        fgi_writer_list_frame(writer, record->frame, offset);
    } else if (record->type == FG_CAPTURE_GSPN) {
        struct fgi_recent_frame *recent = fgi_writer_recent(writer, record->gpu_frame->frame);
        if (recent != NULL) {
            fgi_writer_list_gpu_frame(writer, recent, record->gpu_frame);
        }
    }
    return writer->buffer.size >= FLUSH_BYTES ? fg_capture_writer_flush(writer) : FG_OK;
}

/* GPU times whose frame is lost say nothing to anybody. */
static bool is_orphan(const struct fg_capture *capture, const struct fg_capture_record *record)
{
    uint32_t passes;
    return record->type == FG_CAPTURE_GSPN &&
           !fgi_map64_get(&capture->frame_passes, record->gpu_frame->frame, &passes);
}

static enum fg_result copy_all(struct fg_capture *capture, struct fg_capture_writer *writer,
                               struct fg_capture_repair_report *report)
{
    struct fg_capture_record record;
    enum fg_result result;
    uint64_t used_count = 0;
    while ((result = fg_capture_next(capture, &record)) == FG_OK) {
        used_count++;
        if (record.type == FG_CAPTURE_DIRE) {
            continue;
        }
        if (is_orphan(capture, &record)) {
            report->dropped_count++;
            continue;
        }
        report->kept_count++;
        if (writer != NULL) {
            result = copy_record(writer, &record);
            if (result != FG_OK) {
                return result;
            }
        }
    }
    if (result != FG_ERR_NOT_FOUND) {
        return result;
    }
    report->dropped_count += capture->records_taken - used_count;
    report->skipped_bytes = capture->size - FG_CAPTURE_HEADER_BYTES - capture->bytes_taken;
    report->defect_count = capture->defect_total;
    return writer != NULL ? fg_capture_writer_close(writer) : FG_OK;
}

enum fg_result fg_capture_repair(const struct fg_source *source,
                                 const struct fg_capture_options *options,
                                 const struct fg_sink *sink, struct fg_diag *diag,
                                 struct fg_capture_repair_report *out_report)
{
    struct fg_capture *capture;
    struct fg_capture_writer *writer = NULL;
    struct fg_capture_repair_report report = { 0 };
    struct fg_capture_options reading = { 0 };
    if (options != NULL) {
        reading = *options;
        reading.flags &= ~(uint32_t)FG_CAPTURE_FOLLOW;
    }
    enum fg_result result = fg_capture_open(source, &reading, diag, &capture);
    if (result != FG_OK) {
        return result;
    }
    if (sink != NULL) {
        struct fg_capture_writer_options writing = {
            .allocator = reading.allocator,
            .min_reader = capture->header.min_reader,
            .max_buffer_bytes = SIZE_MAX / 2,
        };
        result = fg_capture_writer_create(sink, &writing, &writer);
    }
    if (result == FG_OK) {
        if (writer != NULL) {
            /* The copy has the META that its source has, which may be none. */
            writer->has_meta = true;
        }
        result = copy_all(capture, writer, &report);
    }
    if (result != FG_OK) {
        (void)fgi_fail(diag, result, capture->position, "repairing: %s", fg_result_text(result));
    } else if (out_report != NULL) {
        *out_report = report;
    }
    fg_capture_writer_destroy(writer);
    fg_capture_close(capture);
    return result;
}
