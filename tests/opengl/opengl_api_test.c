/* SPDX-License-Identifier: MIT */
/* What we declare of OpenGL ourselves is what Khronos' headers declare: mostly when compiled. */
#include "gpu/draws/draws_opengl_list.h"
#include "gpu/opengl/opengl_api.h"
#include <GL/glcorearb.h>
#include <GL/glext.h>
#define GL_APIENTRYP * /* as its own header has it, which cannot be here as well */
#include <GLES2/gl2ext.h>
#include "../support/cmocka_all.h"

#define SAME_ENUM(name, value) _Static_assert(GL_##name == (value), #name);
#define SAME_EXTENSION_ENUM(name, suffix, value)                                                   \
    _Static_assert(SUFFIXED(name, suffix) == (value), #name);
#define SUFFIXED(name, suffix) SUFFIXED_##suffix(name)
#define SUFFIXED_(name)        GL_##name
#define SUFFIXED_EXT(name)     GL_##name##_EXT
#define SUFFIXED_ARB(name)     GL_##name##_ARB
#define SUFFIXED_NVX(name)     GL_##name##_NVX
#define SUFFIXED_ATI(name)     GL_##name##_ATI
FGI_OPENGL_ENUMS(SAME_ENUM)
FGI_OPENGL_EXTENSION_ENUMS(SAME_EXTENSION_ENUM)
FGI_OPENGL_STATISTICS(SAME_EXTENSION_ENUM)

/* Types of functions: Khronos' in the order of our lists. */
#define KHRONOS_FUNCTIONS(X)                                                                       \
    X(GetString, PFNGLGETSTRINGPROC)                                                               \
    X(GetStringi, PFNGLGETSTRINGIPROC)                                                             \
    X(GetIntegerv, PFNGLGETINTEGERVPROC)                                                           \
    X(GetInteger64v, PFNGLGETINTEGER64VPROC)                                                       \
    X(GenQueries, PFNGLGENQUERIESPROC)                                                             \
    X(DeleteQueries, PFNGLDELETEQUERIESPROC)                                                       \
    X(BeginQuery, PFNGLBEGINQUERYPROC)                                                             \
    X(EndQuery, PFNGLENDQUERYPROC)                                                                 \
    X(QueryCounter, PFNGLQUERYCOUNTERPROC)                                                         \
    X(GetQueryiv, PFNGLGETQUERYIVPROC)                                                             \
    X(GetQueryObjectuiv, PFNGLGETQUERYOBJECTUIVPROC)                                               \
    X(GetQueryObjectui64v, PFNGLGETQUERYOBJECTUI64VPROC)                                           \
    X(PushDebugGroup, PFNGLPUSHDEBUGGROUPPROC)                                                     \
    X(PopDebugGroup, PFNGLPOPDEBUGGROUPPROC)                                                       \
    X(GetGraphicsResetStatus, PFNGLGETGRAPHICSRESETSTATUSPROC)
#define SAME_MEMBER(name, khronos)                                                                 \
    _Static_assert(_Generic(((struct fgi_opengl_functions *)0)->name, khronos : 1, default : 0),   \
                   #name);
KHRONOS_FUNCTIONS(SAME_MEMBER)

#define KHRONOS_DRAWS(X)                                                                           \
    X(DrawArrays, PFNGLDRAWARRAYSPROC)                                                             \
    X(DrawElements, PFNGLDRAWELEMENTSPROC)                                                         \
    X(DrawRangeElements, PFNGLDRAWRANGEELEMENTSPROC)                                               \
    X(DrawArraysInstanced, PFNGLDRAWARRAYSINSTANCEDPROC)                                           \
    X(DrawElementsInstanced, PFNGLDRAWELEMENTSINSTANCEDPROC)                                       \
    X(DrawElementsBaseVertex, PFNGLDRAWELEMENTSBASEVERTEXPROC)                                     \
    X(DrawRangeElementsBaseVertex, PFNGLDRAWRANGEELEMENTSBASEVERTEXPROC)                           \
    X(DrawElementsInstancedBaseVertex, PFNGLDRAWELEMENTSINSTANCEDBASEVERTEXPROC)                   \
    X(DrawArraysInstancedBaseInstance, PFNGLDRAWARRAYSINSTANCEDBASEINSTANCEPROC)                   \
    X(DrawElementsInstancedBaseInstance, PFNGLDRAWELEMENTSINSTANCEDBASEINSTANCEPROC)               \
    X(DrawElementsInstancedBaseVertexBaseInstance,                                                 \
      PFNGLDRAWELEMENTSINSTANCEDBASEVERTEXBASEINSTANCEPROC)                                        \
    X(MultiDrawArrays, PFNGLMULTIDRAWARRAYSPROC)                                                   \
    X(MultiDrawElements, PFNGLMULTIDRAWELEMENTSPROC)                                               \
    X(MultiDrawElementsBaseVertex, PFNGLMULTIDRAWELEMENTSBASEVERTEXPROC)                           \
    X(DrawArraysIndirect, PFNGLDRAWARRAYSINDIRECTPROC)                                             \
    X(DrawElementsIndirect, PFNGLDRAWELEMENTSINDIRECTPROC)                                         \
    X(MultiDrawArraysIndirect, PFNGLMULTIDRAWARRAYSINDIRECTPROC)                                   \
    X(MultiDrawElementsIndirect, PFNGLMULTIDRAWELEMENTSINDIRECTPROC)                               \
    X(MultiDrawArraysIndirectCount, PFNGLMULTIDRAWARRAYSINDIRECTCOUNTPROC)                         \
    X(MultiDrawElementsIndirectCount, PFNGLMULTIDRAWELEMENTSINDIRECTCOUNTPROC)                     \
    X(DrawTransformFeedback, PFNGLDRAWTRANSFORMFEEDBACKPROC)                                       \
    X(DrawTransformFeedbackInstanced, PFNGLDRAWTRANSFORMFEEDBACKINSTANCEDPROC)                     \
    X(DrawTransformFeedbackStream, PFNGLDRAWTRANSFORMFEEDBACKSTREAMPROC)                           \
    X(DrawTransformFeedbackStreamInstanced, PFNGLDRAWTRANSFORMFEEDBACKSTREAMINSTANCEDPROC)         \
    X(DispatchCompute, PFNGLDISPATCHCOMPUTEPROC)                                                   \
    X(DispatchComputeIndirect, PFNGLDISPATCHCOMPUTEINDIRECTPROC)                                   \
    X(DispatchComputeGroupSizeARB, PFNGLDISPATCHCOMPUTEGROUPSIZEARBPROC)                           \
    X(DrawMeshTasksNV, PFNGLDRAWMESHTASKSNVPROC)                                                   \
    X(DrawMeshTasksIndirectNV, PFNGLDRAWMESHTASKSINDIRECTNVPROC)                                   \
    X(MultiDrawMeshTasksIndirectNV, PFNGLMULTIDRAWMESHTASKSINDIRECTNVPROC)                         \
    X(MultiDrawMeshTasksIndirectCountNV, PFNGLMULTIDRAWMESHTASKSINDIRECTCOUNTNVPROC)
#define OUR_TYPE(i, name, parameters, arguments, counted) typedef void(*our_##name) parameters;
FGI_DRAWS_OPENGL(OUR_TYPE, 0)
#define SAME_DRAW(name, khronos)                                                                   \
    _Static_assert(_Generic((our_##name)0, khronos : 1, default : 0), #name);
KHRONOS_DRAWS(SAME_DRAW)

#define ONE_OF_LIST(i, name, parameters, arguments, counted) +1
#define ONE_MEMBER(name, result, parameters, group)          +1
#define ONE(name, khronos)                                   +1

/* Names of extensions are made by the same macros as the core's, so their types are the same. */
static void no_function_of_the_core_is_left_unchecked(void **state)
{
    (void)state;
    assert_int_equal(0 FGI_OPENGL_FUNCTIONS(ONE_MEMBER), 0 KHRONOS_FUNCTIONS(ONE));
    assert_int_equal(0 FGI_DRAWS_OPENGL_CORE(ONE_OF_LIST, 0) + 5, 0 KHRONOS_DRAWS(ONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_function_of_the_core_is_left_unchecked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
