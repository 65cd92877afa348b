/* SPDX-License-Identifier: MIT */
/*
 * The fixed generated session that sizes are measured on: a frame graph of 200 passes on the
 * software device, always the same for the same options. Its first half and its second half differ
 * in resolution; some passes do other work in every frame; durations vary by a few percent.
 */
#ifndef GENERATED_SESSION_H
#define GENERATED_SESSION_H
#include <frameglass/gpu_software.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>

struct generated_options {
    uint32_t frame_count; /* 0 = 600 */
    uint32_t pass_count;  /* 0 = 200; at most 2000 */
    uint32_t queue_count; /* 0 = 1; at most 4 */
    enum fg_level level;
    uint32_t session_flags; /* enum fg_session_flags */
    const char *path;       /* NULL = in memory */
};

struct generated_result {
    uint64_t bytes;
    uint64_t frames;
    uint64_t pass_instances;
    uint64_t works; /* calls */
};

struct fg_graph_desc generated_graph(const struct generated_options *options, uint32_t half);

/* Record all of it. `visit` (may be NULL) gets the finished session before it is destroyed. */
bool generated_record(const struct generated_options *options,
                      void (*visit)(void *context, struct fg_session *session), void *context,
                      struct generated_result *out_result);

#endif
