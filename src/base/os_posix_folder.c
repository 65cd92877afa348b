/* SPDX-License-Identifier: MIT */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum fg_result fgi_folder_each(const char *folder,
                               enum fg_result (*visit)(void *context,
                                                       const struct fgi_folder_file *file),
                               void *context)
{
    DIR *list = opendir(folder);
    if (list == NULL) {
        return errno == ENOENT || errno == ENOTDIR ? FG_ERR_NOT_FOUND : FG_ERR_IO;
    }
    enum fg_result result = FG_OK;
    struct dirent *entry;
    while (result == FG_OK && (entry = readdir(list)) != NULL) {
        struct stat status;
        if (fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode)) {
            continue; /* gone meanwhile, or no file */
        }
        struct fgi_folder_file file = {
            .name = entry->d_name,
            .size_bytes = (uint64_t)status.st_size,
            .changed_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
        };
        result = visit(context, &file);
    }
    (void)closedir(list);
    return result;
}

enum fg_result fgi_folder_make(const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) == 0) {
        return FG_OK;
    }
    return errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? FG_OK
                                                                                  : FG_ERR_IO;
}

bool fgi_file_exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

enum fg_result fgi_file_remove(const char *path)
{
    return unlink(path) == 0 ? FG_OK : FG_ERR_IO;
}

enum fg_result fgi_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0 ? FG_OK : FG_ERR_IO;
}
