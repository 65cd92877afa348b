/* SPDX-License-Identifier: MIT */
/* Runs the foreign graph on the software device for thirty frames, recorded into a file. */
#include "foreign_record.h"
#include <frameglass/gpu_software.h>

struct foreign_encoder {
    struct fg_software_commands *native;
};

static void spend(struct foreign_encoder *encoder, void *user)
{
    fg_software_work(encoder->native, *(const int *)user, 1000);
}

/* As such an engine would do it: the passes of a frame follow from what is on in that frame. */
static void build(struct foreign_graph *graph, int number)
{
    static int costs[] = { 900000, 2500000, 400000, 700000, 150000 };
    foreign_graph_clear(graph);
    foreign_graph_add(graph, spend, &costs[0], (int[]){ -1 }, (int[]){ 0, -1 });
    foreign_graph_add(graph, spend, &costs[1], (int[]){ 0, -1 }, (int[]){ 1, -1 });
    foreign_graph_add(graph, spend, &costs[2], (int[]){ 1, -1 }, (int[]){ 2, -1 })->compute = true;
    if (number % 2 == 0) {
        foreign_graph_add(graph, spend, &costs[3], (int[]){ 1, 2, -1 }, (int[]){ 1, -1 });
    }
    foreign_graph_add(graph, spend, &costs[4], (int[]){ 1, -1 }, (int[]){ 3, -1 })->keep = true;
    foreign_graph_compile(graph);
}

static bool run_frame(struct fg_device *device, struct fg_software_commands *native, int number)
{
    struct foreign_graph graph = { .count = 0 };
    struct foreign_record record;
    struct foreign_encoder encoder = { native };
    build(&graph, number);
    fg_software_commands_reset(native);

    struct fg_frame *frame = fg_frame_begin(device);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
    foreign_record_begin(&record, &graph, frame, commands);
    foreign_graph_execute(&graph, &encoder);
    fg_commands_end(commands);
    fg_frame_submit(frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 },
                    NULL);
    bool done = fg_software_submit(device, &(struct fg_software_submission){
                                               .commands = &native, .commands_count = 1 }) == FG_OK;
    fg_frame_end(frame);
    fg_software_advance(device, 16666667);
    return done;
}

int main(int argc, char **argv)
{
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_software_commands *native = NULL;
    const char *path = argc > 1 ? argv[1] : "foreign_graph.sgpt";
    bool done = fg_software_device_create(NULL, &device) == FG_OK &&
                fg_software_commands_create(device, &native) == FG_OK &&
                fg_session_create(device, FG_SESSION_OPTIONS(.path = path), &session) == FG_OK &&
                fg_session_start(session) == FG_OK;
    for (int i = 0; done && i < 30; i++) {
        done = run_frame(device, native, i);
    }
    done = done && fg_session_finish(session, 1000000000) == FG_OK;
    fg_session_destroy(session);
    fg_software_commands_destroy(native);
    fg_device_destroy(device);
    return done ? 0 : 1;
}
