/* SPDX-License-Identifier: MIT */
/* Live resources: numbers, totals, what is known of textures, and who is told. */
#include "base/thread.h"
#include "failing_memory.h"
#include "suite_guard.h"
#include "record/instrument/instrument_priv.h"
#include <frameglass/object.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RGBA8 = 37, /* VK_FORMAT_R8G8B8A8_UNORM */
    R8 = 9,     /* VK_FORMAT_R8_UNORM */
    BC1 = 131,  /* VK_FORMAT_BC1_RGB_UNORM_BLOCK: 8 bytes for 4 x 4 */
};

static struct fg_object make(const char *name, uint64_t size_bytes)
{
    return fg_object_create(&(struct fg_object_desc){
        .type = FG_OBJECT_VERTEX_BUFFER, .name = name, .size_bytes = size_bytes });
}

struct totals {
    uint64_t count, bytes;
};

static struct totals totals_now(void)
{
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_FRAMES, &snapshot), FG_OK);
    const struct totals totals = { snapshot->object_count, snapshot->object_total_bytes };
    assert_null(snapshot->objects);
    fg_snapshot_free(snapshot);
    return totals;
}

static struct fg_snapshot *objects_now(void)
{
    struct fg_snapshot *snapshot = NULL;
    assert_int_equal(fg_snapshot_take(FG_SNAPSHOT_OBJECTS, &snapshot), FG_OK);
    assert_null(snapshot->metrics);
    assert_null(snapshot->frames);
    assert_int_equal(snapshot->object_count, snapshot->object_row_count);
    return snapshot;
}

static const struct fg_object_row *row_of(const struct fg_snapshot *snapshot,
                                          struct fg_object object)
{
    for (size_t i = 0; i < snapshot->object_row_count; i++) {
        if (snapshot->objects[i].id == object.id) {
            return &snapshot->objects[i];
        }
    }
    return NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void two_thousand_cycles_end_where_they_began_with_numbers_that_grow(void **state)
{
    (void)state;
    const struct totals before = totals_now();
    uint64_t last = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        struct fg_object object = make("objects/cycle", i);
        const struct fg_object copy = object;
        assert_true(object.id > last);
        last = object.id;
        assert_true(fg_object_update(object, &(struct fg_object_desc){ .size_bytes = 2 * i }));
        assert_int_equal(totals_now().bytes, before.bytes + 2 * i);
        assert_int_equal(totals_now().count, before.count + 1);
        assert_true(fg_object_destroy(&object));
        assert_int_equal(object.id, 0);
        assert_false(fg_object_destroy(&object));
        assert_false(fg_object_update(copy, &(struct fg_object_desc){ .size_bytes = 1 }));
    }
    assert_int_equal(totals_now().count, before.count);
    assert_int_equal(totals_now().bytes, before.bytes);
}

static void the_total_saturates_and_recovers(void **state)
{
    (void)state;
    const uint64_t bytes = totals_now().bytes;
    struct fg_object huge = make("objects/huge", UINT64_MAX);
    struct fg_object one = make("objects/one", 1);
    struct fg_object more = make("objects/more", UINT64_MAX);
    assert_true(totals_now().bytes == UINT64_MAX);
    assert_true(fg_object_destroy(&more));
    assert_true(totals_now().bytes == UINT64_MAX);
    assert_true(fg_object_update(huge, &(struct fg_object_desc){ .size_bytes = 4 }));
    assert_int_equal(totals_now().bytes, bytes + 5);
    assert_true(fg_object_destroy(&huge));
    assert_true(fg_object_destroy(&one));
    assert_int_equal(totals_now().bytes, bytes);
}

static void what_was_made_while_off_is_never_there(void **state)
{
    (void)state;
    const enum fg_instrument_mode before = fg_instrument_mode();
    const struct totals totals = totals_now();
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    struct fg_object object = make("objects/off", 10);
    assert_int_equal(object.id, 0);
    assert_true(fg_instrument_set_mode(before));
    assert_false(fg_object_update(object, &(struct fg_object_desc){ .size_bytes = 20 }));
    assert_int_equal(totals_now().count, totals.count);
    assert_false(fg_object_destroy(&object));
}

