/* SPDX-License-Identifier: MIT */
/*
 * The nodes of a captured frame as spans of a track, with a list of arguments each (FORMAT.md, 7.3
 * and 7.4), a chunk at a time: so long does a frame of another thread wait.
 */
#include "record/detail_priv.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

#define FIRST_TRACK 0x20000u /* ids of tracks of nodes; those of loops are below */
#define EXACT_MAX   9007199254740992.0

/* ---- the track ------------------------------------------------------------------------------- */

/** Track of this name, stated when it is new. FG_CAP_NONE: that failed, or there are too many. */
static uint32_t track_of(struct fg_session *session, const char *name, size_t size)
{
    const uint32_t symbol = fgi_session_symbol(session, name, size);
    for (uint32_t i = 0; i < session->detail_track_count; i++) {
        if (session->detail_tracks[i] == symbol) {
            return FIRST_TRACK + i;
        }
    }
    const struct fg_cap_track track = {
        .id = FIRST_TRACK + session->detail_track_count,
        .kind = FG_CAP_TRACK_ASYNC,
        .process = FGI_PROCESS,
        .parent = FG_CAP_NONE,
        .clock = FGI_HOST_CLOCK,
        .name = symbol,
        .os_id = FG_CAP_UNKNOWN,
        .sort = FGI_DETAIL_TRACKS_MAX + session->detail_track_count, /* below those of loops */
    };
    if (session->detail_track_count == FGI_DETAIL_TRACKS_MAX || session->result != FG_OK ||
        !fgi_session_ok(session, fg_capture_writer_track(session->writer, &track))) {
        return FG_CAP_NONE;
    }
    session->detail_tracks[session->detail_track_count++] = symbol;
    return track.id;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/** A list in the making. */
struct list {
    struct fg_session *session;
    struct fgi_detail_chunk *chunk;
    struct fg_cap_argument *arguments;
    size_t count;
};

/** Keys are literals, or live as long: most are there again with the next node. */
static uint32_t key_symbol(struct list *list, const char *key)
{
    const size_t at = (size_t)fgi_mix64((uint64_t)(uintptr_t)key) % FGI_DETAIL_KEYS;
    if (list->chunk->keys[at].key != key) {
        list->chunk->keys[at].key = key;
        list->chunk->keys[at].symbol = fgi_session_symbol(list->session, key, strlen(key));
    }
    return list->chunk->keys[at].symbol;
}

/** Of the value, what the kind does not name is never looked at. */
static inline struct fg_cap_value *put(struct list *list, uint32_t key, uint32_t kind)
{
    struct fg_cap_argument *argument = &list->arguments[list->count++];
    argument->key = key;
    argument->value.kind = kind;
    return &argument->value;
}

static void put_count(struct list *list, uint32_t key, uint64_t count)
{
    put(list, key, FG_CAP_VALUE_UINT)->u = count;
}

static void put_time(struct list *list, uint32_t key, int64_t ns)
{
    put(list, key, FG_CAP_VALUE_INT)->i = ns;
}

/** Whole numbers are stored as such: they are read without a point. */
static void put_number(struct list *list, const char *key, double value)
{
    if (fabs(value) < EXACT_MAX && value == (double)(int64_t)value) {
        put_time(list, key_symbol(list, key), (int64_t)value);
    } else {
        put(list, key_symbol(list, key), FG_CAP_VALUE_F64)->f = value;
    }
}

static void put_some(struct list *list, const char *key, uint64_t count)
{
    if (count != 0) {
        put_count(list, key_symbol(list, key), count);
    }
}

#define FIXED_ARGUMENTS 12u /* most that a node has besides its attributes */

static void put_tree(struct list *list, const struct fg_detail_tree *tree)
{
    put_count(list, key_symbol(list, "nodes"), tree->node_count - 1);
    put_count(list, key_symbol(list, "culled nodes"), tree->culled_count);
    put_some(list, "nodes closed by the frame's end", tree->unclosed_count);
    put_some(list, "ends without a node", tree->stray_ends);
    put_some(list, "nodes without room", tree->lost_nodes);
    put_some(list, "attributes without room", tree->lost_attributes);
    put_some(list, "names without room", tree->cut_names);
}

static void put_arguments(struct list *list, const struct fg_detail_tree *tree,
                          const struct fg_node_cost *cost)
{
    const struct fgi_detail_chunk *chunk = list->chunk;
    if (cost->id != UINT64_MAX) {
        put_count(list, chunk->words.id, cost->id);
    }
    put_time(list, chunk->words.total_ns, cost->total_ns);
    put_time(list, chunk->words.self_ns, cost->self_ns);
    put_count(list, chunk->words.draws, cost->draws);
    put_count(list, chunk->words.self_draws, cost->self_draws);
    if (cost == tree->nodes) {
        put_tree(list, tree);
        return;
    }
    put(list, chunk->words.culled, FG_CAP_VALUE_BOOL)->u = (cost->flags & FG_NODE_CULLED) != 0;
    for (uint32_t i = 0; i < cost->attribute_count; i++) {
        put_number(list, cost->attributes[i].key, cost->attributes[i].value);
    }
}

/* ---- spans ----------------------------------------------------------------------------------- */

static struct fg_cap_block_span span_of(struct fg_session *session, uint32_t category,
                                        int64_t begin_ns, const struct fg_node_cost *cost)
{
    return (struct fg_cap_block_span){
        .begin_ticks = begin_ns + cost->begin_ns,
        .end_ticks = begin_ns + cost->begin_ns + cost->total_ns,
        .depth = cost->depth,
        .name = fgi_session_symbol(session, cost->name, strlen(cost->name)),
        .category = category,
        .flags = (cost->flags & FG_NODE_UNCLOSED) != 0 ? FG_CAP_BLOCK_SPAN_FORCED : 0u,
        .frame = FG_CAP_UNKNOWN,
        .object = FG_CAP_UNKNOWN,
    };
}

/**
 * Nodes come in the order of their begins, a parent before its children: only where a clock has
 * not moved between two siblings may the later one be the longer one.
 */
static void sort_spans(struct fgi_detail_chunk *chunk, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct fg_cap_block_span span = chunk->spans[i];
        const uint32_t node = chunk->nodes[i];
        size_t to = i;
        for (; to != 0 && chunk->spans[to - 1].begin_ticks == span.begin_ticks &&
               chunk->spans[to - 1].end_ticks < span.end_ticks;
             to--) {
            chunk->spans[to] = chunk->spans[to - 1];
            chunk->nodes[to] = chunk->nodes[to - 1];
        }
        chunk->spans[to] = span;
        chunk->nodes[to] = node;
    }
}

