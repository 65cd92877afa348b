/* SPDX-License-Identifier: MIT */
#include "gl_order.h"
#include "gl_order_verdict.h"
#include "base/thread.h"
#include "gpu/opengl/opengl_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FRAMES = 48,
    STAMPS = 6, /* as a frame of "first", "outer" and "inner" in it */
    SETS = 4,   /* go around */
    STATISTICS = 2 * FGI_OPENGL_STATISTIC_COUNT,
    POLLS_MAX = 5000, /* of a millisecond each */
};

/** One frame's query objects, used again after SETS frames. */
struct set {
    unsigned stamps[STAMPS];
    unsigned statistics[STATISTICS];
    uint64_t ticks[STAMPS];
    bool in_flight;
};

struct way {
    bool statistics;
    bool finishes; /**< after each frame, before anything is read */
    bool moves;    /**< to another thread for every other frame */
};

struct run {
    struct egl_bed *bed;
    struct fgi_opengl_device *device;
    struct way way;
    struct set sets[SETS];
    int frame;
    uint64_t last;
    unsigned back, zeros, late, missing;
    uint64_t worst_ns;
    char first[160]; /**< what ran back first */
};

/** Whether a stamp that was called available with a value of 0 has one now, all work being done. */
static bool is_late(struct run *run, unsigned stamp)
{
    uint64_t ticks = 0;
    run->bed->gl.Finish();
    return fgi_opengl_result(run->device, stamp, &ticks) && ticks != 0;
}

static void judge_set(struct run *run, const struct set *set, int frame)
{
    for (int i = 0; i < STAMPS; i++) {
        uint64_t ticks = set->ticks[i];
        if (ticks == 0) {
            run->zeros++;
            run->late += is_late(run, set->stamps[i]);
            continue;
        }
        if (ticks < run->last) {
            uint64_t back_ns = run->last - ticks;
            if (run->back++ == 0) {
                (void)snprintf(run->first, sizeof run->first,
                               "frame %d (%s), stamp %d: %" PRIu64 " after %" PRIu64 ", %" PRIu64
                               " ns back",
                               frame, run->way.moves && frame % 2 != 0 ? "moved" : "at home", i,
                               ticks, run->last, back_ns);
            }
            run->worst_ns = back_ns > run->worst_ns ? back_ns : run->worst_ns;
        }
        run->last = ticks;
    }
}

/** False: not all of it is there yet. */
static bool read_set(struct run *run, struct set *set)
{
    for (int i = 0; i < STAMPS; i++) {
        if (!fgi_opengl_result(run->device, set->stamps[i], &set->ticks[i])) {
            return false;
        }
    }
    for (int i = 0; run->way.statistics && i < STATISTICS; i++) {
        uint64_t unused;
        if (set->statistics[i] != 0 &&
            !fgi_opengl_result(run->device, set->statistics[i], &unused)) {
            return false;
        }
    }
    return true;
}

/** Frames before `until`, in their order; `wait`: all of them. */
static void read_frames(struct run *run, int until, bool wait)
{
    for (int f = until > SETS ? until - SETS : 0; f < until; f++) {
        struct set *set = &run->sets[f % SETS];
        if (!set->in_flight) {
            continue;
        }
        for (int polls = 0; !read_set(run, set); polls++) {
            struct timespec pause = { .tv_nsec = 1000000 };
            if (!wait) {
                return;
            }
            if (polls == POLLS_MAX) {
                run->missing++;
                set->in_flight = false;
                return;
            }
            nanosleep(&pause, NULL);
        }
        set->in_flight = false;
        judge_set(run, set, f);
    }
}

static void count(struct run *run, const unsigned *names, bool begin)
{
    const struct fgi_opengl_functions *gl = &run->device->gl;
    for (uint32_t i = 0; run->way.statistics && i < run->device->statistic_count; i++) {
        if (begin) {
            gl->BeginQuery(run->device->statistic_targets[i], names[i]);
        } else {
            gl->EndQuery(run->device->statistic_targets[i]);
        }
    }
}

