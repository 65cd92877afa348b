/* SPDX-License-Identifier: MIT */
/*
 * The results of a command: standard output as a sink, and tables for people and for spreadsheets.
 */
#ifndef FGI_CLI_OUTPUT_H
#define FGI_CLI_OUTPUT_H
#include "base/arena.h"
#include "cli/command.h"

/** Standard output; buffered. */
struct fg_sink fgi_output_sink(void);
/**
 * Everything out. A reader that has gone away (`| head`) is no failure.
 *
 * @param result what writing has given so far
 * @return `status`, or FGI_EXIT_INPUT when something went wrong (it is told)
 */
int fgi_output_end(const char *command, enum fg_result result, int status);

enum fgi_column_kind {
    FGI_COLUMN_TEXT = 0,
    FGI_COLUMN_COUNT = 1,
    FGI_COLUMN_DURATION = 2, /**< ns; one unit for the whole table, so that eyes can compare */
    FGI_COLUMN_PERCENT = 3,  /**< in hundredths of a percent */
    FGI_COLUMN_LENGTH = 4,   /**< ns; each in the unit that suits it, for what is not compared */
};
struct fgi_column {
    const char *title; /**< NULL: only in CSV */
    enum fgi_column_kind kind;
    const char *csv_title; /**< NULL: not in CSV */
};
enum { FGI_COLUMNS_MAX = 16 };

/** A cell; `is_known` false shows as "-", and as nothing in CSV. */
struct fgi_cell {
    bool is_known;
    int64_t value;    /**< numbers */
    const char *text; /**< text: borrowed until the table is printed */
};

/** Rows are collected, then printed at once. */
struct fgi_table {
    const struct fgi_column *columns;
    size_t column_count;
    struct fgi_cell *cells;
    size_t row_count;
    size_t capacity; /**< cells */
    enum fg_result result;
};
/** Adds a row: its column_count cells are copied. */
void fgi_table_row(struct fgi_table *table, const struct fgi_cell *cells);
/**
 * Aligned columns under their titles. On a terminal, texts are shortened in their middle so that
 * the lines fit into its width, the longest ones first; elsewhere they are as they are.
 */
void fgi_table_print(struct fgi_table *table);
void fgi_table_print_csv(struct fgi_table *table);
void fgi_table_finish(struct fgi_table *table);

struct fgi_cell fgi_cell_text(const char *text);
struct fgi_cell fgi_cell_number(int64_t value);
/** Not known when negative. */
struct fgi_cell fgi_cell_maybe(int64_t value);

enum { FGI_PLAIN_TEXT = 160 };
/**
 * Text of a capture as a terminal may show it: what would drive the terminal or turn the direction
 * of what follows is spelled out as \x1b, so are bytes that are not UTF-8; what has no room in
 * `size` bytes (at least 8) is cut and ends in "...". Returns `out`.
 */
const char *fgi_plain_text(const char *text, char *out, size_t size);

/** "1.234 ms", "640 ns", "12.3 s": three decimals or exact; returns `out`. */
const char *fgi_duration_text(int64_t duration_ns, char *out, size_t size);
/** What a noun of `count` ends in: "" or "s". */
const char *fgi_plural(uint64_t count);
/** "412 bytes", "1.5 MB" (powers of ten); returns `out`. */
const char *fgi_bytes_text(uint64_t size_bytes, char *out, size_t size);

#endif
