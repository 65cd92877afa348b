/* SPDX-License-Identifier: MIT */
/*
 * The reference benchmark: seven ways of looking at one trace, each for some seconds, a frame after
 * the other as fast as they come. Two renderers may draw them: "engine" asks the engine, as the
 * page does, and has the answers in memory; "device" leaves rows, bins and the commands that draw
 * them on the device.
 */
#ifndef FGI_BENCH_REFERENCE_H
#define FGI_BENCH_REFERENCE_H
#include "base/json.h"
#include "cli/device_choice.h"
#include <frameglass/trace_engine.h>
#include <frameglass/trace_query.h>

/** What a verdict is given on. */
#define FGI_BENCH_SPANS        UINT32_C(25000000)
#define FGI_BENCH_DEPENDENCIES UINT32_C(25000000)
#define FGI_BENCH_FRAME_P95_NS INT64_C(33000000)
#define FGI_BENCH_PICK_P95_NS  INT64_C(100000000)
#define FGI_BENCH_STALL_NS     INT64_C(1000000000)
enum { FGI_BENCH_SECONDS = 3, FGI_BENCH_LEAST_FRAMES = 3, FGI_BENCH_VERSION = 1 };

enum fgi_bench_scenario {
    FGI_BENCH_EXPANDED = 0, /**< every lane, exact, 2.5 % of the trace */
    FGI_BENCH_COLLAPSED,    /**< the same folded by process */
    FGI_BENCH_FILTERED,     /**< only what failed */
    FGI_BENCH_FOCUSED,      /**< only what the middle row is connected to */
    FGI_BENCH_PICKING,      /**< as expanded, with a pick after each frame */
    FGI_BENCH_DENSITY,      /**< 82 % of the trace */
    FGI_BENCH_REPRESENTATIVE,
};
enum { FGI_BENCH_SCENARIOS = 7, FGI_BENCH_RENDERERS = 2 };
const char *fgi_bench_scenario_name(enum fgi_bench_scenario scenario);

/** Times in order; zero is none. */
struct fgi_bench_times {
    int64_t *ns;
    size_t count, capacity;
};
FG_MUST_USE enum fg_result fgi_bench_times_add(struct fgi_bench_times *times, int64_t ns);
void fgi_bench_times_finish(struct fgi_bench_times *times);
/** Nearest rank of them in order of size; 0 where there is none, INT64_MAX without memory. */
int64_t fgi_bench_times_rank(const struct fgi_bench_times *times, unsigned percent);

/** One scenario with one renderer. */
struct fgi_bench_result {
    bool is_done;
    enum fg_result failed;         /**< what a frame ended with */
    struct fgi_bench_times frames; /**< from asking to having, or to drawn */
    struct fgi_bench_times picks;
    int64_t prepare_ns;      /**< what the scenario stands on: filter, focus, and a first frame */
    int64_t encode_ns;       /**< longest time of a frame until it was submitted; 0: not known */
    uint64_t max_candidates; /**< spans that were looked at for a frame, or meet the window */
    uint64_t max_spans, max_bins; /**< of a frame */
    uint64_t unanswered;          /**< targets of all frames */
    uint64_t deferred_picks;
    uint32_t stalls; /**< frames of a second and more */
};

/** What a frame shows. */
struct fgi_bench_frame {
    enum fgi_bench_scenario scenario;
    int64_t start_ns, end_ns;
    uint32_t width_px;
    uint32_t number;
};
/** What a frame came to. */
struct fgi_bench_drawn {
    int64_t encode_ns;
    uint64_t candidates, spans, bins, unanswered;
};

struct fgi_bench {
    uint32_t spans, dependencies, copies; /**< of the trace that is made */
    uint32_t width_px;
    int64_t scenario_ns; /**< how long each is drawn */
    struct fgi_device_choice choice;
    struct fg_trace *trace;
    struct fg_trace_info info;
    struct fg_engine *engine; /**< NULL once its part is over */
    struct fg_engine_info told;
    char reason[200]; /**< that `told` has */
    struct fg_query *query;
    struct fg_query *pick_query;    /**< its memory is not that of frames */
    struct fg_view_target *targets; /**< all lanes, then all processes */
    uint64_t *focus;                /**< bit by row; made with the engine, NULL before */
    uint32_t filter;                /**< of the scenario, in the engine */
    int64_t made_ns, moved_ns;      /**< the trace; the first answer about it */
    int64_t created_at_ns;          /**< since 1970 */
    struct fgi_bench_result results[FGI_BENCH_RENDERERS][FGI_BENCH_SCENARIOS];
    struct fgi_bench_device *device; /**< bench_device.c; NULL: none is used */
    bool device_lost;
};

/** How to draw. */
struct fgi_bench_renderer {
    const char *name;
    uint32_t scenarios; /**< bit by scenario: those that it draws */
    /** Before the first frame of a scenario, and after the last one. */
    enum fg_result (*begin)(struct fgi_bench *bench, enum fgi_bench_scenario scenario);
    void (*end)(struct fgi_bench *bench);
    enum fg_result (*draw)(struct fgi_bench *bench, const struct fgi_bench_frame *frame,
                           struct fgi_bench_drawn *out_drawn);
    enum fg_result (*pick)(struct fgi_bench *bench, uint32_t lane, int64_t time_ns,
                           uint64_t tolerance_ns);
};
extern const struct fgi_bench_renderer fgi_bench_engine;

/** Run one scenario with one renderer; what went wrong is in the result. */
void fgi_bench_scenario_run(struct fgi_bench *bench, const struct fgi_bench_renderer *renderer,
                            enum fgi_bench_scenario scenario, struct fgi_bench_result *result);
/** Keep what the engine says of itself, for the time after it. */
void fgi_bench_engine_tell(struct fgi_bench *bench);
/** Ends it: its memory on the device is free for what comes. */
void fgi_bench_engine_close(struct fgi_bench *bench);
/** Ends all that it has. */
void fgi_bench_finish(struct fgi_bench *bench);
/** The terms that a scenario filters by; false: it shows everything. */
bool fgi_bench_terms(const struct fgi_bench *bench, enum fgi_bench_scenario scenario,
                     struct fg_filter_terms *out_terms);

/* ---- the device (bench_device.c, bench_no_device.c) ------------------------------------------ */

/** NULL: this build draws nothing on a device, or the engine does not run on one. */
const struct fgi_bench_renderer *fgi_bench_device_renderer(struct fgi_bench *bench);
/** Move the trace to it. */
FG_MUST_USE enum fg_result fgi_bench_device_open(struct fgi_bench *bench);
void fgi_bench_device_close(struct fgi_bench *bench);
/** "adapter", "limits" and "allocations" of the report, as they are now. */
void fgi_bench_device_put(const struct fgi_bench *bench, struct fgi_json *json);

/* ---- the report (bench_report.c) ------------------------------------------------------------- */

enum fgi_bench_verdict {
    FGI_BENCH_PASS = 0,
    FGI_BENCH_INCOMPLETE, /**< another size than the reference's, or too little was measured */
    FGI_BENCH_FAIL,
};
enum fgi_bench_verdict fgi_bench_judge(const struct fgi_bench *bench);
/** All of it: docs/REFERENCE.md. */
FG_MUST_USE enum fg_result fgi_bench_report(const struct fgi_bench *bench,
                                            const struct fg_sink *sink);
/** A table for people, on standard output. */
FG_MUST_USE enum fg_result fgi_bench_print(const struct fgi_bench *bench);

#endif
