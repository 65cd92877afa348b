/* SPDX-License-Identifier: MIT */
/* Payloads that give a capture its context: META, SYMS, CLKS, PROC, TRAK, PIPE. FORMAT.md, 4, 5. */
#include "capture/cap_codec.h"

static void fields_limit(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_limit *limit = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_text(codec, "name", &limit->name);
    fgi_c_u64(codec, "value", &limit->value);
    fgi_c_struct_end(codec);
}

static void fields_pair(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_pair *pair = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_text(codec, "key", &pair->key);
    fgi_c_text(codec, "value", &pair->value);
    fgi_c_struct_end(codec);
}

void fgi_fields_meta(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_meta *meta = payload;
    fgi_c_fix64(codec, "session_hi", &meta->session_hi);
    fgi_c_fix64(codec, "session_lo", &meta->session_lo);
    fgi_c_i64(codec, "start_wall_ns", &meta->start_wall_ns);
    fgi_c_u32(codec, "level", &meta->level);
    fgi_c_u32(codec, "development", &meta->development);
    fgi_c_text(codec, "producer", &meta->producer);
    fgi_c_text(codec, "program", &meta->program);
    fgi_c_text(codec, "note", &meta->note);
    fgi_c_text(codec, "engine_version", &meta->engine_version);
    fgi_c_text(codec, "engine_revision", &meta->engine_revision);
    fgi_c_text(codec, "build_flags", &meta->build_flags);
    fgi_c_text(codec, "adapter_vendor", &meta->adapter_vendor);
    fgi_c_text(codec, "adapter_architecture", &meta->adapter_architecture);
    fgi_c_text(codec, "adapter_device", &meta->adapter_device);
    fgi_c_text(codec, "adapter_description", &meta->adapter_description);
    fgi_c_text(codec, "driver", &meta->driver);
    fgi_c_text(codec, "driver_version", &meta->driver_version);
    fgi_c_text(codec, "api", &meta->api);
    fgi_c_text(codec, "os", &meta->os);
    FGI_C_LIST(codec, meta, features, feature_count, 1, fgi_fields_text_item);
    FGI_C_LIST(codec, meta, limits, limit_count, 2, fields_limit);
    FGI_C_LIST(codec, meta, settings, setting_count, 2, fields_pair);
}

static void fields_symbol(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_symbol *symbol = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "id", &symbol->id);
    fgi_c_text(codec, "text", &symbol->text);
    if (codec->mode == FGI_CODEC_DECODE && symbol->id == 0 && symbol->text.size != 0) {
        fgi_c_fail(codec, FG_ERR_CORRUPT);
    }
    fgi_c_struct_end(codec);
}

void fgi_fields_symbols(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_symbols *symbols = payload;
    FGI_C_LIST(codec, symbols, symbols, symbol_count, 2, fields_symbol);
}

static void fields_reading(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_reading *reading = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "ticks", &reading->ticks);
    fgi_c_u64(codec, "host_ticks", &reading->host_ticks);
    fgi_c_u64(codec, "deviation_ns", &reading->deviation_ns);
    fgi_c_struct_end(codec);
}

void fgi_fields_clock(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_clock *clock = payload;
    fgi_c_u32(codec, "id", &clock->id);
    fgi_c_u32(codec, "kind", &clock->kind);
    fgi_c_u32(codec, "domain", &clock->domain);
    fgi_c_ref_opt(codec, "host_clock", FGI_REF_CLOCK, &clock->host_clock);
    fgi_c_symbol(codec, "name", &clock->name);
    fgi_c_symbol(codec, "reason", &clock->reason);
    fgi_c_u64(codec, "period_num", &clock->period_num);
    fgi_c_u64(codec, "period_den", &clock->period_den);
    fgi_c_u32(codec, "valid_bits", &clock->valid_bits);
    fgi_c_u64(codec, "first_reading", &clock->first_reading);
    FGI_C_LIST(codec, clock, readings, reading_count, 3, fields_reading);
}

void fgi_fields_process(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_process *process = payload;
    fgi_c_u32(codec, "id", &process->id);
    fgi_c_opt64(codec, "os_id", &process->os_id);
    fgi_c_symbol(codec, "name", &process->name);
    fgi_c_i64(codec, "sort", &process->sort);
}

void fgi_fields_track(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_track *track = payload;
    fgi_c_u32(codec, "id", &track->id);
    fgi_c_u32(codec, "kind", &track->kind);
    fgi_c_ref_opt(codec, "process", FGI_REF_PROCESS, &track->process);
    fgi_c_ref_opt(codec, "parent", FGI_REF_TRACK, &track->parent);
    fgi_c_ref_opt(codec, "clock", FGI_REF_CLOCK, &track->clock);
    fgi_c_symbol(codec, "name", &track->name);
    fgi_c_opt64(codec, "os_id", &track->os_id);
    fgi_c_u32(codec, "queue_flags", &track->queue_flags);
    fgi_c_i64(codec, "sort", &track->sort);
}

void fgi_fields_pipeline(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_pipeline *pipeline = payload;
    fgi_c_symbol(codec, "label", &pipeline->label);
    fgi_c_u32(codec, "kind", &pipeline->kind);
    fgi_c_symbol(codec, "shader_module", &pipeline->shader_module);
    fgi_c_symbol(codec, "entry_point", &pipeline->entry_point);
    fgi_c_u32(codec, "workgroup_x", &pipeline->workgroup_x);
    fgi_c_u32(codec, "workgroup_y", &pipeline->workgroup_y);
    fgi_c_u32(codec, "workgroup_z", &pipeline->workgroup_z);
    fgi_c_fix64(codec, "vertex_layout_hash", &pipeline->vertex_layout_hash);
}
