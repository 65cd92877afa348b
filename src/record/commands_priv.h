/* SPDX-License-Identifier: MIT */
/* A command buffer while it is recorded, and what it holds afterwards. */
#ifndef FGI_COMMANDS_PRIV_H
#define FGI_COMMANDS_PRIV_H
#include "record/device.h"
#include "record/draws.h"
#include "record/pool_priv.h"
#include <frameglass/capture.h>
#include <frameglass/gpu.h>

#define FGI_NONE           UINT32_MAX
#define FGI_NESTING_MAX    16
#define FGI_DROP_REASONS   19
#define FGI_INDIRECT_SLOTS 256

enum fgi_pass_flags {
    FGI_PASS_STATISTICS = 1u << 0,
    FGI_PASS_ENDED = 1u << 1,
    FGI_PASS_LABELLED = 1u << 2, /**< it opened a debug group */
};
/** One GPU pass of one command buffer. */
struct fgi_pass {
    uint64_t logical;
    uint32_t label_offset;
    uint32_t label_size;
    uint32_t graph_pass;
    uint32_t slot;   /**< FGI_NONE = not timed */
    uint32_t parent; /**< in the same command buffer */
    uint32_t first_attachment;
    uint8_t attachment_count;
    uint8_t kind;
    uint8_t flags;
    uint32_t first_work; /**< its works are among [first_work, end_work) */
    uint32_t end_work;   /**< UINT32_MAX until it ends */
};

/** One call, or several equal ones in a row. */
struct fgi_work {
    uint64_t x;
    uint64_t buffer;
    uint64_t offset;
    uint64_t resource;
    uint32_t y;
    uint32_t z;
    uint32_t pass;
    uint32_t kind; /**< enum fg_cap_work_kind */
    uint32_t repeat;
    uint32_t pipeline;
    uint32_t draw_count;
    uint32_t stride_bytes;
    uint32_t first_binding;
    uint32_t binding_count;
    uint32_t indirect; /**< first indirect slot; FGI_NONE = not copied */
    uint32_t indirect_count;
};

/** One bracket of a graph pass. */
struct fgi_bracket {
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t graph_pass;
    bool failed; /**< left without an end */
};

/** Secondary command buffers, and where in the primary they run. */
struct fgi_execute {
    struct fg_commands *secondary;
    uint32_t before_pass; /**< index of the next pass at that time */
    uint32_t parent;      /**< pass that was open */
};

/**
 * How often the cost of a call is measured: once in so many. Odd, so that the calls of a pass,
 * which come four at a time, take turns.
 */
#define FGI_COST_SAMPLING 17
/** Cost of the calls of one kind: some are measured, all are counted. */
struct fgi_cost {
    uint32_t calls;
    uint32_t measured;
    int64_t measured_ns;
};

struct fg_commands {
    struct fgi_recorder *recorder;
    struct fg_device *device;
    const struct fgi_device_ops *ops;
    void *native;
    struct fgi_pool *pool; /**< NULL = not timed */
    uint32_t queue;
    uint32_t flags;
    uint32_t want;
    uint32_t thread;
    uint32_t next_slot;
    uint32_t next_indirect;
    uint32_t pipeline;
    uint32_t graph_pass;    /**< the open bracket's; FGI_NONE outside */
    uint32_t depth;         /**< of the open passes */
    uint32_t refused_depth; /**< begins refused inside, whose ends must be swallowed */
    uint32_t stack[FGI_NESTING_MAX];
    uint32_t statistics_pass; /**< the pass whose statistics run; FGI_NONE = none */
    bool in_bracket;
    bool ended;
    bool used;      /**< named in a submission of its frame */
    bool destroyed; /**< reused: goes with its last use */
    uint32_t uses;  /**< reused: frames that still refer to it */

    struct fgi_pass *passes;
    size_t pass_count, pass_capacity;
    struct fgi_work *works;
    size_t work_count, work_capacity;
    struct fg_attachment *attachments;
    size_t attachment_count, attachment_capacity;
    struct fg_binding *bindings;
    size_t binding_count, binding_capacity;
    size_t bound_first; /**< of the bindings in force */
    struct fgi_bracket *brackets;
    size_t bracket_count, bracket_capacity;
    struct fgi_execute *executes;
    size_t execute_count, execute_capacity;
    char *text;
    size_t text_size, text_capacity;
    struct fgi_indirect_copy *copies; /**< of the pass that is open: FGI_INDIRECT_SLOTS */
    uint32_t copy_count;

    uint32_t drops[FGI_DROP_REASONS];
    uint32_t short_of; /**< bits of enum fgi_short: what the end of the frame must grow */
    struct fgi_cost pass_cost;
    struct fgi_cost work_cost;
    struct fgi_draws draws;
    struct fg_commands *next;
};

enum fgi_short {
    FGI_SHORT_PASSES = 1u << 0,
    FGI_SHORT_WORKS = 1u << 1,
    FGI_SHORT_ATTACHMENTS = 1u << 2,
    FGI_SHORT_BINDINGS = 1u << 3,
    FGI_SHORT_BRACKETS = 1u << 4,
    FGI_SHORT_EXECUTES = 1u << 5,
    FGI_SHORT_TEXT = 1u << 6,
};

/* commands.c */
void fgi_commands_free(struct fgi_recorder *recorder, struct fg_commands *commands);
/** Back to the free list, arrays grown where they were short. With the lock. */
void fgi_commands_recycle(struct fgi_recorder *recorder, struct fg_commands *commands);
/** One use less of a reused one; frees it when it was destroyed meanwhile. With the lock. */
void fgi_commands_release(struct fgi_recorder *recorder, struct fg_commands *commands);
#endif
