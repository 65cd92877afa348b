/* SPDX-License-Identifier: MIT */
/* Requests that break the rules: each gets an error reply, none does harm. */
#include "view_bed.h"
#include "cmocka_all.h"
#include <string.h>

static struct fgi_bytes a_view_request(const struct fgt_view_bed *bed)
{
    struct fgt_request request;
    struct fgi_bytes bytes = { 0 };
    static const uint32_t lanes[] = { 0, 1 };
    fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
    fgt_request_i64s(&request, 0x0701, 0, 12000);
    fgt_request_u32(&request, 0x0702, 1000);
    fgt_request_put(&request, 0x0703, FGI_TYPE_U32, lanes, 2);
    fgt_request_end(&request, &bytes);
    return bytes;
}

/* Ask bytes as they are; the status of the only reply. */
static uint32_t status_of(const struct fgt_view_bed *bed, const void *bytes, size_t size)
{
    struct fgi_bytes answer = { 0 };
    assert_int_equal(fgi_view_answer(bed->view, bytes, size, &answer), FG_OK);
    struct fgt_reply reply = fgt_reply_at(&answer, 0);
    assert_int_equal(reply.size, answer.size);
    uint32_t status = reply.status;
    if (status != FG_OK) {
        assert_true(fgt_count(&reply, FGI_TAG_ERROR_TEXT) > 0);
        assert_int_equal(reply.sections, 1);
    }
    fgi_bytes_finish(&answer);
    return status;
}

struct change {
    const char *what;
    size_t offset;
    uint8_t bytes[4];
    size_t size;
    enum fg_result expected;
};

static void each_broken_rule_has_its_error(void **state)
{
    struct fgt_view_bed *bed = *state;
    enum { ENTRY = FGI_MESSAGE_HEADER, SECOND = ENTRY + FGI_SECTION_ENTRY, THIRD = SECOND + 16 };
    static const struct change changes[] = {
        { "nothing changed", 0, { 0x46 }, 1, FG_OK },
        { "magic", 0, { 0x47 }, 1, FG_ERR_FORMAT },
        { "version 2", 4, { 2 }, 1, FG_ERR_VERSION },
        { "kind 0", 6, { 0 }, 1, FG_ERR_UNSUPPORTED },
        { "kind 200", 6, { 200 }, 1, FG_ERR_UNSUPPORTED },
        { "kind 65535", 6, { 255, 255 }, 2, FG_ERR_UNSUPPORTED },
        { "size no multiple of 8", 8, { 49 }, 1, FG_ERR_FORMAT },
        { "size under the header", 8, { 40 }, 1, FG_ERR_FORMAT },
        { "size 0", 8, { 0, 0, 0, 0 }, 4, FG_ERR_FORMAT },
        { "size over the buffer", 8, { 0, 1 }, 2, FG_ERR_FORMAT },
        { "more sections than fit", 12, { 60 }, 1, FG_ERR_FORMAT },
        { "more sections than may be", 12, { 65 }, 1, FG_ERR_LIMIT },
        { "channel 32", 14, { 32 }, 1, FG_ERR_ARGUMENT },
        { "no such trace", 24, { 9 }, 1, FG_ERR_NOT_FOUND },
        { "no trace", 24, { 0 }, 1, FG_ERR_NOT_FOUND },
        { "status in a request", 36, { 1 }, 1, FG_ERR_ARGUMENT },
        { "revision in a request", 40, { 1 }, 1, FG_ERR_ARGUMENT },
        { "reserved byte of a section", ENTRY + 3, { 1 }, 1, FG_ERR_ARGUMENT },
        { "type 0", ENTRY + 2, { 0 }, 1, FG_ERR_FORMAT },
        { "type 10", ENTRY + 2, { 10 }, 1, FG_ERR_FORMAT },
        { "window of the wrong type", ENTRY + 2, { FGI_TYPE_U64 }, 1, FG_ERR_FORMAT },
        { "count beyond the bytes", ENTRY + 4, { 3 }, 1, FG_ERR_FORMAT },
        { "count that overflows", ENTRY + 4, { 2, 0, 0, 0x20 }, 4, FG_ERR_FORMAT },
        { "offset no multiple of 8", ENTRY + 8, { 97 }, 1, FG_ERR_FORMAT },
        { "offset into the directory", ENTRY + 8, { 48 }, 1, FG_ERR_FORMAT },
        { "offset past the end", ENTRY + 8, { 248, 255, 255, 255 }, 4, FG_ERR_FORMAT },
        { "bytes past the end", ENTRY + 12, { 255, 255, 255, 255 }, 4, FG_ERR_FORMAT },
        { "payloads that overlap", SECOND + 8, { 96 }, 1, FG_ERR_FORMAT },
        { "one tag twice", SECOND, { 1, 7 }, 2, FG_ERR_FORMAT },
        { "unknown tag in place of the width", SECOND, { 99, 99 }, 2, FG_ERR_ARGUMENT },
        { "texts whose table does not fit", THIRD + 2, { FGI_TYPE_TEXTS }, 1, FG_ERR_FORMAT },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct fgi_bytes bytes = a_view_request(bed);
        memcpy(bytes.data + changes[i].offset, changes[i].bytes, changes[i].size);
        uint32_t status = status_of(bed, bytes.data, bytes.size);
        if (status != (uint32_t)changes[i].expected) {
            fail_msg("%s: status %u", changes[i].what, (unsigned)status);
        }
        fgi_bytes_finish(&bytes);
    }
}

