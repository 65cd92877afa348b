/* SPDX-License-Identifier: MIT */
/*
 * A library of the name and the interface of RenderDoc's, that notes what it is asked for. The
 * members are in the order of RenderDoc's documentation, written down apart from our code's.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MEMBERS = 23,
    GET_VERSION = 0,
    NUM_CAPTURES = 13,
    CAPTURE = 14,
    TRIGGER = 15,
    START = 19,
    IS_CAPTURING = 20,
    END = 21,
    MULTI_FRAME = 22
};

/** For a test to look at and to set. */
int fake_renderdoc_refuses;       /**< every version */
int fake_renderdoc_captures_none; /**< says so at the end */
int fake_renderdoc_version;       /**< that was asked for */
unsigned fake_renderdoc_captures, fake_renderdoc_triggers, fake_renderdoc_wrong;
void *fake_renderdoc_device, *fake_renderdoc_window;

typedef void (*member)(void);
static int is_capturing;

static void get_version(int *major, int *minor, int *patch)
{
    *major = 1;
    *minor = 6;
    *patch = 0;
}

/** Any member that nobody should call. */
static void wrong(void)
{
    fake_renderdoc_wrong++;
}

static uint32_t num_captures(void)
{
    return fake_renderdoc_captures;
}

static uint32_t capture(uint32_t index, char *path, uint32_t *bytes, uint64_t *timestamp)
{
    char name[64];
    if (index >= fake_renderdoc_captures) {
        return 0;
    }
    (void)snprintf(name, sizeof name, "/captures/frame%u.rdc", index);
    if (path != NULL) {
        memcpy(path, name, strlen(name) + 1);
    }
    if (bytes != NULL) {
        *bytes = (uint32_t)strlen(name) + 1;
    }
    if (timestamp != NULL) {
        *timestamp = 1;
    }
    return 1;
}

static void trigger(void)
{
    fake_renderdoc_triggers++;
    is_capturing = 1;
}

static void start(void *device, void *window)
{
    fake_renderdoc_device = device;
    fake_renderdoc_window = window;
    is_capturing = 1;
}

static uint32_t capturing(void)
{
    return is_capturing != 0;
}

static uint32_t end(void *device, void *window)
{
    fake_renderdoc_wrong += device != fake_renderdoc_device || window != fake_renderdoc_window;
    const int was_capturing = is_capturing;
    is_capturing = 0;
    if (!was_capturing || fake_renderdoc_captures_none) {
        return 0;
    }
    fake_renderdoc_captures++;
    return 1;
}

int RENDERDOC_GetAPI(int version, void **out_functions);
int RENDERDOC_GetAPI(int version, void **out_functions)
{
    static member members[MEMBERS];
    fake_renderdoc_version = version;
    if (fake_renderdoc_refuses) {
        return 0;
    }
    for (int i = 0; i < MEMBERS; i++) {
        members[i] = wrong;
    }
    members[GET_VERSION] = (member)get_version;
    members[NUM_CAPTURES] = (member)num_captures;
    members[CAPTURE] = (member)capture;
    members[TRIGGER] = trigger;
    members[START] = (member)start;
    members[IS_CAPTURING] = (member)capturing;
    members[END] = (member)end;
    *out_functions = members;
    return 1;
}
