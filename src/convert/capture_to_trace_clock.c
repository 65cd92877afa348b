/* SPDX-License-Identifier: MIT */
/*
 * Clocks of a capture on the axis of the trace, the host's monotonic clock in ns. Readings that are
 * much worse than the others are left out, but never so many that fewer than two remain: a bad
 * reading says less, it says nothing false. Between two kept ones the time is interpolated, beyond
 * them it goes on by the period. The bound that is claimed is the largest deviation that was kept,
 * plus how far a straight line over a reading misses it; where the readings have to tell the period
 * too, what the outermost two leave open of it is added.
 */
#include "convert/capture_to_trace_clock.h"
#include "base/alloc.h"
#include "convert/capture_to_trace_priv.h"

/* A reading may deviate so many times the median of all before it is an outlier. */
enum { OUTLIER_FACTOR = 4 };

static struct fgi_clock_map *find(const struct fgi_clocks *clocks, uint32_t id)
{
    for (size_t i = 0; i < clocks->maps.count; i++) {
        if (clocks->maps.items[i].cap.id == id) {
            return &clocks->maps.items[i];
        }
    }
    return NULL;
}

const struct fgi_clock_map *fgi_clocks_find(const struct fgi_clocks *clocks, uint32_t id)
{
    const struct fgi_clock_map *map = find(clocks, id);
    return map ? map : &clocks->maps.items[0];
}

static enum fg_result add_map(struct fgi_clocks *clocks, const struct fg_cap_clock *clock,
                              struct fgi_clock_map **out_map)
{
    enum fg_result result = FGI_GROW(clocks->allocator, clocks->maps.items, clocks->maps.capacity,
                                     clocks->maps.count + 1, 65536);
    if (result == FG_OK) {
        *out_map = &clocks->maps.items[clocks->maps.count++];
        **out_map = (struct fgi_clock_map){ .cap = *clock };
    }
    return result;
}

enum fg_result fgi_clocks_see(struct fgi_clocks *clocks, const struct fg_cap_clock *clock)
{
    struct fgi_clock_map *map = find(clocks, clock->id);
    enum fg_result result = map ? FG_OK : add_map(clocks, clock, &map);
    for (size_t i = 0; result == FG_OK && i < clock->reading_count; i++) {
        /* Checkpoints say readings again: numbers that are there are left alone. */
        if (clock->first_reading + i < map->next_reading) {
            continue;
        }
        result = FGI_GROW(clocks->allocator, map->readings.items, map->readings.capacity,
                          map->readings.count + 1, UINT32_MAX);
        if (result == FG_OK) {
            map->readings.items[map->readings.count++] = clock->readings[i];
            map->next_reading = clock->first_reading + i + 1;
        }
    }
    if (result == FG_OK) {
        map->cap = *clock;
        map->cap.readings = NULL; /* borrowed from the record; ours are in the table */
    }
    return result;
}

/* ticks of a duration to ns by num / den, where both may be large. */
static int64_t scale(uint64_t from, uint64_t to, struct fgi_rational period)
{
    return fgi_ticks_to_ns((int64_t)(to - from), period);
}

int64_t fgi_clock_add_ns(int64_t a, int64_t b)
{
    if (b > 0 ? a > FG_TIME_MAX - b : a < FG_TIME_MIN - b) {
        return b > 0 ? FG_TIME_MAX : FG_TIME_MIN;
    }
    return a + b;
}

static int64_t between(const struct fgi_clock_point *a, const struct fgi_clock_point *b,
                       uint64_t ticks)
{
    struct fgi_rational slope = { (uint64_t)b->axis_ns - (uint64_t)a->axis_ns,
                                  b->ticks - a->ticks };
    return fgi_clock_add_ns(a->axis_ns, scale(a->ticks, ticks, slope));
}

int64_t fgi_clock_span_ns(const struct fgi_clock_map *map, uint64_t from_ticks, uint64_t to_ticks)
{
    return scale(from_ticks, to_ticks, map->period);
}

int64_t fgi_clock_axis_ns(const struct fgi_clock_map *map, uint64_t ticks)
{
    size_t count = map->points.count;
    const struct fgi_clock_point *points = map->points.items;
    if (count == 0) {
        return scale(0, ticks, map->period);
    }
    size_t low = 0, high = count;
    while (low < high) { /* first point after the tick */
        size_t middle = low + (high - low) / 2;
        if ((int64_t)(points[middle].ticks - ticks) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low > 0 && low < count) {
        return between(&points[low - 1], &points[low], ticks);
    }
    const struct fgi_clock_point *end = low == 0 ? &points[0] : &points[count - 1];
    return fgi_clock_add_ns(end->axis_ns, scale(end->ticks, ticks, map->period));
}

void fgi_clock_axis_all(const struct fgi_clock_map *map, int64_t *ticks, uint32_t count)
{
    if (map->points.count == 0 && map->period.num == map->period.den) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        ticks[i] = fgi_clock_axis_ns(map, (uint64_t)ticks[i]);
    }
}

