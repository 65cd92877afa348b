/* SPDX-License-Identifier: MIT */
/*
 * What a command buffer does, told while it is recorded: passes, draws, dispatches, state.
 *
 * Nothing here takes a lock, allocates, or writes memory that another thread writes; nothing fails:
 * what there is no room for is counted in the frame. Every function accepts NULL commands and then
 * does nothing, after one test.
 */
#ifndef FG_GPU_H
#define FG_GPU_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_commands;
struct fg_device;
struct fg_frame;

enum fg_commands_flags {
    /**
     * The command buffer will be submitted more than once (each time it is named in
     * fg_frame_submit()). It belongs to the device, not to a frame.
     */
    FG_COMMANDS_REUSED = 1u << 0,
    /** Secondary: executed by another command buffer of the same submission. */
    FG_COMMANDS_SECONDARY = 1u << 1,
    /** The command buffer is recorded inside a render pass that it inherits: no resets in it. */
    FG_COMMANDS_IN_RENDER_PASS = 1u << 2,
    /**
     * Reused, and may be pending more than once at a time: its passes cannot be timed. Each
     * submission of it is timed as a whole instead, and that is counted.
     */
    FG_COMMANDS_SIMULTANEOUS = 1u << 3,
};

struct fg_commands_desc {
    /**
     * VkCommandBuffer or struct fg_software_commands *, in the recording state; for OpenGL the
     * struct fg_device * itself. Required.
     */
    void *native;
    uint32_t queue; /**< index in the device's queues: where it will be submitted */
    uint32_t flags; /**< enum fg_commands_flags */
};

/**
 * Start to watch one command buffer, right after its own begin. One context per recording; several
 * threads may record several of them at once.
 *
 * @param frame the frame that it will be submitted in; NULL: returns NULL
 * @return lent until fg_frame_end(); NULL when refused (counted in the frame): then it is as if
 *         nothing were recorded
 *
 * Threads: any. Takes the device's lock once.
 */
FG_API struct fg_commands *fg_commands_begin(struct fg_frame *frame,
                                             const struct fg_commands_desc *desc);

/**
 * As above for a command buffer that is recorded once and submitted in many frames
 * (FG_COMMANDS_REUSED is implied).
 *
 * Worth it whether or not a session records now: later ones get its times. While such a command
 * buffer exists, fg_frame_begin() never returns NULL for want of a session, because each of its
 * submissions needs the extras of fg_frame_submit().
 *
 * @return owned; fg_commands_destroy(); NULL when refused: then it is as if nothing were recorded
 */
FG_API struct fg_commands *fg_commands_create(struct fg_device *device,
                                              const struct fg_commands_desc *desc);
/** Only for fg_commands_create(). The command buffer is no longer in use. NULL is legal. */
FG_API void fg_commands_destroy(struct fg_commands *commands);

/**
 * The command buffer's recording is about to end. Closes what is still open, counted as unclosed.
 * Threads: the one that records.
 */
FG_API void fg_commands_end(struct fg_commands *commands);

/**
 * The command buffer executes secondary ones here. They count only when the one that executes them
 * is submitted; their passes become children of the pass that is open here.
 */
FG_API void fg_gpu_execute(struct fg_commands *commands, struct fg_commands *const *secondaries,
                           uint32_t count);

enum fg_gpu_pass_kind {
    FG_GPU_PASS_OTHER = 0,
    FG_GPU_PASS_RENDER = 1,
    FG_GPU_PASS_COMPUTE = 2,
    FG_GPU_PASS_TRANSFER = 3,
    FG_GPU_PASS_RAY_TRACING = 4,
    FG_GPU_PASS_MARKER = 5, /**< inside a pass, driver-dependent: never mixed with passes */
};

/** Values as in VkAttachmentLoadOp, one higher. */
enum fg_load_op {
    FG_LOAD_UNKNOWN = 0,
    FG_LOAD_LOAD = 1,
    FG_LOAD_CLEAR = 2,
    FG_LOAD_DISCARD = 3,
    FG_LOAD_NONE = 4
};
/** Values as in VkAttachmentStoreOp, one higher. */
enum fg_store_op {
    FG_STORE_UNKNOWN = 0,
    FG_STORE_STORE = 1,
    FG_STORE_DISCARD = 2,
    FG_STORE_NONE = 3
};

enum fg_attachment_kind {
    FG_ATTACHMENT_COLOR = 0,
    FG_ATTACHMENT_DEPTH = 1,
    FG_ATTACHMENT_STENCIL = 2,
    FG_ATTACHMENT_DEPTH_STENCIL = 3,
    FG_ATTACHMENT_RESOLVE = 4,
};
struct fg_attachment {
    enum fg_attachment_kind kind;
    uint32_t format; /**< a VkFormat value; 0 = unknown */
    enum fg_load_op load;
    enum fg_store_op store;
    uint32_t samples; /**< 0 = not said */
    uint32_t width;
    uint32_t height;
    uint64_t resource; /**< fg_graph_resource.id; 0 = not said */
};

