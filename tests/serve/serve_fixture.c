/* SPDX-License-Identifier: MIT */
/* A server over a view without inputs, for the script that attacks it. Ends with its standard
 * input. */
#include "serve/server.h"
#include "view/view.h"
#include <stdio.h>

static void never_asked(void *context, uint32_t trace)
{
    (void)context;
    (void)trace;
}

static enum fg_result answer(void *view, const void *request, size_t size, struct fgi_bytes *out)
{
    return fgi_view_answer(view, request, size, out);
}

int main(void)
{
    struct fgi_view *view = NULL;
    struct fgi_server *server = NULL;
    const struct fgi_view_options options = { .load = never_asked };
    if (fgi_view_create(&options, &view) != FG_OK) {
        return 1;
    }
    const struct fgi_server_options server_options = {
        .timeout_s = 2, .connection_limit = 16, .answer = answer, .context = view
    };
    if (fgi_server_start(&server_options, &server) != FG_OK) {
        return 1;
    }
    printf("%s\n", fgi_server_address(server));
    fflush(stdout);
    while (getchar() != EOF) {
    }
    fgi_server_stop(server);
    fgi_view_destroy(view);
    return 0;
}
