/* SPDX-License-Identifier: MIT */
/* A detailed capture: the tree in memory, the same in the capture, and nothing when it is off. */
#include <frameglass/detail.h>
#include <frameglass/open.h>
#include <frameglass/trace.h>
#include <frameglass/trace_span.h>
#include "../support/cmocka_all.h"
#include "../support/failing_memory.h"
#include "record_bed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- clock reads, counted -------------------------------------------------------------------- */

static unsigned clock_reads;

/* The program's own comes before that of libc. */
int clock_gettime(clockid_t clock, struct timespec *out)
{
    clock_reads++;
    return (int)syscall(SYS_clock_gettime, clock, out);
}

/* ---- a bed: a clock that moves when it is told ----------------------------------------------- */

struct setting {
    struct bed bed;
    struct fg_detail *detail;
};

static void open_setting(struct setting *setting, const struct fg_detail_options *options)
{
    bed_open(&setting->bed, NULL, NULL);
    assert_int_equal(fg_detail_create(options, &setting->detail), FG_OK);
}

static void close_setting(struct setting *setting)
{
    fg_detail_destroy(setting->detail);
    bed_close(&setting->bed);
}

static void spend(struct setting *setting, int64_t ns)
{
    fg_software_advance(setting->bed.device, ns);
}

static struct fg_nodes *begin_frame(struct setting *setting, uint32_t count)
{
    assert_int_equal(fg_detail_begin(setting->detail, setting->bed.session, count), FG_OK);
    bed_begin(&setting->bed, 1);
    struct fg_nodes *nodes = fg_detail_frame_begin(setting->detail);
    assert_non_null(nodes);
    return nodes;
}

static const struct fg_detail_tree *end_frame(struct setting *setting)
{
    assert_int_equal(fg_detail_frame_end(setting->detail), FG_OK);
    bed_end(&setting->bed);
    return fg_detail_get(setting->detail);
}

static void push(struct fg_nodes *nodes, uint64_t id, const char *name)
{
    fg_node_begin(nodes, &(const struct fg_node){ .id = id, .name = name });
}

/* ---- the capture, as readers see it ---------------------------------------------------------- */

struct reading {
    struct fg_memory_view view;
    struct fg_source source;
    struct fg_document *document;
    struct fg_trace *trace;
};

static void read_capture(struct reading *reading, struct setting *setting)
{
    assert_int_equal(fg_session_finish(setting->bed.session, SECOND_NS), FG_OK);
    size_t size;
    const void *bytes = fg_session_bytes(setting->bed.session, &size);
    reading->view = (struct fg_memory_view){ bytes, size };
    reading->source = fg_memory_source(&reading->view);
    assert_int_equal(fg_open_source(&reading->source, NULL, NULL, &reading->document), FG_OK);
    assert_int_equal(fg_document_load(reading->document, NULL), FG_OK);
    reading->trace = fg_document_trace(reading->document);
}

static const char *text(const struct reading *reading, uint32_t id)
{
    return fg_trace_text(reading->trace, id);
}

/* Spans of the track of this name, in stored order; how many. */
static uint32_t spans_of(const struct reading *reading, const char *track,
                         struct fg_trace_span *out, uint32_t capacity)
{
    uint32_t found = 0, count = 0;
    struct fg_trace_span span;
    for (uint32_t row = 0;
         fg_trace_spans(reading->trace, row, &span, 1, &count) == FG_OK && count == 1; row++) {
        const struct fg_trace_track *of = fg_trace_track(reading->trace, span.track);
        if (strcmp(text(reading, of->name), track) == 0 && found < capacity) {
            out[found++] = span;
        }
    }
    return found;
}

/* An argument as a number; -1 = it is not there. */
static double argument(const struct reading *reading, uint32_t row, const char *key)
{
    struct fg_trace_arg args[40];
    uint32_t count = 0;
    assert_int_equal(fg_trace_span_args(reading->trace, row, args, 40, &count), FG_OK);
    for (uint32_t i = 0; i < count && i < 40; i++) {
        if (strcmp(text(reading, args[i].key), key) == 0) {
            return args[i].kind == FG_ARG_DOUBLE ? args[i].value.real
                   : args[i].kind == FG_ARG_INT  ? (double)args[i].value.integer
                                                 : (double)args[i].value.natural;
        }
    }
    return -1;
}

