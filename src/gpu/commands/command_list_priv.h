/* SPDX-License-Identifier: MIT */
/*
 * A list of one frame's calls. Wrappers put each call into one stream of records, a chain through
 * it for each section; the text is made later, from the records.
 */
#ifndef FGI_COMMAND_LIST_PRIV_H
#define FGI_COMMAND_LIST_PRIV_H
#include "base/thread.h"
#include "gpu/commands/command_types.h"
#include "gpu/draws/slots.h"
#include <frameglass/command_list.h>

enum fgi_command_role {
    FGI_COMMAND_PLAIN,
    FGI_COMMAND_OPEN,
    FGI_COMMAND_CLOSE,
    FGI_COMMAND_RECORD, /**< a new section begins with it */
    FGI_COMMAND_SUBMIT, /**< of no section */
};

/** One entry point. Its wrapper is called without any context, so there is one list at a time. */
struct fgi_command_entry {
    const char *name;
    const char *parameters; /**< as they are written in the lists */
    fgi_slot_function wrapper;
    _Atomic(fgi_slot_function) *original;
    enum fgi_command_role role;
    uint32_t number; /**< among those of both APIs */
    bool is_opengl;
};
struct fgi_command_api {
    const struct fgi_command_entry *entries;
    size_t count;
};
extern const struct fgi_command_api fgi_commands_opengl;
extern const struct fgi_command_api fgi_commands_vulkan; /**< empty without Vulkan's headers */
#define FGI_COMMANDS_OPENGL_MAX 512                      /**< numbers of Vulkan's begin here */
#define FGI_COMMANDS_MAX        1024

/** One argument of a call. */
struct fgi_command_argument {
    const void *at;
    size_t size;
};
/** From wrappers, before they forward. @param counts NULL = it draws nothing */
void fgi_commands_note(const struct fgi_command_entry *entry,
                       const struct fgi_command_argument *arguments, size_t count,
                       const struct fg_draw_counts *counts);
/** From wrappers that submit, for each command buffer in its order, after the note. */
void fgi_commands_note_submitted(const void *commands);

/* ---- the list -------------------------------------------------------------------------------- */

#define FGI_COMMAND_NONE UINT32_MAX

enum fgi_record_kind {
    FGI_RECORD_CALL,
    FGI_RECORD_DRAW,
    FGI_RECORD_DISPATCH,
    FGI_RECORD_TRACE,
    FGI_RECORD_SCOPE_BEGIN,
    FGI_RECORD_SCOPE_END,
    FGI_RECORD_TOLD, /**< a submission that the application told */
};
/** Arguments follow, 8 bytes each, and what they point to; padded to 8 bytes. */
struct fgi_command_record {
    uint32_t next; /**< of its section: offset in the stream */
    uint32_t size; /**< with this head */
    uint16_t command;
    uint16_t kind;
    uint32_t draws; /**< that it counts as */
};

enum fgi_section_kind { FGI_SECTION_SUBMISSIONS, FGI_SECTION_THREAD, FGI_SECTION_COMMANDS };
struct fgi_command_section {
    uint64_t key; /**< number of the thread, or VkCommandBuffer */
    enum fgi_section_kind kind;
    bool has_begin;     /**< its recording began in the list */
    uint32_t submitted; /**< its place among those that were submitted, from 1; 0 = none */
    uint32_t first, last;
    uint32_t older; /**< in the same bucket */
    uint64_t lost;
};

/** A call that is in somebody's slots. */
struct fgi_command {
    const struct fgi_command_entry *entry;
    struct fgi_slot_patch at;
    const struct fgi_command_field *fields;
    uint32_t field_count;
};

struct fgi_command_object {
    const struct fgi_command_type *type; /**< NULL = this place is free */
    uint64_t object;
    uint32_t number;
};

struct fg_command_list {
    const struct fg_allocator *allocator;
    struct fgi_mutex *mutex; /**< guards, while it runs, everything down to `lost` */
    struct fgi_command_bytes stream;
    struct fgi_command_section *sections; /**< the first is that of submissions */
    uint32_t section_count, sections_max;
    uint32_t *buckets;
    uint32_t bucket_count; /**< a power of two */
    uint32_t submitted_count, submissions;
    struct fg_draw_counts counts;
    uint64_t listed, lost;
    unsigned serial; /**< of the run; 0 = there was none */
    bool is_on;
    struct fgi_command *commands;
    struct fgi_command_field *fields;
    uint32_t command_count, field_count;
    uint16_t by_number[FGI_COMMANDS_MAX]; /**< index + 1 of its command */
    struct fgi_command_object *objects;   /**< open addressing */
    uint32_t *order;                      /**< of sections, in the text */
    uint32_t objects_max;
    const char *(*name_of)(void *context, const char *kind, uint64_t object);
    void *name_context;
};

#endif
