/* SPDX-License-Identifier: MIT */
/* Writes the capture of record_some.h to a file: make_capture OUT.sgpt [FRAMES] */
#include "record_some.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: make_capture OUT.sgpt [FRAMES]\n");
        return 2;
    }
    size_t size = 0;
    uint8_t *bytes = record_some(argc > 2 ? strtoull(argv[2], NULL, 10) : 20, &size);
    FILE *file = bytes != NULL ? fopen(argv[1], "wb") : NULL;
    bool done = file != NULL && fwrite(bytes, 1, size, file) == size;
    done = (file == NULL || fclose(file) == 0) && done;
    free(bytes);
    if (!done) {
        fprintf(stderr, "make_capture: the recording failed\n");
    }
    return done ? 0 : 1;
}
