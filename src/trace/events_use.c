/* SPDX-License-Identifier: MIT */
/* What events use: bindings, attachments and declared uses, with the pass that made each. */
#include "base/alloc.h"
#include "trace/events_priv.h"

/* ---- which version a number of the application means ----------------------------------------- */

static enum fg_result add_use(struct fgi_events *m, uint32_t pass, uint32_t resource,
                              uint8_t access)
{
    const struct fg_topology_resource *r = &m->topology->resources[resource];
    uint32_t group = 0;
    uint32_t index = 0;
    if (r->id == 0 || !fgi_map64_get(&m->uses.group_of, r->id, &group)) {
        return FG_OK;
    }
    uint64_t key = (uint64_t)pass << 32 | group;
    if (!fgi_map64_get(&m->uses.use_of, key, &index)) {
        index = (uint32_t)m->uses.items.count;
        if (!FGI_EVENTS_PUT(m, m->uses.items, (struct fgi_event_use){ FG_NONE, FG_NONE, 0 })) {
            return m->result;
        }
        enum fg_result result = fgi_map64_put(&m->uses.use_of, key, index);
        if (result != FG_OK) {
            return result;
        }
    }
    struct fgi_event_use *use = &m->uses.items.items[index];
    uint32_t *version = access == FG_EVENT_READS ? &use->read : &use->written;
    *version = *version == FG_NONE ? resource : *version;
    use->access |= access;
    return FG_OK;
}

enum fg_result fgi_event_uses_make(struct fgi_events *m)
{
    const struct fg_topology *topology = m->topology;
    enum fg_result result = FG_OK;
    m->uses.group_of.allocator = m->uses.use_of.allocator = m->question->arena->allocator;
    for (uint32_t i = 0; topology && i < topology->resource_count && result == FG_OK; i++) {
        uint32_t known = 0;
        if (topology->resources[i].id != 0 &&
            !fgi_map64_get(&m->uses.group_of, topology->resources[i].id, &known)) {
            result = fgi_map64_put(&m->uses.group_of, topology->resources[i].id, i);
        }
    }
    for (uint32_t p = 0; topology && p < topology->pass_count && result == FG_OK; p++) {
        const struct fg_topology_pass *pass = &topology->passes[p];
        for (uint32_t i = 0; i < pass->read_count && result == FG_OK; i++) {
            result = add_use(m, p, pass->reads[i], FG_EVENT_READS);
        }
        for (uint32_t i = 0; i < pass->write_count && result == FG_OK; i++) {
            result = add_use(m, p, pass->writes[i], FG_EVENT_WRITES);
        }
        for (uint32_t i = 0; i < pass->create_count && result == FG_OK; i++) {
            result = add_use(m, p, pass->creates[i], FG_EVENT_CREATES);
        }
    }
    return result;
}

void fgi_event_uses_finish(struct fgi_event_uses *uses)
{
    fgi_map64_finish(&uses->group_of);
    fgi_map64_finish(&uses->use_of);
}

/* Who made what a pass reads of a version: of its own one, the version before is what it reads. */
static uint32_t producer_of_read(const struct fg_topology *topology, uint32_t resource,
                                 uint32_t reader)
{
    const struct fg_topology_resource *r = &topology->resources[resource];
    if (r->producer == reader && r->previous < topology->resource_count) {
        r = &topology->resources[r->previous];
    }
    return r->producer == reader ? FG_NONE : r->producer;
}

static struct fg_event_binding binding_of(const struct fgi_events *m, uint8_t kind)
{
    return (struct fg_event_binding){ .event = (uint32_t)m->items.count - 1,
                                      .kind = kind,
                                      .resource = FG_NONE,
                                      .producer = FG_NONE };
}

/* ---- the three kinds of use ------------------------------------------------------------------ */

static void mark(struct fgi_events *m, const uint32_t *list, uint32_t count, uint8_t access)
{
    for (uint32_t i = 0; i < count; i++) {
        m->resource_marks[list[i]] |= access;
    }
}

