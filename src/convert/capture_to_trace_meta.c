/* SPDX-License-Identifier: MIT */
/* Context, losses and damage of a capture, as texts that a person reads. */
#include "convert/capture_to_trace_priv.h"
#include <inttypes.h>
#include <stdio.h>

static void put_text(struct fgi_conversion *c, const char *key, struct fg_cap_text text)
{
    if (text.size > 0) {
        /* One after the other: text ids must not depend on how a compiler orders arguments. */
        uint32_t name = fgi_builder_cstr(c->builder, key);
        uint32_t value = fgi_builder_text(c->builder, text.data, text.size);
        fgi_builder_meta(c->builder, name, value);
    }
}

static void put_cstr(struct fgi_conversion *c, const char *key, const char *value)
{
    uint32_t name = fgi_builder_cstr(c->builder, key);
    uint32_t text = fgi_builder_cstr(c->builder, value);
    fgi_builder_meta(c->builder, name, text);
}

static void put_prefixed(struct fgi_conversion *c, const char *prefix, struct fg_cap_text key,
                         struct fg_cap_text value)
{
    char name[256];
    int size = snprintf(name, sizeof name, "%s%.*s", prefix, (int)(key.size < 200 ? key.size : 200),
                        key.size ? key.data : "");
    uint32_t id = fgi_builder_text(c->builder, name, size > 0 ? (size_t)size : 0);
    uint32_t text = fgi_builder_text(c->builder, value.data, value.size);
    fgi_builder_meta(c->builder, id, text);
}

void fgi_convert_meta(struct fgi_conversion *c, const struct fg_cap_meta *meta)
{
    static const char *const levels[] = { "timing", "structure", "workload", "verbose" };
    char text[64];
    c->backing->trace->info.level = meta->level;
    put_text(c, "producer", meta->producer);
    put_text(c, "program", meta->program);
    put_text(c, "note", meta->note);
    put_cstr(c, "level", meta->level < 4 ? levels[meta->level] : "unknown");
    snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, meta->session_hi, meta->session_lo);
    put_cstr(c, "session", text);
    if (meta->start_wall_ns != 0) {
        snprintf(text, sizeof text, "%" PRId64, meta->start_wall_ns);
        put_cstr(c, "start_wall_ns", text);
    }
    if (meta->development != 0) {
        put_cstr(c, "build", meta->development == 1 ? "production" : "development");
    }
    put_text(c, "engine_version", meta->engine_version);
    put_text(c, "engine_revision", meta->engine_revision);
    put_text(c, "build_flags", meta->build_flags);
    put_text(c, "adapter_vendor", meta->adapter_vendor);
    put_text(c, "adapter_architecture", meta->adapter_architecture);
    put_text(c, "adapter_device", meta->adapter_device);
    put_text(c, "adapter_description", meta->adapter_description);
    put_text(c, "driver", meta->driver);
    put_text(c, "driver_version", meta->driver_version);
    put_text(c, "api", meta->api);
    put_text(c, "os", meta->os);
    for (size_t i = 0; i < meta->setting_count; i++) {
        put_prefixed(c, "setting.", meta->settings[i].key, meta->settings[i].value);
    }
    for (size_t i = 0; i < meta->limit_count; i++) {
        int size = snprintf(text, sizeof text, "%" PRIu64, meta->limits[i].value);
        put_prefixed(c, "limit.", meta->limits[i].name,
                     (struct fg_cap_text){ text, size > 0 ? (size_t)size : 0 });
    }
    for (size_t i = 0; i < meta->feature_count; i++) {
        put_text(c, "feature", meta->features[i]);
    }
}

void fgi_convert_defects(struct fgi_conversion *c)
{
    size_t count = 0;
    const struct fg_capture_defect *defects = fg_capture_defects(c->capture, &count);
    for (size_t i = 0; i < count; i++) {
        fgi_builder_defect(c->builder, fg_capture_defect_name(defects[i].kind), defects[i].offset,
                           fgi_builder_cstr(c->builder, fg_capture_defect_text(defects[i].kind)));
        fgi_builder_repair(c->builder, fg_capture_defect_name(defects[i].kind), 1,
                           defects[i].offset);
    }
    uint64_t all = fg_capture_defect_count(c->capture);
    if (all > count) {
        fgi_builder_repair(c->builder, "defects_not_listed", all - count, UINT64_MAX);
    }
}
