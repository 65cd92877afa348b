/* SPDX-License-Identifier: MIT */
/* What the lists say of entry points and numbers is what the compiler and the APIs say of them. */
#define VK_NO_PROTOTYPES
#include "gpu/commands/commands_opengl_list.h"
#include "gpu/commands/command_list_priv.h"
#include "gpu/commands/commands_vulkan_list.h"
#include "gpu/commands/commands_wrap.h"
#include "gpu/commands/opengl_names.h"
#include "gpu/commands/vulkan_names.h"
#include "gpu/draws/draws_opengl_list.h"
#include "gpu/draws/draws_vulkan_list.h"
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#include <GL/glext.h>
#include <vulkan/vulkan_core.h>
#include "../support/cmocka_all.h"

#include <string.h>

/* ---- parameters: the same lists, as the compiler reads them ---- */

struct point {
    const char *name;
    const size_t *sizes;
    size_t count;
};

#define SIZES_OF(name, parameters, arguments)                                                      \
    static struct point sizes_##name parameters {                                                  \
        static size_t sizes_of[FGI_COMMAND_FIELDS_MAX];                                            \
        const struct fgi_command_argument given[] = { FGI_EACH arguments };                        \
        for (size_t of = 0; of < sizeof given / sizeof *given; of++) {                             \
            sizes_of[of] = given[of].size;                                                         \
        }                                                                                          \
        return (struct point){ #name, sizes_of, sizeof given / sizeof *given };                    \
    }
#define DRAW_SIZES(i, name, parameters, arguments, counted)   SIZES_OF(name, parameters, arguments)
#define CALL_SIZES(role, name, parameters, arguments)         SIZES_OF(name, parameters, arguments)
#define RESULT_SIZES(role, name, parameters, arguments, tell) SIZES_OF(name, parameters, arguments)
FGI_DRAWS_OPENGL(DRAW_SIZES, 0)
FGI_COMMANDS_OPENGL(CALL_SIZES)
FGI_DRAWS_VULKAN(DRAW_SIZES, 0)
FGI_COMMANDS_VULKAN(CALL_SIZES)
FGI_COMMANDS_VULKAN_RESULTS(RESULT_SIZES)

/** Arguments do not matter to it, only how many bytes they have. */
typedef struct point tell(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                          uint64_t g, uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l,
                          uint64_t m, uint64_t n, uint64_t o, uint64_t p);
static const struct {
    const char *name;
    void (*tell)(void);
} points[] = {
#define POINT(prefix, name)      { prefix #name, (void (*)(void))sizes_##name },
#define GL_DRAW(i, name, ...)    POINT("gl", name)
#define VK_DRAW(i, name, ...)    POINT("vk", name)
#define GL_CALL(role, name, ...) POINT("gl", name)
#define VK_CALL(role, name, ...) POINT("vk", name)
    FGI_DRAWS_OPENGL(GL_DRAW, 0) FGI_COMMANDS_OPENGL(GL_CALL) FGI_DRAWS_VULKAN(VK_DRAW, 0)
        FGI_COMMANDS_VULKAN(VK_CALL) FGI_COMMANDS_VULKAN_RESULTS(VK_CALL)
};

static const struct fgi_command_entry *find(const char *name)
{
    const struct fgi_command_api *const apis[] = { &fgi_commands_opengl, &fgi_commands_vulkan };
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < apis[a]->count; i++) {
            if (strcmp(apis[a]->entries[i].name, name) == 0) {
                return &apis[a]->entries[i];
            }
        }
    }
    return NULL;
}

static void all_parameters_are_read_as_the_compiler_reads_them(void **state)
{
    struct fgi_command_field fields[FGI_COMMAND_FIELDS_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const struct point point =
            ((tell *)points[i].tell)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        const struct fgi_command_entry *entry = find(points[i].name);
        assert_non_null(entry);
        const size_t count = fgi_command_fields(entry->parameters, fields);
        if (count != point.count) {
            fail_msg("%s: %zu of %zu parameters of %s", entry->name, count, point.count,
                     entry->parameters);
        }
        for (size_t f = 0; f < count; f++) {
            const size_t size =
                fields[f].shape == FGI_SHAPE_PLAIN ? fields[f].type->size : sizeof(void *);
            if (size != point.sizes[f]) {
                fail_msg("%s: %.*s has %zu bytes, not %zu", entry->name, (int)fields[f].name_length,
                         fields[f].name, point.sizes[f], size);
            }
        }
    }
}

static void numbers_of_entry_points_are_their_own(void **state)
{
    static bool seen[FGI_COMMANDS_MAX];
    const struct fgi_command_api *const apis[] = { &fgi_commands_opengl, &fgi_commands_vulkan };
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < apis[a]->count; i++) {
            assert_true(apis[a]->entries[i].number < FGI_COMMANDS_MAX);
            assert_false(seen[apis[a]->entries[i].number]);
            seen[apis[a]->entries[i].number] = true;
            assert_ptr_equal(find(apis[a]->entries[i].name), &apis[a]->entries[i]);
            assert_true(apis[a]->entries[i].is_opengl == (a == 0));
        }
    }
}

