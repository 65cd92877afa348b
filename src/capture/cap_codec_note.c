/* SPDX-License-Identifier: MIT */
/* NOTE, LOST, CNTR, SUMM. FORMAT.md, 7.1, 7.2, 7.9. */
#include "capture/cap_codec.h"

void fgi_fields_note(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_note *note = payload;
    fgi_c_opt64(codec, "frame", &note->frame);
    fgi_c_ref_opt(codec, "clock", FGI_REF_CLOCK, &note->clock);
    fgi_c_i64(codec, "ticks", &note->ticks);
    fgi_c_symbol(codec, "category", &note->category);
    fgi_c_text(codec, "text", &note->text);
}

static void fields_instance_ref(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_instance_ref *ref = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "frame", &ref->frame);
    fgi_c_u32(codec, "instance", &ref->instance);
    fgi_c_struct_end(codec);
}

void fgi_fields_device_lost(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_device_lost *lost = payload;
    fgi_c_opt64(codec, "frame", &lost->frame);
    fgi_c_ref_opt(codec, "clock", FGI_REF_CLOCK, &lost->clock);
    fgi_c_u64(codec, "ticks", &lost->ticks);
    fgi_c_text(codec, "reason", &lost->reason);
    FGI_C_LIST(codec, lost, open, open_count, 2, fields_instance_ref);
}

static void fields_counter_summary(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_counter_summary *counter = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_symbol(codec, "name", &counter->name);
    fgi_c_symbol(codec, "unit", &counter->unit);
    fgi_c_u64(codec, "count", &counter->count);
    fgi_c_f64(codec, "minimum", &counter->minimum);
    fgi_c_f64(codec, "maximum", &counter->maximum);
    fgi_c_f64(codec, "last", &counter->last);
    fgi_c_struct_end(codec);
}

void fgi_fields_counters(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_counters *counters = payload;
    FGI_C_LIST(codec, counters, counters, counter_count, 27, fields_counter_summary);
}

void fgi_fields_summary(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_summary *summary = payload;
    fgi_c_u64(codec, "frame_count", &summary->frame_count);
    fgi_c_u64(codec, "gpu_frame_count", &summary->gpu_frame_count);
    fgi_c_u64(codec, "recorder_ns", &summary->recorder_ns);
    fgi_c_u64(codec, "recorded_cpu_ns", &summary->recorded_cpu_ns);
    fgi_c_u64(codec, "write_ns", &summary->write_ns);
    fgi_c_u64(codec, "growth_count", &summary->growth_count);
    fgi_c_u64(codec, "memory_peak_bytes", &summary->memory_peak_bytes);
    FGI_C_LIST(codec, summary, drops, drop_count, 2, fgi_fields_drop);
}
