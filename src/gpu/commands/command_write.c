/* SPDX-License-Identifier: MIT */
/* The text of a list: sections in their order, numbers of draws, groups, sums. */
#include "gpu/commands/command_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 64 /* deeper groups are not further to the right */

/** Of the text so far. */
struct numbers {
    uint64_t draws, dispatches, traces;
};

static void put_margin(struct fgi_command_text *text, struct numbers *numbers,
                       const struct fgi_command_record *record, uint32_t depth)
{
    char margin[64];
    uint64_t *number = &numbers->draws;
    const char *letter = "";
    if (record->kind == FGI_RECORD_DISPATCH) {
        number = &numbers->dispatches;
        letter = "d";
    } else if (record->kind == FGI_RECORD_TRACE) {
        number = &numbers->traces;
        letter = "t";
    }
    const uint32_t count = record->kind == FGI_RECORD_DRAW       ? record->draws
                           : record->kind == FGI_RECORD_DISPATCH ? 1
                           : record->kind == FGI_RECORD_TRACE    ? 1
                                                                 : 0;
    if (count == 0) {
        margin[0] = '\0';
    } else if (count == 1) {
        (void)snprintf(margin, sizeof margin, "%s%" PRIu64, letter, *number + 1);
    } else {
        (void)snprintf(margin, sizeof margin, "%" PRIu64 "-%" PRIu64, *number + 1, *number + count);
    }
    *number += count;
    depth = depth < DEPTH_MAX ? depth : DEPTH_MAX;
    fgi_print_words(text, "%7s  %*s", margin, (int)depth * 2, "");
}

/** Without the command buffer, which the section is of. */
static void put_call(struct fgi_command_text *text, const struct fgi_command *command,
                     const uint8_t *arguments)
{
    const bool has_buffer =
        !command->entry->is_opengl && command->entry->role != FGI_COMMAND_SUBMIT;
    const uint8_t *behind = arguments + (size_t)command->field_count * sizeof(uint64_t);
    fgi_print_words(text, "%s(", command->entry->name);
    fgi_print_fields(text, command->fields + has_buffer, command->field_count - has_buffer,
                     arguments, &behind);
    fgi_print_put(text, ")\n");
}

/** The type that numbers command buffers: the same as in the arguments of a submission. */
static const struct fgi_command_type *commands_type(void)
{
    for (size_t i = 0; i < fgi_types_vulkan.count; i++) {
        if (strcmp(fgi_types_vulkan.types[i].name, "VkCommandBuffer") == 0) {
            return &fgi_types_vulkan.types[i];
        }
    }
    static const struct fgi_command_type none = {
        "VkCommandBuffer", FGI_VALUE_OBJECT, sizeof(void *), 0, NULL, NULL
    };
    return &none; /* told without Vulkan's headers */
}

static void put_told(struct fgi_command_text *text, const struct fgi_command_record *record,
                     const uint8_t *handles)
{
    const uint32_t kept =
        record->draws < FGI_COMMAND_ELEMENTS_MAX ? record->draws : FGI_COMMAND_ELEMENTS_MAX;
    fgi_print_put(text, "submitted, as the application tells: [");
    for (uint32_t i = 0; i < kept; i++) {
        uint64_t handle = 0;
        memcpy(&handle, handles + i * sizeof handle, sizeof handle);
        fgi_print_put(text, i == 0 ? "" : ", ");
        fgi_print_object(text, commands_type(), handle);
    }
    if (record->draws > kept) {
        fgi_print_words(text, ", and %" PRIu32 " more", record->draws - kept);
    }
    fgi_print_put(text, "]\n");
}

static void put_scope(struct fgi_command_text *text, const uint8_t *bytes)
{
    uint32_t length = 0;
    memcpy(&length, bytes, sizeof length);
    fgi_print_quote(text, (const char *)bytes + sizeof length, length);
    fgi_print_put(text, "\n");
}

/** Groups that were begun before the list end at the margin. */
static uint32_t less(uint32_t depth)
{
    return depth != 0 ? depth - 1 : 0;
}

/** One record; the depth for those that follow is returned. */
static uint32_t put_record(struct fgi_command_text *text, struct numbers *numbers,
                           const struct fgi_command_record *record, const uint8_t *payload,
                           uint32_t depth)
{
    if (record->kind == FGI_RECORD_SCOPE_END) {
        return less(depth);
    }
    const struct fgi_command *command =
        record->kind <= FGI_RECORD_TRACE ? &text->list->commands[record->command] : NULL;
    if (command != NULL && command->entry->role == FGI_COMMAND_CLOSE) {
        depth = less(depth);
    }
    put_margin(text, numbers, record, depth);
    if (record->kind == FGI_RECORD_SCOPE_BEGIN) {
        put_scope(text, payload);
        return depth + 1;
    }
    if (record->kind == FGI_RECORD_TOLD) {
        put_told(text, record, payload);
        return depth;
    }
    put_call(text, command, payload);
    return depth + (command->entry->role == FGI_COMMAND_OPEN);
}

