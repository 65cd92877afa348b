/* SPDX-License-Identifier: MIT */
/*
 * What nodes cost on the device: a timestamp where a node begins and where it ends, in order with
 * its draws. What lies between two of them is the innermost node's own time.
 */
#ifndef CANVAS_HEAT_TIMES_H
#define CANVAS_HEAT_TIMES_H
#include "canvas_gl.h"

#include <stdint.h>

struct fg_overdraw_costs;

enum { CV_HEAT_STAMPS_MAX = 1 << 13 };

struct cv_heat_times {
    PFNGLGENQUERIESPROC GenQueries;
    PFNGLDELETEQUERIESPROC DeleteQueries;
    PFNGLQUERYCOUNTERPROC QueryCounter;
    PFNGLGETQUERYIVPROC GetQueryiv;
    PFNGLGETQUERYOBJECTUIVPROC GetQueryObjectuiv;
    PFNGLGETQUERYOBJECTUI64VPROC GetQueryObjectui64v;
    uint32_t query_count, stamp_count;
    bool is_under_way;                   /**< stamps were made, and not yet taken */
    GLuint queries[CV_HEAT_STAMPS_MAX];  /**< made when they are needed */
    uint64_t owners[CV_HEAT_STAMPS_MAX]; /**< what the time from that stamp on belongs to */
    uint64_t stack[CV_HEAT_STAMPS_MAX];  /**< nodes that are open */
    uint32_t depth;
};

/** Whether the device can tell, and is no processor: then its times would measure nothing. */
bool cv_heat_times_init(struct cv_heat_times *times, const struct cv_gl *gl, cv_gl_getter *get,
                        bool trusts_software);
void cv_heat_times_finish(struct cv_heat_times *times);

void cv_heat_times_begin(struct cv_heat_times *times);
/** A node begins or ends. What finds no room is its surrounding's time. */
void cv_heat_times_push(struct cv_heat_times *times, uint64_t id);
void cv_heat_times_pop(struct cv_heat_times *times);
/** Tell what the nodes cost, when it is known. False: not yet. */
bool cv_heat_times_take(struct cv_heat_times *times, struct fg_overdraw_costs *costs);

#endif
