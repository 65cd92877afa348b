/* SPDX-License-Identifier: MIT */
#include "capture/cap_alias.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    char group;
} roles[] = {
#define ROLE_ROW(name, word, group) { word, group },
    FGI_ALIAS_ROLES(ROLE_ROW)
#undef ROLE_ROW
};

/* A number over time may be a counter of frames and a metric of the process. */
#define OWN_METRIC(text)                                                                           \
    { FGI_ALIAS_COUNTER, text },                                                                   \
    {                                                                                              \
        FGI_ALIAS_METRIC, text                                                                     \
    }

/* What the recorder itself calls things, which nobody chose, and plain units and kinds. */
static const struct {
    enum fgi_alias_role role;
    const char *text;
} own_texts[] = {
    OWN_METRIC("memory.used"),
    OWN_METRIC("memory.budget"),
    OWN_METRIC("memory.device.used"),
    OWN_METRIC("memory.device.total"),
    OWN_METRIC("memory.device.free"),
    OWN_METRIC("Graphics/DrawCalls"),
    OWN_METRIC("Graphics/IndexedDrawCalls"),
    OWN_METRIC("Graphics/NonIndexedDrawCalls"),
    OWN_METRIC("Graphics/IndirectDrawCalls"),
    OWN_METRIC("Graphics/SubmittedPrimitives"),
    OWN_METRIC("Graphics/EffectChanges"),
    OWN_METRIC("Graphics/RenderTargetChanges"),
    OWN_METRIC("Graphics/Dispatches"),
    { FGI_ALIAS_ZONE, "frame" },
    { FGI_ALIAS_CLOCK, "monotonic" },
    { FGI_ALIAS_REASON, "the application asked for no calibration" },
    { FGI_ALIAS_REASON, "the session was asked not to calibrate" },
    { FGI_ALIAS_REASON, "this queue has no timestamps" },
    { FGI_ALIAS_REASON, "the device has no calibrated timestamps" },
    { FGI_ALIAS_REASON, "the device stopped to give calibrated readings" },
    { FGI_ALIAS_REASON, "calibrated readings disagree with the application's own submits" },
    { FGI_ALIAS_REASON, "calibrated timestamps are not enabled on this Vulkan device" },
    { FGI_ALIAS_REASON, "the driver does not list its time domains" },
    { FGI_ALIAS_REASON, "the driver cannot read its clock together with CLOCK_MONOTONIC" },
    { FGI_ALIAS_REASON, "elapsed queries give durations only: passes are laid end to end" },
    { FGI_ALIAS_REASON, "the context's clock cannot be read" },
    { FGI_ALIAS_REASON, "the software device was told to have no calibration" },
    { FGI_ALIAS_CATEGORY, "core" },
    { FGI_ALIAS_CATEGORY, "update" },
    { FGI_ALIAS_CATEGORY, "draw" },
    { FGI_ALIAS_CATEGORY, "graphics" },
    { FGI_ALIAS_CATEGORY, "audio" },
    { FGI_ALIAS_CATEGORY, "content" },
    { FGI_ALIAS_CATEGORY, "application" },
    { FGI_ALIAS_CATEGORY, "gpu" },
    { FGI_ALIAS_UNIT, "bytes" },
    { FGI_ALIAS_UNIT, "count" },
    { FGI_ALIAS_UNIT, "ns" },
    { FGI_ALIAS_UNIT, "us" },
    { FGI_ALIAS_UNIT, "ms" },
    { FGI_ALIAS_UNIT, "s" },
    { FGI_ALIAS_UNIT, "px" },
    { FGI_ALIAS_UNIT, "%" },
    { FGI_ALIAS_UNIT, "Hz" },
    { FGI_ALIAS_UNIT, "1/s" },
    { FGI_ALIAS_UNIT, "per second" },
    { FGI_ALIAS_UNIT, "basis points" },
    { FGI_ALIAS_UNIT, "samples" },
    { FGI_ALIAS_TYPE, "buffer" },
    { FGI_ALIAS_TYPE, "image" },
    { FGI_ALIAS_TYPE, "texture" },
    { FGI_ALIAS_TYPE, "memory" },
    { FGI_ALIAS_TYPE, "texture 2d" },
    { FGI_ALIAS_TYPE, "texture 3d" },
    { FGI_ALIAS_TYPE, "texture cube" },
    { FGI_ALIAS_TYPE, "vertex buffer" },
    { FGI_ALIAS_TYPE, "index buffer" },
    { FGI_ALIAS_TYPE, "render target 2d" },
    { FGI_ALIAS_TYPE, "render target cube" },
    { FGI_ALIAS_TYPE, "audio voice" },
    { FGI_ALIAS_TYPE, "custom" },
    { FGI_ALIAS_TYPE, "unknown" },
};

