/* SPDX-License-Identifier: MIT */
/* Templates: which one a frame is stored against, and when a new one pays. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

#include <string.h>

/* A frame that differs from a template in more than one part of this many gets its own. */
enum { CHANGED_PART = 4 };

static void drop_template(struct fg_capture_writer *writer, struct fgi_kept_template *kept)
{
    fgi_shapes_finish(&kept->shapes);
    fgi_ids_finish(writer->allocator, &kept->symbols);
    *kept = (struct fgi_kept_template){ 0 };
}

void fgi_writer_finish_templates(struct fg_capture_writer *writer)
{
    for (size_t i = 0; writer->templates != NULL && i < writer->options.templates_kept; i++) {
        drop_template(writer, &writer->templates[i]);
    }
    fgi_free(writer->allocator, writer->templates,
             writer->options.templates_kept * sizeof *writer->templates);
}

static enum fg_result state_template(struct fg_capture_writer *writer,
                                     struct fgi_kept_template *kept)
{
    if (kept->section == writer->section) {
        return FG_OK;
    }
    for (size_t i = 0; i < kept->symbols.count; i++) {
        fgi_writer_note_ref(writer, FGI_REF_SYMBOL, kept->symbols.items[i]);
    }
    fgi_bytes_clear(&writer->body);
    struct fgi_codec codec = fgi_writer_codec(writer, &writer->body);
    fgi_shapes_put_template(&codec, &kept->shapes, kept->id);
    enum fg_result result = fgi_writer_commit(writer, FG_CAPTURE_TMPL, &writer->body);
    if (result == FG_OK) {
        kept->section = writer->section;
    }
    return result;
}

enum fg_result fgi_writer_restate_templates(struct fg_capture_writer *writer)
{
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < writer->options.templates_kept && result == FG_OK; i++) {
        struct fgi_kept_template *kept = &writer->templates[i];
        if (kept->last_use != 0 && kept->used_section + 1 == writer->section) {
            result = state_template(writer, kept);
        }
    }
    return result;
}

static enum fg_result copy_shapes(struct fg_capture_writer *writer, struct fgi_shapes *target,
                                  const struct fgi_shapes *shapes)
{
    size_t count = shapes->pass_count + shapes->gpu_pass_count;
    target->bytes.allocator = writer->allocator;
    fgi_put_raw(&target->bytes, shapes->bytes.data, shapes->bytes.size);
    enum fg_result result =
        FGI_GROW(writer->allocator, target->ends, target->capacity, count, UINT32_MAX);
    if (result != FG_OK || target->bytes.result != FG_OK) {
        return result != FG_OK ? result : target->bytes.result;
    }
    memcpy(target->ends, shapes->ends, count * sizeof *target->ends);
    target->pass_count = shapes->pass_count;
    target->gpu_pass_count = shapes->gpu_pass_count;
    return FG_OK;
}

/* Take the place that was not used for longest. */
static enum fg_result new_template(struct fg_capture_writer *writer, uint64_t hash,
                                   struct fgi_kept_template **out_template)
{
    struct fgi_kept_template *kept = &writer->templates[0];
    for (size_t i = 1; i < writer->options.templates_kept; i++) {
        if (writer->templates[i].last_use < kept->last_use) {
            kept = &writer->templates[i];
        }
    }
    drop_template(writer, kept);
    enum fg_result result = copy_shapes(writer, &kept->shapes, &writer->shapes);
    for (size_t i = 0; i < writer->seen_symbols.count && result == FG_OK; i++) {
        result = fgi_ids_add(writer->allocator, &kept->symbols, writer->seen_symbols.items[i]);
    }
    if (result == FG_OK) {
        kept->id = writer->next_template;
        kept->hash = hash;
        kept->last_use = ++writer->use_count;
        kept->used_section = writer->section;
        result = state_template(writer, kept);
    }
    if (result != FG_OK) {
        drop_template(writer, kept);
        return result;
    }
    writer->next_template++;
    *out_template = kept;
    return FG_OK;
}

enum fg_result fgi_writer_choose_template(struct fg_capture_writer *writer,
                                          struct fgi_kept_template **out_template)
{
    const struct fgi_shapes *shapes = &writer->shapes;
    uint64_t hash = fgi_hash64(shapes->pass_count, shapes->bytes.data, shapes->bytes.size);
    struct fgi_kept_template *newest = NULL;
    struct fgi_kept_template *found = NULL;
    for (size_t i = 0; i < writer->options.templates_kept && found == NULL; i++) {
        struct fgi_kept_template *kept = &writer->templates[i];
        if (kept->last_use == 0) {
            continue;
        }
        if (kept->hash == hash && fgi_shapes_difference(shapes, &kept->shapes) == 0) {
            found = kept;
        }
        if (newest == NULL || kept->last_use > newest->last_use) {
            newest = kept;
        }
    }
    if (found == NULL && newest != NULL &&
        fgi_shapes_difference(shapes, &newest->shapes) <= shapes->bytes.size / CHANGED_PART) {
        found = newest;
    }
    if (found == NULL) {
        return new_template(writer, hash, out_template);
    }
    found->last_use = ++writer->use_count;
    found->used_section = writer->section;
    *out_template = found;
    return state_template(writer, found);
}