struct fg_gpu_pass_desc {
    const char *label; /**< copied; NULL = ""; need not be unique */
    enum fg_gpu_pass_kind kind;
    uint32_t attachment_count;
    const struct fg_attachment *attachments; /**< copied, at most 16 */
    /**
     * 0 = a pass of its own. Otherwise passes of one frame with the same number are fragments of
     * one logical pass, in whatever command buffer and queue they are.
     */
    uint64_t logical;
    bool statistics; /**< with pipeline statistics, where the device and the session have them */
};

/**
 * Begin a GPU pass; outside a render pass of the native interface (markers: anywhere that a
 * timestamp may be written). Passes nest up to 16 deep; only markers should be inside others.
 *
 * @param desc NULL = an unnamed compute pass. Never modified.
 */
FG_API void fg_gpu_pass_begin(struct fg_commands *commands, const struct fg_gpu_pass_desc *desc);
FG_API void fg_gpu_pass_end(struct fg_commands *commands);

/** A shader pipeline, named once. */
struct fg_pipeline_desc {
    const char *label;     /**< copied; NULL = "" */
    uint32_t workgroup[3]; /**< threads of a compute workgroup; {0, 0, 0} = unknown */
};
/**
 * @return id for fg_gpu_pipeline(), the same for an equal description; 0 when refused
 *
 * Threads: any. Takes the device's lock. NULL device: returns 0.
 */
FG_API uint32_t fg_pipeline_register(struct fg_device *device, const struct fg_pipeline_desc *desc);
/** The draws and dispatches that follow on these commands use this pipeline (0 = unknown). */
FG_API void fg_gpu_pipeline(struct fg_commands *commands, uint32_t pipeline);

FG_API void fg_gpu_draw(struct fg_commands *commands, uint32_t vertex_count,
                        uint32_t instance_count);
FG_API void fg_gpu_draw_indexed(struct fg_commands *commands, uint32_t index_count,
                                uint32_t instance_count);
FG_API void fg_gpu_draw_mesh(struct fg_commands *commands, uint32_t x, uint32_t y, uint32_t z);
FG_API void fg_gpu_trace_rays(struct fg_commands *commands, uint32_t x, uint32_t y, uint32_t z);
FG_API void fg_gpu_dispatch(struct fg_commands *commands, uint32_t x, uint32_t y, uint32_t z);

/** Arguments that the GPU reads from a buffer. */
struct fg_indirect {
    uint64_t buffer;       /**< native handle: VkBuffer as a number */
    uint64_t offset_bytes; /**< of the first argument structure */
    uint32_t draw_count;   /**< most draws; dispatches: ignored */
    uint32_t stride_bytes;
    uint64_t count_buffer; /**< where the GPU reads the number of draws; 0 = nowhere */
    uint64_t count_offset_bytes;
    uint64_t resource; /**< fg_graph_resource.id of the buffer; 0 = not said */
};
/** @param indirect copied */
FG_API void fg_gpu_draw_indirect(struct fg_commands *commands, const struct fg_indirect *indirect);
FG_API void fg_gpu_draw_indexed_indirect(struct fg_commands *commands,
                                         const struct fg_indirect *indirect);
FG_API void fg_gpu_dispatch_indirect(struct fg_commands *commands,
                                     const struct fg_indirect *indirect);

/** Copies and clears. @param bytes 0 = not known */
FG_API void fg_gpu_copy(struct fg_commands *commands, uint64_t bytes);
FG_API void fg_gpu_clear(struct fg_commands *commands);

enum fg_binding_kind {
    FG_BINDING_OTHER = 0,
    FG_BINDING_SAMPLER = 1,
    FG_BINDING_SAMPLED_TEXTURE = 2,
    FG_BINDING_STORAGE_TEXTURE = 3,
    FG_BINDING_UNIFORM_BUFFER = 4,
    FG_BINDING_STORAGE_BUFFER = 5,
    FG_BINDING_TEXEL_BUFFER = 6,
    FG_BINDING_INPUT_ATTACHMENT = 7,
    FG_BINDING_ACCELERATION_STRUCTURE = 8,
    FG_BINDING_INLINE = 9, /**< push constants */
};
/** One thing that a shader can see. Kept by sessions of level verbose only. */
struct fg_binding {
    enum fg_binding_kind kind;
    uint32_t set;
    uint32_t slot;
    uint32_t element;  /**< of an array */
    uint64_t resource; /**< fg_graph_resource.id, or a native handle; 0 = nothing bound */
    uint64_t offset_bytes;
    uint64_t size_bytes; /**< 0 = all of it */
};
/**
 * Bound for the work that follows, until the same set and slot is bound again. Copied. A binding of
 * kind FG_BINDING_OTHER without a resource empties its slot.
 */
FG_API void fg_gpu_bind(struct fg_commands *commands, const struct fg_binding *bindings,
                        uint32_t count);

FG_END_DECLS
#endif
