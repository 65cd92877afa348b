/* SPDX-License-Identifier: MIT */
/* What the files of bench_gpu_trace share. */
#ifndef GPU_TRACE_BENCH_H
#define GPU_TRACE_BENCH_H
#include "compute_bed.h"
#include "engine/vulkan/engine_priv.h"
#include "engine/vulkan/gpu_columns.h"
#include <frameglass/trace_links.h>
#include <frameglass/trace_query.h>

enum { WIDTH_PX = 1920, NODES_MAX = 2048, KERNELS_MAX = 128, KERNEL_NAME = 48 };

/** All nodes of one name. */
struct bench_kernel {
    char name[KERNEL_NAME];
    uint32_t runs;
    int64_t device_ns;
    uint64_t bytes; /**< that they say they read and write */
};

/** An engine that is asked, and what it has answered. */
struct bench_side {
    const char *name;
    struct fg_engine *engine;
    struct fg_query *query;
    uint32_t errors; /**< a filter: what failed, one span in four */
};

struct bench {
    struct compute_bed bed;
    struct fg_compute_runner runner; /**< of the bed: adds up what follows */
    struct fg_compute_graph *wake;
    struct fgi_gpu_column_memory wake_memory;
    VkQueryPool queries;
    int64_t device_ns; /**< on the device, of all submissions since it was set to 0 */
    uint32_t submissions;
    uint64_t read_bytes, write_bytes; /**< likewise: what nodes say */
    bool sees_nodes;                  /**< each node gets two times of its own, which slows them */
    uint32_t node_count;              /**< of the submission */
    uint32_t node_kernels[NODES_MAX];
    struct bench_kernel kernels[KERNELS_MAX];
    uint32_t kernel_count;
    struct fg_trace *trace;
    struct fg_trace_info info;
    struct fg_view_target *targets; /**< lanes, then processes */
    struct fg_link_place *places;   /**< lanes */
    struct bench_side cpu, vulkan;
    unsigned turn; /**< of a question: views move with it, as an engine keeps the last one */
};

/** An operation: what it must at least read and write decides how fast it can be. */
struct bench_operation {
    const char *name;
    /** Ask. A number of the answer goes out, so that engines can be compared. */
    enum fg_result (*ask)(struct bench *bench, struct bench_side *side, uint64_t *out_answer);
    double row_bytes;    /**< of every row of the trace, at least read and written once */
    double output_bytes; /**< more for each item of `out_answer`, where that counts outputs */
    double peer_ms;      /**< what was recorded of a peer; 0: nothing */
    const char *peer;    /**< how the peer calls it */
};
extern const struct bench_operation bench_operations[];
extern const unsigned bench_operation_count;

/** Nodes on the device alone, no answer in memory. */
struct bench_nodes {
    const char *name;
    enum fg_result (*add)(struct bench *bench, struct fg_compute_graph *graph);
    void (*end)(struct bench *bench); /**< of what `add` made; NULL */
    double row_bytes;
    double peer_ms;
    const char *peer;
};
extern const struct bench_nodes bench_nodes[];
extern const unsigned bench_nodes_count;

/** A device without the validation layer, and a runner that adds up. */
bool bench_open_device(struct bench *bench);
/** The runner's functions: a command buffer, its end, running it. The context is the bench. */
enum fg_result bench_begin(void *context, VkCommandBuffer *out_commands);
enum fg_result bench_submit(void *context);
enum fg_result bench_wait(void *context);
/**
 * Keep the device busy until its clocks are up: an idle one measures several times longer. What it
 * copies for that is made before, and ends before the engine does.
 */
enum fg_result bench_prepare_wake(struct bench *bench);
void bench_wake(struct bench *bench);
void bench_end_wake(struct bench *bench);
/** Begin all sums anew. */
void bench_forget(struct bench *bench, bool sees_nodes);

/** The window of a part of the trace, from its middle on. */
void bench_window(const struct bench *bench, unsigned per_mille, int64_t *out_start_ns,
                  int64_t *out_end_ns);

#endif
