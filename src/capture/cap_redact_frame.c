/* SPDX-License-Identifier: MIT */
/* Frames and META of a redacted copy: what is not simply the record's own payload. */
#include "capture/cap_redact_priv.h"

#include <string.h>

/* A list in the arena, to be rewritten; NULL when it is empty or `result` says why. */
static void *copy_list(struct fgi_redaction *redaction, const void *items, size_t count,
                       size_t size, enum fg_result *result)
{
    if (count == 0 || *result != FG_OK) {
        return NULL;
    }
    void *copy = fgi_arena_alloc(&redaction->arena, count, size);
    if (copy == NULL) {
        *result = FG_ERR_NO_MEMORY;
        return NULL;
    }
    return memcpy(copy, items, count * size);
}
#define COPY_LIST(redaction, list, count, result)                                                  \
    copy_list((redaction), (list), (count), sizeof *(list), (result))

static void copy_works(struct fgi_redaction *redaction, struct fg_cap_gpu_pass *pass,
                       enum fg_result *result)
{
    struct fg_cap_work *works = COPY_LIST(redaction, pass->works, pass->work_count, result);
    for (size_t i = 0; works != NULL && i < pass->work_count; i++) {
        works[i].bindings = COPY_LIST(redaction, works[i].bindings, works[i].binding_count, result);
    }
    pass->works = works;
}

/* Frames share what their template has: all that is rewritten is copied first. */
static enum fg_result copy_frame(struct fgi_redaction *redaction, struct fg_cap_frame *frame)
{
    enum fg_result result = FG_OK;
    frame->counters = COPY_LIST(redaction, frame->counters, frame->counter_count, &result);
    struct fg_cap_submission *submissions =
        COPY_LIST(redaction, frame->submissions, frame->submission_count, &result);
    for (size_t i = 0; submissions != NULL && i < frame->submission_count; i++) {
        struct fg_cap_submission *one = &submissions[i];
        one->waits = COPY_LIST(redaction, one->waits, one->wait_count, &result);
        one->signals = COPY_LIST(redaction, one->signals, one->signal_count, &result);
    }
    frame->submissions = submissions;
    struct fg_cap_gpu_pass *passes =
        COPY_LIST(redaction, frame->gpu_passes, frame->gpu_pass_count, &result);
    for (size_t i = 0; passes != NULL && i < frame->gpu_pass_count; i++) {
        copy_works(redaction, &passes[i], &result);
    }
    frame->gpu_passes = passes;
    return result;
}

enum fg_result fgi_redact_frame(struct fgi_redaction *redaction, const struct fg_cap_frame *frame,
                                struct fg_cap_frame *out_frame)
{
    *out_frame = *frame;
    enum fg_result result = copy_frame(redaction, out_frame);
    return result != FG_OK
               ? result
               : fgi_redact_fields(redaction, FG_CAPTURE_FRAM, fgi_fields_frame_visit, out_frame);
}

void fgi_redact_without_graph(struct fg_cap_frame *frame)
{
    struct fg_cap_gpu_pass *passes = (struct fg_cap_gpu_pass *)frame->gpu_passes; /* our copy */
    frame->topology = FG_CAP_NONE;
    frame->passes = NULL;
    frame->pass_count = 0;
    for (size_t i = 0; i < frame->gpu_pass_count; i++) {
        passes[i].gpu_pass = FG_CAP_NONE;
        passes[i].graph_pass = FG_CAP_NONE;
        passes[i].attachments = NULL; /* they name resources of the graph */
        passes[i].attachment_count = 0;
    }
}

/* ---- META ------------------------------------------------------------------------------------ */

