/* SPDX-License-Identifier: MIT */
/*
 * What the macros do at each level, as C11 and as C++17: how often arguments are evaluated, and
 * what is left of it. Compiled by test_levels.py with several compilers. Says one line.
 */
#include <frameglass/instrument.h>

#include <inttypes.h>
#include <stdio.h>

static int evaluations;

/* Not static: at level OFF nobody calls it. */
int64_t evaluated(int64_t value);
int64_t evaluated(int64_t value)
{
    evaluations++;
    return value;
}

static int early(int way)
{
    FG_ZONE("level/early");
    if (way != 0) {
        return way;
    }
    {
        FG_ZONE_IN(FG_CATEGORY_DRAW, "level/block");
        FG_EVENT("level/event", evaluated(7));
    }
    return 0;
}

static void one_frame(void)
{
    FG_FRAME();
    FG_ZONE("level/tick");
    for (int i = 0; i < 3; i++) {
        FG_ZONE_BEGIN(zone, "level/by hand");
        FG_COUNTER_ADD("level/counter", FG_UNIT_COUNT, evaluated(2));
        FG_FRAME_COUNTER_ADD("level/frame counter", FG_UNIT_COUNT, (uint8_t)evaluated(3));
        FG_ZONE_END(zone);
    }
    if (early(0) == early(0))
        FG_GAUGE_SET("level/gauge", FG_UNIT_BYTES, evaluated(11));
    FG_GAUGE_ADD("level/gauge", FG_UNIT_BYTES, -evaluated(3));
    (void)early(1);
}

static int64_t metric(const struct fg_snapshot *snapshot, uint32_t id)
{
    return id <= snapshot->metric_count ? snapshot->metrics[id - 1].value : -1;
}

int main(void)
{
    static struct fg_process_event events[64];
    struct fg_process_event_page page;
    struct fg_snapshot *snapshot = NULL;
    one_frame();
    fg_instrument_read_events(0, events, 64, &page);
    if (fg_snapshot_take(0, &snapshot) != FG_OK) {
        return 1;
    }
    printf("level %d evaluations %d events %zu metrics %" PRId64 " %" PRId64 " %" PRId64
           " frames %zu malformed %" PRIu64 "\n",
           FG_LEVEL, evaluations, page.event_count, metric(snapshot, 1), metric(snapshot, 2),
           metric(snapshot, 3), snapshot->frame_count, snapshot->losses.malformed_zones);
    fg_snapshot_free(snapshot);
    return 0;
}
