/* SPDX-License-Identifier: MIT */
/* Reads a capture with the installed library and prints its statistics. */
#include <frameglass/open.h>
#include <frameglass/trace.h>
#include <frameglass/trace_query.h>

#include <stdio.h>

static enum fg_result print_stats(struct fg_document *document)
{
    const struct fg_trace *trace = fg_document_trace(document);
    struct fg_query *query = NULL;
    struct fg_stats_reply reply = { 0 };
    struct fg_stats_request request = { .by = FG_STATS_BY_NAME };
    enum fg_result result = fg_query_create(fg_document_engine(document), NULL, NULL, NULL, &query);
    if (result == FG_OK) {
        result = fg_query_stats(query, &request, &reply);
    }
    for (uint32_t i = 0; result == FG_OK && i < reply.count; i++) {
        printf("%s %llu %llu\n", fg_trace_text(trace, reply.rows[i].name),
               (unsigned long long)reply.rows[i].count, (unsigned long long)reply.rows[i].total_ns);
    }
    fg_query_destroy(query);
    return result;
}

int main(int argc, char **argv)
{
    struct fg_document *document = NULL;
    struct fg_diag diag = { 0 };
    enum fg_result result =
        argc == 2 ? fg_open_path(argv[1], NULL, &diag, &document) : FG_ERR_ARGUMENT;
    if (result == FG_OK) {
        result = fg_document_load(document, &diag);
    }
    if (result == FG_OK) {
        result = print_stats(document);
    }
    if (result != FG_OK) {
        fprintf(stderr, "%s: %s\n", fg_result_text(result), diag.message);
    }
    fg_document_close(document);
    return result == FG_OK ? 0 : 1;
}
