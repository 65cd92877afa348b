/* SPDX-License-Identifier: MIT */
#include "flight_bed.h"
#include "../support/cmocka_all.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void flight_folder_make(char path[FLIGHT_PATH_BYTES])
{
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(path, FLIGHT_PATH_BYTES, "%s/frameglass-flight-XXXXXX",
                   temporary != NULL ? temporary : "/tmp");
    assert_non_null(mkdtemp(path));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

void flight_files_list(struct flight_files *files, const char *folder)
{
    memset(files, 0, sizeof *files);
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] != '.') {
            assert_true(files->count < FLIGHT_FILES_MAX);
            (void)snprintf(files->names[files->count++], sizeof files->names[0], "%s",
                           entry->d_name);
        }
    }
    (void)closedir(list);
    qsort(files->names, files->count, sizeof files->names[0], by_name);
    for (size_t i = 0; i < files->count; i++) {
        char path[2 * FLIGHT_PATH_BYTES];
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", folder, files->names[i]);
        assert_int_equal(stat(path, &status), 0);
        files->sizes[i] = (uint64_t)status.st_size;
        files->total_bytes += files->sizes[i];
    }
}

void flight_folder_remove(const char *path)
{
    struct flight_files files;
    flight_files_list(&files, path);
    for (size_t i = 0; i < files.count; i++) {
        char file[2 * FLIGHT_PATH_BYTES];
        (void)snprintf(file, sizeof file, "%s/%s", path, files.names[i]);
        assert_int_equal(unlink(file), 0);
    }
    assert_int_equal(rmdir(path), 0);
}

void *flight_file_read(const char *folder, const char *name, size_t *out_size)
{
    char path[2 * FLIGHT_PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *out_size = (size_t)ftell(file);
    rewind(file);
    void *bytes = malloc(*out_size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *out_size, file), *out_size);
    (void)fclose(file);
    return bytes;
}

void flight_dump_read(struct seen *seen, const char *folder, const char *name)
{
    size_t size;
    void *bytes = flight_file_read(folder, name, &size);
    seen_read(seen, bytes, size);
    for (size_t i = 1; i < seen->frame_count; i++) {
        assert_int_equal(seen->frames[i].frame, seen->frames[i - 1].frame + 1);
    }
    free(bytes);
}

void flight_dump_only(struct seen *seen, const char *folder)
{
    struct flight_files files;
    flight_files_list(&files, folder);
    assert_int_equal(files.count, 1);
    flight_dump_read(seen, folder, files.names[0]);
}
