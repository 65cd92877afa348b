/* SPDX-License-Identifier: MIT */
/* CONV, ROWS, MARK, ARGT. FORMAT.md, 7.10. */
#include "capture/cap_codec.h"

static void fields_pair(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_pair *pair = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_text(codec, "key", &pair->key);
    fgi_c_text(codec, "value", &pair->value);
    fgi_c_struct_end(codec);
}

static void fields_tally(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_limit *tally = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_text(codec, "name", &tally->name);
    fgi_c_u64(codec, "value", &tally->value);
    fgi_c_struct_end(codec);
}

static void fields_repair(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_repair *repair = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_text(codec, "kind", &repair->kind);
    fgi_c_u64(codec, "count", &repair->count);
    fgi_c_opt64(codec, "first_offset", &repair->first_offset);
    fgi_c_struct_end(codec);
}

static void fields_converted_frame(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_converted_frame *frame = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "frame", &frame->frame);
    fgi_c_i64(codec, "begin_ticks", &frame->begin_ticks);
    fgi_c_i64(codec, "end_ticks", &frame->end_ticks);
    fgi_c_i64(codec, "submit_ticks", &frame->submit_ticks);
    fgi_c_u32(codec, "flags", &frame->flags);
    fgi_c_u32(codec, "level", &frame->level);
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &frame->track);
    fgi_c_u32(codec, "dropped", &frame->dropped);
    fgi_c_u32(codec, "missing", &frame->missing);
    fgi_c_i64(codec, "recorder_ns", &frame->recorder_ns);
    fgi_c_i64(codec, "latency_ns", &frame->latency_ns);
    fgi_c_i64(codec, "wait_ns", &frame->wait_ns);
    fgi_c_i64(codec, "present_wait_ns", &frame->present_wait_ns);
    fgi_c_struct_end(codec);
}

void fgi_fields_conversion(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_conversion *conversion = payload;
    fgi_c_text(codec, "format", &conversion->format);
    fgi_c_u32(codec, "version", &conversion->version);
    fgi_c_opt32(codec, "level", &conversion->level);
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &conversion->clock);
    fgi_c_u64(codec, "other_events", &conversion->other_events);
    FGI_C_LIST(codec, conversion, metas, meta_count, 2, fields_pair);
    FGI_C_LIST(codec, conversion, losses, loss_count, 2, fields_tally);
    FGI_C_LIST(codec, conversion, skipped, skipped_count, 2, fields_tally);
    FGI_C_LIST(codec, conversion, repairs, repair_count, 3, fields_repair);
    FGI_C_LIST(codec, conversion, frames, frame_count, 13, fields_converted_frame);
}

static void fields_row_run(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_row_run *run = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "count", &run->count);
    fgi_c_u32(codec, "classes", &run->classes);
    fgi_c_u32(codec, "status", &run->status);
    fgi_c_struct_end(codec);
}

static void fields_row_parent(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_row_parent *parent = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "index", &parent->index);
    fgi_c_opt32(codec, "parent", &parent->parent);
    fgi_c_struct_end(codec);
}

void fgi_fields_rows(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_rows *rows = payload;
    fgi_c_u32(codec, "block", &rows->block);
    FGI_C_LIST(codec, rows, runs, run_count, 3, fields_row_run);
    FGI_C_LIST(codec, rows, parents, parent_count, 2, fields_row_parent);
}

static void fields_mark(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_mark *mark = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_i64(codec, "ticks", &mark->ticks);
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &mark->track);
    fgi_c_symbol(codec, "name", &mark->name);
    fgi_c_symbol(codec, "category", &mark->category);
    fgi_c_u32(codec, "flags", &mark->flags);
    fgi_c_opt64(codec, "frame", &mark->frame);
    fgi_c_i64(codec, "value", &mark->value);
    fgi_c_struct_end(codec);
}

void fgi_fields_marks(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_marks *marks = payload;
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &marks->clock);
    FGI_C_LIST(codec, marks, marks, mark_count, 7, fields_mark);
}

static void fields_tree_argument(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_tree_argument *argument = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_symbol(codec, "key", &argument->key);
    fgi_c_u32(codec, "depth", &argument->depth);
    fgi_c_u32(codec, "kind", &argument->kind);
    fgi_c_u32(codec, "quality", &argument->quality);
    fgi_c_value(codec, "value", &argument->value);
    fgi_c_struct_end(codec);
}

static void fields_tree(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_tree *tree = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_struct_begin(codec, "owner");
    fgi_c_u32(codec, "kind", &tree->owner.kind);
    fgi_c_u64(codec, "a", &tree->owner.a);
    fgi_c_u64(codec, "b", &tree->owner.b);
    fgi_c_struct_end(codec);
    FGI_C_LIST(codec, tree, arguments, argument_count, 6, fields_tree_argument);
    fgi_c_struct_end(codec);
}

void fgi_fields_trees(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_trees *trees = payload;
    FGI_C_LIST(codec, trees, trees, tree_count, 4, fields_tree);
}
