/* SPDX-License-Identifier: MIT */
#include "opengl_fake_bed.h"
#include "../support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static void *counting_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct gl_bed *bed = context;
    if (size == 0) {
        bed->bytes -= (int64_t)old_size;
        free(block);
        return NULL;
    }
    void *moved = realloc(block, size);
    assert_non_null(moved);
    bed->allocations++;
    bed->bytes += (int64_t)size - (int64_t)(block != NULL ? old_size : 0);
    return moved;
}

void gl_open_device(struct gl_bed *bed, const struct fg_opengl_options *given)
{
    struct fg_opengl_options options = { 0 };
    if (given != NULL) {
        options = *given;
    }
    memset(bed, 0, sizeof *bed);
    bed->allocator = (struct fg_allocator){ counting_resize, bed };
    options.allocator = &bed->allocator;
    options.get_proc_address = fake_get_proc_address;
    assert_int_equal(fgi_opengl_create(&options, fake_host(), &bed->device), FG_OK);
}

void gl_open(struct gl_bed *bed, const struct fg_opengl_options *device_options,
             const struct fg_session_options *session_options)
{
    gl_open_device(bed, device_options);
    assert_int_equal(fg_session_create(bed->device, session_options, &bed->session), FG_OK);
    assert_int_equal(fg_session_start(bed->session), FG_OK);
}

void gl_close(struct gl_bed *bed)
{
    fg_device_destroy(bed->device);
    fg_session_destroy(bed->session);
    assert_int_equal(bed->bytes, 0);
    assert_int_equal(fake.queries_alive, 0);
    assert_int_equal(fake.deleted_running, 0);
    assert_int_equal(fake.groups_open, 0);
    assert_int_equal(fake.errors, 0);
    assert_int_equal(fake.blocked, 0);
    assert_int_equal(fake.wrong_thread, 0);
}

void gl_begin(struct gl_bed *bed)
{
    bed->frame = fg_frame_begin(bed->device);
    bed->commands = fg_opengl_commands_begin(bed->device, bed->frame);
}

void gl_pass_begin(struct gl_bed *bed, const char *label, bool statistics)
{
    fg_gpu_pass_begin(bed->commands, &(struct fg_gpu_pass_desc){ .label = label,
                                                                 .kind = FG_GPU_PASS_RENDER,
                                                                 .statistics = statistics });
}

void gl_pass(struct gl_bed *bed, const char *label, int64_t cost_ns)
{
    gl_pass_begin(bed, label, false);
    fake_work(cost_ns);
    fg_gpu_pass_end(bed->commands);
}

void gl_end(struct gl_bed *bed)
{
    fg_commands_end(bed->commands);
    fg_frame_end(bed->frame);
}

void gl_frame(struct gl_bed *bed, uint32_t count, int64_t cost_ns, int64_t after_ns)
{
    gl_begin(bed);
    for (uint32_t i = 0; i < count; i++) {
        gl_pass(bed, "pass", cost_ns);
    }
    gl_end(bed);
    fake_advance(after_ns);
}

void gl_see(struct gl_bed *bed, struct seen *seen)
{
    (void)fg_session_finish(bed->session, SECOND_NS);
    seen_session(seen, bed->session);
}