static void assert_capture_is(const struct reading *reading, const struct fg_detail_tree *tree)
{
    struct fg_trace_span *spans = calloc(tree->node_count + 1, sizeof *spans);
    assert_non_null(spans);
    assert_int_equal(spans_of(reading, "nodes", spans, tree->node_count + 1), tree->node_count);
    bool *seen = calloc(tree->node_count, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        /* Equal begins are sorted by length: the node is known by its id, the frame has none. */
        const double id = argument(reading, spans[i].row, "id");
        const uint32_t index = id < 0 ? 0 : (uint32_t)id;
        const struct fg_node_cost *cost = &tree->nodes[index];
        assert_false(seen[index]);
        seen[index] = true;
        assert_string_equal(text(reading, spans[i].name), cost->name);
        assert_int_equal(spans[i].end_ns - spans[i].start_ns, cost->total_ns);
        assert_int_equal(spans[i].depth, cost->depth);
        assert_int_equal(spans[i].status,
                         (cost->flags & FG_NODE_UNCLOSED) != 0 ? FG_SPAN_FORCED : FG_SPAN_COMPLETE);
        assert_true(argument(reading, spans[i].row, "total ns") == (double)cost->total_ns);
        assert_true(argument(reading, spans[i].row, "self ns") == (double)cost->self_ns);
        assert_true(argument(reading, spans[i].row, "draws") == (double)cost->draws);
        assert_true(argument(reading, spans[i].row, "self draws") == (double)cost->self_draws);
        if (index != 0) {
            assert_true(argument(reading, spans[i].row, "culled") ==
                        (double)(cost->flags & FG_NODE_CULLED));
        }
    }
    free(seen);
    free(spans);
}

/* ---- a scene whose costs are known ----------------------------------------------------------- */

static void a_frame_is_told_by_its_nodes_in_memory_and_in_the_capture(void **state)
{
    (void)state;
    struct setting setting;
    struct reading reading;
    open_setting(&setting, NULL);
    const struct fg_node_attribute attributes[] = { { "fills", 2 }, { "blur radius", 2.5 } };
    struct fg_nodes *nodes = begin_frame(&setting, 1);
    spend(&setting, 5);
    fg_node_begin(nodes, &(const struct fg_node){ 1, "card", attributes, 2 });
    spend(&setting, 10);
    fg_node_draws(nodes, 1);
    push(nodes, 2, "label");
    spend(&setting, 20);
    fg_node_draws(nodes, 3);
    fg_node_end(nodes);
    push(nodes, 3, "icon");
    fg_node_culled(nodes);
    fg_node_end(nodes);
    spend(&setting, 40);
    fg_node_end(nodes);
    spend(&setting, 80);
    const struct fg_detail_tree *tree = end_frame(&setting);
    assert_int_equal(tree->node_count, 4);
    assert_int_equal(tree->culled_count, 1);
    assert_string_equal(tree->nodes[1].name, "card");
    assert_int_equal(tree->nodes[0].total_ns, 155);
    assert_int_equal(tree->nodes[0].self_ns, 85);
    assert_int_equal(tree->nodes[0].draws, 4);
    assert_int_equal(tree->nodes[1].begin_ns, 5);
    assert_int_equal(tree->nodes[1].total_ns, 70);
    assert_int_equal(tree->nodes[1].self_ns, 50);
    assert_int_equal(tree->nodes[1].draws, 4);
    assert_int_equal(tree->nodes[1].self_draws, 1);
    assert_int_equal(tree->nodes[2].draws, 3);
    assert_int_equal(tree->nodes[2].parent, 1);
    assert_int_equal(tree->nodes[3].flags, FG_NODE_CULLED);
    assert_int_equal(tree->nodes[1].attribute_count, 2);
    assert_false(fg_detail_is_on(setting.detail));
    assert_null(fg_detail_frame_begin(setting.detail));

    read_capture(&reading, &setting);
    assert_capture_is(&reading, tree);
    struct fg_trace_span spans[4];
    assert_int_equal(spans_of(&reading, "nodes", spans, 4), 4);
    assert_true(argument(&reading, spans[0].row, "nodes") == 3);
    assert_true(argument(&reading, spans[0].row, "culled nodes") == 1);
    assert_true(argument(&reading, spans[1].row, "fills") == 2);
    assert_true(argument(&reading, spans[1].row, "blur radius") == 2.5);
    assert_int_equal(spans[0].frame, 0); /* the frame in whose time it lies */
    fg_document_close(reading.document);
    close_setting(&setting);
}

