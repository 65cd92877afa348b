/* SPDX-License-Identifier: MIT */
/*
 * Live resources: a table sorted by id, since ids only grow. Rows that died are left until there
 * are enough of them to be worth a sweep. `objects` guards all of it; consumers are told under it,
 * so that what they hear has the order in which it happened, and events are written after it.
 */
#include "base/strings.h"
#include "record/texture_formats.h"
#include "record/instrument/stats_priv.h"
#include <frameglass/capture_events.h>

#include <string.h>

struct object {
    struct fg_object_row row; /* its id is 0 once it died */
    uint64_t id;
    size_t name_bytes; /* of row.name's memory; 0 = "" */
};
static struct {
    struct object *items;
    size_t count, capacity, dead_count;
    uint64_t last_id;
    uint64_t total_low, total_high; /* 128 bits: what saturates is only what is shown */
} objects;

const char *fg_object_type_name(enum fg_object_type type)
{
    static const char *const names[] = {
        [FG_OBJECT_UNKNOWN] = "unknown",
        [FG_OBJECT_TEXTURE_2D] = "texture 2d",
        [FG_OBJECT_TEXTURE_3D] = "texture 3d",
        [FG_OBJECT_TEXTURE_CUBE] = "texture cube",
        [FG_OBJECT_VERTEX_BUFFER] = "vertex buffer",
        [FG_OBJECT_INDEX_BUFFER] = "index buffer",
        [FG_OBJECT_RENDER_TARGET_2D] = "render target 2d",
        [FG_OBJECT_RENDER_TARGET_CUBE] = "render target cube",
        [FG_OBJECT_AUDIO_VOICE] = "audio voice",
        [FG_OBJECT_CUSTOM] = "custom",
    };
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : names[0];
}

