/* SPDX-License-Identifier: MIT */
/* The list: what it needs, what is patched, and the calls as they come. */
#include "base/alloc.h"
#include "base/hash.h"
#include "gpu/commands/command_list_priv.h"

#include <string.h>

#define BYTES_DEFAULT    (8u << 20)
#define SECTIONS_DEFAULT 1024u
#define OBJECTS_DEFAULT  8192u
#define SECTIONS_LIMIT   (1u << 20)
#define OBJECTS_LIMIT    (1u << 24)

static _Atomic(struct fg_command_list *) running;
static atomic_uint new_serial;
/** Entry points whose wrapper was left in a slot: another list's would lead to itself. */
static atomic_bool held[FGI_COMMANDS_MAX];

/** Of the calling thread. By the serial, a pause ends with the run that it was made for. */
static _Thread_local struct {
    unsigned serial;
    unsigned depth;
} pauses;

/* ---- entry points ---------------------------------------------------------------------------- */

static const struct fgi_command_entry *find_entry(const char *name)
{
    const struct fgi_command_api *const apis[] = { &fgi_commands_opengl, &fgi_commands_vulkan };
    for (size_t a = 0; a < sizeof apis / sizeof *apis; a++) {
        for (size_t i = 0; i < apis[a]->count; i++) {
            if (strcmp(apis[a]->entries[i].name, name) == 0) {
                return &apis[a]->entries[i];
            }
        }
    }
    return NULL;
}

bool fg_command_list_knows(const char *name)
{
    return name != NULL && find_entry(name) != NULL;
}

/** False: one entry point twice. */
static bool add_command(struct fg_command_list *list, const struct fg_draw_slot *slot)
{
    const struct fgi_command_entry *entry = find_entry(slot->name);
    if (entry == NULL) {
        return true;
    }
    if (list->by_number[entry->number] != 0) {
        return false;
    }
    struct fgi_command *command = &list->commands[list->command_count++];
    *command = (struct fgi_command){
        .entry = entry,
        .at = { .slot = slot->function, .wrapper = entry->wrapper, .original = entry->original },
        .fields = &list->fields[list->field_count],
    };
    command->field_count =
        (uint32_t)fgi_command_fields(entry->parameters, &list->fields[list->field_count]);
    list->field_count += command->field_count;
    list->by_number[entry->number] = (uint16_t)list->command_count;
    return true;
}

static uint32_t or_default(uint32_t value, uint32_t fallback)
{
    return value != 0 ? value : fallback;
}

static uint32_t power_of_two(uint32_t at_least)
{
    uint32_t power = 16;
    while (power < at_least) {
        power *= 2;
    }
    return power;
}

