/* SPDX-License-Identifier: MIT */
/*
 * Everything that the renderer tells a profiler, in the renderer's own words.
 *
 * record.c turns it into a capture; it is the only file that knows which profiler that is. A NULL
 * recorder, or NULL recorded commands, means that nobody records: every function then does nothing.
 * Zones, metrics and live resources do not come through here: they stand where the work is done.
 */
#ifndef RD_RECORD_H
#define RD_RECORD_H

#include "frame_graph.h"
#include "gpu_resources.h"

struct rd_recorder;
struct rd_recorded; /**< one command buffer as the profiler sees it */

/** What the metadata says besides the device. */
struct rd_record_info {
    uint32_t width_px; /**< of the picture */
    uint32_t height_px;
    uint32_t seed;
};

/** @param out_recorder NULL when the options ask for no capture */
bool rd_recorder_open(const struct rd_device *device, const struct rd_options *options,
                      const struct rd_record_info *info, struct rd_recorder **out_recorder);
/** Wait a bounded time for the last results, close the capture, fill in the summary. */
bool rd_recorder_finish(struct rd_recorder *recorder, struct rd_log *log,
                        struct rd_summary *summary);
/** Before the device goes. */
void rd_recorder_close(struct rd_recorder *recorder);

void rd_record_frame_begin(struct rd_recorder *recorder);
void rd_record_frame_end(struct rd_recorder *recorder);
void rd_record_note(struct rd_recorder *recorder, const char *text);
/** The compiled graph of this frame; hash: equal for equal graphs. */
void rd_record_graph(struct rd_recorder *recorder, const struct rd_graph *graph, uint64_t hash);
/** The CPU waited for a frame slot. */
void rd_record_wait(struct rd_recorder *recorder, int64_t duration_ns);

enum rd_unit { RD_UNIT_COUNT, RD_UNIT_BYTES, RD_UNIT_PIXELS };
void rd_record_counter(struct rd_recorder *recorder, const char *name, enum rd_unit unit,
                       int64_t value);

struct rd_recorded *rd_record_commands(struct rd_recorder *recorder, VkCommandBuffer commands,
                                       uint32_t queue);
void rd_record_commands_end(struct rd_recorded *recorded);

struct rd_record_signal {
    VkSemaphore semaphore;
    uint64_t value;
};
/** Right before the submit. */
void rd_record_submit(struct rd_recorder *recorder, uint32_t queue, struct rd_recorded *recorded,
                      const struct rd_record_signal *waits, uint32_t wait_count,
                      const struct rd_record_signal *signals, uint32_t signal_count);
void rd_record_submit_failed(struct rd_recorder *recorder, bool device_lost);

/** The bracket around a pass of the graph. */
void rd_record_graph_pass_begin(struct rd_recorded *recorded, uint16_t pass, const char *name);
void rd_record_graph_pass_end(struct rd_recorded *recorded);

struct rd_record_attachment {
    const struct rd_image *image;
    bool clears;    /**< else it loads */
    bool read_only; /**< depth that is only compared with */
};
/** Begin a pass on the GPU; outside of rendering. */
void rd_record_gpu_pass_begin(struct rd_recorded *recorded, const char *label,
                              enum rd_pass_kind kind,
                              const struct rd_record_attachment *attachments,
                              uint32_t attachment_count);
void rd_record_gpu_pass_end(struct rd_recorded *recorded);

/**
 * @param stage what a compute pipeline is made of, to find its workgroup size in; NULL for draws
 * @return a number for rd_record_bind_pipeline(), 0 when nobody records
 */
uint32_t rd_record_pipeline(struct rd_recorder *recorder, const char *label,
                            const VkPipelineShaderStageCreateInfo *stage, const uint32_t *words,
                            size_t word_count);
void rd_record_bind_pipeline(struct rd_recorded *recorded, uint32_t pipeline);

struct rd_record_binding {
    char kind; /**< as in a pipeline's list of bindings */
    uint64_t graph_resource;
    uint64_t size_bytes;
};
void rd_record_bindings(struct rd_recorded *recorded, const struct rd_record_binding *bindings,
                        uint32_t count);
void rd_record_draw(struct rd_recorded *recorded, uint32_t vertex_count, uint32_t instance_count);
void rd_record_draw_indexed_indirect(struct rd_recorded *recorded, const struct rd_buffer *buffer,
                                     uint64_t offset_bytes);
void rd_record_dispatch(struct rd_recorded *recorded, uint32_t x, uint32_t y, uint32_t z);
void rd_record_copy(struct rd_recorded *recorded, uint64_t size_bytes);

#endif
