/* SPDX-License-Identifier: MIT */
#include "cli/cli_output.h"
#include "base/alloc.h"
#include "cli/cli_terminal.h"
#include "convert/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CELL_TEXT = FGI_PLAIN_TEXT, CELLS_MAX = 1 << 28 };

static enum fg_result write_stdout(void *context, const void *bytes, size_t size)
{
    (void)context;
    if (fgi_is_interrupted()) {
        return FG_ERR_CANCELLED;
    }
    return fwrite(bytes, 1, size, stdout) == size ? FG_OK : FG_ERR_IO;
}

struct fg_sink fgi_output_sink(void)
{
    return (struct fg_sink){ .write = write_stdout };
}

int fgi_output_end(const char *command, enum fg_result result, int status)
{
    if (result == FG_OK && (ferror(stdout) || fflush(stdout) != 0)) {
        result = FG_ERR_IO;
    }
    if (result != FG_OK && fgi_is_interrupted()) {
        return fgi_command_fail(command, FGI_EXIT_INPUT, "interrupted");
    }
    if (result == FG_OK || (result == FG_ERR_IO && fgi_reader_is_gone())) {
        return status;
    }
    return fgi_command_fail(command, FGI_EXIT_INPUT, "it could not be finished: %s",
                            fg_result_text(result));
}

struct fgi_cell fgi_cell_text(const char *text)
{
    return (struct fgi_cell){ .is_known = true, .text = text };
}

struct fgi_cell fgi_cell_number(int64_t value)
{
    return (struct fgi_cell){ .is_known = true, .value = value };
}

struct fgi_cell fgi_cell_maybe(int64_t value)
{
    return (struct fgi_cell){ .is_known = value >= 0, .value = value };
}

/* Units of time, each 1000 times the one before. */
static const struct {
    const char *name;
    int64_t scale_ns;
} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

/* `value` in a unit with three decimals, rounded half away from zero. */
static int print_scaled(char *out, size_t size, int64_t value_ns, int64_t scale_ns)
{
    if (scale_ns == 1) {
        return snprintf(out, size, "%" PRId64, value_ns);
    }
    int64_t step_ns = scale_ns / 1000;
    uint64_t magnitude = value_ns < 0 ? 0 - (uint64_t)value_ns : (uint64_t)value_ns;
    uint64_t thousandths = magnitude / (uint64_t)step_ns;
    thousandths += magnitude % (uint64_t)step_ns * 2 >= (uint64_t)step_ns && step_ns > 1;
    return snprintf(out, size, "%s%" PRIu64 ".%03u", value_ns < 0 ? "-" : "", thousandths / 1000,
                    (unsigned)(thousandths % 1000));
}

const char *fgi_duration_text(int64_t duration_ns, char *out, size_t size)
{
    size_t unit = 0;
    uint64_t magnitude = duration_ns < 0 ? 0 - (uint64_t)duration_ns : (uint64_t)duration_ns;
    while (unit + 1 < sizeof units / sizeof *units &&
           magnitude >= (uint64_t)units[unit + 1].scale_ns) {
        unit++;
    }
    int used = print_scaled(out, size, duration_ns, units[unit].scale_ns);
    if (used > 0 && (size_t)used < size) {
        snprintf(out + used, size - (size_t)used, " %s", units[unit].name);
    }
    return out;
}

const char *fgi_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *fgi_bytes_text(uint64_t size_bytes, char *out, size_t size)
{
    static const char *const names[] = { "kB", "MB", "GB", "TB" };
    if (size_bytes < 1000) {
        snprintf(out, size, "%" PRIu64 " bytes", size_bytes);
        return out;
    }
    size_t unit = 0;
    double value = (double)size_bytes / 1000;
    while (value >= 999.95 && unit + 1 < sizeof names / sizeof *names) {
        value /= 1000;
        unit++;
    }
    snprintf(out, size, "%.1f %s", value, names[unit]);
    return out;
}

void fgi_table_row(struct fgi_table *table, const struct fgi_cell *cells)
{
    size_t used = table->row_count * table->column_count;
    if (table->result == FG_OK) {
        table->result =
            FGI_GROW(NULL, table->cells, table->capacity, used + table->column_count, CELLS_MAX);
    }
    if (table->result == FG_OK) {
        memcpy(table->cells + used, cells, table->column_count * sizeof *cells);
        table->row_count++;
    }
}

