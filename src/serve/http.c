/* SPDX-License-Identifier: MIT */
/*
 * The server itself, over libmicrohttpd. Each request is judged when its head is there, before a
 * byte of its body is read; what a judgement rests on is in guard.c.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/process.h"
#include "page/assets.h"
#include "serve/guard.h"
#include "serve/server.h"
#include "view/protocol.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

enum {
    DEFAULT_TIMEOUT_S = 15,
    DEFAULT_CONNECTIONS = 64,
    HEAD_BYTES = 32 << 10,
    PIECE_BYTES = 64 << 10
};

static const char content_policy[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct fgi_server {
    struct fgi_server_options options;
    struct fgi_guard guard;
    struct MHD_Daemon *daemon;
    char address[96];
};

/* One request on its way in. */
struct exchange {
    const struct fg_allocator *allocator;
    unsigned status; /* 0: it was let in; otherwise what to answer */
    struct fgi_bytes body;
    int64_t begun_ns;
};

/* A reply that lives until the last byte is sent. */
struct sent {
    const struct fg_allocator *allocator;
    struct fgi_bytes bytes;
};

static void free_sent(void *context)
{
    struct sent *sent = context;
    fgi_bytes_finish(&sent->bytes);
    fgi_free(sent->allocator, sent, sizeof *sent);
}

static void add_headers(struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        { "Content-Security-Policy", content_policy },
        { "X-Content-Type-Options", "nosniff" },
        { "X-Frame-Options", "DENY" },
        { "Referrer-Policy", "no-referrer" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Cross-Origin-Opener-Policy", "same-origin" },
        { "Cross-Origin-Embedder-Policy", "require-corp" },
        { "Cache-Control", "no-store" },
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
    MHD_add_response_header(response, "Content-Type", type);
}

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status, const char *type,
                               struct MHD_Response *response)
{
    if (response == NULL) {
        return MHD_NO;
    }
    add_headers(response, type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
    }
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* A refusal says its number and nothing else: no path, no reason, no version. */
static enum MHD_Result send_refusal(struct MHD_Connection *connection, unsigned status)
{
    char text[16];
    int size = snprintf(text, sizeof text, "%u\n", status);
    struct MHD_Response *response =
        MHD_create_response_from_buffer((size_t)size, text, MHD_RESPMEM_MUST_COPY);
    return respond(connection, status, "text/plain; charset=utf-8", response);
}

static enum MHD_Result send_asset(struct MHD_Connection *connection, const char *path)
{
    const struct fgi_asset *asset = fgi_asset_find(path);
    if (asset == NULL) {
        return send_refusal(connection, MHD_HTTP_NOT_FOUND);
    }
    /* The library never writes to a persistent buffer. */
    void *bytes = (void *)(uintptr_t)asset->bytes;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        (size_t)(asset->end - asset->bytes), bytes, MHD_RESPMEM_PERSISTENT);
    return respond(connection, MHD_HTTP_OK, fgi_asset_type(asset), response);
}

/* ---- Downloads ------------------------------------------------------------------------------- */

struct downloading {
    const struct fg_allocator *allocator;
    struct fgi_download download;
};

/* Called on the connection's own thread: it may wait. */
static ssize_t read_download(void *context, uint64_t offset, char *bytes, size_t size)
{
    struct downloading *downloading = context;
    size_t got = 0;
    enum fg_result result =
        downloading->download.read(downloading->download.context, offset, bytes, size, &got);
    if (result != FG_OK) {
        return MHD_CONTENT_READER_END_WITH_ERROR; /* cut off: nobody takes it for the whole */
    }
    return got != 0 ? (ssize_t)got : MHD_CONTENT_READER_END_OF_STREAM;
}

static void free_download(void *context)
{
    struct downloading *downloading = context;
    downloading->download.close(downloading->download.context);
    fgi_free(downloading->allocator, downloading, sizeof *downloading);
}

/* "TRACE/WHAT" taken apart; NULL when that is not its form. */
static const char *download_name(const char *path, uint32_t *out_trace)
{
    uint32_t trace = 0;
    size_t digits = 0;
    for (; digits < 9 && path[digits] >= '0' && path[digits] <= '9'; digits++) {
        trace = trace * 10 + (uint32_t)(path[digits] - '0');
    }
    *out_trace = trace;
    return digits != 0 && path[0] != '0' && path[digits] == '/' ? path + digits + 1 : NULL;
}