/** How many nodes from `first` on fit into a chunk; at least one does. */
static size_t chunk_size(const struct fg_detail_tree *tree, size_t first)
{
    size_t arguments = 0, count = 0;
    while (first + count < tree->node_count && count < FGI_DETAIL_CHUNK_NODES) {
        arguments += FIXED_ARGUMENTS + tree->nodes[first + count].attribute_count;
        if (arguments > FGI_DETAIL_CHUNK_ARGUMENTS) {
            break;
        }
        count++;
    }
    return count;
}

static void put_block(struct fg_session *session, uint32_t track, struct fgi_detail_chunk *chunk,
                      size_t count)
{
    const struct fg_cap_span_block block = {
        .id = session->next_block++,
        .track = track,
        .clock = FGI_HOST_CLOCK,
        .spans = chunk->spans,
        .span_count = count,
    };
    if (session->result == FG_OK) {
        (void)fgi_session_ok(session, fg_capture_writer_span_block(session->writer, &block));
    }
}

static void put_lists(struct fg_session *session, const struct fg_detail_tree *tree,
                      struct fgi_detail_chunk *chunk, size_t count)
{
    struct list list = { session, chunk, chunk->arguments, 0 };
    memset(chunk->keys, 0, sizeof chunk->keys);
    for (size_t i = 0; i < count; i++) {
        list.count = 0;
        put_arguments(&list, tree, &tree->nodes[chunk->nodes[i]]);
        chunk->lists[i] = (struct fg_cap_argument_list){
            .owner = { FG_CAP_REF_BLOCK_SPAN, session->next_block - 1, i },
            .arguments = list.arguments,
            .argument_count = list.count,
        };
        list.arguments += list.count;
    }
    const struct fg_cap_arguments arguments = { chunk->lists, count };
    if (session->result == FG_OK) {
        (void)fgi_session_ok(session, fg_capture_writer_arguments(session->writer, &arguments));
    }
}

