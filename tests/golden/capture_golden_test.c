/* SPDX-License-Identifier: MIT */
/* Every golden capture reads as its JSON says; what must be refused is refused by its name. */
#include "../support/cmocka_all.h"

#include "capture_json.h"
#include "capture_sample.h"

#include "base/bytes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GOLDEN = 128, MAX_FILE = 1 << 21 };

static char names[MAX_GOLDEN][80];
static size_t name_count;

static int find_goldens(void **state)
{
    (void)state;
    DIR *folder = opendir(FG_SOURCE_DIR "/tests/golden");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        size_t size = strlen(entry->d_name);
        if (size > 5 && size < 70 && strcmp(entry->d_name + size - 5, ".sgpt") == 0 &&
            name_count < MAX_GOLDEN) {
            memcpy(names[name_count], entry->d_name, size - 5);
            names[name_count++][size - 5] = '\0';
        }
    }
    (void)closedir(folder);
    return 0;
}

static char *slurp(const char *name, const char *extension, size_t *out_size)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/golden/%s.%s", FG_SOURCE_DIR, name, extension);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is missing", path);
    }
    char *data = test_malloc(MAX_FILE);
    *out_size = fread(data, 1, MAX_FILE, file);
    (void)fclose(file);
    return data;
}

static struct fg_memory_sink *json_of(const void *data, size_t size)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_memory_view view = { data, size };
    struct fg_source source = fg_memory_source(&view);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fgi_test_capture_json(&source, NULL, &sink), FG_OK);
    return memory;
}

static void every_golden_reads_as_its_json(void **state)
{
    (void)state;
    assert_true(name_count >= 30);
    for (size_t i = 0; i < name_count; i++) {
        size_t size;
        size_t expected_size;
        size_t got_size;
        char *data = slurp(names[i], "sgpt", &size);
        char *expected = slurp(names[i], "json", &expected_size);
        struct fg_memory_sink *memory = json_of(data, size);
        const void *got = fg_memory_sink_bytes(memory, &got_size);
        if (got_size != expected_size || memcmp(got, expected, got_size) != 0) {
            fail_msg("%s.sgpt does not read as %s.json", names[i], names[i]);
        }
        fg_memory_sink_destroy(memory);
        test_free(expected);
        test_free(data);
    }
}

static void files_to_refuse_are_refused_by_their_name(void **state)
{
    (void)state;
    size_t refused = 0;
    for (size_t i = 0; i < name_count; i++) {
        if (strncmp(names[i], "refuse_", 7) != 0) {
            continue;
        }
        size_t size;
        char *data = slurp(names[i], "sgpt", &size);
        struct fg_memory_view view = { data, size };
        struct fg_source source = fg_memory_source(&view);
        struct fg_diag diag = { 0 };
        struct fg_capture *capture = NULL;
        enum fg_result result = fg_capture_open(&source, NULL, &diag, &capture);
        assert_true(result == FG_ERR_FORMAT || result == FG_ERR_VERSION ||
                    result == FG_ERR_CORRUPT);
        assert_null(capture);
        assert_memory_equal(diag.message, names[i] + 7, strlen(names[i] + 7));
        test_free(data);
        refused++;
    }
    assert_int_equal(refused, 4);
}

/* Today's writer and the files of version 1 agree, so that a change of the format cannot go unseen:
 * when this fails on purpose, the version number and the golden files' names must change too. */
static void todays_writer_writes_version_1_as_it_was(void **state)
{
    (void)state;
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct sample sample = { 0 };
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&sink, NULL, &sample.writer), FG_OK);
    sample_everything(&sample);
    assert_int_equal(sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(sample.writer), FG_OK);
    size_t size;
    size_t golden_size;
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    char *golden = slurp("v1_everything", "sgpt", &golden_size);
    assert_int_equal(size, golden_size);
    assert_memory_equal(bytes, golden, size);
    test_free(golden);
    fg_capture_writer_destroy(sample.writer);
    fg_memory_sink_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_reads_as_its_json),
        cmocka_unit_test(files_to_refuse_are_refused_by_their_name),
        cmocka_unit_test(todays_writer_writes_version_1_as_it_was),
    };
    return cmocka_run_group_tests(tests, find_goldens, NULL);
}
