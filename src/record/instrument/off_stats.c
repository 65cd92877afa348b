/* SPDX-License-Identifier: MIT */
/* Level OFF: metrics, frames, sources, objects and snapshots are there, and do nothing. */
#include "base/alloc.h"
#include <frameglass/instrument.h>
#include <frameglass/object.h>

struct fg_metric fg_metric_register(const struct fg_metric_desc *desc)
{
    (void)desc;
    return (struct fg_metric){ 0 };
}

void fg_metric_add(struct fg_metric metric, int64_t amount)
{
    (void)metric;
    (void)amount;
}

void fg_gauge_set(struct fg_metric metric, int64_t value)
{
    (void)metric;
    (void)value;
}

void fg_gauge_add(struct fg_metric metric, int64_t amount)
{
    (void)metric;
    (void)amount;
}

enum fg_result fg_loop_create(const char *name, struct fg_loop **out_loop)
{
    (void)name;
    return out_loop == NULL ? FG_ERR_ARGUMENT : FG_ERR_UNSUPPORTED;
}

void fg_loop_destroy(struct fg_loop *loop)
{
    (void)loop;
}

bool fg_loop_begin(struct fg_loop *loop)
{
    (void)loop;
    return false;
}

bool fg_loop_end(struct fg_loop *loop)
{
    (void)loop;
    return false;
}

void fg_loop_waited(struct fg_loop *loop, int64_t duration_ns)
{
    (void)loop;
    (void)duration_ns;
}

struct fg_loop_scope fg_loop_scope_begin(struct fg_loop *loop)
{
    return (struct fg_loop_scope){ loop, 0 };
}

void fg_loop_scope_end(struct fg_loop_scope *scope)
{
    (void)scope;
}

uint32_t fg_metric_source_add(fg_metric_source *source, void *context)
{
    (void)source;
    (void)context;
    return 0;
}

void fg_metric_source_remove(uint32_t registration)
{
    (void)registration;
}

struct fg_object fg_object_create(const struct fg_object_desc *desc)
{
    (void)desc;
    return (struct fg_object){ 0 };
}

bool fg_object_update(struct fg_object object, const struct fg_object_desc *desc)
{
    (void)object;
    (void)desc;
    return false;
}

bool fg_object_destroy(struct fg_object *object)
{
    (void)object;
    return false;
}

enum fg_result fg_snapshot_take(uint32_t parts, struct fg_snapshot **out_snapshot)
{
    (void)parts;
    if (out_snapshot == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_snapshot *snapshot = fgi_calloc(NULL, 1, sizeof *snapshot);
    if (snapshot == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    snapshot->build_mode = fg_instrument_build_mode();
    snapshot->mode = fg_instrument_mode();
    *out_snapshot = snapshot;
    return FG_OK;
}

void fg_snapshot_free(struct fg_snapshot *snapshot)
{
    fgi_free(NULL, snapshot, sizeof *snapshot);
}
