/* SPDX-License-Identifier: MIT */
#include "trace/links_rules.h"
#include "trace/model.h"

/* Products of times and y need 98 bits. */
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* ---- numbers --------------------------------------------------------------------------------- */

uint32_t fg_focus_capacity(uint32_t rows, uint32_t dependencies)
{
    uint32_t capacity = rows < dependencies ? rows : dependencies + (dependencies < UINT32_MAX);
    capacity = capacity < rows ? capacity : rows;
    capacity = capacity < 1u << 20 ? capacity : 1u << 20;
    return capacity > 0 ? capacity : 1;
}

uint32_t fg_links_hash(uint32_t link)
{
    link = (link ^ link >> 16) * 0x7feb352du;
    link = (link ^ link >> 15) * 0x846ca68bu;
    return link ^ link >> 16;
}

/* log2(a / b) in 1/2^24, for a >= b > 0: whole steps, then a bit for each squaring. */
static uint64_t log2_ratio(uint64_t a, uint64_t b)
{
    unsigned_wide ratio = ((unsigned_wide)a << 63) / b;
    unsigned top = 63;
    while (ratio >> (top + 1)) {
        top++;
    }
    uint64_t log = (uint64_t)(top - 63) << 24;
    uint64_t x = (uint64_t)(ratio >> (top - 31)); /* in [2^31, 2^32): a number in [1, 2) */
    for (unsigned bit = 24; bit-- > 0;) {
        x = (uint64_t)((unsigned_wide)x * x >> 31);
        if (x >> 32) {
            x >>= 1;
            log += UINT64_C(1) << bit;
        }
    }
    return log;
}

uint32_t fg_links_budget(uint32_t max_lines, uint64_t trace_ns, uint64_t window_ns)
{
    const uint64_t one = UINT64_C(1) << 24;
    if (max_lines == 0) {
        return 1;
    }
    uint64_t x = one; /* log2(ratio) / 5, up to 1 */
    if (window_ns > 0 && trace_ns / window_ns < 32) {
        x = trace_ns > window_ns ? log2_ratio(trace_ns, window_ns) / 5 : 0;
    }
    x = x < one ? x : one;
    unsigned_wide s = (unsigned_wide)x * x * (3 * one - 2 * x); /* in 1/2^72 */
    unsigned_wide all = (unsigned_wide)1 << 72;
    unsigned_wide thirty_seconds = all + 31 * s;
    unsigned_wide lines = (thirty_seconds >> 30) * max_lines; /* in 1/2^47 */
    uint64_t rounded = (uint64_t)((lines + (UINT64_C(1) << 46)) >> 47);
    return rounded > 0 ? (uint32_t)rounded : 1;
}

bool fg_links_are_bundled(uint64_t typical_ns, uint64_t window_ns, uint32_t width_px)
{
    return (unsigned_wide)typical_ns * width_px < (unsigned_wide)window_ns * 400;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

bool fgi_gap_is_told(const struct fg_trace *trace, const struct fg_trace_span *from,
                     const struct fg_trace_span *to, int64_t *out_gap_ns)
{
    const struct fg_trace_clock *clock =
        &trace->clocks.items[trace->tracks.items[from->track].clock];
    struct fg_gap gap;
    /* From an end that nobody saw no gap can be told; nor between frames that a nominal clock has
     * placed each for itself. */
    if (from->status != FG_SPAN_COMPLETE ||
        (from->frame != to->frame && clock->kind == FG_CLOCK_NOMINAL) ||
        fgi_gap_between(trace, from, to, &gap) != FG_OK || !gap.is_ordered) {
        return false;
    }
    *out_gap_ns = gap.gap_ns;
    return true;
}

/* ---- lines and hubs -------------------------------------------------------------------------- */

/* On which side of the line the point lies: -1, 0 or 1. */
static int side(int64_t from_ns, int32_t from_y, int64_t to_ns, int32_t to_y, int64_t ns, int32_t y)
{
    wide d =
        ((wide)to_ns - from_ns) * ((wide)y - from_y) - ((wide)to_y - from_y) * ((wide)ns - from_ns);
    return d < 0 ? -1 : d > 0;
}

bool fgi_line_crosses(const struct fgi_view_box *box, int64_t from_ns, int32_t from_y,
                      int64_t to_ns, int32_t to_y)
{
    if ((from_ns < box->start_ns && to_ns < box->start_ns) ||
        (from_ns > box->end_ns && to_ns > box->end_ns) ||
        (from_y < box->top_y && to_y < box->top_y) ||
        (from_y > box->bottom_y && to_y > box->bottom_y)) {
        return false;
    }
    /* The hulls meet; the line misses the box only when all its corners are on one side. */
    int a = side(from_ns, from_y, to_ns, to_y, box->start_ns, box->top_y);
    int b = side(from_ns, from_y, to_ns, to_y, box->end_ns, box->top_y);
    int c = side(from_ns, from_y, to_ns, to_y, box->start_ns, box->bottom_y);
    int d = side(from_ns, from_y, to_ns, to_y, box->end_ns, box->bottom_y);
    return !(a != 0 && a == b && a == c && a == d);
}

/* The largest power with parts * 2^bits <= size; 0 below that. */
static unsigned cell_bits(uint64_t size, uint64_t parts)
{
    unsigned bits = 0;
    while (size / parts >> 1 >> bits) {
        bits++;
    }
    return bits;
}

struct fgi_hub_grid fgi_hub_grid(const struct fg_links_request *request)
{
    return (struct fgi_hub_grid){
        .time_bits = cell_bits((uint64_t)request->end_ns - (uint64_t)request->start_ns, 16),
        .y_bits = cell_bits((uint64_t)((int64_t)request->bottom_y - request->top_y), 10),
    };
}

/* The middle of the cell: its first number, and half of what it holds. */
static int64_t middle(int64_t at, unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    return (int64_t)(((uint64_t)at & ~mask) | ((mask + 1) >> 1));
}

int64_t fgi_hub_ns(const struct fgi_hub_grid *grid, int64_t time_ns)
{
    return middle(time_ns, grid->time_bits);
}

int32_t fgi_hub_y(const struct fgi_hub_grid *grid, int32_t y)
{
    return (int32_t)middle(y, grid->y_bits);
}
