/* SPDX-License-Identifier: MIT */
/* Draws a trace into a picture: foreign_draws FILE OUT.png [--masked] */
#include "foreign_draws.h"
#include "foreign_png.h"

#include <frameglass/open.h>
#include <frameglass/trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool draw(const struct fg_trace *trace, const char *path, bool is_masked)
{
    struct fg_trace_info info;
    struct foreign_draws_picture picture = { .pixels = NULL };
    fg_trace_get_info(trace, &info);
    if (!info.has_extent || info.first_ns >= info.last_ns) {
        fprintf(stderr, "there is nothing to draw\n");
        return false;
    }
    const struct foreign_draws_window window = { .start_ns = info.first_ns,
                                                 .end_ns = info.last_ns,
                                                 .width_px = 1280,
                                                 .height_px = 480,
                                                 .is_masked = is_masked };
    struct foreign_draws *draws = foreign_draws_open(trace);
    bool done = draws != NULL && foreign_draws(draws, &window, &picture);
    foreign_draws_close(draws);
    if (done) {
        printf("%u of %llu spans drawn; %u have no parent or take a quarter of it, "
               "%llu ns together; "
               "%u nodes, %u barriers\n",
               picture.drawn, (unsigned long long)info.spans, picture.marked,
               (unsigned long long)picture.summed_ns, picture.nodes, picture.barriers);
        done = foreign_png_write(path, picture.pixels, window.width_px, window.height_px);
    }
    free(picture.pixels);
    return done;
}

int main(int argc, char **argv)
{
    struct fg_document *document = NULL;
    struct fg_diag diag = { 0 };
    if (argc < 3) {
        fprintf(stderr, "usage: foreign_draws FILE OUT.png [--masked]\n");
        return 2;
    }
    if (fg_open_path(argv[1], NULL, &diag, &document) != FG_OK ||
        fg_document_load(document, &diag) != FG_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], diag.message);
        fg_document_close(document);
        return 3;
    }
    const bool is_masked = argc > 3 && strcmp(argv[3], "--masked") == 0;
    const bool done = draw(fg_document_trace(document), argv[2], is_masked);
    fg_document_close(document);
    return done ? 0 : 1;
}
