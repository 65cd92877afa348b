/* SPDX-License-Identifier: MIT */
/*
 * Each allocation of an answer fails in turn: the reply is an error or nothing, and nothing leaks.
 */
#include "cmocka_all.h"
#include "failing_memory.h"
#include "view_bed.h"
#include <string.h>

static void no_load(void *context, uint32_t trace)
{
    (void)context;
    (void)trace;
}

/* What the questions about many spans and their dependencies are asked with. */
static void put_analysis(struct fgt_request *request, unsigned kind)
{
    static const uint32_t lanes[] = { 0, 1 };
    static const int32_t y[] = { 10, 30 };
    static const int32_t in_view[] = { 0, 40 };
    static const uint64_t edges[] = { 0, 100, 200 };
    if (kind == FGI_KIND_MINIMAP) {
        fgt_request_u32(request, 0x1C01, 1);
    } else if (kind == FGI_KIND_LINKS) {
        fgt_request_i64s(request, 0x1D01, 0, 12000);
        fgt_request_u32(request, 0x1D02, 1000);
        fgt_request_put(request, 0x1D03, FGI_TYPE_U32, lanes, 2);
        fgt_request_put(request, 0x1D05, FGI_TYPE_I32, y, 2);
        fgt_request_put(request, 0x1D06, FGI_TYPE_I32, in_view, 2);
        fgt_request_u32(request, 0x1D0C, 9);
    } else if (kind == FGI_KIND_FOCUS) {
        const uint32_t reach[] = { 2, 1, 0, 0 };
        fgt_request_put(request, 0x1E01, FGI_TYPE_U32, lanes, 2);
        fgt_request_put(request, 0x1E02, FGI_TYPE_U32, reach, 4);
    } else if (kind == FGI_KIND_PATH) {
        fgt_request_u32(request, 0x1F02, 9);
        fgt_request_u32(request, 0x1F08, 9);
    } else if (kind == FGI_KIND_SLICE) {
        fgt_request_u32(request, 0x2001, 9);
    } else if (kind == FGI_KIND_AGGREGATE) {
        fgt_request_u32(request, 0x2108, 1);
        fgt_request_u32(request, 0x210B, 3);
    } else if (kind == FGI_KIND_HISTOGRAM) {
        fgt_request_u32(request, 0x2209, 2);
        fgt_request_put(request, 0x220C, FGI_TYPE_U64, edges, 3);
    } else if (kind == FGI_KIND_BUCKETS) {
        fgt_request_u32(request, 0x2308, 7);
    } else if (kind == FGI_KIND_ANOMALIES) {
        fgt_request_u32(request, 0x2408, 1);
    } else if (kind == FGI_KIND_GROUP_SCORES) {
        fgt_request_u32(request, 0x260B, 2);
    } else if (kind == FGI_KIND_TASK) {
        fgt_request_u32(request, 0x2501, FGI_KIND_PATH);
        fgt_request_u32(request, 0x1F02, 9);
    }
}

/* Requests that touch every kind of memory: columns, texts, filters, copies, sorting. */
static void put_requests(uint32_t trace, struct fgi_bytes *requests, size_t *ends, unsigned *count)
{
    static const uint32_t lanes[] = { 0, 1 };
    static const uint32_t sort[] = { 5, 1 };
    struct fgt_request request;
    for (unsigned kind = 1; kind <= FGI_KIND_GROUP_SCORES; kind++) {
        fgt_request_begin(&request, (uint16_t)kind, trace);
        if (kind == FGI_KIND_VIEW) {
            fgt_request_i64s(&request, 0x0701, 0, 12000);
            fgt_request_u32(&request, 0x0702, 100);
            fgt_request_put(&request, 0x0703, FGI_TYPE_U32, lanes, 2);
            fgt_request_put(&request, 0x0704, FGI_TYPE_U32, lanes, 2);
        } else if (kind == FGI_KIND_COUNTERS) {
            fgt_request_i64s(&request, 0x0801, 0, 12000);
            fgt_request_u32(&request, 0x0802, 4);
            fgt_request_put(&request, 0x0803, FGI_TYPE_U32, lanes, 1);
        } else if (kind == FGI_KIND_FILTER_CREATE) {
            fgt_request_put(&request, 0x0A01, FGI_TYPE_TEXT, "depth", 5);
            fgt_request_put(&request, 0x0A04, FGI_TYPE_U32, lanes, 2);
        } else if (kind == FGI_KIND_FILTER_DESTROY) {
            fgt_request_u32(&request, 0x0B01, 1);
        } else if (kind == FGI_KIND_STATS) {
            fgt_request_put(&request, 0x0C06, FGI_TYPE_U32, sort, 2);
            fgt_request_put(&request, 0x0C04, FGI_TYPE_U32, lanes, 2);
        } else if (kind == FGI_KIND_SEARCH) {
            fgt_request_put(&request, 0x0E01, FGI_TYPE_TEXT, "d", 1);
        } else if (kind == FGI_KIND_SPAN || kind == FGI_KIND_SERIES) {
            fgt_request_u32(&request, (uint16_t)(kind << 8 | 1), 23);
        } else if (kind == FGI_KIND_EVENTS) {
            fgt_request_u32(&request, 0x1601, 7);
        } else if (kind == FGI_KIND_STRUCTURE) {
            fgt_request_u32(&request, 0x1101, 7);
        }
        put_analysis(&request, kind);
        fgt_request_end(&request, requests);
        ends[(*count)++] = requests->size;
    }
}