static void nodes_that_are_not_closed_are_closed_by_the_frame_with_all_that_is_in_them(void **state)
{
    (void)state;
    struct setting setting;
    struct reading reading;
    open_setting(&setting, NULL);
    struct fg_nodes *nodes = begin_frame(&setting, 1);
    push(nodes, 1, "left open");
    spend(&setting, 7);
    push(nodes, 2, "inside");
    spend(&setting, 9);
    fg_node_draws(nodes, 2);
    fg_node_end(nodes);
    push(nodes, 3, "open too");
    spend(&setting, 11);
    const struct fg_detail_tree *tree = end_frame(&setting);
    assert_int_equal(tree->unclosed_count, 2);
    assert_int_equal(tree->nodes[1].flags, FG_NODE_UNCLOSED);
    assert_int_equal(tree->nodes[1].total_ns, 27);
    assert_int_equal(tree->nodes[1].self_ns, 7);
    assert_int_equal(tree->nodes[2].flags, 0);
    assert_int_equal(tree->nodes[2].draws, 2);
    assert_int_equal(tree->nodes[3].total_ns, 11);
    read_capture(&reading, &setting);
    assert_capture_is(&reading, tree);
    struct fg_trace_span spans[4];
    assert_int_equal(spans_of(&reading, "nodes", spans, 4), 4);
    assert_true(argument(&reading, spans[0].row, "nodes closed by the frame's end") == 2);
    fg_document_close(reading.document);
    close_setting(&setting);
}

static void equal_names_and_ids_nest_and_repeat(void **state)
{
    (void)state;
    struct setting setting;
    open_setting(&setting, NULL);
    struct fg_nodes *nodes = begin_frame(&setting, 1);
    for (int twice = 0; twice < 2; twice++) {
        push(nodes, 7, "group");
        push(nodes, 7, "group");
        spend(&setting, 3);
        fg_node_end(nodes);
        spend(&setting, 2);
        fg_node_end(nodes);
    }
    fg_node_end(nodes); /* one too many */
    const struct fg_detail_tree *tree = end_frame(&setting);
    assert_int_equal(tree->node_count, 5);
    assert_int_equal(tree->stray_ends, 1);
    for (uint32_t i = 1; i < 5; i += 2) {
        assert_int_equal(tree->nodes[i].total_ns, 5);
        assert_int_equal(tree->nodes[i].self_ns, 2);
        assert_int_equal(tree->nodes[i + 1].total_ns, 3);
        assert_int_equal(tree->nodes[i + 1].parent, i);
    }
    close_setting(&setting);
}

/* ---- which frames ---------------------------------------------------------------------------- */

static void a_burst_captures_as_many_frames_as_it_was_asked_for(void **state)
{
    (void)state;
    struct setting setting;
    struct reading reading;
    open_setting(&setting, NULL);
    assert_int_equal(fg_detail_begin(setting.detail, setting.bed.session, 3), FG_OK);
    for (int i = 0; i < 5; i++) {
        bed_begin(&setting.bed, 1);
        struct fg_nodes *nodes = fg_detail_frame_begin(setting.detail);
        assert_int_equal(nodes != NULL, i < 3);
        push(nodes, 1, "node");
        spend(&setting, 100);
        fg_node_end(nodes);
        assert_int_equal(fg_detail_frame_end(setting.detail), FG_OK);
        bed_end(&setting.bed);
    }
    assert_int_equal(fg_detail_get(setting.detail)->number, 2);
    read_capture(&reading, &setting);
    struct fg_trace_span spans[10];
    assert_int_equal(spans_of(&reading, "nodes", spans, 10), 6);
    assert_int_equal(spans[5].frame, 2);
    fg_document_close(reading.document);
    close_setting(&setting);
}