static void write_chunk(struct fg_detail *detail, uint32_t track, size_t first, size_t count)
{
    struct fg_session *session = detail->session;
    struct fgi_detail_chunk *chunk = detail->chunk;
    const struct fg_nodes *nodes = &detail->nodes;
#define WORD(member, text)                                                                         \
    chunk->words.member = fgi_session_symbol(session, text, sizeof(text) - 1);
    FGI_DETAIL_WORDS(WORD)
#undef WORD
    for (size_t i = 0; i < count; i++) {
        chunk->nodes[i] = (uint32_t)(first + i);
        chunk->spans[i] =
            span_of(session, chunk->words.node, nodes->begin_ns, &nodes->costs[first + i]);
    }
    sort_spans(chunk, count);
    put_block(session, track, chunk, count);
    put_lists(session, &nodes->tree, chunk, count);
}

/** The losses of the frame, at its end. */
static void write_loss(struct fg_detail *detail, uint32_t track)
{
    struct fg_session *session = detail->session;
    const uint64_t lost = detail->nodes.tree.lost_nodes;
    const int64_t end_ns = detail->nodes.begin_ns + detail->nodes.costs[0].total_ns;
    if (lost == 0) {
        return;
    }
    session->dropped += lost;
    session->drops[FG_CAP_DROP_RING_FULL] += lost;
    detail->chunk->spans[0] = (struct fg_cap_block_span){
        .begin_ticks = end_ns,
        .end_ticks = end_ns,
        .flags = FG_CAP_BLOCK_SPAN_INSTANT | FG_CAP_BLOCK_SPAN_LOSS,
        .frame = FG_CAP_UNKNOWN,
        .object = FG_CAP_UNKNOWN,
        .value = lost < INT64_MAX ? (int64_t)lost : INT64_MAX,
    };
    put_block(session, track, detail->chunk, 1);
}

static bool takes_more(const struct fg_session *session)
{
    return fgi_session_is_running(session) && session->result == FG_OK;
}

/** The chunk from `*io_first` on, which moves behind it. With the lock. */
static enum fg_result write_next(struct fg_detail *detail, size_t *io_first)
{
    struct fg_session *session = detail->session;
    const struct fg_detail_tree *tree = &detail->nodes.tree;
    if (!takes_more(session)) {
        return session->result != FG_OK ? session->result : FG_ERR_STATE;
    }
    const uint32_t track = track_of(session, detail->track, detail->track_size);
    const size_t count = chunk_size(tree, *io_first);
    if (track == FG_CAP_NONE) {
        return session->result != FG_OK ? session->result : FG_ERR_LIMIT;
    }
    write_chunk(detail, track, *io_first, count);
    *io_first += count;
    if (*io_first == tree->node_count) {
        write_loss(detail, track);
    }
    fgi_session_check_limits(session);
    return session->result;
}

enum fg_result fgi_detail_write(struct fg_detail *detail)
{
    struct fg_session *session = detail->session;
    enum fg_result result = FG_OK;
    if (!fgi_recorder_is_ours(session->recorder)) {
        return FG_ERR_STATE;
    }
    for (size_t first = 0; first < detail->nodes.tree.node_count && result == FG_OK;) {
        fgi_session_lock(session);
        result = write_next(detail, &first);
        fgi_session_unlock(session);
    }
    return result;
}
