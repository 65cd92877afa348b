/* SPDX-License-Identifier: MIT */
/*
 * The draw entry points of OpenGL: X(instance, name, parameters, arguments, counted). Types are
 * spelled out, so that GL's headers are not needed; a test holds the lists against them.
 */
#ifndef FGI_DRAWS_OPENGL_LIST_H
#define FGI_DRAWS_OPENGL_LIST_H
#include "gpu/draws/draw_counts.h"
#include "gpu/draws/words.h"

/** GL calls a negative count an error, and draws nothing. */
static inline uint64_t fgi_gl_some(int count)
{
    return count > 0 ? (uint64_t)count : 0;
}

static inline struct fg_draw_counts fgi_gl_arrays(int count, int instances)
{
    return fgi_draws_plain(fgi_gl_some(count), fgi_gl_some(instances));
}

static inline struct fg_draw_counts fgi_gl_elements(int count, int instances)
{
    return fgi_draws_indexed(fgi_gl_some(count), fgi_gl_some(instances));
}

static inline uint64_t fgi_gl_sum(const int *counts, int draws)
{
    uint64_t total = 0;
    for (int i = 0; i < draws && counts != NULL; i++) {
        total += fgi_gl_some(counts[i]);
    }
    return total;
}

static inline struct fg_draw_counts fgi_gl_multi_arrays(const int *counts, int draws)
{
    return (struct fg_draw_counts){ .calls = 1,
                                    .draws = fgi_gl_some(draws),
                                    .vertices = fgi_gl_sum(counts, draws),
                                    .instances = fgi_gl_some(draws) };
}

static inline struct fg_draw_counts fgi_gl_multi_elements(const int *counts, int draws)
{
    return (struct fg_draw_counts){ .calls = 1,
                                    .draws = fgi_gl_some(draws),
                                    .indices = fgi_gl_sum(counts, draws),
                                    .instances = fgi_gl_some(draws) };
}

/** How many vertices were captured only the GPU knows. */
static inline struct fg_draw_counts fgi_gl_feedback(int instances)
{
    struct fg_draw_counts call = fgi_draws_unsized(1);
    call.instances = fgi_gl_some(instances);
    return call;
}

#define FGI_GL_ARRAYS(X, i, name)                                                                  \
    X(i, name, (fgi_gl_primitive mode, int first, int count), (mode, first, count),                \
      fgi_gl_arrays(count, 1))
#define FGI_GL_ELEMENTS(X, i, name)                                                                \
    X(i, name, (fgi_gl_primitive mode, int count, fgi_gl_enum type, fgi_gl_offset indices),        \
      (mode, count, type, indices), fgi_gl_elements(count, 1))
#define FGI_GL_RANGE(X, i, name)                                                                   \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, unsigned start, unsigned end, int count, fgi_gl_enum type,           \
       fgi_gl_offset indices),                                                                     \
      (mode, start, end, count, type, indices), fgi_gl_elements(count, 1))
#define FGI_GL_ARRAYS_INSTANCED(X, i, name)                                                        \
    X(i, name, (fgi_gl_primitive mode, int first, int count, int instancecount),                   \
      (mode, first, count, instancecount), fgi_gl_arrays(count, instancecount))
#define FGI_GL_ELEMENTS_INSTANCED(X, i, name)                                                      \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, int count, fgi_gl_enum type, fgi_gl_offset indices,                  \
       int instancecount),                                                                         \
      (mode, count, type, indices, instancecount), fgi_gl_elements(count, instancecount))
#define FGI_GL_ELEMENTS_BASE(X, i, name)                                                           \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, int count, fgi_gl_enum type, fgi_gl_offset indices, int basevertex), \
      (mode, count, type, indices, basevertex), fgi_gl_elements(count, 1))
#define FGI_GL_RANGE_BASE(X, i, name)                                                              \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, unsigned start, unsigned end, int count, fgi_gl_enum type,           \
       fgi_gl_offset indices, int basevertex),                                                     \
      (mode, start, end, count, type, indices, basevertex), fgi_gl_elements(count, 1))
#define FGI_GL_ELEMENTS_INSTANCED_BASE(X, i, name)                                                 \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, int count, fgi_gl_enum type, fgi_gl_offset indices,                  \
       int instancecount, int basevertex),                                                         \
      (mode, count, type, indices, instancecount, basevertex),                                     \
      fgi_gl_elements(count, instancecount))
