/* SPDX-License-Identifier: MIT */
/*
 * What the context can do, and its functions. Getters give out pointers for functions that are not
 * there, so versions and extensions decide, never a pointer alone.
 */
#include "gpu/opengl/opengl_priv.h"

#include <stdio.h>
#include <string.h>

enum group { BASE, QUERY, DEBUG, RESET };

struct entry {
    size_t offset;
    const char *name;
    enum group group;
};
static const struct entry entries[] = {
#define ENTRY(member, result, parameters, group)                                                   \
    { offsetof(struct fgi_opengl_functions, member), #member, group },
    FGI_OPENGL_FUNCTIONS(ENTRY)
#undef ENTRY
};

/* See store() of the Vulkan device: C has no other way than through the untyped kind. */
static void load_group(struct fgi_opengl_device *device, fg_opengl_getter *getter, enum group group,
                       const char *suffix)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char name[64];
        if (entries[i].group != group) {
            continue;
        }
        (void)snprintf(name, sizeof name, "gl%s%s", entries[i].name, suffix);
        fg_opengl_function function = getter(name);
        if (function == NULL && *suffix != 0) {
            (void)snprintf(name, sizeof name, "gl%s", entries[i].name);
            function = getter(name);
        }
        *(fg_opengl_function *)(void *)((char *)&device->gl + entries[i].offset) = function;
    }
}

static void copy_string(const struct fgi_opengl_device *device, fgi_gl_enum name,
                        char out[FGI_OPENGL_TEXT])
{
    const unsigned char *text = device->gl.GetString(name);
    (void)snprintf(out, FGI_OPENGL_TEXT, "%s", text != NULL ? (const char *)text : "");
}

/** "4.5.0 ..." or "OpenGL ES 3.2 ..."; false: it is older than 3.0, or no context is current. */
static bool read_version(struct fgi_opengl_device *device)
{
    static const char es[] = "OpenGL ES ";
    copy_string(device, FGI_GL_VERSION, device->version);
    copy_string(device, FGI_GL_VENDOR, device->vendor);
    copy_string(device, FGI_GL_RENDERER, device->renderer);
    device->es = strncmp(device->version, es, sizeof es - 1) == 0;
    const char *digits = device->version + (device->es ? sizeof es - 1 : 0);
    return sscanf(digits, "%d.%d", &device->major, &device->minor) == 2 && device->major >= 3;
}

static bool has_version(const struct fgi_opengl_device *device, bool es, int major, int minor)
{
    return device->es == es &&
           (device->major > major || (device->major == major && device->minor >= minor));
}

static bool has_extension(const struct fgi_opengl_device *device, const char *name)
{
    int count = 0;
    device->gl.GetIntegerv(FGI_GL_NUM_EXTENSIONS, &count);
    for (int i = 0; i < count; i++) {
        const unsigned char *extension = device->gl.GetStringi(FGI_GL_EXTENSIONS, (unsigned)i);
        if (extension != NULL && strcmp((const char *)extension, name) == 0) {
            return true;
        }
    }
    return false;
}

static int counter_bits(const struct fgi_opengl_device *device, fgi_gl_enum target)
{
    int bits = 0;
    device->gl.GetQueryiv(target, FGI_GL_QUERY_COUNTER_BITS, &bits);
    return bits < 0 ? 0 : bits > 64 ? 64 : bits;
}

static void load_queries(struct fgi_opengl_device *device, fg_opengl_getter *getter)
{
    device->has_disjoint = device->es && has_extension(device, "GL_EXT_disjoint_timer_query");
    bool there = device->has_disjoint || has_version(device, false, 3, 3) ||
                 (!device->es && has_extension(device, "GL_ARB_timer_query"));
    if (!there) {
        return;
    }
    load_group(device, getter, QUERY, device->es ? "EXT" : "");
    const struct fgi_opengl_functions *gl = &device->gl;
    if (gl->GenQueries == NULL || gl->DeleteQueries == NULL || gl->BeginQuery == NULL ||
        gl->EndQuery == NULL || gl->GetQueryiv == NULL || gl->GetQueryObjectuiv == NULL ||
        gl->GetQueryObjectui64v == NULL) {
        return;
    }
    device->elapsed_bits = counter_bits(device, FGI_GL_TIME_ELAPSED);
    device->timestamp_bits = gl->QueryCounter != NULL ? counter_bits(device, FGI_GL_TIMESTAMP) : 0;
    if (device->has_disjoint) {
        int before = 0;
        gl->GetIntegerv(FGI_GL_GPU_DISJOINT, &before); /* what was before is nobody's concern */
    }
}

