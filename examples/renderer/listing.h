/* SPDX-License-Identifier: MIT */
/*
 * One frame, told in full: its command buffers as text, with the passes of the graph as names, or a
 * capture by RenderDoc. Without a window there are no keys: the options say which frame.
 */
#ifndef RD_LISTING_H
#define RD_LISTING_H

#include "gpu_pipelines.h"

struct rd_listing;

/** @param out_listing NULL when the options ask for nothing; borrows the pipelines */
bool rd_listing_open(const struct rd_options *options, const struct rd_pipelines *pipelines,
                     struct rd_log *log, struct rd_listing **out_listing);
/** NULL is legal, here and below. */
void rd_listing_close(struct rd_listing *listing);

/** @param frame from 0 */
bool rd_listing_frame_begin(struct rd_listing *listing, uint32_t frame);
/** What was asked for is written. False: it could not be. */
bool rd_listing_frame_end(struct rd_listing *listing);

/** This thread's calls are a profiler's from here to the resume: they are not listed. */
void rd_listing_pause(struct rd_listing *listing);
void rd_listing_resume(struct rd_listing *listing);

/** A pass of the graph. */
void rd_listing_pass_begin(struct rd_listing *listing, VkCommandBuffer commands, const char *name);
void rd_listing_pass_end(struct rd_listing *listing, VkCommandBuffer commands);

#endif