static void every_cut_is_an_error(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgi_bytes bytes = a_view_request(bed);
    for (size_t size = 0; size < bytes.size; size++) {
        /* Memory of exactly this size, so that one byte too many is seen. */
        struct fgi_bytes cut = { 0 };
        fgi_put_raw(&cut, bytes.data, size);
        assert_int_equal(status_of(bed, size == 0 ? (const void *)"" : cut.data, size),
                         FG_ERR_FORMAT);
        fgi_bytes_finish(&cut);
    }
    fgi_bytes_finish(&bytes);
}

static void every_changed_byte_gets_a_reply(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgi_bytes bytes = a_view_request(bed);
    for (size_t at = 0; at < bytes.size; at++) {
        uint8_t right = bytes.data[at];
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes.data[at] = (uint8_t)(right ^ 1u << bit);
            (void)status_of(bed, bytes.data, bytes.size);
        }
        bytes.data[at] = right;
    }
    fgi_bytes_finish(&bytes);
}

static void unaligned_buffers_are_read_too(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgi_bytes bytes = a_view_request(bed);
    struct fgi_bytes moved = { 0 };
    fgi_put_zeros(&moved, 3);
    fgi_put_raw(&moved, bytes.data, bytes.size);
    assert_int_equal(status_of(bed, moved.data + 3, bytes.size), FG_OK);
    fgi_bytes_finish(&moved);
    fgi_bytes_finish(&bytes);
}

static void one_bad_request_does_not_end_its_batch(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgi_bytes batch = a_view_request(bed);
    size_t one = batch.size;
    struct fgi_bytes answer = { 0 };
    for (unsigned i = 0; i < 2; i++) {
        struct fgi_bytes more = a_view_request(bed);
        fgi_put_raw(&batch, more.data, more.size);
        fgi_bytes_finish(&more);
    }
    batch.data[one + 6] = 200; /* the second is of no kind */
    assert_int_equal(fgi_view_answer(bed->view, batch.data, batch.size, &answer), FG_OK);
    assert_int_equal(fgt_reply_at(&answer, 0).status, FG_OK);
    assert_int_equal(fgt_reply_at(&answer, 1).status, FG_ERR_UNSUPPORTED);
    assert_int_equal(fgt_reply_at(&answer, 2).status, FG_OK);
    /* One whose size cannot be used does. */
    fgi_bytes_clear(&answer);
    batch.data[one + 8] = 1;
    assert_int_equal(fgi_view_answer(bed->view, batch.data, batch.size, &answer), FG_OK);
    assert_int_equal(fgt_reply_at(&answer, 1).status, FG_ERR_FORMAT);
    struct fgt_reply last = fgt_reply_at(&answer, 1);
    assert_ptr_equal(last.message + last.size, answer.data + answer.size);
    fgi_bytes_finish(&answer);
    fgi_bytes_finish(&batch);
}

static void a_batch_has_at_most_32_requests(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgi_bytes batch = { 0 };
    struct fgi_bytes answer = { 0 };
    struct fgt_request request;
    for (unsigned i = 0; i < 33; i++) {
        fgt_request_begin(&request, FGI_KIND_TRACES, 0);
        fgt_request_end(&request, &batch);
    }
    assert_int_equal(fgi_view_answer(bed->view, batch.data, batch.size, &answer), FG_OK);
    assert_int_equal(fgt_reply_at(&answer, 31).status, FG_OK);
    struct fgt_reply last = fgt_reply_at(&answer, 32);
    assert_int_equal(last.status, FG_ERR_LIMIT);
    assert_ptr_equal(last.message + last.size, answer.data + answer.size);
    fgi_bytes_finish(&answer);
    fgi_bytes_finish(&batch);
}

static void huge_buffers_are_not_read(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgi_bytes bytes = { 0 };
    fgi_put_zeros(&bytes, FGI_MAX_BUFFER_BYTES + 8);
    assert_int_equal(bytes.result, FG_OK);
    assert_int_equal(status_of(bed, bytes.data, bytes.size), FG_ERR_LIMIT);
    fgi_bytes_finish(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_broken_rule_has_its_error),
        cmocka_unit_test(every_cut_is_an_error),
        cmocka_unit_test(every_changed_byte_gets_a_reply),
        cmocka_unit_test(unaligned_buffers_are_read_too),
        cmocka_unit_test(one_bad_request_does_not_end_its_batch),
        cmocka_unit_test(a_batch_has_at_most_32_requests),
        cmocka_unit_test(huge_buffers_are_not_read),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
