/* SPDX-License-Identifier: MIT */
/* What the recorder's tests share: a software device with a session, and a capture read back. */
#ifndef RECORD_BED_H
#define RECORD_BED_H
#include <frameglass/capture.h>
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/graph.h>
#include <frameglass/session.h>

#define BED_QUEUES 4
#define SECOND_NS  1000000000

/* One device, one session in memory, one native command buffer per queue. */
struct bed {
    struct fg_device *device;
    struct fg_session *session;
    struct fg_software_commands *native[BED_QUEUES];
    struct fg_frame *frame;
    struct fg_commands *commands[BED_QUEUES];
    enum fg_result submitted; /* what the device said of the last submission */
};

/* Both options may be NULL. The session is started. Asserts that everything works. */
void bed_open(struct bed *bed, const struct fg_software_options *device_options,
              const struct fg_session_options *session_options);
void bed_close(struct bed *bed);

/* A frame with one watched command buffer on each of the first `queues` queues. */
void bed_begin(struct bed *bed, uint32_t queues);
/* A GPU pass of a given cost on a queue. */
void bed_pass(struct bed *bed, uint32_t queue, const char *label, int64_t cost_ns);
/* End and submit every command buffer of the frame, each by itself; end the frame. */
void bed_end(struct bed *bed);
/* The last two together with the advance of `after_ns`: a whole frame of `count` passes. */
void bed_frame(struct bed *bed, uint32_t count, int64_t cost_ns, int64_t after_ns);

/* ---- a capture, read back by the capture reader ---- */

struct seen_pass {
    char label[64];
    char owner[64]; /* name of the graph pass; "" = unattributed */
    uint32_t graph_pass;
    uint32_t kind;
    uint32_t track;
    uint32_t submission;
    uint32_t parent;
    uint32_t logical;
    uint32_t fragment;
    size_t work_count;
    struct fg_cap_work works[8];       /* the first ones; without bindings */
    struct fg_cap_binding bindings[4]; /* of the first work */
    char pipelines[8][32];
    size_t attachment_count;
    struct fg_cap_attachment attachments[4];
    bool has_span;
    uint32_t clock;
    struct fg_cap_gpu_span span;
    uint32_t statistics_mask;
    uint64_t statistics[4];
    size_t resolved_count;
    struct fg_cap_resolved resolved[8];
};
struct seen_submission {
    uint32_t track;
    uint64_t submit_ticks;
    size_t wait_count, signal_count;
    struct fg_cap_semaphore waits[4], signals[4];
};
struct seen_frame {
    uint64_t frame;
    uint32_t topology;
    uint32_t level;
    uint64_t begin_ticks, end_ticks, submit_ticks, wait_ticks, present_wait_ticks, recorder_ns;
    uint64_t drops[11];
    uint64_t dropped;
    size_t pass_count;
    struct seen_pass *passes;
    size_t cpu_pass_count;
    struct fg_cap_cpu_pass *cpu_passes;
    size_t submission_count;
    struct seen_submission submissions[8];
    size_t counter_count;
    char counters[8][32];
    int64_t counter_values[8];
    uint32_t gpu_records;
    bool last;
    uint64_t latency_ns;
};
#define SEEN_READINGS_MAX 8192 /* each session that starts or stops adds one to all others */
struct seen_clock {
    uint32_t domain;
    char reason[96];
    uint64_t first_reading; /* number of the first one in the capture */
    size_t reading_count;
    struct fg_cap_reading readings[SEEN_READINGS_MAX];
};
struct seen {
    struct fg_capture_info info;
    size_t frame_count;
    struct seen_frame *frames;
    size_t topology_count; /* records, restated ones not counted */
    size_t note_count;
    char note[128];
    uint64_t note_frame;
    bool lost;
    uint64_t lost_frame;
    size_t open_count;
    struct fg_cap_instance_ref open[8];
    struct seen_clock clocks[8]; /* by id */
    struct fg_cap_summary summary;
    bool has_summary;
    uint32_t level;
    uint32_t development;
    char meta_note[128], engine_version[32], adapter[32];
    size_t feature_count;
    char features[8][40];
    size_t defect_count;
};

/* Asserts that the capture has no defect. Free with seen_free(). */
void seen_read(struct seen *seen, const void *bytes, size_t size);
/* The same, of a finished session in memory. */
void seen_session(struct seen *seen, struct fg_session *session);
/* The same, of a bed's session, finished first if it was not. */
void seen_bed(struct seen *seen, struct bed *bed);
void seen_free(struct seen *seen);
/* The topology of a frame, looked up again; `visit` gets it while it is there. */
void seen_topology(const void *bytes, size_t size, uint32_t id,
                   void (*visit)(const struct fg_capture *capture,
                                 const struct fg_cap_topology *topology));
int64_t seen_duration(const struct seen_pass *pass);

#endif