static void a_capture_without_a_session_is_in_memory(void **state)
{
    (void)state;
    struct fg_detail *detail;
    assert_int_equal(fg_detail_create(NULL, &detail), FG_OK);
    assert_null(fg_detail_get(detail));
    assert_int_equal(fg_detail_begin(detail, NULL, 0), FG_OK);
    for (int i = 0; i < 3; i++) {
        struct fg_nodes *nodes = fg_detail_frame_begin(detail);
        push(nodes, 1, "node");
        /* The end of the frame is forgotten twice: the next begin does it. */
    }
    fg_detail_end(detail);
    assert_true(fg_detail_is_on(detail));
    assert_int_equal(fg_detail_frame_end(detail), FG_OK);
    assert_false(fg_detail_is_on(detail));
    assert_int_equal(fg_detail_get(detail)->number, 2);
    assert_int_equal(fg_detail_get(detail)->node_count, 2);
    assert_int_equal(fg_detail_get(detail)->unclosed_count, 1);
    fg_detail_destroy(detail);
    fg_detail_destroy(NULL);
}

static void a_session_that_does_not_run_takes_nothing_and_memory_has_it(void **state)
{
    (void)state;
    struct setting setting;
    open_setting(&setting, NULL);
    struct fg_nodes *nodes = begin_frame(&setting, 2);
    push(nodes, 1, "node");
    fg_node_end(nodes);
    fg_session_stop(setting.bed.session);
    assert_int_equal(fg_detail_frame_end(setting.detail), FG_ERR_STATE);
    assert_int_equal(fg_detail_get(setting.detail)->node_count, 2);
    assert_int_equal(fg_detail_begin(setting.detail, setting.bed.session, 1), FG_ERR_STATE);
    assert_int_equal(fg_detail_begin(NULL, NULL, 1), FG_ERR_ARGUMENT);
    bed_end(&setting.bed);
    close_setting(&setting);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void what_finds_no_room_is_counted_and_its_cost_is_its_parents(void **state)
{
    (void)state;
    struct setting setting;
    struct reading reading;
    const struct fg_detail_options options = { .nodes_max = 2,
                                               .attributes_max = 1,
                                               .text_bytes_max = 16 };
    const struct fg_node_attribute attributes[] = { { "fills", 1 }, { "strokes", 1 } };
    open_setting(&setting, &options);
    struct fg_nodes *nodes = begin_frame(&setting, 1);
    fg_node_begin(nodes, &(const struct fg_node){ 1, "node", attributes, 2 });
    push(nodes, 2, "a name of more than the room");
    push(nodes, 3, "lost");
    push(nodes, 4, "lost in the lost");
    spend(&setting, 5);
    fg_node_draws(nodes, 1);
    fg_node_culled(nodes);
    fg_node_end(nodes);
    fg_node_end(nodes);
    spend(&setting, 3);
    fg_node_end(nodes);
    fg_node_end(nodes);
    const struct fg_detail_tree *tree = end_frame(&setting);
    assert_int_equal(tree->node_count, 3);
    assert_int_equal(tree->lost_nodes, 2);
    assert_int_equal(tree->lost_attributes, 1);
    assert_int_equal(tree->cut_names, 1);
    assert_int_equal(tree->stray_ends, 0);
    assert_int_equal(tree->unclosed_count, 0);
    assert_int_equal(tree->culled_count, 0);
    assert_int_equal(tree->nodes[2].self_ns, 8);
    assert_int_equal(tree->nodes[2].self_draws, 1);
    read_capture(&reading, &setting);
    assert_capture_is(&reading, tree);
    struct fg_trace_span spans[3];
    assert_int_equal(spans_of(&reading, "nodes", spans, 3), 3);
    assert_true(argument(&reading, spans[0].row, "nodes without room") == 2);
    struct fg_session_status status;
    fg_session_get_status(setting.bed.session, &status);
    assert_int_equal(status.dropped, 2);
    fg_document_close(reading.document);
    close_setting(&setting);
}

static void nodes_deeper_than_the_maximum_are_counted(void **state)
{
    (void)state;
    struct setting setting;
    open_setting(&setting, NULL);
    struct fg_nodes *nodes = begin_frame(&setting, 1);
    for (uint64_t i = 0; i < FG_NODE_DEPTH_MAX + 10; i++) {
        push(nodes, i + 1, "deep");
    }
    const struct fg_detail_tree *tree = end_frame(&setting);
    assert_int_equal(tree->node_count, FG_NODE_DEPTH_MAX + 1);
    assert_int_equal(tree->lost_nodes, 10);
    assert_int_equal(tree->unclosed_count, FG_NODE_DEPTH_MAX);
    close_setting(&setting);
}

static void a_frame_of_many_nodes_is_written_in_pieces(void **state)
{
    (void)state;
    struct setting setting;
    struct reading reading;
    open_setting(&setting, NULL);
    struct fg_node_attribute attributes[FG_NODE_ATTRIBUTES_MAX];
    for (uint32_t i = 0; i < FG_NODE_ATTRIBUTES_MAX; i++) {
        attributes[i] = (struct fg_node_attribute){ "weight", i };
    }
    struct fg_nodes *nodes = begin_frame(&setting, 1);
    for (uint64_t i = 1; i <= 1500; i++) {
        fg_node_begin(nodes, &(const struct fg_node){ i, "leaf", attributes, (uint32_t)(i % 17) });
        spend(&setting, (int64_t)(i % 3)); /* some of them take no time, and begin together */
        fg_node_end(nodes);
    }
    const struct fg_detail_tree *tree = end_frame(&setting);
    assert_int_equal(tree->node_count, 1501);
    read_capture(&reading, &setting);
    assert_capture_is(&reading, tree);
    fg_document_close(reading.document);
    close_setting(&setting);
}

/* ---- off is free ----------------------------------------------------------------------------- */

static uint64_t asked;
static uint64_t draws_of(void *context)
{
    asked++;
    return *(uint64_t *)context;
}

static void draws_of_a_counter_that_stops_or_starts_inside_never_go_back(void **state)
{
    (void)state;
    uint64_t draws = 1000;
    const struct fg_detail_options options = { .draws_so_far = draws_of, .draws_context = &draws };
    struct fg_detail *detail;
    assert_int_equal(fg_detail_create(&options, &detail), FG_OK);
    assert_int_equal(fg_detail_begin(detail, NULL, 1), FG_OK);
    struct fg_nodes *nodes = fg_detail_frame_begin(detail);
    push(nodes, 1, "outer");
    draws += 5;
    push(nodes, 2, "inner");
    draws = 0; /* it stops */
    fg_node_end(nodes);
    push(nodes, 3, "later");
    draws = 3; /* and counts again, from zero */
    fg_node_end(nodes);
    fg_node_end(nodes);
    assert_int_equal(fg_detail_frame_end(detail), FG_OK);
    const struct fg_detail_tree *tree = fg_detail_get(detail);
    assert_int_equal(tree->nodes[0].draws, 8);
    assert_int_equal(tree->nodes[1].draws, 8);
    assert_int_equal(tree->nodes[1].self_draws, 5);
    assert_int_equal(tree->nodes[2].draws, 0);
    assert_int_equal(tree->nodes[3].draws, 3);
    fg_detail_destroy(detail);
}

static void nothing_is_read_allocated_or_asked_while_no_frame_is_captured(void **state)
{
    (void)state;
    uint64_t draws = 0;
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    const struct fg_detail_options options = { .allocator = &allocator,
                                               .draws_so_far = draws_of,
                                               .draws_context = &draws };
    struct fg_detail *detail;
    assert_int_equal(fg_detail_create(&options, &detail), FG_OK);
    for (int on = 0; on < 2; on++) {
        assert_int_equal(on ? fg_detail_begin(detail, NULL, 1) : FG_OK, FG_OK);
        clock_reads = 0;
        asked = 0;
        memory.countdown = 0; /* whoever allocates is refused, and seen */
        memory.refused = false;
        struct fg_nodes *nodes = fg_detail_frame_begin(detail);
        for (int i = 0; i < 100; i++) {
            push(nodes, 1, "node");
            draws += 2;
            fg_node_culled(nodes);
            fg_node_end(nodes);
        }
        assert_int_equal(fg_detail_frame_end(detail), FG_OK);
        assert_false(memory.refused);
        assert_int_equal(asked, on ? 202 : 0);
        if (on) {
            assert_true(clock_reads >= 202); /* the count counts */
            assert_true(clock_reads <= 204);
            assert_int_equal(fg_detail_get(detail)->nodes[0].draws, 200);
            assert_int_equal(fg_detail_get(detail)->nodes[100].draws, 2);
        } else {
            assert_int_equal(clock_reads, 0);
        }
    }
    fg_detail_destroy(detail);
    assert_int_equal(memory.alive, 0);
}

static void memory_that_is_refused_at_the_creation_is_given_back(void **state)
{
    (void)state;
    enum fg_result result = FG_ERR_NO_MEMORY;
    long tries = 0;
    for (; result == FG_ERR_NO_MEMORY; tries++) {
        struct failing memory = { .countdown = tries };
        const struct fg_allocator allocator = failing_allocator(&memory);
        struct fg_detail *detail = NULL;
        result =
            fg_detail_create(&(const struct fg_detail_options){ .allocator = &allocator }, &detail);
        fg_detail_destroy(detail);
        assert_int_equal(memory.alive, 0);
    }
    assert_int_equal(result, FG_OK);
    assert_true(tries > 5);
    struct fg_detail *detail = NULL;
    assert_int_equal(
        fg_detail_create(&(const struct fg_detail_options){ .nodes_max = UINT32_MAX }, &detail),
        FG_ERR_LIMIT);
    assert_int_equal(fg_detail_create(NULL, NULL), FG_ERR_ARGUMENT);
}

/* ---- against a tree that is made by force ---------------------------------------------------- */

enum { EVENTS_MAX = 160 };
enum kind { BEGIN, END, WAIT, DRAW };
struct event {
    enum kind kind;
    int64_t amount;
};

static uint32_t random_below(uint64_t *seed, uint32_t bound)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % bound;
}

