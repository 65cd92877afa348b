/* SPDX-License-Identifier: MIT */
/*
 * A walk from parent to parent, which a file may have made a ring of. It ends after at most three
 * times the steps that there are, without memory of them: R. P. Brent, "An improved Monte Carlo
 * factorization algorithm", BIT 20 (1980), section 7.
 */
#ifndef FGI_CLIMB_H
#define FGI_CLIMB_H
#include <stdbool.h>
#include <stdint.h>

struct fgi_climb {
    uint32_t mark;  /**< a row that was passed */
    uint32_t steps; /**< since then */
    uint32_t limit; /**< steps before the next one is marked: a power of two */
};

/** Starts at a row; rows are given to fgi_climb_to() one after the other. */
static inline struct fgi_climb fgi_climb_from(uint32_t row)
{
    return (struct fgi_climb){ .mark = row, .limit = 1 };
}

/** False: the way up is a ring, and `row` has been passed. */
static inline bool fgi_climb_to(struct fgi_climb *climb, uint32_t row)
{
    if (row == climb->mark) {
        return false;
    }
    if (++climb->steps == climb->limit) {
        *climb = (struct fgi_climb){ .mark = row, .limit = climb->limit * 2 };
    }
    return true;
}

#endif
