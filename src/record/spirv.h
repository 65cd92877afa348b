/* SPDX-License-Identifier: MIT */
/* How many invocations a workgroup has, read from SPIR-V. Needs no graphics API and no memory. */
#ifndef FGI_SPIRV_H
#define FGI_SPIRV_H
#include <frameglass/base.h>

/** One specialization constant as the pipeline was made with it. */
struct fgi_spirv_constant {
    uint32_t id;    /**< the SpecId, as in GLSL's constant_id */
    uint32_t value; /**< 32-bit integers only: nothing else can be a workgroup size */
};

/** Everything that the pipeline specializes. Borrowed for the call. */
struct fgi_spirv_specialization {
    const struct fgi_spirv_constant *constants;
    size_t count; /**< 0: the pipeline specializes nothing, so that defaults hold */
};

/** Unknown is not zero: `size` says nothing unless `known`. */
struct fgi_spirv_workgroup {
    bool known;
    uint32_t size[3]; /**< x, y, z; each at least 1 */
};

/**
 * Workgroup size of one entry point: a constant decorated WorkgroupSize first (it overrides the
 * others), then LocalSizeId, then LocalSize. It is unknown, which is no failure, where the entry
 * point has no workgroups, where it rests on a specialization constant and `specialization` is NULL
 * (nobody told), and where it is computed (OpSpecConstantOp).
 *
 * @param words          the module as Vulkan takes it: 32-bit words in the machine's byte order
 * @param entry_point    NULL: the only entry point; unknown when there are several
 * @param specialization NULL: not told; an empty one: told that there is none
 * @param out_workgroup  untouched on failure
 * @param diag           offset is in bytes from the module's start
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_FORMAT (no SPIR-V), FG_ERR_CORRUPT (broken SPIR-V),
 *         FG_ERR_NOT_FOUND (no entry point of that name)
 *
 * Threads: any.
 * Source:  SPIR-V specification, sections 2.3 (physical layout), 3.6 (execution modes), 3.21
 *          (WorkgroupSize).
 */
FG_MUST_USE enum fg_result fgi_spirv_workgroup(
    const uint32_t *words, size_t word_count, const char *entry_point,
    const struct fgi_spirv_specialization *specialization,
    struct fgi_spirv_workgroup *out_workgroup, struct fg_diag *diag);

#endif
