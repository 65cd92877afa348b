/* SPDX-License-Identifier: MIT */
#include "record/flight_format.h"

#include <string.h>

/* ---- texts ----------------------------------------------------------------------------------- */

void fgi_text_put(struct fgi_text *text, const char *more)
{
    while (*more != 0 && text->size + 1 < text->capacity) {
        text->data[text->size++] = *more++;
    }
    if (text->capacity != 0) {
        text->data[text->size] = 0;
    }
}

void fgi_text_put_number(struct fgi_text *text, uint64_t value, unsigned digits, unsigned base)
{
    char reversed[24];
    char forward[25];
    size_t count = 0;
    do {
        reversed[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0 || (count < digits && count < sizeof reversed));
    for (size_t i = 0; i < count; i++) {
        forward[i] = reversed[count - 1 - i];
    }
    forward[count] = 0;
    fgi_text_put(text, forward);
}

/* ---- payloads -------------------------------------------------------------------------------- */

static void payload_byte(struct fgi_payload *payload, uint8_t value)
{
    if (payload->size == payload->capacity) {
        payload->failed = true;
        return;
    }
    payload->data[payload->size++] = value;
}

void fgi_payload_varint(struct fgi_payload *payload, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        payload_byte(payload, (uint8_t)(value | 0x80));
    }
    payload_byte(payload, (uint8_t)value);
}

