/* SPDX-License-Identifier: MIT */
#include "canvas_load.h"

#include <time.h>

int64_t cv_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t time_rounds(struct cv_painter *painter, uint32_t rounds)
{
    painter->gl->Finish();
    const int64_t begin_ns = cv_now_ns();
    cv_painter_burn(painter, rounds);
    painter->gl->Finish();
    return cv_now_ns() - begin_ns;
}

void cv_load_init(struct cv_load *load, const struct cv_load_options *options,
                  struct cv_painter *painter)
{
    const int64_t wanted_ns =
        options->balanced_ns > 0 ? options->balanced_ns : options->alternate_ns;
    uint32_t rounds = 16;
    *load = (struct cv_load){ .options = *options };
    if (wanted_ns <= 0) {
        return;
    }
    cv_painter_begin(painter, 0x000000ff);
    (void)time_rounds(painter, rounds); /* the first one compiles */
    int64_t took_ns = time_rounds(painter, rounds);
    while (took_ns < wanted_ns / 2 && rounds < 1u << 24) {
        rounds *= 2;
        took_ns = time_rounds(painter, rounds);
    }
    const double times = (double)wanted_ns / (double)(took_ns > 0 ? took_ns : 1);
    load->rounds = (uint32_t)fmax((double)rounds * times, 1);
}

void cv_load_cpu(const struct cv_load *load, uint64_t frame)
{
    const struct cv_load_options *options = &load->options;
    const int64_t alternate_ns = frame % 2 == 0 ? options->alternate_ns : 0;
    const int64_t busy_ns = options->cpu_ns + options->balanced_ns + alternate_ns;
    if (busy_ns <= 0) {
        return;
    }
    const int64_t end_ns = cv_now_ns() + busy_ns;
    while (cv_now_ns() < end_ns) {
    }
}

void cv_load_gpu(const struct cv_load *load, uint64_t frame, struct cv_painter *painter)
{
    const struct cv_load_options *options = &load->options;
    const bool is_turn = options->balanced_ns > 0 || (options->alternate_ns > 0 && frame % 2 == 1);
    const uint32_t rounds = options->gpu_rounds + (is_turn ? load->rounds : 0);
    if (rounds > 0) {
        cv_painter_burn(painter, rounds);
    }
}
