/* SPDX-License-Identifier: MIT */
/* The examples run, and what they recorded is what their code says. */
#include "record_bed.h"
#include "../support/cmocka_all.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(const char *program, const char *path, struct seen *seen)
{
    char command[600];
    struct fg_file_source *file;
    struct fg_source source;
    uint64_t size;
    size_t got;
    (void)snprintf(command, sizeof command, "'%s' '%s'", program, path);
    assert_int_equal(system(command), 0);
    assert_int_equal(fg_file_source_open(path, &file, &source), FG_OK);
    assert_int_equal(source.size(source.context, &size), FG_OK);
    void *bytes = malloc((size_t)size);
    assert_int_equal(source.read_at(source.context, 0, bytes, (size_t)size, &got), FG_OK);
    fg_file_source_close(file);
    seen_read(seen, bytes, got);
    free(bytes);
    assert_true(seen->info.closed);
    (void)remove(path);
}

static void the_minimal_example_records_sixty_frames(void **state)
{
    struct seen seen;
    (void)state;
    run(EXAMPLE_MINIMAL, "record_examples_minimal.sgpt", &seen);
    assert_int_equal(seen.frame_count, 60);
    for (int i = 0; i < 60; i++) {
        assert_string_equal(seen.frames[i].passes[0].label, "blur");
        assert_int_equal(seen_duration(&seen.frames[i].passes[0]), 1000000 + 1000 * i);
        assert_int_equal(seen.frames[i].passes[0].works[0].x, 120);
    }
    seen_free(&seen);
}

static void a_graph_of_a_foreign_shape_is_recorded_with_its_structure(void **state)
{
    struct seen seen;
    (void)state;
    run(EXAMPLE_FOREIGN, "record_examples_foreign.sgpt", &seen);
    assert_int_equal(seen.frame_count, 30);
    assert_int_equal(seen.topology_count, 2); /* two shapes, whatever is made anew each frame */
    for (int i = 0; i < 30; i++) {
        const struct seen_frame *frame = &seen.frames[i];
        bool even = i % 2 == 0;
        /* In odd frames nobody reads what the third pass made: it does not run. */
        assert_int_equal(frame->pass_count, even ? 5 : 3);
        assert_int_equal(frame->cpu_pass_count, even ? 5 : 4);
        assert_int_equal(frame->passes[0].graph_pass, 0);
        assert_int_equal(frame->passes[frame->pass_count - 1].graph_pass, even ? 4 : 3);
        assert_int_equal(seen_duration(&frame->passes[1]), 2500000);
    }
    seen_free(&seen);
}

/* Lines with code in them: no blank ones, no comments, no includes and guards. */
static int code_lines(const char *path)
{
    char line[300];
    int count = 0;
    bool comment = false;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *at = line;
        while (isspace((unsigned char)*at)) {
            at++;
        }
        bool starts = strncmp(at, "/*", 2) == 0;
        if (*at != 0 && *at != '#' && !starts && !comment) {
            count++;
        }
        comment = (comment || starts) && strstr(at, "*/") == NULL;
    }
    (void)fclose(file);
    return count;
}

static void its_integration_takes_under_sixty_lines(void **state)
{
    (void)state;
    int lines = code_lines(FG_SOURCE_DIR "/examples/foreign_graph/foreign_record.c") +
                code_lines(FG_SOURCE_DIR "/examples/foreign_graph/foreign_record.h");
    assert_in_range(lines, 20, 59);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_minimal_example_records_sixty_frames),
        cmocka_unit_test(a_graph_of_a_foreign_shape_is_recorded_with_its_structure),
        cmocka_unit_test(its_integration_takes_under_sixty_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
