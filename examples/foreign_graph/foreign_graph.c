/* SPDX-License-Identifier: MIT */
#include "foreign_graph.h"

void foreign_graph_clear(struct foreign_graph *graph)
{
    graph->count = 0;
}

static int copy_list(int *out, const int *list)
{
    int count = 0;
    while (count < FOREIGN_RESOURCES && list[count] >= 0) {
        out[count] = list[count];
        count++;
    }
    return count;
}

struct foreign_pass *foreign_graph_add(struct foreign_graph *graph, foreign_callback *execute,
                                       void *user, const int *reads, const int *writes)
{
    if (graph->count == FOREIGN_PASSES) {
        return NULL;
    }
    struct foreign_pass *pass = &graph->passes[graph->count++];
    *pass = (struct foreign_pass){ .execute = execute, .user = user };
    pass->read_count = copy_list(pass->reads, reads);
    pass->write_count = copy_list(pass->writes, writes);
    return pass;
}

static int count_readers(const struct foreign_graph *graph, size_t writer)
{
    int readers = 0;
    for (size_t i = writer + 1; i < graph->count; i++) {
        for (int r = 0; graph->passes[i].alive && r < graph->passes[i].read_count; r++) {
            for (int w = 0; w < graph->passes[writer].write_count; w++) {
                readers += graph->passes[i].reads[r] == graph->passes[writer].writes[w];
            }
        }
    }
    return readers;
}

void foreign_graph_compile(struct foreign_graph *graph)
{
    for (size_t i = graph->count; i-- > 0;) {
        graph->passes[i].readers = count_readers(graph, i);
        graph->passes[i].alive = graph->passes[i].keep || graph->passes[i].readers > 0;
    }
}

void foreign_graph_execute(struct foreign_graph *graph, struct foreign_encoder *encoder)
{
    for (size_t i = 0; i < graph->count; i++) {
        if (!graph->passes[i].alive) {
            continue;
        }
        if (graph->observer.around != NULL) {
            graph->observer.around(graph->observer.self, i, true);
        }
        graph->passes[i].execute(encoder, graph->passes[i].user);
        if (graph->observer.around != NULL) {
            graph->observer.around(graph->observer.self, i, false);
        }
    }
}
