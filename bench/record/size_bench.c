/* SPDX-License-Identifier: MIT */
/*
 * Bytes per frame of the fixed generated session, 600 frames of 200 passes, at each level; packed
 * with gzip; and as Chrome JSON. JSON on standard output.
 */
#include "convert/exporter.h"
#include "generated_session.h"
#include <frameglass/open.h>
#include <frameglass/trace.h>

#include <zlib.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct sizes {
    uint64_t bytes;
    uint64_t gzip_bytes;
    uint64_t chrome_bytes;
    uint64_t chrome_gzip_bytes;
    bool failed;
};

/* Counts what it is given, as it is and packed. */
struct counter {
    z_stream zip;
    uint64_t bytes;
    uint64_t packed_bytes;
};

static void pack(struct counter *counter, const void *bytes, size_t size, int flush)
{
    unsigned char out[65536];
    counter->zip.next_in = (unsigned char *)(uintptr_t)bytes;
    counter->zip.avail_in = (unsigned)size;
    do {
        counter->zip.next_out = out;
        counter->zip.avail_out = sizeof out;
        (void)deflate(&counter->zip, flush);
        counter->packed_bytes += sizeof out - counter->zip.avail_out;
    } while (counter->zip.avail_out == 0);
}

static enum fg_result count_bytes(void *context, const void *bytes, size_t size)
{
    struct counter *counter = context;
    counter->bytes += size;
    pack(counter, bytes, size, Z_NO_FLUSH);
    return FG_OK;
}

static void begin_counter(struct counter *counter)
{
    *counter = (struct counter){ .bytes = 0 };
    if (deflateInit2(&counter->zip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        abort();
    }
}

static void end_counter(struct counter *counter)
{
    pack(counter, NULL, 0, Z_FINISH);
    (void)deflateEnd(&counter->zip);
}

static enum fg_result export_chrome(const void *bytes, size_t size, struct counter *counter)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_sink sink = { .write = count_bytes, .context = counter };
    struct fg_document *document = NULL;
    const struct fgi_exporter *exporter = fgi_exporter_find("chrome");
    enum fg_result result = fg_open_source(&source, NULL, NULL, &document);
    if (result == FG_OK) {
        result = fg_document_load(document, NULL);
    }
    if (result == FG_OK) {
        result = exporter->write(
            &(struct fgi_export){ .trace = fg_document_trace(document), .sink = &sink });
    }
    fg_document_close(document);
    return result;
}

static void measure(void *context, struct fg_session *session)
{
    struct sizes *sizes = context;
    struct counter counter;
    size_t size;
    const void *bytes = fg_session_bytes(session, &size);
    begin_counter(&counter);
    (void)count_bytes(&counter, bytes, size);
    end_counter(&counter);
    sizes->bytes = counter.bytes;
    sizes->gzip_bytes = counter.packed_bytes;
    begin_counter(&counter);
    sizes->failed = export_chrome(bytes, size, &counter) != FG_OK;
    end_counter(&counter);
    sizes->chrome_bytes = counter.bytes;
    sizes->chrome_gzip_bytes = counter.packed_bytes;
}

int main(void)
{
    static const char *const names[] = { "timing", "structure", "workload", "verbose" };
    printf("{ \"bench\": \"record_size\", \"commit\": \"%s\", \"frames\": 600, \"passes\": 200,\n"
           "  \"levels\": [\n",
           FG_COMMIT);
    for (int i = 0; i < 4; i++) {
        struct generated_options options = { .level = (enum fg_level)(FG_LEVEL_TIMING + i) };
        struct generated_result result;
        struct sizes sizes = { 0 };
        if (!generated_record(&options, measure, &sizes, &result) || sizes.failed) {
            fputs("size_bench: the recording failed\n", stderr);
            return 1;
        }
        printf("    { \"level\": \"%s\", \"bytes\": %" PRIu64 ", \"bytes_per_frame\": %" PRIu64
               ", \"gzip_bytes\": %" PRIu64 ",\n      \"chrome_bytes\": %" PRIu64
               ", \"chrome_gzip_bytes\": %" PRIu64 ", \"pass_instances\": %" PRIu64
               ", \"calls\": %" PRIu64 " }%s\n",
               names[i], sizes.bytes, sizes.bytes / 600, sizes.gzip_bytes, sizes.chrome_bytes,
               sizes.chrome_gzip_bytes, result.pass_instances, result.works, i < 3 ? "," : "");
    }
    printf("  ] }\n");
    return 0;
}
