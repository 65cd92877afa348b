/* SPDX-License-Identifier: MIT */
/*
 * One frame, told in full: its calls of OpenGL as text, with the names of phases and nodes, or a
 * capture by RenderDoc. Nothing is made, wrapped or looked for until it is asked for.
 */
#ifndef CANVAS_COMMANDS_H
#define CANVAS_COMMANDS_H
#include "canvas_gl.h"
#include "canvas_programs.h"

#include <frameglass/command_list.h>
#include <frameglass/renderdoc.h>

struct fg_allocator;

struct cv_commands_options {
    struct cv_gl *gl; /**< the table, whose slots are wrapped while a frame is listed */
    const struct cv_programs *programs;
    const char *path; /**< of the text; NULL = commands.txt */
    const struct fg_allocator *allocator;
};
struct cv_commands {
    struct cv_commands_options options;
    struct fg_command_list *list; /**< made when it is asked for first */
    struct fg_renderdoc renderdoc;
    bool is_captured; /**< this frame, by RenderDoc */
    bool has_failed;  /**< something that was asked for could not be written; said on standard
                         error */
};

void cv_commands_init(struct cv_commands *commands, const struct cv_commands_options *options);
void cv_commands_finish(struct cv_commands *commands);

/** Before the frame's first call. */
void cv_commands_frame_begin(struct cv_commands *commands, bool wants_list, bool wants_renderdoc);
/** After the frame's last call: the list is written. */
void cv_commands_frame_end(struct cv_commands *commands);
/** After the frame was presented. */
void cv_commands_presented(struct cv_commands *commands);

/** Whether this frame is listed: then its phases and nodes are scopes. */
bool cv_commands_is_on(const struct cv_commands *commands);
void cv_commands_scope_begin(struct cv_commands *commands, const char *name);
void cv_commands_scope_end(struct cv_commands *commands);
/** Calls of a profiler's own are not listed. */
void cv_commands_pause(struct cv_commands *commands);
void cv_commands_resume(struct cv_commands *commands);

#endif
