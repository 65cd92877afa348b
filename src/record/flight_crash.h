/* SPDX-License-Identifier: MIT */
/* The dump of a crash: what its two files share. All of it is of a signal handler. */
#ifndef FGI_FLIGHT_CRASH_H
#define FGI_FLIGHT_CRASH_H
#include "record/flight_priv.h"
#include "record/instrument/instrument_priv.h"

enum {
    FGI_CRASH_THREADS = 512, /* whose tracks are found again */
    FGI_CRASH_RECORD_BYTES = 32 << 10,
};

struct fgi_crash_track {
    uint64_t os_id;
    uint32_t track;
};

/** Memory that was allocated when the session began. */
struct fgi_crash_scratch {
    struct fgi_crash_track threads[FGI_CRASH_THREADS];
    uint8_t defined[FG_CNATRACE_NAMES_MAX / 8]; /* a bit per name: it has a SYMS record */
    struct fg_zone_slot open[FG_ZONE_DEPTH_MAX];
    uint8_t record[FGI_CRASH_RECORD_BYTES]; /* framing and payload */
};
_Static_assert(sizeof(struct fgi_crash_scratch) <= FGI_FLIGHT_SCRATCH_BYTES,
               "the scratch is too small");

struct fgi_crash_dump {
    struct fgi_flight *flight;
    const struct fgi_crash *crash;
    const struct fgi_ring *ring;
    struct fgi_crash_scratch *scratch;
    uint64_t begin; /* of what is kept */
    uint64_t end;
    struct fgi_crash_file file;
    uint64_t whole_bytes; /* of the file, up to the last whole record */

    /* what the kept records say */
    bool has_frame;
    uint64_t first_frame;
    uint64_t newest_frame;
    uint32_t last_symbol;
    uint32_t last_track;
    uint32_t host_clock;
    uint32_t ticks_clock;
    uint32_t thread_count;

    const struct fgi_producer *thread; /* the one being written, and its track */
    uint32_t track;
    uint32_t threads_left;     /* this one and those after it */
    uint64_t events_end_bytes; /* of the file: where this thread's events have to end */
};

/* flight_crash.c */
/** The payload of the next record, in the scratch. */
struct fgi_payload fgi_crash_payload(struct fgi_crash_dump *dump);
/** Write what is in the scratch as one record. */
void fgi_crash_record(struct fgi_crash_dump *dump, uint32_t type, size_t payload_size);

/* flight_crash_threads.c; off_flight.c in a library without zones */
/** What the threads had not told yet. */
void fgi_crash_threads(struct fgi_crash_dump *dump);

#endif