static void put_section(struct fgi_command_text *text, struct numbers *numbers,
                        const struct fgi_command_section *section)
{
    const uint8_t *stream = text->list->stream.bytes;
    uint32_t depth = 0;
    for (uint32_t at = section->first; at != FGI_COMMAND_NONE && text->result == FG_OK;) {
        struct fgi_command_record record;
        memcpy(&record, stream + at, sizeof record);
        depth = put_record(text, numbers, &record, stream + at + sizeof record, depth);
        at = record.next;
    }
    if (section->lost != 0) {
        fgi_print_words(text, "         ... and %" PRIu64 " further calls that did not fit\n",
                        section->lost);
    }
}

/* ---- sections -------------------------------------------------------------------------------- */

static void put_title(struct fgi_command_text *text, const struct fgi_command_section *section)
{
    const struct fg_command_list *list = text->list;
    fgi_print_put(text, "\n");
    if (section->kind == FGI_SECTION_SUBMISSIONS) {
        fgi_print_put(text, "Submissions\n");
        return;
    }
    if (section->kind == FGI_SECTION_THREAD) {
        uint32_t before = 0;
        for (const struct fgi_command_section *s = list->sections; s < section; s++) {
            before += s->kind == FGI_SECTION_THREAD;
        }
        fgi_print_words(text, before == 0 ? "OpenGL\n" : "OpenGL, thread %" PRIu32 "\n",
                        before + 1);
        return;
    }
    fgi_print_object(text, commands_type(), section->key);
    if (section->submitted != 0) {
        fgi_print_words(text, ", submitted as %" PRIu32 " of %" PRIu32, section->submitted,
                        list->submitted_count);
    } else if (list->submissions != 0) {
        fgi_print_put(text, ", not submitted");
    }
    fgi_print_put(text, section->has_begin ? "\n" : ", begun before the list or not seen\n");
}

/** In the order of the text: as submitted, then the others as they began. */
static uint32_t sort_sections(struct fg_command_list *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->section_count; i++) { /* submissions, threads */
        if (list->sections[i].kind != FGI_SECTION_COMMANDS) {
            list->order[count++] = i;
        }
    }
    const uint32_t first = count;
    count += list->submitted_count;
    for (uint32_t i = 0; i < list->section_count; i++) {
        if (list->sections[i].submitted != 0) {
            list->order[first + list->sections[i].submitted - 1] = i;
        } else if (list->sections[i].kind == FGI_SECTION_COMMANDS) {
            list->order[count++] = i;
        }
    }
    return count;
}

static void put_sums(struct fgi_command_text *text)
{
    const struct fg_command_list *list = text->list;
    const struct fg_draw_counts *counts = &list->counts;
    const struct {
        const char *name;
        uint64_t value;
    } sums[] = {
        { "draw calls", counts->calls },
        { "draws", counts->draws },
        { "vertices", counts->vertices },
        { "indices", counts->indices },
        { "instances", counts->instances },
        { "draws whose size is on the GPU", counts->unsized_draws },
        { "calls whose number of draws is on the GPU", counts->uncounted_calls },
        { "draws that those may make", counts->uncounted_draws_max },
        { "dispatches", counts->dispatches },
        { "workgroups", counts->workgroups },
        { "traces", counts->traces },
        { "calls listed", list->listed },
        { "calls that did not fit", list->lost },
    };
    fgi_print_put(text, "\nSums\n");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        fgi_print_words(text, "%12" PRIu64 "  %s\n", sums[i].value, sums[i].name);
    }
    if (list->lost != 0) {
        fgi_print_words(
            text, "The list is not complete: it had room for %zu bytes and %" PRIu32 " sections.\n",
            list->stream.max_count, list->sections_max - 1);
    }
}

enum fg_result fg_command_list_write(struct fg_command_list *list, const struct fg_sink *sink)
{
    if (list == NULL || sink == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (list->is_on || list->serial == 0) {
        return FG_ERR_STATE;
    }
    struct fgi_command_text text = { .list = list, .sink = sink };
    struct numbers numbers = { 0, 0, 0 };
    memset(list->objects, 0, list->objects_max * sizeof *list->objects);
    const uint32_t count = sort_sections(list);
    fgi_print_put(&text, "Frameglass command list, version 1\n");
    for (uint32_t i = 0; i < count && text.result == FG_OK; i++) {
        const struct fgi_command_section *section = &list->sections[list->order[i]];
        if (section->first != FGI_COMMAND_NONE || section->lost != 0 ||
            section->kind == FGI_SECTION_COMMANDS) {
            put_title(&text, section);
            put_section(&text, &numbers, section);
        }
    }
    put_sums(&text);
    fgi_print_flush(&text);
    return text.result;
}

enum fg_result fg_command_list_write_file(struct fg_command_list *list, const char *path)
{
    struct fg_file_sink *file = NULL;
    struct fg_sink sink;
    if (list == NULL || path == NULL) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fg_file_sink_open(path, &file, &sink);
    if (result != FG_OK) {
        return result;
    }
    result = fg_command_list_write(list, &sink);
    const enum fg_result closed = fg_file_sink_close(file);
    return result != FG_OK ? result : closed;
}
