/* SPDX-License-Identifier: MIT */
/*
 * An OpenGL driver made of arithmetic: a host clock that moves when told, a GPU that takes as long
 * as told, and every way of misbehaving that matters. One context, on the thread that reset it.
 */
#ifndef FGT_FAKE_GL_H
#define FGT_FAKE_GL_H
#include "gpu/opengl/opengl_priv.h"

/** What becomes of stamps that are in flight when the context moves to another thread. */
enum fake_loss { FAKE_KEEPS, FAKE_ZEROS, FAKE_OLD_VALUES };

enum { FAKE_QUERIES = 1 << 16, FAKE_GROUPS = 64, FAKE_TEXT = 40 };

struct fake_query {
    bool made;
    bool running;
    bool issued;
    unsigned target;
    uint64_t value;
    uint64_t old_value; /**< of its use before */
    uint64_t begun_value;
    int64_t readable_ns;
};

struct fake_gl {
    /* What the driver is like; set after fake_reset(). */
    const char *version;    /**< "4.5 (Core Profile) fake" */
    const char *extensions; /**< separated by spaces */
    int timestamp_bits, elapsed_bits, statistic_bits;
    int64_t clock_offset_ns; /**< of the GL clock to the host's */
    int64_t drift_ppm;       /**< the GL clock runs so much faster */
    int64_t read_ns;         /**< what reading the GL clock takes */
    int64_t latency_ns;      /**< from the end of work until its result can be read */
    bool never;              /**< no result ever comes */
    bool absolute_elapsed;   /**< the first elapsed result is a time and no duration */
    bool wild_stamps;        /**< every second stamp is hours late */
    bool zero_stamps;        /**< every second stamp was not taken: its result is 0 */
    enum fake_loss moves;    /**< by a move: available at once, and wrong */
    int64_t reads_ahead_ns;  /**< what is read of the GL clock is so much later than stamps */
    long names_left;         /**< names that can be made until memory is out; negative = no end */
    bool tells_resets;       /**< the context was made so that it tells of resets */
    int total_kib, free_kib;
    /* What happens to it. */
    bool disjoint; /**< told once */
    bool lost;
    /* What was seen. */
    uint64_t calls;
    uint64_t blocked;      /**< results that were asked for before they were there */
    uint64_t errors;       /**< that the application would find with glGetError() */
    uint64_t wrong_thread; /**< calls without a current context */
    uint64_t clock_reads, memory_reads;
    uint64_t host_reads; /**< of the host's clock */
    unsigned queries_alive;
    unsigned deleted_running; /**< they stay for ever */
    unsigned groups_open, groups_pushed;
    char groups[FAKE_GROUPS][FAKE_TEXT];
    char longest[FAKE_TEXT];
    int longest_size;
    /* Inside. */
    int64_t now_ns;
    int64_t gpu_ns; /**< until when the GPU is busy */
    uint64_t invocations;
    uint32_t thread;
    unsigned running[16]; /**< queries by target */
    bool told_absolute;
    unsigned stamps;
    struct fake_query queries[FAKE_QUERIES]; /**< 0 is no query */
};
extern struct fake_gl fake;

/** A well-behaved desktop driver of version 4.6 with everything, at host time 1 s. */
void fake_reset(void);
/** The same as OpenGL ES 3.2 with EXT_disjoint_timer_query. */
void fake_reset_es(void);
/** As eglGetProcAddress(): gives out something for every name that begins with "gl". */
fg_opengl_function fake_get_proc_address(const char *name);
/** The host clock of the fake. */
const struct fgi_opengl_host *fake_host(void);
/** The application draws: the GPU is busy for so long. */
void fake_work(int64_t cost_ns);
/** The context is made current on this thread, where it was on another. */
void fake_move(void);
/** Time passes on the host. */
void fake_advance(int64_t duration_ns);
/** What the GL clock shows at a host time, before it wraps. */
uint64_t fake_ticks_at(int64_t host_ns);

#endif
