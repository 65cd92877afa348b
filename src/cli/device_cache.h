/* SPDX-License-Identifier: MIT */
/*
 * What is known of a device from earlier runs, in the user's cache folder (XDG_CACHE_HOME, else
 * ~/.cache): pipelines that its driver has made, and which way to compute is the fastest on it.
 * Everything works without; what cannot be read, or is of another driver, is made again.
 */
#ifndef FGI_DEVICE_CACHE_H
#define FGI_DEVICE_CACHE_H
#include <frameglass/compute_choice.h>

enum {
    FGI_DEVICE_CACHE_PATH = 4096,
    /** Larger files are not read. */
    FGI_DEVICE_CACHE_BYTES = 64 << 20,
};

struct fgi_device_cache {
    char stem[FGI_DEVICE_CACHE_PATH]; /**< of its files; "": there is no folder */
};

/** Known by what a driver says of itself. Makes the folder. */
void fgi_device_cache_find(struct fgi_device_cache *cache,
                           const VkPhysicalDeviceProperties *properties);
/**
 * The pipelines' bytes, for VkPipelineCacheCreateInfo.
 *
 * @return owned: fgi_free() with *out_size; NULL: there are none
 */
void *fgi_device_cache_pipelines(const struct fgi_device_cache *cache, size_t *out_size);
/** False: they are not kept, and will be made again. */
bool fgi_device_cache_keep_pipelines(const struct fgi_device_cache *cache, const void *bytes,
                                     size_t size);
/** False: none is remembered. */
bool fgi_device_cache_choice(const struct fgi_device_cache *cache,
                             struct fg_compute_choice *out_choice);
/** As above. */
bool fgi_device_cache_keep_choice(const struct fgi_device_cache *cache,
                                  const struct fg_compute_choice *choice);

#endif
