/* SPDX-License-Identifier: MIT */
#include "game_record.h"

#include <frameglass/diagnostics.h>
#include <frameglass/flight.h>
#include <stdio.h>
#include <string.h>

enum fg_result gm_record_start(const struct gm_record_options *options,
                               struct fg_session **out_session)
{
    char text[32];
    *out_session = NULL;
    if (options->path == NULL) {
        return FG_OK;
    }
    const struct fg_flight_options flight = {
        .ring_ns = options->flight_ns,
        .folder = options->path,
        .frame_ns = options->flight_longest_ns,
        .after_frames = 30,
        .signals = FG_FLIGHT_ALL_SIGNALS,
    };
    const bool is_flight = options->flight_ns != 0;
    /* No device: the frames of the process are the capture's frames. */
    enum fg_result result =
        fg_session_create(NULL,
                          FG_SESSION_OPTIONS(.path = is_flight ? NULL : options->path,
                                             .flight = is_flight ? &flight : NULL,
                                             .note = "the game loop of the examples"),
                          out_session);
    if (result == FG_OK) {
        (void)snprintf(text, sizeof(text), "%u", options->seed);
        (void)fg_session_set_meta(*out_session, "engine.name", "gameloop");
        (void)fg_session_set_meta(*out_session, "gameloop.seed", text);
        result = fg_session_start(*out_session);
    }
    return result;
}

enum fg_result gm_record_finish(struct fg_session *session)
{
    if (session == NULL) {
        return FG_OK;
    }
    struct fg_flight_status flight;
    enum fg_result dumped = FG_OK;
    fg_flight_get_status(session, &flight);
    if (flight.kept_bytes != 0) {
        dumped = fg_flight_dump(session, "the end of the run");
    }
    const enum fg_result finished = fg_session_finish(session, 1000000000);
    fg_session_destroy(session);
    return dumped != FG_OK ? dumped : finished;
}

static void print_metric(const struct fg_metric_row *metric)
{
    static const char *const kinds[] = { "counter", "gauge", "frame counter" };
    static const char *const units[] = { "", " bytes", " ns", " per second", " / 10,000" };
    printf("  %-32s %-14s ", metric->name, kinds[metric->kind]);
    if (metric->is_published) {
        printf("%lld%s\n", (long long)metric->value, units[metric->unit]);
    } else {
        printf("-\n"); /* not known, which is not zero */
    }
}

enum fg_result gm_record_report(void)
{
    struct fg_snapshot *snapshot;
    const enum fg_result result = fg_snapshot_take(0, &snapshot);
    if (result != FG_OK) {
        return result;
    }
    printf("metrics\n");
    for (size_t i = 0; i < snapshot->metric_count; i++) {
        print_metric(&snapshot->metrics[i]);
    }
    if (snapshot->frame_count != 0) {
        const struct fg_loop_row *last = &snapshot->frames[snapshot->frame_count - 1];
        printf("last frame: %llu, %.3f ms of which %.3f ms work, %.0f a second\n",
               (unsigned long long)last->number, (double)last->duration_ns / 1e6,
               (double)last->work_ns / 1e6, last->fps);
    }
    const struct fg_instrument_losses *losses = &snapshot->losses;
    printf("lost: %llu dropped, %llu overwritten, %llu before the start; malformed: %llu zones, "
           "%llu frames; %llu failures of sources\n",
           (unsigned long long)losses->producer_drops, (unsigned long long)losses->overwritten,
           (unsigned long long)losses->dropped_before_start,
           (unsigned long long)losses->malformed_zones,
           (unsigned long long)losses->malformed_frames,
           (unsigned long long)losses->source_failures);
    fg_snapshot_free(snapshot);
    return FG_OK;
}
