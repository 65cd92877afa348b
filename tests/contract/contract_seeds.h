/* SPDX-License-Identifier: MIT */
/*
 * Which random traces a property test looks at. FG_SEED=n in the environment takes that one alone;
 * FG_TRACES=n takes so many instead of the usual number, from FG_SEED on where that is given.
 */
#ifndef CONTRACT_SEEDS_H
#define CONTRACT_SEEDS_H
#include <stdint.h>
#include <stdlib.h>

struct contract_seeds {
    uint64_t first, count;
};

static inline struct contract_seeds contract_seeds(uint64_t first, uint64_t count)
{
    const char *seed = getenv("FG_SEED");
    const char *traces = getenv("FG_TRACES");
    const struct contract_seeds seeds = {
        .first = seed ? strtoull(seed, NULL, 10) : first,
        .count = traces ? strtoull(traces, NULL, 10)
                 : seed ? 1
                        : count,
    };
    return seeds;
}

#endif
