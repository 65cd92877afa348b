/* SPDX-License-Identifier: MIT */
/* Wrappers of draw entry points: everything is forwarded, counted once, and put back. */
#define VK_NO_PROTOTYPES
#include "base/thread.h"
#include "gpu/draws/draws_opengl_list.h"
#include "gpu/draws/draws_priv.h"
#include "gpu/draws/draws_vulkan_list.h"
#include <frameglass/draw_counter.h>
#include <vulkan/vulkan_core.h>
#include "../support/cmocka_all.h"
#include "../support/failing_memory.h"

#include <string.h>

/* ---- every entry point, from the same lists: an original that notes what it is given ---- */

enum { WORDS_MAX = 16 };

static struct {
    const char *name;
    size_t count;
    uint64_t words[WORDS_MAX];
    size_t calls;
} seen;

static void note(const char *name, const uint64_t *words, size_t count)
{
    seen.name = name;
    seen.count = count;
    memcpy(seen.words, words, count * sizeof *words);
    seen.calls++;
}

/* EACH(f, a, b, c) is f(a) f(b) f(c): up to 16. */
#define EACH1(f, a)                                                     f(a)
#define EACH2(f, a, ...)                                                f(a) EACH1(f, __VA_ARGS__)
#define EACH3(f, a, ...)                                                f(a) EACH2(f, __VA_ARGS__)
#define EACH4(f, a, ...)                                                f(a) EACH3(f, __VA_ARGS__)
#define EACH5(f, a, ...)                                                f(a) EACH4(f, __VA_ARGS__)
#define EACH6(f, a, ...)                                                f(a) EACH5(f, __VA_ARGS__)
#define EACH7(f, a, ...)                                                f(a) EACH6(f, __VA_ARGS__)
#define EACH8(f, a, ...)                                                f(a) EACH7(f, __VA_ARGS__)
#define EACH9(f, a, ...)                                                f(a) EACH8(f, __VA_ARGS__)
#define EACH10(f, a, ...)                                               f(a) EACH9(f, __VA_ARGS__)
#define EACH11(f, a, ...)                                               f(a) EACH10(f, __VA_ARGS__)
#define EACH12(f, a, ...)                                               f(a) EACH11(f, __VA_ARGS__)
#define EACH13(f, a, ...)                                               f(a) EACH12(f, __VA_ARGS__)
#define EACH14(f, a, ...)                                               f(a) EACH13(f, __VA_ARGS__)
#define EACH15(f, a, ...)                                               f(a) EACH14(f, __VA_ARGS__)
#define EACH16(f, a, ...)                                               f(a) EACH15(f, __VA_ARGS__)
#define PICK(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, name, ...) name
#define EACH(f, ...)                                                                               \
    PICK(__VA_ARGS__, EACH16, EACH15, EACH14, EACH13, EACH12, EACH11, EACH10, EACH9, EACH8, EACH7, \
         EACH6, EACH5, EACH4, EACH3, EACH2, EACH1, )                                               \
    (f, __VA_ARGS__)
#define WORD(a)       (uint64_t)(a),
#define SIZE(a)       sizeof(a),
#define WORDS_OF(...) EACH(WORD, __VA_ARGS__)
#define SIZES_OF(...) EACH(SIZE, __VA_ARGS__)

static const size_t *sizes;
static size_t size_count;

