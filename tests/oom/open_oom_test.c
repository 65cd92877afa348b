/* SPDX-License-Identifier: MIT */
/* Opening, loading and exporting while allocation number 0, 1, 2... fails: no crash, no leak. */
#include "convert/exporter.h"
#include "record_some.h"
#include <frameglass/open.h>
#include <frameglass/trace_events.h>
#include <frameglass/trace_find.h>

#include "cmocka_all.h"
#include "failing_memory.h"

#include <stdlib.h>
#include <string.h>

static enum fg_result add_size(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return FG_OK;
}

/* What is made only when somebody asks: arguments, links, events. */
static enum fg_result ask(const struct fg_document *document, const struct fg_allocator *allocator)
{
    struct fg_query *query = NULL;
    struct fg_span_detail detail;
    struct fg_events_reply events;
    enum fg_result result =
        fg_query_create(fg_document_engine(document), allocator, NULL, NULL, &query);
    for (uint32_t row = 0; result == FG_OK && row < 20; row += 3) {
        result = fg_query_span(query, row, &detail);
    }
    if (result == FG_OK) {
        result = fg_query_events(query, 1, &events);
    }
    fg_query_destroy(query);
    return result;
}

static enum fg_result open_and_export(const struct fg_source *source,
                                      const struct fg_allocator *allocator)
{
    struct fg_open_options options = { .allocator = allocator };
    struct fg_document *document = NULL;
    const struct fgi_exporter *exporter;
    size_t written = 0;
    struct fg_sink sink = { .write = add_size, .context = &written };
    enum fg_result result = fg_open_source(source, &options, NULL, &document);
    if (result == FG_OK) {
        result = fg_document_load(document, NULL);
    }
    if (result == FG_OK) {
        result = ask(document, allocator);
    }
    struct fgi_export work = { .allocator = allocator, .sink = &sink };
    work.trace = result == FG_OK ? fg_document_trace(document) : NULL;
    for (unsigned i = 0; result == FG_OK && (exporter = fgi_exporter_get(i)) != NULL; i++) {
        result = exporter->write(&work);
    }
    fg_document_close(document);
    return result;
}

static void opening_survives_every_refused_allocation(void **state)
{
    struct fg_source *source = *state;
    enum fg_result result = FG_ERR_NO_MEMORY;
    long attempt = 0;
    for (; result != FG_OK && attempt < 100000; attempt++) {
        struct failing failing = { .countdown = attempt };
        struct fg_allocator allocator = failing_allocator(&failing);
        result = open_and_export(source, &allocator);
        assert_int_equal(failing.alive, 0);
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
    }
    assert_int_equal(result, FG_OK);
    assert_true(attempt > 20);
}

/* The trace is made anew while the old one is in use: a failure leaves that one whole. */
static enum fg_result follow(struct fg_memory_view *view, size_t size,
                             const struct fg_allocator *allocator)
{
    struct fg_source source = fg_memory_source(view);
    const struct fg_open_options options = { .allocator = allocator, .flags = FG_OPEN_FOLLOW };
    struct fg_document *document = NULL;
    bool grown = false;
    view->size = size / 2;
    enum fg_result result = fg_open_source(&source, &options, NULL, &document);
    if (result == FG_OK) {
        result = fg_document_load(document, NULL);
    }
    view->size = size;
    if (result == FG_OK) {
        const struct fg_trace *before = fg_document_trace(document);
        result = fg_document_poll(document, NULL, &grown);
        assert_true(result == FG_OK || fg_document_trace(document) == before);
    }
    if (result == FG_OK) {
        assert_true(grown);
        result = ask(document, allocator);
    }
    fg_document_close(document);
    return result;
}

static void growing_survives_every_refused_allocation(void **state)
{
    const struct fg_source *source = *state;
    struct fg_memory_view view = *(const struct fg_memory_view *)source->context;
    size_t size = view.size;
    uint8_t *open = malloc(size); /* the same while it was written: not closed, no directory */
    assert_non_null(open);
    memcpy(open, view.bytes, size);
    memset(open + 8, 0, 4);
    memset(open + 16, 0, 16);
    view.bytes = open;
    enum fg_result result = FG_ERR_NO_MEMORY;
    for (long attempt = 0; result != FG_OK && attempt < 100000; attempt++) {
        struct failing failing = { .countdown = attempt };
        struct fg_allocator allocator = failing_allocator(&failing);
        result = follow(&view, size, &allocator);
        assert_int_equal(failing.alive, 0);
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
    }
    free(open);
    assert_int_equal(result, FG_OK);
}

static int make_source(void **state)
{
    static struct fg_memory_view view;
    static struct fg_source source;
    static uint8_t *bytes;
    bytes = record_some(3, &view.size);
    view.bytes = bytes;
    source = fg_memory_source(&view);
    *state = &source;
    return bytes != NULL ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_survives_every_refused_allocation),
        cmocka_unit_test(growing_survives_every_refused_allocation),
    };
    return cmocka_run_group_tests(tests, make_source, NULL);
}
