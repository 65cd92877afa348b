/* SPDX-License-Identifier: MIT */
#include "cmocka_all.h"
#include "serve/guard.h"
#include <string.h>

static struct fgi_guard guard_of_port(uint16_t port)
{
    struct fgi_guard guard;
    assert_int_equal(fgi_guard_init(&guard), FG_OK);
    guard.port = port;
    return guard;
}

static void tokens_are_long_hexadecimal_and_never_the_same(void **state)
{
    (void)state;
    struct fgi_guard first = guard_of_port(1);
    struct fgi_guard second = guard_of_port(1);
    assert_int_equal(strlen(first.token), FGI_TOKEN_LENGTH);
    assert_int_equal(strspn(first.token, "0123456789abcdef"), FGI_TOKEN_LENGTH);
    assert_string_not_equal(first.token, second.token);
}

static void only_the_two_names_of_this_machine_with_our_port_are_a_host(void **state)
{
    (void)state;
    struct fgi_guard guard = guard_of_port(8123);
    static const char *const good[] = { "127.0.0.1:8123", "localhost:8123" };
    static const char *const bad[] = {
        "",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:8124",
        "127.1:8123",
        "evil.test:8123",
        "127.0.0.1:8123.evil",
        "localhost:81234",
        "[::1]:8123",
        "LOCALHOST:8123",
        " localhost:8123",
        "localhost:08123",
        "0.0.0.0:8123",
        "localhost.:8123",
        "127.0.0.1:8123 ",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(fgi_guard_host(&guard, good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(fgi_guard_host(&guard, bad[i]));
    }
    assert_false(fgi_guard_host(&guard, NULL));
}

static void only_our_own_origin_is_ours(void **state)
{
    (void)state;
    struct fgi_guard guard = guard_of_port(8123);
    assert_true(fgi_guard_origin(&guard, "http://127.0.0.1:8123"));
    assert_true(fgi_guard_origin(&guard, "http://localhost:8123"));
    assert_false(fgi_guard_origin(&guard, "https://127.0.0.1:8123"));
    assert_false(fgi_guard_origin(&guard, "http://127.0.0.1:8124"));
    assert_false(fgi_guard_origin(&guard, "null"));
    assert_false(fgi_guard_origin(&guard, ""));
    assert_false(fgi_guard_origin(&guard, NULL));
}

static void a_path_needs_the_whole_token_between_slashes(void **state)
{
    (void)state;
    struct fgi_guard guard = guard_of_port(1);
    char path[80];
    memcpy(guard.token, "0123456789abcdef0123456789abcdef", FGI_TOKEN_LENGTH);
    assert_string_equal(fgi_guard_path(&guard, "/0123456789abcdef0123456789abcdef/"), "");
    assert_string_equal(fgi_guard_path(&guard, "/0123456789abcdef0123456789abcdef/a/b"), "a/b");
    assert_null(fgi_guard_path(&guard, "/0123456789abcdef0123456789abcdef"));
    assert_null(fgi_guard_path(&guard, "x0123456789abcdef0123456789abcdef/"));
    assert_null(fgi_guard_path(&guard, "//0123456789abcdef0123456789abcdef/"));
    assert_null(fgi_guard_path(&guard, "/0123456789ABCDEF0123456789abcdef/"));
    assert_null(fgi_guard_path(&guard, "/"));
    assert_null(fgi_guard_path(&guard, ""));
    assert_null(fgi_guard_path(&guard, NULL));
    /* Every single wrong digit is found, the last one as well as the first. */
    for (size_t i = 0; i < FGI_TOKEN_LENGTH; i++) {
        strcpy(path, "/0123456789abcdef0123456789abcdef/index.html");
        path[1 + i] = path[1 + i] == 'f' ? '0' : 'f';
        assert_null(fgi_guard_path(&guard, path));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_long_hexadecimal_and_never_the_same),
        cmocka_unit_test(only_the_two_names_of_this_machine_with_our_port_are_a_host),
        cmocka_unit_test(only_our_own_origin_is_ours),
        cmocka_unit_test(a_path_needs_the_whole_token_between_slashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