#define ORIGINAL(i, name, parameters, arguments, counted)                                          \
    static void original_##name parameters                                                         \
    {                                                                                              \
        const uint64_t words[] = { WORDS_OF arguments };                                           \
        note(#name, words, sizeof words / sizeof *words);                                          \
    }                                                                                              \
    static void sizes_##name parameters                                                            \
    {                                                                                              \
        static const size_t of_arguments[] = { SIZES_OF arguments };                               \
        sizes = of_arguments;                                                                      \
        size_count = sizeof of_arguments / sizeof *of_arguments;                                   \
    }
FGI_DRAWS_OPENGL(ORIGINAL, 0)
FGI_DRAWS_VULKAN(ORIGINAL, 0)

typedef void (*function)(void);
struct point {
    const char *name;
    function original;
    function tell_sizes;
};
static const struct point points[] = {
#define GL_POINT(i, name, parameters, arguments, counted)                                          \
    { "gl" #name, (function)original_##name, (function)sizes_##name },
#define VK_POINT(i, name, parameters, arguments, counted)                                          \
    { "vk" #name, (function)original_##name, (function)sizes_##name },
    FGI_DRAWS_OPENGL(GL_POINT, 0) FGI_DRAWS_VULKAN(VK_POINT, 0)
};
enum { POINTS = sizeof points / sizeof *points };

/* A dispatch table with all of them. */
static function table[POINTS];
static struct fg_draw_slot slots[POINTS];

static void fill_table(void)
{
    memset(&seen, 0, sizeof seen);
    for (size_t i = 0; i < POINTS; i++) {
        table[i] = points[i].original;
        slots[i] = (struct fg_draw_slot){ points[i].name, (void **)(void *)&table[i] };
    }
}

static function slot_of(const char *name)
{
    for (size_t i = 0; i < POINTS; i++) {
        if (strcmp(points[i].name, name) == 0) {
            return table[i];
        }
    }
    fail_msg("%s is not in the table", name);
    return NULL;
}

/** Every argument is a word of its own to a caller on the machines that this is tested on. */
static void call_with_words(function called, const uint64_t *w)
{
    typedef uint64_t u;
    ((void (*)(u, u, u, u, u, u, u, u, u, u, u, u, u, u, u, u))called)(
        w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13],
        w[14], w[15]);
}

static struct fg_draw_counter *create_counter(void)
{
    struct fg_draw_counter *counter = NULL;
    assert_int_equal(fg_draw_counter_create(NULL, slots, POINTS, &counter), FG_OK);
    return counter;
}

static void every_entry_point_forwards_all_its_arguments(void **state)
{
    static uint64_t zeros[WORDS_MAX][512]; /* for pointers: wrappers look at counts */
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    for (size_t i = 0; i < POINTS; i++) {
        uint64_t words[WORDS_MAX];
        assert_true(table[i] != points[i].original);
        points[i].tell_sizes();
        for (size_t w = 0; w < WORDS_MAX; w++) {
            bool wide = w < size_count && sizes[w] == 8;
            words[w] = wide ? (uint64_t)(uintptr_t)zeros[w] : w + 3;
        }
        size_t calls = seen.calls;
        call_with_words(table[i], words);
        assert_int_equal(seen.calls, calls + 1);
        assert_string_equal(seen.name, points[i].name + 2);
        assert_int_equal(seen.count, size_count);
        for (size_t w = 0; w < size_count; w++) {
            assert_int_equal(seen.words[w], words[w]);
        }
    }
    struct fg_draw_counts counts;
    fg_draw_counter_take(counter, &counts);
    assert_int_equal(counts.calls + counts.dispatches + counts.traces, POINTS);
    assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    for (size_t i = 0; i < POINTS; i++) {
        assert_true(table[i] == points[i].original);
    }
    fg_draw_counter_destroy(counter);
}

/* ---- what is counted ---- */

static void assert_counts(struct fg_draw_counter *counter, struct fg_draw_counts expected)
{
    struct fg_draw_counts counts;
    fg_draw_counter_take(counter, &counts);
    assert_int_equal(counts.calls, expected.calls);
    assert_int_equal(counts.draws, expected.draws);
    assert_int_equal(counts.vertices, expected.vertices);
    assert_int_equal(counts.indices, expected.indices);
    assert_int_equal(counts.instances, expected.instances);
    assert_int_equal(counts.unsized_draws, expected.unsized_draws);
    assert_int_equal(counts.uncounted_calls, expected.uncounted_calls);
    assert_int_equal(counts.uncounted_draws_max, expected.uncounted_draws_max);
    assert_int_equal(counts.dispatches, expected.dispatches);
    assert_int_equal(counts.workgroups, expected.workgroups);
    assert_int_equal(counts.traces, expected.traces);
}
#define COUNTS(...) ((struct fg_draw_counts){ __VA_ARGS__ })

#define GL(name, types, ...) ((void(*) types)slot_of("gl" #name))(__VA_ARGS__)
#define VK(name, ...)        ((PFN_vk##name)slot_of("vk" #name))(__VA_ARGS__)

static void draw_arrays(int count)
{
    GL(DrawArrays, (unsigned, int, int), 4, 0, count);
}

static void calls_of_opengl_are_counted_as_what_they_draw(void **state)
{
    static const int some[] = { 3, 0, -1, 5 };
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    draw_arrays(36);
    GL(DrawArraysInstanced, (unsigned, int, int, int), 4, 0, 6, 10);
    assert_counts(counter, COUNTS(.calls = 2, .draws = 2, .vertices = 96, .instances = 11));
    GL(DrawElements, (unsigned, int, unsigned, const void *), 4, 30, 0x1405, NULL);
    GL(DrawRangeElements, (unsigned, unsigned, unsigned, int, unsigned, const void *), 4, 0, 9, 12,
       0x1405, NULL);
    GL(DrawElementsInstancedBaseVertexBaseInstance,
       (unsigned, int, unsigned, const void *, int, int, unsigned), 4, 6, 0x1405, NULL, 4, 1, 2);
    assert_counts(counter, COUNTS(.calls = 3, .draws = 3, .indices = 66, .instances = 6));
    GL(MultiDrawArrays, (unsigned, const int *, const int *, int), 4, some, some, 4);
    GL(MultiDrawElements, (unsigned, const int *, unsigned, const void *const *, int), 4, some,
       0x1405, NULL, 4);
    assert_counts(counter,
                  COUNTS(.calls = 2, .draws = 8, .vertices = 8, .indices = 8, .instances = 8));
    GL(DrawArraysIndirect, (unsigned, const void *), 4, NULL);
    GL(MultiDrawElementsIndirect, (unsigned, unsigned, const void *, int, int), 4, 0x1405, NULL, 7,
       0);
    GL(MultiDrawArraysIndirectCount, (unsigned, const void *, intptr_t, int, int), 4, NULL, 0, 50,
       0);
    GL(DrawTransformFeedbackInstanced, (unsigned, unsigned, int), 4, 1, 3);
    assert_counts(counter, COUNTS(.calls = 4, .draws = 10, .instances = 3, .unsized_draws = 10,
                                  .uncounted_calls = 1, .uncounted_draws_max = 50));
    GL(DispatchCompute, (unsigned, unsigned, unsigned), 8, 4, 2);
    GL(DispatchComputeIndirect, (intptr_t), 0);
    assert_counts(counter, COUNTS(.dispatches = 2, .workgroups = 64));
    draw_arrays(-1); /* GL calls it an error; the call was made */
    assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .instances = 1));
    assert_counts(counter, COUNTS(0));
    fg_draw_counter_destroy(counter);
    assert_true(slot_of("glDrawArrays") == (function)original_DrawArrays);
}