#define FGI_GL_ARRAYS_FROM(X, i, name)                                                             \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, int first, int count, int instancecount, unsigned baseinstance),     \
      (mode, first, count, instancecount, baseinstance), fgi_gl_arrays(count, instancecount))
#define FGI_GL_ELEMENTS_FROM(X, i, name)                                                           \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, int count, fgi_gl_enum type, fgi_gl_offset indices,                  \
       int instancecount, unsigned baseinstance),                                                  \
      (mode, count, type, indices, instancecount, baseinstance),                                   \
      fgi_gl_elements(count, instancecount))
#define FGI_GL_ELEMENTS_BASE_FROM(X, i, name)                                                      \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, int count, fgi_gl_enum type, fgi_gl_offset indices,                  \
       int instancecount, int basevertex, unsigned baseinstance),                                  \
      (mode, count, type, indices, instancecount, basevertex, baseinstance),                       \
      fgi_gl_elements(count, instancecount))
#define FGI_GL_MULTI_ARRAYS(X, i, name)                                                            \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, FGI_ARRAY(drawcount) int *first, FGI_ARRAY(drawcount) int *count,    \
       int drawcount),                                                                             \
      (mode, first, count, drawcount), fgi_gl_multi_arrays(count, drawcount))
#define FGI_GL_MULTI_ELEMENTS(X, i, name)                                                          \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, FGI_ARRAY(drawcount) int *count, fgi_gl_enum type,                   \
       FGI_ARRAY(drawcount) fgi_gl_offset *indices, int drawcount),                                \
      (mode, count, type, indices, drawcount), fgi_gl_multi_elements(count, drawcount))
#define FGI_GL_MULTI_ELEMENTS_BASE(X, i, name)                                                     \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, FGI_ARRAY(drawcount) int *count, fgi_gl_enum type,                   \
       FGI_ARRAY(drawcount) fgi_gl_offset *indices, int drawcount,                                 \
       FGI_ARRAY(drawcount) int *basevertex),                                                      \
      (mode, count, type, indices, drawcount, basevertex),                                         \
      fgi_gl_multi_elements(count, drawcount))
#define FGI_GL_ARRAYS_INDIRECT(X, i, name)                                                         \
    X(i, name, (fgi_gl_primitive mode, fgi_gl_offset indirect), (mode, indirect),                  \
      fgi_draws_unsized(1))
#define FGI_GL_ELEMENTS_INDIRECT(X, i, name)                                                       \
    X(i, name, (fgi_gl_primitive mode, fgi_gl_enum type, fgi_gl_offset indirect),                  \
      (mode, type, indirect), fgi_draws_unsized(1))
#define FGI_GL_MULTI_ARRAYS_INDIRECT(X, i, name)                                                   \
    X(i, name, (fgi_gl_primitive mode, fgi_gl_offset indirect, int drawcount, int stride),         \
      (mode, indirect, drawcount, stride), fgi_draws_unsized(fgi_gl_some(drawcount)))
#define FGI_GL_MULTI_ELEMENTS_INDIRECT(X, i, name)                                                 \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, fgi_gl_enum type, fgi_gl_offset indirect, int drawcount,             \
       int stride),                                                                                \
      (mode, type, indirect, drawcount, stride), fgi_draws_unsized(fgi_gl_some(drawcount)))
#define FGI_GL_ARRAYS_INDIRECT_COUNT(X, i, name)                                                   \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, fgi_gl_offset indirect, intptr_t drawcount, int maxdrawcount,        \
       int stride),                                                                                \
      (mode, indirect, drawcount, maxdrawcount, stride),                                           \
      fgi_draws_uncounted(fgi_gl_some(maxdrawcount)))
#define FGI_GL_ELEMENTS_INDIRECT_COUNT(X, i, name)                                                 \
    X(i, name,                                                                                     \
      (fgi_gl_primitive mode, fgi_gl_enum type, fgi_gl_offset indirect, intptr_t drawcount,        \
       int maxdrawcount, int stride),                                                              \
      (mode, type, indirect, drawcount, maxdrawcount, stride),                                     \
      fgi_draws_uncounted(fgi_gl_some(maxdrawcount)))
#define FGI_GL_FEEDBACK(X, i, name)                                                                \
    X(i, name, (fgi_gl_primitive mode, unsigned id), (mode, id), fgi_draws_unsized(1))
