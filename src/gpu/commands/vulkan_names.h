/* SPDX-License-Identifier: MIT */
/*
 * Names of Vulkan's numbers, X(name, value), without those of single vendors' extensions: values,
 * so that older headers do; a test holds them against Vulkan's own.
 */
#ifndef FGI_VULKAN_NAMES_H
#define FGI_VULKAN_NAMES_H

#define FGI_VkPipelineBindPoint(X)                                                                 \
    X(VK_PIPELINE_BIND_POINT_GRAPHICS, 0x0u)                                                       \
    X(VK_PIPELINE_BIND_POINT_COMPUTE, 0x1u)                                                        \
    X(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, 0x3b9d4e88u)

#define FGI_VkIndexType(X)                                                                         \
    X(VK_INDEX_TYPE_UINT16, 0x0u)                                                                  \
    X(VK_INDEX_TYPE_UINT32, 0x1u)                                                                  \
    X(VK_INDEX_TYPE_NONE_KHR, 0x3b9d4e88u)                                                         \
    X(VK_INDEX_TYPE_UINT8_EXT, 0x3b9ed528u)

#define FGI_VkFilter(X)                                                                            \
    X(VK_FILTER_NEAREST, 0x0u)                                                                     \
    X(VK_FILTER_LINEAR, 0x1u)                                                                      \
    X(VK_FILTER_CUBIC_EXT, 0x3b9b0498u)

#define FGI_VkImageLayout(X)                                                                       \
    X(VK_IMAGE_LAYOUT_UNDEFINED, 0x0u)                                                             \
    X(VK_IMAGE_LAYOUT_GENERAL, 0x1u)                                                               \
    X(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0x2u)                                              \
    X(VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, 0x3u)                                      \
    X(VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, 0x4u)                                       \
    X(VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 0x5u)                                              \
    X(VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0x6u)                                                  \
    X(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0x7u)                                                  \
    X(VK_IMAGE_LAYOUT_PREINITIALIZED, 0x8u)                                                        \
    X(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, 0x3b9c9308u)                     \
    X(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, 0x3b9c9309u)                     \
    X(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, 0x3b9e7768u)                                       \
    X(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, 0x3b9e7769u)                                        \
    X(VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL, 0x3b9e776au)                                     \
    X(VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL, 0x3b9e776bu)                                      \
    X(VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, 0x3b9f9490u)                                              \
    X(VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, 0x3b9f9491u)                                             \
    X(VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, 0x3b9acdeau)                                                \
    X(VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR, 0x3b9b27c0u)                                           \
    X(VK_IMAGE_LAYOUT_VIDEO_DECODE_SRC_KHR, 0x3b9b27c1u)                                           \
    X(VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR, 0x3b9b27c2u)                                           \
    X(VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR, 0x3b9c7b98u)                                             \
    X(VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT, 0x3b9e1d90u)                               \
    X(VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR, 0x3b9d4aa3u)                   \
    X(VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT, 0x3b9ff638u)

#define FGI_VkAttachmentLoadOp(X)                                                                  \
    X(VK_ATTACHMENT_LOAD_OP_LOAD, 0x0u)                                                            \
    X(VK_ATTACHMENT_LOAD_OP_CLEAR, 0x1u)                                                           \
    X(VK_ATTACHMENT_LOAD_OP_DONT_CARE, 0x2u)                                                       \
    X(VK_ATTACHMENT_LOAD_OP_NONE_EXT, 0x3ba0e480u)

#define FGI_VkAttachmentStoreOp(X)                                                                 \
    X(VK_ATTACHMENT_STORE_OP_STORE, 0x0u)                                                          \
    X(VK_ATTACHMENT_STORE_OP_DONT_CARE, 0x1u)                                                      \
    X(VK_ATTACHMENT_STORE_OP_NONE, 0x3b9f61c8u)

