/* SPDX-License-Identifier: MIT */
/* Which function describes which record. */
#include "capture/cap_codec.h"

#define ENTRY(name, payload)                                                                       \
    {                                                                                              \
        FG_CAPTURE_##name, sizeof(struct fg_cap_##payload), #name, fgi_fields_##payload            \
    }

static const struct fgi_codec_entry entries[] = {
    ENTRY(META, meta),           ENTRY(SYMS, symbols),
    ENTRY(TOPO, topology),       ENTRY(GSPN, gpu_frame),
    ENTRY(CNTR, counters),       ENTRY(NOTE, note),
    ENTRY(CLKS, clock),          ENTRY(PROC, process),
    ENTRY(TRAK, track),          ENTRY(PIPE, pipeline),
    ENTRY(SUMM, summary),        ENTRY(LOST, device_lost),
    ENTRY(SPAN, span_block),     ENTRY(DEPS, dependencies),
    ENTRY(ARGS, arguments),      ENTRY(STAK, stacks),
    ENTRY(SMPL, samples),        ENTRY(MDEF, metric),
    ENTRY(MSMP, metric_samples), ENTRY(REVT, resource_events),
    ENTRY(ZRAW, events),         ENTRY(CONV, conversion),
    ENTRY(ROWS, rows),           ENTRY(MARK, marks),
    ENTRY(ARGT, trees),
};

const struct fgi_codec_entry *fgi_codec_at(size_t index)
{
    return index < sizeof entries / sizeof entries[0] ? &entries[index] : NULL;
}

const struct fgi_codec_entry *fgi_codec_find(uint32_t type)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (entries[i].type == type) {
            return &entries[i];
        }
    }
    return NULL;
}

bool fgi_codec_is_known(uint32_t type)
{
    static const uint32_t types[] = {
#define RECORD_TYPE(name, a, b, c, d, payload) FG_FOURCC(a, b, c, d),
        FG_CAPTURE_RECORDS(RECORD_TYPE)
#undef RECORD_TYPE
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}
