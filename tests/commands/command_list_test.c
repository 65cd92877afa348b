/* SPDX-License-Identifier: MIT */
/* Lists of OpenGL's calls over functions of our own. */
#include "command_bed.h"
#include "gpu/draws/words.h"

#include "../support/cmocka_all.h"
#include "../support/failing_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a table, as an application has one; what is behind it notes what it is given ---- */

static struct {
    double numbers[4];
    const void *pointer;
    unsigned calls;
} seen;

static void real_clear(unsigned mask)
{
    seen.numbers[0] = mask;
    seen.calls++;
}
static void real_clear_color(float r, float g, float b, float a)
{
    seen.numbers[0] = (double)r;
    seen.numbers[1] = (double)g;
    seen.numbers[2] = (double)b;
    seen.numbers[3] = (double)a;
    seen.calls++;
}
static void real_depth_range(double n, double f)
{
    seen.numbers[0] = n;
    seen.numbers[1] = f;
    seen.calls++;
}
static void real_arrays(unsigned mode, int first, int count)
{
    seen.numbers[0] = mode;
    seen.numbers[1] = first;
    seen.numbers[2] = count;
    seen.calls++;
}
static void real_elements(unsigned mode, int count, unsigned type, const void *indices)
{
    seen.numbers[0] = mode;
    seen.numbers[1] = count;
    seen.numbers[2] = type;
    seen.pointer = indices;
    seen.calls++;
}
static void real_multi(unsigned mode, const int *first, const int *count, int draws)
{
    seen.numbers[0] = mode;
    seen.numbers[1] = first != NULL ? first[0] : -1;
    seen.numbers[2] = count != NULL ? count[0] : -1;
    seen.numbers[3] = draws;
    seen.calls++;
}
static void real_indirect_count(unsigned mode, const void *indirect, intptr_t offset, int most,
                                int stride)
{
    (void)mode, (void)indirect, (void)offset, (void)most, (void)stride;
    seen.calls++;
}
static void real_dispatch(unsigned x, unsigned y, unsigned z)
{
    seen.numbers[0] = x * y * z;
    seen.calls++;
}
static void real_two(unsigned a, unsigned b)
{
    seen.numbers[0] = a;
    seen.numbers[1] = b;
    seen.calls++;
}
static void real_mask(unsigned char r, unsigned char g, unsigned char b, unsigned char a)
{
    seen.numbers[0] = r + 2 * g + 4 * b + 8 * a;
    seen.calls++;
}
static void real_buffers(int count, const unsigned *buffers)
{
    seen.numbers[0] = count;
    seen.pointer = buffers;
    seen.calls++;
}
static void real_group(unsigned source, unsigned id, int length, const char *message)
{
    (void)source, (void)id, (void)length;
    seen.pointer = message;
    seen.calls++;
}
static void real_read(int x, int y, int width, int height, unsigned format, unsigned type,
                      void *pixels)
{
    (void)x, (void)y, (void)width, (void)height, (void)format, (void)type;
    seen.pointer = pixels;
    seen.calls++;
}
static void real_clear_buffer(unsigned buffer, int drawbuffer, const float *value)
{
    (void)buffer, (void)drawbuffer;
    seen.pointer = value;
    seen.calls++;
}
static void real_clear_named(unsigned framebuffer, unsigned buffer, int drawbuffer,
                             const int *value)
{
    (void)framebuffer, (void)buffer, (void)drawbuffer;
    seen.pointer = value;
    seen.calls++;
}
static void real_marker(int length, const char *marker)
{
    (void)length;
    seen.pointer = marker;
    seen.calls++;
}
static void real_nothing(void)
{
    seen.calls++;
}