static void draw_frame(struct run *run)
{
    struct set *set = &run->sets[run->frame % SETS];
    const struct fgi_opengl_functions *gl = &run->device->gl;
    unsigned *outer = &set->statistics[FGI_OPENGL_STATISTIC_COUNT];
    gl->QueryCounter(set->stamps[0], FGI_GL_TIMESTAMP);
    count(run, set->statistics, true);
    egl_bed_draw(run->bed, 1);
    count(run, set->statistics, false);
    gl->QueryCounter(set->stamps[1], FGI_GL_TIMESTAMP);
    gl->QueryCounter(set->stamps[2], FGI_GL_TIMESTAMP);
    count(run, outer, true);
    egl_bed_draw(run->bed, 1);
    gl->QueryCounter(set->stamps[3], FGI_GL_TIMESTAMP);
    egl_bed_draw(run->bed, 1);
    gl->QueryCounter(set->stamps[4], FGI_GL_TIMESTAMP);
    egl_bed_draw(run->bed, 1);
    count(run, outer, false);
    gl->QueryCounter(set->stamps[5], FGI_GL_TIMESTAMP);
    set->in_flight = true;
    run->bed->gl.Flush();
}

static void step(struct run *run)
{
    read_frames(run, run->frame, false);
    if (run->sets[run->frame % SETS].in_flight) {
        read_frames(run, run->frame, true);
    }
    draw_frame(run);
    if (run->way.finishes) {
        run->bed->gl.Finish();
    }
}

static void step_elsewhere(void *context)
{
    struct run *run = context;
    egl_bed_make_current(run->bed, true);
    step(run);
    egl_bed_make_current(run->bed, false);
}

static void move_and_step(struct run *run)
{
    struct fgi_thread *thread;
    egl_bed_make_current(run->bed, false);
    if (fgi_thread_create(NULL, step_elsewhere, run, &thread) != FG_OK) {
        abort();
    }
    fgi_thread_join(thread);
    egl_bed_make_current(run->bed, true);
}

static bool check_way(struct egl_bed *bed, struct fgi_opengl_device *device, struct way way)
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        abort();
    }
    *run = (struct run){ .bed = bed, .device = device, .way = way };
    for (int i = 0; i < SETS; i++) {
        device->gl.GenQueries(STAMPS, run->sets[i].stamps);
        for (uint32_t k = 0; way.statistics && k < 2; k++) {
            device->gl.GenQueries((int)device->statistic_count,
                                  &run->sets[i].statistics[k * FGI_OPENGL_STATISTIC_COUNT]);
        }
    }
    for (run->frame = 0; run->frame < FRAMES; run->frame++) {
        if (way.moves && run->frame % 2 != 0) {
            move_and_step(run);
        } else {
            step(run);
        }
    }
    read_frames(run, FRAMES, true);
    for (int i = 0; i < SETS; i++) {
        device->gl.DeleteQueries(STAMPS, run->sets[i].stamps);
        device->gl.DeleteQueries(STATISTICS, run->sets[i].statistics);
    }
    const struct gl_order_figures figures = {
        .moves = way.moves, .back = run->back, .zeros = run->zeros, .missing = run->missing
    };
    const enum gl_order_verdict verdict = gl_order_judge(&figures);
    printf("  %-10s %-10s %-6s %u of %d back, worst %" PRIu64
           " ns; %u zeros, of which %u came later; %u missing\n",
           way.finishes ? "waited for" : "in flight", way.statistics ? "statistics" : "",
           way.moves ? "moves" : "stays", run->back, FRAMES * STAMPS, run->worst_ns, run->zeros,
           run->late, run->missing);
    if (verdict == GL_ORDER_LOSES_BY_MOVES) {
        printf("    stamps in flight while the context moves are lost: finish before it does\n");
    }
    if (run->back != 0) {
        printf("    first: %s\n", run->first);
    }
    free(run);
    return verdict != GL_ORDER_BAD;
}

bool gl_order_check(struct egl_bed *bed)
{
    struct fg_device *base = NULL;
    bool good = true;
    if (fg_opengl_device_create(FG_OPENGL_OPTIONS(.get_proc_address = bed->get_proc_address),
                                &base) != FG_OK) {
        return false;
    }
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    for (unsigned i = 0; device->timing == FG_OPENGL_TIMING_STAMPS && i < 8; i++) {
        struct way way = { .statistics = (i & 1) != 0,
                           .finishes = (i & 2) == 0,
                           .moves = (i & 4) != 0 };
        if (!way.statistics || device->statistic_count != 0) {
            good &= check_way(bed, device, way);
        }
    }
    fg_device_destroy(base);
    return good;
}
