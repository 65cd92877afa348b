/* SPDX-License-Identifier: MIT */
/* Declared bytes: every format against its own name, block rounding, mips, saturation. */
#include "record/texture_formats.h"
#include <frameglass/graph.h>
#include "../support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of all components that a name like R10X6G10X6B10X6A10X6 or D32_SFLOAT_S8_UINT spells. */
static unsigned component_bits(const char *name)
{
    unsigned bits = 0;
    for (const char *at = name; *at != 0; at++) {
        bool starts = at == name || at[-1] == '_' || (at[-1] >= '0' && at[-1] <= '9');
        if (starts && strchr("RGBAXDSE", *at) != NULL && at[1] >= '0' && at[1] <= '9') {
            bits += (unsigned)strtoul(at + 1, NULL, 10);
        }
    }
    return bits;
}

/* What the name of a format says of its block; false: it has several planes. */
static bool block_from_name(const char *name, struct fgi_format_block *block)
{
    unsigned width;
    unsigned height;
    char text[80];
    if (strstr(name, "PLANE") != NULL || strstr(name, "PVRTC") != NULL) {
        return false;
    }
    *block = (struct fgi_format_block){ 0, 1, 1 };
    if (sscanf(name, "ASTC_%ux%u", &width, &height) == 2) {
        *block = (struct fgi_format_block){ 16, (uint8_t)width, (uint8_t)height };
    } else if (strncmp(name, "BC", 2) == 0) {
        *block = (struct fgi_format_block){ name[2] == '1' || name[2] == '4' ? 8 : 16, 4, 4 };
    } else if (strncmp(name, "ETC2", 4) == 0) {
        bool wide = strstr(name, "R8G8B8A8") != NULL;
        *block = (struct fgi_format_block){ wide ? 16 : 8, 4, 4 };
    } else if (strncmp(name, "EAC", 3) == 0) {
        *block = (struct fgi_format_block){ strstr(name, "G11") != NULL ? 16 : 8, 4, 4 };
    } else {
        /* "_4PACK16" repeats what the components say; E5 is shared by three. */
        (void)snprintf(text, sizeof text, "%s", name);
        char *pack = strstr(text, "PACK");
        if (pack != NULL) {
            *pack = 0;
        }
        block->bytes = (uint8_t)(component_bits(text) / 8);
        block->width = strstr(name, "_422") != NULL ? 2 : 1;
    }
    return true;
}

static void every_core_format_has_the_block_that_its_name_says(void **state)
{
    (void)state;
    FILE *header = fopen(VULKAN_HEADER, "r");
    char line[300];
    unsigned checked = 0;
    assert_non_null(header);
    while (fgets(line, sizeof line, header) != NULL) {
        char name[80];
        unsigned long value;
        struct fgi_format_block expected;
        struct fgi_format_block found;
        if (sscanf(line, " VK_FORMAT_%79[A-Z0-9_x] = %lu,", name, &value) != 2 || value == 0 ||
            value == 0x7fffffff) {
            continue;
        }
        bool extension = strstr(name, "_NV") != NULL || strstr(name, "_IMG") != NULL ||
                         strstr(name, "_EXT") != NULL || strstr(name, "_ARM") != NULL;
        if (extension || !block_from_name(name, &expected)) {
            continue;
        }
        if (!fgi_format_find((uint32_t)value, &found) || found.bytes != expected.bytes ||
            found.width != expected.width || found.height != expected.height) {
            fail_msg("%s (%lu): want %u bytes per %ux%u", name, value, expected.bytes,
                     expected.width, expected.height);
        }
        checked++;
    }
    (void)fclose(header);
    assert_true(checked >= 184 + 14 + 2 + 13);
}

static void what_is_no_single_plane_format_is_unknown(void **state)
{
    static const uint32_t unknown[] = { 0,          185,        1000066014, 1000156002,
                                        1000156006, 0x7fffffff, UINT32_MAX };
    struct fgi_format_block block;
    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_false(fgi_format_find(unknown[i], &block));
    }
}

static uint64_t footprint(struct fg_resource_desc desc)
{
    uint64_t bytes = 1;
    desc.kind = FG_RESOURCE_TEXTURE;
    assert_true(fg_resource_footprint(&desc, &bytes));
    return bytes;
}

static void footprints_are_block_rounded_sums_over_mips_layers_and_samples(void **state)
{
    (void)state;
    enum { RGBA8 = 37, RGBA16F = 97, BC1 = 131, ASTC_12x10 = 181, R8 = 9 };
    assert_int_equal(
        footprint((struct fg_resource_desc){ .format = RGBA8, .width = 1920, .height = 1080 }),
        1920 * 1080 * 4);
    assert_int_equal(footprint((struct fg_resource_desc){
                         .format = RGBA16F, .width = 64, .height = 64, .mips = 7 }),
                     8 * (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8 + 4 * 4 + 2 * 2 + 1));
    assert_int_equal(
        footprint((struct fg_resource_desc){ .format = BC1, .width = 10, .height = 6, .mips = 4 }),
        8 * (3 * 2 + 2 * 1 + 1 + 1));
    assert_int_equal(
        footprint((struct fg_resource_desc){ .format = ASTC_12x10, .width = 13, .height = 10 }),
        2 * 16);
    assert_int_equal(
        footprint((struct fg_resource_desc){
            .format = R8, .dimension = 3, .width = 8, .height = 4, .depth = 2, .mips = 3 }),
        8 * 4 * 2 + 4 * 2 * 1 + 2);
    assert_int_equal(footprint((struct fg_resource_desc){
                         .format = R8, .dimension = 1, .width = 100, .height = 50, .layers = 3 }),
                     300);
    assert_int_equal(footprint((struct fg_resource_desc){
                         .format = RGBA8, .width = 100, .height = 10, .samples = 8 }),
                     100 * 10 * 4 * 8);
}

static void footprints_saturate_and_never_overflow(void **state)
{
    (void)state;
    assert_true(footprint((struct fg_resource_desc){ .format = 121,
                                                     .dimension = 3,
                                                     .width = UINT32_MAX,
                                                     .height = UINT32_MAX,
                                                     .depth = UINT32_MAX,
                                                     .layers = UINT32_MAX,
                                                     .mips = UINT32_MAX,
                                                     .samples = UINT32_MAX }) == UINT64_MAX);
    assert_int_equal(footprint((struct fg_resource_desc){ .format = 9, .width = 1, .mips = 1000 }),
                     1000);
    uint64_t bytes = 7;
    assert_false(fg_resource_footprint(
        &(struct fg_resource_desc){ .kind = FG_RESOURCE_TEXTURE, .width = 4 }, &bytes));
    assert_int_equal(bytes, 0);
    assert_false(
        fg_resource_footprint(&(struct fg_resource_desc){ .format = 37, .width = 4 }, &bytes));
    assert_true(fg_resource_footprint(
        &(struct fg_resource_desc){ .kind = FG_RESOURCE_BUFFER, .size_bytes = UINT64_MAX },
        &bytes));
    assert_true(bytes == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_core_format_has_the_block_that_its_name_says),
        cmocka_unit_test(what_is_no_single_plane_format_is_unknown),
        cmocka_unit_test(footprints_are_block_rounded_sums_over_mips_layers_and_samples),
        cmocka_unit_test(footprints_saturate_and_never_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
