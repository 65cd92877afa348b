/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, one line each: `process;track;outer;inner self_ns`. The figure is the time that
 * complete spans of this stack had for themselves: their duration less the union of their direct
 * children. What separates in this format (a semicolon, a line feed) becomes a colon or a space.
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "convert/exporter_priv.h"
#include "convert/track_rows.h"
#include "trace/model.h"

#include <stdio.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 16 };

/* A stack of names: its innermost one on top of another stack. */
struct stack {
    uint32_t parent, name;
    uint64_t self_ns; /* saturates */
    bool is_told;     /* there is a complete span of it */
};

struct folded {
    const struct fgi_export *work;
    struct fgi_bytes out;
    struct fgi_map64 stack_of; /* by parent and name, of one track */
    FGI_TABLE(struct stack) stacks;
    FGI_TABLE(uint32_t) path; /* of the stack that is written, innermost first */
};

/* ---- figures --------------------------------------------------------------------------------- */

static enum fg_result find_stack(struct folded *folded, uint32_t parent, uint32_t name,
                                 uint32_t *out_stack)
{
    uint64_t key = (uint64_t)parent << 32 | name;
    if (fgi_map64_get(&folded->stack_of, key, out_stack)) {
        return FG_OK;
    }
    enum fg_result result = FGI_GROW(folded->work->allocator, folded->stacks.items,
                                     folded->stacks.capacity, folded->stacks.count + 1, FG_NONE);
    if (result == FG_OK) {
        *out_stack = (uint32_t)folded->stacks.count;
        result = fgi_map64_put(&folded->stack_of, key, *out_stack);
    }
    if (result == FG_OK) {
        folded->stacks.items[folded->stacks.count++] =
            (struct stack){ .parent = parent, .name = name };
    }
    return result;
}

static void add_self(struct stack *stack, uint64_t self_ns)
{
    stack->is_told = true;
    stack->self_ns = self_ns < UINT64_MAX - stack->self_ns ? stack->self_ns + self_ns : UINT64_MAX;
}

/* Children come by start: what they cover of their parent adds up as it goes. */
static void cover(const struct fgi_track_row *child, const struct fgi_track_row *parent,
                  int64_t *covered_to, uint64_t *covered_ns)
{
    int64_t from = child->start_ns > *covered_to ? child->start_ns : *covered_to;
    int64_t to = child->end_ns < parent->end_ns ? child->end_ns : parent->end_ns;
    if (to > from) {
        *covered_ns += (uint64_t)to - (uint64_t)from;
        *covered_to = to;
    }
}

static enum fg_result fold_rows(struct folded *folded, const struct fgi_track_row *rows,
                                uint32_t count, uint32_t *stack, int64_t *covered_to,
                                uint64_t *covered_ns)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = rows[i].parent;
        enum fg_result result = find_stack(folded, parent != FG_NONE ? stack[parent] : FG_NONE,
                                           rows[i].name, &stack[i]);
        if (result != FG_OK) {
            return result;
        }
        covered_to[i] = rows[i].start_ns;
        covered_ns[i] = 0;
        if (parent != FG_NONE) {
            cover(&rows[i], &rows[parent], &covered_to[parent], &covered_ns[parent]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].is_complete) {
            add_self(&folded->stacks.items[stack[i]],
                     fgi_duration(rows[i].start_ns, rows[i].end_ns) - covered_ns[i]);
        }
    }
    return FG_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_name(struct folded *folded, uint32_t text)
{
    const char *name = fg_trace_text(folded->work->trace, text);
    for (; *name != '\0'; name++) {
        char letter = *name == ';' ? ':' : *name == '\n' || *name == '\r' ? ' ' : *name;
        fgi_put_u8(&folded->out, (uint8_t)letter);
    }
}

static enum fg_result flush(struct folded *folded, size_t over_bytes)
{
    struct fgi_bytes *out = &folded->out;
    if (out->result != FG_OK || out->size <= over_bytes) {
        return out->result;
    }
    const struct fg_sink *sink = folded->work->sink;
    enum fg_result result = sink->write(sink->context, out->data, out->size);
    fgi_bytes_clear(out);
    return result;
}