#define FGI_VkResolveModeFlagBits(X)                                                               \
    X(VK_RESOLVE_MODE_NONE, 0x0u)                                                                  \
    X(VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, 0x1u)                                                       \
    X(VK_RESOLVE_MODE_AVERAGE_BIT, 0x2u)                                                           \
    X(VK_RESOLVE_MODE_MIN_BIT, 0x4u)                                                               \
    X(VK_RESOLVE_MODE_MAX_BIT, 0x8u)

#define FGI_VkSubpassContents(X)                                                                   \
    X(VK_SUBPASS_CONTENTS_INLINE, 0x0u)                                                            \
    X(VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS, 0x1u)

#define FGI_VkFrontFace(X)                                                                         \
    X(VK_FRONT_FACE_COUNTER_CLOCKWISE, 0x0u)                                                       \
    X(VK_FRONT_FACE_CLOCKWISE, 0x1u)

#define FGI_VkPrimitiveTopology(X)                                                                 \
    X(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 0x0u)                                                      \
    X(VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0x1u)                                                       \
    X(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 0x2u)                                                      \
    X(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0x3u)                                                   \
    X(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 0x4u)                                                  \
    X(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 0x5u)                                                    \
    X(VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 0x6u)                                        \
    X(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 0x7u)                                       \
    X(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 0x8u)                                    \
    X(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 0x9u)                                   \
    X(VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, 0xau)

#define FGI_VkCompareOp(X)                                                                         \
    X(VK_COMPARE_OP_NEVER, 0x0u)                                                                   \
    X(VK_COMPARE_OP_LESS, 0x1u)                                                                    \
    X(VK_COMPARE_OP_EQUAL, 0x2u)                                                                   \
    X(VK_COMPARE_OP_LESS_OR_EQUAL, 0x3u)                                                           \
    X(VK_COMPARE_OP_GREATER, 0x4u)                                                                 \
    X(VK_COMPARE_OP_NOT_EQUAL, 0x5u)                                                               \
    X(VK_COMPARE_OP_GREATER_OR_EQUAL, 0x6u)                                                        \
    X(VK_COMPARE_OP_ALWAYS, 0x7u)

#define FGI_VkStencilOp(X)                                                                         \
    X(VK_STENCIL_OP_KEEP, 0x0u)                                                                    \
    X(VK_STENCIL_OP_ZERO, 0x1u)                                                                    \
    X(VK_STENCIL_OP_REPLACE, 0x2u)                                                                 \
    X(VK_STENCIL_OP_INCREMENT_AND_CLAMP, 0x3u)                                                     \
    X(VK_STENCIL_OP_DECREMENT_AND_CLAMP, 0x4u)                                                     \
    X(VK_STENCIL_OP_INVERT, 0x5u)                                                                  \
    X(VK_STENCIL_OP_INCREMENT_AND_WRAP, 0x6u)                                                      \
    X(VK_STENCIL_OP_DECREMENT_AND_WRAP, 0x7u)

#define FGI_VkPolygonMode(X)                                                                       \
    X(VK_POLYGON_MODE_FILL, 0x0u)                                                                  \
    X(VK_POLYGON_MODE_LINE, 0x1u)                                                                  \
    X(VK_POLYGON_MODE_POINT, 0x2u)

#define FGI_VkBlendFactor(X)                                                                       \
    X(VK_BLEND_FACTOR_ZERO, 0x0u)                                                                  \
    X(VK_BLEND_FACTOR_ONE, 0x1u)                                                                   \
    X(VK_BLEND_FACTOR_SRC_COLOR, 0x2u)                                                             \
    X(VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR, 0x3u)                                                   \
    X(VK_BLEND_FACTOR_DST_COLOR, 0x4u)                                                             \
    X(VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR, 0x5u)                                                   \
    X(VK_BLEND_FACTOR_SRC_ALPHA, 0x6u)                                                             \
    X(VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, 0x7u)                                                   \
    X(VK_BLEND_FACTOR_DST_ALPHA, 0x8u)                                                             \
    X(VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA, 0x9u)                                                   \
    X(VK_BLEND_FACTOR_CONSTANT_COLOR, 0xau)                                                        \
    X(VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR, 0xbu)                                              \
    X(VK_BLEND_FACTOR_CONSTANT_ALPHA, 0xcu)                                                        \
    X(VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA, 0xdu)                                              \
    X(VK_BLEND_FACTOR_SRC_ALPHA_SATURATE, 0xeu)                                                    \
    X(VK_BLEND_FACTOR_SRC1_COLOR, 0xfu)                                                            \
    X(VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR, 0x10u)                                                 \
    X(VK_BLEND_FACTOR_SRC1_ALPHA, 0x11u)                                                           \
    X(VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA, 0x12u)

