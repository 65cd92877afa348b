/* SPDX-License-Identifier: MIT */
/*
 * When the picture of the document is good, and when it must be recorded again. A node that is
 * dragged is volatile: the picture is recorded once without it, stays good while it moves, and the
 * node is drawn over it from a small picture of its own.
 */
#ifndef CANVAS_CACHE_H
#define CANVAS_CACHE_H
#include "canvas_picture.h"

enum cv_cache_state {
    CV_CACHE_HIT,      /**< the picture is drawn as it is */
    CV_CACHE_RECORD,   /**< it was recorded for this frame; `miss_reason` */
    CV_CACHE_VOLATILE, /**< it is good, but for the node that is drawn over it */
    CV_CACHE_NONE,     /**< it is switched off: recorded for each frame, and forgotten */
};
/** "hit", ... */
const char *cv_cache_state_name(enum cv_cache_state state);

struct cv_cache {
    bool is_off;
    struct cv_picture picture, moving;
    bool is_recorded; /**< the picture is of `version`, without `except` */
    uint64_t version;
    uint32_t except;
    enum cv_cache_state state;
    const char *miss_reason; /**< a literal; NULL with a hit */
};
void cv_cache_finish(struct cv_cache *cache);
/** Decide what this frame needs. @param loose the volatile node; CV_NONE */
void cv_cache_look(struct cv_cache *cache, const struct cv_document *document, uint32_t loose);
/** After CV_CACHE_RECORD or CV_CACHE_NONE. False: no memory; it is tried again. */
bool cv_cache_record(struct cv_cache *cache, const struct cv_document *document, uint32_t loose);

#endif
