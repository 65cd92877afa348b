/* SPDX-License-Identifier: MIT */
/*
 * P and the root's "samples": a stack at a time. A stack is a number into "stackFrames" (which may
 * come later), a list of texts, innermost first, or the event's own name. Profile and ProfileChunk
 * of Chrome's sampler are taken apart: each sample in them becomes one here.
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

#include <string.h>

/* Frames deeper than this are left out: a stack may name itself as its parent. */
enum { STACK_MAX = 1024 };

static const char *event_name(const struct fgi_chrome *c)
{
    return fg_trace_text(fgi_builder_trace(c->builder), c->event.name);
}

/* ---- frames ---------------------------------------------------------------------------------- */

void fgi_chrome_stack_frames(struct fgi_chrome *c, const char *text, size_t size)
{
    struct fgi_chrome_members members;
    struct fgi_json_item item, part;
    enum fgi_json_token token;
    fgi_chrome_members_begin(&members, c->allocator, text, size);
    while (fgi_chrome_members_next(&members, &item, &token)) {
        if (token != FGI_JSON_RAW || item.key == NULL) {
            continue;
        }
        struct fgi_chrome_frame frame = { .parent = FG_NONE };
        uint32_t id = fgi_chrome_id(c, item.key, item.key_size, item.key_flags);
        if (fgi_chrome_member(c, item.text, item.size, "name", &part, &token) &&
            token != FGI_JSON_RAW) {
            frame.name = fgi_chrome_text(c, part.text, part.size, part.flags);
        }
        if (fgi_chrome_member(c, item.text, item.size, "parent", &part, &token) &&
            token != FGI_JSON_RAW) {
            frame.parent = fgi_chrome_id(c, part.text, part.size, part.flags);
        }
        if (id != FG_NONE && FGI_CHROME_PUSH(c, c->frames, frame)) {
            fgi_builder_fail(c->builder,
                             fgi_map64_put(&c->frame_of, id, (uint32_t)c->frames.count - 1));
        }
    }
    fgi_chrome_members_end(&members);
}

/* ---- P --------------------------------------------------------------------------------------- */

/* A list of texts, or of frames' ids. */
static void add_listed_stack(struct fgi_chrome *c, int64_t ns, uint32_t track)
{
    struct fgi_chrome_members members;
    struct fgi_json_item item;
    enum fgi_json_token token;
    uint32_t frames[STACK_MAX];
    uint32_t count = 0;
    fgi_chrome_members_begin(&members, c->allocator, c->event.stack.text, c->event.stack.size);
    while (count < STACK_MAX && fgi_chrome_members_next(&members, &item, &token)) {
        if (token != FGI_JSON_RAW) {
            frames[count++] = fgi_chrome_text(c, item.text, item.size, item.flags);
        }
    }
    fgi_chrome_members_end(&members);
    fgi_builder_stack(c->builder, ns, track, 1, frames, count);
}

/* ---- Profile and ProfileChunk ---------------------------------------------------------------- */

static struct fgi_chrome_profile *profile_of(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    bool is_new = false;
    uint32_t index = fgi_chrome_pair(c, FGI_PAIR_PROFILE, e->pid, e->id, &is_new);
    if (is_new) {
        struct fgi_chrome_profile profile = {
            .thread = fgi_chrome_thread(c, e->pid, e->tid),
            .ns = fgi_chrome_round(e->ts),
            .index = index,
        };
        if (profile.thread == FG_NONE || !FGI_CHROME_PUSH(c, c->profiles, profile)) {
            return NULL;
        }
    }
    return index < c->profiles.count ? &c->profiles.items[index] : NULL;
}

/* The node of that number in that profile; FG_NONE: none. */
static uint32_t *node_slot(struct fgi_chrome *c, const struct fgi_chrome_profile *profile,
                           const struct fgi_json_item *id)
{
    bool is_new = false;
    uint32_t number = fgi_chrome_id(c, id->text, id->size, id->flags);
    uint32_t index = fgi_chrome_pair(c, FGI_PAIR_NODE, profile->index, number, &is_new);
    if (is_new && !FGI_CHROME_PUSH(c, c->node_of, FG_NONE)) {
        return NULL;
    }
    return index < c->node_of.count ? &c->node_of.items[index] : NULL;
}

static void add_node(struct fgi_chrome *c, const struct fgi_chrome_profile *profile,
                     const struct fgi_json_item *raw)
{
    struct fgi_json_item id, part;
    enum fgi_json_token token;
    struct fgi_chrome_node node = { .parent = FG_NONE, .first_frame = FG_NONE };
    if (!fgi_chrome_member(c, raw->text, raw->size, "id", &id, &token) || token == FGI_JSON_RAW) {
        return;
    }
    if (fgi_chrome_member(c, raw->text, raw->size, "parent", &part, &token) &&
        token != FGI_JSON_RAW) {
        const uint32_t *parent = node_slot(c, profile, &part);
        node.parent = parent != NULL ? *parent : FG_NONE;
    }
    if (fgi_chrome_member(c, raw->text, raw->size, "callFrame", &part, &token) &&
        token == FGI_JSON_RAW &&
        fgi_chrome_member(c, part.text, part.size, "functionName", &part, &token) &&
        token != FGI_JSON_RAW) {
        node.name = fgi_chrome_text(c, part.text, part.size, part.flags);
    }
    if (node.name == 0) {
        node.name = fgi_builder_cstr(c->builder, "(anonymous)");
    }
    uint32_t *slot = node_slot(c, profile, &id);
    if (slot != NULL && FGI_CHROME_PUSH(c, c->nodes, node)) {
        *slot = (uint32_t)c->nodes.count - 1;
    }
}

