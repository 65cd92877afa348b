/* SPDX-License-Identifier: MIT */
/* Names that stand for names: "pass 3" for whatever the third pass is called. */
#ifndef FGI_CAP_ALIAS_H
#define FGI_CAP_ALIAS_H
#include "base/hash.h"
#include "base/strings.h"
#include <frameglass/capture_writer.h>

/**
 * What a name is for: X(name, word, group). Within a group one text has one alias, whatever it is
 * for where it comes first: a GPU pass that is called as its graph pass still is.
 */
#define FGI_ALIAS_ROLES(X)                                                                         \
    X(PASS, "pass", 'w')                                                                           \
    X(GPU_PASS, "GPU pass", 'w')                                                                   \
    X(ZONE, "zone", 'w')                                                                           \
    X(SCOPE, "scope", 's')                                                                         \
    X(GRAPH, "graph", 'g')                                                                         \
    X(RESOURCE, "resource", 'r')                                                                   \
    X(COUNTER, "counter", 'c')                                                                     \
    X(METRIC, "metric", 'c')                                                                       \
    X(PIPELINE, "pipeline", 'p')                                                                   \
    X(MODULE, "module", 'o')                                                                       \
    X(ENTRY_POINT, "entry point", 'e')                                                             \
    X(THREAD, "thread", 't')                                                                       \
    X(QUEUE, "queue", 't')                                                                         \
    X(TRACK, "track", 't')                                                                         \
    X(PROCESS, "process", 'P')                                                                     \
    X(CLOCK, "clock", 'C')                                                                         \
    X(REASON, "reason", 'R')                                                                       \
    X(CATEGORY, "category", 'k')                                                                   \
    X(UNIT, "unit", 'u')                                                                           \
    X(DEPENDENCY, "dependency", 'd')                                                               \
    X(FUNCTION, "function", 'f')                                                                   \
    X(ARGUMENT, "argument", 'a')                                                                   \
    X(TYPE, "type", 'y')

enum fgi_alias_role {
#define FGI_ALIAS_ENUM(name, word, group) FGI_ALIAS_##name,
    FGI_ALIAS_ROLES(FGI_ALIAS_ENUM)
#undef FGI_ALIAS_ENUM
        FGI_ALIAS_COUNT
};

/** Zero with an allocator is a valid empty table. */
struct fgi_aliases {
    const struct fg_allocator *allocator;
    struct fgi_strings texts;   /**< group, then the text: what has an alias */
    struct fgi_strings aliases; /**< by the same index */
    uint32_t *alias_of;         /**< by index in texts: index in aliases */
    size_t alias_capacity;
    uint32_t counts[FGI_ALIAS_COUNT]; /**< aliases given so far */
    struct fgi_map64 numbers[3];      /**< numbers for numbers: see fgi_alias_number() */
};

void fgi_aliases_finish(struct fgi_aliases *aliases);
/**
 * What to say in place of a text. Empty stays empty, and what Frameglass itself calls its things
 * ("memory.used", "bytes") stays as it is.
 *
 * @param out_alias terminated; lent until finish
 */
FG_MUST_USE enum fg_result fgi_alias_text(struct fgi_aliases *aliases, enum fgi_alias_role role,
                                          const char *text, size_t size, const char **out_alias);

/** Numbers that may be addresses or hashes become 1, 2, 3...; 0 stays, and so does unknown. */
enum fgi_alias_numbers {
    FGI_ALIAS_NUMBER_PASS,
    FGI_ALIAS_NUMBER_RESOURCE, /**< buffers, objects, whatever is bound */
    FGI_ALIAS_NUMBER_SEMAPHORE,
};
FG_MUST_USE enum fg_result fgi_alias_number(struct fgi_aliases *aliases,
                                            enum fgi_alias_numbers kind, uint64_t *number);

#endif