static void what_changes_or_goes_while_off_is_right_afterwards(void **state)
{
    (void)state;
    const enum fg_instrument_mode before = fg_instrument_mode();
    const struct totals totals = totals_now();
    struct fg_object stays = make("objects/stays", 10), goes = make("objects/goes", 10);
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_OFF));
    assert_true(fg_object_update(stays, &(struct fg_object_desc){ .size_bytes = 3 }));
    assert_true(fg_object_destroy(&goes));
    assert_true(fg_instrument_set_mode(before));
    assert_int_equal(totals_now().count, totals.count + 1);
    assert_int_equal(totals_now().bytes, totals.bytes + 3);
    assert_true(fg_object_destroy(&stays));
}

static void a_shared_number_is_one_record(void **state)
{
    (void)state;
    const struct totals before = totals_now();
    struct fg_object first = make("objects/shared", 7);
    struct fg_object second = first;
    assert_int_equal(totals_now().count, before.count + 1);
    assert_true(fg_object_destroy(&first));
    assert_int_equal(totals_now().count, before.count);
    assert_false(fg_object_destroy(&second));
}

static void most_of_many_go_and_the_rest_are_found(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    const struct totals before = totals_now();
    struct fg_object *objects = calloc(COUNT, sizeof *objects);
    assert_non_null(objects);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            if (objects[i].id == 0) {
                objects[i] = make("objects/many", i);
            }
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            if (i % 10 != round) {
                assert_true(fg_object_destroy(&objects[i]));
            }
        }
        assert_int_equal(totals_now().count, before.count + COUNT / 10);
        struct fg_snapshot *snapshot = objects_now();
        for (size_t i = 1; i < snapshot->object_row_count; i++) {
            assert_true(snapshot->objects[i].id > snapshot->objects[i - 1].id);
        }
        for (uint32_t i = round; i < COUNT; i += 10) {
            assert_int_equal(row_of(snapshot, objects[i])->size_bytes, i);
        }
        fg_snapshot_free(snapshot);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        (void)fg_object_destroy(&objects[i]);
    }
    free(objects);
    assert_int_equal(totals_now().count, before.count);
    assert_int_equal(totals_now().bytes, before.bytes);
}

/* ---- what is known --------------------------------------------------------------------------- */

static void a_row_says_what_was_said_of_it(void **state)
{
    (void)state;
    struct fg_object object = fg_object_create(&(struct fg_object_desc){ .name = "objects/typed" });
    struct fg_snapshot *snapshot = objects_now();
    const struct fg_object_row *row = row_of(snapshot, object);
    assert_string_equal(row->type, "unknown"); /* a state object, for all that is known */
    assert_int_equal(row->size_bytes, 0);
    fg_snapshot_free(snapshot);
    /* Then it turns out to be a texture: same number, and the name that it has. */
    assert_true(fg_object_update(object, &(struct fg_object_desc){ .type = FG_OBJECT_TEXTURE_2D,
                                                                   .format = RGBA8,
                                                                   .width = 16,
                                                                   .height = 8,
                                                                   .mip_count = 3,
                                                                   .layer_count = 1 }));
    snapshot = objects_now();
    row = row_of(snapshot, object);
    assert_string_equal(row->name, "objects/typed");
    assert_string_equal(row->type, "texture 2d");
    assert_int_equal(row->kind, FG_OBJECT_TEXTURE_2D);
    assert_int_equal(row->size_bytes, 672);
    assert_int_equal(row->accuracy, FG_ACCURACY_ESTIMATED);
    assert_int_equal(row->format, RGBA8);
    assert_int_equal(row->width, 16);
    assert_int_equal(row->height, 8);
    assert_int_equal(row->depth, 0);
    assert_int_equal(row->mip_count, 3);
    assert_int_equal(row->layer_count, 1);
    fg_snapshot_free(snapshot);
    assert_true(fg_object_update(object, &(struct fg_object_desc){ .type = FG_OBJECT_INDEX_BUFFER,
                                                                   .name = "objects/renamed",
                                                                   .size_bytes = 99 }));
    snapshot = objects_now();
    row = row_of(snapshot, object);
    assert_string_equal(row->name, "objects/renamed");
    assert_string_equal(row->type, "index buffer");
    assert_int_equal(row->accuracy, FG_ACCURACY_EXACT);
    assert_int_equal(row->width, 0);
    fg_snapshot_free(snapshot);
    assert_true(fg_object_destroy(&object));
}