#define FGI_GL_FEEDBACK_INSTANCED(X, i, name)                                                      \
    X(i, name, (fgi_gl_primitive mode, unsigned id, int instancecount), (mode, id, instancecount), \
      fgi_gl_feedback(instancecount))

/** Core names, of OpenGL 4.6. */
#define FGI_DRAWS_OPENGL_CORE(X, i)                                                                \
    FGI_GL_ARRAYS(X, i, DrawArrays)                                                                \
    FGI_GL_ELEMENTS(X, i, DrawElements)                                                            \
    FGI_GL_RANGE(X, i, DrawRangeElements)                                                          \
    FGI_GL_ARRAYS_INSTANCED(X, i, DrawArraysInstanced)                                             \
    FGI_GL_ELEMENTS_INSTANCED(X, i, DrawElementsInstanced)                                         \
    FGI_GL_ELEMENTS_BASE(X, i, DrawElementsBaseVertex)                                             \
    FGI_GL_RANGE_BASE(X, i, DrawRangeElementsBaseVertex)                                           \
    FGI_GL_ELEMENTS_INSTANCED_BASE(X, i, DrawElementsInstancedBaseVertex)                          \
    FGI_GL_ARRAYS_FROM(X, i, DrawArraysInstancedBaseInstance)                                      \
    FGI_GL_ELEMENTS_FROM(X, i, DrawElementsInstancedBaseInstance)                                  \
    FGI_GL_ELEMENTS_BASE_FROM(X, i, DrawElementsInstancedBaseVertexBaseInstance)                   \
    FGI_GL_MULTI_ARRAYS(X, i, MultiDrawArrays)                                                     \
    FGI_GL_MULTI_ELEMENTS(X, i, MultiDrawElements)                                                 \
    FGI_GL_MULTI_ELEMENTS_BASE(X, i, MultiDrawElementsBaseVertex)                                  \
    FGI_GL_ARRAYS_INDIRECT(X, i, DrawArraysIndirect)                                               \
    FGI_GL_ELEMENTS_INDIRECT(X, i, DrawElementsIndirect)                                           \
    FGI_GL_MULTI_ARRAYS_INDIRECT(X, i, MultiDrawArraysIndirect)                                    \
    FGI_GL_MULTI_ELEMENTS_INDIRECT(X, i, MultiDrawElementsIndirect)                                \
    FGI_GL_ARRAYS_INDIRECT_COUNT(X, i, MultiDrawArraysIndirectCount)                               \
    FGI_GL_ELEMENTS_INDIRECT_COUNT(X, i, MultiDrawElementsIndirectCount)                           \
    FGI_GL_FEEDBACK(X, i, DrawTransformFeedback)                                                   \
    FGI_GL_FEEDBACK_INSTANCED(X, i, DrawTransformFeedbackInstanced)                                \
    X(i, DrawTransformFeedbackStream, (fgi_gl_primitive mode, unsigned id, unsigned stream),       \
      (mode, id, stream), fgi_draws_unsized(1))                                                    \
    X(i, DrawTransformFeedbackStreamInstanced,                                                     \
      (fgi_gl_primitive mode, unsigned id, unsigned stream, int instancecount),                    \
      (mode, id, stream, instancecount), fgi_gl_feedback(instancecount))                           \
    X(i, DispatchCompute, (unsigned num_groups_x, unsigned num_groups_y, unsigned num_groups_z),   \
      (num_groups_x, num_groups_y, num_groups_z),                                                  \
      fgi_draws_dispatch(num_groups_x, num_groups_y, num_groups_z))                                \
    X(i, DispatchComputeIndirect, (intptr_t indirect), (indirect), fgi_draws_dispatch_indirect())