static enum fg_result allocate(struct fg_command_list *list,
                               const struct fg_command_list_options *options, size_t known)
{
    const struct fg_allocator *allocator = list->allocator;
    list->stream.max_count = or_default(options->bytes_max, BYTES_DEFAULT);
    list->sections_max = or_default(options->sections_max, SECTIONS_DEFAULT) + 1;
    list->bucket_count = power_of_two(2 * list->sections_max);
    list->objects_max = power_of_two(2 * or_default(options->objects_max, OBJECTS_DEFAULT));
    list->command_count = (uint32_t)known;
    list->field_count = (uint32_t)(known + 1) * FGI_COMMAND_FIELDS_MAX;
    list->stream.bytes = fgi_malloc(allocator, list->stream.max_count);
    list->sections = fgi_calloc(allocator, list->sections_max, sizeof *list->sections);
    list->order = fgi_calloc(allocator, list->sections_max, sizeof *list->order);
    list->buckets = fgi_calloc(allocator, list->bucket_count, sizeof *list->buckets);
    list->objects = fgi_calloc(allocator, list->objects_max, sizeof *list->objects);
    list->commands = fgi_calloc(allocator, known + 1, sizeof *list->commands);
    list->fields = fgi_calloc(allocator, list->field_count, sizeof *list->fields);
    if (list->stream.bytes == NULL || list->sections == NULL || list->order == NULL ||
        list->buckets == NULL || list->objects == NULL || list->commands == NULL ||
        list->fields == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    return fgi_mutex_create(allocator, &list->mutex);
}

/** @param known how many commands and fields there is room for */
static void release(struct fg_command_list *list, size_t known)
{
    const struct fg_allocator *allocator = list->allocator;
    fgi_mutex_destroy(list->mutex);
    fgi_free(allocator, list->fields, (known + 1) * FGI_COMMAND_FIELDS_MAX * sizeof *list->fields);
    fgi_free(allocator, list->commands, (known + 1) * sizeof *list->commands);
    fgi_free(allocator, list->objects, list->objects_max * sizeof *list->objects);
    fgi_free(allocator, list->buckets, list->bucket_count * sizeof *list->buckets);
    fgi_free(allocator, list->order, list->sections_max * sizeof *list->order);
    fgi_free(allocator, list->sections, list->sections_max * sizeof *list->sections);
    fgi_free(allocator, list->stream.bytes, list->stream.max_count);
    fgi_free(allocator, list, sizeof *list);
}

enum fg_result fg_command_list_create(const struct fg_command_list_options *options,
                                      struct fg_command_list **out_list)
{
    const struct fg_command_list_options none = { 0 };
    size_t known = 0;
    options = options != NULL ? options : &none;
    if (out_list == NULL || (options->slots == NULL && options->slot_count != 0)) {
        return FG_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < options->slot_count; i++) {
        if (options->slots[i].name == NULL || options->slots[i].function == NULL) {
            return FG_ERR_ARGUMENT;
        }
        known += find_entry(options->slots[i].name) != NULL;
    }
    if (options->sections_max > SECTIONS_LIMIT || options->objects_max > OBJECTS_LIMIT) {
        return FG_ERR_LIMIT;
    }
    if (known > FGI_COMMANDS_MAX) {
        return FG_ERR_ARGUMENT; /* then one is there twice */
    }
    const struct fg_allocator *allocator = fgi_allocator(options->allocator);
    struct fg_command_list *list = fgi_calloc(allocator, 1, sizeof *list);
    if (list == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    list->allocator = allocator;
    list->name_of = options->name_of;
    list->name_context = options->name_context;
    enum fg_result result = allocate(list, options, known);
    list->command_count = 0;
    list->field_count = 0;
    for (size_t i = 0; i < options->slot_count && result == FG_OK; i++) {
        result = add_command(list, &options->slots[i]) ? FG_OK : FG_ERR_ARGUMENT;
    }
    if (result != FG_OK) {
        release(list, known);
        return result;
    }
    *out_list = list;
    return FG_OK;
}

void fg_command_list_destroy(struct fg_command_list *list)
{
    if (list != NULL) {
        (void)fg_command_list_end(list);
        release(list, list->command_count);
    }
}

/* ---- begin and end --------------------------------------------------------------------------- */

static uint32_t *bucket_of(struct fg_command_list *list, enum fgi_section_kind kind, uint64_t key)
{
    return &list->buckets[fgi_mix64(key ^ (uint64_t)kind << 60) & (list->bucket_count - 1)];
}

static struct fgi_command_section *add_section(struct fg_command_list *list,
                                               enum fgi_section_kind kind, uint64_t key)
{
    if (list->section_count == list->sections_max) {
        return NULL;
    }
    const uint32_t index = list->section_count++;
    uint32_t *bucket = bucket_of(list, kind, key);
    list->sections[index] = (struct fgi_command_section){
        .key = key,
        .kind = kind,
        .first = FGI_COMMAND_NONE,
        .last = FGI_COMMAND_NONE,
        .older = *bucket,
    };
    *bucket = index;
    return &list->sections[index];
}

/** The newest of a command buffer; NULL: there is none. */
static struct fgi_command_section *find_section(struct fg_command_list *list,
                                                enum fgi_section_kind kind, uint64_t key)
{
    uint32_t index = *bucket_of(list, kind, key);
    while (index != FGI_COMMAND_NONE &&
           (list->sections[index].key != key || list->sections[index].kind != kind)) {
        index = list->sections[index].older;
    }
    return index != FGI_COMMAND_NONE ? &list->sections[index] : NULL;
}

static void forget(struct fg_command_list *list)
{
    list->stream.count = 0;
    list->stream.is_full = false;
    list->section_count = 0;
    list->submitted_count = 0;
    list->submissions = 0;
    list->counts = (struct fg_draw_counts){ 0 };
    list->listed = 0;
    list->lost = 0;
    memset(list->buckets, 0xff, list->bucket_count * sizeof *list->buckets);
    (void)add_section(list, FGI_SECTION_SUBMISSIONS, 0);
}

static atomic_bool *is_held(const struct fgi_command *command)
{
    return &held[command->entry->number];
}

/** False: it was left, and is held. */
static bool take_out(struct fgi_command *command)
{
    if (command->at.patched) {
        const bool is_back = fgi_slot_put_back(&command->at);
        atomic_store_explicit(is_held(command), !is_back, memory_order_relaxed);
    }
    return !command->at.patched;
}

enum fg_result fg_command_list_begin(struct fg_command_list *list)
{
    struct fg_command_list *none = NULL;
    if (list == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (list->is_on || atomic_load_explicit(&running, memory_order_relaxed) != NULL) {
        return FG_ERR_BUSY;
    }
    for (uint32_t i = 0; i < list->command_count; i++) {
        if (!take_out(&list->commands[i]) ||
            atomic_load_explicit(is_held(&list->commands[i]), memory_order_relaxed)) {
            return FG_ERR_BUSY; /* nobody knows which calls would come to the wrapper */
        }
    }
    forget(list);
    do {
        list->serial = atomic_fetch_add_explicit(&new_serial, 1, memory_order_relaxed) + 1;
    } while (list->serial == 0);
    /* release: pairs with the acquire in get_running(); who finds the list finds it empty */
    if (!atomic_compare_exchange_strong_explicit(&running, &none, list, memory_order_release,
                                                 memory_order_relaxed)) {
        return FG_ERR_BUSY;
    }
    list->is_on = true;
    for (uint32_t i = 0; i < list->command_count; i++) {
        fgi_slot_put_in(&list->commands[i].at, fgi_slot_get(&list->commands[i].at));
    }
    return FG_OK;
}

enum fg_result fg_command_list_end(struct fg_command_list *list)
{
    bool all = true;
    if (list == NULL || list->serial == 0) {
        return FG_OK;
    }
    for (uint32_t i = 0; i < list->command_count; i++) {
        all = take_out(&list->commands[i]) && all;
    }
    if (list->is_on) {
        atomic_store_explicit(&running, NULL, memory_order_relaxed);
        list->is_on = false;
    }
    return all ? FG_OK : FG_ERR_BUSY;
}

bool fg_command_list_is_on(const struct fg_command_list *list)
{
    return list != NULL && list->is_on;
}

void fg_command_list_pause(struct fg_command_list *list)
{
    if (fg_command_list_is_on(list)) {
        if (pauses.serial != list->serial) {
            pauses.serial = list->serial;
            pauses.depth = 0;
        }
        pauses.depth++;
    }
}

void fg_command_list_resume(struct fg_command_list *list)
{
    if (fg_command_list_is_on(list) && pauses.serial == list->serial && pauses.depth != 0) {
        pauses.depth--;
    }
}

void fg_command_list_get_facts(struct fg_command_list *list,
                               struct fg_command_list_facts *out_facts)
{
    if (out_facts == NULL) {
        return;
    }
    *out_facts = (struct fg_command_list_facts){ 0 };
    if (list == NULL || list->serial == 0) {
        return;
    }
    fgi_mutex_lock(list->mutex);
    *out_facts = (struct fg_command_list_facts){
        .counts = list->counts,
        .commands = list->listed,
        .lost_commands = list->lost,
        .sections = list->section_count - 1,
        .submissions = list->submissions,
    };
    fgi_mutex_unlock(list->mutex);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/** The list that the calling thread's calls go to. */
static struct fg_command_list *get_running(void)
{
    struct fg_command_list *list = atomic_load_explicit(&running, memory_order_acquire);
    if (list == NULL || (pauses.depth != 0 && pauses.serial == list->serial)) {
        return NULL;
    }
    return list;
}

/** Where a call belongs; NULL: there is no room for its section. */
static struct fgi_command_section *section_of(struct fg_command_list *list,
                                              enum fgi_section_kind kind, uint64_t key, bool begins)
{
    struct fgi_command_section *section =
        kind == FGI_SECTION_SUBMISSIONS ? &list->sections[0] : find_section(list, kind, key);
    if (section == NULL || begins) {
        section = add_section(list, kind, key);
        if (section != NULL) {
            section->has_begin = begins;
        }
    }
    return section;
}

/** A record's head; its size is told by end_record(). The stream's begin is returned. */
static size_t begin_record(struct fg_command_list *list, enum fgi_record_kind kind,
                           uint32_t command, uint64_t draws)
{
    const struct fgi_command_record record = {
        .next = FGI_COMMAND_NONE,
        .command = (uint16_t)command,
        .kind = (uint16_t)kind,
        .draws = draws > UINT32_MAX ? UINT32_MAX : (uint32_t)draws,
    };
    const size_t begin = list->stream.count;
    fgi_command_append(&list->stream, &record, sizeof record);
    return begin;
}

/** What did not fit is taken back. From then on nothing fits: what is there is complete. */
static void end_record(struct fg_command_list *list, struct fgi_command_section *section,
                       size_t begin, bool is_call)
{
    static const uint8_t zeros[8] = { 0 };
    fgi_command_append(&list->stream, zeros, (8 - list->stream.count % 8) % 8);
    if (list->stream.is_full) {
        list->stream.count = begin;
        section->lost += is_call;
        list->lost += is_call;
        return;
    }
    const uint32_t at = (uint32_t)begin, size = (uint32_t)(list->stream.count - begin);
    memcpy(list->stream.bytes + begin + offsetof(struct fgi_command_record, size), &size,
           sizeof size);
    if (section->last == FGI_COMMAND_NONE) {
        section->first = at;
    } else {
        memcpy(list->stream.bytes + section->last + offsetof(struct fgi_command_record, next), &at,
               sizeof at);
    }
    section->last = at;
    list->listed += is_call;
}

static void add_counts(struct fg_draw_counts *sums, const struct fg_draw_counts *counts)
{
    sums->calls += counts->calls;
    sums->draws += counts->draws;
    sums->vertices += counts->vertices;
    sums->indices += counts->indices;
    sums->instances += counts->instances;
    sums->unsized_draws += counts->unsized_draws;
    sums->uncounted_calls += counts->uncounted_calls;
    sums->uncounted_draws_max += counts->uncounted_draws_max;
    sums->dispatches += counts->dispatches;
    sums->workgroups += counts->workgroups;
    sums->traces += counts->traces;
    _Static_assert(sizeof *sums == 11 * sizeof(uint64_t), "every sum is added");
}

static enum fgi_record_kind kind_of(const struct fg_draw_counts *counts)
{
    return counts == NULL            ? FGI_RECORD_CALL
           : counts->calls != 0      ? FGI_RECORD_DRAW
           : counts->dispatches != 0 ? FGI_RECORD_DISPATCH
                                     : FGI_RECORD_TRACE;
}

void fgi_commands_note(const struct fgi_command_entry *entry,
                       const struct fgi_command_argument *arguments, size_t count,
                       const struct fg_draw_counts *counts)
{
    uint64_t words[FGI_COMMAND_FIELDS_MAX] = { 0 };
    struct fg_command_list *list = get_running();
    const uint32_t index = list != NULL ? list->by_number[entry->number] : 0;
    if (index == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(&words[i], arguments[i].at, arguments[i].size);
    }
    const struct fgi_command *command = &list->commands[index - 1];
    const enum fgi_section_kind kind = entry->is_opengl                    ? FGI_SECTION_THREAD
                                       : entry->role == FGI_COMMAND_SUBMIT ? FGI_SECTION_SUBMISSIONS
                                                                           : FGI_SECTION_COMMANDS;
    const uint64_t key = kind == FGI_SECTION_THREAD ? fgi_thread_number() : words[0];
    fgi_mutex_lock(list->mutex);
    if (counts != NULL) {
        add_counts(&list->counts, counts);
    }
    list->submissions += entry->role == FGI_COMMAND_SUBMIT;
    struct fgi_command_section *section =
        section_of(list, kind, key, entry->role == FGI_COMMAND_RECORD);
    if (section != NULL) {
        const size_t begin =
            begin_record(list, kind_of(counts), index - 1, counts != NULL ? counts->draws : 0);
        fgi_command_append(&list->stream, words, count * sizeof *words);
        fgi_command_copy(&list->stream, command->fields, command->field_count,
                         (const uint8_t *)words);
        end_record(list, section, begin, true);
    } else {
        list->lost++;
    }
    fgi_mutex_unlock(list->mutex);
}

static void note_submitted(struct fg_command_list *list, const void *commands)
{
    struct fgi_command_section *section =
        find_section(list, FGI_SECTION_COMMANDS, (uint64_t)(uintptr_t)commands);
    if (section != NULL && section->submitted == 0) {
        section->submitted = ++list->submitted_count;
    }
}

void fgi_commands_note_submitted(const void *commands)
{
    struct fg_command_list *list = get_running();
    if (list != NULL) {
        fgi_mutex_lock(list->mutex);
        note_submitted(list, commands);
        fgi_mutex_unlock(list->mutex);
    }
}

/* ---- what the application tells -------------------------------------------------------------- */

void fg_command_list_submitted(struct fg_command_list *list, const void *const *commands,
                               uint32_t count)
{
    if (!fg_command_list_is_on(list) || get_running() != list || (commands == NULL && count != 0)) {
        return;
    }
    const uint32_t kept = count < FGI_COMMAND_ELEMENTS_MAX ? count : FGI_COMMAND_ELEMENTS_MAX;
    fgi_mutex_lock(list->mutex);
    const size_t begin = begin_record(list, FGI_RECORD_TOLD, 0, count);
    for (uint32_t i = 0; i < kept; i++) {
        const uint64_t handle = (uint64_t)(uintptr_t)commands[i];
        fgi_command_append(&list->stream, &handle, sizeof handle);
    }
    end_record(list, &list->sections[0], begin, false);
    list->submissions++;
    for (uint32_t i = 0; i < count; i++) {
        note_submitted(list, commands[i]);
    }
    fgi_mutex_unlock(list->mutex);
}

static void note_scope(struct fg_command_list *list, const void *commands,
                       enum fgi_record_kind kind, const char *name)
{
    const uint64_t key = commands == NULL ? fgi_thread_number() : (uint64_t)(uintptr_t)commands;
    if (!fg_command_list_is_on(list) || get_running() != list) {
        return;
    }
    fgi_mutex_lock(list->mutex);
    struct fgi_command_section *section =
        section_of(list, commands == NULL ? FGI_SECTION_THREAD : FGI_SECTION_COMMANDS, key, false);
    if (section != NULL) {
        const uint32_t length = (uint32_t)strnlen(name, FGI_COMMAND_CHARACTERS_MAX);
        const size_t begin = begin_record(list, kind, 0, 0);
        fgi_command_append(&list->stream, &length, sizeof length);
        fgi_command_append(&list->stream, name, length);
        end_record(list, section, begin, false);
    }
    fgi_mutex_unlock(list->mutex);
}

void fg_command_list_scope_begin(struct fg_command_list *list, const void *commands,
                                 const char *name)
{
    note_scope(list, commands, FGI_RECORD_SCOPE_BEGIN, name != NULL ? name : "");
}

void fg_command_list_scope_end(struct fg_command_list *list, const void *commands)
{
    note_scope(list, commands, FGI_RECORD_SCOPE_END, "");
}
