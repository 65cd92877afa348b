/* SPDX-License-Identifier: MIT */
/*
 * The trace of a Vulkan engine on its device, and what of filters is there: made when they are
 * first needed. What fails here has gone through fgi_gpu_fall_back().
 */
#ifndef FGI_ENGINE_FILTER_H
#define FGI_ENGINE_FILTER_H
#include "engine/vulkan/engine_priv.h"
#include "engine/vulkan/gpu_columns.h"

/** The columns, uploaded whole. */
FG_MUST_USE enum fg_result fgi_gpu_trace_of(struct fgi_engine_vulkan *vulkan,
                                            struct fg_gpu_trace **out_gpu);
/**
 * The population of a filter, built. Lent while the filter lives, that of 0 while the engine does.
 *
 * @return FG_OK; FG_ERR_NOT_FOUND (an unknown id); what the device failed at
 */
FG_MUST_USE enum fg_result fgi_gpu_population_of(struct fgi_engine_vulkan *vulkan, uint32_t filter,
                                                 struct fg_gpu_population **out_population);
/** The mask of a filter by row; NULL for 0. The rest as above. */
FG_MUST_USE enum fg_result fgi_gpu_mask_of(struct fgi_engine_vulkan *vulkan, uint32_t filter,
                                           const struct fgi_gpu_column **out_mask);
/** Make a filter on the device: sets what it has there, and its rows. */
FG_MUST_USE enum fg_result fgi_gpu_filter_fill(struct fgi_engine_vulkan *vulkan,
                                               struct fgi_gpu_filter *filter);
/** All of the trace that is on the device goes; of filters it is gone before. */
void fgi_gpu_trace_end(struct fgi_engine_vulkan *vulkan);

/* engine_rows.c */
enum fg_result fgi_vulkan_pick(struct fg_engine *, const struct fgi_question *,
                               const struct fg_pick_request *, uint32_t *);
enum fg_result fgi_vulkan_visible_rows(struct fg_engine *, const struct fgi_question *,
                                       const struct fgi_rows_request *, struct fgi_rows *);
/** A population is about to go: nothing that is kept stands on it any longer. */
void fgi_gpu_rows_forget(struct fgi_engine_vulkan *vulkan,
                         const struct fg_gpu_population *population);
void fgi_gpu_rows_end(struct fgi_engine_vulkan *vulkan);
/** What engine_numbers_cover.c keeps. */
void fgi_gpu_cover_forget(struct fgi_engine_vulkan *vulkan);

#endif
