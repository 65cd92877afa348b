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
static void writes_as_it_was(void (*put)(struct sample *sample), const char *name)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct sample sample = { 0 };
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&sink, NULL, &sample.writer), FG_OK);
    put(&sample);
    assert_int_equal(sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(sample.writer), FG_OK);
    size_t size;
    size_t golden_size;
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    char *golden = slurp(name, "sgpt", &golden_size);
    assert_int_equal(size, golden_size);
    assert_memory_equal(bytes, golden, size);
    test_free(golden);
    fg_capture_writer_destroy(sample.writer);
    fg_memory_sink_destroy(memory);
}

static void todays_writer_writes_version_1_as_it_was(void **state)
{
    (void)state;
    writes_as_it_was(sample_everything, "v1_everything");
    writes_as_it_was(sample_process, "v1_process");
    writes_as_it_was(sample_converted, "v1_converted");
}

/* ---- The example of docs/FORMAT.md ----------------------------------------------------------- */

static enum fg_result write_example(struct fg_capture_writer *writer)
{
    uint32_t host;
    uint32_t shadow;
    const struct fg_cap_meta meta = { .session_hi = 1,
                                      .session_lo = 2,
                                      .level = FG_CAP_LEVEL_STRUCTURE,
                                      .producer = { "example", 7 } };
    enum fg_result result = fg_capture_writer_meta(writer, &meta);
    if (result != FG_OK || fg_capture_writer_symbol(writer, "host", 4, &host) != FG_OK ||
        fg_capture_writer_symbol(writer, "shadow", 6, &shadow) != FG_OK) {
        return result;
    }
    const struct fg_cap_clock clock = { .id = 1,
                                        .host_clock = FG_CAP_NONE,
                                        .name = host,
                                        .period_num = 1,
                                        .period_den = 1,
                                        .valid_bits = 64 };
    const struct fg_cap_gpu_pass pass = { .gpu_pass = FG_CAP_NONE,
                                          .graph_pass = FG_CAP_NONE,
                                          .kind = FG_CAP_GPU_PASS_RENDER,
                                          .label = shadow,
                                          .track = FG_CAP_NONE,
                                          .submission = FG_CAP_NONE,
                                          .parent = FG_CAP_NONE,
                                          .logical = FG_CAP_NONE };
    const struct fg_cap_frame frame = { .frame = 7,
                                        .topology = FG_CAP_NONE,
                                        .level = FG_CAP_LEVEL_STRUCTURE,
                                        .clock = 1,
                                        .track = FG_CAP_NONE,
                                        .begin_ticks = 1000,
                                        .end_ticks = 1300,
                                        .submit_ticks = 1290,
                                        .wait_ticks = FG_CAP_UNKNOWN,
                                        .present_wait_ticks = FG_CAP_UNKNOWN,
                                        .recorder_ns = FG_CAP_UNKNOWN,
                                        .gpu_passes = &pass,
                                        .gpu_pass_count = 1 };
    const struct fg_cap_gpu_span span = { .begin_ticks = 2000, .end_ticks = 2500 };
    const struct fg_cap_gpu_frame gpu = { .frame = 7,
                                          .clock = 1,
                                          .flags = FG_CAP_GPU_FRAME_LAST,
                                          .instance_count = 1,
                                          .epoch_ticks = 2000,
                                          .latency_ns = 5000,
                                          .spans = &span,
                                          .span_count = 1 };
    result = fg_capture_writer_clock(writer, &clock);
    if (result == FG_OK) {
        result = fg_capture_writer_frame(writer, &frame);
    }
    if (result == FG_OK) {
        result = fg_capture_writer_gpu_frame(writer, &gpu);
    }
    return result == FG_OK ? fg_capture_writer_close(writer) : result;
}

/* The hexadecimal bytes of the example: lines of an offset, a colon and up to 16 bytes. */
static size_t example_bytes(uint8_t *out, size_t capacity)
{
    char line[256];
    size_t size = 0;
    bool inside = false;
    FILE *file = fopen(FG_SOURCE_DIR "/docs/FORMAT.md", "rb");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned offset;
        int used = 0;
        inside = inside || strncmp(line, "## 12.", 6) == 0;
        if (!inside || sscanf(line, "%u:%n", &offset, &used) != 1 || used == 0) {
            continue;
        }
        assert_int_equal(offset, size);
        for (int at = used; at < used + 48 && line[at] == ' ' && size < capacity; at += 3) {
            unsigned byte;
            if (line[at + 1] == ' ' || sscanf(line + at + 1, "%2x", &byte) != 1) {
                break;
            }
            out[size++] = (uint8_t)byte;
        }
    }
    (void)fclose(file);
    return size;
}

static void the_example_of_the_format_is_what_the_writer_writes(void **state)
{
    (void)state;
    uint8_t expected[2048];
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_capture_writer *writer;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&sink, NULL, &writer), FG_OK);
    assert_int_equal(write_example(writer), FG_OK);
    size_t size;
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    assert_int_equal(example_bytes(expected, sizeof expected), size);
    assert_memory_equal(bytes, expected, size);
    fg_capture_writer_destroy(writer);
    fg_memory_sink_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_reads_as_its_json),
        cmocka_unit_test(files_to_refuse_are_refused_by_their_name),
        cmocka_unit_test(todays_writer_writes_version_1_as_it_was),
        cmocka_unit_test(the_example_of_the_format_is_what_the_writer_writes),
    };
    return cmocka_run_group_tests(tests, find_goldens, NULL);
}