static struct table {
    void (*Clear)(unsigned);
    void (*ClearColor)(float, float, float, float);
    void (*DepthRange)(double, double);
    void (*DrawArrays)(unsigned, int, int);
    void (*DrawElements)(unsigned, int, unsigned, const void *);
    void (*MultiDrawArrays)(unsigned, const int *, const int *, int);
    void (*MultiDrawArraysIndirectCount)(unsigned, const void *, intptr_t, int, int);
    void (*DispatchCompute)(unsigned, unsigned, unsigned);
    void (*BlendFunc)(unsigned, unsigned);
    void (*BindFramebuffer)(unsigned, unsigned);
    void (*ColorMask)(unsigned char, unsigned char, unsigned char, unsigned char);
    void (*DrawBuffers)(int, const unsigned *);
    void (*PushDebugGroup)(unsigned, unsigned, int, const char *);
    void (*PopDebugGroup)(void);
    void (*ReadPixels)(int, int, int, int, unsigned, unsigned, void *);
    void (*Flush)(void);
    void (*ClearBufferfv)(unsigned, int, const float *);
    void (*ClearNamedFramebufferiv)(unsigned, unsigned, int, const int *);
    void (*PushGroupMarkerEXT)(int, const char *);
    void (*Uniform1i)(int, int); /* nobody lists it */
    void (*Finish)(void);        /* this OpenGL has none */
} gl;
static const struct table real = {
    real_clear,   real_clear_color,    real_depth_range, real_arrays,  real_elements,
    real_multi,   real_indirect_count, real_dispatch,    real_two,     real_two,
    real_mask,    real_buffers,        real_group,       real_nothing, real_read,
    real_nothing, real_clear_buffer,   real_clear_named, real_marker,  NULL,
    NULL,
};
#define SLOT(name)                                                                                 \
    {                                                                                              \
        "gl" #name, (void **)(void *)&gl.name                                                      \
    }
static const struct fg_draw_slot slots[] = {
    SLOT(Clear),
    SLOT(ClearColor),
    SLOT(DepthRange),
    SLOT(DrawArrays),
    SLOT(DrawElements),
    SLOT(MultiDrawArrays),
    SLOT(BlendFunc),
    SLOT(BindFramebuffer),
    SLOT(MultiDrawArraysIndirectCount),
    SLOT(ColorMask),
    SLOT(DrawBuffers),
    SLOT(DispatchCompute),
    SLOT(Flush),
    SLOT(PushDebugGroup),
    SLOT(PopDebugGroup),
    SLOT(ReadPixels),
    SLOT(Uniform1i),
    SLOT(Finish),
    SLOT(ClearBufferfv),
    SLOT(ClearNamedFramebufferiv),
    SLOT(PushGroupMarkerEXT),
};
enum { SLOTS = sizeof slots / sizeof *slots };

static int fresh_table(void **state)
{
    (void)state;
    gl = real;
    memset(&seen, 0, sizeof seen);
    return 0;
}

static struct fg_command_list *make(const struct fg_command_list_options *more)
{
    struct fg_command_list_options options = { 0 };
    struct fg_command_list *list = NULL;
    if (more != NULL) {
        options = *more;
    }
    options.slots = slots;
    options.slot_count = SLOTS;
    assert_int_equal(fg_command_list_create(&options, &list), FG_OK);
    assert_non_null(list);
    return list;
}

static const char *name_some(void *context, const char *kind, uint64_t object)
{
    (void)context;
    return strcmp(kind, "framebuffer") == 0 && object == 7 ? "shadow \"map\"" : NULL;
}

/* ---- what is written ---- */