static void ask_with(struct fgt_view_bed *bed, struct failing *failing, const uint8_t *request,
                     size_t size)
{
    const struct fg_allocator allocator = failing_allocator(failing);
    for (long granted = 0;; granted++) {
        const struct fgi_view_options options = { .allocator = &allocator, .load = no_load };
        const struct fgi_view_input input = { .label = "x", .size_bytes = UINT64_MAX };
        struct fgi_view *view = NULL;
        uint32_t trace = 0;
        *failing = (struct failing){ .countdown = -1, .stays = true };
        assert_int_equal(fgi_view_create(&options, &view), FG_OK);
        assert_int_equal(fgi_view_add(view, &input, &trace), FG_OK);
        fgi_view_attach(view, trace, bed->trace, bed->engine);
        struct fgi_bytes answer = { .allocator = &allocator };
        failing->countdown = granted;
        enum fg_result result = fgi_view_answer(view, request, size, &answer);
        failing->countdown = -1;
        assert_true(result == FG_OK || result == FG_ERR_NO_MEMORY);
        if (result == FG_OK) {
            struct fgt_reply reply = fgt_reply_at(&answer, 0);
            if (failing->refused) {
                assert_int_equal(reply.status, FG_ERR_NO_MEMORY);
            }
        }
        fgi_bytes_finish(&answer);
        fgi_view_destroy(view);
        assert_int_equal(failing->alive, 0);
        if (!failing->refused) {
            return;
        }
    }
}

static void answers_survive_every_refused_allocation(void **state)
{
    struct fgt_view_bed bed;
    struct fgi_bytes requests = { 0 };
    struct failing failing;
    size_t ends[FGI_KIND_GROUP_SCORES];
    unsigned count = 0;
    (void)state;
    fgt_view_bed_make(&bed);
    put_requests(1, &requests, ends, &count);
    for (unsigned i = 0; i < count; i++) {
        size_t first = i == 0 ? 0 : ends[i - 1];
        ask_with(&bed, &failing, requests.data + first, ends[i] - first);
    }
    fgi_bytes_finish(&requests);
    fgt_view_bed_finish(&bed);
}

static void making_a_view_survives_too(void **state)
{
    struct failing failing;
    const struct fg_allocator allocator = failing_allocator(&failing);
    const struct fgi_view_options options = { .allocator = &allocator, .load = no_load };
    const struct fgi_view_input input = { .label = "a", .format = "b", .packing = "c" };
    (void)state;
    for (long granted = 0;; granted++) {
        struct fgi_view *view = NULL;
        uint32_t trace = 0;
        failing = (struct failing){ .countdown = granted, .stays = true };
        enum fg_result result = fgi_view_create(&options, &view);
        if (result == FG_OK) {
            result = fgi_view_add(view, &input, &trace);
            fgi_view_destroy(view);
        }
        assert_int_equal(failing.alive, 0);
        if (result == FG_OK) {
            assert_false(failing.refused);
            return;
        }
        assert_int_equal(result, FG_ERR_NO_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_survive_every_refused_allocation),
        cmocka_unit_test(making_a_view_survives_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
