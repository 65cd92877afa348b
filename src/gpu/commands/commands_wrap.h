/* SPDX-License-Identifier: MIT */
/* Wrappers from a list of entry points, for the files that have one. */
#ifndef FGI_COMMANDS_WRAP_H
#define FGI_COMMANDS_WRAP_H
#include "gpu/commands/command_list_priv.h"

/* EACH(a, b, c) is an argument's place and size for each: up to 16. */
#define FGI_ONE(a)         { &(a), sizeof(a) },
#define FGI_EACH1(a)       FGI_ONE(a)
#define FGI_EACH2(a, ...)  FGI_ONE(a) FGI_EACH1(__VA_ARGS__)
#define FGI_EACH3(a, ...)  FGI_ONE(a) FGI_EACH2(__VA_ARGS__)
#define FGI_EACH4(a, ...)  FGI_ONE(a) FGI_EACH3(__VA_ARGS__)
#define FGI_EACH5(a, ...)  FGI_ONE(a) FGI_EACH4(__VA_ARGS__)
#define FGI_EACH6(a, ...)  FGI_ONE(a) FGI_EACH5(__VA_ARGS__)
#define FGI_EACH7(a, ...)  FGI_ONE(a) FGI_EACH6(__VA_ARGS__)
#define FGI_EACH8(a, ...)  FGI_ONE(a) FGI_EACH7(__VA_ARGS__)
#define FGI_EACH9(a, ...)  FGI_ONE(a) FGI_EACH8(__VA_ARGS__)
#define FGI_EACH10(a, ...) FGI_ONE(a) FGI_EACH9(__VA_ARGS__)
#define FGI_EACH11(a, ...) FGI_ONE(a) FGI_EACH10(__VA_ARGS__)
#define FGI_EACH12(a, ...) FGI_ONE(a) FGI_EACH11(__VA_ARGS__)
#define FGI_EACH13(a, ...) FGI_ONE(a) FGI_EACH12(__VA_ARGS__)
#define FGI_EACH14(a, ...) FGI_ONE(a) FGI_EACH13(__VA_ARGS__)
#define FGI_EACH15(a, ...) FGI_ONE(a) FGI_EACH14(__VA_ARGS__)
#define FGI_EACH16(a, ...) FGI_ONE(a) FGI_EACH15(__VA_ARGS__)

#define FGI_PICK(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, name, ...) name
#define FGI_EACH(...)                                                                              \
    FGI_PICK(__VA_ARGS__, FGI_EACH16, FGI_EACH15, FGI_EACH14, FGI_EACH13, FGI_EACH12, FGI_EACH11,  \
             FGI_EACH10, FGI_EACH9, FGI_EACH8, FGI_EACH7, FGI_EACH6, FGI_EACH5, FGI_EACH4,         \
             FGI_EACH3, FGI_EACH2, FGI_EACH1, )                                                    \
    (__VA_ARGS__)

/* relaxed: the slot that led to the wrapper was written after it, by begin's release */
#define FGI_COMMANDS_ORIGINAL(type, name, parameters)                                              \
    ((type(FGI_COMMANDS_CALL *) parameters)atomic_load_explicit(&originals[INDEX_##name],          \
                                                                memory_order_relaxed))
#define FGI_COMMANDS_NOTE(name, arguments, counts)                                                 \
    const struct fgi_command_argument given[] = { FGI_EACH arguments };                            \
    fgi_commands_note(&entries[INDEX_##name], given, sizeof given / sizeof *given, counts)

/* Of the lists of draws: X(instance, name, parameters, arguments, counted). */
#define FGI_COMMANDS_DRAW_INDEX(i, name, parameters, arguments, counted) INDEX_##name,
#define FGI_COMMANDS_DRAW_WRAPPER(i, name, parameters, arguments, counted)                         \
    static void FGI_COMMANDS_CALL wrap_##name parameters                                           \
    {                                                                                              \
        const struct fg_draw_counts counts = counted;                                              \
        FGI_COMMANDS_NOTE(name, arguments, &counts);                                               \
        FGI_COMMANDS_ORIGINAL(void, name, parameters) arguments;                                   \
    }
#define FGI_COMMANDS_DRAW_ENTRY(i, name, parameters, arguments, counted)                           \
    FGI_COMMANDS_ENTRY_OF(PLAIN, name, #parameters)

/* Of our own lists. */
#define FGI_COMMANDS_INDEX(role, name, ...) INDEX_##name,
#define FGI_COMMANDS_WRAPPER(role, name, parameters, arguments)                                    \
    static void FGI_COMMANDS_CALL wrap_##name parameters                                           \
    {                                                                                              \
        FGI_COMMANDS_NOTE(name, arguments, NULL);                                                  \
        FGI_COMMANDS_ORIGINAL(void, name, parameters) arguments;                                   \
    }
#define FGI_COMMANDS_ENTRY(role, name, parameters, ...)                                            \
    FGI_COMMANDS_ENTRY_OF(role, name, #parameters)

/* The text is made by whoever is called by a list: there its words are not expanded yet. */
#define FGI_COMMANDS_ENTRY_OF(role, name, text)                                                    \
    { FGI_COMMANDS_PREFIX #name,                                                                   \
      text,                                                                                        \
      (fgi_slot_function)wrap_##name,                                                              \
      &originals[INDEX_##name],                                                                    \
      FGI_COMMAND_##role,                                                                          \
      FGI_COMMANDS_FIRST + INDEX_##name,                                                           \
      FGI_COMMANDS_FIRST == 0 },

#endif
