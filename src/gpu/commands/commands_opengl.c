/* SPDX-License-Identifier: MIT */
#include "gpu/commands/commands_opengl_list.h"
#include "gpu/commands/commands_wrap.h"
#include "gpu/draws/draws_opengl_list.h"

#define FGI_COMMANDS_PREFIX "gl"
#define FGI_COMMANDS_CALL
#define FGI_COMMANDS_FIRST 0

#define BARE_INDEX(role, name) INDEX_##name,
enum {
    FGI_DRAWS_OPENGL(FGI_COMMANDS_DRAW_INDEX, 0) FGI_COMMANDS_OPENGL(FGI_COMMANDS_INDEX)
        FGI_COMMANDS_OPENGL_BARE(BARE_INDEX) ENTRIES
};
_Static_assert(ENTRIES <= FGI_COMMANDS_OPENGL_MAX, "numbers of Vulkan's begin behind them");
static _Atomic(fgi_slot_function) originals[ENTRIES];
static const struct fgi_command_entry entries[ENTRIES];

#define BARE_WRAPPER(role, name)                                                                   \
    static void wrap_##name(void)                                                                  \
    {                                                                                              \
        fgi_commands_note(&entries[INDEX_##name], NULL, 0, NULL);                                  \
        FGI_COMMANDS_ORIGINAL(void, name, (void))();                                               \
    }
#define BARE_ENTRY(role, name) FGI_COMMANDS_ENTRY_OF(role, name, "(void)")
FGI_DRAWS_OPENGL(FGI_COMMANDS_DRAW_WRAPPER, 0)
FGI_COMMANDS_OPENGL(FGI_COMMANDS_WRAPPER)
FGI_COMMANDS_OPENGL_BARE(BARE_WRAPPER)

static const struct fgi_command_entry entries[ENTRIES] = {
    FGI_DRAWS_OPENGL(FGI_COMMANDS_DRAW_ENTRY, 0) FGI_COMMANDS_OPENGL(FGI_COMMANDS_ENTRY)
        FGI_COMMANDS_OPENGL_BARE(BARE_ENTRY)
};
const struct fgi_command_api fgi_commands_opengl = { entries, ENTRIES };
