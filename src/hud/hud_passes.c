/* SPDX-License-Identifier: MIT */
/* Passes by their path, each with a ring of its last frames: what stops fades, and leaves. */
#include "hud/hud_priv.h"

#include "base/hash.h"

#include <string.h>

void fgi_hud_passes_reset(struct fgi_hud_passes *passes)
{
    memset(passes->rows, 0, passes->max * sizeof *passes->rows);
    passes->count = 0;
    passes->frame = 0;
    passes->open_count = 0;
    passes->refused_depth = 0;
    passes->refused = 0;
    passes->unclosed = 0;
}

/** Where in the order a new pass of this parent goes: behind all that lies in the parent. */
static uint32_t order_position(const struct fgi_hud_passes *passes, uint32_t parent)
{
    uint32_t at = 0;
    if (parent == FGI_HUD_NO_PASS) {
        return passes->count;
    }
    while (passes->order[at] != parent) {
        at++;
    }
    at++;
    while (at < passes->count &&
           passes->rows[passes->order[at]].depth > passes->rows[parent].depth) {
        at++;
    }
    return at;
}

static uint32_t add_row(struct fgi_hud_passes *passes, uint32_t parent, uint64_t path,
                        const char *name)
{
    uint32_t index = 0;
    if (passes->count == passes->max) {
        passes->refused++;
        return FGI_HUD_REFUSED;
    }
    while (passes->rows[index].is_used) {
        index++;
    }
    struct fgi_hud_pass *row = &passes->rows[index];
    memset(row, 0, sizeof *row);
    row->path = path;
    row->parent = parent;
    row->depth = parent == FGI_HUD_NO_PASS ? 0 : passes->rows[parent].depth + 1;
    row->now_ns = -1;
    row->last_ns = -1;
    row->is_used = true;
    fgi_hud_copy_name(row->name, sizeof row->name, name);
    const uint32_t at = order_position(passes, parent);
    memmove(&passes->order[at + 1], &passes->order[at],
            (passes->count - at) * sizeof passes->order[0]);
    passes->order[at] = index;
    passes->count++;
    return index;
}

/** The pass of this name in `parent`, which may be none; what lies in a refused one is refused. */
static uint32_t find_row(struct fgi_hud_passes *passes, uint32_t parent, const char *name)
{
    if (parent == FGI_HUD_REFUSED) {
        passes->refused++;
        return FGI_HUD_REFUSED;
    }
    if (name == NULL) {
        name = "";
    }
    const uint64_t seed = parent == FGI_HUD_NO_PASS ? 0 : passes->rows[parent].path;
    const uint64_t path = fgi_hash64(seed, name, strlen(name));
    for (uint32_t i = 0; i < passes->count; i++) {
        const struct fgi_hud_pass *row = &passes->rows[passes->order[i]];
        if (row->path == path && row->parent == parent) {
            return passes->order[i];
        }
    }
    return add_row(passes, parent, path, name);
}

/** The pass ran; for an unknown time when it is negative. */
static void run_row(struct fgi_hud_passes *passes, uint32_t index, int64_t ns)
{
    if (index == FGI_HUD_REFUSED) {
        return;
    }
    struct fgi_hud_pass *row = &passes->rows[index];
    if (row->now_ns < 0) {
        row->now_ns = 0;
    }
    if (ns > 0) {
        row->now_ns +=
            ns < FGI_HUD_LONGEST_NS - row->now_ns ? ns : FGI_HUD_LONGEST_NS - row->now_ns;
    }
}

void fgi_hud_passes_add(struct fgi_hud_passes *passes, const struct fg_hud_pass *list, size_t count)
{
    uint32_t path[FGI_HUD_PASS_DEPTH];
    uint32_t depth = 0; /* of the next one, at most */
    for (size_t i = 0; i < count; i++) {
        if (list[i].depth < depth) {
            depth = list[i].depth;
        }
        if (depth == FGI_HUD_PASS_DEPTH) {
            passes->refused++;
            continue;
        }
        path[depth] =
            find_row(passes, depth == 0 ? FGI_HUD_NO_PASS : path[depth - 1], list[i].name);
        run_row(passes, path[depth], list[i].ns);
        depth++;
    }
}

