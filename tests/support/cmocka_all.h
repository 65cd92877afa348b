/* SPDX-License-Identifier: MIT */
/* cmocka with the headers that it wants before it. */
#ifndef FGT_CMOCKA_ALL_H
#define FGT_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#endif