/* Each version once, in the order of the lists; its mark goes as it is told. */
static void put_marked(struct fgi_events *m, uint32_t pass, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t access = m->resource_marks[list[i]];
        if (access == 0) {
            continue;
        }
        m->resource_marks[list[i]] = 0;
        struct fg_event_binding binding = binding_of(m, FG_EVENT_BINDING_USE);
        binding.access = access;
        binding.resource = list[i];
        binding.name = m->topology->resources[list[i]].name;
        if (access & FG_EVENT_READS) {
            binding.producer = producer_of_read(m->topology, list[i], pass);
        }
        (void)FGI_EVENTS_PUT(m, m->bindings, binding);
    }
}

void fgi_events_put_uses(struct fgi_events *m, uint32_t pass)
{
    if (m->result != FG_OK || (m->pass_marks[pass] & FGI_EVENT_PASS_LISTED)) {
        return;
    }
    const struct fg_topology_pass *p = &m->topology->passes[pass];
    m->pass_marks[pass] |= FGI_EVENT_PASS_LISTED;
    mark(m, p->reads, p->read_count, FG_EVENT_READS);
    mark(m, p->writes, p->write_count, FG_EVENT_WRITES);
    mark(m, p->creates, p->create_count, FG_EVENT_CREATES);
    put_marked(m, pass, p->reads, p->read_count);
    put_marked(m, pass, p->writes, p->write_count);
    put_marked(m, pass, p->creates, p->create_count);
}

/* The pass's use of a resource by its number; NULL. */
static const struct fgi_event_use *use_of(const struct fgi_events *m, uint32_t pass, uint64_t id,
                                          uint32_t *out_group)
{
    uint32_t index = 0;
    *out_group = FG_NONE;
    if (id == 0 || !fgi_map64_get(&m->uses.group_of, id, out_group) ||
        !fgi_map64_get(&m->uses.use_of, (uint64_t)pass << 32 | *out_group, &index)) {
        return NULL;
    }
    return &m->uses.items.items[index];
}

void fgi_events_put_attachments(struct fgi_events *m, const struct fgi_work_pass *pass)
{
    for (uint32_t i = 0; i < pass->attachment_count && m->result == FG_OK; i++) {
        const struct fgi_work_attachment *a = &pass->attachments[i];
        struct fg_event_binding binding = binding_of(m, FG_EVENT_BINDING_ATTACHMENT);
        binding.slot = a->slot;
        binding.text = a->text;
        binding.access = a->access;
        if (m->topology && a->resource < m->topology->resource_count) {
            const struct fg_topology_resource *r = &m->topology->resources[a->resource];
            uint32_t group = FG_NONE;
            const struct fgi_event_use *use = use_of(m, pass->graph_pass, r->id, &group);
            uint8_t declared = use ? use->access : 0;
            binding.resource = a->resource;
            binding.name = r->name;
            binding.access |= a->access ? declared & FG_EVENT_CREATES : declared;
            if (binding.access & FG_EVENT_READS) {
                binding.producer = producer_of_read(m->topology, a->resource, pass->graph_pass);
            }
        }
        (void)FGI_EVENTS_PUT(m, m->bindings, binding);
    }
}

void fgi_events_put_bindings(struct fgi_events *m, uint32_t pass, const struct fgi_work_call *call)
{
    for (uint32_t i = 0; i < call->binding_count && m->result == FG_OK; i++) {
        const struct fgi_work_binding *from = &call->bindings[i];
        struct fg_event_binding binding = binding_of(m, FG_EVENT_BINDING_CALL);
        uint32_t group = FG_NONE;
        const struct fgi_event_use *use = use_of(m, pass, from->resource, &group);
        binding.slot = from->slot;
        binding.name = from->name;
        if (group != FG_NONE && binding.name == 0) {
            binding.name = m->topology->resources[group].name;
        }
        if (use) {
            binding.access = from->is_read_only ? FG_EVENT_READS : use->access;
            binding.resource = use->read != FG_NONE ? use->read : use->written;
        }
        if (binding.access & FG_EVENT_READS) {
            binding.producer = producer_of_read(m->topology, binding.resource, pass);
        }
        (void)FGI_EVENTS_PUT(m, m->bindings, binding);
    }
}
