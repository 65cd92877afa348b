/* SPDX-License-Identifier: MIT */
/* Counters: who has which instance of the wrappers, what is patched, and the sums. */
#include "base/alloc.h"
#include "base/thread.h"
#include "gpu/draws/draws_priv.h"

#include <string.h>

#define FIELDS      FGI_DRAWS_FIELDS
#define NO_INSTANCE FG_DRAW_COUNTERS_MAX

struct fgi_draw_instance fgi_draw_instances[FG_DRAW_COUNTERS_MAX];
_Thread_local struct fgi_draw_thread fgi_draw_thread;

static atomic_uint claims;          /**< bits of instances that are taken */
static atomic_uint new_serial;      /**< of the latest enabling */
static atomic_uint shards_used = 1; /**< those after them are all zero */

struct patch {
    const struct fgi_draw_entry *entry;
    struct fgi_slot_patch at;
};

struct fg_draw_counter {
    const struct fg_allocator *allocator;
    size_t count;
    unsigned instance;           /**< NO_INSTANCE = none */
    unsigned serial;             /**< 0 = not enabled */
    uint64_t draws_before;       /**< of the instance, when it was enabled */
    struct fg_draw_counts taken; /**< of the instance's sums */
    struct fg_draw_counts left;  /**< of enablings that are over, not taken yet */
    struct patch patches[];
};

