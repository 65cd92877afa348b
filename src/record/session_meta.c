/* SPDX-License-Identifier: MIT */
/* Metadata: collected until start, then written once. */
#include "record/session_priv.h"
#include "base/process.h"

#include <stdlib.h>
#include <string.h>

#define META_MAX 4096 /* entries of each list */

static char *keep_text(struct fg_session *session, const char *text)
{
    return fgi_arena_text(&session->texts, text, strlen(text));
}

static enum fg_result put_pair(struct fg_session *session, struct fgi_meta_pair **pairs,
                               size_t *count, size_t *capacity, const char *key, const char *text,
                               bool replace)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp((*pairs)[i].key, key) == 0) {
            char *value = replace ? keep_text(session, text) : (*pairs)[i].value;
            if (value == NULL) {
                return FG_ERR_NO_MEMORY;
            }
            (*pairs)[i].value = value;
            return FG_OK;
        }
    }
    enum fg_result result = fgi_grow(session->allocator, (void **)pairs, capacity, sizeof **pairs,
                                     *count + 1, META_MAX);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_meta_pair pair = { keep_text(session, key), keep_text(session, text) };
    if (pair.key == NULL || pair.value == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    (*pairs)[(*count)++] = pair;
    return FG_OK;
}

enum fg_result fgi_session_put_meta(struct fg_session *session, const char *key, const char *text)
{
    return put_pair(session, &session->meta, &session->meta_count, &session->meta_capacity, key,
                    text, true);
}

enum fg_result fgi_session_put_feature(struct fg_session *session, const char *name)
{
    for (size_t i = 0; i < session->feature_count; i++) {
        if (strcmp(session->features[i], name) == 0) {
            return FG_OK;
        }
    }
    enum fg_result result =
        FGI_GROW(session->allocator, session->features, session->feature_capacity,
                 session->feature_count + 1, META_MAX);
    if (result != FG_OK) {
        return result;
    }
    char *copy = keep_text(session, name);
    if (copy == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    session->features[session->feature_count++] = copy;
    return FG_OK;
}

static void describe_put(void *context, const char *key, const char *value)
{
    struct fg_session *session = context;
    bool is_limit = strncmp(key, "limit.", 6) == 0;
    enum fg_result result = is_limit ? put_pair(session, &session->limits, &session->limit_count,
                                                &session->limit_capacity, key + 6, value, false)
                                     : put_pair(session, &session->meta, &session->meta_count,
                                                &session->meta_capacity, key, value, false);
    (void)result; /* less is said of the device; the recording itself will fail if memory is out */
}

static void describe_feature(void *context, const char *name)
{
    (void)fgi_session_put_feature(context, name);
}

void fgi_session_describe_device(struct fg_session *session)
{
    struct fg_device *device = session->recorder->device;
    if (session->recorder->ops->describe != NULL) {
        session->recorder->ops->describe(device, describe_put, describe_feature, session);
    }
}

static int compare_pairs(const void *a, const void *b)
{
    return strcmp(((const struct fgi_meta_pair *)a)->key, ((const struct fgi_meta_pair *)b)->key);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/** Keys with a field of their own in META; all others are settings. */
static struct fg_cap_text *field_of(struct fg_cap_meta *meta, const char *key)
{
    const struct {
        const char *key;
        struct fg_cap_text *field;
    } fields[] = {
        { "program", &meta->program },
        { "note", &meta->note },
        { "engine.version", &meta->engine_version },
        { "engine.revision", &meta->engine_revision },
        { "engine.flags", &meta->build_flags },
        { "adapter.vendor", &meta->adapter_vendor },
        { "adapter.architecture", &meta->adapter_architecture },
        { "adapter.device", &meta->adapter_device },
        { "adapter.name", &meta->adapter_device },
        { "adapter.description", &meta->adapter_description },
        { "driver.name", &meta->driver },
        { "driver.version", &meta->driver_version },
        { "api", &meta->api },
        { "os", &meta->os },
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(fields[i].key, key) == 0) {
            return fields[i].field;
        }
    }
    return NULL;
}

static struct fg_cap_text text_of(const char *text)
{
    return (struct fg_cap_text){ text, strlen(text) };
}

static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1) {
        qsort(items, count, size, compare);
    }
}

