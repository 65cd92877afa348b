/* SPDX-License-Identifier: MIT */
/* Who answers questions about a trace: one of the engines that this build has. */
#ifndef FGI_ENGINE_CHOICE_H
#define FGI_ENGINE_CHOICE_H
#include <frameglass/open.h>

/** Rows from which on it is worth asking which engine is faster. */
#define FGI_ENGINE_MEASURED_ROWS (UINT32_C(1) << 20)

/**
 * An engine over a finished trace, as the options say; the CPU's where a device was asked for that
 * there is not. Beside one with a device stands one without (engine_choice_cpu.c) for builds that
 * know of none.
 *
 * @param instead    why it is not the one that was asked for, in its message; outlives the engine
 * @param out_engine owned: fgi_engine_destroy()
 */
FG_MUST_USE enum fg_result fgi_engine_choose(const struct fg_open_options *options,
                                             const struct fg_allocator *allocator,
                                             const struct fg_trace *trace, struct fg_diag *instead,
                                             struct fg_engine **out_engine);

#endif
