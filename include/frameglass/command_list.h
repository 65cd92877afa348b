/* SPDX-License-Identifier: MIT */
/*
 * What one frame asks of OpenGL or Vulkan, in order, as text: every draw, dispatch, copy and clear
 * with its arguments by name, and the binds and states around them.
 *
 *     static const struct fg_draw_slot slots[] = {
 *         { "glDrawArrays", (void **)&gl.DrawArrays },
 *         { "glUseProgram", (void **)&gl.UseProgram },
 *     };
 *     fg_command_list_create(&(const struct fg_command_list_options){
 *         .slots = slots, .slot_count = 2 }, &list);    all memory, once; nothing is changed yet
 *     fg_command_list_begin(list);                      the slots hold wrappers
 *     ... the frame ...
 *     fg_command_list_end(list);                        and what they held
 *     fg_command_list_write(list, &sink);
 *
 * Known are the entry points that fg_draw_counter_knows(), and of OpenGL 3.3 to 4.6, OpenGL ES 3
 * and Vulkan those that clear, copy, bind, set states, wait for memory, name groups, and submit:
 * see fg_command_list_knows(). Uniforms, uploads of pixels and everything that makes or destroys
 * objects are not in a list.
 *
 * A list has a section for each thread that calls OpenGL, and for each recording of a Vulkan
 * command buffer. Sections of command buffers are in the order of their submission if
 * vkQueueSubmit, vkQueueSubmit2 or vkQueueSubmit2KHR is among the slots, or
 * fg_command_list_submitted() tells it; else, and for those that were not submitted, in that of
 * their begins. vkBeginCommandBuffer among the slots tells where a recording begins.
 *
 * Objects of Vulkan are numbered by type as the text first names them, so that the lists of equal
 * frames are equal. Draws are numbered as fg_draw_counter counts them, and the sums at the end are
 * what a counter of the same slots takes from the frame.
 *
 * A call that is listed costs a lock and a copy of its arguments. What does not fit is counted, and
 * the text says so: of each section the first part is complete.
 */
#ifndef FG_COMMAND_LIST_H
#define FG_COMMAND_LIST_H
#include <frameglass/draw_counter.h>
FG_BEGIN_DECLS

struct fg_command_list;

/** Zero is every field's default. Borrowed for the call. */
struct fg_command_list_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the list */
    const struct fg_draw_slot *slots;     /**< copied; what they point to outlives the list */
    size_t slot_count;                    /**< names that are not known are skipped */
    /** Maxima of one list. All memory is taken at the creation. */
    uint32_t bytes_max;    /**< of calls and arguments, some 64 each; 0 = 8 MiB */
    uint32_t sections_max; /**< 0 = 1024 */
    uint32_t objects_max;  /**< of Vulkan, that are numbered; 0 = 8192 */
    /**
     * The application's name of an object, or NULL; asked by fg_command_list_write() only.
     * @param kind "VkPipeline", "VkImageView", ...; of OpenGL "program", "framebuffer", "texture",
     *             "buffer", "vertex array", "sampler", "renderbuffer", "query", "pipeline"
     */
    const char *(*name_of)(void *context, const char *kind, uint64_t object);
    void *name_context;
};

/** Of the frame that is listed. */
struct fg_command_list_facts {
    struct fg_draw_counts counts; /**< of all calls, also of those that did not fit */
    uint64_t commands;            /**< that the text has; begins and ends of scopes are none */
    uint64_t lost_commands;       /**< no room: bytes_max or sections_max */
    uint32_t sections;
    uint32_t submissions; /**< calls that submit, or that were told */
};

/** Whether calls of the entry point can be listed. Threads: any. */
FG_API bool fg_command_list_knows(const char *name);

/**
 * @param out_list owned: fg_command_list_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT (also: one name twice), FG_ERR_LIMIT, FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_command_list_create(
    const struct fg_command_list_options *options, struct fg_command_list **out_list);
/** Ends. NULL is legal. Between frames, as fg_command_list_end(). */
FG_API void fg_command_list_destroy(struct fg_command_list *list);

/**
 * List everything from here on, and forget what was listed before.
 *
 * @return FG_OK; FG_ERR_ARGUMENT (list is NULL); FG_ERR_BUSY (some list of this process runs: one
 *         at a time; or an end left a slot, which holds somebody else's function still: calls that
 *         do not come through the wrapper would be missing in silence)
 *
 * Threads: none may call through the slots meanwhile: between frames.
 */
FG_API FG_MUST_USE enum fg_result fg_command_list_begin(struct fg_command_list *list);
/**
 * Put back what the slots held. A slot that somebody has patched since stays as it is: the wrapper
 * behind it only forwards. NULL is legal, and so is a list that does not run.
 *
 * @return FG_OK; FG_ERR_BUSY (a slot was changed by somebody else, and was left)
 *
 * Threads: as begin.
 */
FG_API enum fg_result fg_command_list_end(struct fg_command_list *list);
/** NULL: false. Threads: any, but not during begin and end; so for all of these but destroy. */
FG_API bool fg_command_list_is_on(const struct fg_command_list *list);

/*
 * Names of the application's own around its calls: phases, passes, nodes of its scene. With a list
 * that is NULL or does not run they cost a branch.
 */
/**
 * @param commands a VkCommandBuffer; NULL = the calling thread's calls of OpenGL
 * @param name     copied, up to 200 bytes
 */
FG_API void fg_command_list_scope_begin(struct fg_command_list *list, const void *commands,
                                        const char *name);
/** The innermost scope ends. Without one nothing happens. */
FG_API void fg_command_list_scope_end(struct fg_command_list *list, const void *commands);
/**
 * A submission that no slot tells of; a paused thread's is left out.
 * @param commands VkCommandBuffers, in their order
 */
FG_API void fg_command_list_submitted(struct fg_command_list *list, const void *const *commands,
                                      uint32_t count);

/** The calling thread's calls are not listed from here to the resume: a profiler's own. Nests. */
FG_API void fg_command_list_pause(struct fg_command_list *list);
FG_API void fg_command_list_resume(struct fg_command_list *list);

/** All zero when list is NULL; nothing happens when out_facts is. While it runs: so far. */
FG_API void fg_command_list_get_facts(struct fg_command_list *list,
                                      struct fg_command_list_facts *out_facts);
/**
 * The frame that was listed last, as UTF-8 text. docs/COMMANDS.md describes it.
 *
 * @return FG_OK; FG_ERR_STATE (the list runs, or has not run yet); what the sink refuses with
 */
FG_API FG_MUST_USE enum fg_result fg_command_list_write(struct fg_command_list *list,
                                                        const struct fg_sink *sink);
/** The same into a file, which is replaced. @return also FG_ERR_IO, FG_ERR_NO_MEMORY */
FG_API FG_MUST_USE enum fg_result fg_command_list_write_file(struct fg_command_list *list,
                                                             const char *path);

FG_END_DECLS
#endif
