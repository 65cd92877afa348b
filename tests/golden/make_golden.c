/* SPDX-License-Identifier: MIT */
/* make_golden FOLDER: writes those golden captures that are not there yet. What is there stays. */
#include "capture_sample.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

struct file {
    struct fg_memory_sink *memory;
    struct sample sample;
};

static void begin(struct file *file, uint64_t checkpoint_bytes)
{
    struct fg_sink sink;
    memset(file, 0, sizeof *file);
    file->sample.result = fg_memory_sink_create(NULL, 0, &file->memory, &sink);
    if (file->sample.result == FG_OK) {
        struct fg_capture_writer_options options = { .checkpoint_bytes = checkpoint_bytes };
        file->sample.result = fg_capture_writer_create(&sink, &options, &file->sample.writer);
    }
}

static void close_file(struct file *file)
{
    if (file->sample.result == FG_OK) {
        file->sample.result = fg_capture_writer_close(file->sample.writer);
    }
}

static void flush_file(struct file *file)
{
    if (file->sample.result == FG_OK) {
        file->sample.result = fg_capture_writer_flush(file->sample.writer);
    }
}

/* ---- What is in them ------------------------------------------------------------------------- */

static void everything(struct file *file)
{
    begin(file, 0);
    sample_everything(&file->sample);
    close_file(file);
}

static void process(struct file *file)
{
    begin(file, 0);
    sample_process(&file->sample);
    close_file(file);
}

static void converted(struct file *file)
{
    begin(file, 0);
    sample_converted(&file->sample);
    close_file(file);
}

static void converted_crashed(struct file *file)
{
    begin(file, 0);
    sample_converted(&file->sample);
    flush_file(file);
}

static void crashed(struct file *file)
{
    begin(file, 0);
    sample_everything(&file->sample);
    flush_file(file);
}

static void topologies_into(struct file *file)
{
    begin(file, 2000);
    sample_begin(&file->sample);
    for (unsigned i = 0; i < 44; i++) {
        unsigned passes = i / 15 % 2 == 0 ? 5 : 3;
        uint32_t topology = sample_topology(&file->sample, i / 15, passes);
        sample_frame(&file->sample, 10 + i, topology, passes, i % 3);
        if (i != 0) {
            unsigned before = (i - 1) / 15 % 2 == 0 ? 5 : 3;
            sample_gpu_frame(&file->sample, 9 + i, before, UINT32_MAX);
        }
    }
}

/* Short sections: checkpoints, partial directories and updates in a small file. */
static void topologies(struct file *file)
{
    topologies_into(file);
    close_file(file);
}

static void topologies_crashed(struct file *file)
{
    topologies_into(file);
    flush_file(file);
}

static void empty(struct file *file)
{
    begin(file, 0);
    sample_begin(&file->sample);
    close_file(file);
}

static void unknown_record(struct file *file)
{
    static const char payload[] = "a record of a later version";
    begin(file, 0);
    sample_begin(&file->sample);
    uint32_t topology = sample_topology(&file->sample, 0, 3);
    sample_frame(&file->sample, 1, topology, 3, 0);
    if (file->sample.result == FG_OK) {
        file->sample.result = fg_capture_writer_raw(
            file->sample.writer, FG_FOURCC('N', 'E', 'W', '1'), payload, sizeof payload);
    }
    sample_gpu_frame(&file->sample, 1, 3, UINT32_MAX);
    close_file(file);
}

/* A note whose text is a whole valid record, checksum and all. */
static void spelled_record(struct file *file)
{
    uint8_t record[16 + 5] = { 'S', 'R', 'E', 'C', 'N', 'O', 'T', 'E', 5 };
    fgi_store_u32(record + 12, fgi_crc32(0, record + 16, 5));
    const struct fg_cap_note note = {
        .frame = FG_CAP_UNKNOWN,
        .clock = FG_CAP_NONE,
        .text = { (const char *)record, sizeof record },
    };
    begin(file, 0);
    sample_begin(&file->sample);
    if (file->sample.result == FG_OK) {
        file->sample.result = fg_capture_writer_note(file->sample.writer, &note);
    }
    close_file(file);
}

/* ---- Damage done to a finished file ---------------------------------------------------------- */

struct bytes {
    uint8_t data[1 << 16];
    size_t size;
};

/* Offset of the nth record of a type; the file's end when there is none. */
static size_t find_record(const struct bytes *bytes, const char *type, unsigned nth)
{
    for (size_t at = 32; at + 16 <= bytes->size;) {
        if (memcmp(bytes->data + at + 4, type, 4) == 0 && nth-- == 0) {
            return at;
        }
        at += 16 + fgi_load_u32(bytes->data + at + 8);
    }
    return bytes->size;
}

/* The payload was changed on purpose: make its checksum right again. */
static void seal(struct bytes *bytes, size_t record)
{
    uint32_t length = fgi_load_u32(bytes->data + record + 8);
    fgi_store_u32(bytes->data + record + 12, fgi_crc32(0, bytes->data + record + 16, length));
}

