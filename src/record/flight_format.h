/* SPDX-License-Identifier: MIT */
/*
 * Texts and bytes of dumps that a signal handler makes, too: nothing here allocates, locks or calls
 * anything but memcpy() and its like.
 */
#ifndef FGI_FLIGHT_FORMAT_H
#define FGI_FLIGHT_FORMAT_H
#include "capture/cap_framing.h"
#include <frameglass/flight.h>

/** A text that is put together in memory of a fixed size; what does not fit is cut off. */
struct fgi_text {
    char *data;
    size_t capacity; /**< with the terminating zero */
    size_t size;
};
void fgi_text_put(struct fgi_text *text, const char *more);
/** At least `digits` of them. `base` is 10 or 16. */
void fgi_text_put_number(struct fgi_text *text, uint64_t value, unsigned digits, unsigned base);

/** Bytes of one record's payload, in memory of a fixed size: too much sets `failed`. */
struct fgi_payload {
    uint8_t *data;
    size_t capacity;
    size_t size;
    bool failed;
};
void fgi_payload_varint(struct fgi_payload *payload, uint64_t value);
void fgi_payload_svarint(struct fgi_payload *payload, int64_t value);
void fgi_payload_text(struct fgi_payload *payload, const char *text, size_t size);

/* ---- names of files ---- */

#define FGI_FLIGHT_NAME_BYTES 256 /* with the zero */
#define FGI_FLIGHT_PATTERN    "flight-{time}-{process}-{number}.sgpt"

struct fgi_flight_name {
    int64_t wall_ns;
    uint32_t process;
    uint64_t number;
    enum fg_flight_cause cause;
};
/** Has {number}, no '/', no other braces, and is not too long. */
bool fgi_flight_pattern_is_good(const char *pattern);
/** The name of a dump, terminated; false: it is too long. */
bool fgi_flight_name_make(const char *pattern, const struct fgi_flight_name *parts,
                          char out[FGI_FLIGHT_NAME_BYTES]);
/** Whether a file's name could have been made from the pattern, by whichever process. */
bool fgi_flight_name_fits(const char *pattern, const char *name);

/* ---- the note ---- */

#define FGI_FLIGHT_REASON_BYTES 160
#define FGI_FLIGHT_NOTE_BYTES   (FGI_FLIGHT_REASON_BYTES + 64)

struct fgi_flight_note {
    uint64_t frame; /**< FG_CAP_UNKNOWN = none */
    int64_t ticks;  /**< of the host's clock */
    const char *reason;
};
/** A whole NOTE record; returns its size. `host_clock`: FG_CAP_NONE where it is not stated. */
size_t fgi_flight_note_make(const struct fgi_flight_note *note, uint32_t host_clock,
                            uint8_t out[FGI_FLIGHT_NOTE_BYTES]);

#endif
