/* SPDX-License-Identifier: MIT */
/* What the tests of the flight recorder share: a folder of their own, and dumps read back. */
#ifndef FLIGHT_BED_H
#define FLIGHT_BED_H
#include "../unit/record_bed.h"
#include <frameglass/flight.h>

#define FLIGHT_PATH_BYTES 512
#define FLIGHT_FILES_MAX  64
#define MS                INT64_C(1000000)
#define KIB               UINT64_C(1024)

/* An empty folder that is gone with flight_folder_remove(). */
void flight_folder_make(char path[FLIGHT_PATH_BYTES]);
void flight_folder_remove(const char *path);

struct flight_files {
    char names[FLIGHT_FILES_MAX][256]; /* sorted */
    uint64_t sizes[FLIGHT_FILES_MAX];
    uint64_t total_bytes;
    size_t count;
};
void flight_files_list(struct flight_files *files, const char *folder);

/* Bytes of a file, for free(). */
void *flight_file_read(const char *folder, const char *name, size_t *out_size);
/* A dump is without a defect, its frames follow each other without a gap. Free with seen_free(). */
void flight_dump_read(struct seen *seen, const char *folder, const char *name);
/* The same for the only one there is. */
void flight_dump_only(struct seen *seen, const char *folder);
#endif