/* What lies in [begin event, its end): by counting begins and ends, from each begin anew. */
static size_t end_of(const struct event *events, size_t count, size_t begin)
{
    int open = 0;
    for (size_t i = begin; i < count; i++) {
        open += events[i].kind == BEGIN ? 1 : events[i].kind == END ? -1 : 0;
        if (open == 0) {
            return i;
        }
    }
    return count;
}

/* Sum of an amount over events [from, to), less what is inside of nodes there when `only_own`. */
static int64_t sum(const struct event *events, size_t count, size_t from, size_t to, enum kind kind,
                   const bool *is_kept, bool only_own)
{
    int64_t all = 0;
    for (size_t i = from; i < to; i++) {
        if (only_own && events[i].kind == BEGIN && is_kept[i]) {
            i = end_of(events, count, i);
            continue;
        }
        all += events[i].kind == kind ? events[i].amount : 0;
    }
    return all;
}

/* Random events, less ends of nothing: those are told apart, and counted. */
static size_t make_events(uint64_t *seed, struct event *events, uint32_t *out_strays,
                          size_t *out_stray_at)
{
    const size_t count = random_below(seed, EVENTS_MAX);
    uint32_t open = 0;
    size_t made = 0;
    *out_strays = 0;
    *out_stray_at = 0;
    for (size_t i = 0; i < count; i++) {
        const enum kind kind = (enum kind)random_below(seed, 4);
        if (kind == END && open == 0) {
            (*out_strays)++;
            *out_stray_at = made;
            continue;
        }
        open += kind == BEGIN ? 1u : kind == END ? (uint32_t)-1 : 0u;
        events[made++] = (struct event){ kind, random_below(seed, 3) };
    }
    return made;
}

