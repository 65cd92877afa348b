/* SPDX-License-Identifier: MIT */
/*
 * Every case passes, or is listed with the rule that it yields to. FG_CASES names the file; without
 * it nothing is tried, and that is said.
 */
#include "cases.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_SKIPPED = 77 };

static const struct fgt_case_part *const parts[] = { FGT_CASE_PARTS };
static const size_t part_count = sizeof parts / sizeof *parts;
static bool is_quiet; /* a case that yields is expected to differ */

bool fgt_case_differs(const struct fgt_case *c, const char *what, ...)
{
    if (!is_quiet) {
        va_list arguments;
        va_start(arguments, what);
        printf("%s (%s, %s): ", c->id, c->operation, c->label);
        vprintf(what, arguments);
        putchar('\n');
        va_end(arguments);
    }
    return false;
}

const json_t *fgt_case_input(const struct fgt_case *c, const char *key)
{
    return json_object_get(c->input, key);
}

const json_t *fgt_case_expected(const struct fgt_case *c, const char *key)
{
    return json_object_get(c->expected, key);
}

double fgt_case_real(const json_t *value)
{
    static const struct {
        const char *text;
        double real;
    } texts[] = { { "NaN", NAN }, { "Inf", INFINITY }, { "-Inf", -INFINITY }, { "-0", -0.0 } };
    for (size_t i = 0; json_is_string(value) && i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(json_string_value(value), texts[i].text) == 0) {
            return texts[i].real;
        }
    }
    return json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
}

double fgt_case_real_at(const json_t *array, size_t i)
{
    return fgt_case_real(json_array_get(array, i));
}

uint64_t fgt_case_natural(const json_t *value)
{
    double real = fgt_case_real(value);
    return json_is_integer(value) ? (uint64_t)json_integer_value(value)
           : real > 0             ? (uint64_t)real
                                  : 0;
}

uint64_t fgt_case_natural_at(const json_t *array, size_t i)
{
    return fgt_case_natural(json_array_get(array, i));
}

int64_t fgt_case_ns(double units)
{
    return (int64_t)llround(units * 1e6);
}

bool fgt_case_near(double a, double b)
{
    double larger = fmax(fmax(fabs(a), fabs(b)), 1);
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-4 * larger;
}

bool fgt_case_agree(const struct fgt_case *c, const char *key, const double *ours, size_t count)
{
    const json_t *expected = fgt_case_expected(c, key);
    if (!expected) {
        return true;
    }
    if (json_array_size(expected) != count) {
        return fgt_case_differs(c, "%s: %zu numbers, expected %zu", key, count,
                                json_array_size(expected));
    }
    for (size_t i = 0; i < count; i++) {
        double wanted = fgt_case_real_at(expected, i);
        if (!fgt_case_near(ours[i], wanted)) {
            return fgt_case_differs(c, "%s[%zu] is %.9g, expected %.9g", key, i, ours[i], wanted);
        }
    }
    return true;
}

static const struct fgt_case_operation *find_operation(const char *name)
{
    for (size_t i = 0; i < part_count; i++) {
        for (const struct fgt_case_operation *o = parts[i]->operations; o->name; o++) {
            if (strcmp(o->name, name) == 0) {
                return o;
            }
        }
    }
    return NULL;
}

static const struct fgt_case_yield *find_yield(const char *id)
{
    for (size_t i = 0; i < part_count; i++) {
        for (const struct fgt_case_yield *y = parts[i]->yields; y->id; y++) {
            if (strcmp(y->id, id) == 0) {
                return y;
            }
        }
    }
    return NULL;
}

/* It fails as written, and passes as we expect it. */
static bool try_yielding(const struct fgt_case_operation *operation,
                         const struct fgt_case_yield *yield, struct fgt_case *c)
{
    is_quiet = true;
    bool passes = operation->try_case(c);
    is_quiet = false;
    if (passes) {
        return fgt_case_differs(c, "passes as it is: it yields to nothing");
    }
    printf("%s (%s, %s) yields: %s\n", c->id, c->operation, c->label, yield->rule);
    json_t *ours = json_deep_copy(c->expected);
    json_t *change = json_loads(yield->ours, 0, NULL);
    bool is_made = ours && change && json_object_update(ours, change) == 0;
    c->expected = ours;
    passes = is_made ? operation->try_case(c) : fgt_case_differs(c, "what we expect is no JSON");
    json_decref(ours);
    json_decref(change);
    return passes;
}

static bool try_one(const json_t *item)
{
    struct fgt_case c = {
        .id = json_string_value(json_object_get(item, "id")),
        .operation = json_string_value(json_object_get(item, "operation")),
        .label = json_string_value(json_object_get(item, "label")),
        .input = json_object_get(item, "input"),
        .expected = json_object_get(item, "expected"),
    };
    if (!c.id || !c.operation) {
        printf("a case has no id or no operation\n");
        return false;
    }
    c.label = c.label ? c.label : "";
    const struct fgt_case_operation *operation = find_operation(c.operation);
    if (!operation) {
        return fgt_case_differs(&c, "no part answers for this operation");
    }
    const struct fgt_case_yield *yield = find_yield(c.id);
    return yield ? try_yielding(operation, yield, &c) : operation->try_case(&c);
}

/* A yield whose case is gone would hide nothing, and mean nothing. */
static size_t count_unknown_yields(const json_t *cases)
{
    size_t unknown = 0;
    for (size_t i = 0; i < part_count; i++) {
        for (const struct fgt_case_yield *y = parts[i]->yields; y->id; y++) {
            bool is_there = false;
            for (size_t k = 0; k < json_array_size(cases) && !is_there; k++) {
                const char *id = json_string_value(json_object_get(json_array_get(cases, k), "id"));
                is_there = id && strcmp(id, y->id) == 0;
            }
            if (!is_there) {
                printf("%s: %s yields, but there is no such case\n", parts[i]->name, y->id);
                unknown++;
            }
        }
    }
    return unknown;
}

int main(void)
{
    const char *path = getenv("FG_CASES");
    if (!path || !path[0]) {
        printf("FG_CASES is not set: the cases of trace operations are NOT tried\n");
        return EXIT_SKIPPED;
    }
    json_error_t error;
    json_t *file = json_load_file(path, 0, &error);
    if (!file) {
        printf("%s: line %d: %s\n", path, error.line, error.text);
        return EXIT_FAILURE;
    }
    const json_t *cases = json_object_get(file, "cases");
    size_t count = json_array_size(cases);
    size_t failed = count == 0;
    for (size_t i = 0; i < count; i++) {
        failed += !try_one(json_array_get(cases, i));
    }
    failed += count_unknown_yields(cases);
    printf("%zu cases, %zu failures\n", count, failed);
    json_decref(file);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