static void calls_of_vulkan_are_counted_as_what_they_draw(void **state)
{
    static const VkMultiDrawInfoEXT draws[] = { { 0, 3 }, { 3, 6 } };
    static const VkMultiDrawIndexedInfoEXT indexed[] = { { 0, 9, 0 }, { 9, 12, 0 } };
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkBuffer buffer = VK_NULL_HANDLE;
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    VK(CmdDraw, commands, 3, 2, 0, 0);
    VK(CmdDrawIndexed, commands, 36, 5, 0, 0, 0);
    assert_counts(counter,
                  COUNTS(.calls = 2, .draws = 2, .vertices = 6, .indices = 180, .instances = 7));
    VK(CmdDrawMultiEXT, commands, 2, draws, 2, 0, sizeof *draws);
    VK(CmdDrawMultiIndexedEXT, commands, 2, indexed, 1, 0, sizeof *indexed, NULL);
    assert_counts(counter,
                  COUNTS(.calls = 2, .draws = 4, .vertices = 18, .indices = 21, .instances = 6));
    VK(CmdDrawIndirect, commands, buffer, 0, 20, 16);
    VK(CmdDrawIndexedIndirectCountKHR, commands, buffer, 0, buffer, 0, 30, 20);
    VK(CmdDrawMeshTasksEXT, commands, 4, 4, 1);
    assert_counts(counter, COUNTS(.calls = 3, .draws = 22, .unsized_draws = 22,
                                  .uncounted_calls = 1, .uncounted_draws_max = 30));
    VK(CmdDispatchBase, commands, 1, 1, 1, 3, 2, 1);
    VK(CmdDispatchIndirect, commands, buffer, 0);
    VK(CmdTraceRaysKHR, commands, NULL, NULL, NULL, NULL, 64, 64, 1);
    assert_counts(counter, COUNTS(.dispatches = 2, .workgroups = 6, .traces = 1));
    fg_draw_counter_destroy(counter);
}

