/* SPDX-License-Identifier: MIT */
/*
 * Which field of which record is rewritten, and how. The table only ever lets something through: a
 * text or a symbol that it does not name is emptied, so that a field which is added to the format
 * is withheld until somebody has thought about it.
 */
#include "capture/cap_redact_priv.h"

#include <string.h>

/* How numbers are withheld that are not names. */
enum number_rule { NO_NUMBER, TO_ZERO, TO_UNKNOWN, COUNT_PASSES, COUNT_OBJECTS, COUNT_SEMAPHORES };

struct rule {
    uint32_t type;
    const char *list; /* NULL: outside of all lists */
    const char *name;
    enum fgi_alias_role role; /* of symbols */
    enum number_rule number;  /* of everything else */
};

#define NAME(type, list, name, role)                                                               \
    {                                                                                              \
        FG_CAPTURE_##type, list, name, FGI_ALIAS_##role, NO_NUMBER                                 \
    }
#define NUMBER(type, list, name, number)                                                           \
    {                                                                                              \
        FG_CAPTURE_##type, list, name, FGI_ALIAS_COUNT, number                                     \
    }

static const struct rule rules[] = {
    NAME(CLKS, NULL, "name", CLOCK),
    NAME(CLKS, NULL, "reason", REASON),
    NAME(PROC, NULL, "name", PROCESS),
    NUMBER(PROC, NULL, "os_id", TO_UNKNOWN),
    NAME(TRAK, NULL, "name", TRACK),
    NAME(PIPE, NULL, "label", PIPELINE),
    NAME(PIPE, NULL, "shader_module", MODULE),
    NAME(PIPE, NULL, "entry_point", ENTRY_POINT),
    NUMBER(PIPE, NULL, "vertex_layout_hash", TO_ZERO),
    NUMBER(TOPO, NULL, "hash", TO_ZERO),
    NAME(TOPO, NULL, "name", GRAPH),
    NAME(TOPO, "scopes", "name", SCOPE),
    NAME(TOPO, "passes", "name", PASS),
    NUMBER(TOPO, "passes", "id", COUNT_PASSES),
    NAME(TOPO, "resources", "name", RESOURCE),
    NUMBER(TOPO, "resources", "id", COUNT_OBJECTS),
    NAME(TOPO, "gpu_passes", "label", GPU_PASS),
    NAME(FRAM, "gpu_passes", "label", GPU_PASS),
    NAME(FRAM, "works", "pipeline", PIPELINE),
    NUMBER(FRAM, "works", "buffer", COUNT_OBJECTS),
    NAME(FRAM, "bindings", "name", RESOURCE),
    NUMBER(FRAM, "bindings", "resource", COUNT_OBJECTS),
    NUMBER(FRAM, "waits", "id", COUNT_SEMAPHORES),
    NUMBER(FRAM, "signals", "id", COUNT_SEMAPHORES),
    NAME(FRAM, "counters", "name", COUNTER),
    NAME(FRAM, "counters", "unit", UNIT),
    NAME(CNTR, "counters", "name", COUNTER),
    NAME(CNTR, "counters", "unit", UNIT),
    NAME(SPAN, "spans", "name", ZONE),
    NAME(SPAN, "spans", "category", CATEGORY),
    NUMBER(SPAN, "spans", "object", COUNT_OBJECTS),
    NAME(DEPS, "dependencies", "name", DEPENDENCY),
    NAME(ARGS, "arguments", "key", ARGUMENT),
    NAME(STAK, "stacks", "function", FUNCTION),
    NAME(STAK, "stacks", "module", MODULE),
    NUMBER(STAK, "stacks", "line", TO_ZERO),
    NUMBER(STAK, "stacks", "address", TO_ZERO),
    NAME(SMPL, NULL, "unit", UNIT),
    NAME(MDEF, NULL, "name", METRIC),
    NAME(MDEF, NULL, "unit", UNIT),
    NAME(REVT, "events", "name", RESOURCE),
    NAME(REVT, "events", "type", TYPE),
    NUMBER(REVT, "events", "resource", COUNT_OBJECTS),
    NAME(ZRAW, "events", "symbol", ZONE),
    NAME(MARK, "marks", "name", ZONE),
    NAME(MARK, "marks", "category", CATEGORY),
    NAME(ARGT, "arguments", "key", ARGUMENT),
};

