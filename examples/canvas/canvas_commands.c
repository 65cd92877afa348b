/* SPDX-License-Identifier: MIT */
#include "canvas_commands.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char default_path[] = "commands.txt";

void cv_commands_init(struct cv_commands *commands, const struct cv_commands_options *options)
{
    memset(commands, 0, sizeof(*commands));
    commands->options = *options;
}

void cv_commands_finish(struct cv_commands *commands)
{
    fg_command_list_destroy(commands->list);
    commands->list = NULL;
}

/* ---- the list -------------------------------------------------------------------------------- */

static const char *name_program(void *context, const char *kind, uint64_t object)
{
    const struct cv_programs *programs = ((struct cv_commands *)context)->options.programs;
    const struct {
        GLuint program;
        const char *name;
    } names[] = { { programs->solid, "solid" },
                  { programs->layer, "layer" },
                  { programs->blur, "blur" },
                  { programs->burn, "burn" } };
    for (size_t i = 0; strcmp(kind, "program") == 0 && i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].program == object) {
            return names[i].name;
        }
    }
    return NULL;
}

static enum fg_result make_list(struct cv_commands *commands)
{
    struct cv_gl *gl = commands->options.gl;
    const struct fg_draw_slot slots[] = {
#define SLOT(type, name) { "gl" #name, (void **)&gl->name },
        CV_GL_FUNCTIONS(SLOT)
#undef SLOT
            { "glPushDebugGroup", (void **)&gl->PushDebugGroup },
        { "glPopDebugGroup", (void **)&gl->PopDebugGroup },
    };
    const struct fg_command_list_options options = {
        .allocator = commands->options.allocator,
        .slots = slots,
        .slot_count = sizeof(slots) / sizeof(slots[0]),
        .name_of = name_program,
        .name_context = commands,
    };
    return commands->list != NULL ? FG_OK : fg_command_list_create(&options, &commands->list);
}

static void begin_list(struct cv_commands *commands)
{
    enum fg_result result = make_list(commands);
    if (result == FG_OK) {
        result = fg_command_list_begin(commands->list);
    }
    if (result != FG_OK) {
        fprintf(stderr, "canvas: no list of commands: %s\n", fg_result_text(result));
        commands->has_failed = true;
    }
}

static void end_list(struct cv_commands *commands)
{
    const char *path = commands->options.path != NULL ? commands->options.path : default_path;
    struct fg_command_list_facts facts;
    (void)fg_command_list_end(commands->list);
    const enum fg_result result = fg_command_list_write_file(commands->list, path);
    if (result != FG_OK) {
        fprintf(stderr, "canvas: %s: %s\n", path, fg_result_text(result));
        commands->has_failed = true;
        return;
    }
    fg_command_list_get_facts(commands->list, &facts);
    fprintf(stderr, "canvas: %llu calls, %llu draws of one frame: %s\n",
            (unsigned long long)facts.commands, (unsigned long long)facts.counts.draws, path);
}

bool cv_commands_is_on(const struct cv_commands *commands)
{
    return commands != NULL && fg_command_list_is_on(commands->list);
}

void cv_commands_scope_begin(struct cv_commands *commands, const char *name)
{
    if (commands != NULL) {
        fg_command_list_scope_begin(commands->list, NULL, name);
    }
}

void cv_commands_scope_end(struct cv_commands *commands)
{
    if (commands != NULL) {
        fg_command_list_scope_end(commands->list, NULL);
    }
}

void cv_commands_pause(struct cv_commands *commands)
{
    if (commands != NULL) {
        fg_command_list_pause(commands->list);
    }
}

void cv_commands_resume(struct cv_commands *commands)
{
    if (commands != NULL) {
        fg_command_list_resume(commands->list);
    }
}

/* ---- RenderDoc ------------------------------------------------------------------------------- */

static void begin_renderdoc(struct cv_commands *commands)
{
    struct fg_diag diag = { .offset = 0 };
    /* Only what is here already: RenderDoc has to come before OpenGL does. */
    void *library = dlopen(FG_RENDERDOC_LINUX, RTLD_NOW | RTLD_NOLOAD);
    void *get = library != NULL ? dlsym(library, FG_RENDERDOC_SYMBOL) : NULL;
    if (fg_renderdoc_connect(get, &commands->renderdoc, &diag) == FG_OK) {
        (void)fg_renderdoc_begin(&commands->renderdoc, NULL, NULL);
        commands->is_captured = true;
    } else {
        fprintf(stderr, "canvas: no capture: %s\n", diag.message);
        commands->has_failed = true;
    }
    if (library != NULL) {
        (void)dlclose(library); /* the one that is here stays */
    }
}

static void end_renderdoc(struct cv_commands *commands)
{
    char path[1024] = "";
    const struct fg_renderdoc *renderdoc = &commands->renderdoc;
    commands->is_captured = false;
    if (fg_renderdoc_end(renderdoc, NULL, NULL) != FG_OK) {
        fprintf(stderr, "canvas: RenderDoc %d.%d.%d captured nothing\n", renderdoc->major,
                renderdoc->minor, renderdoc->patch);
        commands->has_failed = true;
        return;
    }
    (void)fg_renderdoc_path(renderdoc, fg_renderdoc_count(renderdoc) - 1, path, sizeof(path));
    fprintf(stderr, "canvas: RenderDoc %d.%d.%d captured a frame: %s\n", renderdoc->major,
            renderdoc->minor, renderdoc->patch, path);
}

/* ---- frames ---------------------------------------------------------------------------------- */

void cv_commands_frame_begin(struct cv_commands *commands, bool wants_list, bool wants_renderdoc)
{
    if (wants_renderdoc) {
        begin_renderdoc(commands);
    }
    if (wants_list) {
        begin_list(commands);
    }
}

void cv_commands_frame_end(struct cv_commands *commands)
{
    if (cv_commands_is_on(commands)) {
        end_list(commands);
    }
}

void cv_commands_presented(struct cv_commands *commands)
{
    if (commands->is_captured) {
        end_renderdoc(commands);
    }
}
