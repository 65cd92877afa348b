/* SPDX-License-Identifier: MIT */
/*
 * Names as clients know them. A trace numbers its texts anew whenever it is made anew; clients keep
 * the numbers that they were given, so these are the view's own.
 */
#include "base/alloc.h"
#include "view/view_priv.h"
#include <string.h>

void fgi_view_names_forget(struct fgi_view_names *names)
{
    fgi_free(names->allocator, names->of_text, names->capacity * sizeof *names->of_text);
    names->of_text = NULL;
    names->capacity = 0;
}

void fgi_view_names_finish(struct fgi_view_names *names)
{
    fgi_view_names_forget(names);
    fgi_strings_finish(&names->table);
}

/* Texts may be added to a trace while it is asked: their numbers are higher than all before. */
static bool make_room(struct fgi_view_names *names, uint32_t text)
{
    size_t before = names->capacity;
    if (text < before) {
        return true;
    }
    enum fg_result result =
        FGI_GROW(names->allocator, names->of_text, names->capacity, (size_t)text + 1, UINT32_MAX);
    if (result == FG_OK) {
        memset(names->of_text + before, 0, (names->capacity - before) * sizeof *names->of_text);
    }
    return result == FG_OK;
}

uint32_t fgi_name(struct fgi_ask *ask, uint32_t text)
{
    struct fgi_view_names *names = &ask->entry->names;
    if (text == FG_NONE) {
        return FG_NONE;
    }
    if (!make_room(names, text)) {
        ask->reply->result = FG_ERR_NO_MEMORY;
        return 0;
    }
    if (names->of_text[text] == 0) {
        const char *bytes = fg_trace_text(ask->trace, text);
        uint32_t id = 0;
        enum fg_result result = fgi_strings_add(&names->table, bytes, strlen(bytes), &id);
        if (result != FG_OK) {
            ask->reply->result = result;
            return 0;
        }
        names->of_text[text] = id + 1;
    }
    return fgi_reply_name(ask->reply, names->of_text[text] - 1);
}

uint32_t fgi_text_of_name(const struct fgi_ask *ask, uint32_t name)
{
    const struct fgi_strings *table = &ask->entry->names.table;
    if (name >= fgi_strings_count(table)) {
        return FG_NONE;
    }
    return fg_trace_text_find(ask->trace, fgi_strings_get(table, name, NULL));
}
