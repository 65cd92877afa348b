/* SPDX-License-Identifier: MIT */
/* Everything that it takes to record the foreign graph. */
#ifndef FOREIGN_RECORD_H
#define FOREIGN_RECORD_H
#include "foreign_graph.h"
#include <frameglass/gpu.h>
#include <frameglass/graph.h>

/* One frame's recording; `commands` NULL: off. */
struct foreign_record {
    struct foreign_graph *graph;
    struct fg_commands *commands;
};
void foreign_record_begin(struct foreign_record *record, struct foreign_graph *graph,
                          struct fg_frame *frame, struct fg_commands *commands);

#endif
