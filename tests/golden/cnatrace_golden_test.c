/* SPDX-License-Identifier: MIT */
/*
 * Every golden CNATRACE file reads as its JSON says, and is written again byte for byte unless it
 * is one of the odd ones; what must be refused is refused by its name.
 */
#include "../support/cmocka_all.h"

#include "base/json.h"
#include <frameglass/capture_cnatrace.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { MAX_GOLDEN = 64, MAX_FILE = 1 << 16 };

static char names[MAX_GOLDEN][80];
static size_t name_count;

static int find_goldens(void **state)
{
    (void)state;
    static const char ending[] = ".cnatrace";
    DIR *folder = opendir(FG_SOURCE_DIR "/tests/golden");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const size_t size = strlen(entry->d_name), stem = size - (sizeof ending - 1);
        if (size >= sizeof ending && size < sizeof names[0] && name_count < MAX_GOLDEN &&
            strcmp(entry->d_name + stem, ending) == 0) {
            memcpy(names[name_count], entry->d_name, stem);
            names[name_count++][stem] = '\0';
        }
    }
    (void)closedir(folder);
    return 0;
}

static size_t slurp(const char *name, const char *extension, char *bytes)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/golden/%s.%s", FG_SOURCE_DIR, name, extension);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is missing", path);
    }
    const size_t size = fread(bytes, 1, MAX_FILE, file);
    (void)fclose(file);
    return size;
}

static void put_events(struct fgi_json *json, const struct fg_cnatrace *trace)
{
    for (size_t i = 0; i < trace->event_count; i++) {
        const struct fg_process_event *event = &trace->events[i];
        fgi_json_inline_array_begin(json);
        fgi_json_uint(json, event->sequence);
        fgi_json_uint(json, event->time_ns);
        fgi_json_uint(json, event->duration_ns);
        fgi_json_uint(json, event->frame);
        fgi_json_uint(json, event->thread);
        fgi_json_uint(json, event->correlation);
        fgi_json_uint(json, event->parent);
        fgi_json_int(json, event->value);
        fgi_json_uint(json, event->name);
        fgi_json_uint(json, event->kind);
        fgi_json_uint(json, event->category);
        fgi_json_array_end(json);
        assert_int_equal(event->flags, 0);
    }
}

static enum fg_result put_trace(const struct fg_cnatrace *trace, const struct fg_sink *sink)
{
    struct fgi_json json = { .sink = sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key_uint(&json, "version", trace->version);
    fgi_json_key_uint(&json, "dropped_events", trace->dropped_events);
    fgi_json_key(&json, "names");
    fgi_json_array_begin(&json);
    for (size_t i = 0; i < trace->name_count; i++) {
        fgi_json_inline_array_begin(&json);
        fgi_json_uint(&json, trace->names[i].id);
        fgi_json_text_sized(&json, trace->names[i].text, trace->names[i].size);
        fgi_json_array_end(&json);
        assert_string_equal(fg_cnatrace_text(trace, trace->names[i].id), trace->names[i].text);
    }
    fgi_json_array_end(&json);
    fgi_json_key(&json, "events");
    fgi_json_array_begin(&json);
    put_events(&json, trace);
    fgi_json_array_end(&json);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

static void expect(struct fg_memory_sink *memory, const char *bytes, size_t size, const char *what)
{
    size_t got_size;
    const void *got = fg_memory_sink_bytes(memory, &got_size);
    if (got_size != size || memcmp(got, bytes, size) != 0) {
        fail_msg("%s:\n%.*s\nis not\n%.*s", what, (int)got_size, (const char *)got, (int)size,
                 bytes);
    }
    fg_memory_sink_destroy(memory);
}

static void look_at(const char *name, const char *bytes, size_t size, const char *json,
                    size_t json_size)
{
    struct fg_memory_view view = { bytes, size };
    const struct fg_source source = fg_memory_source(&view);
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct fg_cnatrace *trace = NULL;
    struct fg_diag diag = { 0 };
    char refused[80];
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    const enum fg_result result = fg_cnatrace_read(&source, NULL, &trace, &diag);
    if (result != FG_OK) {
        assert_null(trace);
        assert_true(diag.message[0] != '\0');
        (void)snprintf(refused, sizeof refused, "{\"refused\": \"%s\"}\n", fg_result_name(result));
        assert_int_equal(sink.write(sink.context, refused, strlen(refused)), FG_OK);
        expect(memory, json, json_size, name);
        return;
    }
    assert_int_equal(put_trace(trace, &sink), FG_OK);
    expect(memory, json, json_size, name);
    if (strcmp(name, "cnatrace_odd") != 0) {
        assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
        assert_int_equal(fg_cnatrace_write(trace, &sink), FG_OK);
        expect(memory, bytes, size, name);
    }
    fg_cnatrace_free(trace);
}

static void every_golden_reads_as_its_json(void **state)
{
    (void)state;
    static char bytes[MAX_FILE], json[MAX_FILE];
    assert_true(name_count >= 16);
    for (size_t i = 0; i < name_count; i++) {
        const size_t size = slurp(names[i], "cnatrace", bytes);
        look_at(names[i], bytes, size, json, slurp(names[i], "json", json));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_reads_as_its_json),
    };
    return cmocka_run_group_tests(tests, find_goldens, NULL);
}