enum { LIST_DEPTH = 8 };

struct visit {
    struct fgi_redaction *redaction;
    uint32_t type;
    const char *lists[LIST_DEPTH]; /* names of the lists that are open */
    size_t depth;
    size_t first_rule, end_rule;    /* those of the type: they stand together */
    enum fgi_alias_role track_role; /* of the track at hand */
    uint32_t event_kind;            /* of the event at hand */
    enum fg_result result;
};

static const struct rule *rule_of(const struct visit *visit, const char *name)
{
    const char *list = visit->depth != 0 ? visit->lists[visit->depth - 1] : NULL;
    for (size_t i = visit->first_rule; i < visit->end_rule && name != NULL; i++) {
        const struct rule *rule = &rules[i];
        bool in_list = (rule->list == NULL) == (list == NULL) &&
                       (list == NULL || strcmp(rule->list, list) == 0);
        if (in_list && strcmp(rule->name, name) == 0) {
            return rule;
        }
    }
    return NULL;
}

static void find_rules(struct visit *visit)
{
    enum { RULES = sizeof rules / sizeof *rules };
    while (visit->first_rule < RULES && rules[visit->first_rule].type != visit->type) {
        visit->first_rule++;
    }
    visit->end_rule = visit->first_rule;
    while (visit->end_rule < RULES && rules[visit->end_rule].type == visit->type) {
        visit->end_rule++;
    }
}

static void keep(struct visit *visit, enum fg_result result)
{
    visit->result = visit->result != FG_OK ? visit->result : result;
}

static void rename_symbol(struct visit *visit, const char *name, uint32_t *symbol)
{
    const struct rule *rule = rule_of(visit, name);
    if (rule == NULL || rule->role == FGI_ALIAS_COUNT || *symbol == 0) {
        *symbol = 0;
        return;
    }
    enum fgi_alias_role role = rule->role;
    if (visit->type == FG_CAPTURE_TRAK) {
        role = visit->track_role;
    } else if (visit->type == FG_CAPTURE_ZRAW && visit->event_kind == FG_CAP_EVENT_VALUE) {
        role = FGI_ALIAS_COUNTER;
    }
    struct fgi_redaction *redaction = visit->redaction;
    size_t size = 0;
    const char *alias = "";
    const char *text = fg_capture_symbol(redaction->capture, *symbol, &size);
    enum fg_result result = fgi_alias_text(&redaction->aliases, role, text, size, &alias);
    *symbol = 0;
    if (result == FG_OK && alias[0] != '\0') {
        result = fg_capture_writer_symbol(redaction->writer, alias, strlen(alias), symbol);
    }
    keep(visit, result);
}

static void rewrite_number(struct visit *visit, const struct rule *rule, enum fgi_codec_kind kind,
                           void *value)
{
    if (kind == FGI_KIND_U32) {
        uint32_t *number = value;
        *number = rule->number == TO_ZERO ? 0 : *number;
        return;
    }
    struct fgi_aliases *aliases = &visit->redaction->aliases;
    uint64_t *number = value;
    switch (rule->number) {
    case NO_NUMBER:
        break;
    case TO_ZERO:
        *number = 0;
        break;
    case TO_UNKNOWN:
        *number = FG_CAP_UNKNOWN;
        break;
    case COUNT_PASSES:
        keep(visit, fgi_alias_number(aliases, FGI_ALIAS_NUMBER_PASS, number));
        break;
    case COUNT_OBJECTS:
        keep(visit, fgi_alias_number(aliases, FGI_ALIAS_NUMBER_RESOURCE, number));
        break;
    case COUNT_SEMAPHORES:
        keep(visit, fgi_alias_number(aliases, FGI_ALIAS_NUMBER_SEMAPHORE, number));
        break;
    }
}