/** The same under the names of extensions, and what only extensions have. */
#define FGI_DRAWS_OPENGL_EXTENSIONS(X, i)                                                          \
    FGI_GL_ARRAYS(X, i, DrawArraysEXT)                                                             \
    FGI_GL_RANGE(X, i, DrawRangeElementsEXT)                                                       \
    FGI_GL_ARRAYS_INSTANCED(X, i, DrawArraysInstancedARB)                                          \
    FGI_GL_ARRAYS_INSTANCED(X, i, DrawArraysInstancedEXT)                                          \
    FGI_GL_ARRAYS_INSTANCED(X, i, DrawArraysInstancedNV)                                           \
    FGI_GL_ARRAYS_INSTANCED(X, i, DrawArraysInstancedANGLE)                                        \
    FGI_GL_ELEMENTS_INSTANCED(X, i, DrawElementsInstancedARB)                                      \
    FGI_GL_ELEMENTS_INSTANCED(X, i, DrawElementsInstancedEXT)                                      \
    FGI_GL_ELEMENTS_INSTANCED(X, i, DrawElementsInstancedNV)                                       \
    FGI_GL_ELEMENTS_INSTANCED(X, i, DrawElementsInstancedANGLE)                                    \
    FGI_GL_ELEMENTS_BASE(X, i, DrawElementsBaseVertexEXT)                                          \
    FGI_GL_ELEMENTS_BASE(X, i, DrawElementsBaseVertexOES)                                          \
    FGI_GL_RANGE_BASE(X, i, DrawRangeElementsBaseVertexEXT)                                        \
    FGI_GL_RANGE_BASE(X, i, DrawRangeElementsBaseVertexOES)                                        \
    FGI_GL_ELEMENTS_INSTANCED_BASE(X, i, DrawElementsInstancedBaseVertexEXT)                       \
    FGI_GL_ELEMENTS_INSTANCED_BASE(X, i, DrawElementsInstancedBaseVertexOES)                       \
    FGI_GL_ARRAYS_FROM(X, i, DrawArraysInstancedBaseInstanceEXT)                                   \
    FGI_GL_ELEMENTS_FROM(X, i, DrawElementsInstancedBaseInstanceEXT)                               \
    FGI_GL_ELEMENTS_BASE_FROM(X, i, DrawElementsInstancedBaseVertexBaseInstanceEXT)                \
    FGI_GL_MULTI_ARRAYS(X, i, MultiDrawArraysEXT)                                                  \
    FGI_GL_MULTI_ELEMENTS(X, i, MultiDrawElementsEXT)                                              \
    FGI_GL_MULTI_ELEMENTS_BASE(X, i, MultiDrawElementsBaseVertexEXT)                               \
    FGI_GL_MULTI_ARRAYS_INDIRECT(X, i, MultiDrawArraysIndirectAMD)                                 \
    FGI_GL_MULTI_ARRAYS_INDIRECT(X, i, MultiDrawArraysIndirectEXT)                                 \
    FGI_GL_MULTI_ELEMENTS_INDIRECT(X, i, MultiDrawElementsIndirectAMD)                             \
    FGI_GL_MULTI_ELEMENTS_INDIRECT(X, i, MultiDrawElementsIndirectEXT)                             \
    FGI_GL_ARRAYS_INDIRECT_COUNT(X, i, MultiDrawArraysIndirectCountARB)                            \
    FGI_GL_ELEMENTS_INDIRECT_COUNT(X, i, MultiDrawElementsIndirectCountARB)                        \
    FGI_GL_FEEDBACK(X, i, DrawTransformFeedbackEXT)                                                \
    FGI_GL_FEEDBACK(X, i, DrawTransformFeedbackNV)                                                 \
    FGI_GL_FEEDBACK_INSTANCED(X, i, DrawTransformFeedbackInstancedEXT)                             \
    X(i, DispatchComputeGroupSizeARB,                                                              \
      (unsigned num_groups_x, unsigned num_groups_y, unsigned num_groups_z, unsigned group_size_x, \
       unsigned group_size_y, unsigned group_size_z),                                              \
      (num_groups_x, num_groups_y, num_groups_z, group_size_x, group_size_y, group_size_z),        \
      fgi_draws_dispatch(num_groups_x, num_groups_y, num_groups_z))                                \
    X(i, DrawMeshTasksNV, (unsigned first, unsigned count), (first, count), fgi_draws_unsized(1))  \
    X(i, DrawMeshTasksIndirectNV, (intptr_t indirect), (indirect), fgi_draws_unsized(1))           \
    X(i, MultiDrawMeshTasksIndirectNV, (intptr_t indirect, int drawcount, int stride),             \
      (indirect, drawcount, stride), fgi_draws_unsized(fgi_gl_some(drawcount)))                    \
    X(i, MultiDrawMeshTasksIndirectCountNV,                                                        \
      (intptr_t indirect, intptr_t drawcount, int maxdrawcount, int stride),                       \
      (indirect, drawcount, maxdrawcount, stride), fgi_draws_uncounted(fgi_gl_some(maxdrawcount)))

#define FGI_DRAWS_OPENGL(X, i) FGI_DRAWS_OPENGL_CORE(X, i) FGI_DRAWS_OPENGL_EXTENSIONS(X, i)

#endif