static enum MHD_Result send_download(struct fgi_server *server, struct MHD_Connection *connection,
                                     const char *path)
{
    const struct fgi_server_options *options = &server->options;
    uint32_t trace = 0;
    const char *what = download_name(path, &trace);
    if (what == NULL || options->download == NULL) {
        return send_refusal(connection, MHD_HTTP_NOT_FOUND);
    }
    struct downloading *downloading = fgi_calloc(options->allocator, 1, sizeof *downloading);
    if (downloading == NULL) {
        return send_refusal(connection, MHD_HTTP_SERVICE_UNAVAILABLE);
    }
    downloading->allocator = options->allocator;
    struct fgi_download *download = &downloading->download;
    enum fg_result result = options->download(options->context, trace, what, download);
    if (result != FG_OK) {
        fgi_free(options->allocator, downloading, sizeof *downloading);
        return send_refusal(connection, result == FG_ERR_NOT_FOUND ? MHD_HTTP_NOT_FOUND
                                                                   : MHD_HTTP_SERVICE_UNAVAILABLE);
    }
    char disposition[sizeof download->name + 32];
    snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", download->name);
    const char *type = download->type;
    struct MHD_Response *response = MHD_create_response_from_callback(
        download->size_bytes, PIECE_BYTES, read_download, downloading, free_download);
    if (response == NULL) {
        free_download(downloading);
        return send_refusal(connection, MHD_HTTP_SERVICE_UNAVAILABLE);
    }
    MHD_add_response_header(response, "Content-Disposition", disposition);
    return respond(connection, MHD_HTTP_OK, type, response);
}

static enum MHD_Result send_answer(struct fgi_server *server, struct MHD_Connection *connection,
                                   const struct exchange *exchange)
{
    struct sent *sent = fgi_calloc(server->options.allocator, 1, sizeof *sent);
    if (sent == NULL) {
        return send_refusal(connection, MHD_HTTP_SERVICE_UNAVAILABLE);
    }
    sent->allocator = server->options.allocator;
    sent->bytes.allocator = server->options.allocator;
    sent->bytes.limit = FGI_MAX_REPLY_BYTES;
    enum fg_result result = server->options.answer(server->options.context, exchange->body.data,
                                                   exchange->body.size, &sent->bytes);
    struct MHD_Response *response = NULL;
    if (result == FG_OK) {
        response = MHD_create_response_from_buffer_with_free_callback_cls(
            sent->bytes.size, sent->bytes.data, free_sent, sent);
    }
    if (response == NULL) {
        free_sent(sent);
        return send_refusal(connection, MHD_HTTP_SERVICE_UNAVAILABLE);
    }
    return respond(connection, MHD_HTTP_OK, "application/octet-stream", response);
}

struct header_count {
    const char *name;
    unsigned count;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct header_count *wanted = context;
    (void)kind;
    (void)value;
    const char *a = name;
    const char *b = wanted->name;
    while (*a != 0 && (*a | 32) == (*b | 32)) {
        a++;
        b++;
    }
    wanted->count += *a == 0 && *b == 0;
    return MHD_YES;
}

/* The value of a header that is there exactly once; NULL otherwise. */
static const char *header(struct MHD_Connection *connection, const char *name)
{
    struct header_count wanted = { .name = name };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &wanted);
    return wanted.count != 1 ? NULL
                             : MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool has_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name) != NULL;
}

static bool is_body_too_long(struct MHD_Connection *connection)
{
    const char *text = header(connection, "Content-Length");
    if (text == NULL) {
        return has_header(connection, "Content-Length"); /* twice: nobody may choose */
    }
    uint64_t value = 0;
    for (; *text >= '0' && *text <= '9' && value <= FGI_MAX_BUFFER_BYTES; text++) {
        value = value * 10 + (uint64_t)(*text - '0');
    }
    return *text != 0 || value > FGI_MAX_BUFFER_BYTES;
}

/*
 * A page of another origin can make a browser post to us, or download; it cannot forge these two
 * headers.
 */
static bool is_foreign(const struct fgi_server *server, struct MHD_Connection *connection)
{
    if (has_header(connection, "Origin") &&
        !fgi_guard_origin(&server->guard, header(connection, "Origin"))) {
        return true;
    }
    if (!has_header(connection, "Sec-Fetch-Site")) {
        return false;
    }
    const char *site = header(connection, "Sec-Fetch-Site");
    return site == NULL || (strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0);
}

static unsigned judge_post(const struct fgi_server *server, struct MHD_Connection *connection,
                           const char *path)
{
    const char *type = header(connection, "Content-Type");
    if (strcmp(path, "q") != 0) {
        return MHD_HTTP_NOT_FOUND;
    }
    if (is_foreign(server, connection)) {
        return MHD_HTTP_FORBIDDEN;
    }
    if (type == NULL || strcmp(type, "application/octet-stream") != 0) {
        return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    }
    return is_body_too_long(connection) ? MHD_HTTP_CONTENT_TOO_LARGE : 0;
}

