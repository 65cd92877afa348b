/* SPDX-License-Identifier: MIT */
/* Names of defects, and the list of those that were found. */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"

const char *fg_capture_defect_name(enum fg_capture_defect_kind kind)
{
    switch (kind) {
#define DEFECT_NAME(value, name, text)                                                             \
    case FG_CAPTURE_DEFECT_##name:                                                                 \
        return #name;
        FG_CAPTURE_DEFECTS(DEFECT_NAME)
#undef DEFECT_NAME
    }
    return "unknown";
}

const char *fg_capture_defect_text(enum fg_capture_defect_kind kind)
{
    switch (kind) {
#define DEFECT_TEXT(value, name, text)                                                             \
    case FG_CAPTURE_DEFECT_##name:                                                                 \
        return text;
        FG_CAPTURE_DEFECTS(DEFECT_TEXT)
#undef DEFECT_TEXT
    }
    return "unknown";
}

void fgi_capture_defect(struct fg_capture *capture, enum fg_capture_defect_kind kind,
                        uint64_t offset, uint64_t detail)
{
    if (capture->muted) {
        return;
    }
    capture->defect_total++;
    capture->damaged = true;
    /* Without memory for one more the defect is at least counted. */
    if (FGI_GROW(capture->allocator, capture->defects, capture->defect_capacity,
                 capture->defect_count + 1, capture->max_defects) == FG_OK) {
        capture->defects[capture->defect_count++] =
            (struct fg_capture_defect){ .kind = kind, .offset = offset, .detail = detail };
    }
}

const struct fg_capture_defect *fg_capture_defects(const struct fg_capture *capture,
                                                   size_t *out_count)
{
    *out_count = capture->defect_count;
    return capture->defects;
}

uint64_t fg_capture_defect_count(const struct fg_capture *capture)
{
    return capture->defect_total;
}