static void a_frame_is_written_call_by_call(void **state)
{
    static const int first[] = { 0, 3, -5 }, count[] = { 3, 6, 9 };
    static const unsigned buffers[] = { 0x8ce0, 0, 0x8ce1 };
    static const char cut[] = "only the begin of this";
    struct fg_command_list *list =
        make(&(const struct fg_command_list_options){ .name_of = name_some });
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.BindFramebuffer(0x8d40, 7);
    gl.BindFramebuffer(0x8ca8, 0);
    gl.ClearColor(0.1f, 1.0f / 3, -0.0f, 1e30f);
    gl.DepthRange(0.1, 1);
    gl.Clear(0x4000 | 0x100 | 0x2);
    gl.ColorMask(1, 0, 2, 0);
    fg_command_list_scope_begin(list, NULL, "scene");
    gl.PushDebugGroup(0x824a, 1, -1, "a \"group\"\n\x01\xff and \xc3\xa9");
    gl.BlendFunc(0, 1);
    gl.BlendFunc(0x302, 0x303);
    gl.DrawArrays(0, 0, 1);
    gl.DrawArrays(4, 6, 12);
    gl.DrawElements(5, 36, 0x1405, (const void *)0x40);
    gl.PushDebugGroup(0x824a, 2, 14, cut);
    gl.MultiDrawArrays(4, first, count, 3);
    gl.MultiDrawArrays(4, NULL, NULL, 0);
    gl.MultiDrawArrays(4, first, count, -1);
    gl.PopDebugGroup();
    fg_command_list_scope_begin(list, NULL, "");
    gl.MultiDrawArraysIndirectCount(4, NULL, 16, 100, 32);
    fg_command_list_scope_end(list, NULL);
    gl.DispatchCompute(2, 3, 4);
    gl.PopDebugGroup();
    fg_command_list_scope_end(list, NULL);
    fg_command_list_scope_end(list, NULL);
    gl.DrawBuffers(3, buffers);
    gl.DrawArrays(0xe, 0, 3);
    gl.DrawArrays(0xbad, 0, 3);
    gl.ReadPixels(0, 0, 1, 1, 0x1908, 0x1401, (void *)0x1000);
    gl.Flush();
    assert_int_equal(fg_command_list_end(list), FG_OK);
    assert_int_equal(seen.calls, 25);
    char *text = command_text(list);
    command_same_text(
        text,
        "Frameglass command list, version 1\n"
        "\n"
        "OpenGL\n"
        "         glBindFramebuffer(target = GL_FRAMEBUFFER, framebuffer = 7 \"shadow "
        "\\\"map\\\"\")\n"
        "         glBindFramebuffer(target = GL_READ_FRAMEBUFFER, framebuffer = 0)\n"
        "         glClearColor(red = 0.1, green = 0.33333334, blue = -0, alpha = 1e+30)\n"
        "         glDepthRange(n = 0.1, f = 1)\n"
        "         glClear(mask = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | 0x2)\n"
        "         glColorMask(red = true, green = false, blue = true, alpha = false)\n"
        "         \"scene\"\n"
        "           glPushDebugGroup(source = GL_DEBUG_SOURCE_APPLICATION, id = 1, length = -1, "
        "message = \"a \\\"group\\\"\\x0a\\x01\xef\xbf\xbd and \xc3\xa9\")\n"
        "             glBlendFunc(sfactor = GL_ZERO, dfactor = GL_ONE)\n"
        "             glBlendFunc(sfactor = GL_SRC_ALPHA, dfactor = GL_ONE_MINUS_SRC_ALPHA)\n"
        "      1      glDrawArrays(mode = GL_POINTS, first = 0, count = 1)\n"
        "      2      glDrawArrays(mode = GL_TRIANGLES, first = 6, count = 12)\n"
        "      3      glDrawElements(mode = GL_TRIANGLE_STRIP, count = 36, type = GL_UNSIGNED_INT, "
        "indices = 0x40)\n"
        "             glPushDebugGroup(source = GL_DEBUG_SOURCE_APPLICATION, id = 2, length = 14, "
        "message = \"only the begin\")\n"
        "    4-6        glMultiDrawArrays(mode = GL_TRIANGLES, first = [0, 3, -5], "
        "count = [3, 6, 9], drawcount = 3)\n"
        "               glMultiDrawArrays(mode = GL_TRIANGLES, first = NULL, count = NULL, "
        "drawcount = 0)\n"
        "               glMultiDrawArrays(mode = GL_TRIANGLES, first = [], count = [], "
        "drawcount = -1)\n"
        "             glPopDebugGroup()\n"
        "             \"\"\n"
        "      7        glMultiDrawArraysIndirectCount(mode = GL_TRIANGLES, indirect = 0x0, "
        "drawcount = 16, maxdrawcount = 100, stride = 32)\n"
        "     d1      glDispatchCompute(num_groups_x = 2, num_groups_y = 3, num_groups_z = 4)\n"
        "           glPopDebugGroup()\n"
        "         glDrawBuffers(n = 3, bufs = [GL_COLOR_ATTACHMENT0, GL_NONE, "
        "GL_COLOR_ATTACHMENT1])\n"
        "      8  glDrawArrays(mode = GL_PATCHES, first = 0, count = 3)\n"
        "      9  glDrawArrays(mode = 0xbad, first = 0, count = 3)\n"
        "         glReadPixels(x = 0, y = 0, width = 1, height = 1, format = GL_RGBA, "
        "type = GL_UNSIGNED_BYTE, pixels = 0x1000)\n"
        "         glFlush()\n"
        "\n"
        "Sums\n"
        "           9  draw calls\n"
        "           9  draws\n"
        "          37  vertices\n"
        "          36  indices\n"
        "           8  instances\n"
        "           1  draws whose size is on the GPU\n"
        "           1  calls whose number of draws is on the GPU\n"
        "         100  draws that those may make\n"
        "           1  dispatches\n"
        "          24  workgroups\n"
        "           0  traces\n"
        "          25  calls listed\n"
        "           0  calls that did not fit\n");
    free(text);
    fg_command_list_destroy(list);
}

