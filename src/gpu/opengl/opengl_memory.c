/* SPDX-License-Identifier: MIT */
/* Device memory, as two vendors' extensions tell it: of the device as a whole, in KiB. */
#include "gpu/opengl/opengl_priv.h"

/* A driver may have to ask the system. */
#define PERIOD_NS 250000000

static uint64_t kib(int value)
{
    return (uint64_t)(unsigned)value * 1024;
}

bool fgi_opengl_memory(struct fg_device *base, struct fgi_memory_use *out_use)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    int64_t now_ns = device->now_ns();
    if (now_ns < device->memory_next_ns || device->lost || !fgi_opengl_is_here(device)) {
        return false;
    }
    device->memory_next_ns = now_ns + PERIOD_NS;
    *out_use = (struct fgi_memory_use){ .whole = true };
    if (device->has_nvx_memory) {
        int total = 0;
        int available = 0;
        device->gl.GetIntegerv(FGI_GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM, &total);
        device->gl.GetIntegerv(FGI_GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM, &available);
        out_use->total_bytes = kib(total);
        out_use->free_bytes = kib(available);
        out_use->used_bytes = out_use->total_bytes > out_use->free_bytes
                                  ? out_use->total_bytes - out_use->free_bytes
                                  : 0;
        return total != 0;
    }
    int pools[4] = { 0 }; /* free in the pool, its largest block; the same of the auxiliary one */
    device->gl.GetIntegerv(FGI_GL_TEXTURE_FREE_MEMORY, pools);
    out_use->free_bytes = kib(pools[0]);
    return pools[0] != 0;
}
