/* SPDX-License-Identifier: MIT */
/* The least that records something: sixty frames of one pass, into minimal.sgpt. */
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>

int main(int argc, char **argv)
{
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_software_commands *native = NULL; /* where a real program has its command buffer */
    if (fg_software_device_create(NULL, &device) != FG_OK ||
        fg_software_commands_create(device, &native) != FG_OK ||
        fg_session_create(device, FG_SESSION_OPTIONS(.path = argc > 1 ? argv[1] : "minimal.sgpt"),
                          &session) != FG_OK ||
        fg_session_start(session) != FG_OK) {
        return 1;
    }
    for (int i = 0; i < 60; i++) {
        struct fg_frame *frame = fg_frame_begin(device);
        struct fg_commands *commands =
            fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "blur" });
        fg_gpu_dispatch(commands, 120, 68, 1);
        fg_software_work(native, 1000000 + 1000 * i, 0); /* the dispatch itself: 1 ms and more */
        fg_gpu_pass_end(commands);
        fg_commands_end(commands);
        fg_frame_submit(
            frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 }, NULL);
        enum fg_result submitted = fg_software_submit(
            device, &(struct fg_software_submission){ .commands = &native, .commands_count = 1 });
        fg_frame_end(frame);
        if (submitted != FG_OK) {
            break;
        }
        fg_software_commands_reset(native);
        fg_software_advance(device, 16666667);
    }
    enum fg_result result = fg_session_finish(session, 1000000000);
    fg_session_destroy(session);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
    return result == FG_OK ? 0 : 1;
}