/** What lies behind the one value is not the call's. */
static void of_a_clear_as_many_values_are_read_as_the_buffer_has(void **state)
{
    float *one = malloc(sizeof *one); /* where nothing is behind it, for who watches memory */
    static const float four[] = { 0.5f, 0.25f, 2, 1 };
    static const int numbers[] = { 7, 8, 9, 10 };
    struct fg_command_list *list = make(NULL);
    (void)state;
    assert_non_null(one);
    *one = 0.5f;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.ClearBufferfv(0x1801, 0, one);
    gl.ClearBufferfv(0x1800, 1, four);
    gl.ClearBufferfv(0xbad, 0, NULL);
    gl.ClearBufferfv(0xbad, 0, one);
    gl.ClearNamedFramebufferiv(3, 0x1802, 0, numbers);
    gl.ClearNamedFramebufferiv(3, 0x1800, 0, numbers);
    assert_int_equal(fg_command_list_end(list), FG_OK);
    char *text = command_text(list);
    assert_non_null(strstr(text, "drawbuffer = 0, value = [0.5])\n"));
    assert_non_null(strstr(text, "drawbuffer = 1, value = [0.5, 0.25, 2, 1])\n"));
    assert_non_null(strstr(text, "drawbuffer = 0, value = NULL)\n"));
    assert_non_null(strstr(text, "drawbuffer = 0, value = [])\n"));
    assert_non_null(strstr(text, "drawbuffer = 0, value = [7])\n"));
    assert_non_null(strstr(text, "drawbuffer = 0, value = [7, 8, 9, 10])\n"));
    free(text);
    free(one);
    fg_command_list_destroy(list);
}

static void labels_are_shown_as_they_are_and_steer_nobody(void **state)
{
    struct fg_command_list *list = make(NULL);
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.PushGroupMarkerEXT(0, "Shadow pass");
    gl.PushGroupMarkerEXT(6, "Shadow pass");
    gl.PushDebugGroup(0x824a, 0, 0, "nothing of this");
    gl.PushDebugGroup(
        0x824a, 0, -1,
        "\xc2\x9b"
        "1m\xc2\x85\xe2\x80\xa8\xe2\x80\xae\xe2\x80\x8b\xe2\x81\xa6\xc2\xa0\xe2\x82\xac");
    assert_int_equal(fg_command_list_end(list), FG_OK);
    char *text = command_text(list);
    assert_non_null(strstr(text, "length = 0, marker = \"Shadow pass\""));
    assert_non_null(strstr(text, "length = 6, marker = \"Shadow\""));
    assert_non_null(strstr(text, "length = 0, message = \"\""));
    assert_non_null(strstr(text,
                           "\"\\xc2\\x9b1m\\xc2\\x85\\xe2\\x80\\xa8\\xe2\\x80\\xae\\xe2\\x80\\x8b"
                           "\\xe2\\x81\\xa6\xc2\xa0\xe2\x82\xac\""));
    free(text);
    fg_command_list_destroy(list);
}

static void everything_is_forwarded_as_it_was_given(void **state)
{
    static const unsigned buffers[] = { 1, 2 };
    static const char message[] = "message";
    struct fg_command_list *list = make(NULL);
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.ClearColor(0.25f, 0.5f, 0.75f, 1.5f);
    assert_true(seen.numbers[0] == 0.25 && seen.numbers[1] == 0.5);
    assert_true(seen.numbers[2] == 0.75 && seen.numbers[3] == 1.5);
    gl.DepthRange(0.125, 2.5);
    assert_true(seen.numbers[0] == 0.125 && seen.numbers[1] == 2.5);
    gl.ColorMask(1, 0, 1, 1);
    assert_true(seen.numbers[0] == 13);
    gl.DrawBuffers(2, buffers);
    assert_ptr_equal(seen.pointer, buffers);
    gl.PushDebugGroup(1, 2, 3, message);
    assert_ptr_equal(seen.pointer, message);
    gl.DrawElements(4, -7, 0x1403, &seen);
    assert_true(seen.numbers[0] == 4 && seen.numbers[1] == -7 && seen.numbers[2] == 0x1403);
    assert_ptr_equal(seen.pointer, &seen);
    assert_int_equal(seen.calls, 6);
    fg_command_list_destroy(list);
    assert_memory_equal(&gl, &real, sizeof gl);
}

