/* SPDX-License-Identifier: MIT */
/* Dumps on disk never take more than they may: the oldest of ours go first. */
#include "record/flight_priv.h"

#include "base/folder.h"

#include <stdio.h>
#include <string.h>

#define FILES_MAX (1u << 20)

struct old_dump {
    const char *name;
    uint64_t size_bytes;
    int64_t changed_ns;
};

struct listing {
    const struct fgi_flight *flight;
    struct fgi_arena names;
    struct old_dump *dumps;
    size_t count;
    size_t capacity;
    uint64_t total_bytes;
};

/** A dump, or one that was being written when its process ended. */
static bool is_ours(const struct listing *listing, const char *name)
{
    char whole[FGI_FLIGHT_NAME_BYTES];
    size_t size = strlen(name);
    size_t end = strlen(".part");
    if (size >= sizeof whole + end) {
        return false;
    }
    if (size > end && strcmp(name + size - end, ".part") == 0) {
        memcpy(whole, name, size - end);
        whole[size - end] = 0;
        name = whole;
    }
    return fgi_flight_name_fits(listing->flight->options.pattern, name);
}

static enum fg_result list_file(void *context, const struct fgi_folder_file *file)
{
    struct listing *listing = context;
    const struct fg_allocator *allocator = listing->flight->allocator;
    if (!is_ours(listing, file->name)) {
        return FG_OK;
    }
    enum fg_result result =
        FGI_GROW(allocator, listing->dumps, listing->capacity, listing->count + 1, FILES_MAX);
    if (result != FG_OK) {
        return result;
    }
    struct old_dump dump = {
        .name = fgi_arena_text(&listing->names, file->name, strlen(file->name)),
        .size_bytes = file->size_bytes,
        .changed_ns = file->changed_ns,
    };
    if (dump.name == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    listing->dumps[listing->count++] = dump;
    listing->total_bytes += dump.size_bytes;
    return FG_OK;
}

static bool is_older(const struct old_dump *a, const struct old_dump *b)
{
    return a->changed_ns != b->changed_ns ? a->changed_ns < b->changed_ns
                                          : strcmp(a->name, b->name) < 0;
}

/** Remove the oldest; what cannot be removed is not looked at again. */
static void remove_oldest(struct listing *listing, uint64_t *removed)
{
    char path[4096];
    size_t oldest = 0;
    for (size_t i = 1; i < listing->count; i++) {
        oldest = is_older(&listing->dumps[i], &listing->dumps[oldest]) ? i : oldest;
    }
    const struct old_dump dump = listing->dumps[oldest];
    listing->dumps[oldest] = listing->dumps[--listing->count];
    int size = snprintf(path, sizeof path, "%s/%s", listing->flight->options.folder, dump.name);
    if (size > 0 && (size_t)size < sizeof path && fgi_file_remove(path) == FG_OK) {
        listing->total_bytes -= dump.size_bytes;
        (*removed)++;
    }
}

enum fg_result fgi_flight_make_room(struct fgi_flight *flight, uint64_t size_bytes)
{
    const struct fgi_flight_crash *crash = &flight->crash;
    /* acquire: nothing but the flag itself; partner: fgi_flight_crashed() */
    bool is_crash_due =
        crash->is_watching && !atomic_load_explicit(&crash->is_done, memory_order_acquire);
    uint64_t needed = size_bytes + (is_crash_due ? crash->budget_bytes : 0);
    uint64_t removed = 0;
    if (needed > flight->options.quota_bytes) {
        return FG_ERR_LIMIT;
    }
    struct listing listing = { .flight = flight, .names.allocator = flight->allocator };
    enum fg_result result = fgi_folder_each(flight->options.folder, list_file, &listing);
    while (result == FG_OK && listing.total_bytes > flight->options.quota_bytes - needed) {
        if (listing.count == 0) {
            result = FG_ERR_LIMIT;
            break;
        }
        remove_oldest(&listing, &removed);
    }
    fgi_free(flight->allocator, listing.dumps, listing.capacity * sizeof *listing.dumps);
    fgi_arena_finish(&listing.names);
    fgi_mutex_lock(flight->lock);
    flight->counts.removed += removed;
    fgi_mutex_unlock(flight->lock);
    return result;
}