static void every_type_has_a_name(void **state)
{
    (void)state;
    for (int type = 0; type <= FG_OBJECT_CUSTOM; type++) {
        const char *name = fg_object_type_name((enum fg_object_type)type);
        assert_int_not_equal(strlen(name), 0);
        assert_int_equal(strcmp(name, "unknown") == 0, type == 0);
    }
    assert_string_equal(fg_object_type_name((enum fg_object_type)1000), "unknown");
    assert_string_equal(fg_object_type_name((enum fg_object_type) - 1), "unknown");
}

static void a_name_is_repaired_and_cut_between_characters(void **state)
{
    (void)state;
    enum { SIZE = FG_OBJECT_NAME_MAX + 100 };
    static char name[SIZE + 1];
    memset(name, 'n', SIZE);
    memcpy(name + FG_OBJECT_NAME_MAX - 2, "\xe2\x82\xac", 3); /* does not fit any more */
    struct fg_object cut = make(name, 1), bad = make("objects/\xff", 1), none = make(NULL, 1);
    struct fg_snapshot *snapshot = objects_now();
    const char *kept = row_of(snapshot, cut)->name;
    assert_int_equal(strlen(kept), FG_OBJECT_NAME_MAX - 2);
    assert_memory_equal(kept, name, FG_OBJECT_NAME_MAX - 2);
    assert_string_equal(row_of(snapshot, bad)->name, "objects/\xef\xbf\xbd");
    assert_string_equal(row_of(snapshot, none)->name, "");
    fg_snapshot_free(snapshot);
    assert_true(fg_object_destroy(&cut));
    assert_true(fg_object_destroy(&bad));
    assert_true(fg_object_destroy(&none));
}

static void bytes_of_textures(void **state)
{
    (void)state;
    static const struct {
        struct fg_object_desc desc;
        uint64_t bytes;
    } cases[] = {
        { { .format = RGBA8, .width = 13, .height = 7 }, 364 },
        { { .format = RGBA8, .width = 16, .height = 8 }, 512 },
        { { .format = RGBA8, .width = 16, .height = 8, .mip_count = 1 }, 512 },
        { { .format = RGBA8, .width = 16, .height = 8, .mip_count = 3 }, 672 },
        { { .format = RGBA8, .width = 16, .height = 8, .mip_count = 5 }, 512 + 128 + 32 + 8 + 4 },
        /* There are no mips after the one of one texel. */
        { { .format = RGBA8, .width = 16, .height = 8, .mip_count = UINT32_MAX }, 684 },
        { { .format = RGBA8, .width = 16, .height = 8, .layer_count = 5 }, 2560 },
        { { .type = FG_OBJECT_TEXTURE_CUBE, .format = RGBA8, .width = 8, .height = 8 }, 6 * 256 },
        { { .type = FG_OBJECT_RENDER_TARGET_CUBE,
            .format = RGBA8,
            .width = 8,
            .height = 8,
            .layer_count = 12 },
          12 * 256 },
        { { .type = FG_OBJECT_TEXTURE_3D,
            .format = R8,
            .width = 4,
            .height = 4,
            .depth = 4,
            .mip_count = 3 },
          64 + 8 + 1 },
        { { .format = R8, .width = 7 }, 7 },
        { { .format = R8, .depth = 7 }, 7 },
        /* Blocks count whole. */
        { { .format = BC1, .width = 4, .height = 4 }, 8 },
        { { .format = BC1, .width = 5, .height = 1 }, 16 },
        { { .format = BC1, .width = 8, .height = 8, .mip_count = 4 }, 32 + 8 + 8 + 8 },
        { { .format = RGBA8 }, 0 }, /* nothing was said */
        { { .format = 0, .width = 4, .height = 4 }, 0 },
        { { .format = 999999999, .width = 4, .height = 4 }, 0 },
        { { .type = FG_OBJECT_TEXTURE_CUBE,
            .format = RGBA8,
            .width = UINT32_MAX,
            .height = UINT32_MAX,
            .depth = UINT32_MAX },
          UINT64_MAX },
        { { .format = RGBA8,
            .width = UINT32_MAX,
            .height = UINT32_MAX,
            .mip_count = 32,
            .layer_count = 6 },
          UINT64_MAX },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(fg_texture_bytes(&cases[i].desc) == cases[i].bytes);
    }
    assert_int_equal(fg_texture_bytes(NULL), 0);
}

