/* SPDX-License-Identifier: MIT */
/* capture_dump FILE: a capture as canonical JSON, on standard output. */
#include "capture_json.h"

#include <stdio.h>

static enum fg_result write_stdout(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

int main(int argc, char **argv)
{
    struct fg_file_source *file;
    struct fg_source source;
    struct fg_sink sink = { .write = write_stdout };
    if (argc != 2) {
        (void)fputs("usage: capture_dump FILE\n", stderr);
        return 2;
    }
    enum fg_result result = fg_file_source_open(argv[1], &file, &source);
    if (result == FG_OK) {
        result = fgi_test_capture_json(&source, NULL, &sink);
        fg_file_source_close(file);
    }
    if (result != FG_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[1], fg_result_text(result));
        return 3;
    }
    return 0;
}