/** 128 bits that no other recording has. */
static void make_session_id(struct fg_session *session, struct fg_cap_meta *meta)
{
    uint64_t id[2];
    if (fgi_random_bytes(id, sizeof id) != FG_OK) {
        id[0] = fgi_mix64((uint64_t)fgi_clock_wall_ns() ^ fgi_process_id());
        id[1] = fgi_mix64((uint64_t)fgi_clock_monotonic_ns() ^ (uint64_t)(uintptr_t)session);
    }
    meta->session_hi = id[0];
    meta->session_lo = id[1];
}

static uint32_t build_of(uint32_t flags)
{
    if ((flags & FG_SESSION_PRODUCTION) != 0) {
        return 1;
    }
    return (flags & FG_SESSION_DEVELOPMENT) != 0 ? 2 : 0;
}

enum fg_result fgi_session_write_meta(struct fg_session *session)
{
    enum fg_result result = FG_ERR_NO_MEMORY;
    const struct fg_allocator *allocator = session->allocator;
    size_t setting_room = session->meta_count + 1;
    size_t feature_room = session->feature_count + 1;
    size_t limit_room = session->limit_count + 1;
    struct fg_cap_pair *settings = fgi_calloc(allocator, setting_room, sizeof *settings);
    struct fg_cap_text *features = fgi_calloc(allocator, feature_room, sizeof *features);
    struct fg_cap_limit *limits = fgi_calloc(allocator, limit_room, sizeof *limits);
    if (settings == NULL || features == NULL || limits == NULL) {
        goto done;
    }
    struct fg_cap_meta meta = {
        .start_wall_ns = fgi_clock_wall_ns(),
        .level = session->level,
        .development = build_of(session->flags),
        .producer = text_of("Frameglass " FG_VERSION_STRING),
        .features = features,
        .limits = limits,
        .settings = settings,
    };
    make_session_id(session, &meta);
    sort(session->meta, session->meta_count, sizeof *session->meta, compare_pairs);
    sort(session->limits, session->limit_count, sizeof *session->limits, compare_pairs);
    sort(session->features, session->feature_count, sizeof *session->features, compare_texts);
    for (size_t i = 0; i < session->meta_count; i++) {
        struct fg_cap_text *field = field_of(&meta, session->meta[i].key);
        if (field != NULL) {
            *field = text_of(session->meta[i].value);
        } else {
            settings[meta.setting_count++] =
                (struct fg_cap_pair){ text_of(session->meta[i].key),
                                      text_of(session->meta[i].value) };
        }
    }
    for (size_t i = 0; i < session->feature_count; i++) {
        features[meta.feature_count++] = text_of(session->features[i]);
    }
    for (size_t i = 0; i < session->limit_count; i++) {
        limits[meta.limit_count++] =
            (struct fg_cap_limit){ text_of(session->limits[i].key),
                                   strtoull(session->limits[i].value, NULL, 10) };
    }
    result = fg_capture_writer_meta(session->writer, &meta);
done:
    fgi_free(allocator, settings, setting_room * sizeof *settings);
    fgi_free(allocator, features, feature_room * sizeof *features);
    fgi_free(allocator, limits, limit_room * sizeof *limits);
    return result;
}

void fgi_session_meta_finish(struct fg_session *session)
{
    fgi_free(session->allocator, session->meta, session->meta_capacity * sizeof *session->meta);
    fgi_free(session->allocator, session->limits,
             session->limit_capacity * sizeof *session->limits);
    fgi_free(session->allocator, session->features,
             session->feature_capacity * sizeof *session->features);
}