/* The stack of a node: of all samples in one node the same frames. */
static void add_node_sample(struct fgi_chrome *c, uint32_t track, int64_t ns, uint32_t index)
{
    struct fg_trace *trace = fgi_builder_trace(c->builder);
    struct fgi_chrome_node *node = &c->nodes.items[index];
    if (node->first_frame == FG_NONE) {
        uint32_t frames[STACK_MAX];
        uint32_t count = 0;
        for (uint32_t at = index; at != FG_NONE && count < STACK_MAX;
             at = c->nodes.items[at].parent) {
            frames[count++] = c->nodes.items[at].name;
        }
        node->first_frame = (uint32_t)trace->stack_frames.count;
        node->frame_count = count;
        fgi_builder_stack(c->builder, ns, track, 1, frames, count);
        return;
    }
    fgi_builder_stack(c->builder, ns, track, 1, NULL, 0);
    if (fgi_builder_result(c->builder) == FG_OK) {
        struct fg_trace_stack *stack = &trace->stacks.items[trace->stacks.count - 1];
        stack->first_frame = node->first_frame;
        stack->frame_count = node->frame_count;
    }
}

static void add_nodes(struct fgi_chrome *c, const struct fgi_chrome_profile *profile,
                      const struct fgi_json_item *raw)
{
    struct fgi_chrome_members members;
    struct fgi_json_item item;
    enum fgi_json_token token;
    fgi_chrome_members_begin(&members, c->allocator, raw->text, raw->size);
    while (fgi_chrome_members_next(&members, &item, &token)) {
        if (token == FGI_JSON_RAW) {
            add_node(c, profile, &item);
        }
    }
    fgi_chrome_members_end(&members);
}

/* Samples beside the times that passed before each. */
static void add_samples(struct fgi_chrome *c, struct fgi_chrome_profile *profile,
                        const struct fgi_json_item *samples, const struct fgi_json_item *deltas)
{
    struct fgi_chrome_members nodes, times;
    struct fgi_json_item item, delta;
    enum fgi_json_token token, delta_token;
    uint32_t track = fgi_chrome_track(c, profile->thread);
    fgi_chrome_members_begin(&nodes, c->allocator, samples->text, samples->size);
    fgi_chrome_members_begin(&times, c->allocator, deltas->text, deltas->size);
    while (track != FG_NONE && fgi_chrome_members_next(&nodes, &item, &token)) {
        struct fgi_decimal decimal;
        if (fgi_chrome_members_next(&times, &delta, &delta_token) &&
            fgi_chrome_decimal(&delta, delta_token, 3, &decimal)) {
            struct fgi_chrome_time now = fgi_chrome_add(
                (struct fgi_chrome_time){ .ns = profile->ns }, fgi_chrome_time_of(&decimal));
            profile->ns = fgi_chrome_round(now);
        }
        const uint32_t *node = token != FGI_JSON_RAW ? node_slot(c, profile, &item) : NULL;
        if (node != NULL && *node != FG_NONE) {
            add_node_sample(c, track, profile->ns, *node);
        } else {
            fgi_chrome_repair(c, "sample_without_stack");
        }
    }
    fgi_chrome_members_end(&nodes);
    fgi_chrome_members_end(&times);
}

static bool has_raw(struct fgi_chrome *c, const struct fgi_json_item *in, const char *key,
                    struct fgi_json_item *out_item)
{
    enum fgi_json_token token;
    return fgi_chrome_member(c, in->text, in->size, key, out_item, &token) && token == FGI_JSON_RAW;
}

/* False: there is nothing in it. */
static bool add_chunk(struct fgi_chrome *c)
{
    const struct fgi_json_item args = { .text = c->event.args.text, .size = c->event.args.size };
    struct fgi_json_item data, profile_data, part, deltas = { 0 };
    enum fgi_json_token token;
    struct fgi_decimal start;
    struct fgi_chrome_profile *profile = profile_of(c);
    if (profile == NULL || !has_raw(c, &args, "data", &data)) {
        return false;
    }
    if (fgi_chrome_member(c, data.text, data.size, "startTime", &part, &token) &&
        fgi_chrome_decimal(&part, token, 3, &start)) {
        profile->ns = fgi_chrome_round(fgi_chrome_time_of(&start));
    }
    if (!has_raw(c, &data, "cpuProfile", &profile_data)) {
        return strcmp(event_name(c), "Profile") == 0;
    }
    if (has_raw(c, &profile_data, "nodes", &part)) {
        add_nodes(c, profile, &part);
    }
    (void)(has_raw(c, &data, "timeDeltas", &deltas) ||
           has_raw(c, &profile_data, "timeDeltas", &deltas));
    if (has_raw(c, &profile_data, "samples", &part)) {
        add_samples(c, profile, &part, &deltas);
    }
    return true;
}