static bool is_own(enum fgi_alias_role role, const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof own_texts / sizeof *own_texts; i++) {
        if (own_texts[i].role == role && strlen(own_texts[i].text) == size &&
            memcmp(own_texts[i].text, text, size) == 0) {
            return true;
        }
    }
    return false;
}

void fgi_aliases_finish(struct fgi_aliases *aliases)
{
    fgi_strings_finish(&aliases->texts);
    fgi_strings_finish(&aliases->aliases);
    fgi_free(aliases->allocator, aliases->alias_of,
             aliases->alias_capacity * sizeof *aliases->alias_of);
    for (size_t i = 0; i < sizeof aliases->numbers / sizeof *aliases->numbers; i++) {
        fgi_map64_finish(&aliases->numbers[i]);
    }
}

/* A new alias for text number `index`. */
static enum fg_result give(struct fgi_aliases *aliases, enum fgi_alias_role role, uint32_t index)
{
    char alias[48];
    enum fg_result result = FGI_GROW(aliases->allocator, aliases->alias_of, aliases->alias_capacity,
                                     (size_t)index + 1, UINT32_MAX);
    if (result != FG_OK) {
        return result;
    }
    int size = snprintf(alias, sizeof alias, "%s %u", roles[role].word,
                        (unsigned)aliases->counts[role] + 1);
    result = fgi_strings_add(&aliases->aliases, alias, (size_t)size, &aliases->alias_of[index]);
    aliases->counts[role] += result == FG_OK;
    return result;
}

enum fg_result fgi_alias_text(struct fgi_aliases *aliases, enum fgi_alias_role role,
                              const char *text, size_t size, const char **out_alias)
{
    *out_alias = "";
    if (size == 0) {
        return FG_OK;
    }
    char stack[256];
    char *key = size < sizeof stack ? stack : fgi_malloc(aliases->allocator, size + 1);
    if (key == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    key[0] = roles[role].group;
    memcpy(key + 1, text, size);
    aliases->texts.allocator = aliases->texts.arena.allocator = aliases->allocator;
    aliases->aliases.allocator = aliases->aliases.arena.allocator = aliases->allocator;
    uint32_t index = 0;
    enum fg_result result = FG_OK;
    if (!fgi_strings_find(&aliases->texts, key, size + 1, &index)) {
        index = fgi_strings_count(&aliases->texts);
        if (is_own(role, text, size)) {
            result = FGI_GROW(aliases->allocator, aliases->alias_of, aliases->alias_capacity,
                              (size_t)index + 1, UINT32_MAX);
            if (result == FG_OK) {
                result = fgi_strings_add(&aliases->aliases, text, size, &aliases->alias_of[index]);
            }
        } else {
            result = give(aliases, role, index);
        }
        if (result == FG_OK) {
            result = fgi_strings_add(&aliases->texts, key, size + 1, &index);
        }
    }
    if (result == FG_OK) {
        *out_alias = fgi_strings_get(&aliases->aliases, aliases->alias_of[index], NULL);
    }
    if (key != stack) {
        fgi_free(aliases->allocator, key, size + 1);
    }
    return result;
}

enum fg_result fgi_alias_number(struct fgi_aliases *aliases, enum fgi_alias_numbers kind,
                                uint64_t *number)
{
    struct fgi_map64 *map = &aliases->numbers[kind];
    uint32_t alias;
    map->allocator = aliases->allocator;
    if (*number == 0 || *number == FG_CAP_UNKNOWN) {
        return FG_OK;
    }
    if (!fgi_map64_get(map, *number, &alias)) {
        alias = (uint32_t)map->count + 1;
        enum fg_result result = fgi_map64_put(map, *number, alias);
        if (result != FG_OK) {
            return result;
        }
    }
    *number = alias;
    return FG_OK;
}
