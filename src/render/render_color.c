/* SPDX-License-Identifier: MIT */
/* Colours: those of the page's style sheet, and which of them a name has. */
#include "base/font.h"
#include "render/render_priv.h"

#include <string.h>

/* 0xrrggbb as a pixel. */
#define RGB(hex)                                                                                   \
    (((hex) >> 16 & 0xffu) | ((hex)&0xff00u) | ((hex)&0xffu) << 16 | UINT32_C(0xff000000))

static const struct fgi_render_theme dark = {
    .lane = RGB(0x15181c),
    .panel = RGB(0x181b20),
    .raised = RGB(0x1f242b),
    .line = RGB(0x2c323b),
    .line_soft = RGB(0x22272e),
    .ink = RGB(0xe2e6ed),
    .ink_2 = RGB(0xaab2be),
    .ink_3 = RGB(0x8a93a1),
    .gpu = RGB(0x3fb8a8),
    .cpu = RGB(0xd0a75f),
    .bad = RGB(0xff7466),
    .warn = RGB(0xf0b84a),
    .on_hue = RGB(0x0b0d10),
    .hues = { RGB(0x5596dc), RGB(0x2fa892), RGB(0xd0913f), RGB(0xb083db), RGB(0xdd7299),
              RGB(0x8cab48), RGB(0x7487d9), RGB(0xc57453), RGB(0x4fb0c9), RGB(0xc4b15a) },
};
static const struct fgi_render_theme light = {
    .lane = RGB(0xf8f9fa),
    .panel = RGB(0xffffff),
    .raised = RGB(0xedeff3),
    .line = RGB(0xd3d8e0),
    .line_soft = RGB(0xe5e8ed),
    .ink = RGB(0x1a1e25),
    .ink_2 = RGB(0x48515f),
    .ink_3 = RGB(0x626c7b),
    .gpu = RGB(0x157a6d),
    .cpu = RGB(0x8c5f15),
    .bad = RGB(0xc9311f),
    .warn = RGB(0x94620a),
    .on_hue = RGB(0x0b0d10),
    .hues = { RGB(0x6aa6e6), RGB(0x45b9a3), RGB(0xdca052), RGB(0xbf97e4), RGB(0xe58bab),
              RGB(0x9fbd5c), RGB(0x8d9de4), RGB(0xd78c6d), RGB(0x66bfd6), RGB(0xd1bf6d) },
};

const struct fgi_render_theme *fgi_render_theme(bool is_light)
{
    return is_light ? &light : &dark;
}

uint32_t fgi_render_mix(uint32_t from, uint32_t to, uint32_t share)
{
    uint32_t mixed = 0;
    for (unsigned bits = 0; bits < 32; bits += 8) {
        const uint32_t a = from >> bits & 0xff;
        const uint32_t b = to >> bits & 0xff;
        mixed |= (a * (256 - share) + b * share + 128) >> 8 << bits;
    }
    return mixed;
}

/* ---- the hue of a name ----------------------------------------------------------------------- */

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

#define SPACES "\t\n\v\f\r "

/* Where a number at the end begins, with what parts it from the name; the whole size if none is. */
static size_t without_number(const char *name, size_t size)
{
    size_t end = size;
    while (end > 0 && is_one_of(name[end - 1], SPACES "])}")) {
        end--;
    }
    const size_t digits_end = end;
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') {
        end--;
    }
    if (end == digits_end) {
        return size;
    }
    while (end > 0 && is_one_of(name[end - 1], SPACES "_.#:[](){}/\\-")) {
        end--;
    }
    return end;
}

/* FNV-1a over UTF-16 units, as scripts count text. */
static uint32_t add_unit(uint32_t hash, uint32_t unit)
{
    return (hash ^ unit) * UINT32_C(0x01000193);
}

static uint32_t add_character(uint32_t hash, uint32_t character)
{
    if (character < 0x10000) {
        return add_unit(hash, character);
    }
    hash = add_unit(hash, 0xd800 + ((character - 0x10000) >> 10));
    return add_unit(hash, 0xdc00 + ((character - 0x10000) & 0x3ff));
}

static uint32_t hash_text(const char *text, size_t size, bool in_small_letters)
{
    uint32_t hash = UINT32_C(0x811c9dc5);
    for (const char *at = text; at < text + size;) {
        uint32_t character = fgi_font_next(&at);
        if (in_small_letters && character >= 'A' && character <= 'Z') {
            character += 'a' - 'A';
        }
        hash = add_character(hash, character);
    }
    /* One more mix: the low bits of FNV alone repeat for short names. */
    hash = (hash ^ hash >> 15) * UINT32_C(0x2c1b3c6d);
    return hash ^ hash >> 13;
}

uint32_t fgi_render_hue(const char *name)
{
    const size_t size = strlen(name);
    size_t end = without_number(name, size);
    size_t first = 0;
    while (end > 0 && is_one_of(name[end - 1], SPACES)) {
        end--;
    }
    while (first < end && is_one_of(name[first], SPACES)) {
        first++;
    }
    return (first == end ? hash_text(name, size, false)
                         : hash_text(name + first, end - first, true)) %
           FGI_HUES;
}
