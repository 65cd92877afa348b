/* SPDX-License-Identifier: MIT */
/*
 * The draw entry points of OpenGL: X(instance, name, parameters, arguments, counted). Types are
 * spelled out, so that GL's headers are not needed; a test holds the lists against them.
 */
#ifndef FGI_DRAWS_OPENGL_LIST_H
#define FGI_DRAWS_OPENGL_LIST_H

#define FGI_GL_ARRAYS(X, i, name)                                                                  \
    X(i, name, (unsigned mode, int first, int count), (mode, first, count), arrays(count, 1))
#define FGI_GL_ELEMENTS(X, i, name)                                                                \
    X(i, name, (unsigned mode, int count, unsigned type, const void *indices),                     \
      (mode, count, type, indices), elements(count, 1))
#define FGI_GL_RANGE(X, i, name)                                                                   \
    X(i, name,                                                                                     \
      (unsigned mode, unsigned start, unsigned end, int count, unsigned type,                      \
       const void *indices),                                                                       \
      (mode, start, end, count, type, indices), elements(count, 1))
#define FGI_GL_ARRAYS_INSTANCED(X, i, name)                                                        \
    X(i, name, (unsigned mode, int first, int count, int instances),                               \
      (mode, first, count, instances), arrays(count, instances))
#define FGI_GL_ELEMENTS_INSTANCED(X, i, name)                                                      \
    X(i, name, (unsigned mode, int count, unsigned type, const void *indices, int instances),      \
      (mode, count, type, indices, instances), elements(count, instances))
#define FGI_GL_ELEMENTS_BASE(X, i, name)                                                           \
    X(i, name, (unsigned mode, int count, unsigned type, const void *indices, int base),           \
      (mode, count, type, indices, base), elements(count, 1))
#define FGI_GL_RANGE_BASE(X, i, name)                                                              \
    X(i, name,                                                                                     \
      (unsigned mode, unsigned start, unsigned end, int count, unsigned type, const void *indices, \
       int base),                                                                                  \
      (mode, start, end, count, type, indices, base), elements(count, 1))
#define FGI_GL_ELEMENTS_INSTANCED_BASE(X, i, name)                                                 \
    X(i, name,                                                                                     \
      (unsigned mode, int count, unsigned type, const void *indices, int instances, int base),     \
      (mode, count, type, indices, instances, base), elements(count, instances))
#define FGI_GL_ARRAYS_FROM(X, i, name)                                                             \
    X(i, name, (unsigned mode, int first, int count, int instances, unsigned from),                \
      (mode, first, count, instances, from), arrays(count, instances))
#define FGI_GL_ELEMENTS_FROM(X, i, name)                                                           \
    X(i, name,                                                                                     \
      (unsigned mode, int count, unsigned type, const void *indices, int instances,                \
       unsigned from),                                                                             \
      (mode, count, type, indices, instances, from), elements(count, instances))
#define FGI_GL_ELEMENTS_BASE_FROM(X, i, name)                                                      \
    X(i, name,                                                                                     \
      (unsigned mode, int count, unsigned type, const void *indices, int instances, int base,      \
       unsigned from),                                                                             \
      (mode, count, type, indices, instances, base, from), elements(count, instances))
#define FGI_GL_MULTI_ARRAYS(X, i, name)                                                            \
    X(i, name, (unsigned mode, const int *first, const int *count, int draws),                     \
      (mode, first, count, draws), multi_arrays(count, draws))
#define FGI_GL_MULTI_ELEMENTS(X, i, name)                                                          \
    X(i, name,                                                                                     \
      (unsigned mode, const int *count, unsigned type, const void *const *indices, int draws),     \
      (mode, count, type, indices, draws), multi_elements(count, draws))