static void bad_magic(struct bytes *bytes)
{
    memcpy(bytes->data, "GSPT", 4);
}
static void short_header(struct bytes *bytes)
{
    bytes->size = 31;
}
static void header_checksum(struct bytes *bytes)
{
    bytes->data[12] ^= 1;
}
static void newer_format(struct bytes *bytes)
{
    fgi_store_u16(bytes->data + 4, 9);
    fgi_store_u16(bytes->data + 6, 9);
    fgi_store_u32(bytes->data + 12, fgi_crc32(0, bytes->data, 8));
}
static void newer_but_readable(struct bytes *bytes)
{
    fgi_store_u16(bytes->data + 4, 9);
    fgi_store_u32(bytes->data + 12, fgi_crc32(0, bytes->data, 8));
}
static void directory_missing(struct bytes *bytes)
{
    memset(bytes->data + 16, 0, 16);
}
static void directory_range(struct bytes *bytes)
{
    fgi_store_u64(bytes->data + 16, bytes->size);
}
static void directory_damaged(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "DIRE", 0) + 20] ^= 0x40;
}
static void directory_link(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "DIRE", 1) + 40] ^= 0x40;
}
static void directory_mismatch(struct bytes *bytes)
{
    size_t record = find_record(bytes, "DIRE", 0);
    bytes->data[record + 16 + 48 + 16 * 2 + 4] ^= 0x10;
    seal(bytes, record);
}
static void bad_checksum(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "FRAM", 1) + 30] ^= 0x08;
}
static void lost_topology(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "TOPO", 0) + 12] ^= 0x08;
}
static void lost_template(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "TMPL", 0) + 8] ^= 0x08;
}
static void lost_symbols(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "SYMS", 0)] ^= 0x08;
}
static void lost_rows(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "ROWS", 1) + 18] ^= 0x08;
}
static void lost_conversion(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "CONV", 0) + 8] ^= 0x08;
}
static void cut_in_record(struct bytes *bytes)
{
    bytes->size = find_record(bytes, "GSPN", 1) + 37;
}
static void cut_in_framing(struct bytes *bytes)
{
    bytes->size = find_record(bytes, "GSPN", 1) + 7;
}
static void bad_payload(struct bytes *bytes)
{
    size_t record = find_record(bytes, "GSPN", 0);
    memset(bytes->data + record + 16, 0x80, 12);
    seal(bytes, record);
}
static void pass_range(struct bytes *bytes)
{
    /* instance_count of the second GSPN, which follows frame, clock and flags. */
    size_t record = find_record(bytes, "GSPN", 1);
    bytes->data[record + 16 + 3] = 3;
    seal(bytes, record);
}
static void instance_mismatch(struct bytes *bytes)
{
    size_t record = find_record(bytes, "GSPN", 1);
    bytes->data[record + 16 + 3] = 40;
    seal(bytes, record);
}
static void garbage(struct bytes *bytes)
{
    size_t at = find_record(bytes, "NOTE", 0);
    memmove(bytes->data + at + 23, bytes->data + at, bytes->size - at);
    memcpy(bytes->data + at, "no record SREC is here.", 23);
    bytes->size += 23;
}
static void repeated_meta(struct bytes *bytes)
{
    size_t at = find_record(bytes, "NOTE", 0);
    size_t size = 16 + fgi_load_u32(bytes->data + 32 + 8);
    memmove(bytes->data + at + size, bytes->data + at, bytes->size - at);
    memcpy(bytes->data + at, bytes->data + 32, size);
    bytes->size += size;
}
static void append(struct bytes *bytes, const char *type, const void *payload, size_t size)
{
    uint8_t *record = bytes->data + bytes->size;
    fgi_store_u32(record, FG_CAPTURE_SYNC);
    memcpy(record + 4, type, 4);
    fgi_store_u32(record + 8, (uint32_t)size);
    memcpy(record + 16, payload, size);
    seal(bytes, bytes->size);
    bytes->size += 16 + size;
}
/* A copy of an earlier record with one byte changed. */
static void append_changed(struct bytes *bytes, const char *type, size_t position, uint8_t flip)
{
    uint8_t payload[4096];
    size_t record = find_record(bytes, type, 0);
    size_t size = fgi_load_u32(bytes->data + record + 8);
    memcpy(payload, bytes->data + record + 16, size);
    payload[position] ^= flip;
    append(bytes, type, payload, size);
}
/* Intact records that contradict or do not know what was before them. */
static void contradictions(struct bytes *bytes)
{
    append(bytes, "SYMS", "\x02\x01\x01?\x7f\x03new", 9);
    append(bytes, "NOTE", "\x00\x4e\x04\x7e\x02hi", 7);
    append(bytes, "TRAK", "\x09\x00\x0b\x0c\x0d\x7f\x00\x00\x00", 9);
    append(bytes, "MSMP", "\x63\x01\x01\x02\x00\x05", 6);
    append(bytes, "SMPL", "\x63\x63\x01\x02\x02\x64\x01\x02\x03\x01", 10);
    append(bytes, "STAK", "\x02\x50\x00\x01\x01\x01\x00\x00\x51\x63\x01\x01\x01\x00\x00", 15);
    append(bytes, "GSPN",
           "\x63\x02\x01\x02\x01\x01\x01\x01\x01\x01\x01\x01\x00\x01\x01\x00\x02\x03\x00\x00", 20);
    append(bytes, "DEPS",
           "\x02\x00\x05\x05\x00\x04\x02\x01\x00\x01\x00\x00\x00\x00\x02\x02\x01\x00\x01", 19);
    append(bytes, "DEPS", "\x01\x80\x80\x80\x80\x10\x00\x00\x00\x00\x00\x00\x00\x00", 14);
    append_changed(bytes, "FRAM", 2, 0);
    append_changed(bytes, "FRAM", 1, 0x40);
    append_changed(bytes, "TOPO", 9, 0x01);
    append_changed(bytes, "TMPL", 2, 0x01);
    append_changed(bytes, "SPAN", 3, 0x01);
    append_changed(bytes, "CLKS", 0, 0x40);
    append(bytes, "SYMS", "\x01\x00\x01?", 4);
    append(bytes, "CKPT", "\x07", 1);
    append(bytes, "NOTE", "\x00\x00\x00\x00\x02okTAIL", 10);
}
static void broken_spelled(struct bytes *bytes)
{
    bytes->data[find_record(bytes, "NOTE", 0) + 8] ^= 0x80;
}
/* Details of resource events that name an event twice. */
static void bad_details(struct bytes *bytes)
{
    size_t record = find_record(bytes, "REVT", 0);
    size_t end = record + 16 + fgi_load_u32(bytes->data + record + 8);
    bytes->data[end - 8] = 0;
    seal(bytes, record);
}