/* ---- deciding -------------------------------------------------------------------------------- */

static bool less_u32(void *context, uint32_t a, uint32_t b)
{
    const struct fg_cap_reading *readings = context;
    return readings[a].deviation_ns < readings[b].deviation_ns;
}

static enum fg_result median_deviation(const struct fgi_clocks *clocks, struct fgi_clock_map *map,
                                       uint64_t *out_median)
{
    size_t count = map->readings.count;
    uint32_t *order = fgi_malloc(clocks->allocator, count * sizeof *order);
    if (!order) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    enum fg_result result =
        fgi_sort_u32(clocks->allocator, order, count, less_u32, map->readings.items);
    *out_median = map->readings.items[order[(count + 1) / 2 - 1]].deviation_ns;
    fgi_free(clocks->allocator, order, count * sizeof *order);
    return result;
}

static void solve(struct fgi_clocks *clocks, struct fgi_clock_map *map, unsigned depth,
                  enum fg_result *result);

/* Readings up to this deviation that go forward on both sides become points. */
static enum fg_result keep_readings(struct fgi_clocks *clocks, struct fgi_clock_map *map,
                                    const struct fgi_clock_map *host, uint64_t limit_ns)
{
    enum fg_result result = FG_OK;
    map->points.count = 0;
    for (size_t i = 0; result == FG_OK && i < map->readings.count; i++) {
        const struct fg_cap_reading *reading = &map->readings.items[i];
        struct fgi_clock_point point = { reading->ticks,
                                         fgi_clock_axis_ns(host, reading->host_ticks),
                                         reading->deviation_ns };
        const struct fgi_clock_point *last =
            map->points.count > 0 ? &map->points.items[map->points.count - 1] : NULL;
        bool forward =
            !last || ((int64_t)(point.ticks - last->ticks) > 0 && point.axis_ns > last->axis_ns);
        if (!forward || reading->deviation_ns > limit_ns) {
            continue;
        }
        result = FGI_GROW(clocks->allocator, map->points.items, map->points.capacity,
                          map->points.count + 1, UINT32_MAX);
        if (result == FG_OK) {
            map->points.items[map->points.count++] = point;
        }
    }
    return result;
}

/*
 * The limit is of the median, and rises while it leaves fewer than two: of two readings the median
 * is the better one, and the other no outlier by it.
 */