static void play(struct setting *setting, struct fg_nodes *nodes, const struct event *event,
                 uint64_t *io_id)
{
    switch (event->kind) {
    case BEGIN:
        push(nodes, ++*io_id, "n");
        break;
    case END:
        fg_node_end(nodes);
        break;
    case WAIT:
        spend(setting, event->amount);
        break;
    case DRAW:
        fg_node_draws(nodes, (uint64_t)event->amount);
        break;
    }
}

static void check_tree(const struct fg_detail_tree *tree, const struct event *events, size_t count,
                       uint32_t room)
{
    bool is_kept[EVENTS_MAX] = { false };
    size_t lost_until = 0;
    uint32_t kept = 0, lost = 0, unclosed = 0;
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == BEGIN) {
            is_kept[i] = kept < room && i >= lost_until;
            lost_until = is_kept[i] || i < lost_until ? lost_until : end_of(events, count, i);
            kept += is_kept[i] ? 1 : 0;
            lost += is_kept[i] ? 0 : 1;
        }
    }
    assert_int_equal(tree->node_count, kept + 1);
    assert_int_equal(tree->lost_nodes, lost);
    uint32_t index = 0;
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind != BEGIN || !is_kept[i]) {
            continue;
        }
        const struct fg_node_cost *cost = &tree->nodes[++index];
        const size_t end = end_of(events, count, i);
        unclosed += end == count ? 1 : 0;
        assert_int_equal((cost->flags & FG_NODE_UNCLOSED) != 0, end == count);
        assert_int_equal(cost->total_ns, sum(events, count, i, end, WAIT, is_kept, false));
        assert_int_equal(cost->self_ns, sum(events, count, i + 1, end, WAIT, is_kept, true));
        assert_int_equal(cost->draws, sum(events, count, i, end, DRAW, is_kept, false));
        assert_int_equal(cost->self_draws, sum(events, count, i + 1, end, DRAW, is_kept, true));
        assert_int_equal(cost->begin_ns, sum(events, count, 0, i, WAIT, is_kept, false));
    }
    assert_int_equal(tree->unclosed_count, unclosed);
    assert_int_equal(tree->nodes[0].self_ns, sum(events, count, 0, count, WAIT, is_kept, true));
    assert_int_equal(tree->nodes[0].draws, sum(events, count, 0, count, DRAW, is_kept, false));
}