/* ---- The list -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*make)(struct file *file);
    void (*damage)(struct bytes *bytes);
} files[] = {
    { "v1_everything", everything, NULL },
    { "v1_crashed", crashed, NULL },
    { "v1_empty", empty, NULL },
    { "v1_topologies", topologies, NULL },
    { "v1_topologies_crashed", topologies_crashed, NULL },
    { "v1_unknown_record", unknown_record, NULL },
    { "v1_spelled_record", spelled_record, NULL },
    { "v1_newer_but_readable", everything, newer_but_readable },
    { "v1_process", process, NULL },
    { "v1_converted", converted, NULL },
    { "v1_converted_crashed", converted_crashed, NULL },
    { "refuse_bad_magic", empty, bad_magic },
    { "refuse_short_header", empty, short_header },
    { "refuse_header_checksum", empty, header_checksum },
    { "refuse_newer_format", empty, newer_format },
    { "bad_directory_missing", topologies, directory_missing },
    { "bad_directory_range", topologies, directory_range },
    { "bad_directory_damaged", everything, directory_damaged },
    { "bad_directory_link", topologies, directory_link },
    { "bad_directory_mismatch", topologies, directory_mismatch },
    { "bad_checksum", everything, bad_checksum },
    { "bad_lost_topology", topologies, lost_topology },
    { "bad_lost_template", topologies, lost_template },
    { "bad_lost_symbols", topologies, lost_symbols },
    { "bad_cut_in_record", everything, cut_in_record },
    { "bad_cut_in_framing", crashed, cut_in_framing },
    { "bad_payload", everything, bad_payload },
    { "bad_pass_range", everything, pass_range },
    { "bad_instance_mismatch", everything, instance_mismatch },
    { "bad_garbage", crashed, garbage },
    { "bad_repeated_meta", crashed, repeated_meta },
    { "bad_contradictions", crashed, contradictions },
    { "bad_broken_spelled", spelled_record, broken_spelled },
    { "bad_details", process, bad_details },
    { "bad_lost_rows", converted, lost_rows },
    { "bad_lost_conversion", converted, lost_conversion },
};

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL;
}

static bool write_file(const char *path, const struct bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    bool done = file != NULL && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    return file != NULL && fclose(file) == 0 && done;
}

static bool make(const char *folder, size_t index)
{
    static struct bytes bytes;
    char path[512];
    struct file file;
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%s/%s.sgpt", folder, files[index].name);
    if (exists(path)) {
        return true;
    }
    files[index].make(&file);
    const void *data = fg_memory_sink_bytes(file.memory, &size);
    bool done = file.sample.result == FG_OK && size <= sizeof bytes.data / 2;
    if (done) {
        memcpy(bytes.data, data, size);
        bytes.size = size;
        if (files[index].damage != NULL) {
            files[index].damage(&bytes);
        }
        done = write_file(path, &bytes);
    }
    (void)printf("%s: %s, %zu bytes\n", path, fg_result_text(file.sample.result), bytes.size);
    fg_capture_writer_destroy(file.sample.writer);
    fg_memory_sink_destroy(file.memory);
    return done;
}

int main(int argc, char **argv)
{
    bool done = argc == 2;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && done; i++) {
        done = make(argv[1], i);
    }
    return done ? 0 : 1;
}
