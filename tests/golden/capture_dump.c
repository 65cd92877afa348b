/* SPDX-License-Identifier: MIT */
/* capture_dump FILE...: captures as canonical JSON, on standard output, one on each line. */
#include "capture_json.h"

#include <stdio.h>

static enum fg_result write_stdout(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

static enum fg_result dump(const char *path, const struct fg_sink *sink)
{
    struct fg_file_source *file;
    struct fg_source source;
    enum fg_result result = fg_file_source_open(path, &file, &source);
    if (result == FG_OK) {
        result = fgi_test_capture_json(&source, NULL, sink);
        fg_file_source_close(file);
    }
    if (result != FG_OK) {
        (void)fprintf(stderr, "%s: %s\n", path, fg_result_text(result));
    }
    return result;
}

int main(int argc, char **argv)
{
    struct fg_sink sink = { .write = write_stdout };
    if (argc < 2) {
        (void)fputs("usage: capture_dump FILE...\n", stderr);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        if (dump(argv[i], &sink) != FG_OK) {
            return 3;
        }
    }
    return 0;
}
