/* SPDX-License-Identifier: MIT */
/*
 * M: names of processes and threads, which may come late or again (the last that says something
 * counts); anything else that such an event says is kept as metadata of the trace.
 */
#include "convert/import_chrome_priv.h"

#include <stdio.h>
#include <string.h>

/* The text of an argument; 0: it has none. */
static uint32_t text_argument(struct fgi_chrome *c, const char *key)
{
    struct fgi_json_item item;
    enum fgi_json_token token;
    const struct fgi_chrome_raw *args = &c->event.args;
    if (!fgi_chrome_member(c, args->text, args->size, key, &item, &token) ||
        token == FGI_JSON_RAW) {
        return 0;
    }
    return fgi_chrome_text(c, item.text, item.size, item.flags);
}

/* rocprof has one process for each device, one for copies, and those of calls. */
static void see_process_name(struct fgi_chrome *c, struct fgi_chrome_process *process)
{
    const char *name = fg_trace_text(fgi_builder_trace(c->builder), process->name);
    if (c->dialect == FGI_CHROME_PLAIN && strcmp(name, "CPU HIP API") == 0) {
        c->dialect = FGI_CHROME_ROCPROF;
    }
    if (c->dialect == FGI_CHROME_ROCPROF) {
        bool is_device = strncmp(name, "GPU", 3) == 0 && name[3] >= '0' && name[3] <= '9';
        process->is_gpu = is_device || strcmp(name, "COPY") == 0;
        process->is_runtime = strcmp(name, "CPU HIP API") == 0 || strcmp(name, "CPU HSA API") == 0;
    }
    if (c->dialect == FGI_CHROME_PLAIN && strcmp(name, "BeeDriver") == 0) {
        c->dialect = FGI_CHROME_UNITY;
    }
}

static void name_process(struct fgi_chrome *c, bool is_label)
{
    uint32_t index = fgi_chrome_process(c, c->event.pid);
    uint32_t text = text_argument(c, is_label ? "labels" : "name");
    if (index == FG_NONE || text == 0) {
        return;
    }
    struct fgi_chrome_process *process = &c->processes.items[index];
    if (is_label) {
        process->labels = text;
    } else {
        process->name = text;
        see_process_name(c, process);
    }
}

static void name_thread(struct fgi_chrome *c)
{
    uint32_t thread = fgi_chrome_thread(c, c->event.pid, c->event.tid);
    uint32_t text = text_argument(c, "name");
    if (thread != FG_NONE && text != 0) {
        c->threads.items[thread].name = text;
    }
}

/* Where a process or a thread wants to stand: import_chrome_order.c. */
static void sort(struct fgi_chrome *c, bool is_process)
{
    struct fgi_json_item item;
    enum fgi_json_token token;
    struct fgi_decimal decimal;
    const struct fgi_chrome_raw *args = &c->event.args;
    if (!fgi_chrome_member(c, args->text, args->size, "sort_index", &item, &token) ||
        !fgi_chrome_decimal(&item, token, 0, &decimal)) {
        return;
    }
    int64_t index = fgi_chrome_round(fgi_chrome_time_of(&decimal));
    uint32_t process = fgi_chrome_process(c, c->event.pid);
    uint32_t thread = is_process ? FG_NONE : fgi_chrome_thread(c, c->event.pid, c->event.tid);
    if (is_process && process != FG_NONE) {
        c->processes.items[process].sort_index = index;
    } else if (thread != FG_NONE) {
        c->threads.items[thread].sort_index = index;
    }
    c->has_sort_index = true;
}

/* "name.argument (pid)": what nobody here knows. */
static void keep_rest(struct fgi_chrome *c, const char *name)
{
    const struct fgi_chrome_raw *args = &c->event.args;
    struct fgi_chrome_members members;
    struct fgi_json_item item;
    enum fgi_json_token token;
    char key[300];
    char value[1024];
    if (args->size == 0) {
        return;
    }
    fgi_chrome_members_begin(&members, c->allocator, args->text, args->size);
    while (fgi_chrome_members_next(&members, &item, &token) && c->meta_count < FGI_CHROME_METAS) {
        (void)snprintf(key, sizeof key, "%s.%.*s (%s)", name,
                       (int)(item.key_size < 200 ? item.key_size : 200), item.key ? item.key : "",
                       fgi_chrome_id_text(c, c->event.pid));
        (void)snprintf(value, sizeof value, "%.*s", (int)(item.size < 1000 ? item.size : 1000),
                       item.text);
        fgi_chrome_meta(c, key, value);
    }
    fgi_chrome_members_end(&members);
}

void fgi_chrome_meta_event(struct fgi_chrome *c)
{
    const char *name = fg_trace_text(fgi_builder_trace(c->builder), c->event.name);
    const struct fgi_chrome_raw *args = &c->event.args;
    if (strcmp(name, "process_name") == 0 || strcmp(name, "process_labels") == 0) {
        name_process(c, name[8] == 'l');
    } else if (strcmp(name, "thread_name") == 0) {
        name_thread(c);
    } else if (strcmp(name, "stackFrames") == 0 && args->size > 0) {
        struct fgi_json_item item;
        enum fgi_json_token token;
        bool is_inner = fgi_chrome_member(c, args->text, args->size, "stackFrames", &item, &token);
        fgi_chrome_stack_frames(c, is_inner ? item.text : args->text,
                                is_inner ? item.size : args->size);
    } else if (strcmp(name, "trace_buffer_overflowed") == 0) {
        fgi_builder_loss(c->builder, fgi_builder_cstr(c->builder, "trace buffer overflowed"), 1);
    } else if (strcmp(name, "process_sort_index") == 0 || strcmp(name, "thread_sort_index") == 0) {
        sort(c, name[0] == 'p');
    } else {
        char copy[200];
        (void)snprintf(copy, sizeof copy, "%s", name);
        keep_rest(c, copy);
    }
}
