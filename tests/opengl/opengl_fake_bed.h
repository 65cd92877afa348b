/* SPDX-License-Identifier: MIT */
/* A device and a session over the fake driver, and a capture read back (record_bed.h). */
#ifndef FGT_OPENGL_FAKE_BED_H
#define FGT_OPENGL_FAKE_BED_H
#include "../unit/record_bed.h"
#include "fake_gl.h"

#define MS 1000000

struct gl_bed {
    struct fg_device *device;
    struct fg_session *session; /**< running */
    struct fg_frame *frame;
    struct fg_commands *commands;
    struct fg_allocator allocator; /**< counts */
    uint64_t allocations;          /**< blocks made or grown so far */
    int64_t bytes;                 /**< not given back */
};

/** After fake_reset() and what is to be changed about it. Options may be NULL. */
void gl_open(struct gl_bed *bed, const struct fg_opengl_options *device_options,
             const struct fg_session_options *session_options);
/** A device without a session. */
void gl_open_device(struct gl_bed *bed, const struct fg_opengl_options *options);
/** Destroys both; the driver must have seen no error, no wait, and nothing may be left. */
void gl_close(struct gl_bed *bed);

void gl_begin(struct gl_bed *bed);
/** A pass with work of that cost. */
void gl_pass(struct gl_bed *bed, const char *label, int64_t cost_ns);
void gl_pass_begin(struct gl_bed *bed, const char *label, bool statistics);
void gl_end(struct gl_bed *bed);
/** A whole frame of `count` passes "pass", and time after it. */
void gl_frame(struct gl_bed *bed, uint32_t count, int64_t cost_ns, int64_t after_ns);
/** Finish the session and read its capture. */
void gl_see(struct gl_bed *bed, struct seen *seen);

#endif