/** A pointer whose number of elements is another parameter's value, in every place where it is. */
static void what_pointers_are_to_is_told_by_other_parameters(void **state)
{
    struct fgi_command_field fields[FGI_COMMAND_FIELDS_MAX];
    (void)state;
    assert_int_equal(fgi_command_fields("(VkCommandBuffer commandBuffer, uint32_t drawCount, "
                                        "FGI_STRIDED(drawCount, stride) VkMultiDrawInfoEXT * "
                                        "pVertexInfo, uint32_t stride)",
                                        fields),
                     4);
    assert_int_equal(fields[2].count_size, 4);
    assert_int_equal(fields[2].count, 8);
    assert_int_equal(fields[2].stride_at, 24);
    assert_int_equal(fgi_command_fields("(FGI_ARRAY(4) float *blendConstants)", fields), 1);
    assert_int_equal(fields[0].count, 4);
    assert_int_equal(fields[0].count_size, 0);
    assert_int_equal(fgi_command_fields("(int n, FGI_ARRAY(n) fgi_gl_enum *bufs)", fields), 2);
    assert_true(fields[1].count_is_signed);
    assert_int_equal(fgi_command_fields("(void)", fields), 0);
    assert_int_equal(fgi_command_fields("(VkNoSuchThing thing)", fields), 0);
}

/* ---- OpenGL's own headers ---- */

#define SAME_NUMBER(name, value) _Static_assert(GL_##name == (value), #name);
FGI_GL_PRIMITIVES(SAME_NUMBER)
FGI_GL_CLEAR_MASKS(SAME_NUMBER)
FGI_GL_BARRIERS(SAME_NUMBER)
FGI_GL_ENUMS(SAME_NUMBER)

/* Of OpenGL ES, whose header declares them only where these are not. */
#define glDebugMessageInsertKHR glDebugMessageInsert
#define glPushDebugGroupKHR     glPushDebugGroup
#define glPopDebugGroupKHR      glPopDebugGroup
#define SAME_TYPE(role, name, parameters, arguments)                                               \
    _Static_assert(_Generic(&gl##name, void(*) parameters : 1, default : 0), #name);
#define SAME_BARE(role, name)                                                                      \
    _Static_assert(_Generic(&gl##name, void (*)(void) : 1, default : 0), #name);
FGI_COMMANDS_OPENGL(SAME_TYPE)
FGI_COMMANDS_OPENGL_BARE(SAME_BARE)

/* ---- Vulkan's ---- */

static void vulkan_names_are_of_their_values(void **state)
{
    (void)state;
#define SAME_VALUE(name, value) assert_int_equal((uint64_t)name, (uint64_t)value);
    FGI_VkPipelineBindPoint(SAME_VALUE) FGI_VkIndexType(SAME_VALUE) FGI_VkFilter(SAME_VALUE)
        FGI_VkImageLayout(SAME_VALUE) FGI_VkAttachmentLoadOp(SAME_VALUE)
            FGI_VkAttachmentStoreOp(SAME_VALUE) FGI_VkResolveModeFlagBits(SAME_VALUE)
                FGI_VkSubpassContents(SAME_VALUE) FGI_VkFrontFace(SAME_VALUE)
                    FGI_VkPrimitiveTopology(SAME_VALUE) FGI_VkCompareOp(SAME_VALUE)
                        FGI_VkStencilOp(SAME_VALUE) FGI_VkPolygonMode(SAME_VALUE)
                            FGI_VkBlendFactor(SAME_VALUE) FGI_VkBlendOp(SAME_VALUE)
                                FGI_VkDescriptorType(SAME_VALUE);
    FGI_VkPipelineStageFlags(SAME_VALUE) FGI_VkPipelineStageFlags2(SAME_VALUE)
        FGI_VkAccessFlags(SAME_VALUE) FGI_VkAccessFlags2(SAME_VALUE)
            FGI_VkImageAspectFlags(SAME_VALUE) FGI_VkShaderStageFlags(SAME_VALUE)
                FGI_VkDependencyFlags(SAME_VALUE) FGI_VkRenderingFlags(SAME_VALUE)
                    FGI_VkCommandBufferUsageFlags(SAME_VALUE) FGI_VkQueryControlFlags(SAME_VALUE)
                        FGI_VkQueryResultFlags(SAME_VALUE) FGI_VkSubmitFlags(SAME_VALUE)
                            FGI_VkCullModeFlags(SAME_VALUE) FGI_VkStencilFaceFlags(SAME_VALUE)
                                FGI_VkColorComponentFlags(SAME_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parameters_are_read_as_the_compiler_reads_them),
        cmocka_unit_test(numbers_of_entry_points_are_their_own),
        cmocka_unit_test(what_pointers_are_to_is_told_by_other_parameters),
        cmocka_unit_test(vulkan_names_are_of_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
