/* SPDX-License-Identifier: MIT */
/* Is it JSON, is it a trace, and if not, what is it? */
#include "base/alloc.h"
#include "base/result.h"
#include "convert/import_chrome_priv.h"
#include "convert/utf16_source.h"

#include <string.h>

/* The beginning that is looked at before it is said that a file may be a trace. */
enum { PROBE_BYTES = 1 << 20, PROBE_ITEMS = 64 };

bool fgi_chrome_sniff(const uint8_t *head, size_t size)
{
    size_t at = 0;
    size_t step = 1;
    if (size >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
        at = 3;
    } else if (fgi_utf16_sniff(head, size) != FGI_UTF16_NONE) {
        bool is_big = fgi_utf16_sniff(head, size) == FGI_UTF16_BIG;
        bool has_mark = size >= 2 && ((head[0] == 0xfe && head[1] == 0xff) ||
                                      (head[0] == 0xff && head[1] == 0xfe));
        at = (has_mark ? 2 : 0) + (is_big ? 1 : 0);
        step = 2;
    }
    while (at < size &&
           (head[at] == ' ' || head[at] == '\t' || head[at] == '\n' || head[at] == '\r')) {
        at += step;
    }
    return size > 0 && (at >= size || head[at] == '{' || head[at] == '[');
}

/* ---- what a root object has ------------------------------------------------------------------ */

enum root_key {
    KEY_TRACE_EVENTS,
    KEY_PHASE,
    KEY_SCHEMA,
    KEY_PROFILES,
    KEY_SHARED,
    KEY_THREADS,
    KEY_META,
    KEY_LIBS,
    KEY_NODES,
    KEY_SAMPLES,
    KEY_TIME_DELTAS,
    KEY_START_TIME,
    KEY_RESOURCE_SPANS,
    KEY_LOG,
    KEY_SNAPSHOT,
    KEY_STRINGS,
    KEY_DATA,
    KEY_FRAMES,
    KEY_TYPE,
    KEY_FEATURES,
    KEY_COORDINATES,
    KEY_VERSION,
    KEY_DEPENDENCIES,
    KEY_SCRIPTS,
    KEY_MAPPINGS,
    KEY_LIGHTHOUSE,
    KEY_COUNT
};
static const char *const key_names[KEY_COUNT] = {
    "traceEvents",       "ph",        "$schema",       "profiles", "shared",
    "threads",           "meta",      "libs",          "nodes",    "samples",
    "timeDeltas",        "startTime", "resourceSpans", "log",      "snapshot",
    "strings",           "data",      "frames",        "type",     "features",
    "coordinates",       "version",   "dependencies",  "scripts",  "mappings",
    "lighthouseVersion",
};

uint64_t fgi_chrome_root_key(const char *key, size_t size)
{
    for (unsigned i = 0; i < KEY_COUNT; i++) {
        if (strlen(key_names[i]) == size && memcmp(key_names[i], key, size) == 0) {
            return UINT64_C(1) << i;
        }
    }
    return 0;
}

bool fgi_chrome_has_event_keys(uint64_t keys)
{
    return (keys & (UINT64_C(1) << KEY_TRACE_EVENTS | UINT64_C(1) << KEY_PHASE)) != 0;
}

const char *fgi_chrome_looks_like(uint64_t keys)
{
#define HAS(key) ((keys >> (key)&1) != 0)
    if (HAS(KEY_PROFILES) && (HAS(KEY_SHARED) || HAS(KEY_SCHEMA))) {
        return "a speedscope profile";
    }
    if (HAS(KEY_META) && (HAS(KEY_THREADS) || HAS(KEY_LIBS))) {
        return "a Firefox profile";
    }
    if (HAS(KEY_NODES) && (HAS(KEY_SAMPLES) || HAS(KEY_TIME_DELTAS) || HAS(KEY_START_TIME))) {
        return "a V8 CPU profile";
    }
    if (HAS(KEY_SNAPSHOT) && HAS(KEY_NODES)) {
        return "a V8 heap snapshot";
    }
    if (HAS(KEY_RESOURCE_SPANS)) {
        return "an OpenTelemetry trace";
    }
    if (HAS(KEY_TYPE) && (HAS(KEY_FEATURES) || HAS(KEY_COORDINATES))) {
        return "GeoJSON";
    }
    if (HAS(KEY_VERSION) && HAS(KEY_MAPPINGS)) {
        return "a source map";
    }
    if (HAS(KEY_LIGHTHOUSE)) {
        return "a Lighthouse report";
    }
    if (HAS(KEY_VERSION) && (HAS(KEY_DEPENDENCIES) || HAS(KEY_SCRIPTS))) {
        return "a package.json of npm";
    }
    if (HAS(KEY_LOG)) {
        return "an HTTP archive";
    }
    if (HAS(KEY_DATA)) {
        return "a Jaeger trace";
    }
    return NULL;
#undef HAS
}