/* ---- bytes of textures ----------------------------------------------------------------------- */

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply_saturated(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint32_t at_least_one(uint32_t value)
{
    return value != 0 ? value : 1;
}

static bool is_cube(uint32_t type)
{
    return type == FG_OBJECT_TEXTURE_CUBE || type == FG_OBJECT_RENDER_TARGET_CUBE;
}

uint64_t fg_texture_bytes(const struct fg_object_desc *desc)
{
    struct fgi_format_block block;
    if (desc == NULL || (desc->width | desc->height | desc->depth) == 0 ||
        !fgi_format_find(desc->format, &block)) {
        return 0;
    }
    uint32_t width = at_least_one(desc->width), height = at_least_one(desc->height);
    uint32_t depth = at_least_one(desc->depth);
    const uint32_t layers = desc->layer_count != 0 ? desc->layer_count
                            : is_cube(desc->type)  ? 6
                                                   : 1;
    uint64_t bytes = 0;
    for (uint32_t mip = 0; mip < at_least_one(desc->mip_count); mip++) {
        const uint64_t columns = ((uint64_t)width + block.width - 1) / block.width;
        const uint64_t rows = ((uint64_t)height + block.height - 1) / block.height;
        const uint64_t texels = multiply_saturated(columns * rows, depth);
        bytes = add_saturated(bytes, multiply_saturated(texels, block.bytes));
        if (width == 1 && height == 1 && depth == 1) {
            break;
        }
        width = at_least_one(width / 2);
        height = at_least_one(height / 2);
        depth = at_least_one(depth / 2);
    }
    return multiply_saturated(bytes, layers);
}

/* ---- the table; all under `objects` ---------------------------------------------------------- */

static void total_add(uint64_t bytes)
{
    objects.total_low += bytes;
    objects.total_high += objects.total_low < bytes ? 1 : 0;
}

static void total_remove(uint64_t bytes)
{
    objects.total_high -= objects.total_low < bytes ? 1 : 0;
    objects.total_low -= bytes;
}

static uint64_t total_shown(void)
{
    return objects.total_high != 0 ? UINT64_MAX : objects.total_low;
}

static size_t live_count(void)
{
    return objects.count - objects.dead_count;
}

static struct object *find(uint64_t id)
{
    size_t low = 0, high = objects.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (objects.items[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < objects.count && objects.items[low].row.id == id && id != 0 ? &objects.items[low]
                                                                             : NULL;
}

enum { SLACK = 64 };

/* Memory that is far more than what lives needs is given back where a smaller block is there. */
static void shrink(void)
{
    const size_t fits = 2 * (objects.count + SLACK);
    if (objects.capacity <= 2 * fits) {
        return;
    }
    struct object *items = fgi_malloc(fgi_instrument_allocator(), fits * sizeof objects.items[0]);
    if (items != NULL) {
        memcpy(items, objects.items, objects.count * sizeof objects.items[0]);
        fgi_free(fgi_instrument_allocator(), objects.items,
                 objects.capacity * sizeof objects.items[0]);
        objects.items = items;
        objects.capacity = fits;
    }
}

/*
 * A row has died. Each sweep follows as many deaths as half the rows that it looks at: it costs a
 * death next to nothing.
 */
static void bury(struct object *item)
{
    item->row.id = 0;
    objects.dead_count++;
    if (objects.dead_count <= SLACK || objects.dead_count <= live_count()) {
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < objects.count; i++) {
        if (objects.items[i].row.id != 0) {
            objects.items[kept++] = objects.items[i];
        }
    }
    objects.count = kept;
    objects.dead_count = 0;
    shrink();
}

/* A row at the end; NULL: no room. */
static struct object *append(void)
{
    if (live_count() >= FG_OBJECTS_MAX ||
        FGI_GROW(fgi_instrument_allocator(), objects.items, objects.capacity, objects.count + 1,
                 2 * (size_t)FG_OBJECTS_MAX + SLACK + 1) != FG_OK) {
        return NULL;
    }
    return &objects.items[objects.count++];
}

/* ---- descriptions ---------------------------------------------------------------------------- */

/* A name as it is kept. `text` NULL: there is none, or it found no memory. */
struct name {
    char *text;
    size_t bytes;
    bool is_refused;
};

static struct name name_copy(const char *text)
{
    char clean[FG_OBJECT_NAME_MAX + 1] = { 0 };
    struct name name = { 0 };
    const size_t size = text == NULL ? 0 : strnlen(text, FG_OBJECT_NAME_MAX + 1);
    (void)fgi_utf8_repair(text, size, clean, FG_OBJECT_NAME_MAX);
    /* It was cut between characters; what it was cut to is where the zeros begin. */
    const size_t kept = strlen(clean);
    if (kept != 0) {
        name.text = fgi_malloc(fgi_instrument_allocator(), kept + 1);
        name.bytes = kept + 1;
        name.is_refused = name.text == NULL;
    }
    if (name.text != NULL) {
        memcpy(name.text, clean, kept + 1);
    }
    return name;
}

static void name_free(const struct name *name)
{
    fgi_free(fgi_instrument_allocator(), name->text, name->bytes);
}

/* All of a row but its id and name. */
static void describe(struct fg_object_row *row, const struct fg_object_desc *desc)
{
    row->kind = (unsigned)desc->type <= FG_OBJECT_CUSTOM ? desc->type : FG_OBJECT_UNKNOWN;
    row->type = fg_object_type_name(row->kind);
    row->size_bytes = desc->size_bytes;
    row->accuracy = desc->accuracy;
    if (desc->size_bytes == 0) {
        row->size_bytes = fg_texture_bytes(desc);
        row->accuracy = row->size_bytes != 0 ? FG_ACCURACY_ESTIMATED : desc->accuracy;
    }
    row->format = desc->format;
    row->width = desc->width;
    row->height = desc->height;
    row->depth = desc->depth;
    row->mip_count = desc->mip_count;
    row->layer_count = desc->layer_count;
}

static void tell(enum fg_cap_resource_event_kind kind, const struct fg_object_row *row)
{
    const struct fgi_object_change change = { .kind = kind, .ticks = fgi_ticks_now(), .row = row };
    fgi_streams_object(&change);
}

static enum fg_category category_of(uint32_t type)
{
    return type == FG_OBJECT_AUDIO_VOICE                           ? FG_CATEGORY_AUDIO
           : type == FG_OBJECT_CUSTOM || type == FG_OBJECT_UNKNOWN ? FG_CATEGORY_APPLICATION
                                                                   : FG_CATEGORY_GRAPHICS;
}

/* What the thread's ring gets, in its place among the zones: named after the type. */
static void write_event(enum fg_ring_kind kind, uint32_t type, uint64_t id)
{
    if (fg_instrument_mode() != FG_INSTRUMENT_FULL) {
        return;
    }
    const char *name = fg_object_type_name(type);
    const uint32_t label = fgi_name_register(name, strlen(name)) << 3 | (uint32_t)category_of(type);
    fgi_ring_write(kind, label, id);
}

/* ---- the interface --------------------------------------------------------------------------- */

struct fg_object fg_object_create(const struct fg_object_desc *desc)
{
    struct fg_object object = { 0 };
    if (desc == NULL || fg_instrument_mode() == FG_INSTRUMENT_OFF || !fgi_instrument_ready()) {
        return object;
    }
    struct name name = name_copy(desc->name);
    fgi_mutex_lock(fgi_objects_lock);
    struct object *item = name.is_refused ? NULL : append();
    if (item != NULL) {
        object.id = ++objects.last_id;
        *item = (struct object){ .id = object.id, .name_bytes = name.bytes };
        item->row.id = object.id;
        item->row.name = name.text != NULL ? name.text : "";
        describe(&item->row, desc);
        total_add(item->row.size_bytes);
        tell(FG_CAP_RESOURCE_CREATED, &item->row);
    }
    fgi_mutex_unlock(fgi_objects_lock);
    if (object.id == 0) {
        name_free(&name);
        fgi_loss_add(&fgi_losses.refused_objects, 1);
    } else {
        write_event(FG_RING_OBJECT_CREATED, desc->type, object.id);
    }
    return object;
}

/* The item gets the name; `name` gets the one that it had. */
static void swap_names(struct object *item, struct name *name)
{
    const struct name old = { item->name_bytes != 0 ? (char *)(uintptr_t)item->row.name : NULL,
                              item->name_bytes, false };
    item->row.name = name->text;
    item->name_bytes = name->bytes;
    *name = old;
}

bool fg_object_update(struct fg_object object, const struct fg_object_desc *desc)
{
    if (object.id == 0 || desc == NULL || !fgi_instrument_ready()) {
        return false;
    }
    /* Without memory for the new name the old one stays: the rest is worth more than it. */
    struct name name = name_copy(desc->name);
    fgi_mutex_lock(fgi_objects_lock);
    struct object *item = find(object.id);
    if (item != NULL) {
        total_remove(item->row.size_bytes);
        describe(&item->row, desc);
        total_add(item->row.size_bytes);
        const bool is_renamed = name.text != NULL && strcmp(name.text, item->row.name) != 0;
        if (is_renamed) {
            swap_names(item, &name);
            tell(FG_CAP_RESOURCE_RENAMED, &item->row);
        }
        tell(FG_CAP_RESOURCE_RESIZED, &item->row);
    }
    fgi_mutex_unlock(fgi_objects_lock);
    name_free(&name);
    return item != NULL;
}

bool fg_object_destroy(struct fg_object *object)
{
    if (object == NULL || object->id == 0 || !fgi_instrument_ready()) {
        return false;
    }
    const uint64_t id = object->id;
    struct name name = { 0 };
    uint32_t type = FG_OBJECT_UNKNOWN;
    object->id = 0;
    fgi_mutex_lock(fgi_objects_lock);
    struct object *item = find(id);
    if (item != NULL) {
        total_remove(item->row.size_bytes);
        tell(FG_CAP_RESOURCE_DESTROYED, &item->row);
        swap_names(item, &name);
        type = item->row.kind;
        bury(item);
    }
    fgi_mutex_unlock(fgi_objects_lock);
    if (item == NULL) {
        return false;
    }
    name_free(&name);
    write_event(FG_RING_OBJECT_DESTROYED, type, id);
    return true;
}

/* ---- copies ---------------------------------------------------------------------------------- */

void fgi_objects_each(void (*visit)(void *context, const struct fg_object_row *row), void *context)
{
    fgi_mutex_lock(fgi_objects_lock);
    for (size_t i = 0; i < objects.count; i++) {
        if (objects.items[i].row.id != 0) {
            visit(context, &objects.items[i].row);
        }
    }
    visit(context, NULL);
    fgi_mutex_unlock(fgi_objects_lock);
}

void fgi_objects_totals(uint64_t *out_count, uint64_t *out_bytes)
{
    fgi_mutex_lock(fgi_objects_lock);
    *out_count = live_count();
    *out_bytes = total_shown();
    fgi_mutex_unlock(fgi_objects_lock);
}

/* Bytes that a copy takes now: the rows, then the names. Under `objects`. */
static size_t copy_bytes(void)
{
    size_t bytes = live_count() * sizeof(struct fg_object_row);
    for (size_t i = 0; i < objects.count; i++) {
        bytes += objects.items[i].row.id != 0 ? objects.items[i].name_bytes : 0;
    }
    return bytes;
}

/* Into a block that is large enough. Under `objects`. */
static void copy_all(struct fgi_object_copy *copy)
{
    char *text = (char *)(copy->rows + live_count());
    copy->total_bytes = total_shown();
    for (size_t i = 0; i < objects.count; i++) {
        const struct object *item = &objects.items[i];
        if (item->row.id == 0) {
            continue;
        }
        struct fg_object_row *row = &copy->rows[copy->row_count++];
        *row = item->row;
        if (item->name_bytes != 0) {
            memcpy(text, item->row.name, item->name_bytes);
            row->name = text;
            text += item->name_bytes;
        }
    }
}

enum fg_result fgi_objects_copy(struct fgi_object_copy *out_copy)
{
    const struct fg_allocator *allocator = fgi_instrument_allocator();
    struct fgi_object_copy copy = { 0 };
    /* Memory is asked for without the lock; if more live meanwhile, again and with slack. */
    for (size_t slack = 0;; slack = 4096) {
        fgi_mutex_lock(fgi_objects_lock);
        size_t needed = copy_bytes();
        if (needed <= copy.block_bytes) {
            copy_all(&copy);
        }
        fgi_mutex_unlock(fgi_objects_lock);
        if (needed <= copy.block_bytes) {
            *out_copy = copy;
            return FG_OK;
        }
        fgi_free(allocator, copy.rows, copy.block_bytes);
        needed += needed / 8 + slack;
        copy.rows = fgi_malloc(allocator, needed);
        copy.block_bytes = needed;
        if (copy.rows == NULL) {
            return FG_ERR_NO_MEMORY;
        }
    }
}
