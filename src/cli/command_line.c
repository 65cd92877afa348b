/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fgi_command_fail(const char *command, int status, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "frameglass %s: ", command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return status;
}

/* What an option does stands beside it; below it where it is too long for that. */
static void print_option(const struct fgi_option *option)
{
    enum { ABOUT_AT = 28 };
    char letter[8] = "    ";
    if (option->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    int width = printf("  %s--%s%s%s", letter, option->name, option->argument != NULL ? " " : "",
                       option->argument != NULL ? option->argument : "") -
                2;
    if (width > ABOUT_AT) {
        printf("\n  ");
        width = 0;
    }
    printf("%*s %s\n", ABOUT_AT - width, "", option->about);
}

static int print_help(const struct fgi_command_line *line)
{
    static const struct fgi_option common[] = {
        { .name = "help", .letter = 'h', .about = "this text" },
        { .name = "version", .about = "the version of frameglass" },
    };
    printf("usage: frameglass %s%s%s%s\n\n%s\n\n", line->name, line->operands[0] ? " " : "",
           line->operands, line->option_count > 0 ? " [options]" : "", line->about);
    for (size_t i = 0; i < line->option_count; i++) {
        print_option(&line->options[i]);
    }
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        print_option(&common[i]);
    }
    if (line->notes != NULL) {
        printf("\n%s\n", line->notes);
    }
    return FGI_EXIT_DONE;
}