static void a_pause_is_the_threads_own_and_ends_with_the_counting(void **state)
{
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    fg_draw_counter_pause(counter); /* not enabled: nothing happens */
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    draw_arrays(3);
    fg_draw_counter_pause(counter);
    draw_arrays(3);
    fg_draw_counter_pause(counter);
    fg_draw_counter_resume(counter);
    draw_arrays(3);
    fg_draw_counter_resume(counter);
    draw_arrays(3);
    assert_int_equal(seen.calls, 4);
    assert_counts(counter, COUNTS(.calls = 2, .draws = 2, .vertices = 6, .instances = 2));
    fg_draw_counter_pause(counter);
    assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    draw_arrays(3);
    fg_draw_counter_resume(counter); /* of a pause that is over */
    draw_arrays(3);
    assert_counts(counter, COUNTS(.calls = 2, .draws = 2, .vertices = 6, .instances = 2));
    fg_draw_counter_destroy(counter);
}

static void a_resume_without_a_pause_is_none(void **state)
{
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    fg_draw_counter_pause(counter);
    fg_draw_counter_resume(counter);
    fg_draw_counter_resume(counter); /* one too many, of this very counting */
    draw_arrays(3);
    assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
    fg_draw_counter_pause(counter); /* and is no credit either */
    draw_arrays(3);
    fg_draw_counter_resume(counter);
    assert_counts(counter, COUNTS(0));
    fg_draw_counter_destroy(counter);
}

static void of_no_counter_nothing_is_known(void **state)
{
    struct fg_draw_counts counts = { .draws = 7 };
    (void)state;
    fg_draw_counter_destroy(NULL);
    fg_draw_counter_pause(NULL);
    fg_draw_counter_resume(NULL);
    assert_int_equal(fg_draw_counter_enable(NULL), FG_ERR_ARGUMENT);
    assert_int_equal(fg_draw_counter_disable(NULL), FG_OK);
    assert_true(fg_draw_counter_total(NULL) == 0);
    fg_draw_counter_take(NULL, &counts);
    assert_true(counts.draws == 0);
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    draw_arrays(3);
    fg_draw_counter_take(counter, NULL); /* nothing is taken */
    assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
    fg_draw_counter_destroy(counter);
}

static size_t wrapped_slots(void)
{
    size_t count = 0;
    for (size_t i = 0; i < POINTS; i++) {
        count += table[i] != points[i].original;
    }
    return count;
}