static void end_open(struct fgi_hud_passes *passes, int64_t now_ns)
{
    passes->open_count--;
    run_row(passes, passes->open[passes->open_count].pass,
            fgi_hud_span(passes->open[passes->open_count].begin_ns, now_ns));
}

static void remove_row(struct fgi_hud_passes *passes, uint32_t at)
{
    passes->rows[passes->order[at]].is_used = false;
    passes->count--;
    memmove(&passes->order[at], &passes->order[at + 1],
            (passes->count - at) * sizeof passes->order[0]);
}

void fgi_hud_passes_end_frame(struct fgi_hud_passes *passes, int64_t now_ns)
{
    passes->unclosed += passes->open_count + passes->refused_depth;
    passes->refused_depth = 0;
    while (passes->open_count > 0) {
        end_open(passes, now_ns);
    }
    const uint32_t slot = (uint32_t)(passes->frame % FG_HUD_PASS_FRAMES);
    passes->frame++;
    /* From the end: a pass that leaves takes what lay in it along, which ran no later than it. */
    for (uint32_t at = passes->count; at-- > 0;) {
        struct fgi_hud_pass *row = &passes->rows[passes->order[at]];
        const int64_t ns = row->now_ns > 0 ? row->now_ns : 0;
        if (row->now_ns >= 0) {
            row->last_run = passes->frame;
        }
        row->sum_ns += ns - row->ring[slot];
        row->ring[slot] = ns;
        row->last_ns = row->now_ns;
        row->now_ns = -1;
        if (passes->frame - row->last_run >= FG_HUD_PASS_FRAMES) {
            remove_row(passes, at);
        }
    }
}

int64_t fgi_hud_pass_mean(const struct fgi_hud_passes *passes, uint32_t index)
{
    const int64_t frames =
        passes->frame < FG_HUD_PASS_FRAMES ? (int64_t)passes->frame : FG_HUD_PASS_FRAMES;
    return frames > 0 ? (passes->rows[index].sum_ns + frames / 2) / frames : 0;
}

void fg_hud_pass_begin(struct fg_hud *hud, const char *name)
{
    if (hud == NULL || !hud->is_enabled) {
        return;
    }
    struct fgi_hud_passes *passes = &hud->passes;
    if (passes->open_count == FGI_HUD_PASS_DEPTH) {
        passes->refused++;
        passes->refused_depth++;
        return;
    }
    const uint32_t parent =
        passes->open_count == 0 ? FGI_HUD_NO_PASS : passes->open[passes->open_count - 1].pass;
    passes->open[passes->open_count].pass = find_row(passes, parent, name);
    passes->open[passes->open_count].begin_ns = fgi_hud_now(hud);
    passes->open_count++;
}

void fg_hud_pass_end(struct fg_hud *hud)
{
    if (hud == NULL || !hud->is_enabled) {
        return;
    }
    if (hud->passes.refused_depth > 0) {
        hud->passes.refused_depth--;
    } else if (hud->passes.open_count == 0) {
        hud->passes.unclosed++;
    } else {
        end_open(&hud->passes, fgi_hud_now(hud));
    }
}

size_t fg_hud_get_passes(const struct fg_hud *hud, struct fg_hud_pass_row *rows, size_t capacity)
{
    if (hud == NULL || !hud->is_enabled || rows == NULL) {
        return 0;
    }
    const uint32_t count = capacity < hud->passes.count ? (uint32_t)capacity : hud->passes.count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = hud->passes.order[i];
        const struct fgi_hud_pass *row = &hud->passes.rows[index];
        rows[i] = (struct fg_hud_pass_row){ .name = row->name,
                                            .depth = row->depth,
                                            .mean_ns = fgi_hud_pass_mean(&hud->passes, index),
                                            .last_ns = row->last_ns };
    }
    return count;
}
