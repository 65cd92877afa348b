/* SPDX-License-Identifier: MIT */
#include "canvas_cache.h"

const char *cv_cache_state_name(enum cv_cache_state state)
{
    static const char *const names[] = { "hit", "record", "volatile", "none" };
    return names[state];
}

void cv_cache_finish(struct cv_cache *cache)
{
    cv_picture_finish(&cache->picture);
    cv_picture_finish(&cache->moving);
}

static const char *reason_to_record(const struct cv_cache *cache,
                                    const struct cv_document *document, uint32_t loose)
{
    if (!cache->is_recorded) {
        return "first frame";
    }
    if (cache->except != loose) {
        return loose == CV_NONE ? "a node came to rest" : "a node began to move";
    }
    return cache->version != document->version ? document->last_edit : NULL;
}

void cv_cache_look(struct cv_cache *cache, const struct cv_document *document, uint32_t loose)
{
    if (cache->is_off) {
        cache->state = CV_CACHE_NONE;
        cache->miss_reason = "switched off";
        return;
    }
    cache->miss_reason = reason_to_record(cache, document, loose);
    if (cache->miss_reason != NULL) {
        cache->state = CV_CACHE_RECORD;
    } else if (loose != CV_NONE) {
        cache->state = CV_CACHE_VOLATILE;
        cache->miss_reason = "a node moves";
    } else {
        cache->state = CV_CACHE_HIT;
    }
}

bool cv_cache_record(struct cv_cache *cache, const struct cv_document *document, uint32_t loose)
{
    cv_picture_record(&cache->picture, document, 0, loose);
    cache->is_recorded = !cache->picture.has_failed && cache->state != CV_CACHE_NONE;
    cache->version = document->version;
    cache->except = loose;
    return !cache->picture.has_failed;
}
