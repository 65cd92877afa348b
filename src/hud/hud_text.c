/* SPDX-License-Identifier: MIT */
#include "hud/hud_text.h"

/* From here on it would be written with six digits. */
#define TOO_LONG_NS INT64_C(99999500000)

static void add_character(struct fgi_hud_text *text, char character)
{
    if (text->size + 1 < sizeof text->text) {
        text->text[text->size++] = character;
        text->text[text->size] = '\0';
    }
}

void fgi_text_add(struct fgi_hud_text *text, const char *words)
{
    for (; *words != '\0'; words++) {
        add_character(text, *words);
    }
}

void fgi_text_pad(struct fgi_hud_text *text, uint32_t column)
{
    while (text->size < column && text->size + 1 < sizeof text->text) {
        add_character(text, ' ');
    }
}

static void add_whole(struct fgi_hud_text *text, uint64_t number)
{
    char digits[20];
    uint32_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        add_character(text, digits[--count]);
    }
}

/** number / 10^places. */
static void add_decimal(struct fgi_hud_text *text, uint64_t number, uint32_t places)
{
    uint64_t unit = 1;
    for (uint32_t i = 0; i < places; i++) {
        unit *= 10;
    }
    add_whole(text, number / unit);
    if (places > 0) {
        add_character(text, '.');
        for (unit /= 10; unit > 0; unit /= 10) {
            add_character(text, (char)('0' + number / unit % 10));
        }
    }
}

void fgi_text_add_ms(struct fgi_hud_text *text, int64_t ns)
{
    const uint64_t value = ns > 0 ? (uint64_t)ns : 0;
    if (value < 99995000) {
        add_decimal(text, (value + 5000) / 10000, 2);
    } else if (value < 999950000) {
        add_decimal(text, (value + 50000) / 100000, 1);
    } else if (ns < TOO_LONG_NS) {
        add_whole(text, (value + 500000) / 1000000);
    } else {
        fgi_text_add(text, ">99 s");
    }
}

void fgi_text_add_time(struct fgi_hud_text *text, int64_t ns)
{
    fgi_text_add_ms(text, ns);
    fgi_text_add(text, ns < TOO_LONG_NS ? " ms" : "");
}

void fgi_text_add_count(struct fgi_hud_text *text, uint64_t count)
{
    static const char suffixes[] = { 'k', 'M', 'G', 'T', 'P' };
    int power = -1;
    while (count >= 100000) {
        count /= 1000;
        power++;
    }
    add_whole(text, count);
    if (power >= 0) {
        add_character(text, suffixes[power]);
    }
}

void fgi_text_add_number(struct fgi_hud_text *text, double number, uint32_t places)
{
    number = number > 0.0 ? number : 0.0; /* also what is no number */
    const uint32_t wanted = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
    const uint32_t shown = wanted < places ? wanted : places;
    const uint64_t unit = shown == 2 ? 100 : shown == 1 ? 10 : 1;
    const uint64_t whole = number < 1e18 ? (uint64_t)(number * (double)unit + 0.5) : UINT64_MAX;
    if (shown > 0 && (places >= 2 || whole % unit != 0)) {
        add_decimal(text, whole, shown);
    } else {
        fgi_text_add_count(text, whole / unit);
    }
}

void fgi_text_add_fine_time(struct fgi_hud_text *text, double ns, uint32_t places)
{
    static const char *const units[] = { " fs", " ps", " ns", " \xc2\xb5s", " ms", " s" };
    double number = ns * 1e6;
    int unit = 0;
    for (; number >= 999.5 && unit < 5; unit++) {
        number /= 1000.0;
    }
    fgi_text_add_number(text, number, places);
    fgi_text_add(text, units[unit]);
}

void fgi_text_add_bytes(struct fgi_hud_text *text, uint64_t bytes)
{
    static const char *const units[] = { " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
    uint32_t power = 0;
    if (bytes < 1000) {
        add_whole(text, bytes);
        fgi_text_add(text, " B");
        return;
    }
    /* The tenths are of the last division only; 999.95 would be written with four digits. */
    while (bytes >= UINT64_C(1023949)) {
        bytes /= 1024;
        power++;
    }
    add_decimal(text, (bytes * 10 + 512) / 1024, 1);
    fgi_text_add(text, units[power]);
}

void fgi_text_add_fps(struct fgi_hud_text *text, int64_t mean_ns)
{
    const uint64_t ns = mean_ns > 0 ? (uint64_t)mean_ns : 1;
    const uint64_t tenths = (UINT64_C(10000000000) + ns / 2) / ns;
    if (tenths < 100000) {
        add_decimal(text, tenths, 1);
    } else {
        fgi_text_add_count(text, tenths / 10);
    }
}

void fgi_text_add_metric(struct fgi_hud_text *text, int64_t value, enum fg_unit unit)
{
    if (value == INT64_MIN) {
        fgi_text_add(text, "n/a");
        return;
    }
    const uint64_t size = value < 0 ? (uint64_t)-value : (uint64_t)value;
    if (value < 0) {
        add_character(text, '-');
    }
    switch (unit) {
    case FG_UNIT_BYTES:
        fgi_text_add_bytes(text, size);
        break;
    case FG_UNIT_NS:
        fgi_text_add_time(text, size > INT64_MAX ? INT64_MAX : (int64_t)size);
        break;
    case FG_UNIT_PER_SECOND:
        fgi_text_add_count(text, size);
        fgi_text_add(text, " /s");
        break;
    case FG_UNIT_BASIS_POINTS:
        if (size < 10000000) {
            add_decimal(text, size, 2);
        } else {
            fgi_text_add_count(text, size / 100);
        }
        fgi_text_add(text, " %");
        break;
    case FG_UNIT_COUNT:
    default:
        fgi_text_add_count(text, size);
        break;
    }
}
