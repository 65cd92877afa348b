/* SPDX-License-Identifier: MIT */
#include "cli/device_cache.h"
#include "base/alloc.h"
#include "base/folder.h"
#include "cli/cli_file.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the text that a choice is kept as; another one is of another version. */
static const char choice_head[] = "frameglass compute choice 1";

/* ".cache" of the user; false when nothing says where that is. */
static bool find_folder(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/') {
        length = snprintf(path, size, "%s", cache);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, size, "%s/.cache", home);
    }
    return length > 0 && (size_t)length < size;
}

void fgi_device_cache_find(struct fgi_device_cache *cache,
                           const VkPhysicalDeviceProperties *properties)
{
    char folder[FGI_DEVICE_CACHE_PATH - 128];
    char key[2 * VK_UUID_SIZE + 1];
    cache->stem[0] = '\0';
    if (!find_folder(folder, sizeof folder) || fgi_folder_make(folder) != FG_OK) {
        return;
    }
    size_t length = strlen(folder);
    int more = snprintf(folder + length, sizeof folder - length, "/frameglass");
    if (more < 0 || (size_t)more >= sizeof folder - length || fgi_folder_make(folder) != FG_OK) {
        return;
    }
    for (size_t i = 0; i < VK_UUID_SIZE; i++) {
        snprintf(key + 2 * i, 3, "%02x", properties->pipelineCacheUUID[i]);
    }
    snprintf(cache->stem, sizeof cache->stem, "%s/%08" PRIx32 "-%08" PRIx32 "-%08" PRIx32 "-%s",
             folder, properties->vendorID, properties->deviceID, properties->driverVersion, key);
}

static bool path_of(const struct fgi_device_cache *cache, const char *ending, char *path,
                    size_t size)
{
    int length = snprintf(path, size, "%s.%s", cache->stem, ending);
    return cache->stem[0] != '\0' && length > 0 && (size_t)length < size;
}

static void *read_file(const struct fgi_device_cache *cache, const char *ending, size_t *out_size)
{
    char path[FGI_DEVICE_CACHE_PATH];
    struct fg_file_source *file = NULL;
    struct fg_source source;
    uint64_t size = 0;
    size_t got = 0;
    void *bytes = NULL;
    if (!path_of(cache, ending, path, sizeof path) ||
        fg_file_source_open(path, &file, &source) != FG_OK) {
        return NULL;
    }
    if (source.size(source.context, &size) == FG_OK && size > 0 && size <= FGI_DEVICE_CACHE_BYTES) {
        bytes = fgi_malloc(NULL, (size_t)size);
    }
    if (bytes != NULL && (source.read_at(source.context, 0, bytes, (size_t)size, &got) != FG_OK ||
                          got != (size_t)size)) {
        fgi_free(NULL, bytes, (size_t)size);
        bytes = NULL;
    }
    fg_file_source_close(file);
    *out_size = (size_t)size;
    return bytes;
}

/* Whole, or as it was: others may write the same at this time. What fails is made again. */
static bool write_file(const struct fgi_device_cache *cache, const char *ending, const void *bytes,
                       size_t size)
{
    char path[FGI_DEVICE_CACHE_PATH];
    struct fgi_out_file file = { 0 };
    struct fg_sink sink;
    return path_of(cache, ending, path, sizeof path) &&
           fgi_out_file_begin(path, &file, &sink) == FG_OK &&
           fgi_out_file_end(&file, sink.write(sink.context, bytes, size)) == FG_OK;
}

void *fgi_device_cache_pipelines(const struct fgi_device_cache *cache, size_t *out_size)
{
    return read_file(cache, "pipelines", out_size);
}

bool fgi_device_cache_keep_pipelines(const struct fgi_device_cache *cache, const void *bytes,
                                     size_t size)
{
    return write_file(cache, "pipelines", bytes, size);
}

bool fgi_device_cache_choice(const struct fgi_device_cache *cache,
                             struct fg_compute_choice *out_choice)
{
    size_t size = 0;
    char text[256];
    char *bytes = read_file(cache, "choice", &size);
    if (bytes == NULL || size >= sizeof text) {
        fgi_free(NULL, bytes, size);
        return false;
    }
    memcpy(text, bytes, size);
    text[size] = '\0';
    fgi_free(NULL, bytes, size);
    struct fg_compute_choice choice = { 0 };
    const uint32_t known = FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP;
    const uint32_t least = 32;
    const uint32_t most = 256;
    if (strncmp(text, choice_head, sizeof choice_head - 1) != 0 ||
        sscanf(text + sizeof choice_head - 1,
               " flags %" SCNx32 " group_size %" SCNu32 " taken_ns %" SCNd64, &choice.flags,
               &choice.group_size, &choice.taken_ns) != 3 ||
        (choice.flags & ~known) != 0 || (choice.group_size & (choice.group_size - 1)) != 0 ||
        choice.group_size < least || choice.group_size > most) {
        return false;
    }
    *out_choice = choice;
    return true;
}

bool fgi_device_cache_keep_choice(const struct fgi_device_cache *cache,
                                  const struct fg_compute_choice *choice)
{
    char text[256];
    int size = snprintf(text, sizeof text,
                        "%s\nflags %" PRIx32 "\ngroup_size %" PRIu32 "\ntaken_ns %" PRId64 "\n",
                        choice_head, choice->flags, choice->group_size, choice->taken_ns);
    return size > 0 && (size_t)size < sizeof text &&
           write_file(cache, "choice", text, (size_t)size);
}
