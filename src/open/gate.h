/* SPDX-License-Identifier: MIT */
/* Before a spool: lets bytes through whose beginning something here can read, and no others. */
#ifndef FGI_GATE_H
#define FGI_GATE_H
#include <frameglass/base.h>

enum { FGI_GATE_HEAD_BYTES = 16 };

/** Without it, input without an end that is of no known kind would fill the disk. */
struct fgi_gate {
    const struct fg_sink *to; /**< borrowed */
    const char *format;       /**< name of the format that it must be; NULL = any, or a packing */
    uint8_t head[FGI_GATE_HEAD_BYTES];
    size_t head_size;
    bool is_open;
};

/** Passes everything on; FG_ERR_FORMAT as soon as the first bytes are of nothing that is known. */
struct fg_sink fgi_gate_sink(struct fgi_gate *gate);

#endif
