/* SPDX-License-Identifier: MIT */
/*
 * Very many numbers that never fall, in little more than a byte each: groups of 64 keep their first
 * number, and of the others how far they are from it, in as few bytes as the group needs.
 */
#ifndef FGI_RISING_H
#define FGI_RISING_H
#include <frameglass/base.h>

#define FGI_RISING_GROUP 64u

struct fgi_rising_group {
    uint32_t first;
    /** Of the differences: place / 8 groups of one byte each before them, place % 8 bytes wide. */
    uint32_t place;
};

/** Zero is a valid empty sequence. */
struct fgi_rising {
    const struct fg_allocator *allocator;
    uint32_t count;
    struct fgi_rising_group *groups;
    size_t group_capacity;
    uint8_t *differences;
    size_t difference_capacity, difference_bytes;
    /** By number >> hint_shift: the first position of that many or more; one more at the end. */
    uint32_t *hints;
    size_t hint_count;
    unsigned hint_shift;
};

/** The next ones: none less than those before. FG_OK, FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_rising_append(struct fgi_rising *rising, const uint32_t *numbers,
                                             uint32_t count);
/**
 * All are there: gives back what is not needed and makes them quick to find.
 *
 * @param limit more than any of them
 */
FG_MUST_USE enum fg_result fgi_rising_seal(struct fgi_rising *rising, uint32_t limit);
void fgi_rising_finish(struct fgi_rising *rising);
uint64_t fgi_rising_bytes(const struct fgi_rising *rising);
/** Position of the first that is not less than `number` (< limit). Only when sealed. */
uint32_t fgi_rising_find(const struct fgi_rising *rising, uint32_t number);

static inline uint32_t fgi_rising_at(const struct fgi_rising *rising, uint32_t i)
{
    const struct fgi_rising_group *group = &rising->groups[i / FGI_RISING_GROUP];
    unsigned width = group->place % 8;
    if (width == 0) {
        return group->first; /* perhaps there are no differences at all */
    }
    const uint8_t *at = rising->differences + (size_t)(group->place / 8) * FGI_RISING_GROUP +
                        (size_t)(i % FGI_RISING_GROUP) * width;
    switch (width) {
    case 1:
        return group->first + at[0];
    case 2:
        return group->first + (at[0] | (uint32_t)at[1] << 8);
    default:
        return group->first +
               (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
    }
}

#endif
