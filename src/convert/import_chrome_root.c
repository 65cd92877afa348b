/* SPDX-License-Identifier: MIT */
/*
 * What the root object has beside its events: kept as metadata, "otherData.build_id" for what is
 * inside of something, up to a size; and what tells who wrote the file.
 */
#include "convert/import_chrome_priv.h"

#include <stdio.h>
#include <string.h>

enum {
    META_BYTES = 1 << 20, /* of one member that is looked into */
    VALUE_BYTES = 4096,   /* of one value */
    PATH_BYTES = 400,
    PATH_DEPTH = 16,
};
#define TABLE_BYTES ((size_t)256 << 20) /* of stackFrames and samples */

const char *fgi_chrome_dialect_name(enum fgi_chrome_dialect dialect)
{
    switch (dialect) {
    case FGI_CHROME_PLAIN:
        return "chrome";
    case FGI_CHROME_KINETO:
        return "kineto";
    case FGI_CHROME_DEVTOOLS:
        return "devtools";
    case FGI_CHROME_BAZEL:
        return "bazel";
    case FGI_CHROME_CLANG:
        return "clang";
    case FGI_CHROME_NODE:
        return "node";
    case FGI_CHROME_ROCPROF:
        return "rocprof";
    case FGI_CHROME_UNITY:
        return "unity";
    case FGI_CHROME_VIZTRACER:
        return "viztracer";
    }
    return "chrome";
}

void fgi_chrome_see_category(struct fgi_chrome *c, const char *category)
{
    bool is_node = strncmp(category, "node", 4) == 0 &&
                   (category[4] == '\0' || category[4] == '.' || category[4] == ',');
    if (is_node && c->dialect == FGI_CHROME_PLAIN) {
        c->dialect = FGI_CHROME_NODE;
    }
}

void fgi_chrome_meta(struct fgi_chrome *c, const char *key, const char *value)
{
    c->meta_count++;
    fgi_builder_meta(c->builder, fgi_builder_cstr(c->builder, key),
                     fgi_builder_cstr(c->builder, value));
}

static void see_key(struct fgi_chrome *c, const char *path)
{
    static const struct {
        const char *path;
        enum fgi_chrome_dialect dialect;
    } signs[] = {
        { "schemaVersion", FGI_CHROME_KINETO },
        { "deviceProperties.0.id", FGI_CHROME_KINETO },
        { "distributedInfo.backend", FGI_CHROME_KINETO },
        { "baseTimeNanoseconds", FGI_CHROME_KINETO },
        { "otherData.output_base", FGI_CHROME_BAZEL },
        { "otherData.bazel_version", FGI_CHROME_BAZEL },
        { "beginningOfTime", FGI_CHROME_CLANG },
        { "Instructions Readme", FGI_CHROME_UNITY },
        { "viztracer_metadata.version", FGI_CHROME_VIZTRACER },
        { "file_info", FGI_CHROME_VIZTRACER },
        { "metadata.dataOrigin", FGI_CHROME_DEVTOOLS },
        { "metadata.trace-config", FGI_CHROME_DEVTOOLS },
        { "metadata.network-type", FGI_CHROME_DEVTOOLS },
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strcmp(signs[i].path, path) == 0) {
            c->dialect = signs[i].dialect;
        }
    }
}

/* A value with its whole path as the key. */
static void keep_value(struct fgi_chrome *c, const char *path, const struct fgi_json_item *item)
{
    see_key(c, path);
    if (c->meta_count >= FGI_CHROME_METAS || item->size > VALUE_BYTES) {
        fgi_builder_skipped(c->builder, fgi_builder_cstr(c->builder, "metadata"), 1);
        return;
    }
    c->meta_count++;
    fgi_builder_meta(c->builder, fgi_builder_cstr(c->builder, path),
                     fgi_chrome_text(c, item->text, item->size, item->flags));
}

struct path {
    char text[PATH_BYTES];
    size_t size[PATH_DEPTH + 1]; /* by depth: how much of it is the container */
    uint32_t index[PATH_DEPTH + 1];
};

static void path_to(struct path *path, unsigned depth, const struct fgi_json_item *item)
{
    size_t at = path->size[depth];
    size_t room = sizeof path->text - at;
    if (item->key != NULL) {
        (void)snprintf(path->text + at, room, "%s%.*s", at > 0 ? "." : "",
                       (int)(item->key_size < 200 ? item->key_size : 200), item->key);
    } else {
        (void)snprintf(path->text + at, room, "%s%u", at > 0 ? "." : "",
                       (unsigned)path->index[depth]++);
    }
}

/* Everything in a container, as far as it is not too deep. */
static void flatten(struct fgi_chrome *c, const struct fgi_json_item *root)
{
    struct path path = { .text = "" };
    struct fgi_json_reader reader;
    struct fgi_json_item item;
    enum fgi_json_token token;
    (void)snprintf(path.text, sizeof path.text, "%.*s",
                   (int)(root->key_size < 200 ? root->key_size : 200), root->key);
    see_key(c, path.text);
    path.size[1] = strlen(path.text);
    fgi_json_start(&reader, c->allocator);
    fgi_json_feed(&reader, root->text, root->size);
    (void)fgi_json_next(&reader, &item);
    for (;;) {
        token = fgi_json_next(&reader, &item);
        bool is_container = token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY;
        if (token == FGI_JSON_MORE || token == FGI_JSON_BROKEN || token == FGI_JSON_END) {
            break;
        }
        unsigned around = reader.depth - (is_container ? 1u : 0u);
        if (token == FGI_JSON_OBJECT_END || token == FGI_JSON_ARRAY_END || around == 0) {
            continue;
        }
        path_to(&path, around, &item);
        if (!is_container) {
            keep_value(c, path.text, &item);
        } else if (around + 1 < PATH_DEPTH) {
            path.size[around + 1] = strlen(path.text);
            path.index[around + 1] = 0;
        } else {
            fgi_json_take(&reader, 0);
            fgi_builder_skipped(c->builder, fgi_builder_cstr(c->builder, "metadata"), 1);
        }
    }
    fgi_json_finish_reading(&reader);
}

static bool is_table(const struct fgi_json_item *item)
{
    return fgi_chrome_is_key(item, "stackFrames") || fgi_chrome_is_key(item, "samples");
}

void fgi_chrome_root_member(struct fgi_chrome *c, enum fgi_json_token token,
                            const struct fgi_json_item *item)
{
    char path[PATH_BYTES];
    c->keys_seen |= fgi_chrome_root_key(item->key, item->key_size);
    if (token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY) {
        fgi_json_take(&c->reader, is_table(item) ? TABLE_BYTES : META_BYTES);
        return;
    }
    if (token == FGI_JSON_RAW && (item->flags & FGI_JSON_CUT) != 0) {
        fgi_chrome_repair_at(c, "long_metadata", 1, item->offset);
    }
    if (token == FGI_JSON_RAW && fgi_chrome_is_key(item, "stackFrames")) {
        fgi_chrome_stack_frames(c, item->text, item->size);
    } else if (token == FGI_JSON_RAW && fgi_chrome_is_key(item, "samples")) {
        fgi_chrome_root_samples(c, item->text, item->size);
    } else if (token == FGI_JSON_RAW) {
        flatten(c, item);
    } else {
        (void)snprintf(path, sizeof path, "%.*s",
                       (int)(item->key_size < 200 ? item->key_size : 200), item->key);
        keep_value(c, path, item);
    }
}
