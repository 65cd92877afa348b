/* SPDX-License-Identifier: MIT */
/*
 * Numeric cases of trace operations, kept beside the repository: an operation, an input, and what
 * is expected. Each part of the engine says here how its operations are tried, and which cases
 * yield to a stricter rule of ours.
 */
#ifndef FGT_CASES_H
#define FGT_CASES_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fgt_case {
    const char *id, *operation, *label;
    const json_t *input;
    const json_t *expected; /**< the case's own, or ours where it yields */
};

/** How a case of one operation is tried. */
struct fgt_case_operation {
    const char *name;
    /** True: every expected number is ours. Otherwise it has said why, by fgt_case_differs(). */
    bool (*try_case)(const struct fgt_case *c);
};

/** A case that our answer differs from: it must fail as it is written. */
struct fgt_case_yield {
    const char *id;
    const char *rule; /**< the sentence of the design that ours follows instead */
    /** What is expected by that rule: an object in JSON, merged over the case's own. */
    const char *ours;
};

/** One file per part; both lists end with an entry of NULLs. */
struct fgt_case_part {
    const char *name;
    const struct fgt_case_operation *operations;
    const struct fgt_case_yield *yields;
};
extern const struct fgt_case_part fgt_cases_analysis;
extern const struct fgt_case_part fgt_cases_graph;
extern const struct fgt_case_part fgt_cases_index;
extern const struct fgt_case_part fgt_cases_links;
extern const struct fgt_case_part fgt_cases_store;
extern const struct fgt_case_part fgt_cases_view;

/** Says what differs; always false, so that a trial can return it. */
bool fgt_case_differs(const struct fgt_case *c, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

/** Item of an object or an array; NULL when it is not there. */
const json_t *fgt_case_input(const struct fgt_case *c, const char *key);
const json_t *fgt_case_expected(const struct fgt_case *c, const char *key);
/** A number, or one of the texts NaN, Inf, -Inf, -0; 0 for anything else. */
double fgt_case_real(const json_t *value);
/** By index of an array; 0 past its end. */
double fgt_case_real_at(const json_t *array, size_t i);
uint64_t fgt_case_natural(const json_t *value);
uint64_t fgt_case_natural_at(const json_t *array, size_t i);
/** A time or duration of the cases in nanoseconds, one unit = 1 ms, to the nearest. */
int64_t fgt_case_ns(double units);
/** Equal to about 1e-4, relative to the larger one; NaN equals NaN. */
bool fgt_case_near(double a, double b);
/** Are these numbers what `expected` says under `key`? Cases that expect nothing of it agree. */
bool fgt_case_agree(const struct fgt_case *c, const char *key, const double *ours, size_t count);

#endif
