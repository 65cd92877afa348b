/* SPDX-License-Identifier: MIT */
/* RenderDoc's interface, over a library of ours that has its name. */
#include <frameglass/renderdoc.h>
#include "../support/cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/** As programs look for it. */
static void *find(void)
{
    void *library = dlopen(FG_RENDERDOC_LINUX, RTLD_NOW | RTLD_NOLOAD);
    void *get = library != NULL ? dlsym(library, FG_RENDERDOC_SYMBOL) : NULL;
    if (library != NULL) {
        (void)dlclose(library);
    }
    return get;
}

static void *load(void)
{
    void *library = dlopen(getenv("FGT_RENDERDOC"), RTLD_NOW);
    assert_non_null(library);
    return library;
}

static void *variable(void *library, const char *name)
{
    void *found = dlsym(library, name);
    assert_non_null(found);
    return found;
}

static void without_it_nothing_happens_and_a_word_says_why(void **state)
{
    struct fg_renderdoc renderdoc = { .major = 7 };
    struct fg_diag diag = { .offset = 1 };
    char path[16] = "x";
    (void)state;
    assert_null(find());
    assert_int_equal(fg_renderdoc_connect(find(), &renderdoc, &diag), FG_ERR_NOT_FOUND);
    assert_string_equal(diag.message,
                        "RenderDoc is not in this process: start the program from RenderDoc");
    assert_null(renderdoc.functions);
    assert_int_equal(renderdoc.major, 0);
    assert_int_equal(fg_renderdoc_connect(NULL, &renderdoc, NULL), FG_ERR_NOT_FOUND);
    assert_int_equal(fg_renderdoc_connect(NULL, NULL, NULL), FG_ERR_ARGUMENT);
    const struct fg_renderdoc *const none[] = { &renderdoc, NULL };
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_renderdoc_trigger(none[i]), FG_ERR_NOT_FOUND);
        assert_int_equal(fg_renderdoc_begin(none[i], NULL, NULL), FG_ERR_NOT_FOUND);
        assert_int_equal(fg_renderdoc_end(none[i], NULL, NULL), FG_ERR_NOT_FOUND);
        assert_false(fg_renderdoc_is_capturing(none[i]));
        assert_int_equal(fg_renderdoc_count(none[i]), 0);
        assert_int_equal(fg_renderdoc_path(none[i], 0, path, sizeof path), FG_ERR_NOT_FOUND);
        assert_string_equal(path, "");
    }
}

static void a_capture_is_triggered_or_made_and_found(void **state)
{
    void *library = load();
    struct fg_renderdoc renderdoc;
    struct fg_diag diag;
    char path[64], device = 0, window = 0;
    (void)state;
    assert_int_equal(fg_renderdoc_connect(find(), &renderdoc, &diag), FG_OK);
    assert_int_equal(*(int *)variable(library, "fake_renderdoc_version"), 10000);
    assert_int_equal(renderdoc.major * 10000 + renderdoc.minor * 100 + renderdoc.patch, 10600);
    assert_false(fg_renderdoc_is_capturing(&renderdoc));
    assert_int_equal(fg_renderdoc_trigger(&renderdoc), FG_OK);
    assert_int_equal(*(unsigned *)variable(library, "fake_renderdoc_triggers"), 1);
    assert_true(fg_renderdoc_is_capturing(&renderdoc));
    assert_int_equal(fg_renderdoc_end(&renderdoc, NULL, NULL), FG_OK);
    assert_int_equal(fg_renderdoc_begin(&renderdoc, &device, &window), FG_OK);
    assert_ptr_equal(*(void **)variable(library, "fake_renderdoc_device"), &device);
    assert_ptr_equal(*(void **)variable(library, "fake_renderdoc_window"), &window);
    assert_true(fg_renderdoc_is_capturing(&renderdoc));
    assert_int_equal(fg_renderdoc_end(&renderdoc, &device, &window), FG_OK);
    assert_int_equal(fg_renderdoc_end(&renderdoc, &device, &window), FG_ERR_STATE);
    assert_int_equal(fg_renderdoc_count(&renderdoc), 2);
    assert_int_equal(fg_renderdoc_path(&renderdoc, 1, path, sizeof path), FG_OK);
    assert_string_equal(path, "/captures/frame1.rdc");
    assert_int_equal(fg_renderdoc_path(&renderdoc, 2, path, sizeof path), FG_ERR_NOT_FOUND);
    assert_int_equal(fg_renderdoc_path(&renderdoc, 0, path, 20), FG_ERR_LIMIT); /* one short */
    assert_string_equal(path, "");
    assert_int_equal(fg_renderdoc_path(&renderdoc, 0, path, 21), FG_OK);
    assert_int_equal(fg_renderdoc_path(&renderdoc, 0, path, 0), FG_ERR_ARGUMENT);
    assert_int_equal(*(unsigned *)variable(library, "fake_renderdoc_wrong"), 0);
    (void)dlclose(library);
}

static void one_that_refuses_is_told_from_none(void **state)
{
    void *library = load();
    struct fg_renderdoc renderdoc;
    struct fg_diag diag;
    (void)state;
    *(int *)variable(library, "fake_renderdoc_refuses") = 1;
    assert_int_equal(fg_renderdoc_connect(find(), &renderdoc, &diag), FG_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "does not offer version 1"));
    assert_null(renderdoc.functions);
    (void)dlclose(library);
}

static void *table[64];
static int version;
static void tell_version(int *major, int *minor, int *patch)
{
    *major = version;
    *minor = 0;
    *patch = 0;
}
static void do_nothing(void)
{
}
static int get_table(int asked, void **out_functions)
{
    (void)asked;
    *out_functions = table;
    return 1;
}

static void a_table_with_holes_or_of_another_version_is_refused(void **state)
{
    static const size_t called[] = { 0, 13, 14, 15, 19, 20, 21 };
    void *get = (void *)(uintptr_t)get_table;
    struct fg_renderdoc renderdoc;
    struct fg_diag diag;
    (void)state;
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        for (size_t member = 0; member < 64; member++) {
            table[member] = (void *)(uintptr_t)do_nothing;
        }
        table[0] = (void *)(uintptr_t)tell_version;
        table[called[i]] = NULL;
        version = 1;
        assert_int_equal(fg_renderdoc_connect(get, &renderdoc, &diag), FG_ERR_UNSUPPORTED);
        assert_non_null(strstr(diag.message, "lacks functions"));
        assert_null(renderdoc.functions);
        assert_int_equal(fg_renderdoc_trigger(&renderdoc), FG_ERR_NOT_FOUND);
        table[called[i]] = (void *)(uintptr_t)(i == 0 ? (void (*)(void))tell_version : do_nothing);
    }
    version = 9;
    assert_int_equal(fg_renderdoc_connect(get, &renderdoc, &diag), FG_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "not of version 1"));
    assert_null(renderdoc.functions);
    assert_int_equal(renderdoc.major, 0);
    version = 1;
    assert_int_equal(fg_renderdoc_connect(get, &renderdoc, &diag), FG_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_it_nothing_happens_and_a_word_says_why),
        cmocka_unit_test(a_capture_is_triggered_or_made_and_found),
        cmocka_unit_test(one_that_refuses_is_told_from_none),
        cmocka_unit_test(a_table_with_holes_or_of_another_version_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
