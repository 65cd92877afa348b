/* SPDX-License-Identifier: MIT */
/* What the lines of docs/COMMANDS.md stand in: a table, and a frame drawn through it. */
#include <frameglass/command_list.h>

static void use_program(unsigned program)
{
    (void)program;
}
static void draw_arrays(unsigned mode, int first, int count)
{
    (void)mode, (void)first, (void)count;
}
static struct {
    void (*UseProgram)(unsigned program);
    void (*DrawArrays)(unsigned mode, int first, int count);
} gl = { use_program, draw_arrays };

static void draw_frame(struct fg_command_list *list)
{
    fg_command_list_scope_begin(list, NULL, "hills");
    gl.UseProgram(7);
    gl.DrawArrays(4, 0, 6);
    gl.DrawArrays(5, 6, 4);
    fg_command_list_scope_end(list, NULL);
}