void fgi_table_finish(struct fgi_table *table)
{
    fgi_free(NULL, table->cells, table->capacity * sizeof *table->cells);
}

static const struct fgi_cell *cell_at(const struct fgi_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

/* One unit for all durations of a table, so that eyes can compare: ms, or us when all are short. */
static size_t table_unit(const struct fgi_table *table)
{
    enum { MICROSECONDS = 1, MILLISECONDS = 2 };
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            const struct fgi_cell *cell = cell_at(table, row, i);
            if (table->columns[i].kind == FGI_COLUMN_DURATION && cell->is_known &&
                cell->value >= units[MILLISECONDS].scale_ns) {
                return MILLISECONDS;
            }
        }
    }
    return MICROSECONDS;
}

/* What a cell shows: its own text, or `room` filled with a number. */
static const char *cell_shown(const struct fgi_cell *cell, enum fgi_column_kind kind, size_t unit,
                              char room[CELL_TEXT])
{
    if (!cell->is_known) {
        return "-";
    }
    switch (kind) {
    case FGI_COLUMN_TEXT:
        return fgi_plain_text(cell->text, room, CELL_TEXT);
    case FGI_COLUMN_LENGTH:
        return fgi_duration_text(cell->value, room, CELL_TEXT);
    case FGI_COLUMN_COUNT:
        snprintf(room, CELL_TEXT, "%" PRId64, cell->value);
        break;
    case FGI_COLUMN_DURATION:
        print_scaled(room, CELL_TEXT, cell->value, units[unit].scale_ns);
        break;
    case FGI_COLUMN_PERCENT:
        snprintf(room, CELL_TEXT, "%s%" PRId64 ".%02d %%", cell->value < 0 ? "-" : "",
                 cell->value < 0 ? -(cell->value / 100) : cell->value / 100,
                 (int)(cell->value < 0 ? -(cell->value % 100) : cell->value % 100));
        break;
    }
    return room;
}

/* Characters, not bytes: continuation bytes of UTF-8 take no place. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

static void put_padded(struct fgi_bytes *line, const char *text, size_t width, bool is_right)
{
    size_t used = width_of(text);
    size_t padding = used < width ? width - used : 0;
    for (size_t i = 0; is_right && i < padding; i++) {
        fgi_put_u8(line, ' ');
    }
    fgi_put_raw(line, text, strlen(text));
    for (size_t i = 0; i < (is_right ? 0 : padding) + 2; i++) {
        fgi_put_u8(line, ' ');
    }
}

/* Where the character with this number begins. */
static const char *character_at(const char *text, size_t number)
{
    for (; *text != '\0'; text++) {
        if (((unsigned char)*text & 0xC0) != 0x80 && number-- == 0) {
            break;
        }
    }
    return text;
}

/* Its beginning and its end, if it has more characters than `width`: names that begin alike often
   differ where they end. */
static const char *shorten(const char *text, size_t width, char room[CELL_TEXT])
{
    static const char cut[] = "...";
    size_t length = width_of(text);
    if (length <= width) {
        return text;
    }
    size_t kept = width - (sizeof cut - 1);
    const char *head_end = character_at(text, kept - kept / 2);
    const char *tail = character_at(text, length - kept / 2);
    snprintf(room, CELL_TEXT, "%.*s%s%s", (int)(head_end - text), text, cut, tail);
    return room;
}

struct layout {
    size_t unit;
    size_t width[FGI_COLUMNS_MAX];
    char title[FGI_COLUMNS_MAX][CELL_TEXT];
};

static void lay_out(const struct fgi_table *table, struct layout *layout)
{
    layout->unit = table_unit(table);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct fgi_column *column = &table->columns[i];
        bool is_duration = column->kind == FGI_COLUMN_DURATION;
        char room[CELL_TEXT];
        if (column->title == NULL) {
            continue;
        }
        snprintf(layout->title[i], CELL_TEXT, "%s%s%s", column->title, is_duration ? " " : "",
                 is_duration ? units[layout->unit].name : "");
        layout->width[i] = width_of(layout->title[i]);
        for (size_t row = 0; row < table->row_count; row++) {
            size_t width =
                width_of(cell_shown(cell_at(table, row, i), column->kind, layout->unit, room));
            layout->width[i] = width > layout->width[i] ? width : layout->width[i];
        }
    }
}