#define FGI_VkBlendOp(X)                                                                           \
    X(VK_BLEND_OP_ADD, 0x0u)                                                                       \
    X(VK_BLEND_OP_SUBTRACT, 0x1u)                                                                  \
    X(VK_BLEND_OP_REVERSE_SUBTRACT, 0x2u)                                                          \
    X(VK_BLEND_OP_MIN, 0x3u)                                                                       \
    X(VK_BLEND_OP_MAX, 0x4u)                                                                       \
    X(VK_BLEND_OP_ZERO_EXT, 0x3b9d0c20u)                                                           \
    X(VK_BLEND_OP_SRC_EXT, 0x3b9d0c21u)                                                            \
    X(VK_BLEND_OP_DST_EXT, 0x3b9d0c22u)                                                            \
    X(VK_BLEND_OP_SRC_OVER_EXT, 0x3b9d0c23u)                                                       \
    X(VK_BLEND_OP_DST_OVER_EXT, 0x3b9d0c24u)                                                       \
    X(VK_BLEND_OP_SRC_IN_EXT, 0x3b9d0c25u)                                                         \
    X(VK_BLEND_OP_DST_IN_EXT, 0x3b9d0c26u)                                                         \
    X(VK_BLEND_OP_SRC_OUT_EXT, 0x3b9d0c27u)                                                        \
    X(VK_BLEND_OP_DST_OUT_EXT, 0x3b9d0c28u)                                                        \
    X(VK_BLEND_OP_SRC_ATOP_EXT, 0x3b9d0c29u)                                                       \
    X(VK_BLEND_OP_DST_ATOP_EXT, 0x3b9d0c2au)                                                       \
    X(VK_BLEND_OP_XOR_EXT, 0x3b9d0c2bu)                                                            \
    X(VK_BLEND_OP_MULTIPLY_EXT, 0x3b9d0c2cu)                                                       \
    X(VK_BLEND_OP_SCREEN_EXT, 0x3b9d0c2du)                                                         \
    X(VK_BLEND_OP_OVERLAY_EXT, 0x3b9d0c2eu)                                                        \
    X(VK_BLEND_OP_DARKEN_EXT, 0x3b9d0c2fu)                                                         \
    X(VK_BLEND_OP_LIGHTEN_EXT, 0x3b9d0c30u)                                                        \
    X(VK_BLEND_OP_COLORDODGE_EXT, 0x3b9d0c31u)                                                     \
    X(VK_BLEND_OP_COLORBURN_EXT, 0x3b9d0c32u)                                                      \
    X(VK_BLEND_OP_HARDLIGHT_EXT, 0x3b9d0c33u)                                                      \
    X(VK_BLEND_OP_SOFTLIGHT_EXT, 0x3b9d0c34u)                                                      \
    X(VK_BLEND_OP_DIFFERENCE_EXT, 0x3b9d0c35u)                                                     \
    X(VK_BLEND_OP_EXCLUSION_EXT, 0x3b9d0c36u)                                                      \
    X(VK_BLEND_OP_INVERT_EXT, 0x3b9d0c37u)                                                         \
    X(VK_BLEND_OP_INVERT_RGB_EXT, 0x3b9d0c38u)                                                     \
    X(VK_BLEND_OP_LINEARDODGE_EXT, 0x3b9d0c39u)                                                    \
    X(VK_BLEND_OP_LINEARBURN_EXT, 0x3b9d0c3au)                                                     \
    X(VK_BLEND_OP_VIVIDLIGHT_EXT, 0x3b9d0c3bu)                                                     \
    X(VK_BLEND_OP_LINEARLIGHT_EXT, 0x3b9d0c3cu)                                                    \
    X(VK_BLEND_OP_PINLIGHT_EXT, 0x3b9d0c3du)                                                       \
    X(VK_BLEND_OP_HARDMIX_EXT, 0x3b9d0c3eu)                                                        \
    X(VK_BLEND_OP_HSL_HUE_EXT, 0x3b9d0c3fu)                                                        \
    X(VK_BLEND_OP_HSL_SATURATION_EXT, 0x3b9d0c40u)                                                 \
    X(VK_BLEND_OP_HSL_COLOR_EXT, 0x3b9d0c41u)                                                      \
    X(VK_BLEND_OP_HSL_LUMINOSITY_EXT, 0x3b9d0c42u)                                                 \
    X(VK_BLEND_OP_PLUS_EXT, 0x3b9d0c43u)                                                           \
    X(VK_BLEND_OP_PLUS_CLAMPED_EXT, 0x3b9d0c44u)                                                   \
    X(VK_BLEND_OP_PLUS_CLAMPED_ALPHA_EXT, 0x3b9d0c45u)                                             \
    X(VK_BLEND_OP_PLUS_DARKER_EXT, 0x3b9d0c46u)                                                    \
    X(VK_BLEND_OP_MINUS_EXT, 0x3b9d0c47u)                                                          \
    X(VK_BLEND_OP_MINUS_CLAMPED_EXT, 0x3b9d0c48u)                                                  \
    X(VK_BLEND_OP_CONTRAST_EXT, 0x3b9d0c49u)                                                       \
    X(VK_BLEND_OP_INVERT_OVG_EXT, 0x3b9d0c4au)                                                     \
    X(VK_BLEND_OP_RED_EXT, 0x3b9d0c4bu)                                                            \
    X(VK_BLEND_OP_GREEN_EXT, 0x3b9d0c4cu)                                                          \
    X(VK_BLEND_OP_BLUE_EXT, 0x3b9d0c4du)