static void any_sequence_of_begins_and_ends_makes_the_tree_that_counting_makes(void **state)
{
    (void)state;
    uint64_t seed = 20;
    for (int round = 0; round < 300; round++) {
        struct setting setting;
        struct reading reading;
        struct event events[EVENTS_MAX];
        uint32_t strays;
        size_t stray_at;
        uint64_t id = 0;
        const uint32_t room = 1 + random_below(&seed, 60);
        const size_t count = make_events(&seed, events, &strays, &stray_at);
        open_setting(&setting, &(const struct fg_detail_options){ .nodes_max = room });
        struct fg_nodes *nodes = begin_frame(&setting, 1);
        for (size_t i = 0; i <= count; i++) {
            for (uint32_t k = 0; i == stray_at && k < strays; k++) {
                fg_node_end(nodes); /* nothing is open there */
            }
            if (i < count) {
                play(&setting, nodes, &events[i], &id);
            }
        }
        const struct fg_detail_tree *tree = end_frame(&setting);
        assert_int_equal(tree->stray_ends, strays);
        check_tree(tree, events, count, room);
        if (round % 10 == 0 && tree->lost_nodes == 0) { /* then ids are indices */
            read_capture(&reading, &setting);
            assert_capture_is(&reading, tree);
            fg_document_close(reading.document);
        }
        close_setting(&setting);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_told_by_its_nodes_in_memory_and_in_the_capture),
        cmocka_unit_test(
            nodes_that_are_not_closed_are_closed_by_the_frame_with_all_that_is_in_them),
        cmocka_unit_test(equal_names_and_ids_nest_and_repeat),
        cmocka_unit_test(a_burst_captures_as_many_frames_as_it_was_asked_for),
        cmocka_unit_test(a_capture_without_a_session_is_in_memory),
        cmocka_unit_test(a_session_that_does_not_run_takes_nothing_and_memory_has_it),
        cmocka_unit_test(what_finds_no_room_is_counted_and_its_cost_is_its_parents),
        cmocka_unit_test(nodes_deeper_than_the_maximum_are_counted),
        cmocka_unit_test(a_frame_of_many_nodes_is_written_in_pieces),
        cmocka_unit_test(draws_of_a_counter_that_stops_or_starts_inside_never_go_back),
        cmocka_unit_test(nothing_is_read_allocated_or_asked_while_no_frame_is_captured),
        cmocka_unit_test(memory_that_is_refused_at_the_creation_is_given_back),
        cmocka_unit_test(any_sequence_of_begins_and_ends_makes_the_tree_that_counting_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