/* 0, or the status to refuse with. Nothing is told to whom the token is not known. */
static unsigned judge(const struct fgi_server *server, struct MHD_Connection *connection,
                      const char *method, const char *url)
{
    if (!fgi_guard_host(&server->guard, header(connection, "Host"))) {
        return MHD_HTTP_MISDIRECTED_REQUEST;
    }
    const char *path = fgi_guard_path(&server->guard, url);
    if (path == NULL) {
        return MHD_HTTP_NOT_FOUND;
    }
    /* No browser sends one to us; where two lengths disagree, a second request hides in a body. */
    if (has_header(connection, "Transfer-Encoding")) {
        return MHD_HTTP_BAD_REQUEST;
    }
    if (strcmp(method, "POST") == 0) {
        return judge_post(server, connection, path);
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    /* The page's own files say nothing; a download is the capture. */
    bool is_download = strncmp(path, "x/", 2) == 0;
    return is_download && is_foreign(server, connection) ? MHD_HTTP_FORBIDDEN : 0;
}

static struct exchange *exchange_begin(struct fgi_server *server, struct MHD_Connection *connection,
                                       const char *method, const char *url)
{
    struct exchange *exchange = fgi_calloc(server->options.allocator, 1, sizeof *exchange);
    if (exchange != NULL) {
        exchange->allocator = server->options.allocator;
        exchange->body.allocator = server->options.allocator;
        exchange->body.limit = FGI_MAX_BUFFER_BYTES;
        exchange->begun_ns = fgi_clock_monotonic_ns();
        exchange->status = judge(server, connection, method, url);
    }
    return exchange;
}

/* More of a body. MHD_NO closes the connection: too long without having said so, or too slow. */
static enum MHD_Result take_body(const struct fgi_server *server, struct exchange *exchange,
                                 const char *data, size_t *size)
{
    int64_t limit_ns = (int64_t)server->options.timeout_s * 1000000000;
    if (fgi_clock_monotonic_ns() - exchange->begun_ns > limit_ns) {
        return MHD_NO;
    }
    fgi_put_raw(&exchange->body, data, *size);
    *size = 0;
    return exchange->body.result == FG_OK ? MHD_YES : MHD_NO;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **exchange_slot)
{
    struct fgi_server *server = context;
    struct exchange *exchange = *exchange_slot;
    (void)version;
    if (exchange == NULL) {
        exchange = exchange_begin(server, connection, method, url);
        *exchange_slot = exchange;
        if (exchange == NULL) {
            return MHD_NO;
        }
        /* Refused: answered before the body, and the connection is closed after it. */
        return exchange->status != 0 ? send_refusal(connection, exchange->status) : MHD_YES;
    }
    if (*upload_size != 0) {
        return take_body(server, exchange, upload, upload_size);
    }
    if (strcmp(method, "POST") == 0) {
        return send_answer(server, connection, exchange);
    }
    const char *path = fgi_guard_path(&server->guard, url);
    return strncmp(path, "x/", 2) == 0 ? send_download(server, connection, path + 2)
                                       : send_asset(connection, path);
}

static void completed(void *context, struct MHD_Connection *connection, void **exchange_slot,
                      enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *exchange_slot;
    (void)context;
    (void)connection;
    (void)code;
    if (exchange != NULL) {
        fgi_bytes_finish(&exchange->body);
        fgi_free(exchange->allocator, exchange, sizeof *exchange);
        *exchange_slot = NULL;
    }
}

/* Paths are compared as they came: nothing that is encoded is one of ours. */
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

static enum fg_result start_daemon(struct fgi_server *server)
{
    int listening = -1;
    enum fg_result result = fgi_guard_init(&server->guard);
    if (result == FG_OK) {
        result = fgi_listen_loopback(server->options.port, &listening, &server->guard.port);
    }
    if (result != FG_OK) {
        return result;
    }
    /* The daemon owns the socket, also when it does not start. */
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL,
        server->guard.port, NULL, NULL, handle, server, MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_CONNECTION_TIMEOUT, server->options.timeout_s, MHD_OPTION_CONNECTION_LIMIT,
        server->options.connection_limit, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES,
        MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded,
        NULL, MHD_OPTION_END);
    return server->daemon != NULL ? FG_OK : FG_ERR_IO;
}

enum fg_result fgi_server_start(const struct fgi_server_options *options,
                                struct fgi_server **out_server)
{
    struct fgi_server *server = fgi_calloc(options->allocator, 1, sizeof *server);
    if (server == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    server->options = *options;
    if (server->options.timeout_s == 0) {
        server->options.timeout_s = DEFAULT_TIMEOUT_S;
    }
    if (server->options.connection_limit == 0) {
        server->options.connection_limit = DEFAULT_CONNECTIONS;
    }
    enum fg_result result = start_daemon(server);
    if (result != FG_OK) {
        fgi_server_stop(server);
        return result;
    }
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%u/%s/",
             (unsigned)server->guard.port, server->guard.token);
    *out_server = server;
    return FG_OK;
}

const char *fgi_server_address(const struct fgi_server *server)
{
    return server->address;
}

void fgi_server_stop(struct fgi_server *server)
{
    if (server == NULL) {
        return;
    }
    if (server->daemon != NULL) {
        MHD_stop_daemon(server->daemon);
    }
    fgi_free(server->options.allocator, server, sizeof *server);
}
