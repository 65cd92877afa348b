/* SPDX-License-Identifier: MIT */
/* The files of the inspector, inside the program. */
#ifndef FGI_ASSETS_H
#define FGI_ASSETS_H
#include <frameglass/base.h>

struct fgi_asset {
    const char *path; /**< "index.html", "views/timeline.js": no leading slash */
    const uint8_t *bytes;
    const uint8_t *end;
};

/** All of them, sorted by path; made from inspector/ by the build. Ends with a NULL path. */
extern const struct fgi_asset fgi_assets[];

/** Exactly this path, byte by byte; "" is "index.html". NULL when there is none. */
const struct fgi_asset *fgi_asset_find(const char *path);
/** What to send as its Content-Type. */
const char *fgi_asset_type(const struct fgi_asset *asset);

#endif