static enum fg_result relate_to_host(struct fgi_clocks *clocks, struct fgi_clock_map *map,
                                     unsigned depth)
{
    struct fgi_clock_map *host = find(clocks, map->cap.host_clock);
    enum fg_result result = FG_OK;
    uint64_t limit_ns = 0;
    if (map->readings.count == 0 || !host || host == map) {
        return FG_OK;
    }
    solve(clocks, host, depth + 1, &result);
    if (result == FG_OK) {
        result = median_deviation(clocks, map, &limit_ns);
    }
    do {
        const uint64_t more = limit_ns > 0 ? limit_ns : 1;
        limit_ns = more > UINT64_MAX / OUTLIER_FACTOR ? UINT64_MAX : more * OUTLIER_FACTOR;
        result = result == FG_OK ? keep_readings(clocks, map, host, limit_ns) : result;
    } while (result == FG_OK && map->points.count < 2 && limit_ns < UINT64_MAX);
    map->rejected_count = (uint32_t)(map->readings.count - map->points.count);
    return result;
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t claimed_bound(const struct fgi_clock_map *map, bool has_period)
{
    const struct fgi_clock_point *points = map->points.items;
    const struct fgi_clock_point *end = &points[map->points.count - 1];
    uint64_t deviation = 0;
    uint64_t miss = has_period ? 0 : add_saturated(points[0].deviation_ns, end->deviation_ns);
    for (size_t i = 0; i < map->points.count; i++) {
        deviation = points[i].deviation_ns > deviation ? points[i].deviation_ns : deviation;
        if (i > 0 && i + 1 < map->points.count) {
            int64_t straight = between(&points[i - 1], &points[i + 1], points[i].ticks);
            uint64_t off = distance(straight, points[i].axis_ns);
            miss = off > miss ? off : miss;
        }
    }
    return add_saturated(deviation, miss);
}

/* What the period says of the time between the first and the last point, against the host. */
static void measure_drift(struct fgi_clock_map *map)
{
    const struct fgi_clock_point *first = &map->points.items[0];
    const struct fgi_clock_point *last = &map->points.items[map->points.count - 1];
    const int64_t by_period =
        fgi_clock_add_ns(first->axis_ns, fgi_clock_span_ns(map, first->ticks, last->ticks));
    const uint64_t off = distance(by_period, last->axis_ns);
    const int64_t size = off < INT64_MAX ? (int64_t)off : INT64_MAX;
    map->drift_ns = by_period >= last->axis_ns ? size : -size;
    map->drift_error_ns = add_saturated(first->deviation_ns, last->deviation_ns);
    map->drift_over_ns = distance(first->axis_ns, last->axis_ns);
}

static void solve(struct fgi_clocks *clocks, struct fgi_clock_map *map, unsigned depth,
                  enum fg_result *result)
{
    if (map->is_solved || *result != FG_OK) {
        return;
    }
    map->is_solved = true; /* before its host: a ring of hosts ends here */
    bool has_period = map->cap.period_num > 0 && map->cap.period_den > 0;
    map->period = has_period ? (struct fgi_rational){ map->cap.period_num, map->cap.period_den }
                             : (struct fgi_rational){ 1, 1 };
    if (map->cap.domain == FG_CAP_DOMAIN_HOST && map->readings.count == 0) {
        map->kind = FG_CLOCK_HOST;
        return;
    }
    if (depth < 8) {
        *result = relate_to_host(clocks, map, depth);
    }
    size_t count = map->points.count;
    if (!has_period && count > 1) {
        map->period = (struct fgi_rational){
            (uint64_t)map->points.items[count - 1].axis_ns - (uint64_t)map->points.items[0].axis_ns,
            map->points.items[count - 1].ticks - map->points.items[0].ticks,
        };
    }
    if (map->cap.domain != FG_CAP_DOMAIN_NOMINAL && count > 1) {
        map->kind = FG_CLOCK_CALIBRATED;
        map->bound_ns = claimed_bound(map, has_period);
        if (has_period) {
            measure_drift(map);
        }
        return;
    }
    map->kind = FG_CLOCK_NOMINAL;
    if (map->cap.domain != FG_CAP_DOMAIN_NOMINAL) {
        map->reason = "fewer than two readings relate it to the host's clock";
    }
    map->points.count = 0; /* one reading, or readings that the capture does not vouch for */
}

enum fg_result fgi_clocks_solve(struct fgi_clocks *clocks, struct fgi_builder *builder,
                                uint32_t (*text_of)(void *context, uint32_t symbol), void *context)
{
    enum fg_result result = FG_OK;
    struct fgi_clock_map *map = NULL;
    if (clocks->maps.count == 0) {
        /* A capture that has lost its clocks: numbers are taken for ns, and nothing is claimed. */
        struct fg_cap_clock clock = { .id = FG_CAP_NONE, .host_clock = FG_CAP_NONE };
        result = add_map(clocks, &clock, &map);
        if (result == FG_OK) {
            map->cap.domain = FG_CAP_DOMAIN_NOMINAL;
            map->reason = "the capture defines no clock";
        }
    }
    for (size_t i = 0; i < clocks->maps.count && result == FG_OK; i++) {
        map = &clocks->maps.items[i];
        solve(clocks, map, 0, &result);
        const char *reason = map->reason;
        struct fg_trace_clock clock = {
            .name = text_of(context, map->cap.name),
            .kind = map->kind,
            .bound_ns = map->bound_ns,
            .period_num = map->period.num,
            .period_den = map->period.den,
            .valid_bits = map->cap.valid_bits,
            .pair_count = (uint32_t)map->points.count,
            .rejected_count = map->rejected_count,
            .drift_ns = map->drift_ns,
            .drift_error_ns = map->drift_error_ns,
            .drift_over_ns = map->drift_over_ns,
        };
        if (map->kind == FG_CLOCK_NOMINAL) {
            clock.reason =
                reason ? fgi_builder_cstr(builder, reason) : text_of(context, map->cap.reason);
        }
        map->trace_clock = fgi_builder_clock(builder, &clock);
    }
    return result != FG_OK ? result : fgi_builder_result(builder);
}

void fgi_clocks_finish(struct fgi_clocks *clocks)
{
    for (size_t i = 0; i < clocks->maps.count; i++) {
        FGI_FREE_TABLE(clocks->allocator, clocks->maps.items[i].readings);
        FGI_FREE_TABLE(clocks->allocator, clocks->maps.items[i].points);
    }
    FGI_FREE_TABLE(clocks->allocator, clocks->maps);
}