static enum fg_result put_stack(struct folded *folded, const struct fg_trace_track *track,
                                uint32_t index)
{
    const struct fg_trace *trace = folded->work->trace;
    const struct fg_trace_process *process = fg_trace_process(trace, track->process);
    char figure[32];
    folded->path.count = 0;
    for (uint32_t at = index; at != FG_NONE; at = folded->stacks.items[at].parent) {
        enum fg_result result = FGI_GROW(folded->work->allocator, folded->path.items,
                                         folded->path.capacity, folded->path.count + 1, FG_NONE);
        if (result != FG_OK) {
            return result;
        }
        folded->path.items[folded->path.count++] = folded->stacks.items[at].name;
    }
    put_name(folded, process != NULL ? process->name : 0);
    fgi_put_u8(&folded->out, ';');
    put_name(folded, track->name);
    for (size_t i = folded->path.count; i-- > 0;) {
        fgi_put_u8(&folded->out, ';');
        put_name(folded, folded->path.items[i]);
    }
    (void)snprintf(figure, sizeof figure, " %llu\n",
                   (unsigned long long)folded->stacks.items[index].self_ns);
    fgi_put_raw(&folded->out, figure, strlen(figure));
    return flush(folded, FLUSH_BYTES);
}

static enum fg_result fold_track(struct folded *folded, uint32_t track)
{
    const struct fg_allocator *allocator = folded->work->allocator;
    const struct fg_trace_track *about = fg_trace_track(folded->work->trace, track);
    struct fgi_track_row *rows = NULL;
    uint32_t count = 0;
    enum fg_result result = fgi_track_rows(folded->work, track, &rows, &count);
    if (result != FG_OK) {
        return result;
    }
    size_t room = count + (size_t)1;
    uint32_t *stack = fgi_malloc(allocator, room * sizeof *stack);
    int64_t *covered_to = fgi_malloc(allocator, room * sizeof *covered_to);
    uint64_t *covered_ns = fgi_malloc(allocator, room * sizeof *covered_ns);
    folded->stacks.count = 0;
    fgi_map64_finish(&folded->stack_of);
    folded->stack_of = (struct fgi_map64){ .allocator = allocator };
    result = stack != NULL && covered_to != NULL && covered_ns != NULL
                 ? fold_rows(folded, rows, count, stack, covered_to, covered_ns)
                 : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < folded->stacks.count && result == FG_OK; i++) {
        if (folded->stacks.items[i].is_told) {
            result = put_stack(folded, about, i);
        }
    }
    fgi_free(allocator, covered_ns, room * sizeof *covered_ns);
    fgi_free(allocator, covered_to, room * sizeof *covered_to);
    fgi_free(allocator, stack, room * sizeof *stack);
    fgi_free(allocator, rows, room * sizeof *rows);
    return result;
}

static enum fg_result write_folded(const struct fgi_export *work)
{
    struct folded folded = { .work = work, .out = { .allocator = work->allocator } };
    struct fg_trace_info info;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    fg_trace_get_info(work->trace, &info);
    for (uint32_t i = 0; i < info.tracks && result == FG_OK; i++) {
        result = fold_track(&folded, i);
        done += fg_trace_track(work->trace, i)->span_count;
        if (work->progress != NULL && !work->progress(work->progress_context, done, info.spans)) {
            result = result == FG_OK ? FG_ERR_CANCELLED : result;
        }
    }
    if (result == FG_OK) {
        result = flush(&folded, 0);
    }
    fgi_map64_finish(&folded.stack_of);
    fgi_free(work->allocator, folded.stacks.items,
             folded.stacks.capacity * sizeof *folded.stacks.items);
    fgi_free(work->allocator, folded.path.items, folded.path.capacity * sizeof *folded.path.items);
    fgi_bytes_finish(&folded.out);
    return result;
}

const struct fgi_exporter fgi_exporter_folded = {
    .name = "folded",
    .about = "one line for each stack of spans and its self time, for flame graphs",
    .write = write_folded,
};