static bool text_is(struct fg_cap_text text, const char *wanted)
{
    return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

/* What the recorder's device layer says of driver and adapter; all other settings are chosen. */
static bool is_device_setting(struct fg_cap_text key)
{
    static const char *const keys[] = { "adapter.kind", "driver.hint", "driver.query_reset",
                                        "driver.stamps", "driver.times" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (text_is(key, keys[i])) {
            return true;
        }
    }
    return false;
}

static enum fg_result keep_settings(struct fgi_redaction *redaction, struct fg_cap_meta *meta)
{
    enum fg_result result = FG_OK;
    struct fg_cap_pair *kept = COPY_LIST(redaction, meta->settings, meta->setting_count, &result);
    size_t count = 0;
    for (size_t i = 0; kept != NULL && i < meta->setting_count; i++) {
        if (is_device_setting(kept[i].key)) {
            kept[count++] = kept[i];
        }
    }
    meta->settings = kept;
    meta->setting_count = count;
    return result;
}

/* Extensions of the API have registered names; other features may be the application's own. */
static enum fg_result keep_features(struct fgi_redaction *redaction, struct fg_cap_meta *meta)
{
    enum fg_result result = FG_OK;
    struct fg_cap_text *kept = COPY_LIST(redaction, meta->features, meta->feature_count, &result);
    size_t count = 0;
    for (size_t i = 0; kept != NULL && i < meta->feature_count; i++) {
        if (kept[i].size > 3 && memcmp(kept[i].data, "VK_", 3) == 0) {
            kept[count++] = kept[i];
        }
    }
    meta->features = kept;
    meta->feature_count = count;
    return result;
}

/* "timestampValidBits.QUEUE": what follows the dot may be a queue's name. */
static enum fg_result rename_limit(struct fgi_redaction *redaction, struct fg_cap_limit *limit)
{
    const char *dot =
        limit->name.size != 0 ? memchr(limit->name.data, '.', limit->name.size) : NULL;
    if (dot == NULL) {
        return FG_OK;
    }
    size_t head = (size_t)(dot - limit->name.data) + 1;
    size_t tail = limit->name.size - head;
    if (tail == 1 && memchr("xyz", dot[1], 3) != NULL) {
        return FG_OK;
    }
    const char *alias;
    enum fg_result result =
        fgi_alias_text(&redaction->aliases, FGI_ALIAS_QUEUE, dot + 1, tail, &alias);
    size_t size = strlen(alias);
    char *name = result == FG_OK ? fgi_arena_alloc(&redaction->arena, head + size, 1) : NULL;
    if (name == NULL) {
        return result != FG_OK ? result : FG_ERR_NO_MEMORY;
    }
    memcpy(name, limit->name.data, head);
    memcpy(name + head, alias, size);
    limit->name = (struct fg_cap_text){ name, head + size };
    return FG_OK;
}

enum fg_result fgi_redact_meta(struct fgi_redaction *redaction, const struct fg_cap_meta *meta,
                               struct fg_cap_meta *out_meta)
{
    static const char producer[] = "Frameglass " FG_VERSION_STRING;
    enum fg_result result = FG_OK;
    struct fg_cap_limit *limits = COPY_LIST(redaction, meta->limits, meta->limit_count, &result);
    *out_meta = (struct fg_cap_meta){
        .level = meta->level,
        .development = meta->development,
        .producer = { producer, sizeof producer - 1 },
        .adapter_vendor = meta->adapter_vendor,
        .adapter_architecture = meta->adapter_architecture,
        .adapter_device = meta->adapter_device,
        .adapter_description = meta->adapter_description,
        .driver = meta->driver,
        .driver_version = meta->driver_version,
        .api = meta->api,
        .features = meta->features,
        .feature_count = meta->feature_count,
        .limits = limits,
        .limit_count = limits != NULL ? meta->limit_count : 0,
        .settings = meta->settings,
        .setting_count = meta->setting_count,
    };
    for (size_t i = 0; i < out_meta->limit_count && result == FG_OK; i++) {
        result = rename_limit(redaction, &limits[i]);
    }
    if (result == FG_OK) {
        result = keep_features(redaction, out_meta);
    }
    return result == FG_OK ? keep_settings(redaction, out_meta) : result;
}
