/* SPDX-License-Identifier: MIT */
/* Scores of all rows that are kept for tinting, and the largest of many of them. */
#ifndef FGI_SCORES_H
#define FGI_SCORES_H
#include "engine/cpu/groups.h"

struct fgi_score_set {
    uint32_t id;
    uint8_t *tints;   /**< by row */
    uint8_t *reasons; /**< by row */
    uint8_t *maxima;  /**< of FGI_SCORE_FAN positions in lane order, then of as many of those */
    size_t fine_count, coarse_count;
};
/** Positions, and maxima of them, that one number stands for. */
#define FGI_SCORE_FAN 64u

/** No row is selected. */
FG_MUST_USE enum fg_result fgi_score_set_create(struct fgi_engine_cpu *cpu,
                                                struct fgi_score_set **out_set);
/** NULL is legal. */
void fgi_score_set_destroy(struct fgi_engine_cpu *cpu, struct fgi_score_set *set);
/** Works out the maxima and gives it an id; transferred on success. */
FG_MUST_USE enum fg_result fgi_scores_keep(struct fgi_engine_cpu *cpu, struct fgi_score_set *set);
void fgi_scores_finish(struct fgi_engine_cpu *cpu);

#endif
