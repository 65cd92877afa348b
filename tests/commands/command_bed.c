/* SPDX-License-Identifier: MIT */
#include "command_bed.h"

#include "../support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *command_text(struct fg_command_list *list)
{
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    size_t size = 0;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_command_list_write(list, &sink), FG_OK);
    const void *bytes = fg_memory_sink_bytes(memory, &size);
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    fg_memory_sink_destroy(memory);
    return text;
}

void command_same_text(const char *text, const char *expected)
{
    size_t line = 1, at = 0;
    while (text[at] == expected[at] && text[at] != '\0') {
        line += text[at++] == '\n';
    }
    if (text[at] != expected[at]) {
        size_t begin = at;
        while (begin > 0 && expected[begin - 1] != '\n') {
            begin--;
        }
        fail_msg("line %zu is\n%.*s\nand not\n%.*s\nin\n%s", line, (int)strcspn(text + begin, "\n"),
                 text + begin, (int)strcspn(expected + begin, "\n"), expected + begin, text);
    }
}

void command_same_file(const char *text, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", getenv("FGT_GOLDEN"), name);
    FILE *file = fopen(path, getenv("FGT_GOLDEN_WRITE") != NULL ? "w+" : "r");
    assert_non_null(file);
    if (getenv("FGT_GOLDEN_WRITE") != NULL) {
        assert_true(fputs(text, file) >= 0);
        rewind(file);
    }
    char *expected = calloc(1, 1 << 20);
    assert_non_null(expected);
    (void)fread(expected, 1, (1 << 20) - 1, file);
    (void)fclose(file);
    command_same_text(text, expected);
    free(expected);
}

uint64_t command_sum(const char *text, const char *words)
{
    char line[128];
    const char *sums = strstr(text, "\nSums\n");
    assert_non_null(sums);
    (void)snprintf(line, sizeof line, "  %s\n", words);
    const char *at = strstr(sums, line);
    assert_non_null(at);
    while (at[-1] != '\n') {
        at--;
    }
    return strtoull(at, NULL, 10);
}
