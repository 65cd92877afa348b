/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without a fuzzer: every file of the corpus as it is, cut at many places, and
 * with single bytes changed; files behind --as-it-is only as they are. Deterministic, so that a
 * failure under ctest is a failure everywhere.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_FILE_BYTES = 16 << 20,
    VARIANT_FILE_BYTES = 256 << 10, /* larger files are only replayed whole */
#ifdef __SANITIZE_ADDRESS__
    CUTS = 10, /* each allocation is a new mapping there */
    FLIPS = 20,
#else
    CUTS = 40,
    FLIPS = 80,
#endif
};

static unsigned long inputs;
static int as_it_is;

/* A copy of exactly the input's size, so that a read past its end is seen by the sanitizer. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (copy == NULL) {
        fprintf(stderr, "memory ran out\n");
        exit(1);
    }
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    inputs++;
}

static void run_variants(uint8_t *data, size_t size)
{
    run(data, size);
    if (size == 0 || size > VARIANT_FILE_BYTES || as_it_is) {
        return;
    }
    for (size_t i = 0; i < CUTS; i++) {
        run(data, size <= CUTS ? i % size : size * i / CUTS);
    }
    uint64_t state = 0x9E3779B97F4A7C15u ^ size;
    for (size_t i = 0; i < FLIPS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(state >> 33) % size;
        uint8_t change = (uint8_t)(state >> 24);
        data[at] ^= change ? change : 1;
        run(data, size);
        data[at] ^= change ? change : 1;
    }
}

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        return 1;
    }
    uint8_t *data = malloc(MAX_FILE_BYTES);
    size_t size = data != NULL ? fread(data, 1, MAX_FILE_BYTES, file) : 0;
    fclose(file);
    if (data == NULL) {
        fprintf(stderr, "memory ran out\n");
        return 1;
    }
    run_variants(data, size);
    free(data);
    return 0;
}

static int replay(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        fprintf(stderr, "%s: no such file\n", path);
        return 1;
    }
    if (!S_ISDIR(about.st_mode)) {
        return replay_file(path);
    }
    struct dirent **names = NULL;
    int count = scandir(path, &names, NULL, alphasort);
    int failed = count < 0;
    for (int i = 0; i < count; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.') {
            failed |= replay(inner);
        }
        free(names[i]);
    }
    free(names);
    return failed;
}

int main(int argc, char **argv)
{
    run((const uint8_t *)"", 0);
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--as-it-is") == 0) {
            as_it_is = 1;
        } else {
            failed |= replay(argv[i]);
        }
    }
    printf("%lu inputs replayed\n", inputs);
    return failed;
}
