/* SPDX-License-Identifier: MIT */
#include "page/assets.h"
#include <string.h>

const struct fgi_asset *fgi_asset_find(const char *path)
{
    const char *wanted = path[0] == 0 ? "index.html" : path;
    for (const struct fgi_asset *asset = fgi_assets; asset->path != NULL; asset++) {
        if (strcmp(asset->path, wanted) == 0) {
            return asset;
        }
    }
    return NULL;
}

const char *fgi_asset_type(const struct fgi_asset *asset)
{
    static const struct {
        const char *ending;
        const char *type;
    } types[] = {
        { ".html", "text/html; charset=utf-8" },
        { ".css", "text/css; charset=utf-8" },
        { ".js", "text/javascript; charset=utf-8" },
        { ".svg", "image/svg+xml" },
        { ".png", "image/png" },
        { ".json", "application/json" },
        { ".woff2", "font/woff2" },
        { ".wasm", "application/wasm" },
    };
    const char *ending = strrchr(asset->path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].ending, ending) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}