void fgi_payload_svarint(struct fgi_payload *payload, int64_t value)
{
    fgi_payload_varint(payload, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void fgi_payload_text(struct fgi_payload *payload, const char *text, size_t size)
{
    fgi_payload_varint(payload, size);
    if (size > payload->capacity - payload->size) {
        payload->failed = true;
        return;
    }
    memcpy(payload->data + payload->size, text, size);
    payload->size += size;
}

/* ---- names of files -------------------------------------------------------------------------- */

static const char *const causes[] = { "call", "frame", "percentile", "metric", "signal" };
enum { CAUSES = sizeof causes / sizeof causes[0], TIME_CHARACTERS = 16, NUMBER_DIGITS = 4 };

enum part { PART_NONE, PART_TIME, PART_PROCESS, PART_NUMBER, PART_CAUSE };
static const struct {
    const char *text;
    enum part part;
} placeholders[] = {
    { "{time}", PART_TIME },
    { "{process}", PART_PROCESS },
    { "{number}", PART_NUMBER },
    { "{cause}", PART_CAUSE },
};

/** The placeholder at a place of a pattern, and where it ends. */
static enum part part_at(const char *pattern, const char **out_end)
{
    for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++) {
        size_t size = strlen(placeholders[i].text);
        if (strncmp(pattern, placeholders[i].text, size) == 0) {
            *out_end = pattern + size;
            return placeholders[i].part;
        }
    }
    return PART_NONE;
}

bool fgi_flight_pattern_is_good(const char *pattern)
{
    bool has_number = false;
    size_t longest = 1;
    for (const char *at = pattern; *at != 0;) {
        enum part part = part_at(at, &at);
        if (part == PART_NONE) {
            if (*at == '/' || *at == '{' || *at == '}') {
                return false;
            }
            at++;
        }
        has_number |= part == PART_NUMBER;
        longest += part == PART_NONE ? 1 : 20;
    }
    /* ".part" is the end of the name while a file is written */
    return has_number && longest + sizeof ".part" <= FGI_FLIGHT_NAME_BYTES && pattern[0] != '.';
}

/** 20261130T024632Z; the civil date of a count of days, by eras of 400 years. */
static void put_time(struct fgi_text *text, int64_t wall_ns)
{
    uint64_t seconds = wall_ns > 0 ? (uint64_t)wall_ns / 1000000000 : 0;
    uint64_t days = seconds / 86400 + 719468; /* since the 1st of March of year 0 */
    uint64_t day_of_era = days % 146097;
    uint64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    uint64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    uint64_t month_from_march = (5 * day_of_year + 2) / 153;
    uint64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    uint64_t year = days / 146097 * 400 + year_of_era + (month <= 2 ? 1 : 0);
    fgi_text_put_number(text, year, 4, 10);
    fgi_text_put_number(text, month, 2, 10);
    fgi_text_put_number(text, day_of_year - (153 * month_from_march + 2) / 5 + 1, 2, 10);
    fgi_text_put(text, "T");
    fgi_text_put_number(text, seconds % 86400 / 3600, 2, 10);
    fgi_text_put_number(text, seconds % 3600 / 60, 2, 10);
    fgi_text_put_number(text, seconds % 60, 2, 10);
    fgi_text_put(text, "Z");
}

bool fgi_flight_name_make(const char *pattern, const struct fgi_flight_name *parts,
                          char out[FGI_FLIGHT_NAME_BYTES])
{
    struct fgi_text text = { .data = out, .capacity = FGI_FLIGHT_NAME_BYTES };
    for (const char *at = pattern; *at != 0;) {
        const char one[2] = { *at, 0 };
        switch (part_at(at, &at)) {
        case PART_TIME:
            put_time(&text, parts->wall_ns);
            break;
        case PART_PROCESS:
            fgi_text_put_number(&text, parts->process, 1, 10);
            break;
        case PART_NUMBER:
            fgi_text_put_number(&text, parts->number, NUMBER_DIGITS, 10);
            break;
        case PART_CAUSE:
            fgi_text_put(&text, causes[(unsigned)parts->cause % CAUSES]);
            break;
        case PART_NONE:
            fgi_text_put(&text, one);
            at++;
            break;
        }
    }
    return text.size + 1 < text.capacity;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_time(const char *name)
{
    for (int i = 0; i < TIME_CHARACTERS; i++) {
        bool fits = i == 8 ? name[i] == 'T' : i == 15 ? name[i] == 'Z' : is_digit(name[i]);
        if (!fits) {
            return false;
        }
    }
    return true;
}

/** How many characters of the name the placeholder takes; 0 = it does not fit. Greedy. */
static size_t part_size(enum part part, const char *name)
{
    size_t size = 0;
    if (part == PART_TIME) {
        return is_time(name) ? TIME_CHARACTERS : 0;
    }
    if (part == PART_CAUSE) {
        for (size_t i = 0; i < CAUSES; i++) {
            if (strncmp(name, causes[i], strlen(causes[i])) == 0) {
                return strlen(causes[i]);
            }
        }
        return 0;
    }
    while (is_digit(name[size])) {
        size++;
    }
    return part == PART_NUMBER && size < NUMBER_DIGITS ? 0 : size;
}

bool fgi_flight_name_fits(const char *pattern, const char *name)
{
    while (*pattern != 0) {
        enum part part = part_at(pattern, &pattern);
        size_t size = part != PART_NONE ? part_size(part, name) : *pattern == *name ? 1 : 0;
        if (size == 0) {
            return false;
        }
        pattern += part == PART_NONE ? 1 : 0;
        name += size;
    }
    return *name == 0;
}

/* ---- the note -------------------------------------------------------------------------------- */

size_t fgi_flight_note_make(const struct fgi_flight_note *note, uint32_t host_clock,
                            uint8_t out[FGI_FLIGHT_NOTE_BYTES])
{
    struct fgi_payload payload = {
        .data = out + FG_CAPTURE_FRAMING_BYTES,
        .capacity = FGI_FLIGHT_NOTE_BYTES - FG_CAPTURE_FRAMING_BYTES,
    };
    size_t size = strlen(note->reason);
    size = size < FGI_FLIGHT_REASON_BYTES ? size : FGI_FLIGHT_REASON_BYTES - 1;
    fgi_payload_varint(&payload, note->frame + 1);
    fgi_payload_varint(&payload, host_clock != FG_CAP_NONE ? (uint64_t)host_clock + 1 : 0);
    fgi_payload_svarint(&payload, note->ticks);
    fgi_payload_varint(&payload, 0); /* no category */
    fgi_payload_text(&payload, note->reason, size);
    fgi_cap_framing_store(out, FG_CAPTURE_NOTE, payload.data, payload.size);
    return payload.size + FG_CAPTURE_FRAMING_BYTES;
}
