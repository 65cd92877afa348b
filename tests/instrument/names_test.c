/* SPDX-License-Identifier: MIT */
/* The names of the process: one number each, for ever, and always UTF-8. */
#include "suite_guard.h"
#include "base/strings.h"
#include "record/instrument/instrument_priv.h"

#include <stdio.h>
#include <string.h>

static uint32_t add(const char *text)
{
    return fgi_name_register(text, strlen(text));
}

static void a_text_has_one_number(void **state)
{
    (void)state;
    const uint32_t first = add("names/first"), second = add("names/second");
    assert_true(first != 0 && second != 0 && first != second);
    assert_int_equal(add("names/first"), first);
    /* Texts of a longer block of memory, and their beginnings. */
    assert_int_equal(fgi_name_register("names/first and more", 11), first);
    size_t size = 0;
    assert_string_equal(fgi_name_text(second, &size), "names/second");
    assert_int_equal(size, 12);
    assert_string_equal(fg_instrument_name(second), "names/second");
    assert_string_equal(fg_instrument_name(0), "");
    assert_string_equal(fg_instrument_name(UINT32_MAX), "");
    assert_string_equal(fg_instrument_name(fgi_name_count()), "");
}

static void bad_bytes_are_repaired(void **state)
{
    static const char *const bad[] = {
        "names/\x80",             /* lone continuation */
        "names/\xE2\x82",         /* cut */
        "names/\xC0\xAF",         /* overlong */
        "names/\xED\xA0\x80",     /* surrogate */
        "names/\xF4\x90\x80\x80", /* over U+10FFFF */
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        size_t size = 0;
        const uint32_t number = add(bad[i]);
        const char *text = fgi_name_text(number, &size);
        assert_true(number != 0);
        assert_true(fgi_utf8_valid(text, size));
        assert_memory_equal(text, "names/\xEF\xBF\xBD", 9);
        assert_int_equal(add(text), number); /* repaired, it is the same name */
    }
}

static void empty_and_long_names_are_refused(void **state)
{
    (void)state;
    static char text[4097];
    memset(text, 'n', sizeof text);
    assert_int_equal(fgi_name_register("", 0), 0);
    assert_true(fgi_name_register(text, 4096) != 0);
    assert_int_equal(fgi_name_register(text, 4097), 0);
    /* Too long once it is repaired: three bytes for each. */
    memset(text, 0x80, sizeof text);
    assert_true(fgi_name_register(text, 1365) != 0);
    assert_int_equal(fgi_name_register(text, 1366), 0);
}

static void there_is_an_end_to_names(void **state)
{
    (void)state;
    fgt_needs_own_process();
    char text[32];
    uint32_t number = 1;
    for (int i = 0; number != 0; i++) {
        (void)snprintf(text, sizeof text, "names/%d", i);
        number = add(text);
    }
    assert_int_equal(fgi_name_count(), FG_CNATRACE_NAMES_MAX);
    assert_int_equal(add("names/0"), 1);
    assert_string_equal(fg_instrument_name(FG_CNATRACE_NAMES_MAX - 1), "names/65534");
    assert_int_equal(fg_label_register("names/over", FG_CATEGORY_CORE), 0);
#if FG_LEVEL >= 2
    assert_int_equal(fg_zone_begin("names/over", FG_CATEGORY_CORE).id, 0);
    assert_true(fg_zone_begin("names/65534", FG_CATEGORY_GPU).id != 0);
#endif
}

static void there_is_an_end_to_their_bytes(void **state)
{
    (void)state;
    fgt_needs_own_process();
    static char text[4096];
    memset(text, 'n', sizeof text);
    size_t count = 0;
    for (uint32_t number = 1; number != 0; count++) {
        for (size_t i = 0; i < sizeof count; i++) {
            text[i] = (char)('0' + (count >> (4 * i) & 15));
        }
        number = fgi_name_register(text, sizeof text);
    }
    assert_int_equal(count - 1, FG_CNATRACE_TEXT_BYTES_MAX / sizeof text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_text_has_one_number),
    cmocka_unit_test(bad_bytes_are_repaired),
    cmocka_unit_test(empty_and_long_names_are_refused),
    cmocka_unit_test(there_is_an_end_to_names),
    cmocka_unit_test(there_is_an_end_to_their_bytes),
};
FGT_INSTRUMENT_SUITE(names, tests)