static void a_size_that_was_said_wins_over_the_estimate(void **state)
{
    (void)state;
    struct fg_object object =
        fg_object_create(&(struct fg_object_desc){ .type = FG_OBJECT_TEXTURE_2D,
                                                   .format = RGBA8,
                                                   .width = 13,
                                                   .height = 7,
                                                   .size_bytes = 4096 });
    struct fg_object unknown = fg_object_create(
        &(struct fg_object_desc){ .type = FG_OBJECT_TEXTURE_2D, .format = 999999999, .width = 4 });
    struct fg_snapshot *snapshot = objects_now();
    assert_int_equal(row_of(snapshot, object)->size_bytes, 4096);
    assert_int_equal(row_of(snapshot, object)->accuracy, FG_ACCURACY_EXACT);
    assert_int_equal(row_of(snapshot, unknown)->size_bytes, 0);
    fg_snapshot_free(snapshot);
    assert_true(fg_object_destroy(&object));
    assert_true(fg_object_destroy(&unknown));
}

static void what_is_no_object_is_refused(void **state)
{
    (void)state;
    const struct totals before = totals_now();
    const struct fg_object_desc desc = { .size_bytes = 1 };
    assert_int_equal(fg_object_create(NULL).id, 0);
    assert_false(fg_object_update((struct fg_object){ 0 }, &desc));
    assert_false(fg_object_update((struct fg_object){ UINT64_MAX }, &desc));
    assert_false(fg_object_destroy(NULL));
    struct fg_object object = make("objects/kept", 1);
    assert_false(fg_object_update(object, NULL));
    assert_int_equal(totals_now().bytes, before.bytes + 1);
    assert_true(fg_object_destroy(&object));
}

/* ---- who is told ----------------------------------------------------------------------------- */

#if FG_LEVEL >= 2
static void births_and_deaths_are_events_with_the_number(void **state)
{
    (void)state;
    struct fg_process_event_page page;
    struct fg_process_event events[8];
    fg_instrument_read_events(UINT64_MAX, NULL, 0, &page);
    uint64_t after = page.newest;
    FG_ZONE_BEGIN(zone, "objects/around");
    struct fg_object object = make("objects/event", 1);
    const uint64_t id = object.id;
    assert_true(fg_object_update(object, &(struct fg_object_desc){ .size_bytes = 2 }));
    FG_ZONE_END(zone);
    assert_true(fg_object_destroy(&object));
    fg_instrument_read_events(after, events, 8, &page);
    assert_int_equal(page.event_count, 3);
    /* The birth, the zone in which it was, and the death outside of it. */
    assert_int_equal(events[1].kind, FG_PROCESS_EVENT_ZONE);
    assert_int_equal(events[0].parent, events[1].correlation);
    assert_int_equal(events[2].parent, 0);
    assert_int_equal(events[0].kind, FG_PROCESS_EVENT_OBJECT_CREATED);
    assert_int_equal(events[0].value, id);
    assert_int_equal(events[0].category, FG_CATEGORY_GRAPHICS);
    assert_int_equal(events[2].kind, FG_PROCESS_EVENT_OBJECT_DESTROYED);
    assert_int_equal(events[2].value, id);
    after = page.newest;
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_STATS));
    struct fg_object silent = make("objects/no event", 1);
    assert_true(fg_object_destroy(&silent));
    assert_true(fg_instrument_set_mode(FG_INSTRUMENT_FULL));
    fg_instrument_read_events(after, events, 8, &page);
    assert_int_equal(page.event_count, 0);
}
#endif

struct visits {
    uint64_t count, bytes, last;
    bool is_complete;
};

static void visit(void *context, const struct fg_object_row *row)
{
    struct visits *visits = context;
    assert_false(visits->is_complete);
    if (row == NULL) {
        visits->is_complete = true;
        return;
    }
    assert_true(row->id > visits->last);
    visits->last = row->id;
    visits->count++;
    visits->bytes += row->size_bytes;
}

static void a_consumer_that_begins_is_given_all_that_live(void **state)
{
    (void)state;
    struct fg_object objects[3] = { make("objects/a", 1), make("objects/b", 2),
                                    make("objects/c", 4) };
    assert_true(fg_object_destroy(&objects[1]));
    struct visits visits = { 0 };
    fgi_objects_each(visit, &visits);
    assert_true(visits.is_complete);
    assert_int_equal(visits.count, totals_now().count);
    assert_int_equal(visits.bytes, totals_now().bytes);
    assert_int_equal(visits.last, objects[2].id);
    assert_true(fg_object_destroy(&objects[0]));
    assert_true(fg_object_destroy(&objects[2]));
}

/* ---- memory, threads ------------------------------------------------------------------------- */