#define FGI_GL_MULTI_ELEMENTS_BASE(X, i, name)                                                     \
    X(i, name,                                                                                     \
      (unsigned mode, const int *count, unsigned type, const void *const *indices, int draws,      \
       const int *base),                                                                           \
      (mode, count, type, indices, draws, base), multi_elements(count, draws))
#define FGI_GL_ARRAYS_INDIRECT(X, i, name)                                                         \
    X(i, name, (unsigned mode, const void *at), (mode, at), fgi_draws_unsized(1))
#define FGI_GL_ELEMENTS_INDIRECT(X, i, name)                                                       \
    X(i, name, (unsigned mode, unsigned type, const void *at), (mode, type, at),                   \
      fgi_draws_unsized(1))
#define FGI_GL_MULTI_ARRAYS_INDIRECT(X, i, name)                                                   \
    X(i, name, (unsigned mode, const void *at, int draws, int stride), (mode, at, draws, stride),  \
      fgi_draws_unsized(some(draws)))
#define FGI_GL_MULTI_ELEMENTS_INDIRECT(X, i, name)                                                 \
    X(i, name, (unsigned mode, unsigned type, const void *at, int draws, int stride),              \
      (mode, type, at, draws, stride), fgi_draws_unsized(some(draws)))
#define FGI_GL_ARRAYS_INDIRECT_COUNT(X, i, name)                                                   \
    X(i, name, (unsigned mode, const void *at, intptr_t count_at, int most, int stride),           \
      (mode, at, count_at, most, stride), fgi_draws_uncounted(some(most)))
#define FGI_GL_ELEMENTS_INDIRECT_COUNT(X, i, name)                                                 \
    X(i, name,                                                                                     \
      (unsigned mode, unsigned type, const void *at, intptr_t count_at, int most, int stride),     \
      (mode, type, at, count_at, most, stride), fgi_draws_uncounted(some(most)))
#define FGI_GL_FEEDBACK(X, i, name)                                                                \
    X(i, name, (unsigned mode, unsigned id), (mode, id), fgi_draws_unsized(1))
#define FGI_GL_FEEDBACK_INSTANCED(X, i, name)                                                      \
    X(i, name, (unsigned mode, unsigned id, int instances), (mode, id, instances),                 \
      feedback(instances))

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
    X(i, DrawTransformFeedbackStream, (unsigned mode, unsigned id, unsigned stream),               \
      (mode, id, stream), fgi_draws_unsized(1))                                                    \
    X(i, DrawTransformFeedbackStreamInstanced,                                                     \
      (unsigned mode, unsigned id, unsigned stream, int instances), (mode, id, stream, instances), \
      feedback(instances))                                                                         \
    X(i, DispatchCompute, (unsigned x, unsigned y, unsigned z), (x, y, z),                         \
      fgi_draws_dispatch(x, y, z))                                                                 \
    X(i, DispatchComputeIndirect, (intptr_t at), (at), fgi_draws_dispatch_indirect())

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
      (unsigned x, unsigned y, unsigned z, unsigned width, unsigned height, unsigned depth),       \
      (x, y, z, width, height, depth), fgi_draws_dispatch(x, y, z))                                \
    X(i, DrawMeshTasksNV, (unsigned first, unsigned count), (first, count), fgi_draws_unsized(1))  \
    X(i, DrawMeshTasksIndirectNV, (intptr_t at), (at), fgi_draws_unsized(1))                       \
    X(i, MultiDrawMeshTasksIndirectNV, (intptr_t at, int draws, int stride), (at, draws, stride),  \
      fgi_draws_unsized(some(draws)))                                                              \
    X(i, MultiDrawMeshTasksIndirectCountNV,                                                        \
      (intptr_t at, intptr_t count_at, int most, int stride), (at, count_at, most, stride),        \
      fgi_draws_uncounted(some(most)))

#define FGI_DRAWS_OPENGL(X, i) FGI_DRAWS_OPENGL_CORE(X, i) FGI_DRAWS_OPENGL_EXTENSIONS(X, i)

#endif
