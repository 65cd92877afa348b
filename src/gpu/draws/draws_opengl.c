/* SPDX-License-Identifier: MIT */
#include "gpu/draws/draws_opengl_list.h"
#include "gpu/draws/draws_priv.h"

#define FGI_DRAWS_PREFIX "gl"
#define FGI_DRAWS_CALL
FGI_DRAWS_API(fgi_draws_opengl, FGI_DRAWS_OPENGL)