#define FGI_VkDescriptorType(X)                                                                    \
    X(VK_DESCRIPTOR_TYPE_SAMPLER, 0x0u)                                                            \
    X(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0x1u)                                             \
    X(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0x2u)                                                      \
    X(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 0x3u)                                                      \
    X(VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 0x4u)                                               \
    X(VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 0x5u)                                               \
    X(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0x6u)                                                     \
    X(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0x7u)                                                     \
    X(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 0x8u)                                             \
    X(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 0x9u)                                             \
    X(VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0xau)                                                   \
    X(VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 0x3b9ce510u)                                        \
    X(VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 0x3b9d13f0u)                                  \
    X(VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 0x3ba02518u)

#define FGI_VkPipelineStageFlags(X)                                                                \
    X(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0x1u)                                                     \
    X(VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0x2u)                                                   \
    X(VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0x4u)                                                    \
    X(VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0x8u)                                                   \
    X(VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT, 0x10u)                                    \
    X(VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT, 0x20u)                                 \
    X(VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT, 0x40u)                                                \
    X(VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0x80u)                                                \
    X(VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT, 0x100u)                                          \
    X(VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, 0x200u)                                           \
    X(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0x400u)                                       \
    X(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0x800u)                                                \
    X(VK_PIPELINE_STAGE_TRANSFER_BIT, 0x1000u)                                                     \
    X(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0x2000u)                                               \
    X(VK_PIPELINE_STAGE_HOST_BIT, 0x4000u)                                                         \
    X(VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, 0x8000u)                                                 \
    X(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0x10000u)                                                \
    X(VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0x1000000u)                                    \
    X(VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT, 0x40000u)                                   \
    X(VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, 0x2000000u)                          \
    X(VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR, 0x200000u)                                     \
    X(VK_PIPELINE_STAGE_FRAGMENT_DENSITY_PROCESS_BIT_EXT, 0x800000u)                               \
    X(VK_PIPELINE_STAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, 0x400000u)                       \
    X(VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT, 0x80000u)                                             \
    X(VK_PIPELINE_STAGE_MESH_SHADER_BIT_EXT, 0x100000u)

