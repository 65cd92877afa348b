/* SPDX-License-Identifier: MIT */
/* RenderDoc's in-application interface, as much of it as is called. */
#include <frameglass/renderdoc.h>

#include <stdio.h>
#include <string.h>

/** Versions are numbers of five digits: major, two of minor, two of patch. */
#define VERSION_1_0_0 10000

/* Members of version 1.0.0, in its order; what is not called has no type of its own. */
typedef void (*unused)(void);
struct functions {
    void (*GetAPIVersion)(int *major, int *minor, int *patch);
    unused SetCaptureOptionU32, SetCaptureOptionF32, GetCaptureOptionU32, GetCaptureOptionF32;
    unused SetFocusToggleKeys, SetCaptureKeys;
    unused GetOverlayBits, MaskOverlayBits;
    unused RemoveHooks, UnloadCrashHandler;
    unused SetCaptureFilePathTemplate, GetCaptureFilePathTemplate;
    uint32_t (*GetNumCaptures)(void);
    uint32_t (*GetCapture)(uint32_t index, char *path, uint32_t *path_bytes, uint64_t *timestamp);
    void (*TriggerCapture)(void);
    unused IsTargetControlConnected, LaunchReplayUI, SetActiveWindow;
    void (*StartFrameCapture)(void *device, void *window);
    uint32_t (*IsFrameCapturing)(void);
    uint32_t (*EndFrameCapture)(void *device, void *window);
};
typedef int get_api(int version, void **out_functions);

static const struct functions *functions_of(const struct fg_renderdoc *renderdoc)
{
    return renderdoc != NULL ? renderdoc->functions : NULL;
}

static enum fg_result fail(struct fg_diag *diag, enum fg_result result, const char *why)
{
    if (diag != NULL) {
        diag->offset = 0;
        (void)snprintf(diag->message, sizeof diag->message, "%s", why);
    }
    return result;
}

/** Whether everything is there that is called. */
static bool is_whole(const struct functions *functions)
{
    return functions->GetAPIVersion != NULL && functions->GetNumCaptures != NULL &&
           functions->GetCapture != NULL && functions->TriggerCapture != NULL &&
           functions->StartFrameCapture != NULL && functions->IsFrameCapturing != NULL &&
           functions->EndFrameCapture != NULL;
}

enum fg_result fg_renderdoc_connect(void *get, struct fg_renderdoc *out_renderdoc,
                                    struct fg_diag *diag)
{
    void *functions = NULL;
    if (out_renderdoc == NULL) {
        return fail(diag, FG_ERR_ARGUMENT, "there is no place for the answer");
    }
    *out_renderdoc = (struct fg_renderdoc){ .functions = NULL };
    if (get == NULL) {
        return fail(diag, FG_ERR_NOT_FOUND,
                    "RenderDoc is not in this process: start the program from RenderDoc");
    }
    /* POSIX lets a pointer to anything be called as what it is. */
    if (((get_api *)(uintptr_t)get)(VERSION_1_0_0, &functions) != 1 || functions == NULL) {
        return fail(diag, FG_ERR_UNSUPPORTED,
                    "RenderDoc is in this process, and does not offer version 1 of its interface");
    }
    if (!is_whole(functions)) {
        return fail(diag, FG_ERR_UNSUPPORTED,
                    "RenderDoc is in this process, and lacks functions of its interface");
    }
    struct fg_renderdoc renderdoc = { .functions = functions };
    functions_of(&renderdoc)->GetAPIVersion(&renderdoc.major, &renderdoc.minor, &renderdoc.patch);
    if (renderdoc.major != 1) {
        return fail(diag, FG_ERR_UNSUPPORTED,
                    "RenderDoc is in this process, and its interface is not of version 1");
    }
    *out_renderdoc = renderdoc;
    return FG_OK;
}

enum fg_result fg_renderdoc_trigger(const struct fg_renderdoc *renderdoc)
{
    const struct functions *functions = functions_of(renderdoc);
    if (functions == NULL) {
        return FG_ERR_NOT_FOUND;
    }
    functions->TriggerCapture();
    return FG_OK;
}

enum fg_result fg_renderdoc_begin(const struct fg_renderdoc *renderdoc, void *device, void *window)
{
    const struct functions *functions = functions_of(renderdoc);
    if (functions == NULL) {
        return FG_ERR_NOT_FOUND;
    }
    functions->StartFrameCapture(device, window);
    return FG_OK;
}

enum fg_result fg_renderdoc_end(const struct fg_renderdoc *renderdoc, void *device, void *window)
{
    const struct functions *functions = functions_of(renderdoc);
    if (functions == NULL) {
        return FG_ERR_NOT_FOUND;
    }
    return functions->EndFrameCapture(device, window) == 1 ? FG_OK : FG_ERR_STATE;
}

bool fg_renderdoc_is_capturing(const struct fg_renderdoc *renderdoc)
{
    const struct functions *functions = functions_of(renderdoc);
    return functions != NULL && functions->IsFrameCapturing() == 1;
}

uint32_t fg_renderdoc_count(const struct fg_renderdoc *renderdoc)
{
    const struct functions *functions = functions_of(renderdoc);
    return functions != NULL ? functions->GetNumCaptures() : 0;
}

enum fg_result fg_renderdoc_path(const struct fg_renderdoc *renderdoc, uint32_t index,
                                 char *out_path, size_t size)
{
    const struct functions *functions = functions_of(renderdoc);
    uint32_t bytes = 0;
    if (out_path == NULL || size == 0) {
        return FG_ERR_ARGUMENT;
    }
    out_path[0] = '\0';
    if (functions == NULL || functions->GetCapture(index, NULL, &bytes, NULL) != 1) {
        return FG_ERR_NOT_FOUND;
    }
    if (bytes > size) { /* with the end of the text */
        return FG_ERR_LIMIT;
    }
    if (functions->GetCapture(index, out_path, &bytes, NULL) != 1) {
        out_path[0] = '\0';
        return FG_ERR_NOT_FOUND;
    }
    out_path[size - 1] = '\0';
    return FG_OK;
}
