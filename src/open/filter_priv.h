/* SPDX-License-Identifier: MIT */
/* The packings, one file each. */
#ifndef FGI_FILTER_PRIV_H
#define FGI_FILTER_PRIV_H
#include "open/filter.h"

extern const struct fgi_filter fgi_filter_gzip;
extern const struct fgi_filter fgi_filter_zstd;

#endif