#define FGI_VkAccessFlags(X)                                                                       \
    X(VK_ACCESS_INDIRECT_COMMAND_READ_BIT, 0x1u)                                                   \
    X(VK_ACCESS_INDEX_READ_BIT, 0x2u)                                                              \
    X(VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT, 0x4u)                                                   \
    X(VK_ACCESS_UNIFORM_READ_BIT, 0x8u)                                                            \
    X(VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, 0x10u)                                                  \
    X(VK_ACCESS_SHADER_READ_BIT, 0x20u)                                                            \
    X(VK_ACCESS_SHADER_WRITE_BIT, 0x40u)                                                           \
    X(VK_ACCESS_COLOR_ATTACHMENT_READ_BIT, 0x80u)                                                  \
    X(VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0x100u)                                                \
    X(VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0x200u)                                         \
    X(VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, 0x400u)                                        \
    X(VK_ACCESS_TRANSFER_READ_BIT, 0x800u)                                                         \
    X(VK_ACCESS_TRANSFER_WRITE_BIT, 0x1000u)                                                       \
    X(VK_ACCESS_HOST_READ_BIT, 0x2000u)                                                            \
    X(VK_ACCESS_HOST_WRITE_BIT, 0x4000u)                                                           \
    X(VK_ACCESS_MEMORY_READ_BIT, 0x8000u)                                                          \
    X(VK_ACCESS_MEMORY_WRITE_BIT, 0x10000u)                                                        \
    X(VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, 0x2000000u)                                      \
    X(VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, 0x4000000u)                               \
    X(VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, 0x8000000u)                              \
    X(VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT, 0x100000u)                                     \
    X(VK_ACCESS_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT, 0x80000u)                               \
    X(VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR, 0x200000u)                                    \
    X(VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, 0x400000u)                                   \
    X(VK_ACCESS_FRAGMENT_DENSITY_MAP_READ_BIT_EXT, 0x1000000u)                                     \
    X(VK_ACCESS_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR, 0x800000u)

#define FGI_VkImageAspectFlags(X)                                                                  \
    X(VK_IMAGE_ASPECT_COLOR_BIT, 0x1u)                                                             \
    X(VK_IMAGE_ASPECT_DEPTH_BIT, 0x2u)                                                             \
    X(VK_IMAGE_ASPECT_STENCIL_BIT, 0x4u)                                                           \
    X(VK_IMAGE_ASPECT_METADATA_BIT, 0x8u)                                                          \
    X(VK_IMAGE_ASPECT_PLANE_0_BIT, 0x10u)                                                          \
    X(VK_IMAGE_ASPECT_PLANE_1_BIT, 0x20u)                                                          \
    X(VK_IMAGE_ASPECT_PLANE_2_BIT, 0x40u)                                                          \
    X(VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT, 0x80u)                                               \
    X(VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT, 0x100u)                                              \
    X(VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT, 0x200u)                                              \
    X(VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT, 0x400u)

