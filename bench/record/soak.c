/* SPDX-License-Identifier: MIT */
/*
 * soak [SECONDS] [EVENTS_PER_SECOND] [FILE]: threads write zones and markers at a fixed rate, the
 * writer thread stores them, and then the capture is read back: what was emitted must be what is
 * stored and what is counted as lost, exactly, and 99.9 % of it stored, within the memory that the
 * options allow. Ten minutes at a million a second without arguments; the file is removed.
 */
#include "base/clock.h"
#include "base/thread.h"
#include <frameglass/capture.h>
#include <frameglass/instrument.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, TURN_NS = 1000000, TURNS_AT_ONCE = 16 };

struct plan {
    int64_t seconds;
    int64_t rate; /* of all threads */
    const char *path;
};
struct worker {
    pthread_t thread;
    const struct plan *plan;
    int64_t begin_ns;
    uint64_t emitted;
};

/* Three events: a zone in a zone, and a marker. */
static void emit(struct worker *worker)
{
    FG_ZONE_BEGIN(outer, "soak/outer");
    FG_ZONE_BEGIN(inner, "soak/inner");
    FG_EVENT("soak/mark", (int64_t)worker->emitted);
    FG_ZONE_END(inner);
    FG_ZONE_END(outer);
    worker->emitted += 3;
}

/*
 * By the clock: a turn that came late emits what was missed, too, but not all at once: a machine
 * that stood still for a second would make a second's events in a few milliseconds of it.
 */
static void *work(void *context)
{
    struct worker *worker = context;
    const int64_t end_ns = worker->plan->seconds * 1000000000;
    const uint64_t most_of_a_turn =
        TURNS_AT_ONCE * (uint64_t)(worker->plan->rate / THREADS) / (1000000000 / TURN_NS);
    int64_t now_ns = 0;
    while (now_ns < end_ns) {
        now_ns = fgi_clock_monotonic_ns() - worker->begin_ns;
        const uint64_t most = worker->emitted + most_of_a_turn;
        uint64_t due = (uint64_t)(now_ns / 1000 * (worker->plan->rate / THREADS) / 1000000);
        due = due < most ? due : most;
        while (worker->emitted < due) {
            emit(worker);
        }
        fgi_sleep_ns(TURN_NS);
    }
    return NULL;
}

struct found {
    uint64_t stored, lost, summed;
    uint64_t defects;
};

static void count_block(const struct fg_cap_span_block *block, struct found *found)
{
    for (size_t i = 0; i < block->span_count; i++) {
        if ((block->spans[i].flags & FG_CAP_BLOCK_SPAN_LOSS) != 0) {
            found->lost += (uint64_t)block->spans[i].value;
        } else {
            found->stored++;
        }
    }
}

static enum fg_result read_back(const char *path, struct found *found)
{
    struct fg_file_source *file;
    struct fg_source source;
    struct fg_capture *capture = NULL;
    struct fg_capture_record record;
    enum fg_result result = fg_file_source_open(path, &file, &source);
    if (result != FG_OK) {
        return result;
    }
    result = fg_capture_open(&source, NULL, NULL, &capture);
    while (result == FG_OK && (result = fg_capture_next(capture, &record)) == FG_OK) {
        if (record.type == FG_CAPTURE_SPAN) {
            count_block(record.span_block, found);
        } else if (record.type == FG_CAPTURE_SUMM) {
            for (size_t i = 0; i < record.summary->drop_count; i++) {
                found->summed += record.summary->drops[i].reason == FG_CAP_DROP_RING_FULL
                                     ? record.summary->drops[i].count
                                     : 0;
            }
        }
    }
    found->defects = capture != NULL ? fg_capture_defect_count(capture) : 1;
    fg_capture_close(capture);
    fg_file_source_close(file);
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

/* Most bytes that the diagnostics own, looked at ten times a second; what the threads emitted. */
static uint64_t run(const struct plan *plan, struct worker *workers, uint64_t *out_emitted)
{
    uint64_t most_bytes = 0;
    const int64_t begin_ns = fgi_clock_monotonic_ns();
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ .plan = plan, .begin_ns = begin_ns };
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            abort();
        }
    }
    while (fgi_clock_monotonic_ns() - begin_ns < plan->seconds * 1000000000) {
        const uint64_t bytes = fg_instrument_owned_bytes();
        most_bytes = bytes > most_bytes ? bytes : most_bytes;
        fgi_sleep_ns(100000000);
    }
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(workers[i].thread, NULL);
        *out_emitted += workers[i].emitted;
    }
    return most_bytes;
}

static int soak(const struct plan *plan)
{
    static struct worker workers[THREADS];
    const struct fg_instrument_options options = {
        .writer_period_ns = TURN_NS,
        .ring_events =
            1u << 18, /* one second of a thread: so long may the writer be kept waiting */
        .memory_max_bytes = 48u << 20,
    };
    struct fg_session *session = NULL;
    struct found found = { 0 };
    uint64_t emitted = 0, most_bytes = 0;
    enum fg_result result = fg_instrument_configure(&options);
    if (result == FG_OK) {
        result = fg_session_create(NULL, FG_SESSION_OPTIONS(.path = plan->path), &session);
    }
    if (result == FG_OK) {
        result = fg_session_start(session);
    }
    if (result == FG_OK) {
        most_bytes = run(plan, workers, &emitted);
        result = fg_session_finish(session, 0);
    }
    fg_session_destroy(session);
    if (result == FG_OK) {
        result = read_back(plan->path, &found);
    }
    const bool is_exact =
        emitted == found.stored + found.lost && found.lost == found.summed && found.defects == 0;
    const bool is_enough = (double)found.stored >= 0.999 * (double)emitted;
    printf("{ \"bench\": \"soak\", \"commit\": \"%s\", \"result\": \"%s\", \"seconds\": %" PRId64
           ", \"rate\": %" PRId64 ",\n  \"emitted\": %" PRIu64 ", \"stored\": %" PRIu64
           ", \"dropped\": %" PRIu64 ", \"exact\": %s, \"stored_percent\": %.4f,\n"
           "  \"most_owned_bytes\": %" PRIu64 " }\n",
           FG_COMMIT, fg_result_text(result), plan->seconds, plan->rate, emitted, found.stored,
           found.lost, is_exact ? "true" : "false",
           emitted != 0 ? 100.0 * (double)found.stored / (double)emitted : 0.0, most_bytes);
    (void)remove(plan->path);
    return result == FG_OK && is_exact && is_enough ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct plan plan = {
        .seconds = argc > 1 ? atoll(argv[1]) : 600,
        .rate = argc > 2 ? atoll(argv[2]) : 1000000,
        .path = argc > 3 ? argv[3] : "soak.sgpt",
    };
    return plan.seconds > 0 && plan.rate >= THREADS ? soak(&plan) : 2;
}