/* ---- on and off ---- */

static void off_nothing_is_wrapped_allocated_or_kept(void **state)
{
    struct failing failing = { .countdown = -1 };
    const struct fg_allocator allocator = failing_allocator(&failing);
    struct fg_command_list *list =
        make(&(const struct fg_command_list_options){ .allocator = &allocator });
    struct fg_command_list_facts facts;
    (void)state;
    const long alive = failing.alive;
    failing.countdown = 0; /* refuses whatever comes now */
    failing.stays = true;
    for (int frame = 0; frame < 3; frame++) {
        assert_memory_equal(&gl, &real, sizeof gl);
        gl.DrawArrays(4, 0, 3);
        fg_command_list_scope_begin(list, NULL, "nobody looks");
        fg_command_list_scope_end(list, NULL);
        fg_command_list_submitted(list, NULL, 0);
        fg_command_list_get_facts(list, &facts);
        assert_int_equal(facts.counts.draws, frame);
        assert_false(fg_command_list_is_on(list));
        assert_int_equal(fg_command_list_begin(list), FG_OK);
        assert_memory_not_equal(&gl, &real, sizeof gl);
        assert_null(gl.Finish);
        assert_null(gl.Uniform1i);
        for (int i = 0; i <= frame; i++) {
            gl.DrawArrays(4, 0, 3);
        }
        assert_int_equal(fg_command_list_end(list), FG_OK);
        assert_memory_equal(&gl, &real, sizeof gl);
        fg_command_list_get_facts(list, &facts);
        assert_int_equal(facts.counts.draws, frame + 1); /* of this frame alone */
    }
    assert_false(failing.refused);
    assert_int_equal(failing.alive, alive);
    fg_command_list_destroy(list);
    assert_int_equal(failing.alive, 0);
}

static void nobody_is_told_of_no_list(void **state)
{
    struct fg_command_list_facts facts = { .commands = 1 };
    (void)state;
    fg_command_list_scope_begin(NULL, NULL, "x");
    fg_command_list_scope_end(NULL, NULL);
    fg_command_list_submitted(NULL, NULL, 0);
    fg_command_list_pause(NULL);
    fg_command_list_resume(NULL);
    fg_command_list_destroy(NULL);
    assert_false(fg_command_list_is_on(NULL));
    assert_int_equal(fg_command_list_end(NULL), FG_OK);
    assert_int_equal(fg_command_list_begin(NULL), FG_ERR_ARGUMENT);
    assert_int_equal(fg_command_list_write(NULL, NULL), FG_ERR_ARGUMENT);
    fg_command_list_get_facts(NULL, &facts);
    fg_command_list_get_facts(NULL, NULL);
    assert_int_equal(facts.commands, 0);
    assert_true(fg_command_list_knows("glDrawArrays"));
    assert_true(fg_command_list_knows("vkCmdPipelineBarrier2KHR"));
    assert_false(fg_command_list_knows("glUniform1i"));
    assert_false(fg_command_list_knows(NULL));
}

static void a_list_is_written_when_it_has_ended(void **state)
{
    struct fg_command_list *list = make(NULL);
    struct fg_memory_sink *memory = NULL;
    struct fg_sink sink;
    (void)state;
    assert_int_equal(fg_memory_sink_create(NULL, 20, &memory, &sink), FG_OK);
    assert_int_equal(fg_command_list_write(list, &sink), FG_ERR_STATE);
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    assert_int_equal(fg_command_list_begin(list), FG_ERR_BUSY);
    assert_int_equal(fg_command_list_write(list, &sink), FG_ERR_STATE);
    assert_int_equal(fg_command_list_end(list), FG_OK);
    assert_int_equal(fg_command_list_write(list, &sink), FG_ERR_LIMIT); /* the sink's own */
    assert_int_equal(fg_command_list_write_file(list, "/no/such/folder/x"), FG_ERR_IO);
    fg_memory_sink_destroy(memory);
    fg_command_list_destroy(list);
}

