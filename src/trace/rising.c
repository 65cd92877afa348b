/* SPDX-License-Identifier: MIT */
#include "trace/rising.h"
#include "base/alloc.h"

static unsigned width_of(uint32_t difference)
{
    return difference == 0 ? 0 : difference <= UINT8_MAX ? 1 : difference <= UINT16_MAX ? 2 : 4;
}

static void put_differences(uint8_t *out, const uint32_t *numbers, uint32_t count, unsigned width)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t difference = numbers[i] - numbers[0];
        for (unsigned b = 0; b < width; b++) {
            *out++ = (uint8_t)(difference >> (8 * b));
        }
    }
}

/* Groups are whole but for the last one, which a later call makes anew. */
static enum fg_result put_group(struct fgi_rising *rising, const uint32_t *numbers, uint32_t count)
{
    size_t number = rising->count / FGI_RISING_GROUP;
    unsigned width = width_of(numbers[count - 1] - numbers[0]);
    enum fg_result result =
        FGI_GROW(rising->allocator, rising->groups, rising->group_capacity, number + 1, UINT32_MAX);
    if (result == FG_OK) {
        result = FGI_GROW(rising->allocator, rising->differences, rising->difference_capacity,
                          rising->difference_bytes + (size_t)width * count, SIZE_MAX / 2);
    }
    if (result != FG_OK) {
        return result;
    }
    rising->groups[number] = (struct fgi_rising_group){
        numbers[0], (uint32_t)(rising->difference_bytes / FGI_RISING_GROUP) * 8 + width
    };
    if (width > 0) {
        put_differences(rising->differences + rising->difference_bytes, numbers, count, width);
    }
    rising->difference_bytes += (size_t)width * count;
    rising->count += count;
    return FG_OK;
}

enum fg_result fgi_rising_append(struct fgi_rising *rising, const uint32_t *numbers, uint32_t count)
{
    uint32_t group[FGI_RISING_GROUP];
    uint32_t left = rising->count % FGI_RISING_GROUP;
    uint32_t done = 0;
    enum fg_result result = FG_OK;
    if (left > 0 && count > 0) { /* the last group, and what makes it whole */
        uint32_t first = rising->count - left;
        uint32_t more = FGI_RISING_GROUP - left < count ? FGI_RISING_GROUP - left : count;
        for (uint32_t i = 0; i < left; i++) {
            group[i] = fgi_rising_at(rising, first + i);
        }
        for (; done < more; done++) {
            group[left + done] = numbers[done];
        }
        rising->difference_bytes =
            (size_t)(rising->groups[first / FGI_RISING_GROUP].place / 8) * FGI_RISING_GROUP;
        rising->count = first;
        result = put_group(rising, group, left + more);
    }
    while (done < count && result == FG_OK) {
        uint32_t part = count - done < FGI_RISING_GROUP ? count - done : FGI_RISING_GROUP;
        result = put_group(rising, numbers + done, part);
        done += part;
    }
    return result;
}

enum fg_result fgi_rising_seal(struct fgi_rising *rising, uint32_t limit)
{
    size_t groups = (rising->count + FGI_RISING_GROUP - 1) / FGI_RISING_GROUP;
    if (groups == 0) {
        return FG_OK;
    }
    while ((limit >> rising->hint_shift) > groups) {
        rising->hint_shift++;
    }
    rising->hint_count = (size_t)(limit >> rising->hint_shift) + 2;
    rising->hints = fgi_malloc(rising->allocator, rising->hint_count * sizeof *rising->hints);
    if (!rising->hints) {
        return FG_ERR_NO_MEMORY;
    }
    size_t next = 0;
    for (uint32_t i = 0; i < rising->count; i++) {
        size_t hint = fgi_rising_at(rising, i) >> rising->hint_shift;
        while (next <= hint) {
            rising->hints[next++] = i;
        }
    }
    while (next < rising->hint_count) {
        rising->hints[next++] = rising->count;
    }
    enum fg_result result =
        FGI_SHRINK(rising->allocator, rising->groups, rising->group_capacity, groups);
    if (result == FG_OK) {
        result = FGI_SHRINK(rising->allocator, rising->differences, rising->difference_capacity,
                            rising->difference_bytes);
    }
    return result;
}

void fgi_rising_finish(struct fgi_rising *rising)
{
    fgi_free(rising->allocator, rising->groups, rising->group_capacity * sizeof *rising->groups);
    fgi_free(rising->allocator, rising->differences, rising->difference_capacity);
    fgi_free(rising->allocator, rising->hints, rising->hint_count * sizeof *rising->hints);
    *rising = (struct fgi_rising){ .allocator = rising->allocator };
}

uint64_t fgi_rising_bytes(const struct fgi_rising *rising)
{
    return rising->group_capacity * sizeof *rising->groups + rising->difference_capacity +
           rising->hint_count * sizeof *rising->hints;
}

uint32_t fgi_rising_find(const struct fgi_rising *rising, uint32_t number)
{
    if (rising->count == 0) {
        return 0;
    }
    size_t hint = number >> rising->hint_shift;
    uint32_t low = rising->hints[hint], high = rising->hints[hint + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fgi_rising_at(rising, middle) < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