void fgi_draws_meet_thread(void)
{
    uint32_t thread = fgi_thread_number();
    unsigned used = atomic_load_explicit(&shards_used, memory_order_relaxed);
    fgi_draw_thread.shard = thread < FGI_DRAWS_SHARDS ? thread : 0;
    fgi_draw_thread.known = true;
    while (used <= fgi_draw_thread.shard &&
           !atomic_compare_exchange_weak_explicit(&shards_used, &used, fgi_draw_thread.shard + 1,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

static uint64_t sum_field(unsigned instance, size_t field)
{
    uint64_t sum = 0;
    unsigned used = atomic_load_explicit(&shards_used, memory_order_relaxed);
    for (unsigned s = 0; s < used; s++) {
        sum += atomic_load_explicit(&fgi_draw_instances[instance].shards[s].fields[field],
                                    memory_order_relaxed);
    }
    return sum;
}

static uint64_t sum_draws(unsigned instance)
{
    return sum_field(instance, offsetof(struct fg_draw_counts, draws) / sizeof(uint64_t));
}

static void sum_instance(unsigned instance, struct fg_draw_counts *out_sums)
{
    uint64_t values[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) {
        values[i] = sum_field(instance, i);
    }
    memcpy(out_sums, values, sizeof values);
}

/** counts += sums - before */
static void add_difference(struct fg_draw_counts *counts, const struct fg_draw_counts *sums,
                           const struct fg_draw_counts *before)
{
    uint64_t values[3][FIELDS];
    memcpy(values[0], counts, sizeof values[0]);
    memcpy(values[1], sums, sizeof values[1]);
    memcpy(values[2], before, sizeof values[2]);
    for (size_t i = 0; i < FIELDS; i++) {
        values[0][i] += values[1][i] - values[2][i];
    }
    memcpy(counts, values[0], sizeof values[0]);
}

static const struct fgi_draw_entry *find_entry(const char *name)
{
    const struct fgi_draw_api *const apis[] = { &fgi_draws_opengl, &fgi_draws_vulkan };
    for (size_t a = 0; a < sizeof apis / sizeof *apis; a++) {
        for (size_t i = 0; i < apis[a]->count; i++) {
            if (strcmp(apis[a]->entries[i].name, name) == 0) {
                return &apis[a]->entries[i];
            }
        }
    }
    return NULL;
}

bool fg_draw_counter_knows(const char *name)
{
    return name != NULL && find_entry(name) != NULL;
}

static size_t counter_size(size_t patches)
{
    return sizeof(struct fg_draw_counter) + patches * sizeof(struct patch);
}

/** False: one entry point twice. An instance has one original of each. */
static bool add_patch(struct fg_draw_counter *counter, const struct fg_draw_slot *slot)
{
    const struct fgi_draw_entry *entry = find_entry(slot->name);
    for (size_t i = 0; entry != NULL && i < counter->count; i++) {
        if (counter->patches[i].entry == entry) {
            return false;
        }
    }
    if (entry != NULL) {
        counter->patches[counter->count++] =
            (struct patch){ .entry = entry, .at.slot = slot->function };
    }
    return true;
}

enum fg_result fg_draw_counter_create(const struct fg_allocator *allocator,
                                      const struct fg_draw_slot *slots, size_t count,
                                      struct fg_draw_counter **out_counter)
{
    size_t known = 0;
    if (out_counter == NULL || (slots == NULL && count != 0)) {
        return FG_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        if (slots[i].name == NULL || slots[i].function == NULL) {
            return FG_ERR_ARGUMENT;
        }
        known += find_entry(slots[i].name) != NULL;
    }
    allocator = fgi_allocator(allocator);
    struct fg_draw_counter *counter = fgi_calloc(allocator, 1, counter_size(known));
    if (counter == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    counter->allocator = allocator;
    counter->instance = NO_INSTANCE;
    for (size_t i = 0; i < count; i++) {
        if (!add_patch(counter, &slots[i])) {
            fgi_free(allocator, counter, counter_size(known));
            return FG_ERR_ARGUMENT;
        }
    }
    *out_counter = counter;
    return FG_OK;
}

static unsigned claim_instance(void)
{
    unsigned taken = atomic_load_explicit(&claims, memory_order_relaxed);
    for (unsigned i = 0; i < FG_DRAW_COUNTERS_MAX; i++) {
        while ((taken & 1u << i) == 0) {
            /* acquire: pairs with the release in fg_draw_counter_disable() */
            if (atomic_compare_exchange_weak_explicit(&claims, &taken, taken | 1u << i,
                                                      memory_order_acquire, memory_order_relaxed)) {
                return i;
            }
        }
    }
    return NO_INSTANCE;
}

/** Whose wrapper it is; NO_INSTANCE: somebody else's function. */
static unsigned find_wrapper(const struct fgi_draw_entry *entry, fgi_slot_function function)
{
    unsigned instance = 0;
    while (instance < FG_DRAW_COUNTERS_MAX && entry->wrappers[instance] != function) {
        instance++;
    }
    return instance;
}

/**
 * What the slot holds. A wrapper that is in no slot by us (the application kept a copy of its
 * table, and put it back) may lead to the very one that is put in: what is behind it is taken.
 */
static fgi_slot_function find_original(const struct patch *patch, unsigned own)
{
    fgi_slot_function function = fgi_slot_get(&patch->at);
    const unsigned taken = atomic_load_explicit(&claims, memory_order_relaxed) & ~(1u << own);
    for (unsigned i = 0; i < FG_DRAW_COUNTERS_MAX; i++) {
        const unsigned instance = find_wrapper(patch->entry, function);
        if (instance == NO_INSTANCE || (taken & 1u << instance) != 0) {
            break;
        }
        function = atomic_load_explicit(&patch->entry->originals[instance], memory_order_relaxed);
    }
    return function;
}

static void put_in(struct patch *patch, unsigned instance)
{
    if (!patch->at.patched) { /* else it is in this instance's wrapper still */
        patch->at.wrapper = patch->entry->wrappers[instance];
        patch->at.original = &patch->entry->originals[instance];
        fgi_slot_put_in(&patch->at, find_original(patch, instance));
    }
}

/**
 * Wrappers that could not be put back. Below another counter's they are in use still. Where
 * somebody else wrote into a slot nobody knows whether they are: they are left for ever, and the
 * instance with them, and others are put in before what is there now.
 */
static void leave_lost_wrappers(struct fg_draw_counter *counter)
{
    bool is_lost = false;
    for (size_t i = 0; i < counter->count; i++) {
        const struct patch *patch = &counter->patches[i];
        is_lost = is_lost || (patch->at.patched &&
                              find_wrapper(patch->entry, fgi_slot_get(&patch->at)) == NO_INSTANCE);
    }
    for (size_t i = 0; i < counter->count && is_lost; i++) {
        counter->patches[i].at.patched = false;
    }
    counter->instance = is_lost ? NO_INSTANCE : counter->instance;
}

enum fg_result fg_draw_counter_enable(struct fg_draw_counter *counter)
{
    if (counter == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (counter->serial != 0) {
        return FG_OK;
    }
    if (fg_draw_counter_disable(counter) != FG_OK) { /* what was left may be free by now */
        leave_lost_wrappers(counter);
    }
    if (counter->instance == NO_INSTANCE) {
        counter->instance = claim_instance();
    }
    if (counter->instance == NO_INSTANCE) {
        return FG_ERR_LIMIT;
    }
    sum_instance(counter->instance, &counter->taken);
    counter->draws_before = counter->taken.draws;
    counter->left = (struct fg_draw_counts){ 0 };
    do {
        counter->serial = atomic_fetch_add_explicit(&new_serial, 1, memory_order_relaxed) + 1;
    } while (counter->serial == 0);
    atomic_store_explicit(&fgi_draw_instances[counter->instance].serial, counter->serial,
                          memory_order_relaxed);
    for (size_t i = 0; i < counter->count; i++) {
        put_in(&counter->patches[i], counter->instance);
    }
    return FG_OK;
}

enum fg_result fg_draw_counter_disable(struct fg_draw_counter *counter)
{
    if (counter == NULL || counter->instance == NO_INSTANCE) {
        return FG_OK;
    }
    if (counter->serial != 0) {
        struct fg_draw_counts sums;
        atomic_store_explicit(&fgi_draw_instances[counter->instance].serial, 0,
                              memory_order_relaxed);
        sum_instance(counter->instance, &sums);
        add_difference(&counter->left, &sums, &counter->taken);
        counter->serial = 0;
    }
    bool all = true;
    for (size_t i = 0; i < counter->count; i++) {
        all = fgi_slot_put_back(&counter->patches[i].at) && all;
    }
    if (!all) {
        return FG_ERR_BUSY; /* the instance stays taken: somebody still calls its wrappers */
    }
    /* release: pairs with the acquire in claim_instance() */
    atomic_fetch_and_explicit(&claims, ~(1u << counter->instance), memory_order_release);
    counter->instance = NO_INSTANCE;
    return FG_OK;
}

void fg_draw_counter_destroy(struct fg_draw_counter *counter)
{
    if (counter != NULL) {
        (void)fg_draw_counter_disable(counter);
        fgi_free(counter->allocator, counter, counter_size(counter->count));
    }
}

void fg_draw_counter_take(struct fg_draw_counter *counter, struct fg_draw_counts *out_counts)
{
    if (out_counts == NULL) {
        return;
    }
    *out_counts = (struct fg_draw_counts){ 0 };
    if (counter == NULL) {
        return;
    }
    *out_counts = counter->left;
    counter->left = (struct fg_draw_counts){ 0 };
    if (counter->serial != 0) {
        struct fg_draw_counts sums;
        sum_instance(counter->instance, &sums);
        add_difference(out_counts, &sums, &counter->taken);
        counter->taken = sums;
    }
}

uint64_t fg_draw_counter_total(const struct fg_draw_counter *counter)
{
    return counter != NULL && counter->serial != 0
               ? sum_draws(counter->instance) - counter->draws_before
               : 0;
}

void fg_draw_counter_pause(struct fg_draw_counter *counter)
{
    if (counter == NULL || counter->serial == 0) {
        return;
    }
    if (fgi_draw_thread.pauses[counter->instance].serial != counter->serial) {
        fgi_draw_thread.pauses[counter->instance].serial = counter->serial;
        fgi_draw_thread.pauses[counter->instance].depth = 0;
    }
    fgi_draw_thread.pauses[counter->instance].depth++;
}

void fg_draw_counter_resume(struct fg_draw_counter *counter)
{
    if (counter != NULL && counter->serial != 0 &&
        fgi_draw_thread.pauses[counter->instance].serial == counter->serial &&
        fgi_draw_thread.pauses[counter->instance].depth != 0) {
        fgi_draw_thread.pauses[counter->instance].depth--;
    }
}