static void one_list_at_a_time_runs(void **state)
{
    struct fg_command_list *one = make(NULL), *other = make(NULL);
    (void)state;
    assert_int_equal(fg_command_list_begin(one), FG_OK);
    assert_int_equal(fg_command_list_begin(other), FG_ERR_BUSY);
    gl.Flush();
    fg_command_list_destroy(other);
    gl.Flush();
    assert_int_equal(fg_command_list_end(one), FG_OK);
    char *text = command_text(one);
    assert_int_equal(command_sum(text, "calls listed"), 2);
    free(text);
    fg_command_list_destroy(one);
}

static void (*below)(void);
static void somebody_elses_flush(void)
{
    below();
}

static void a_slot_that_somebody_patched_since_is_left(void **state)
{
    struct fg_command_list *list = make(NULL), *other = make(NULL);
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    below = gl.Flush;
    gl.Flush = somebody_elses_flush;
    assert_int_equal(fg_command_list_end(list), FG_ERR_BUSY);
    assert_ptr_equal(gl.Flush, somebody_elses_flush);
    gl.Flush(); /* through a wrapper that only forwards */
    assert_int_equal(seen.calls, 1);
    /* Another list's wrapper of it would call itself. */
    assert_int_equal(fg_command_list_begin(other), FG_ERR_BUSY);
    /* Nor is it known whether calls would come to the same list's: it does not say "none". */
    assert_int_equal(fg_command_list_begin(list), FG_ERR_BUSY);
    assert_false(fg_command_list_is_on(list));
    gl.Flush();
    assert_int_equal(fg_command_list_end(list), FG_ERR_BUSY);
    assert_int_equal(seen.calls, 2);
    gl.Flush = below;
    assert_int_equal(fg_command_list_end(list), FG_OK);
    assert_memory_equal(&gl, &real, sizeof gl);
    assert_int_equal(fg_command_list_begin(other), FG_OK);
    fg_command_list_destroy(other);
    fg_command_list_destroy(list);
}

static void a_table_that_the_application_wrote_anew_is_listed_again(void **state)
{
    struct fg_command_list *list = make(NULL);
    struct fg_command_list_facts facts;
    (void)state;
    for (int round = 0; round < 3; round++) {
        assert_int_equal(fg_command_list_begin(list), FG_OK);
        const struct table kept = gl;
        gl = real; /* as a loader does, a second time */
        assert_int_equal(fg_command_list_end(list), FG_OK);
        assert_memory_equal(&gl, &real, sizeof gl);
        gl = kept; /* or a copy that has our wrappers */
        assert_int_equal(fg_command_list_begin(list), FG_OK);
        seen.calls = 0;
        gl.Flush();
        assert_int_equal(seen.calls, 1);
        fg_command_list_get_facts(list, &facts);
        assert_int_equal(facts.commands, 1);
        assert_int_equal(fg_command_list_end(list), FG_OK);
        assert_memory_equal(&gl, &real, sizeof gl);
    }
    fg_command_list_destroy(list);
}

static void a_profilers_own_calls_are_left_out(void **state)
{
    struct fg_command_list *list = make(NULL);
    (void)state;
    fg_command_list_pause(list); /* it does not run: nothing */
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.Flush();
    fg_command_list_pause(list);
    fg_command_list_pause(list);
    gl.DrawArrays(4, 0, 3);
    fg_command_list_scope_begin(list, NULL, "own");
    fg_command_list_submitted(list, (const void *const[]){ list }, 1);
    fg_command_list_resume(list);
    gl.DrawArrays(4, 0, 3);
    fg_command_list_resume(list);
    fg_command_list_resume(list);
    gl.Flush();
    fg_command_list_pause(list); /* ends with the run */
    assert_int_equal(fg_command_list_end(list), FG_OK);
    char *text = command_text(list);
    assert_int_equal(command_sum(text, "draws"), 0);
    assert_int_equal(command_sum(text, "calls listed"), 2);
    assert_null(strstr(text, "own"));
    struct fg_command_list_facts facts;
    fg_command_list_get_facts(list, &facts);
    assert_int_equal(facts.submissions, 0);
    free(text);
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.DrawArrays(4, 0, 3);
    assert_int_equal(fg_command_list_end(list), FG_OK);
    text = command_text(list);
    assert_int_equal(command_sum(text, "draws"), 1);
    free(text);
    fg_command_list_destroy(list);
}

