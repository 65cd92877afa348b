/* SPDX-License-Identifier: MIT */
/* Opening, loading and exporting while allocation number 0, 1, 2... fails: no crash, no leak. */
#include "convert/exporter.h"
#include "record_some.h"
#include <frameglass/open.h>
#include <frameglass/trace.h>

#include "cmocka_all.h"
#include "failing_memory.h"

static enum fg_result add_size(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return FG_OK;
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
    };
    return cmocka_run_group_tests(tests, make_source, NULL);
}
