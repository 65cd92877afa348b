/* SPDX-License-Identifier: MIT */
#include "linear.h"

/** The determinant of what is left without one row and one column. */
static float minor_of(const float *m, int row, int column)
{
    float v[9];
    int count = 0;
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            if (c != column && r != row) {
                v[count++] = m[c * 4 + r];
            }
        }
    }
    return v[0] * (v[4] * v[8] - v[7] * v[5]) - v[3] * (v[1] * v[8] - v[7] * v[2]) +
           v[6] * (v[1] * v[5] - v[4] * v[2]);
}

struct rd_mat4 rd_inverse(const struct rd_mat4 *a)
{
    struct rd_mat4 r;
    float determinant = 0.0f;
    for (int i = 0; i < 4; i++) {
        const float sign = i % 2 == 0 ? 1.0f : -1.0f;
        determinant += sign * a->m[i * 4] * minor_of(a->m, 0, i);
    }
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            const float sign = (row + column) % 2 == 0 ? 1.0f : -1.0f;
            r.m[column * 4 + row] = sign * minor_of(a->m, column, row) / determinant;
        }
    }
    return r;
}