/* ---- what does not fit ---- */

static void what_does_not_fit_is_counted_and_said(void **state)
{
    struct fg_command_list *list =
        make(&(const struct fg_command_list_options){ .bytes_max = 1000 });
    struct fg_command_list_facts facts;
    (void)state;
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    for (int i = 0; i < 100; i++) {
        gl.DrawArrays(4, i, 3);
        gl.Flush();
    }
    assert_int_equal(fg_command_list_end(list), FG_OK);
    assert_int_equal(seen.calls, 200);
    fg_command_list_get_facts(list, &facts);
    assert_int_equal(facts.counts.draws, 100);
    assert_int_equal(facts.counts.vertices, 300);
    assert_int_equal(facts.commands + facts.lost_commands, 200);
    assert_in_range(facts.commands, 20, 60);
    char *text = command_text(list);
    char line[128];
    (void)snprintf(line, sizeof line, "\n         ... and %u further calls that did not fit\n",
                   (unsigned)facts.lost_commands);
    assert_non_null(strstr(text, line));
    assert_non_null(strstr(text, "The list is not complete: it had room for 1000 bytes"));
    assert_int_equal(command_sum(text, "draws"), 100);
    assert_int_equal(command_sum(text, "calls listed"), facts.commands);
    assert_int_equal(command_sum(text, "calls that did not fit"), facts.lost_commands);
    free(text);
    fg_command_list_destroy(list);
}

static void long_arrays_and_texts_are_cut_and_say_so(void **state)
{
    static int numbers[300];
    static char message[1000];
    struct fg_command_list *list = make(NULL);
    (void)state;
    memset(message, 'a', sizeof message - 1);
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    gl.MultiDrawArrays(4, numbers, numbers, 300);
    gl.PushDebugGroup(0x824a, 0, -1, message);
    assert_int_equal(fg_command_list_end(list), FG_OK);
    char *text = command_text(list);
    assert_non_null(strstr(text, "0, 0, and 44 more], count = ["));
    assert_non_null(strstr(text, "  1-300  glMultiDrawArrays"));
    const char *quoted = strstr(text, "message = \"");
    assert_non_null(quoted);
    assert_int_equal(strspn(quoted + strlen("message = \""), "a"), 200);
    free(text);
    fg_command_list_destroy(list);
}

static void without_memory_there_is_no_list_and_no_leak(void **state)
{
    (void)state;
    for (long i = 0;; i++) {
        struct failing failing = { .countdown = i };
        const struct fg_allocator allocator = failing_allocator(&failing);
        const struct fg_command_list_options options = { .allocator = &allocator,
                                                         .slots = slots,
                                                         .slot_count = SLOTS };
        struct fg_command_list *list = NULL;
        const enum fg_result result = fg_command_list_create(&options, &list);
        if (result == FG_OK) {
            assert_true(i > 5);
            fg_command_list_destroy(list);
            assert_int_equal(failing.alive, 0);
            return;
        }
        assert_int_equal(result, FG_ERR_NO_MEMORY);
        assert_null(list);
        assert_int_equal(failing.alive, 0);
    }
}

static void options_are_checked(void **state)
{
    const struct fg_draw_slot twice[] = { SLOT(Flush), SLOT(Clear), SLOT(Flush) };
    const struct fg_draw_slot nameless[] = { { NULL, (void **)(void *)&gl.Flush } };
    struct fg_command_list *list = NULL;
    (void)state;
    assert_int_equal(fg_command_list_create(NULL, NULL), FG_ERR_ARGUMENT);
    assert_int_equal(
        fg_command_list_create(
            &(const struct fg_command_list_options){ .slots = twice, .slot_count = 3 }, &list),
        FG_ERR_ARGUMENT);
    assert_int_equal(
        fg_command_list_create(
            &(const struct fg_command_list_options){ .slots = nameless, .slot_count = 1 }, &list),
        FG_ERR_ARGUMENT);
    assert_int_equal(
        fg_command_list_create(&(const struct fg_command_list_options){ .slot_count = 1 }, &list),
        FG_ERR_ARGUMENT);
    assert_int_equal(
        fg_command_list_create(
            &(const struct fg_command_list_options){ .sections_max = UINT32_MAX }, &list),
        FG_ERR_LIMIT);
    assert_null(list);
    assert_int_equal(fg_command_list_create(NULL, &list), FG_OK); /* of nothing */
    assert_int_equal(fg_command_list_begin(list), FG_OK);
    fg_command_list_destroy(list);
}

