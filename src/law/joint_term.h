// SPDX-License-Identifier: Apache-2.0
// law/joint_term.h - scatter of vectors and blocks into a function of (e, gamma_e, f, gamma_f)

#ifndef LITHE_LAW_JOINT_TERM_H
#define LITHE_LAW_JOINT_TERM_H

#include "law/rod_bend.h"
#include "math/mat3.h"

// rows: e 0-2, gamma_e 3, f 4-6, gamma_f 7

static inline void lithe_term_set_g(LitheJointTerm *out, Vec3 e, double ge, Vec3 f, double gf) {
    v3_store(e, out->g);
    out->g[3] = ge;
    v3_store(f, out->g + 4);
    out->g[7] = gf;
}

/// Sets the vector blocks and clears the twist rows.
static inline void lithe_term_set_H(LitheJointTerm *out, Mat3 ee, Mat3 ff, Mat3 ef) {
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            out->H[i][j] = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->H[i][j] = ee.m[i][j];
            out->H[4 + i][4 + j] = ff.m[i][j];
            out->H[i][4 + j] = ef.m[i][j];
            out->H[4 + j][i] = ef.m[i][j];
        }
    }
}

/// Sets row and column of gamma_e (j = 0) or gamma_f (j = 1).
static inline void lithe_term_set_gamma(LitheJointTerm *out, int j, Vec3 e, Vec3 f, double gg) {
    int row = 4 * j + 3;
    double column[8] = {e.x, e.y, e.z, 0, f.x, f.y, f.z, 0};
    for (int i = 0; i < 8; i++) {
        if (i == 3 || i == 7)
            continue;
        out->H[i][row] = out->H[row][i] = column[i];
    }
    out->H[row][row] = gg;
}

#endif
