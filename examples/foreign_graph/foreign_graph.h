/* SPDX-License-Identifier: MIT */
/*
 * A frame graph of a foreign shape, as somebody else's engine may have it: passes are callbacks
 * without names, made anew each frame; resources are plain numbers; what is read decides what runs.
 * It knows nothing of profiling: it only tells an observer which of its passes is about to run.
 */
#ifndef FOREIGN_GRAPH_H
#define FOREIGN_GRAPH_H
#include <stdbool.h>
#include <stddef.h>

#define FOREIGN_PASSES    32
#define FOREIGN_RESOURCES 8 /* per pass and direction */

struct foreign_encoder;
typedef void foreign_callback(struct foreign_encoder *encoder, void *user);

struct foreign_pass {
    foreign_callback *execute;
    void *user;
    bool compute;
    bool keep; /* it has an effect outside of the graph */
    bool alive;
    int readers;
    int reads[FOREIGN_RESOURCES], read_count;
    int writes[FOREIGN_RESOURCES], write_count;
};

struct foreign_observer {
    void (*around)(void *self, size_t pass, bool begins);
    void *self;
};

struct foreign_graph {
    struct foreign_pass passes[FOREIGN_PASSES];
    size_t count;
    struct foreign_observer observer; /* around == NULL: nobody looks */
};

/* A new frame: all passes are gone. */
void foreign_graph_clear(struct foreign_graph *graph);
/* One more pass; reads and writes are lists of resource numbers ended by -1. */
struct foreign_pass *foreign_graph_add(struct foreign_graph *graph, foreign_callback *execute,
                                       void *user, const int *reads, const int *writes);
/* Whatever nobody reads dies, from the end to the beginning. */
void foreign_graph_compile(struct foreign_graph *graph);
void foreign_graph_execute(struct foreign_graph *graph, struct foreign_encoder *encoder);

#endif