static void load_statistics(struct fgi_opengl_device *device)
{
    static const fgi_gl_enum targets[] = {
#define TARGET(name, suffix, value) FGI_GL_##name,
        FGI_OPENGL_STATISTICS(TARGET)
#undef TARGET
    };
    _Static_assert(sizeof targets / sizeof *targets == FGI_OPENGL_STATISTIC_COUNT, "one per bit");
    if (device->elapsed_bits == 0 && device->timestamp_bits == 0) {
        return; /* statistics come with times */
    }
    if (!has_version(device, false, 4, 6) &&
        (device->es || !has_extension(device, "GL_ARB_pipeline_statistics_query"))) {
        return;
    }
    for (uint32_t i = 0; i < FGI_OPENGL_STATISTIC_COUNT; i++) {
        if (counter_bits(device, targets[i]) != 0) {
            device->statistic_targets[device->statistic_count++] = targets[i];
            device->base.caps.statistics_mask |= 1u << i;
        }
    }
}

static void load_groups(struct fgi_opengl_device *device, fg_opengl_getter *getter)
{
    if (has_version(device, false, 4, 3) || has_version(device, true, 3, 2)) {
        load_group(device, getter, DEBUG, "");
    } else if (has_extension(device, "GL_KHR_debug")) {
        load_group(device, getter, DEBUG, device->es ? "KHR" : "");
    }
    if (device->gl.PushDebugGroup == NULL || device->gl.PopDebugGroup == NULL) {
        device->gl.PushDebugGroup = NULL;
        return;
    }
    device->gl.GetIntegerv(FGI_GL_MAX_DEBUG_MESSAGE_LENGTH, &device->group_text_max);
}

/** A context that does not tell of resets has always "no error": it need not be asked. */
static void load_reset(struct fgi_opengl_device *device, fg_opengl_getter *getter)
{
    int strategy = 0;
    if (has_version(device, false, 4, 5) || has_version(device, true, 3, 2)) {
        load_group(device, getter, RESET, "");
    } else if (has_extension(device, "GL_KHR_robustness")) {
        load_group(device, getter, RESET, device->es ? "KHR" : "");
    } else if (has_extension(device, "GL_EXT_robustness")) {
        load_group(device, getter, RESET, "EXT");
    } else if (has_extension(device, "GL_ARB_robustness")) {
        load_group(device, getter, RESET, "ARB");
    }
    if (device->gl.GetGraphicsResetStatus != NULL) {
        device->gl.GetIntegerv(FGI_GL_RESET_NOTIFICATION_STRATEGY, &strategy);
        device->has_reset_status = strategy == FGI_GL_LOSE_CONTEXT_ON_RESET;
    }
}

enum fg_result fgi_opengl_load(struct fgi_opengl_device *device, fg_opengl_getter *getter)
{
    load_group(device, getter, BASE, "");
    if (device->gl.GetString == NULL || device->gl.GetStringi == NULL ||
        device->gl.GetIntegerv == NULL || !read_version(device)) {
        return FG_ERR_UNSUPPORTED;
    }
    load_queries(device, getter);
    load_statistics(device);
    load_groups(device, getter);
    load_reset(device, getter);
    device->has_nvx_memory = has_extension(device, "GL_NVX_gpu_memory_info");
    device->has_ati_memory = has_extension(device, "GL_ATI_meminfo");
    return FG_OK;
}
