/* SPDX-License-Identifier: MIT */
/*
 * What a detailed capture costs: nanoseconds of CPU per node, with four attributes and two draws
 * each, for a frame of 2,000 nodes in groups of ten: while no frame is captured, in memory only,
 * and into a session. The end of the frame, where it is written, is told apart. JSON on standard
 * output.
 */
#include "base/clock.h"
#include <frameglass/detail.h>
#include <frameglass/gpu_software.h>
#include <frameglass/session.h>

#include <inttypes.h>
#include <stdio.h>

enum { NODES = 2000, GROUP = 10, FRAMES = 60 };

static const struct fg_node_attribute attributes[] = {
    { "fills", 2 }, { "strokes", 1 }, { "effects", 1 }, { "blur radius", 4.5 }
};

static uint64_t draws;
static uint64_t draws_so_far(void *context)
{
    return *(const uint64_t *)context;
}

static void walk(struct fg_nodes *nodes)
{
    for (uint64_t i = 0; i < NODES; i++) {
        fg_node_begin(nodes, &(const struct fg_node){ i, "rectangle", attributes, 4 });
        draws += 2;
        if (i % GROUP != 0) {
            fg_node_end(nodes); /* the first of a group is around the others */
        }
        if (i % GROUP == GROUP - 1) {
            fg_node_end(nodes);
        }
    }
}

/** Of one frame: the walk, and the end. */
struct cost {
    int64_t walk_ns, end_ns;
};

static struct cost frame(struct fg_detail *detail)
{
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    walk(fg_detail_frame_begin(detail));
    const int64_t walked_ns = fgi_clock_monotonic_ns();
    (void)fg_detail_frame_end(detail);
    return (struct cost){ walked_ns - begin_ns, fgi_clock_monotonic_ns() - walked_ns };
}

static int64_t median(int64_t *values)
{
    for (size_t i = 1; i < FRAMES; i++) {
        for (size_t k = i; k > 0 && values[k - 1] > values[k]; k--) {
            const int64_t value = values[k];
            values[k] = values[k - 1];
            values[k - 1] = value;
        }
    }
    return values[FRAMES / 2];
}

static void measure(struct fg_detail *detail, const char *name, const char *more)
{
    int64_t walks_ns[FRAMES], ends_ns[FRAMES];
    (void)frame(detail); /* warm */
    for (int i = 0; i < FRAMES; i++) {
        const struct cost cost = frame(detail);
        walks_ns[i] = cost.walk_ns;
        ends_ns[i] = cost.end_ns;
    }
    printf("  \"%s\": { \"node_ns\": %.2f, \"end_ns\": %" PRId64 " }%s\n", name,
           (double)median(walks_ns) / NODES, median(ends_ns), more);
}

int main(void)
{
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_detail *detail = NULL;
    const struct fg_software_options options = { .flags = FG_SOFTWARE_REAL_TIME };
    const struct fg_detail_options detail_options = { .draws_so_far = draws_so_far,
                                                      .draws_context = &draws };
    int status = 1;
    if (fg_software_device_create(&options, &device) == FG_OK &&
        fg_session_create(device, NULL, &session) == FG_OK && fg_session_start(session) == FG_OK &&
        fg_detail_create(&detail_options, &detail) == FG_OK) {
        printf("{\n  \"nodes\": %d, \"frames\": %d,\n", NODES, FRAMES);
        measure(detail, "off", ",");
        status = fg_detail_begin(detail, NULL, 0) != FG_OK;
        measure(detail, "memory", ",");
        status |= fg_detail_begin(detail, session, 0) != FG_OK;
        measure(detail, "session", "");
        printf("}\n");
    }
    fg_detail_destroy(detail);
    fg_session_destroy(session);
    fg_device_destroy(device);
    return status;
}
