/* SPDX-License-Identifier: MIT */
/*
 * Under address sanitizer a large block is a mapping of its own. To map it, touch it and forget it
 * takes nine tenths of the time of tests that open thousands of captures. The calls of malloc() and
 * its like in the programs of tests come here (the linker's --wrap): a large block that was freed
 * is kept, poisoned, and used again for the same size. The oldest is, and only while younger ones
 * of its size are there: who reads one after its end is still found, and so is who frees it twice.
 * At the end all are freed before leaks are looked for.
 */
#include <malloc.h>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BYTES = 64 << 10, KEPT_MAX = 128, REST = 2 };
static const size_t BYTES_MAX = (size_t)64 << 20;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

struct kept_block {
    void *block;
    size_t size;
};

static struct {
    pthread_mutex_t mutex;
    struct kept_block blocks[KEPT_MAX]; /* from the oldest to the youngest */
    size_t count;
    size_t bytes;
    bool is_over;
} kept = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void lock(void)
{
    pthread_mutex_lock(&kept.mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&kept.mutex);
}

static void *remove_at(size_t at)
{
    void *block = kept.blocks[at].block;
    __asan_unpoison_memory_region(block, kept.blocks[at].size);
    kept.bytes -= kept.blocks[at].size;
    kept.count--;
    memmove(&kept.blocks[at], &kept.blocks[at + 1], (kept.count - at) * sizeof kept.blocks[0]);
    return block;
}

/* NULL: none of this size has rested long enough. */
static void *take(size_t size)
{
    void *block = NULL;
    size_t oldest = 0;
    size_t same = 0;
    lock();
    for (size_t i = kept.count; i > 0; i--) {
        if (kept.blocks[i - 1].size == size) {
            oldest = i - 1;
            same++;
        }
    }
    if (same > REST) {
        block = remove_at(oldest);
    }
    unlock();
    return block;
}

static void keep(void *block, size_t size)
{
    lock();
    while (kept.count > 0 && (kept.count == KEPT_MAX || kept.bytes + size > BYTES_MAX)) {
        __real_free(remove_at(0));
    }
    if (kept.is_over || size > BYTES_MAX) {
        __real_free(block);
    } else {
        __asan_poison_memory_region(block, size);
        kept.blocks[kept.count++] = (struct kept_block){ block, size };
        kept.bytes += size;
    }
    unlock();
}

static void free_all(void)
{
    lock();
    kept.is_over = true;
    while (kept.count > 0) {
        __real_free(remove_at(0));
    }
    unlock();
}

/* Behind the sanitizer's own beginning, so that its end comes later than this one's. */
__attribute__((constructor)) static void begin(void)
{
    atexit(free_all);
    pthread_atfork(lock, unlock, unlock);
}

void *__wrap_malloc(size_t size)
{
    void *block = size >= LARGE_BYTES ? take(size) : NULL;
    return block != NULL ? block : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    const bool fits = size > 0 && count <= SIZE_MAX / size;
    void *block = fits && count * size >= LARGE_BYTES ? take(count * size) : NULL;
    return block != NULL ? memset(block, 0, count * size) : __real_calloc(count, size);
}

void __wrap_free(void *block)
{
    const size_t size = block != NULL ? malloc_usable_size(block) : 0;
    if (size < LARGE_BYTES) {
        __real_free(block);
        return;
    }
    (void)*(volatile char *)block; /* one that is kept is poisoned: freed twice */
    keep(block, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    const size_t old_size = block != NULL ? malloc_usable_size(block) : 0;
    if (block == NULL || size == 0 || (size < LARGE_BYTES && old_size < LARGE_BYTES)) {
        return block == NULL ? __wrap_malloc(size) : __real_realloc(block, size);
    }
    void *moved = __wrap_malloc(size);
    if (moved != NULL) {
        memcpy(moved, block, old_size < size ? old_size : size);
        __wrap_free(block);
    }
    return moved;
}
