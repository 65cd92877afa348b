/* SPDX-License-Identifier: MIT */
/* Whether a driver's stamps run forward, asked of the driver itself: no recorder is in between. */
#ifndef FGT_GL_ORDER_H
#define FGT_GL_ORDER_H
#include "egl_bed.h"

/**
 * Stamps around draws, with and without pipeline statistics, waited for or in flight, on one thread
 * or with the context moving between two. Prints a line for each way, and the first stamps that
 * run back. The context is current on this thread before and after.
 *
 * @return whether every stamp came and none was earlier than the one before it, or 0; both are
 *         forgiven, and told, where the context moved
 */
bool gl_order_check(struct egl_bed *bed);

#endif