/* ---- the counter ---- */

static void sums_are_what_a_counter_takes(void **state)
{
    struct fg_command_list *list = make(NULL);
    struct fg_draw_counter *counter = NULL;
    struct fg_command_list_facts facts;
    struct fg_draw_counts counts;
    uint32_t random = 12345;
    (void)state;
    assert_int_equal(fg_draw_counter_create(NULL, slots, SLOTS, &counter), FG_OK);
    for (int frame = 0; frame < 50; frame++) {
        const bool inside = frame % 2 == 0; /* either may be the outer one */
        assert_int_equal(inside ? fg_draw_counter_enable(counter) : fg_command_list_begin(list),
                         FG_OK);
        assert_int_equal(inside ? fg_command_list_begin(list) : fg_draw_counter_enable(counter),
                         FG_OK);
        for (int call = 0; call < 40; call++) {
            int first[4] = { 0 }, count[4];
            random = random * 1664525 + 1013904223;
            const int size = (int)(random >> 24) - 30;
            for (int i = 0; i < 4; i++) {
                count[i] = size + i;
            }
            switch (random >> 16 & 7) {
            case 0:
                gl.DrawElements(4, size, 0x1405, NULL);
                break;
            case 1:
                gl.MultiDrawArrays(4, first, count, size % 5);
                break;
            case 2:
                gl.MultiDrawArraysIndirectCount(4, NULL, 0, size, 0);
                break;
            case 3:
                gl.DispatchCompute(1, 2, random >> 30);
                break;
            default:
                gl.DrawArrays(4, 0, size);
                break;
            }
        }
        fg_draw_counter_take(counter, &counts);
        assert_int_equal(inside ? fg_command_list_end(list) : fg_draw_counter_disable(counter),
                         FG_OK);
        assert_int_equal(inside ? fg_draw_counter_disable(counter) : fg_command_list_end(list),
                         FG_OK);
        fg_command_list_get_facts(list, &facts);
        assert_memory_equal(&facts.counts, &counts, sizeof counts);
        assert_int_equal(facts.commands, 40);
    }
    char *text = command_text(list);
    assert_int_equal(command_sum(text, "draws"), counts.draws);
    assert_int_equal(command_sum(text, "vertices"), counts.vertices);
    assert_int_equal(command_sum(text, "workgroups"), counts.workgroups);
    free(text);
    fg_draw_counter_destroy(counter);
    fg_command_list_destroy(list);
    assert_memory_equal(&gl, &real, sizeof gl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_frame_is_written_call_by_call, fresh_table),
        cmocka_unit_test_setup(of_a_clear_as_many_values_are_read_as_the_buffer_has, fresh_table),
        cmocka_unit_test_setup(labels_are_shown_as_they_are_and_steer_nobody, fresh_table),
        cmocka_unit_test_setup(a_table_that_the_application_wrote_anew_is_listed_again,
                               fresh_table),
        cmocka_unit_test_setup(everything_is_forwarded_as_it_was_given, fresh_table),
        cmocka_unit_test_setup(off_nothing_is_wrapped_allocated_or_kept, fresh_table),
        cmocka_unit_test_setup(nobody_is_told_of_no_list, fresh_table),
        cmocka_unit_test_setup(a_list_is_written_when_it_has_ended, fresh_table),
        cmocka_unit_test_setup(one_list_at_a_time_runs, fresh_table),
        cmocka_unit_test_setup(a_slot_that_somebody_patched_since_is_left, fresh_table),
        cmocka_unit_test_setup(a_profilers_own_calls_are_left_out, fresh_table),
        cmocka_unit_test_setup(what_does_not_fit_is_counted_and_said, fresh_table),
        cmocka_unit_test_setup(long_arrays_and_texts_are_cut_and_say_so, fresh_table),
        cmocka_unit_test_setup(without_memory_there_is_no_list_and_no_leak, fresh_table),
        cmocka_unit_test_setup(options_are_checked, fresh_table),
        cmocka_unit_test_setup(sums_are_what_a_counter_takes, fresh_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
