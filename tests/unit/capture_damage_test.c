/* SPDX-License-Identifier: MIT */
/* Cut at every byte, change every byte: no crash, no hang, no memory beyond the cap, and no record
 * that the undamaged capture does not have. */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "capture/cap_codec.h"
#include "capture/cap_reader_priv.h"

#include <stdlib.h>
#include <string.h>

/* Memory that reading a damaged file of some 7 KB may take at once. */
enum { CAP_BYTES = 1 << 20 };

struct file {
    uint8_t *bytes;
    size_t size;
    struct fgi_map64 contents; /* hashes of all records of the undamaged file */
    size_t record_count;
};

static uint64_t hash_of(const struct fg_capture_record *record)
{
    return fgi_hash64(record->type, record->payload, record->length);
}

/** What a file is made of. */
static void put_frames(struct sample *sample)
{
    sample_everything(sample);
    uint32_t topology = sample_topology(sample, 1, 3);
    for (unsigned i = 4; i < 10; i++) {
        sample_frame(sample, i, topology, 3, i % 2);
        sample_gpu_frame(sample, i, 3, UINT32_MAX);
    }
}

static void make_file(struct file *file, void (*put)(struct sample *), bool closed)
{
    struct bed bed;
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 1000 };
    bed_begin(&bed, &options);
    put(&bed.sample);
    assert_int_equal(bed.sample.result, FG_OK);
    if (closed) {
        assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    } else {
        assert_int_equal(fg_capture_writer_flush(bed.sample.writer), FG_OK);
    }
    *file = (struct file){ 0 };
    file->bytes = bed_copy(&bed, &file->size);
    bed_end(&bed);

    struct fg_memory_view view = { file->bytes, file->size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    struct fg_capture_record record;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        assert_int_equal(fgi_map64_put(&file->contents, hash_of(&record), 1), FG_OK);
        file->record_count++;
    }
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
}

static void free_file(struct file *file)
{
    fgi_map64_finish(&file->contents);
    free(file->bytes);
}

/* Reads all; every record must be one of the undamaged file. Returns how many came. */
static size_t read_damaged(const struct file *file, const uint8_t *bytes, size_t size,
                           uint64_t *out_defects)
{
    struct counting counting;
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    struct fg_capture_record record;
    size_t count = 0;
    size_t skipped = 0;
    counting_begin(&counting);
    counting.cap_bytes = CAP_BYTES;
    const struct fg_capture_options options = { .allocator = &counting.allocator };
    enum fg_result result = fg_capture_open(&source, &options, NULL, &capture);
    *out_defects = 1;
    if (result == FG_OK) {
        while ((result = fg_capture_next(capture, &record)) == FG_OK) {
            uint32_t known;
            if (record.data == NULL && !fgi_codec_is_known(record.type)) {
                /* The type is not under the checksum: a change of it makes a record of an unknown
                 * kind, which is skipped and counted. */
                skipped++;
                continue;
            }
            if (!fgi_map64_get(&file->contents, hash_of(&record), &known)) {
                fail_msg("a record at %llu that nobody wrote", (unsigned long long)record.offset);
            }
            count++;
        }
        assert_int_equal(result, FG_ERR_NOT_FOUND);
        struct fg_capture_info info;
        fg_capture_get_info(capture, &info);
        assert_int_equal(info.skipped_count, skipped);
        *out_defects = fg_capture_defect_count(capture) + skipped;
        fg_capture_close(capture);
    } else {
        assert_true(result == FG_ERR_FORMAT || result == FG_ERR_VERSION ||
                    result == FG_ERR_CORRUPT);
    }
    assert_false(counting.refused);
    assert_int_equal(counting.held_bytes, 0);
    return count;
}

static void cut_everywhere(void (*put)(struct sample *), bool closed)
{
    struct file file;
    uint64_t defects;
    size_t before = 0;
    make_file(&file, put, closed);
    for (size_t size = 0; size <= file.size; size++) {
        uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees where it ends */
        memcpy(exact + 1, file.bytes, size);
        size_t count = read_damaged(&file, exact + 1, size, &defects);
        /* A longer piece never shows less. */
        assert_true(count >= before);
        before = count;
        free(exact);
    }
    assert_int_equal(before, file.record_count);
    assert_int_equal(defects, 0);
    free_file(&file);
}

static void a_capture_cut_at_every_byte_reads_up_to_the_last_whole_record(void **state)
{
    (void)state;
    cut_everywhere(put_frames, false);
    cut_everywhere(put_frames, true);
    cut_everywhere(sample_converted, false);
    cut_everywhere(sample_converted, true);
}

static void change_everywhere(void (*put)(struct sample *), bool closed)
{
    struct file file;
    static const uint8_t flips[] = { 0x01, 0x80, 0xff };
    make_file(&file, put, closed);
    for (size_t at = 0; at < file.size; at++) {
        for (size_t i = 0; i < sizeof flips; i++) {
            uint64_t defects;
            file.bytes[at] ^= flips[i];
            size_t count = read_damaged(&file, file.bytes, file.size, &defects);
            file.bytes[at] ^= flips[i];
            if (at >= FG_CAPTURE_HEADER_BYTES) {
                /* One byte costs one record, and never goes unseen. Where no directory describes
                 * the place, a changed length can lead to a later record by chance; what is
                 * between is then lost, rather than a payload taken for a record. */
                size_t costs = closed ? 1 : 12;
                if (count + costs < file.record_count) {
                    fail_msg("byte %zu changed by %x costs %zu records", at, flips[i],
                             file.record_count - count);
                }
                assert_true(defects > 0);
            }
        }
    }
    free_file(&file);
}

