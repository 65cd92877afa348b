/* SPDX-License-Identifier: MIT */
/* A window, and what comes from its mouse and keyboard. */
#include "canvas_platform.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <stdlib.h>

struct window {
    struct cv_platform base;
    GLFWwindow *handle;
    struct cv_editor *editor; /**< while events are given out */
    float x, y;               /**< of the pointer, in the framebuffer's pixels */
    bool is_panning;
};

static struct window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

static void give(struct window *window, const struct cv_event *event)
{
    if (window->editor != NULL) {
        cv_editor_handle(window->editor, event);
    }
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    struct window *window = window_of(handle);
    float across = 1, down = 1;
    glfwGetWindowContentScale(handle, &across, &down);
    const float dx = (float)x * across - window->x, dy = (float)y * down - window->y;
    window->x += dx;
    window->y += dy;
    if (window->is_panning) {
        give(window, &(struct cv_event){ .kind = CV_EVENT_PAN, .x = dx, .y = dy });
    } else {
        give(window, &(struct cv_event){ .kind = CV_EVENT_MOVE, .x = window->x, .y = window->y });
    }
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    struct window *window = window_of(handle);
    (void)modifiers;
    if (button == GLFW_MOUSE_BUTTON_LEFT) {
        give(window,
             &(struct cv_event){ .kind = action == GLFW_PRESS ? CV_EVENT_PRESS : CV_EVENT_RELEASE,
                                 .x = window->x,
                                 .y = window->y });
    } else {
        window->is_panning = action == GLFW_PRESS;
    }
}

static void on_wheel(GLFWwindow *handle, double dx, double dy)
{
    struct window *window = window_of(handle);
    (void)dx;
    give(window, &(struct cv_event){ .kind = CV_EVENT_ZOOM,
                                     .x = window->x,
                                     .y = window->y,
                                     .factor = powf(1.1f, (float)dy) });
}

static int key_of(int key)
{
    switch (key) {
    case GLFW_KEY_ESCAPE:
        return CV_KEY_ESCAPE;
    case GLFW_KEY_DELETE:
    case GLFW_KEY_BACKSPACE:
        return CV_KEY_DELETE;
    case GLFW_KEY_LEFT:
        return CV_KEY_LEFT;
    case GLFW_KEY_RIGHT:
        return CV_KEY_RIGHT;
    case GLFW_KEY_UP:
        return CV_KEY_UP;
    case GLFW_KEY_DOWN:
        return CV_KEY_DOWN;
    default:
        return key >= ' ' && key <= 'Z' ? key : CV_KEY_NONE; /* as GLFW numbers them */
    }
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    (void)scancode;
    const int known = key_of(key);
    const bool repeats = known >= CV_KEY_LEFT; /* only what nudges is repeated */
    if (known != CV_KEY_NONE && (action == GLFW_PRESS || (action == GLFW_REPEAT && repeats))) {
        give(window_of(handle), &(struct cv_event){ .kind = CV_EVENT_KEY,
                                                    .key = known,
                                                    .has_shift = (modifiers & GLFW_MOD_SHIFT) != 0,
                                                    .has_alt = (modifiers & GLFW_MOD_ALT) != 0 });
    }
}

static void on_refresh(GLFWwindow *handle)
{
    struct window *window = window_of(handle);
    if (window->editor != NULL) {
        window->editor->is_dirty = true;
    }
}

static void window_close(struct cv_platform *platform)
{
    struct window *window = (struct window *)platform;
    glfwDestroyWindow(window->handle);
    glfwTerminate();
    free(window);
}

static void window_present(struct cv_platform *platform)
{
    glfwSwapBuffers(((struct window *)platform)->handle);
}

static void window_poll(struct cv_platform *platform, struct cv_editor *editor, bool waits)
{
    struct window *window = (struct window *)platform;
    window->editor = editor;
    if (waits) {
        glfwWaitEvents();
    } else {
        glfwPollEvents();
    }
    window->editor = NULL;
    if (glfwWindowShouldClose(window->handle)) {
        cv_editor_handle(editor, &(const struct cv_event){ .kind = CV_EVENT_CLOSE });
    }
}

static void window_get_size(struct cv_platform *platform, int *out_width_px, int *out_height_px)
{
    glfwGetFramebufferSize(((struct window *)platform)->handle, out_width_px, out_height_px);
}

bool cv_platform_open_window(const struct cv_platform_options *options,
                             struct cv_platform **out_platform)
{
    struct window *window = calloc(1, sizeof(*window));
    if (window == NULL || !glfwInit()) {
        fprintf(stderr, "canvas: there is no display; --headless needs none\n");
        free(window);
        return false;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    window->handle =
        glfwCreateWindow(options->width_px, options->height_px, "Frameglass canvas", NULL, NULL);
    if (window->handle == NULL) {
        fprintf(stderr, "canvas: there is no window with OpenGL 3.3\n");
        glfwTerminate();
        free(window);
        return false;
    }
    glfwMakeContextCurrent(window->handle);
    glfwSwapInterval(options->waits_for_display ? 1 : 0);
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetCursorPosCallback(window->handle, on_move);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetScrollCallback(window->handle, on_wheel);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetWindowRefreshCallback(window->handle, on_refresh);
    window->base = (struct cv_platform){
        .get = glfwGetProcAddress,
        .context = window->handle,
        .has_window = true,
        .close = window_close,
        .present = window_present,
        .poll = window_poll,
        .get_size = window_get_size,
    };
    *out_platform = &window->base;
    return true;
}