void fgi_chrome_sample_event(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    const char *name = event_name(c);
    uint32_t thread = fgi_chrome_thread(c, e->pid, e->tid);
    uint32_t track = fgi_chrome_track(c, thread);
    if (track == FG_NONE) {
        return;
    }
    if (strcmp(name, "Profile") == 0 || strcmp(name, "ProfileChunk") == 0) {
        fgi_builder_trace(c->builder)->info.other_events++;
        if (!add_chunk(c)) {
            fgi_chrome_repair(c, "profile_without_data");
        }
        return;
    }
    int64_t ns = fgi_chrome_start_ns(c, thread);
    if (e->stack.size > 0) {
        add_listed_stack(c, ns, track);
        return;
    }
    (void)FGI_CHROME_PUSH(c, c->samples,
                          (struct fgi_chrome_sample){ .ns = ns,
                                                      .weight = e->weight > 0 ? e->weight : 1,
                                                      .thread = thread,
                                                      .frame_id = e->stack_frame,
                                                      .name = e->name });
}

/* ---- the root's samples ---------------------------------------------------------------------- */

static void add_root_sample(struct fgi_chrome *c, const struct fgi_json_item *raw)
{
    struct fgi_chrome_sample sample = { .weight = 1, .frame_id = FG_NONE };
    struct fgi_chrome_members members;
    struct fgi_json_item item;
    enum fgi_json_token token;
    struct fgi_decimal decimal;
    uint32_t pid = FG_NONE, tid = FG_NONE;
    fgi_chrome_members_begin(&members, c->allocator, raw->text, raw->size);
    while (fgi_chrome_members_next(&members, &item, &token)) {
        if (token == FGI_JSON_RAW) {
            continue;
        }
        if (fgi_chrome_is_key(&item, "pid")) {
            pid = fgi_chrome_id(c, item.text, item.size, item.flags);
        } else if (fgi_chrome_is_key(&item, "tid")) {
            tid = fgi_chrome_id(c, item.text, item.size, item.flags);
        } else if (fgi_chrome_is_key(&item, "sf")) {
            sample.frame_id = fgi_chrome_id(c, item.text, item.size, item.flags);
        } else if (fgi_chrome_is_key(&item, "name")) {
            sample.name = fgi_chrome_text(c, item.text, item.size, item.flags);
        } else if (fgi_chrome_is_key(&item, "weight")) {
            (void)fgi_chrome_natural(&item, token, &sample.weight);
        } else if (fgi_chrome_is_key(&item, "ts") &&
                   fgi_chrome_decimal(&item, token, 3, &decimal)) {
            sample.ns = fgi_chrome_round(fgi_chrome_time_of(&decimal));
        }
    }
    fgi_chrome_members_end(&members);
    sample.thread = fgi_chrome_thread(c, pid, tid);
    if (fgi_chrome_track(c, sample.thread) != FG_NONE) {
        (void)FGI_CHROME_PUSH(c, c->samples, sample);
    }
}

void fgi_chrome_root_samples(struct fgi_chrome *c, const char *text, size_t size)
{
    struct fgi_chrome_members members;
    struct fgi_json_item item;
    enum fgi_json_token token;
    fgi_chrome_members_begin(&members, c->allocator, text, size);
    while (fgi_chrome_members_next(&members, &item, &token)) {
        if (token == FGI_JSON_RAW) {
            add_root_sample(c, &item);
        }
    }
    fgi_chrome_members_end(&members);
}

/* Frames may have come after the samples that name them. */
void fgi_chrome_finish_samples(struct fgi_chrome *c)
{
    for (size_t i = 0; i < c->samples.count && fgi_builder_result(c->builder) == FG_OK; i++) {
        const struct fgi_chrome_sample *sample = &c->samples.items[i];
        uint32_t frames[STACK_MAX];
        uint32_t count = 0, at;
        uint32_t id = sample->frame_id;
        while (count < STACK_MAX && id != FG_NONE && fgi_map64_get(&c->frame_of, id, &at)) {
            frames[count++] = c->frames.items[at].name;
            id = c->frames.items[at].parent;
        }
        if (count == 0) {
            if (sample->frame_id != FG_NONE) {
                fgi_chrome_repair_at(c, "sample_without_stack", 1, UINT64_MAX);
            }
            frames[count++] = sample->name;
        }
        fgi_builder_stack(c->builder, sample->ns, c->threads.items[sample->thread].track,
                          sample->weight, frames, count);
    }
}
