/* SPDX-License-Identifier: MIT */
/* AMEND: how a copy of the input with more notes is made. The home does it, who has the bytes. */
#include "view/view_priv.h"
#include <string.h>

enum {
    TAG_NOTE_TEXT = 0x1801,
    TAG_NOTE_FRAME = 0x1802,
    TAG_NOTE_TIME = 0x1803,
    TAG_KEEP = 0x1840,
    TAG_TAIL = 0x1841,
    TAG_HEAD = 0x1842,
};

enum { MAX_NOTES = 1024, MAX_NOTE_BYTES = 4096 };

/* Text number `index` of a section of texts. */
static struct fgi_view_note text_at(const struct fgi_section *texts, uint32_t index)
{
    const char *bytes = (const char *)texts->data + ((size_t)texts->count + 1) * 4;
    uint32_t begin = fgi_section_u32(texts, index);
    return (struct fgi_view_note){ .frame = UINT64_MAX,
                                   .text = bytes + begin,
                                   .size = fgi_section_u32(texts, index + 1) - begin };
}

static enum fg_result read_note(struct fgi_ask *ask, const struct fgi_section *texts,
                                const struct fgi_section *frames, const struct fgi_section *times,
                                uint32_t index, struct fgi_view_note *out_note)
{
    struct fgi_view_note note = text_at(texts, index);
    uint32_t row = frames == NULL ? FG_NONE : fgi_section_u32(frames, index);
    int64_t time_ns = times == NULL ? 0 : fgi_section_i64(times, index);
    if (note.size == 0 || note.size > MAX_NOTE_BYTES) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a note has 1 to 4,096 bytes of text");
    }
    if (row == FG_NONE) {
        note.has_time = true;
        note.time_ns = time_ns;
        *out_note = note;
        return FG_OK;
    }
    const struct fg_trace_frame *frame = fg_trace_frame(ask->trace, row);
    if (frame == NULL) {
        return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no frame of this row");
    }
    if (time_ns != 0) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "a note of a frame has the frame's time");
    }
    note.frame = frame->id;
    *out_note = note;
    return FG_OK;
}

static enum fg_result read_notes(struct fgi_ask *ask, struct fgi_view_note **out_notes,
                                 uint32_t *out_count)
{
    struct fgi_request *request = ask->request;
    const struct fgi_section *texts = fgi_request_section(request, TAG_NOTE_TEXT, FGI_TYPE_TEXTS);
    uint32_t count = texts == NULL ? 0 : texts->count;
    const struct fgi_section *frames =
        fgi_request_exact(request, TAG_NOTE_FRAME, FGI_TYPE_U32, count);
    const struct fgi_section *times =
        fgi_request_exact(request, TAG_NOTE_TIME, FGI_TYPE_I64, count);
    if (request->result != FG_OK) {
        return request->result;
    }
    if (count == 0 || count > MAX_NOTES) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "1 to 1,024 notes can be added at once");
    }
    struct fgi_view_note *notes = fgi_arena_alloc(ask->arena, count, sizeof *notes);
    if (notes == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        enum fg_result result = read_note(ask, texts, frames, times, i, &notes[i]);
        if (result != FG_OK) {
            return result;
        }
    }
    *out_notes = notes;
    *out_count = count;
    return FG_OK;
}

static enum fg_result put_amendment(struct fgi_ask *ask, const struct fgi_view_amendment *made)
{
    fgi_reply_u64(ask->reply, TAG_KEEP, made->keep_bytes);
    uint8_t *tail = fgi_u8s(ask, TAG_TAIL, made->tail.size);
    uint8_t *head = fgi_u8s(ask, TAG_HEAD, sizeof made->head);
    if (tail != NULL && head != NULL) {
        memcpy(tail, made->tail.data, made->tail.size);
        memcpy(head, made->head, sizeof made->head);
    }
    return ask->reply->result;
}

enum fg_result fgi_answer_AMEND(struct fgi_ask *ask)
{
    const struct fgi_view_options *options = &ask->view->options;
    struct fgi_view_note *notes = NULL;
    uint32_t count = 0;
    enum fg_result result = read_notes(ask, &notes, &count);
    if (result == FG_OK && options->amend == NULL) {
        result = fgi_ask_fail(ask, FG_ERR_UNSUPPORTED, "nobody here has the input's bytes");
    }
    if (result != FG_OK) {
        return result;
    }
    struct fg_diag diag = { 0 };
    struct fgi_view_amendment made = { .tail = { .allocator = options->allocator,
                                                 .limit = FGI_MAX_REPLY_BYTES } };
    result = options->amend(options->context, ask->request->trace, notes, count, &diag, &made);
    if (result == FG_OK) {
        result = put_amendment(ask, &made);
    } else if (diag.message[0] != 0) {
        ask->text = fgi_arena_text(ask->arena, diag.message, strlen(diag.message));
    }
    fgi_bytes_finish(&made.tail);
    return result;
}
