/* SPDX-License-Identifier: MIT */
#include "cost_detail.h"
#include "base/clock.h"
#include "base/rank.h"
#include <frameglass/detail.h>
#include <frameglass/diagnostics.h>
#include <frameglass/gpu_software.h>
#include <frameglass/instrument.h>
#include <frameglass/session.h>

#include <time.h>

enum {
    GROUP = 10,
    FRAMES = 60,
    MARKS = 4000, /* fewer than a ring has room for */
    PIECES = 60,
};

static const struct fg_node_attribute attributes[] = {
    { "fills", 2 }, { "strokes", 1 }, { "effects", 1 }, { "blur radius", 4.5 }
};

static enum fg_result forget(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return FG_OK;
}

/** A session that nothing is kept of. */
static bool open_session(struct fg_device **out_device, struct fg_session **out_session)
{
    const struct fg_sink sink = { .write = forget };
    const struct fg_software_options options = { .flags = FG_SOFTWARE_REAL_TIME };
    return fg_software_device_create(&options, out_device) == FG_OK &&
           fg_session_create(*out_device,
                             FG_SESSION_OPTIONS(.sink = &sink, .byte_budget = UINT64_MAX),
                             out_session) == FG_OK &&
           fg_session_start(*out_session) == FG_OK;
}

static void close_session(struct fg_device *device, struct fg_session *session)
{
    fg_session_destroy(session);
    fg_device_destroy(device);
}

/* ---- a detailed frame ------------------------------------------------------------------------ */

static uint64_t draws_made;
static uint64_t draws_so_far(void *context)
{
    return *(const uint64_t *)context;
}

/** Groups of ten, the first of which is around the others. */
static int64_t draw_nodes(struct fg_detail *detail)
{
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    struct fg_nodes *nodes = fg_detail_frame_begin(detail);
    for (uint64_t i = 0; i < COST_DETAIL_NODES; i++) {
        fg_node_begin(nodes, &(const struct fg_node){ i, "rectangle", attributes, 4 });
        draws_made += 2;
        if (i % GROUP != 0) {
            fg_node_end(nodes);
        }
        if (i % GROUP == GROUP - 1) {
            fg_node_end(nodes);
        }
    }
    (void)fg_detail_frame_end(detail);
    return fgi_clock_monotonic_ns() - begin_ns;
}

static int64_t median_frame(struct fg_detail *detail)
{
    int64_t values_ns[FRAMES];
    (void)draw_nodes(detail);
    for (int i = 0; i < FRAMES; i++) {
        values_ns[i] = draw_nodes(detail);
    }
    return fgi_rank_ns(values_ns, FRAMES, 50);
}

bool detail_measure(struct detail_costs *out)
{
    const struct fg_detail_options options = { .draws_so_far = draws_so_far,
                                               .draws_context = &draws_made };
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    struct fg_detail *detail = NULL;
    bool is_good = open_session(&device, &session) && fg_detail_create(&options, &detail) == FG_OK;
    if (is_good) {
        out->off_ns = median_frame(detail);
        is_good = fg_detail_begin(detail, NULL, 0) == FG_OK;
        out->memory_ns = median_frame(detail);
        is_good = is_good && fg_detail_begin(detail, session, 0) == FG_OK;
        out->written_ns = median_frame(detail);
    }
    fg_detail_destroy(detail);
    close_session(device, session);
    return is_good;
}

/* ---- a mark ---------------------------------------------------------------------------------- */

static int64_t cpu_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void make_marks(void)
{
    for (int i = 0; i < MARKS; i++) {
        FG_ZONE("drawPicture");
        __asm__ volatile("" ::: "memory");
    }
}

/** `all_ps`: of every thread, until the marks are written; NULL = they are left where they are. */
static int64_t median_mark(int64_t *all_ps)
{
    int64_t own_ps[PIECES], whole_ps[PIECES];
    for (int i = 0; i < PIECES; i++) {
        const int64_t all_begin_ns = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
        const int64_t begin_ns = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
        make_marks();
        own_ps[i] = (cpu_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns) * 1000 / MARKS;
        fg_instrument_drain();
        whole_ps[i] = (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - all_begin_ns) * 1000 / MARKS;
    }
    if (all_ps != NULL) {
        *all_ps = fgi_rank_ns(whole_ps, PIECES, 50);
    }
    return fgi_rank_ns(own_ps, PIECES, 50);
}

bool mark_measure(struct mark_costs *out)
{
    struct fg_device *device = NULL;
    struct fg_session *session = NULL;
    (void)fg_instrument_set_mode(FG_INSTRUMENT_OFF);
    out->off_ps = median_mark(NULL);
    const bool is_good =
        open_session(&device, &session) && fg_instrument_set_mode(FG_INSTRUMENT_FULL);
    out->thread_ps = median_mark(&out->all_ps);
    (void)fg_instrument_set_mode(FG_INSTRUMENT_OFF);
    close_session(device, session);
    return is_good;
}
