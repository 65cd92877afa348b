/* SPDX-License-Identifier: MIT */
/*
 * The clock of zones: the processor's counter where it runs evenly whatever the processor does,
 * else CLOCK_MONOTONIC.
 *
 * The counter is held against CLOCK_MONOTONIC as long as the process runs. Each reading begins a
 * piece of a line from ticks to nanoseconds. A piece starts where the one before it arrives, with a
 * slope that takes out the error by the next reading: so the line never jumps back, and a time that
 * was given once stays what it is. Only a gap that no slope can take out (the machine slept) is a
 * step, forwards.
 */
#include "base/clock.h"
#include "record/instrument/instrument_priv.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum {
    PIECES = 64,
    TRIES = 5,
    READS_MAX = 10000,
    SHIFT = 40, /* a slope is ns per tick times 2^40 */
};
#define PERIOD_NS  INT64_C(100000000) /* between readings */
#define LEAST_NS   INT64_C(10000000)  /* a piece is at least so long */
#define FIRST_NS   INT64_C(1000000)   /* what a first slope is measured over */
#define STEP_NS    INT64_C(1000000)   /* an error that is no drift */
#define SLOPE_PART 20                 /* a slope is at most 1/20 off the measured one */

struct piece {
    uint64_t ticks;
    int64_t ns;
    uint64_t slope; /* 0 = not known yet: the first piece, before a second reading */
};

static bool is_counter;
static uint32_t reading_count;
static int64_t next_ns; /* when the next reading is due */

/*
 * Written by whoever has `writing`. Readers take no lock, since a signal handler is one of them:
 * what they read is of one moment when `version` is even and the same before and after.
 */
static uint32_t writing;
static uint32_t version;
static uint32_t piece_count;
static struct piece pieces[PIECES];
static struct fgi_ticks_reading first, last;

/* ---- the counter ----------------------------------------------------------------------------- */

static bool counter_is_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
#elif defined(__aarch64__)
    return true; /* by its architecture */
#else
    return false;
#endif
}

uint64_t fgi_ticks_now(void)
{
    return is_counter ? fg_hot_ticks() : (uint64_t)fgi_clock_monotonic_ns();
}

bool fgi_ticks_are_counted(void)
{
    return is_counter;
}

/* Both clocks at about one moment: the time is read between two ticks, the closest pair wins. */
static struct fgi_ticks_reading read_both(void)
{
    struct fgi_ticks_reading best = { 0 };
    uint64_t best_width = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t before = fg_hot_ticks();
        const int64_t now_ns = fgi_clock_monotonic_ns();
        const uint64_t width = fg_hot_ticks() - before;
        if (width < best_width) {
            best_width = width;
            best =
                (struct fgi_ticks_reading){ .ticks = before + width / 2, .monotonic_ns = now_ns };
        }
    }
    best.deviation_ns = (int64_t)(best_width / 2 + 1); /* in ticks, until a slope is known */
    return best;
}

/* ---- the line -------------------------------------------------------------------------------- */

__extension__ typedef __int128 wide;

static int64_t along(const struct piece *piece, uint64_t ticks)
{
    const int64_t distance = (int64_t)(ticks - piece->ticks);
    return piece->ns + (int64_t)(((wide)distance * (wide)piece->slope) >> SHIFT);
}

/* Acquire: none of these loads may come after the second look at `version`. */
static struct piece load_piece(uint32_t number)
{
    const struct piece *piece = &pieces[number % PIECES];
    return (struct piece){ .ticks = __atomic_load_n(&piece->ticks, __ATOMIC_ACQUIRE),
                           .ns = __atomic_load_n(&piece->ns, __ATOMIC_ACQUIRE),
                           .slope = __atomic_load_n(&piece->slope, __ATOMIC_ACQUIRE) };
}

/* Release: none of these stores may come before `version` became odd. */
static void store_piece(uint32_t number, struct piece piece)
{
    struct piece *place = &pieces[number % PIECES];
    __atomic_store_n(&place->ticks, piece.ticks, __ATOMIC_RELEASE);
    __atomic_store_n(&place->ns, piece.ns, __ATOMIC_RELEASE);
    __atomic_store_n(&place->slope, piece.slope, __ATOMIC_RELEASE);
}

/*
 * The piece that `ticks` is on. A signal handler may have interrupted the one who writes, who then
 * never comes to an end: after some tries what was read has to do.
 */
static struct piece find_piece(uint64_t ticks)
{
    struct piece piece;
    uint32_t before, tries = 0;
    do {
        before = __atomic_load_n(&version, __ATOMIC_ACQUIRE);
        const uint32_t count = __atomic_load_n(&piece_count, __ATOMIC_ACQUIRE);
        uint32_t back = 1;
        piece = load_piece(count - back);
        while (back < count && back < PIECES && (int64_t)(ticks - piece.ticks) < 0) {
            piece = load_piece(count - ++back);
        }
    } while (((before & 1) != 0 || before != __atomic_load_n(&version, __ATOMIC_RELAXED)) &&
             ++tries < READS_MAX);
    return piece;
}

