/* SPDX-License-Identifier: MIT */
/* Records one pass of five frames with the installed library. */
#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>
#include <frameglass/session.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_software_commands *native = NULL;
    if (argc != 2 || fg_software_device_create(NULL, &device) != FG_OK ||
        fg_session_create(device, FG_SESSION_OPTIONS(.path = argv[1]), &session) != FG_OK ||
        fg_session_start(session) != FG_OK ||
        fg_software_commands_create(device, &native) != FG_OK) {
        fprintf(stderr, "the session cannot be started\n");
        return 1;
    }
    enum fg_result result = FG_OK;
    for (int i = 0; i < 5 && result == FG_OK; i++) {
        struct fg_frame *frame = fg_frame_begin(device);
        struct fg_commands *commands =
            fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
        fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .label = "outside" });
        fg_software_work(native, 1000000, 0);
        fg_gpu_pass_end(commands);
        fg_commands_end(commands);
        struct fg_submission submission = { .commands = &commands, .commands_count = 1 };
        fg_frame_submit(frame, &submission, NULL);
        result = fg_software_submit(
            device, &(struct fg_software_submission){ .commands = &native, .commands_count = 1 });
        fg_frame_end(frame);
        fg_software_advance(device, 16000000);
        fg_software_commands_reset(native);
    }
    if (result == FG_OK) {
        result = fg_session_finish(session, 1000000000);
    }
    fg_session_destroy(session);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
    printf("recorded with %s: %s\n", fg_version(), fg_result_text(result));
    return result == FG_OK ? 0 : 1;
}
