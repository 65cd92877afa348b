/* SPDX-License-Identifier: MIT */
/*
 * Bytes per zone at rest, of a fixed mix that is generated and does not depend on the machine: 200
 * names in a tree of three levels (8 zones, each of which calls 4, each of which calls 5; one call
 * in eight is left out), and exponential times of a mean between any two begins and ends. One
 * thread, a frame each 1000 zones, ticks of 1/2.1 ns. As stored, and behind zstd.
 *
 * Printed beside it: the entropy of the times alone, below which no coding can come.
 */
#include "base/bytes.h"
#include "record/instrument/instrument_priv.h"

#include <zstd.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OUTER = 8, MIDDLE = 4, INNER = 5, ZONES = 1000000, ZONES_OF_A_FRAME = 1000, RING = 4096 };
#define TICKS_PER_NS 2.1

struct mix {
    uint64_t random;
    double mean_ticks;
    uint64_t ticks;
    uint32_t labels[OUTER][1 + MIDDLE * (1 + INNER)];
    struct fgi_producer producer;
    struct fg_ring_event ring[RING];
    size_t count;
    uint64_t zones;
};

static uint64_t random_bits(struct mix *mix)
{
    mix->random ^= mix->random << 13;
    mix->random ^= mix->random >> 7;
    mix->random ^= mix->random << 17;
    return mix->random;
}

static uint64_t step(struct mix *mix)
{
    const double uniform = ((double)(random_bits(mix) >> 11) + 0.5) / 9007199254740992.0;
    mix->ticks += (uint64_t)(-log(uniform) * mix->mean_ticks + 0.5);
    return mix->ticks;
}

static bool is_called(struct mix *mix)
{
    return random_bits(mix) % 8 != 0;
}

static void hand_over(struct mix *mix)
{
    const struct fgi_batch batch = {
        .thread = &mix->producer,
        .pieces = { mix->ring, mix->ring },
        .piece_counts = { mix->count, 0 },
    };
    if (!fgi_drain_enter()) {
        abort();
    }
    fgi_streams_take(&batch);
    fgi_streams_flush();
    fgi_drain_leave();
    mix->count = 0;
}

static void end_zone(struct mix *mix, uint32_t label, uint16_t depth, uint64_t begin)
{
    mix->ring[mix->count++] = (struct fg_ring_event){
        .ticks = step(mix), .label = label, .kind = FG_RING_ZONE, .depth = depth, .value = begin
    };
    mix->zones++;
}

static void run_middle(struct mix *mix, const uint32_t *labels)
{
    const uint64_t begin = step(mix);
    for (int i = 0; i < INNER; i++) {
        if (is_called(mix)) {
            const uint64_t inner = step(mix);
            end_zone(mix, labels[1 + i], 2, inner);
        }
    }
    end_zone(mix, labels[0], 1, begin);
}

static void run_outer(struct mix *mix, const uint32_t *labels)
{
    const uint64_t begin = step(mix);
    for (int i = 0; i < MIDDLE; i++) {
        if (is_called(mix)) {
            run_middle(mix, &labels[1 + i * (1 + INNER)]);
        }
    }
    end_zone(mix, labels[0], 0, begin);
}

static void make_labels(struct mix *mix)
{
    char name[48];
    for (int i = 0; i < OUTER; i++) {
        for (int j = 0; j < 1 + MIDDLE * (1 + INNER); j++) {
            (void)snprintf(name, sizeof name, "System %d/Step %d", i, j);
            mix->labels[i][j] = fg_label_register(name, (enum fg_category)(i % 8));
        }
    }
}

static bool record(struct mix *mix, struct fg_session *session)
{
    if (fg_session_start(session) != FG_OK) {
        return false;
    }
    mix->ticks = fgi_ticks_now();
    while (mix->zones < ZONES) {
        const uint64_t before = mix->zones;
        for (int i = 0; mix->zones - before < ZONES_OF_A_FRAME; i++) {
            run_outer(mix, mix->labels[i % OUTER]);
        }
        hand_over(mix);
    }
    return fg_session_finish(session, 0) == FG_OK;
}

static size_t packed(const void *bytes, size_t size, int level)
{
    const size_t room = ZSTD_compressBound(size);
    void *out = malloc(room);
    const size_t result = out != NULL ? ZSTD_compress(out, room, bytes, size, level) : 0;
    free(out);
    return result;
}

static bool measure(double mean_ns, bool is_last)
{
    static struct mix mix;
    struct fg_session *session = NULL;
    size_t size = 0;
    mix = (struct mix){ .random = 88172645463325252u, .mean_ticks = mean_ns * TICKS_PER_NS };
    mix.producer.context.thread = 1000000;
    mix.producer.number = 1000000;
    make_labels(&mix);
    bool done = fg_session_create(NULL, NULL, &session) == FG_OK && record(&mix, session);
    if (done) {
        const void *bytes = fg_session_bytes(session, &size);
        const double zones = (double)mix.zones;
        printf("    { \"mean_gap_ns\": %g, \"zones\": %" PRIu64 ", \"bytes_per_zone\": %.2f,\n"
               "      \"zstd_3\": %.2f, \"zstd_19\": %.2f, \"entropy_of_times\": %.2f }%s\n",
               mean_ns, mix.zones, (double)size / zones, (double)packed(bytes, size, 3) / zones,
               (double)packed(bytes, size, 19) / zones, 2 * log2(2.718281828 * mix.mean_ticks) / 8,
               is_last ? "" : ",");
    }
    fg_session_destroy(session);
    return done;
}

int main(void)
{
    printf("{ \"bench\": \"zone_size\", \"commit\": \"%s\", \"names\": 200, \"levels\": 3,\n"
           "  \"mixes\": [\n",
           FG_COMMIT);
    const bool done =
        measure(25, false) && measure(50, false) && measure(100, false) && measure(1000, true);
    printf("  ] }\n");
    return done ? 0 : 1;
}