static void a_counter_that_is_off_wraps_no_slot_and_allocates_nothing(void **state)
{
    (void)state;
    struct failing memory = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&memory);
    struct fg_draw_counter *counter = NULL;
    fill_table();
    assert_int_equal(fg_draw_counter_create(&allocator, slots, POINTS, &counter), FG_OK);
    memory.countdown = 0; /* whoever allocates from here on is refused, and seen */
    memory.stays = true;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(wrapped_slots(), 0);
        draw_arrays(3);
        assert_int_equal(seen.calls, 1);
        assert_counts(counter, COUNTS(0));
        assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
        assert_int_equal(wrapped_slots(), POINTS); /* the count counts */
        assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
        seen.calls = 0;
    }
    assert_false(memory.refused);
    fg_draw_counter_destroy(counter);
    assert_int_equal(memory.alive, 0);
}

static void counts_that_were_not_taken_outlive_the_wrappers(void **state)
{
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    draw_arrays(3);
    assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    draw_arrays(3);
    assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
    assert_counts(counter, COUNTS(0));
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    assert_counts(counter, COUNTS(0));
    fg_draw_counter_destroy(counter);
}

static void the_total_grows_whatever_is_taken_and_starts_anew(void **state)
{
    struct fg_draw_counts counts;
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_total(NULL), 0);
    assert_int_equal(fg_draw_counter_total(counter), 0);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
        assert_int_equal(fg_draw_counter_total(counter), 0);
        for (uint64_t i = 1; i <= 5; i++) {
            draw_arrays(3);
            assert_int_equal(fg_draw_counter_total(counter), i);
            fg_draw_counter_take(counter, &counts);
            assert_int_equal(counts.draws, 1);
        }
        assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
        draw_arrays(3);
        assert_int_equal(fg_draw_counter_total(counter), 0);
    }
    fg_draw_counter_destroy(counter);
}

/* ---- slots ---- */

static void a_stranger(unsigned mode, int first, int count)
{
    (void)mode;
    (void)first;
    (void)count;
}