static void a_change_of_any_byte_costs_at_most_its_record_and_is_named(void **state)
{
    (void)state;
    change_everywhere(put_frames, false);
    change_everywhere(put_frames, true);
    change_everywhere(sample_converted, false);
    change_everywhere(sample_converted, true);
}

static void bytes_moved_about_never_give_a_record_that_nobody_wrote(void **state)
{
    (void)state;
    struct file file;
    make_file(&file, put_frames, true);
    uint8_t *mixed = malloc(2 * file.size);
    uint64_t random = 7;
    for (unsigned round = 0; round < 400; round++) {
        uint64_t defects;
        memcpy(mixed, file.bytes, file.size);
        size_t size = file.size;
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            random = fgi_mix64(random + round + i);
            size_t from = 32 + random % (file.size - 32);
            size_t to = 32 + (random >> 20) % (file.size - 32);
            size_t length = 1 + (random >> 40) % 300;
            length = from + length > file.size ? file.size - from : length;
            length = to + length > file.size ? file.size - to : length;
            memmove(mixed + to, mixed + from, length);
        }
        (void)read_damaged(&file, mixed, size, &defects);
    }
    free(mixed);
    free_file(&file);
}

/* A payload that spells the sync word, half a framing, and a framing with a wrong checksum. */
static void payloads_that_spell_records_are_not_taken_for_records(void **state)
{
    (void)state;
    struct bed bed;
    uint8_t text[64] = "SREC.SRECFRAM\4\0\0\0....SRECNOTE\1\0\0\0\0\0\0\0x SREC";
    struct fg_cap_note note = { .frame = FG_CAP_UNKNOWN,
                                .clock = FG_CAP_NONE,
                                .text = { (const char *)text, sizeof text } };
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    assert_int_equal(fg_capture_writer_note(bed.sample.writer, &note), FG_OK);
    assert_int_equal(fg_capture_writer_flush(bed.sample.writer), FG_OK);
    size_t size;
    uint8_t *bytes = bed_copy(&bed, &size);
    for (int damaged = 0; damaged < 2; damaged++) {
        struct fg_memory_view view = { bytes, size };
        struct fg_source source = fg_memory_source(&view);
        struct fg_capture *capture;
        struct fg_capture_record record;
        size_t notes = 0;
        assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
        while (fg_capture_next(capture, &record) == FG_OK) {
            notes += record.type == FG_CAPTURE_NOTE;
            assert_int_not_equal(record.type, FG_CAPTURE_FRAM);
        }
        assert_int_equal(notes, damaged == 0 ? 1 : 0);
        fg_capture_close(capture);
        bytes[size - 1] ^= 1;
    }
    free(bytes);
    bed_end(&bed);
}

/* Checksums by index are those that are counted byte by byte. */
static void checksums_of_ranges_are_the_same_with_and_without_an_index(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    uint8_t *bytes = malloc(SIZE);
    uint64_t random = 3;
    memset(bytes, 0, SIZE);
    memcpy(bytes, "SGPT\1\0\1\0", 8);
    fgi_store_u32(bytes + 12, fgi_crc32(0, bytes, 8));
    for (size_t i = 32; i < SIZE; i++) {
        random = fgi_mix64(random + i);
        bytes[i] = (uint8_t)random;
    }
    struct fg_memory_view view = { bytes, SIZE };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    assert_int_equal(fgi_crc_index_build(capture), FG_OK);
    size_t covered = 0;
    for (unsigned i = 0; i < 500; i++) {
        random = fgi_mix64(random + i);
        uint64_t offset = random % SIZE;
        uint64_t size = (random >> 32) % (SIZE - offset);
        uint32_t crc;
        if (fgi_crc_index_covers(capture, offset, size)) {
            assert_int_equal(fgi_crc_index_range(capture, offset, size, &crc), FG_OK);
            assert_int_equal(crc, fgi_crc32(0, bytes + offset, size));
            covered++;
        }
    }
    assert_true(covered > 300);
    fg_capture_close(capture);
    free(bytes);
}

/* Many sync words whose lengths reach far: the search must not check each of them to its end. */
static void a_file_of_nothing_but_sync_words_is_given_up_in_time(void **state)
{
    (void)state;
    enum { SIZE = 1 << 21 };
    uint8_t *bytes = malloc(SIZE);
    struct bed bed;
    size_t size;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    assert_int_equal(fg_capture_writer_flush(bed.sample.writer), FG_OK);
    uint8_t *head = bed_copy(&bed, &size);
    memcpy(bytes, head, 32);
    for (size_t at = 32; at + 16 <= SIZE; at += 16) {
        memcpy(bytes + at, "SRECFRAM", 8);
        fgi_store_u32(bytes + at + 8, (uint32_t)(SIZE - at - 16));
        fgi_store_u32(bytes + at + 12, (uint32_t)at);
    }
    struct fg_memory_view view = { bytes, SIZE };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture;
    struct fg_capture_record record;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    assert_int_equal(fg_capture_next(capture, &record), FG_ERR_NOT_FOUND);
    assert_int_equal(fg_capture_defect_count(capture), 1);
    fg_capture_close(capture);
    free(head);
    free(bytes);
    bed_end(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_cut_at_every_byte_reads_up_to_the_last_whole_record),
        cmocka_unit_test(a_change_of_any_byte_costs_at_most_its_record_and_is_named),
        cmocka_unit_test(bytes_moved_about_never_give_a_record_that_nobody_wrote),
        cmocka_unit_test(payloads_that_spell_records_are_not_taken_for_records),
        cmocka_unit_test(checksums_of_ranges_are_the_same_with_and_without_an_index),
        cmocka_unit_test(a_file_of_nothing_but_sync_words_is_given_up_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
