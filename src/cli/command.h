/* SPDX-License-Identifier: MIT */
/* The commands of frameglass, and how each reads its command line. */
#ifndef FGI_COMMAND_H
#define FGI_COMMAND_H
#include <frameglass/base.h>

/** Exit statuses, the same for every command. */
enum fgi_exit {
    FGI_EXIT_DONE = 0,  /**< also when a damaged input was read in part */
    FGI_EXIT_NO = 1,    /**< the answer is no: not valid, a gate failed */
    FGI_EXIT_USAGE = 2, /**< the command line is wrong */
    FGI_EXIT_INPUT = 3, /**< the input cannot be read, or the output not be written */
};

/*
 * Each takes its own part of the command line (argv[0] is the command) and returns an exit status.
 */
int fgi_cmd_anomalies(int argc, char **argv);
int fgi_cmd_bench(int argc, char **argv);
int fgi_cmd_demo(int argc, char **argv);
int fgi_cmd_diff(int argc, char **argv);
int fgi_cmd_export(int argc, char **argv);
int fgi_cmd_frames(int argc, char **argv);
int fgi_cmd_import(int argc, char **argv);
int fgi_cmd_info(int argc, char **argv);
int fgi_cmd_path(int argc, char **argv);
int fgi_cmd_render(int argc, char **argv);
int fgi_cmd_repair(int argc, char **argv);
int fgi_cmd_search(int argc, char **argv);
int fgi_cmd_stats(int argc, char **argv);
int fgi_cmd_validate(int argc, char **argv);
int fgi_cmd_view(int argc, char **argv);

enum fgi_option_kind {
    FGI_OPTION_FLAG = 0,     /**< bool: set to true */
    FGI_OPTION_TEXT = 1,     /**< const char *: borrowed from argv */
    FGI_OPTION_COUNT = 2,    /**< uint64_t: a plain decimal number */
    FGI_OPTION_RANGE = 3,    /**< struct fgi_option_range: A:B, either may be left out */
    FGI_OPTION_TIME = 4,     /**< struct fgi_option_range, in ns: numbers may carry ns, us, ms or s,
                                  and a + in front: counted from the first time of the trace */
    FGI_OPTION_DURATION = 5, /**< uint64_t: ns; the number may carry ns, us, ms or s */
    FGI_OPTION_MICRO = 6,    /**< uint64_t: a decimal number, in millionths */
};

/** [first, end) of what was asked for; has_* tell which ends were given. */
struct fgi_option_range {
    bool has_first;
    bool has_end;
    bool first_is_relative;
    bool end_is_relative;
    int64_t first;
    int64_t end;
};

struct fgi_option {
    const char *name; /**< without the dashes */
    char letter;      /**< 0: there is no short form */
    enum fgi_option_kind kind;
    void *value;          /**< of the type that the kind says; untouched when not given */
    const char *argument; /**< how help calls the argument; NULL for a flag */
    const char *about;
    uint64_t least, most; /**< of a number that is no range; others are refused. 0: any */
};

/** The two options for output that is not for people; into `options`. */
#define FGI_OPTION_JSON(out_flag)                                                                  \
    {                                                                                              \
        .name = "json", .value = (out_flag), .about = "as JSON; docs/CLI.md has the shape"         \
    }
#define FGI_OPTION_CSV(out_flag)                                                                   \
    {                                                                                              \
        .name = "csv", .value = (out_flag), .about = "as comma-separated values"                   \
    }

struct fgi_command_line {
    const char *name;     /**< of the command */
    const char *operands; /**< how help shows them: "FILE [FILE2]" */
    const char *about;    /**< one sentence */
    const char *notes;    /**< more for --help, with line feeds; NULL = nothing */
    const struct fgi_option *options;
    size_t option_count;
    size_t operand_min;
    size_t operand_max;
};

/** Returned by fgi_command_parse() when the command is to run. */
enum { FGI_GO = -1 };

/**
 * Read a command line: options anywhere, "--" ends them, "-" is an operand. --help and --version
 * are answered here.
 *
 * @param out_operands operand_max items, NULL where not given; borrowed from argv
 * @return FGI_GO, or the exit status to return at once
 */
int fgi_command_parse(const struct fgi_command_line *line, int argc, char **argv,
                      const char **out_operands);

/** "frameglass COMMAND: message" on standard error; returns `status`. */
FG_PRINTF(3, 4)
int fgi_command_fail(const char *command, int status, const char *format, ...);

#endif
