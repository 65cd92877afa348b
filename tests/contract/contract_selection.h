/* SPDX-License-Identifier: MIT */
/* Random selections of spans, and which spans are in them by brute force. */
#ifndef CONTRACT_SELECTION_H
#define CONTRACT_SELECTION_H
#include "engine_contract.h"
#include <frameglass/trace_aggregate.h>

struct chosen {
    struct fg_selection selection;
    int64_t start, end; /**< what its range means */
    bool has[PLAIN_SPANS_MAX];
    uint32_t lane[PLAIN_SPANS_MAX];
    uint32_t numbers[2][4];
    uint32_t count;
};
void contract_choose(struct contract *c, struct chosen *out);
/** Key of a span by a dimension; FG_NONE: none. */
uint32_t contract_key(const struct contract *c, const struct chosen *chosen, uint32_t by,
                      uint32_t class_mask, uint32_t row);
bool contract_is_open(const struct plain_span *span);
/** Step a task to its end by random steps. */
void contract_run_task(struct contract *c, struct fg_task *task);
/** Ascending; few values. */
void contract_sort(uint64_t *values, uint32_t count);

#endif