#define FGI_VkShaderStageFlags(X)                                                                  \
    X(VK_SHADER_STAGE_ALL, 0x7fffffffu)                                                            \
    X(VK_SHADER_STAGE_ALL_GRAPHICS, 0x1fu)                                                         \
    X(VK_SHADER_STAGE_VERTEX_BIT, 0x1u)                                                            \
    X(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, 0x2u)                                              \
    X(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, 0x4u)                                           \
    X(VK_SHADER_STAGE_GEOMETRY_BIT, 0x8u)                                                          \
    X(VK_SHADER_STAGE_FRAGMENT_BIT, 0x10u)                                                         \
    X(VK_SHADER_STAGE_COMPUTE_BIT, 0x20u)                                                          \
    X(VK_SHADER_STAGE_RAYGEN_BIT_KHR, 0x100u)                                                      \
    X(VK_SHADER_STAGE_ANY_HIT_BIT_KHR, 0x200u)                                                     \
    X(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, 0x400u)                                                 \
    X(VK_SHADER_STAGE_MISS_BIT_KHR, 0x800u)                                                        \
    X(VK_SHADER_STAGE_INTERSECTION_BIT_KHR, 0x1000u)                                               \
    X(VK_SHADER_STAGE_CALLABLE_BIT_KHR, 0x2000u)                                                   \
    X(VK_SHADER_STAGE_TASK_BIT_EXT, 0x40u)                                                         \
    X(VK_SHADER_STAGE_MESH_BIT_EXT, 0x80u)

#define FGI_VkDependencyFlags(X)                                                                   \
    X(VK_DEPENDENCY_BY_REGION_BIT, 0x1u)                                                           \
    X(VK_DEPENDENCY_DEVICE_GROUP_BIT, 0x4u)                                                        \
    X(VK_DEPENDENCY_VIEW_LOCAL_BIT, 0x2u)                                                          \
    X(VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT, 0x8u)

#define FGI_VkRenderingFlags(X)                                                                    \
    X(VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT, 0x1u)                                   \
    X(VK_RENDERING_SUSPENDING_BIT, 0x2u)                                                           \
    X(VK_RENDERING_RESUMING_BIT, 0x4u)                                                             \
    X(VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT, 0x8u)

#define FGI_VkCommandBufferUsageFlags(X)                                                           \
    X(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 0x1u)                                           \
    X(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, 0x2u)                                      \
    X(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 0x4u)

#define FGI_VkQueryControlFlags(X) X(VK_QUERY_CONTROL_PRECISE_BIT, 0x1u)

#define FGI_VkQueryResultFlags(X)                                                                  \
    X(VK_QUERY_RESULT_64_BIT, 0x1u)                                                                \
    X(VK_QUERY_RESULT_WAIT_BIT, 0x2u)                                                              \
    X(VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, 0x4u)                                                 \
    X(VK_QUERY_RESULT_PARTIAL_BIT, 0x8u)                                                           \
    X(VK_QUERY_RESULT_WITH_STATUS_BIT_KHR, 0x10u)

#define FGI_VkSubmitFlags(X) X(VK_SUBMIT_PROTECTED_BIT, 0x1u)

#define FGI_VkCullModeFlags(X)                                                                     \
    X(VK_CULL_MODE_FRONT_AND_BACK, 0x3u)                                                           \
    X(VK_CULL_MODE_FRONT_BIT, 0x1u)                                                                \
    X(VK_CULL_MODE_BACK_BIT, 0x2u)

#define FGI_VkStencilFaceFlags(X)                                                                  \
    X(VK_STENCIL_FACE_FRONT_AND_BACK, 0x3u)                                                        \
    X(VK_STENCIL_FACE_FRONT_BIT, 0x1u)                                                             \
    X(VK_STENCIL_FACE_BACK_BIT, 0x2u)

#define FGI_VkColorComponentFlags(X)                                                               \
    X(VK_COLOR_COMPONENT_R_BIT, 0x1u)                                                              \
    X(VK_COLOR_COMPONENT_G_BIT, 0x2u)                                                              \
    X(VK_COLOR_COMPONENT_B_BIT, 0x4u)                                                              \
    X(VK_COLOR_COMPONENT_A_BIT, 0x8u)

