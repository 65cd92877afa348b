/* SPDX-License-Identifier: MIT */
/*
 * The native side of the comparison: answers request buffers about one input with the same code
 * that the WebAssembly module is made of.
 *
 *   native_answers INPUT LABEL REQUESTS REPLIES
 *   native_answers INPUT export WHAT OUT
 *
 * REQUESTS and REPLIES are buffers one after the other, each behind its size (u32).
 */
#include "base/alloc.h"
#include "base/bytes.h"
#include "view/protocol.h"
#include "wasm/module.h"
#include <stdio.h>
#include <string.h>

static bool read_whole(const char *path, struct fgi_bytes *out)
{
    struct fg_file_source *file = NULL;
    struct fg_source source;
    uint64_t size = 0;
    size_t got = 0;
    if (fg_file_source_open(path, &file, &source) != FG_OK) {
        return false;
    }
    bool done = source.size(source.context, &size) == FG_OK &&
                fgi_bytes_reserve(out, (size_t)size) &&
                source.read_at(source.context, 0, out->data, (size_t)size, &got) == FG_OK;
    out->size = got;
    fg_file_source_close(file);
    return done && got == size;
}

static bool write_whole(const char *path, const struct fgi_bytes *bytes)
{
    struct fg_file_sink *file = NULL;
    struct fg_sink sink;
    if (fg_file_sink_open(path, &file, &sink) != FG_OK) {
        return false;
    }
    bool done = sink.write(sink.context, bytes->data, bytes->size) == FG_OK;
    return fg_file_sink_close(file) == FG_OK && done;
}

static bool answer_all(struct fgi_module *module, const struct fgi_bytes *requests,
                       struct fgi_bytes *replies)
{
    struct fgi_reader reader = fgi_reader_make(requests->data, requests->size);
    bool done = true;
    while (done && fgi_reader_left(&reader) != 0) {
        uint32_t size = fgi_get_u32(&reader);
        const uint8_t *request = fgi_get_raw(&reader, size);
        struct fgi_bytes reply = { .limit = FGI_MAX_REPLY_BYTES };
        done = !reader.failed && fgi_module_answer(module, request, size, &reply) == FG_OK;
        fgi_put_u32(replies, (uint32_t)reply.size);
        fgi_put_raw(replies, reply.data, reply.size);
        fgi_bytes_finish(&reply);
    }
    return done && replies->result == FG_OK;
}

static bool export_all(struct fgi_module *module, uint32_t trace, const char *what,
                       const char *path)
{
    struct fg_file_sink *file = NULL;
    struct fg_sink sink;
    if (fg_file_sink_open(path, &file, &sink) != FG_OK) {
        return false;
    }
    bool done = fgi_module_export(module, trace, what, &sink);
    return fg_file_sink_close(file) == FG_OK && done;
}

static int run(char **arguments)
{
    struct fgi_module *module = NULL;
    struct fg_file_source *file = NULL;
    struct fg_source source;
    struct fgi_bytes requests = { 0 };
    struct fgi_bytes replies = { 0 };
    uint32_t trace = 0;
    int status = 1;
    if (fgi_module_create(NULL, &module) != FG_OK ||
        fg_file_source_open(arguments[1], &file, &source) != FG_OK) {
        fprintf(stderr, "%s cannot be opened\n", arguments[1]);
    } else if ((trace = fgi_module_open(module, &source, arguments[2], false)) == 0) {
        fprintf(stderr, "%s: %s\n", arguments[1], fgi_module_error(module));
    } else if (strcmp(arguments[2], "export") == 0) {
        status = export_all(module, trace, arguments[3], arguments[4]) ? 0 : 1;
    } else if (read_whole(arguments[3], &requests) && answer_all(module, &requests, &replies) &&
               write_whole(arguments[4], &replies)) {
        status = 0;
    }
    fgi_bytes_finish(&requests);
    fgi_bytes_finish(&replies);
    fgi_module_destroy(module);
    fg_file_source_close(file);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: native_answers INPUT LABEL REQUESTS REPLIES\n"
                        "       native_answers INPUT export WHAT OUT\n");
        return 2;
    }
    return run(argv);
}