/* The widest column of text, if it can be narrowed; column_count. */
static size_t widest_text(const struct fgi_table *table, const struct layout *layout)
{
    enum { NARROWEST = 10 };
    size_t widest = table->column_count;
    size_t width = NARROWEST;
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].title != NULL && table->columns[i].kind == FGI_COLUMN_TEXT &&
            layout->width[i] > width) {
            widest = i;
            width = layout->width[i];
        }
    }
    return widest;
}

/* Takes from the widest texts, a character at a time, until a line fits into `columns`. */
static void narrow(const struct fgi_table *table, struct layout *layout, size_t columns)
{
    enum { GAP = 2 };
    size_t total = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        total +=
            table->columns[i].title != NULL && layout->width[i] > 0 ? layout->width[i] + GAP : 0;
    }
    size_t widest = widest_text(table, layout);
    while (total > columns + GAP && widest < table->column_count) {
        layout->width[widest]--;
        total--;
        widest = widest_text(table, layout);
    }
}

/* One line: the titles (row SIZE_MAX) or a row. */
static enum fg_result print_line(struct fgi_bytes *line, const struct fgi_table *table,
                                 const struct layout *layout, size_t row)
{
    fgi_bytes_clear(line);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct fgi_column *column = &table->columns[i];
        char room[CELL_TEXT], short_room[CELL_TEXT];
        if (column->title == NULL) {
            continue;
        }
        const char *text =
            row == SIZE_MAX ? layout->title[i]
                            : cell_shown(cell_at(table, row, i), column->kind, layout->unit, room);
        if (column->kind == FGI_COLUMN_TEXT) {
            text = shorten(text, layout->width[i], short_room);
        }
        put_padded(line, text, layout->width[i], column->kind != FGI_COLUMN_TEXT);
    }
    while (line->size > 0 && line->data[line->size - 1] == ' ') {
        line->size--;
    }
    fgi_put_u8(line, '\n');
    return line->result != FG_OK ? line->result : write_stdout(NULL, line->data, line->size);
}

void fgi_table_print(struct fgi_table *table)
{
    struct layout layout = { 0 };
    struct fgi_bytes line = { 0 };
    unsigned columns = fgi_stdout_columns();
    lay_out(table, &layout);
    if (columns > 0) {
        narrow(table, &layout, columns);
    }
    if (table->result == FG_OK) {
        table->result = print_line(&line, table, &layout, SIZE_MAX);
    }
    for (size_t row = 0; row < table->row_count && table->result == FG_OK; row++) {
        table->result = print_line(&line, table, &layout, row);
    }
    fgi_bytes_finish(&line);
}

static void put_csv_cell(struct fgi_bytes *line, const struct fgi_cell *cell,
                         enum fgi_column_kind kind)
{
    char room[CELL_TEXT];
    if (cell->is_known && kind == FGI_COLUMN_TEXT) {
        fgi_csv_text(line, cell->text);
    } else if (cell->is_known) {
        int length = snprintf(room, sizeof room, "%" PRId64, cell->value);
        fgi_put_raw(line, room, (size_t)length);
    }
}

/* Row `row` of the table, or its titles. */
static void put_csv_row(struct fgi_bytes *line, const struct fgi_table *table, bool is_title,
                        size_t row)
{
    bool is_first = true;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct fgi_column *column = &table->columns[i];
        if (column->csv_title == NULL) {
            continue;
        }
        if (!is_first) {
            fgi_put_u8(line, ',');
        }
        is_first = false;
        if (is_title) {
            fgi_csv_text(line, column->csv_title);
        } else {
            put_csv_cell(line, cell_at(table, row, i), column->kind);
        }
    }
    fgi_put_u8(line, '\n');
}

void fgi_table_print_csv(struct fgi_table *table)
{
    struct fgi_bytes line = { 0 };
    put_csv_row(&line, table, true, 0);
    for (size_t row = 0; row <= table->row_count && table->result == FG_OK; row++) {
        table->result =
            line.result != FG_OK ? line.result : write_stdout(NULL, line.data, line.size);
        fgi_bytes_clear(&line);
        if (row < table->row_count) {
            put_csv_row(&line, table, false, row);
        }
    }
    fgi_bytes_finish(&line);
}