/* Decimal digits only; false when there are none, or too many for 63 bits. */
static bool parse_digits(const char **text, int64_t *out_value)
{
    const char *from = *text;
    int64_t value = 0;
    while (**text >= '0' && **text <= '9') {
        int digit = **text - '0';
        if (value > (INT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
        (*text)++;
    }
    *out_value = value;
    return *text != from;
}

static bool parse_count(const char *text, uint64_t *out_value)
{
    int64_t value;
    if (!parse_digits(&text, &value) || *text != '\0') {
        return false;
    }
    *out_value = (uint64_t)value;
    return true;
}

/* The unit after a time, as nanoseconds; 1 without one. */
static int64_t parse_unit(const char **text)
{
    static const struct {
        const char *name;
        int64_t scale_ns;
    } units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (strncmp(*text, units[i].name, length) == 0) {
            *text += length;
            return units[i].scale_ns;
        }
    }
    return 1;
}

/*
 * The digits after a decimal point as a part of `scale_ns`; what is below a nanosecond is refused.
 */
static bool parse_fraction(const char **text, int64_t *out_billionths)
{
    int64_t weight = 100000000;
    const char *from = *text;
    *out_billionths = 0;
    for (; **text >= '0' && **text <= '9' && weight > 0; (*text)++, weight /= 10) {
        *out_billionths += (**text - '0') * weight;
    }
    return *text != from;
}

/* A whole or decimal number with a unit, exact: 16.6ms is 16600000; +16.6ms is a relative one. */
static bool parse_time(const char **text, int64_t *out_ns, bool *out_is_relative)
{
    *out_is_relative = **text == '+';
    *text += *out_is_relative;
    bool is_negative = **text == '-';
    int64_t whole = 0;
    int64_t billionths = 0;
    *text += is_negative;
    if (!parse_digits(text, &whole)) {
        return false;
    }
    if (**text == '.') {
        (*text)++;
        if (!parse_fraction(text, &billionths)) {
            return false;
        }
    }
    int64_t scale_ns = parse_unit(text);
    if (whole > (INT64_MAX - scale_ns) / scale_ns || billionths * scale_ns % 1000000000 != 0) {
        return false;
    }
    int64_t value = whole * scale_ns + billionths * scale_ns / 1000000000;
    *out_ns = is_negative ? -value : value;
    return true;
}

static bool parse_duration(const char *text, uint64_t *out_ns)
{
    int64_t value_ns = 0;
    bool is_relative = false;
    if (*text < '0' || *text > '9' || !parse_time(&text, &value_ns, &is_relative) ||
        *text != '\0') {
        return false;
    }
    *out_ns = (uint64_t)value_ns;
    return true;
}

/* "3", "2.5", exact; more than six decimals are refused. */
static bool parse_micro(const char *text, uint64_t *out_micro)
{
    int64_t whole = 0, billionths = 0;
    if (!parse_digits(&text, &whole) || whole > INT64_MAX / 1000000 - 1) {
        return false;
    }
    if (*text == '.') {
        text++;
        if (!parse_fraction(&text, &billionths)) {
            return false;
        }
    }
    *out_micro = (uint64_t)whole * 1000000 + (uint64_t)billionths / 1000;
    return *text == '\0' && billionths % 1000 == 0;
}

static bool parse_range(const char *text, bool is_time, struct fgi_option_range *out_range)
{
    struct fgi_option_range range = { 0 };
    if (*text != ':') {
        range.has_first = is_time ? parse_time(&text, &range.first, &range.first_is_relative)
                                  : parse_digits(&text, &range.first);
        if (!range.has_first) {
            return false;
        }
    }
    if (*text++ != ':') {
        return false;
    }
    if (*text != '\0') {
        range.has_end = is_time ? parse_time(&text, &range.end, &range.end_is_relative)
                                : parse_digits(&text, &range.end);
        if (!range.has_end) {
            return false;
        }
    }
    bool can_compare =
        range.has_first && range.has_end && range.first_is_relative == range.end_is_relative;
    if (*text != '\0' || (can_compare && range.first > range.end)) {
        return false;
    }
    *out_range = range;
    return true;
}

static bool set_value(const struct fgi_option *option, const char *text)
{
    switch (option->kind) {
    case FGI_OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case FGI_OPTION_TEXT:
        *(const char **)option->value = text;
        return true;
    case FGI_OPTION_COUNT:
        return parse_count(text, option->value);
    case FGI_OPTION_RANGE:
        return parse_range(text, false, option->value);
    case FGI_OPTION_TIME:
        return parse_range(text, true, option->value);
    case FGI_OPTION_DURATION:
        return parse_duration(text, option->value);
    case FGI_OPTION_MICRO:
        return parse_micro(text, option->value);
    }
    return false;
}

/* A number that the option has no use for is told, rather than taken for something else. */
static bool is_in_bounds(const struct fgi_option *option)
{
    bool is_number = option->kind == FGI_OPTION_COUNT || option->kind == FGI_OPTION_DURATION ||
                     option->kind == FGI_OPTION_MICRO;
    uint64_t value = is_number ? *(const uint64_t *)option->value : 0;
    return !is_number || (value >= option->least && (option->most == 0 || value <= option->most));
}

static int refuse_number(const struct fgi_command_line *line, const struct fgi_option *option,
                         const char *text)
{
    char bounds[80] = "more than 0";
    if (option->most != 0) {
        snprintf(bounds, sizeof bounds, "%" PRIu64 " to %" PRIu64, option->least, option->most);
    } else if (option->kind == FGI_OPTION_COUNT) {
        snprintf(bounds, sizeof bounds, "at least %" PRIu64, option->least);
    }
    return fgi_command_fail(line->name, FGI_EXIT_USAGE, "--%s does not take '%s': expected %s",
                            option->name, text, bounds);
}

/* The option that an argument names: --name, --name=value, -x. `out_value`: what follows a '='. */
static const struct fgi_option *find_option(const struct fgi_command_line *line,
                                            const char *argument, const char **out_value)
{
    *out_value = NULL;
    for (size_t i = 0; i < line->option_count; i++) {
        const struct fgi_option *option = &line->options[i];
        size_t length = strlen(option->name);
        if (option->letter != 0 && argument[1] == option->letter && argument[2] == '\0') {
            return option;
        }
        if (argument[1] == '-' && strncmp(argument + 2, option->name, length) == 0) {
            const char *rest = argument + 2 + length;
            if (*rest == '\0') {
                return option;
            }
            if (*rest == '=') {
                *out_value = rest + 1;
                return option;
            }
        }
    }
    return NULL;
}

/* Takes the option at argv[*at], and its value when that is the next argument. */
static int take_option(const struct fgi_command_line *line, int argc, char **argv, int *at)
{
    const char *argument = argv[*at];
    const char *value;
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        return print_help(line);
    }
    if (strcmp(argument, "--version") == 0) {
        printf("frameglass %s\n", fg_version());
        return FGI_EXIT_DONE;
    }
    const struct fgi_option *option = find_option(line, argument, &value);
    if (option == NULL) {
        return fgi_command_fail(line->name, FGI_EXIT_USAGE,
                                "unknown option %s (frameglass %s --help lists them)", argument,
                                line->name);
    }
    if (option->kind == FGI_OPTION_FLAG && value != NULL) {
        return fgi_command_fail(line->name, FGI_EXIT_USAGE, "--%s takes no value", option->name);
    }
    if (option->kind != FGI_OPTION_FLAG && value == NULL) {
        if (*at + 1 >= argc) {
            return fgi_command_fail(line->name, FGI_EXIT_USAGE, "--%s needs a value: %s",
                                    option->name, option->argument);
        }
        value = argv[++*at];
    }
    if (!set_value(option, value)) {
        return fgi_command_fail(line->name, FGI_EXIT_USAGE, "--%s does not take '%s': expected %s",
                                option->name, value, option->argument);
    }
    return is_in_bounds(option) ? FGI_GO : refuse_number(line, option, value);
}

int fgi_command_parse(const struct fgi_command_line *line, int argc, char **argv,
                      const char **out_operands)
{
    size_t count = 0;
    bool options_are_over = false;
    for (size_t i = 0; i < line->operand_max; i++) {
        out_operands[i] = NULL;
    }
    for (int i = 1; i < argc; i++) {
        bool is_option = !options_are_over && argv[i][0] == '-' && argv[i][1] != '\0';
        if (is_option && strcmp(argv[i], "--") == 0) {
            options_are_over = true;
        } else if (is_option) {
            int status = take_option(line, argc, argv, &i);
            if (status != FGI_GO) {
                return status;
            }
        } else if (count == line->operand_max) {
            return fgi_command_fail(line->name, FGI_EXIT_USAGE, "one argument too many: %s",
                                    argv[i]);
        } else {
            out_operands[count++] = argv[i];
        }
    }
    if (count < line->operand_min) {
        return fgi_command_fail(line->name, FGI_EXIT_USAGE, "expected: frameglass %s %s",
                                line->name, line->operands);
    }
    return FGI_GO;
}