static void an_object_without_memory_is_refused_whole_and_counted(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static struct failing failing = { .countdown = -1 };
    static struct fg_allocator allocator;
    allocator = failing_allocator(&failing);
    const struct fg_instrument_options options = { .allocator = &allocator };
    assert_int_equal(fg_instrument_configure(&options), FG_OK);
    uint64_t refused = 0;
    struct fg_object object = { 0 };
    for (long fail_at = 0; object.id == 0; fail_at++) {
        failing = (struct failing){ .countdown = fail_at, .stays = true, .alive = failing.alive };
        object = make("objects/memory", 5);
        failing.countdown = -1;
        refused += object.id == 0 ? 1 : 0;
        assert_int_equal(totals_now().count, object.id != 0 ? 1 : 0);
    }
    assert_true(refused >= 2); /* its name, its row */
    assert_int_equal(__atomic_load_n(&fgi_losses.refused_objects, __ATOMIC_RELAXED), refused);
    assert_int_equal(object.id, 1);
    /* An update that finds none changes everything but the name. */
    failing = (struct failing){ .countdown = 0, .stays = true, .alive = failing.alive };
    assert_true(fg_object_update(
        object, &(struct fg_object_desc){ .name = "objects/other", .size_bytes = 6 }));
    failing.countdown = -1;
    struct fg_snapshot *snapshot = objects_now();
    assert_string_equal(row_of(snapshot, object)->name, "objects/memory");
    assert_int_equal(row_of(snapshot, object)->size_bytes, 6);
    fg_snapshot_free(snapshot);
    assert_true(fg_object_destroy(&object));
}

enum { OWNERS = 4, OWNED = 50, ROUNDS = 40 };

struct owner {
    uint64_t highest; /* id so far */
    uint32_t wrongs;
};

static void own_some(void *context)
{
    struct owner *owner = context;
    struct fg_object objects[OWNED];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < OWNED; i++) {
            objects[i] = make("objects/owned", (uint64_t)i + 1);
            owner->wrongs += objects[i].id > owner->highest ? 0 : 1;
            owner->highest = objects[i].id;
        }
        for (int i = 0; i < OWNED; i++) {
            const struct fg_object_desc desc = { .size_bytes = 3, .name = "objects/renamed" };
            owner->wrongs += fg_object_update(objects[i], &desc) ? 0 : 1;
            owner->wrongs += fg_object_destroy(&objects[i]) ? 0 : 1;
        }
    }
}

static void threads_own_what_they_made_and_all_of_it_goes(void **state)
{
    (void)state;
    struct fgi_thread *threads[OWNERS];
    struct owner owners[OWNERS] = { { 0 } };
    const struct totals before = totals_now();
    for (int i = 0; i < OWNERS; i++) {
        assert_int_equal(fgi_thread_create(NULL, own_some, &owners[i], &threads[i]), FG_OK);
    }
    for (int i = 0; i < OWNERS; i++) {
        fgi_thread_join(threads[i]);
        assert_int_equal(owners[i].wrongs, 0);
    }
    assert_int_equal(totals_now().count, before.count);
    assert_int_equal(totals_now().bytes, before.bytes);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_thousand_cycles_end_where_they_began_with_numbers_that_grow),
    cmocka_unit_test(the_total_saturates_and_recovers),
    cmocka_unit_test(what_was_made_while_off_is_never_there),
    cmocka_unit_test(what_changes_or_goes_while_off_is_right_afterwards),
    cmocka_unit_test(a_shared_number_is_one_record),
    cmocka_unit_test(most_of_many_go_and_the_rest_are_found),
    cmocka_unit_test(a_row_says_what_was_said_of_it),
    cmocka_unit_test(every_type_has_a_name),
    cmocka_unit_test(a_name_is_repaired_and_cut_between_characters),
    cmocka_unit_test(bytes_of_textures),
    cmocka_unit_test(a_size_that_was_said_wins_over_the_estimate),
    cmocka_unit_test(what_is_no_object_is_refused),
#if FG_LEVEL >= 2
    cmocka_unit_test(births_and_deaths_are_events_with_the_number),
#endif
    cmocka_unit_test(a_consumer_that_begins_is_given_all_that_live),
    cmocka_unit_test(an_object_without_memory_is_refused_whole_and_counted),
    cmocka_unit_test(threads_own_what_they_made_and_all_of_it_goes),
};
FGT_INSTRUMENT_SUITE(objects, tests)
