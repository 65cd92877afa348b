/* SPDX-License-Identifier: MIT */
/* The packings, one file each. */
#ifndef FGI_PACKING_PRIV_H
#define FGI_PACKING_PRIV_H
#include "open/packing.h"

extern const struct fgi_packing fgi_packing_gzip;
extern const struct fgi_packing fgi_packing_zip;
extern const struct fgi_packing fgi_packing_zstd;

#endif