#define FGI_VkPipelineStageFlags2(X)                                                               \
    X(VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0x1u)                                                   \
    X(VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, 0x2u)                                                 \
    X(VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, 0x4u)                                                  \
    X(VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, 0x8u)                                                 \
    X(VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT, 0x10u)                                  \
    X(VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT, 0x20u)                               \
    X(VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, 0x40u)                                              \
    X(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, 0x80u)                                              \
    X(VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT, 0x100u)                                        \
    X(VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT, 0x200u)                                         \
    X(VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0x400u)                                     \
    X(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0x800u)                                              \
    X(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, 0x1000u)                                               \
    X(VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, 0x2000u)                                             \
    X(VK_PIPELINE_STAGE_2_HOST_BIT, 0x4000u)                                                       \
    X(VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, 0x8000u)                                               \
    X(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0x10000u)                                              \
    X(VK_PIPELINE_STAGE_2_COPY_BIT, 0x100000000ull)                                                \
    X(VK_PIPELINE_STAGE_2_RESOLVE_BIT, 0x200000000ull)                                             \
    X(VK_PIPELINE_STAGE_2_BLIT_BIT, 0x400000000ull)                                                \
    X(VK_PIPELINE_STAGE_2_CLEAR_BIT, 0x800000000ull)                                               \
    X(VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, 0x1000000000ull)                                        \
    X(VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, 0x2000000000ull)                             \
    X(VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, 0x4000000000ull)                          \
    X(VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR, 0x4000000u)                                        \
    X(VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, 0x1000000u)                                  \
    X(VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, 0x40000u)                                 \
    X(VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, 0x400000u)                     \
    X(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, 0x2000000u)                        \
    X(VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, 0x200000u)                                   \
    X(VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT, 0x800000u)                             \
    X(VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR, 0x10000000u)                        \
    X(VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT, 0x40000000u)

#define FGI_VkAccessFlags2(X)                                                                      \
    X(VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, 0x1u)                                                 \
    X(VK_ACCESS_2_INDEX_READ_BIT, 0x2u)                                                            \
    X(VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, 0x4u)                                                 \
    X(VK_ACCESS_2_UNIFORM_READ_BIT, 0x8u)                                                          \
    X(VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, 0x10u)                                                \
    X(VK_ACCESS_2_SHADER_READ_BIT, 0x20u)                                                          \
    X(VK_ACCESS_2_SHADER_WRITE_BIT, 0x40u)                                                         \
    X(VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, 0x80u)                                                \
    X(VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, 0x100u)                                              \
    X(VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, 0x200u)                                       \
    X(VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, 0x400u)                                      \
    X(VK_ACCESS_2_TRANSFER_READ_BIT, 0x800u)                                                       \
    X(VK_ACCESS_2_TRANSFER_WRITE_BIT, 0x1000u)                                                     \
    X(VK_ACCESS_2_HOST_READ_BIT, 0x2000u)                                                          \
    X(VK_ACCESS_2_HOST_WRITE_BIT, 0x4000u)                                                         \
    X(VK_ACCESS_2_MEMORY_READ_BIT, 0x8000u)                                                        \
    X(VK_ACCESS_2_MEMORY_WRITE_BIT, 0x10000u)                                                      \
    X(VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, 0x100000000ull)                                         \
    X(VK_ACCESS_2_SHADER_STORAGE_READ_BIT, 0x200000000ull)                                         \
    X(VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, 0x400000000ull)                                        \
    X(VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR, 0x800000000ull)                                       \
    X(VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR, 0x1000000000ull)                                     \
    X(VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, 0x2000000u)                                    \
    X(VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, 0x4000000u)                             \
    X(VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, 0x8000000u)                            \
    X(VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, 0x100000u)                                   \
    X(VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR, 0x800000u)                        \
    X(VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR, 0x200000u)                                  \
    X(VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, 0x400000u)                                 \
    X(VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT, 0x1000000u)                                   \
    X(VK_ACCESS_2_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT, 0x80000u)                             \
    X(VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT, 0x20000000000ull)                                \
    X(VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, 0x10000000000ull)                             \
    X(VK_ACCESS_2_MICROMAP_READ_BIT_EXT, 0x100000000000ull)                                        \
    X(VK_ACCESS_2_MICROMAP_WRITE_BIT_EXT, 0x200000000000ull)

#endif