static void on_value(void *context, const char *name, enum fgi_codec_kind kind, void *value)
{
    struct visit *visit = context;
    if (visit->result != FG_OK) {
        return;
    }
    if (kind == FGI_KIND_SYMBOL) {
        rename_symbol(visit, name, value);
    } else if (kind == FGI_KIND_TEXT) {
        *(struct fg_cap_text *)value = (struct fg_cap_text){ 0 };
    } else {
        const struct rule *rule = rule_of(visit, name);
        if (rule != NULL) {
            rewrite_number(visit, rule, kind, value);
        }
    }
}

/* Numbers tell what was counted and measured; texts are somebody's. */
static void on_typed(void *context, const char *name, struct fg_cap_value *value)
{
    (void)context;
    (void)name;
    value->text = (struct fg_cap_text){ 0 };
    if (value->kind >= FG_CAP_VALUE_TEXT) {
        value->kind = FG_CAP_VALUE_TEXT;
        value->u = 0;
    }
}

static void on_list_begin(void *context, const char *name, const void **items, size_t *count,
                          size_t item_size)
{
    struct visit *visit = context;
    (void)items;
    (void)count;
    (void)item_size;
    if (visit->depth < LIST_DEPTH) {
        visit->lists[visit->depth] = name;
    }
    visit->depth++;
}

static void on_list_end(void *context)
{
    struct visit *visit = context;
    visit->depth--;
}

static void on_struct_begin(void *context, const char *name)
{
    (void)context;
    (void)name;
}

static void on_struct_end(void *context)
{
    (void)context;
}

/* A thread's number says which process it was; a queue's is its place in the device. */
static enum fgi_alias_role redact_track(struct fg_cap_track *track)
{
    if (track->kind != FG_CAP_TRACK_GPU_QUEUE) {
        track->os_id = FG_CAP_UNKNOWN;
    }
    return track->kind == FG_CAP_TRACK_GPU_QUEUE ? FGI_ALIAS_QUEUE
           : track->kind == FG_CAP_TRACK_THREAD  ? FGI_ALIAS_THREAD
                                                 : FGI_ALIAS_TRACK;
}

/* What a symbol and a value are of hangs on the event's kind, which stands between them. */
static void redact_events(struct visit *visit, const struct fg_cap_events *events)
{
    struct fg_cap_event *items = (struct fg_cap_event *)events->events; /* the arena's, as all */
    visit->lists[visit->depth++] = "events";
    for (size_t i = 0; i < events->event_count && visit->result == FG_OK; i++) {
        visit->event_kind = items[i].kind;
        if (items[i].kind == FG_CAP_EVENT_NONE) {
            items[i].symbol = 0;
        }
        rename_symbol(visit, "symbol", &items[i].symbol);
        if (items[i].kind == FG_CAP_EVENT_OBJECT_CREATED ||
            items[i].kind == FG_CAP_EVENT_OBJECT_DESTROYED) {
            keep(visit, fgi_alias_number(&visit->redaction->aliases, FGI_ALIAS_NUMBER_RESOURCE,
                                         &items[i].value));
        }
    }
    visit->depth--;
}

enum fg_result fgi_redact_fields(struct fgi_redaction *redaction, uint32_t type, fgi_fields *fields,
                                 void *payload)
{
    struct visit visit = { .redaction = redaction, .type = type };
    const struct fgi_codec_visitor visitor = {
        .value = on_value,
        .list_begin = on_list_begin,
        .list_end = on_list_end,
        .struct_begin = on_struct_begin,
        .struct_end = on_struct_end,
        .typed = on_typed,
        .context = &visit,
    };
    struct fgi_codec codec = { .mode = FGI_CODEC_VISIT, .visitor = &visitor };
    find_rules(&visit);
    if (type == FG_CAPTURE_ZRAW) {
        redact_events(&visit, payload);
        return visit.result;
    }
    if (type == FG_CAPTURE_TRAK) {
        visit.track_role = redact_track(payload);
    }
    fields(&codec, payload);
    return visit.result;
}
