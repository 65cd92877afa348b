/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "cli/cli_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(const char *text, const char *ending)
{
    size_t size = strlen(text) + strlen(ending) + 1;
    char *both = fgi_malloc(NULL, size);
    if (both != NULL) {
        snprintf(both, size, "%s%s", text, ending);
    }
    return both;
}

static void free_text(char *text)
{
    if (text != NULL) {
        fgi_free(NULL, text, strlen(text) + 1);
    }
}

/* Beside its place, with the rights of what lies there. */
static enum fg_result open_part(struct fgi_out_file *file, const struct stat *before,
                                struct fg_sink *out_sink)
{
    char ending[40];
    snprintf(ending, sizeof ending, ".part%ld", (long)getpid());
    file->part = joined(file->path, ending);
    if (file->part == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fg_file_sink_open(file->part, &file->file, out_sink);
    if (result == FG_OK && before != NULL) {
        (void)chmod(file->part, before->st_mode & 0777); /* best effort: it can be read anyway */
    }
    if (result != FG_OK) {
        free_text(file->part);
        file->part = NULL;
    }
    return result;
}

enum fg_result fgi_out_file_begin(const char *path, struct fgi_out_file *out_file,
                                  struct fg_sink *out_sink)
{
    char place[PATH_MAX];
    struct stat before;
    struct fgi_out_file file = { 0 };
    bool exists = stat(path, &before) == 0;
    /* A link stays one: what it leads to is replaced. */
    file.path = joined(exists && realpath(path, place) != NULL ? place : path, "");
    if (file.path == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = FG_ERR_IO;
    if (!exists || (S_ISREG(before.st_mode) && access(path, W_OK) == 0)) {
        result = open_part(&file, exists ? &before : NULL, out_sink);
    }
    if (result == FG_ERR_IO) {
        result = fg_file_sink_open(path, &file.file, out_sink);
    }
    if (result != FG_OK) {
        free_text(file.path);
        return result;
    }
    *out_file = file;
    return FG_OK;
}

enum fg_result fgi_out_file_end(struct fgi_out_file *file, enum fg_result result)
{
    enum fg_result closed = fg_file_sink_close(file->file);
    result = result != FG_OK ? result : closed;
    if (file->part != NULL) {
        if (result == FG_OK && rename(file->part, file->path) != 0) {
            result = FG_ERR_IO;
        }
        if (result != FG_OK) {
            (void)unlink(file->part); /* nothing more can be done about what stays */
        }
    }
    free_text(file->part);
    free_text(file->path);
    *file = (struct fgi_out_file){ 0 };
    return result;
}
