/* SPDX-License-Identifier: MIT */
/* The dependencies of one view while they are chosen. */
#ifndef FGI_LINKS_PRIV_H
#define FGI_LINKS_PRIV_H
#include "engine/cpu/graph_cpu.h"
#include "trace/task.h"

/* A line that was admitted and crosses the view. */
struct fgi_candidate {
    struct fg_link_line line;
    unsigned class;
    uint32_t hash;
};
struct fgi_display {
    struct fgi_links_work face;
    struct fgi_engine_cpu *cpu;
    const struct fg_trace *trace;
    struct fgi_graph graph;
    const struct fgi_question *question; /* of the step at hand */
    struct fg_links_request request;     /* what it lends is in the memory of the answer */
    uint32_t filter;                     /* held; 0 = none */
    struct fgi_population *population;
    const uint64_t *bits; /* rows that pass the filter; NULL: all */
    const struct fgi_link_index *index;
    struct fgi_cursor cursor;
    struct fgi_view_box box;
    uint32_t *place_of; /* by lane; FG_NONE */
    uint64_t near;      /* lines in the cells near the window */
    uint32_t share;     /* lines that a cell may show */
    /* The cell at hand. */
    uint64_t *found; /* hash << 32 | number, in the question's memory */
    size_t found_count, found_capacity;
    struct fgi_candidate *lines;
    size_t line_count, line_capacity;
    uint32_t *exact; /* numbers, ascending */
    size_t exact_count, exact_capacity;
    struct fg_links_reply *reply;
};

/* links_place.c: where rows are drawn, and lines that are shown in any case. */

/** place_of, from the request. */
enum fg_result fgi_display_find_places(struct fgi_display *d);
/**
 * Who stands for the source (or the target) of a line at a place, and when that one ends (or
 * starts): shown_source is who does under the filter alone. False: there is no place for any of
 * them, or see the cursor.
 */
bool fgi_display_settle(struct fgi_display *d, struct fg_link_line *line, bool is_source);
/** What is known of a line whose ends have been settled. */
enum fg_result fgi_display_finish_line(struct fgi_display *d, struct fg_link_line *line);
/** Numbers of exact lines, each once, ascending; max_exact of them. */
enum fg_result fgi_display_choose_exact(struct fgi_display *d);
/** With its own ends, or, where they have no place, their nearest ancestors that have one. */
enum fg_result fgi_display_make_exact(struct fgi_display *d, uint32_t link,
                                      struct fg_link_line *line, bool *out_is_placed);

#endif
