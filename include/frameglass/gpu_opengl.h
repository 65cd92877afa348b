/* SPDX-License-Identifier: MIT */
/*
 * OpenGL contexts: desktop OpenGL 3.3 and later, and OpenGL ES 3 with EXT_disjoint_timer_query.
 * Needs neither GL's headers nor a loader: entry points come through the getter that the
 * application has anyway.
 *
 *     enum fg_result result = fg_opengl_device_create(
 *         FG_OPENGL_OPTIONS(.get_proc_address = eglGetProcAddress), &device);
 *     each frame:
 *         frame = fg_frame_begin(device);
 *         commands = fg_opengl_commands_begin(device, frame);
 *         fg_gpu_pass_begin(commands, ...); GL calls; fg_gpu_pass_end(commands);
 *         fg_commands_end(commands);
 *         fg_frame_end(frame);                        around the swap; no fg_frame_submit()
 *
 * What is put into the application's stream of commands: two timestamps per GPU pass, or elapsed
 * queries where there are no timestamps; pipeline statistics where asked for, of at most 32 passes
 * in a command buffer; debug groups. Nothing is flushed, nothing is waited for, no error state is
 * read or left behind.
 *
 * A driver submits when it likes, so nobody can tell when: fg_frame_submit() is not called. All
 * command buffers of a frame are taken to run in the order of their begins. Reused ones
 * (fg_commands_create()) cannot be timed: GL has none.
 *
 * What an extension would give and the context does not have is left out, and the capture says so:
 * without any timer query passes are recorded and have no times.
 */
#ifndef FG_GPU_OPENGL_H
#define FG_GPU_OPENGL_H
#include <frameglass/base.h>
#include <frameglass/gpu.h>
#include <frameglass/session.h>
FG_BEGIN_DECLS

/** An entry point, to be cast to its own type. */
typedef void (*fg_opengl_function)(void);
/**
 * As eglGetProcAddress() and glfwGetProcAddress() are declared; others are cast. NULL for what is
 * not there. It has no context pointer because GL's own functions have none.
 */
typedef fg_opengl_function fg_opengl_getter(const char *name);

enum fg_opengl_flags {
    /* What not to use, although it is there. */
    FG_OPENGL_NO_TIMESTAMPS = 1u << 0, /**< elapsed queries instead */
    FG_OPENGL_NO_ELAPSED = 1u << 1,    /**< never elapsed queries: the application has its own */
    FG_OPENGL_NO_PIPELINE_STATISTICS = 1u << 2,
    FG_OPENGL_NO_CALIBRATION = 1u << 3,
    FG_OPENGL_NO_MEMORY_INFO = 1u << 4,
    FG_OPENGL_NO_DEBUG_GROUPS = 1u << 5,
};

/** Zero is the default of every field that is not said to be required. Borrowed for the call. */
struct fg_opengl_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the device and its sessions */
    struct fg_recorder_limits limits;     /**< passes: 0 = 256 */
    uint32_t flags;                       /**< enum fg_opengl_flags */
    fg_opengl_getter *get_proc_address;   /**< required */
    /**
     * The context's own handle (EGLContext, GLXContext), so that it has one stamping owner; NULL =
     * it is not watched.
     */
    const void *native_context;
    const char *queue_name; /**< copied; the track's name; NULL = "graphics" */
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_OPENGL_OPTIONS(...) (&(const struct fg_opengl_options){ __VA_ARGS__ })

/**
 * Make a recorder's device of the context that is current on the calling thread.
 *
 * @param out_device owned; fg_device_destroy() while the context is current on this thread.
 * Untouched on failure.
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; FG_ERR_BUSY (the context has a stamping owner);
 *         FG_ERR_UNSUPPORTED (no context is current, or it is older than OpenGL 3.0 or ES 3.0:
 *         from there to 3.3 it is taken as it is, with the timers that it has)
 *
 * Threads: the device belongs to the calling thread, see fg_opengl_adopt(). Frames, command buffers
 * and fg_device_destroy() are that thread's, and so is fg_session_finish(), if the last results are
 * to be waited for. Other calls are as session.h says: on another thread they do all but call GL.
 */
FG_API FG_MUST_USE enum fg_result fg_opengl_device_create(const struct fg_opengl_options *options,
                                                          struct fg_device **out_device);

/**
 * The context was released on the thread that had it and is now current on the calling one: the
 * device moves along. NULL is legal.
 */
FG_API void fg_opengl_adopt(struct fg_device *device);

/** fg_commands_begin(); for GL, fg_commands_desc.native is the device itself, the queue is 0. */
FG_API struct fg_commands *fg_opengl_commands_begin(struct fg_device *device,
                                                    struct fg_frame *frame);

enum fg_opengl_timing {
    FG_OPENGL_TIMING_NONE = 0, /**< passes have no times */
    FG_OPENGL_TIMING_STAMPS = 1,
    /**
     * Durations only. Passes are laid end to end in the order of their commands: gaps between them
     * are not seen, and the clock is nominal. Only one such query can run in a context, so while
     * the application runs one of its own, passes have no times.
     */
    FG_OPENGL_TIMING_ELAPSED = 2,
};
/** As decided when it was made. Threads: any. */
FG_API enum fg_opengl_timing fg_opengl_get_timing(const struct fg_device *device);

/** What has happened so far. */
struct fg_opengl_counts {
    uint32_t queries;       /**< query objects ever made: frames must not add to it */
    uint32_t queries_alive; /**< and not deleted */
    uint32_t disjoint;      /**< times that the driver said that its clock was disturbed */
    /* Passes whose times were not believed, and why: they are in the capture as missing. */
    uint32_t passes_disjoint;
    /** Longer than the host says they can be, earlier than what came before, or a stamp of 0. */
    uint32_t passes_impossible;
    uint32_t passes_in_the_way; /**< the application's own elapsed query was running */
    uint32_t other_threads;     /**< calls that would have needed GL on a thread without it */
};
/** Threads: any; exact only while no other thread records. */
FG_API void fg_opengl_get_counts(const struct fg_device *device,
                                 struct fg_opengl_counts *out_counts);

FG_END_DECLS
#endif