static void four_counters_share_a_slot_and_the_fifth_is_refused(void **state)
{
    struct fg_draw_counter *counters[5];
    (void)state;
    fill_table();
    for (int i = 0; i < 5; i++) {
        counters[i] = create_counter();
        assert_int_equal(fg_draw_counter_enable(counters[i]), i < 4 ? FG_OK : FG_ERR_LIMIT);
    }
    draw_arrays(3);
    assert_int_equal(seen.calls, 1);
    for (int i = 0; i < 4; i++) {
        assert_counts(counters[i], COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
    }
    /* In the wrong order the inner ones only forward, until it is their turn. */
    assert_int_equal(fg_draw_counter_disable(counters[1]), FG_ERR_BUSY);
    draw_arrays(3);
    assert_int_equal(seen.calls, 2);
    assert_counts(counters[1], COUNTS(0));
    assert_counts(counters[0], COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
    assert_int_equal(fg_draw_counter_disable(counters[3]), FG_OK);
    assert_int_equal(fg_draw_counter_disable(counters[2]), FG_OK);
    assert_int_equal(fg_draw_counter_disable(counters[1]), FG_OK);
    assert_int_equal(fg_draw_counter_disable(counters[0]), FG_OK);
    assert_true(slot_of("glDrawArrays") == (function)original_DrawArrays);
    assert_int_equal(fg_draw_counter_enable(counters[4]), FG_OK);
    for (int i = 0; i < 5; i++) {
        fg_draw_counter_destroy(counters[i]);
    }
    assert_true(slot_of("glDrawArrays") == (function)original_DrawArrays);
}

static void what_somebody_else_put_into_a_slot_is_left_there(void **state)
{
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    void **slot = slots[0].function; /* glDrawArrays */
    void *wrapper = *slot;
    *slot = (void *)(uintptr_t)a_stranger;
    assert_int_equal(fg_draw_counter_disable(counter), FG_ERR_BUSY);
    assert_ptr_equal(*slot, (void *)(uintptr_t)a_stranger);
    assert_true(table[1] == points[1].original);
    /* The stranger may still call the wrapper: it forwards and does not count. */
    ((void (*)(unsigned, int, int))(uintptr_t)wrapper)(4, 0, 3);
    assert_int_equal(seen.calls, 1);
    assert_counts(counter, COUNTS(0));
    *slot = wrapper; /* the stranger leaves */
    assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    assert_true(table[0] == points[0].original);
    fg_draw_counter_destroy(counter);
}

static void a_table_that_the_application_wrote_anew_is_counted_again(void **state)
{
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter();
    for (int round = 0; round < 6; round++) { /* more than there are places */
        assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
        table[0] = points[0].original; /* as a loader does, a second time */
        assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
        assert_int_equal(wrapped_slots(), 0);
        assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
        draw_arrays(3);
        assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
        assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    }
    /* Of another context: nobody knows whether that function leads to the wrapper. */
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    table[0] = (function)a_stranger;
    assert_int_equal(fg_draw_counter_disable(counter), FG_ERR_BUSY);
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    draw_arrays(3);
    assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
    assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    assert_true(table[0] == (function)a_stranger);
    fg_draw_counter_destroy(counter);
}

static void a_kept_wrapper_that_comes_back_never_calls_itself(void **state)
{
    (void)state;
    fill_table();
    struct fg_draw_counter *counter = create_counter(), *other = create_counter();
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    const function inner = table[0];
    assert_int_equal(fg_draw_counter_enable(other), FG_OK);
    const function outer = table[0];
    assert_int_equal(fg_draw_counter_disable(other), FG_OK);
    assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
    for (int i = 0; i < 2; i++) {
        table[0] = i == 0 ? inner : outer;
        seen.calls = 0;
        assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
        draw_arrays(3);
        assert_int_equal(seen.calls, 1);
        assert_counts(counter, COUNTS(.calls = 1, .draws = 1, .vertices = 3, .instances = 1));
        assert_int_equal(fg_draw_counter_disable(counter), FG_OK);
        assert_int_equal(wrapped_slots(), 0);
    }
    fg_draw_counter_destroy(other);
    fg_draw_counter_destroy(counter);
}

static void missing_functions_stay_missing_and_other_names_are_skipped(void **state)
{
    function clear = (function)a_stranger;
    function again = (function)original_DrawArrays;
    const struct fg_draw_slot odd[] = { { "glClear", (void **)(void *)&clear },
                                        slots[0],
                                        slots[1],
                                        { "glDrawArrays", (void **)(void *)&again } };
    struct fg_draw_counter *counter = NULL;
    (void)state;
    fill_table();
    table[1] = NULL;
    assert_true(fg_draw_counter_knows("glDrawArrays") && fg_draw_counter_knows("vkCmdDraw"));
    assert_false(fg_draw_counter_knows("glClear") || fg_draw_counter_knows(NULL));
    assert_int_equal(fg_draw_counter_create(NULL, odd, 4, &counter), FG_ERR_ARGUMENT);
    assert_int_equal(fg_draw_counter_create(NULL, NULL, 1, &counter), FG_ERR_ARGUMENT);
    assert_int_equal(fg_draw_counter_create(NULL, odd, 3, NULL), FG_ERR_ARGUMENT);
    assert_null(counter);
    assert_int_equal(fg_draw_counter_create(NULL, odd, 3, &counter), FG_OK);
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    assert_int_equal(fg_draw_counter_enable(counter), FG_OK);
    assert_true(clear == (function)a_stranger);
    assert_true(table[0] != points[0].original);
    assert_null(table[1]);
    fg_draw_counter_destroy(counter);
    assert_true(table[0] == points[0].original);
    assert_null(table[1]);
}

/* ---- threads ---- */

enum { THREADS = 6, ROUNDS = 12, CALLS = 5000 };

static void quiet_draw(VkCommandBuffer commands, uint32_t vertices, uint32_t instances,
                       uint32_t first_vertex, uint32_t first_instance)
{
    (void)commands;
    (void)vertices;
    (void)instances;
    (void)first_vertex;
    (void)first_instance;
}

static PFN_vkCmdDraw quiet_slot;
static atomic_uint wrong_places; /* threads that count where another one counts as well */
static struct fg_draw_counter *shared_counter;

static void record_on_a_thread(void *context)
{
    bool pauses = context != NULL;
    for (uint32_t i = 0; i < CALLS; i++) {
        quiet_slot(VK_NULL_HANDLE, 3, 2, 0, 0);
        if (pauses) {
            fg_draw_counter_pause(shared_counter);
            quiet_slot(VK_NULL_HANDLE, 3, 2, 0, 0);
            fg_draw_counter_resume(shared_counter);
        }
    }
    bool has_own = fgi_thread_number() < FGI_DRAWS_SHARDS;
    wrong_places += fgi_draw_thread.shard != (has_own ? fgi_thread_number() : 0);
}

/* More threads one after the other than have a place of their own. */
static void draws_of_many_threads_are_counted_exactly_while_they_are_taken(void **state)
{
    const struct fg_draw_slot slot = { "vkCmdDraw", (void **)(void *)&quiet_slot };
    uint64_t draws = 0, vertices = 0;
    struct fg_draw_counts counts;
    (void)state;
    quiet_slot = quiet_draw;
    assert_int_equal(fg_draw_counter_create(NULL, &slot, 1, &shared_counter), FG_OK);
    assert_int_equal(fg_draw_counter_enable(shared_counter), FG_OK);
    for (int round = 0; round < ROUNDS; round++) {
        struct fgi_thread *threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(
                fgi_thread_create(NULL, record_on_a_thread, i % 2 ? &threads : NULL, &threads[i]),
                FG_OK);
        }
        for (int i = 0; i < 50; i++) {
            fg_draw_counter_take(shared_counter, &counts);
            draws += counts.draws;
            vertices += counts.vertices;
        }
        for (int i = 0; i < THREADS; i++) {
            fgi_thread_join(threads[i]);
        }
    }
    fg_draw_counter_take(shared_counter, &counts);
    assert_int_equal(draws + counts.draws, THREADS * ROUNDS * CALLS);
    assert_int_equal(vertices + counts.vertices, THREADS * ROUNDS * CALLS * 6);
    assert_int_equal(wrong_places, 0);
    fg_draw_counter_destroy(shared_counter);
    assert_true(quiet_slot == quiet_draw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_point_forwards_all_its_arguments),
        cmocka_unit_test(calls_of_opengl_are_counted_as_what_they_draw),
        cmocka_unit_test(calls_of_vulkan_are_counted_as_what_they_draw),
        cmocka_unit_test(a_pause_is_the_threads_own_and_ends_with_the_counting),
        cmocka_unit_test(a_resume_without_a_pause_is_none),
        cmocka_unit_test(of_no_counter_nothing_is_known),
        cmocka_unit_test(a_counter_that_is_off_wraps_no_slot_and_allocates_nothing),
        cmocka_unit_test(counts_that_were_not_taken_outlive_the_wrappers),
        cmocka_unit_test(the_total_grows_whatever_is_taken_and_starts_anew),
        cmocka_unit_test(four_counters_share_a_slot_and_the_fifth_is_refused),
        cmocka_unit_test(what_somebody_else_put_into_a_slot_is_left_there),
        cmocka_unit_test(a_kept_wrapper_that_comes_back_never_calls_itself),
        cmocka_unit_test(missing_functions_stay_missing_and_other_names_are_skipped),
        cmocka_unit_test(draws_of_many_threads_are_counted_exactly_while_they_are_taken),
        /* The last one: a place is taken from then on. */
        cmocka_unit_test(a_table_that_the_application_wrote_anew_is_counted_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
