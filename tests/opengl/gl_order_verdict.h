/* SPDX-License-Identifier: MIT */
/* What stamps that a driver got wrong say about it. */
#ifndef FGT_GL_ORDER_VERDICT_H
#define FGT_GL_ORDER_VERDICT_H
#include <stdbool.h>

/** What was seen of stamps in one way of recording. */
struct gl_order_figures {
    bool moves;    /**< the context went from thread to thread meanwhile */
    unsigned back; /**< earlier than the one before */
    unsigned zeros;
    unsigned missing; /**< never called available */
};

enum gl_order_verdict {
    GL_ORDER_GOOD,
    /** Stamps in flight are lost when the context moves: a device refuses them, and it is told. */
    GL_ORDER_LOSES_BY_MOVES,
    GL_ORDER_BAD,
};

static inline enum gl_order_verdict gl_order_judge(const struct gl_order_figures *figures)
{
    if (figures->missing != 0) {
        return GL_ORDER_BAD;
    }
    if (figures->back == 0 && figures->zeros == 0) {
        return GL_ORDER_GOOD;
    }
    return figures->moves ? GL_ORDER_LOSES_BY_MOVES : GL_ORDER_BAD;
}

#endif
