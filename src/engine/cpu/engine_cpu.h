/* SPDX-License-Identifier: MIT */
/* The engine on the CPU: one thread, no libraries. */
#ifndef FGI_ENGINE_CPU_H
#define FGI_ENGINE_CPU_H
#include "trace/engine.h"

/**
 * Build the indexes over a finished trace.
 *
 * @param allocator  NULL = libc
 * @param trace      borrowed: it outlives the engine
 * @param out_engine owned; fgi_engine_destroy(); untouched on failure
 * @return FG_OK, FG_ERR_NO_MEMORY, or what loading a block again met
 */
FG_MUST_USE enum fg_result fgi_engine_cpu_create(const struct fg_allocator *allocator,
                                                 const struct fg_trace *trace,
                                                 struct fg_engine **out_engine);

#endif
