/* SPDX-License-Identifier: MIT */
/* Random nodes over random ranges of one memory, and what they leave there. */
#ifndef FGT_COMPUTE_PROGRAMS_H
#define FGT_COMPUTE_PROGRAMS_H
#include <frameglass/compute_plan.h>

enum {
    PROGRAM_WORDS = 2048,   /**< that nodes work on */
    PROGRAM_CHOICES = 16,   /**< words of the arguments that are copied */
    PROGRAM_ARGUMENTS = 64, /**< words of arguments that indirect dispatches read */
    PROGRAM_ALL = PROGRAM_WORDS + PROGRAM_CHOICES + PROGRAM_ARGUMENTS,
    PROGRAM_NODES = 64,
};

/** Repeatable numbers. Never 0 to begin with. */
uint32_t program_random(uint32_t *seed, uint32_t below);

/** What the memory has before. */
void program_words(uint32_t seed, uint32_t *words);
/**
 * Put `node_count` nodes into a sink and do what they do, one after the other, with `words`.
 *
 * @param view       of PROGRAM_ALL words
 * @param group_size of kernels for which none is said
 */
enum fg_result program_add(uint32_t seed, uint32_t node_count, struct fg_compute_view view,
                           uint32_t group_size, const struct fg_compute_sink *sink,
                           uint32_t *words);

#endif