/* ---- the beginning --------------------------------------------------------------------------- */

enum verdict {
    VERDICT_OPEN,
    VERDICT_TRACE,
    VERDICT_OTHER, /* all of it was read, and it is none */
};
struct probe {
    struct fgi_json_reader reader;
    uint64_t keys;
    bool is_array, has_root;
    unsigned items; /* of a root that is an array */
};

static enum verdict see(struct probe *p, enum fgi_json_token token,
                        const struct fgi_json_item *item)
{
    bool is_container = token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY;
    unsigned depth = p->reader.depth - (is_container ? 1u : 0u);
    if (token == FGI_JSON_BROKEN) {
        return VERDICT_TRACE; /* reading goes on where this breaks: the whole will tell */
    }
    if (!p->has_root) {
        p->has_root = true;
        p->is_array = token == FGI_JSON_ARRAY;
        return is_container ? VERDICT_OPEN : VERDICT_OTHER;
    }
    if (token == FGI_JSON_OBJECT_END || token == FGI_JSON_ARRAY_END) {
        bool is_all = p->reader.depth == 0 && (!p->is_array || p->items > 0);
        return p->reader.depth > 0 ? VERDICT_OPEN : is_all ? VERDICT_OTHER : VERDICT_TRACE;
    }
    if (item->key != NULL && depth == (p->is_array ? 2u : 1u)) {
        p->keys |= fgi_chrome_root_key(item->key, item->key_size);
        if (fgi_chrome_has_event_keys(p->keys)) {
            return VERDICT_TRACE;
        }
    }
    if (p->is_array && depth == 1 && ++p->items > PROBE_ITEMS) {
        return VERDICT_OPEN;
    }
    if (is_container && depth >= (p->is_array ? 2u : 1u)) {
        fgi_json_take(&p->reader, 0);
    }
    return VERDICT_OPEN;
}

static enum verdict look(struct probe *p, const uint8_t *bytes, size_t size, bool is_all)
{
    struct fgi_json_item item;
    enum verdict verdict = VERDICT_OPEN;
    fgi_json_feed(&p->reader, bytes, size);
    while (verdict == VERDICT_OPEN) {
        enum fgi_json_token token = fgi_json_next(&p->reader, &item);
        if (token == FGI_JSON_MORE) {
            break;
        }
        verdict = see(p, token, &item);
    }
    /* Blanks and nothing else. */
    return verdict == VERDICT_OPEN && is_all && !p->has_root ? VERDICT_OTHER : verdict;
}

/* The first bytes of a source, and what they show. */
static enum fg_result probe_source(const struct fg_source *source,
                                   const struct fg_allocator *allocator, struct probe *p,
                                   enum verdict *out_verdict)
{
    size_t size = 0;
    uint8_t *bytes = fgi_malloc(allocator, PROBE_BYTES);
    if (bytes == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    *out_verdict = VERDICT_OPEN;
    fgi_json_start(&p->reader, allocator);
    enum fg_result result = source->read_at(source->context, 0, bytes, PROBE_BYTES, &size);
    if (result == FG_OK && fgi_utf16_sniff(bytes, size) == FGI_UTF16_NONE) {
        size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        *out_verdict = look(p, bytes + mark, size - mark, size < PROBE_BYTES);
        result = p->reader.result;
    }
    fgi_json_finish_reading(&p->reader);
    fgi_free(allocator, bytes, PROBE_BYTES);
    return result;
}

enum fg_result fgi_chrome_probe(const struct fg_source *source,
                                const struct fg_allocator *allocator, struct fg_diag *diag)
{
    struct probe probe = { 0 };
    enum verdict verdict;
    enum fg_result result = probe_source(source, allocator, &probe, &verdict);
    if (result != FG_OK) {
        return fgi_fail(diag, result, 0, "the input cannot be read: %s", fg_result_text(result));
    }
    if (verdict != VERDICT_OTHER) {
        return FG_OK;
    }
    const char *what = fgi_chrome_looks_like(probe.keys);
    return what != NULL
               ? fgi_fail(diag, FG_ERR_FORMAT, 0,
                          "it is JSON, but no Chrome trace: it looks like %s", what)
               : fgi_fail(diag, FG_ERR_FORMAT, 0,
                          "it is JSON, but no Chrome trace: there are no traceEvents in it");
}

enum fg_result fgi_chrome_is_bare(const struct fg_source *source,
                                  const struct fg_allocator *allocator, bool *out_is_bare)
{
    struct probe probe = { 0 };
    enum verdict verdict;
    enum fg_result result = probe_source(source, allocator, &probe, &verdict);
    *out_is_bare = result == FG_OK && !probe.is_array && (probe.keys >> KEY_PHASE & 1) != 0;
    return result;
}
