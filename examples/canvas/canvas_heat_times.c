/* SPDX-License-Identifier: MIT */
#include "canvas_heat_times.h"

#include <frameglass/overdraw.h>

#include <string.h>

enum { QUERIES_STEP = 256 };
static const uint64_t nobody = UINT64_MAX;

bool cv_heat_times_init(struct cv_heat_times *times, const struct cv_gl *gl, cv_gl_getter *get,
                        bool trusts_software)
{
    static const char *const software[] = { "llvmpipe", "softpipe", "SwiftShader" };
    const char *name = (const char *)gl->GetString(GL_RENDERER);
    GLint bits = 0;
    for (size_t i = 0; i < sizeof(software) / sizeof(software[0]) && !trusts_software; i++) {
        if (name == NULL || strstr(name, software[i]) != NULL) {
            return false;
        }
    }
    times->GenQueries = (PFNGLGENQUERIESPROC)get("glGenQueries");
    times->DeleteQueries = (PFNGLDELETEQUERIESPROC)get("glDeleteQueries");
    times->QueryCounter = (PFNGLQUERYCOUNTERPROC)get("glQueryCounter");
    times->GetQueryiv = (PFNGLGETQUERYIVPROC)get("glGetQueryiv");
    times->GetQueryObjectuiv = (PFNGLGETQUERYOBJECTUIVPROC)get("glGetQueryObjectuiv");
    times->GetQueryObjectui64v = (PFNGLGETQUERYOBJECTUI64VPROC)get("glGetQueryObjectui64v");
    if (times->GenQueries == NULL || times->DeleteQueries == NULL || times->QueryCounter == NULL ||
        times->GetQueryiv == NULL || times->GetQueryObjectuiv == NULL ||
        times->GetQueryObjectui64v == NULL) {
        return false;
    }
    times->GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    return bits > 0;
}

void cv_heat_times_finish(struct cv_heat_times *times)
{
    if (times->query_count > 0) {
        times->DeleteQueries((GLsizei)times->query_count, times->queries);
    }
}

void cv_heat_times_begin(struct cv_heat_times *times)
{
    times->stamp_count = 0;
    times->depth = 0;
    times->is_under_way = true;
}

/** From here on time belongs to the innermost node. */
static void stamp(struct cv_heat_times *times)
{
    if (times->stamp_count == CV_HEAT_STAMPS_MAX) {
        return;
    }
    if (times->stamp_count == times->query_count) {
        times->GenQueries(QUERIES_STEP, times->queries + times->query_count);
        times->query_count += QUERIES_STEP;
    }
    times->QueryCounter(times->queries[times->stamp_count], GL_TIMESTAMP);
    times->owners[times->stamp_count++] =
        times->depth > 0 ? times->stack[times->depth - 1] : nobody;
}

void cv_heat_times_push(struct cv_heat_times *times, uint64_t id)
{
    if (times->depth < CV_HEAT_STAMPS_MAX) {
        times->stack[times->depth++] = id;
        stamp(times);
    }
}

void cv_heat_times_pop(struct cv_heat_times *times)
{
    if (times->depth > 0) {
        times->depth--;
        stamp(times);
    }
}

bool cv_heat_times_take(struct cv_heat_times *times, struct fg_overdraw_costs *costs)
{
    GLuint is_there = GL_TRUE;
    GLuint64 before = 0;
    if (!times->is_under_way) {
        return true;
    }
    for (uint32_t i = times->stamp_count; i > 0 && is_there; i--) {
        times->GetQueryObjectuiv(times->queries[i - 1], GL_QUERY_RESULT_AVAILABLE, &is_there);
    }
    if (!is_there) {
        return false;
    }
    for (uint32_t i = 0; i < times->stamp_count; i++) {
        GLuint64 now = 0;
        times->GetQueryObjectui64v(times->queries[i], GL_QUERY_RESULT, &now);
        if (i > 0 && times->owners[i - 1] != nobody && now > before) {
            fg_overdraw_costs_add(costs, times->owners[i - 1], FG_OVERDRAW_GPU,
                                  (int64_t)(now - before));
        }
        before = now;
    }
    times->is_under_way = false;
    return true;
}