/* ns per tick over the whole run so far; 0 while that is too short to tell. */
static uint64_t measured_slope(const struct fgi_ticks_reading *now)
{
    const int64_t ns = now->monotonic_ns - first.monotonic_ns;
    const uint64_t ticks = now->ticks - first.ticks;
    return ns < FIRST_NS || ticks == 0 ? 0 : (uint64_t)(((wide)ns << SHIFT) / (wide)ticks);
}

static struct piece next_piece(const struct piece *piece, const struct fgi_ticks_reading *now,
                               uint64_t slope)
{
    struct piece next = { .ticks = now->ticks, .ns = along(piece, now->ticks), .slope = slope };
    const int64_t error_ns = now->monotonic_ns - next.ns;
    if (error_ns > STEP_NS) {
        next.ns = now->monotonic_ns;
        return next;
    }
    wide change = (wide)slope * error_ns / PERIOD_NS;
    const wide most = (wide)slope / SLOPE_PART;
    change = change > most ? most : change < -most ? -most : change;
    next.slope = (uint64_t)((wide)slope + change);
    return next;
}

/* With `writing` taken. */
static void go_on(const struct fgi_ticks_reading *now)
{
    const uint32_t count = piece_count;
    if (count == 0) {
        first = *now;
        store_piece(0, (struct piece){ .ticks = now->ticks, .ns = now->monotonic_ns });
        piece_count = 1;
        return;
    }
    const struct piece piece = load_piece(count - 1);
    const uint64_t slope = measured_slope(now);
    if (slope == 0) {
        return;
    }
    if (piece.slope == 0) {
        /* Nothing was asked of it yet: the first piece simply gets its slope. */
        store_piece(0, (struct piece){ .ticks = piece.ticks, .ns = piece.ns, .slope = slope });
    } else if (now->monotonic_ns - along(&piece, piece.ticks) >= LEAST_NS) {
        store_piece(count, next_piece(&piece, now, slope));
        __atomic_store_n(&piece_count, count + 1, __ATOMIC_RELAXED);
    }
}

static int64_t deviation_ns(int64_t ticks)
{
    const struct piece piece = load_piece(__atomic_load_n(&piece_count, __ATOMIC_ACQUIRE) - 1);
    return piece.slope == 0 ? ticks : (int64_t)(((wide)ticks * (wide)piece.slope) >> SHIFT) + 1;
}

struct fgi_ticks_reading fgi_ticks_calibrate(void)
{
    if (!is_counter) {
        const int64_t now_ns = fgi_clock_monotonic_ns();
        (void)__atomic_fetch_add(&reading_count, 1, __ATOMIC_RELAXED);
        return (struct fgi_ticks_reading){ .ticks = (uint64_t)now_ns, .monotonic_ns = now_ns };
    }
    struct fgi_ticks_reading now = read_both();
    __atomic_store_n(&next_ns, now.monotonic_ns + PERIOD_NS, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&reading_count, 1, __ATOMIC_RELAXED);
    /* Somebody who reads at the same moment knows as much as this one: then only he goes on. */
    if (__atomic_exchange_n(&writing, 1, __ATOMIC_ACQUIRE) == 0) {
        __atomic_store_n(&version, version + 1, __ATOMIC_RELAXED);
        go_on(&now);
        last = now;
        __atomic_store_n(&version, version + 1, __ATOMIC_RELEASE);
        __atomic_store_n(&writing, 0, __ATOMIC_RELEASE);
    }
    now.deviation_ns = deviation_ns(now.deviation_ns);
    return now;
}

void fgi_ticks_keep(void)
{
    if (is_counter && fgi_clock_monotonic_ns() >= __atomic_load_n(&next_ns, __ATOMIC_RELAXED)) {
        (void)fgi_ticks_calibrate();
    }
}

int64_t fgi_ticks_monotonic_ns(uint64_t ticks)
{
    if (!is_counter) {
        return (int64_t)ticks;
    }
    struct piece piece = find_piece(ticks);
    /* Only within the first millisecond of use: then the slope is worth waiting for. */
    for (int i = 0; piece.slope == 0 && i < READS_MAX; i++) {
        (void)fgi_ticks_calibrate();
        piece = find_piece(ticks);
    }
    return along(&piece, ticks);
}

struct fgi_ticks_clock fgi_ticks_clock(void)
{
    struct fgi_ticks_clock clock = { .is_counter = is_counter, .period_num = 1, .period_den = 1 };
    clock.reading_count = __atomic_load_n(&reading_count, __ATOMIC_RELAXED);
    if (!is_counter) {
        return clock;
    }
    (void)fgi_ticks_monotonic_ns(0); /* a slope is known after it */
    while (__atomic_exchange_n(&writing, 1, __ATOMIC_ACQUIRE) != 0) {
        fgi_sleep_ns(1000);
    }
    clock.period_num = (uint64_t)(last.monotonic_ns - first.monotonic_ns);
    clock.period_den = last.ticks - first.ticks;
    __atomic_store_n(&writing, 0, __ATOMIC_RELEASE);
    while (clock.period_num > UINT32_MAX || clock.period_den > UINT32_MAX) {
        clock.period_num >>= 1;
        clock.period_den >>= 1;
    }
    return clock;
}

void fgi_ticks_start(enum fg_instrument_clock wanted)
{
    is_counter = wanted == FG_INSTRUMENT_CLOCK_BEST && counter_is_invariant();
    (void)fgi_ticks_calibrate();
}
