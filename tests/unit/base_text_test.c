/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/result.h"
#include "base/strings.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

static void check_repair(const char *in, const char *expected)
{
    char out[64];
    size_t size = fgi_utf8_repair(in, strlen(in), out, sizeof out);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(out, expected, size);
    assert_int_equal(fgi_utf8_valid(in, strlen(in)), strcmp(in, expected) == 0);
    assert_true(fgi_utf8_valid(out, size));
}

#define BAD "\xef\xbf\xbd"

static void utf8_is_repaired_by_maximal_parts(void **state)
{
    (void)state;
    check_repair("", "");
    check_repair("plain, caf\xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80",
                 "plain, caf\xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80");
    check_repair("\x80", BAD);                         /* lone continuation */
    check_repair("a\xe2\x82", "a" BAD);                /* cut sequence: one replacement */
    check_repair("\xc0\xaf", BAD BAD);                 /* overlong */
    check_repair("\xed\xa0\x80", BAD BAD BAD);         /* surrogate */
    check_repair("\xf4\x90\x80\x80", BAD BAD BAD BAD); /* over U+10FFFF */
    check_repair("\xf0\x9f\x98z", BAD "z");            /* the part that could have begun one */
    check_repair("\xe0\x9f\xbf", BAD BAD BAD);         /* overlong by its second byte */
    check_repair("\xf8\x88\x80\x80\x80", BAD BAD BAD BAD BAD);
}

static void repair_never_cuts_a_character(void **state)
{
    (void)state;
    char out[4] = "...";
    assert_int_equal(fgi_utf8_repair("a\xe2\x82\xac", 4, out, 3), 4);
    assert_memory_equal(out, "a..", 3);
}

static void strings_give_each_text_one_number(void **state)
{
    (void)state;
    struct fgi_strings strings = { 0 };
    uint32_t index = 99;
    char text[16];
    assert_int_equal(fgi_strings_count(&strings), 1);
    assert_true(fgi_strings_find(&strings, "", 0, &index));
    assert_int_equal(index, 0);
    for (uint32_t i = 0; i < 3000; i++) {
        int size = snprintf(text, sizeof text, "name %u", i);
        assert_int_equal(fgi_strings_add(&strings, text, (size_t)size, &index), FG_OK);
        assert_int_equal(index, i + 1);
    }
    assert_int_equal(fgi_strings_add(&strings, "name 7", 6, &index), FG_OK);
    assert_int_equal(index, 8);
    assert_int_equal(fgi_strings_add(&strings, "", 0, &index), FG_OK);
    assert_int_equal(index, 0);
    assert_int_equal(fgi_strings_add(&strings, "a\0b", 3, &index), FG_OK);
    size_t size = 0;
    assert_memory_equal(fgi_strings_get(&strings, index, &size), "a\0b", 4);
    assert_int_equal(size, 3);
    assert_string_equal(fgi_strings_get(&strings, 2999, NULL), "name 2998");
    assert_string_equal(fgi_strings_get(&strings, 1000000, NULL), "");
    assert_false(fgi_strings_find(&strings, "absent", 6, &index));
    fgi_strings_finish(&strings);
}

static void write_sample(struct fgi_json *json)
{
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "text", "q\" b\\ \n \x01 \xff");
    fgi_json_key(json, "numbers");
    fgi_json_array_begin(json);
    fgi_json_int(json, INT64_MIN);
    fgi_json_uint(json, UINT64_MAX);
    fgi_json_thousandths(json, -1);
    fgi_json_thousandths(json, INT64_MIN);
    fgi_json_exact_double(json, 0.125);
    fgi_json_exact_double(json, 1.0 / 0.0);
    fgi_json_array_end(json);
    fgi_json_key(json, "row");
    fgi_json_inline_object_begin(json);
    fgi_json_key_bool(json, "a", true);
    fgi_json_key(json, "b");
    fgi_json_array_begin(json);
    fgi_json_null(json);
    fgi_json_null(json);
    fgi_json_array_end(json);
    fgi_json_object_end(json);
    fgi_json_key(json, "empty");
    fgi_json_object_begin(json);
    fgi_json_object_end(json);
    fgi_json_object_end(json);
}

static void check_json(int indent, const char *expected)
{
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    struct fgi_json json = { .sink = &sink, .indent = indent };
    write_sample(&json);
    assert_int_equal(fgi_json_finish(&json), FG_OK);
    size_t size = 0;
    const char *text = fg_memory_sink_bytes(memory, &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(text, expected, size);
    fg_memory_sink_destroy(memory);
}

static void json_is_exact_in_both_layouts(void **state)
{
    (void)state;
    check_json(0, "{\"text\":\"q\\\" b\\\\ \\n \\u0001 " BAD "\",\"numbers\":[-9223372036854775808,"
                  "18446744073709551615,-0.001,-9223372036854775.808,0.125,null],"
                  "\"row\":{\"a\":true,\"b\":[null,null]},\"empty\":{}}\n");
    check_json(2, "{\n  \"text\": \"q\\\" b\\\\ \\n \\u0001 " BAD "\",\n  \"numbers\": [\n"
                  "    -9223372036854775808,\n    18446744073709551615,\n    -0.001,\n"
                  "    -9223372036854775.808,\n    0.125,\n    null\n  ],\n"
                  "  \"row\": {\"a\": true, \"b\": [null, null]},\n  \"empty\": {}\n}\n");
}

static void json_stops_at_its_sinks_first_refusal(void **state)
{
    (void)state;
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    assert_int_equal(fg_memory_sink_create(NULL, 10, &memory, &sink), FG_OK);
    struct fgi_json json = { .sink = &sink };
    write_sample(&json);
    assert_int_equal(fgi_json_finish(&json), FG_ERR_LIMIT);
    fg_memory_sink_destroy(memory);
}

static void results_have_names_and_texts(void **state)
{
    (void)state;
    struct fg_diag diag = { 0 };
    assert_string_equal(fg_result_name(FG_ERR_CORRUPT), "FG_ERR_CORRUPT");
    assert_string_equal(fg_result_text(FG_OK), "done");
    assert_non_null(fg_result_text((enum fg_result)12345));
    assert_int_equal(fgi_fail(&diag, FG_ERR_IO, 7, "wanted %d", 3), FG_ERR_IO);
    assert_string_equal(diag.message, "wanted 3");
    assert_int_equal(diag.offset, 7);
    assert_int_equal(fgi_fail(NULL, FG_ERR_IO, 7, "x"), FG_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_repaired_by_maximal_parts),
        cmocka_unit_test(repair_never_cuts_a_character),
        cmocka_unit_test(strings_give_each_text_one_number),
        cmocka_unit_test(json_is_exact_in_both_layouts),
        cmocka_unit_test(json_stops_at_its_sinks_first_refusal),
        cmocka_unit_test(results_have_names_and_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
