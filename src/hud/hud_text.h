/* SPDX-License-Identifier: MIT */
/* Short lines of text with numbers in them, without the C library's locale and its cost. */
#ifndef FGI_HUD_TEXT_H
#define FGI_HUD_TEXT_H
#include <frameglass/session.h>

/** A line that is being written. What finds no room is left out. */
struct fgi_hud_text {
    char text[96]; /**< terminated */
    uint32_t size;
};

void fgi_text_add(struct fgi_hud_text *text, const char *words);
/** Spaces up to a column. */
void fgi_text_pad(struct fgi_hud_text *text, uint32_t column);
/** "0.00" to "99999", at most five characters, then ">99 s". */
void fgi_text_add_ms(struct fgi_hud_text *text, int64_t ns);
/** The same with its unit: at most eight characters. */
void fgi_text_add_time(struct fgi_hud_text *text, int64_t ns);
/** "12345", "12345k", "12345M", ...: at most six characters. */
void fgi_text_add_count(struct fgi_hud_text *text, uint64_t count);
/**
 * Three digits that count: "0.05", "5.33", "53.3", "533", "12345k". With fewer than two `places`
 * there is no ".0".
 */
void fgi_text_add_number(struct fgi_hud_text *text, double number, uint32_t places);
/** Such a number with a unit from fs to s: times of a pixel are far below a nanosecond. */
void fgi_text_add_fine_time(struct fgi_hud_text *text, double ns, uint32_t places);
/** "999 B", "1.0 KiB", "999.9 GiB": at most nine characters. */
void fgi_text_add_bytes(struct fgi_hud_text *text, uint64_t bytes);
/** Frames per second of a mean frame time: "59.9", at most six characters. */
void fgi_text_add_fps(struct fgi_hud_text *text, int64_t mean_ns);
/** A metric with its unit: at most twelve characters. "n/a" for INT64_MIN. */
void fgi_text_add_metric(struct fgi_hud_text *text, int64_t value, enum fg_unit unit);

#endif
