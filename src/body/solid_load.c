// SPDX-License-Identifier: Apache-2.0
// body/solid_load.c - loads of soft solids that follow their surface: pressures
//
//     (S53)  energy of a pressure p: p V, with V the volume (S50) of its faces; forces -p A_a (S51)
// The faces are oriented outwards: V is the volume of the solid behind a closed surface, minus that
// of a cavity.

#include "body/solid.h"
#include "law/pressure.h"

// stiffness of a face: scale [k_ab]x in the blocks of its pairs of nodes
static void add_stiffness(const LitheSolid *solid, const int32_t *node, const int32_t *entry,
                          int32_t count, const LitheFaceTerms *face, double scale, double *values) {
    for (int32_t a = 0; a < count; a++)
        for (int32_t b = 0; b < a; b++) {
            double *block = values + solid->pattern->value_at[*entry++];
            Vec3 k = v3_scale(scale, node[a] > node[b] ? face->skew[a][b] : face->skew[b][a]);
            block[1] += k.z, block[3] -= k.z; // column-major
            block[6] += k.y, block[2] -= k.y;
            block[5] += k.x, block[7] -= k.x;
        }
}

// volume of the faces about a point, with its gradient and Hessian times `p` and `scale`
static double add_faces(const LitheSolid *solid, const LithePressure *load, const double *x,
                        Vec3 about, double p, const LitheSolidTerms *terms) {
    int32_t width = load->face_nodes, pairs = width * (width - 1) / 2;
    double volume = 0;
    for (int32_t i = 0; i < load->face_count; i++) {
        const int32_t *node = load->faces + (int64_t)i * width;
        Vec3 at[LITHE_FACE_NODES];
        LitheFaceTerms face;
        for (int32_t a = 0; a < width; a++)
            at[a] = v3_sub(v3_load(x + 3 * (int64_t)node[a]), about);
        lithe_face_terms(width, at, terms->values, &face);
        volume += face.volume;
        for (int32_t a = 0; terms->gradient && a < width; a++) {
            double *f = terms->gradient + 3 * (int64_t)node[a];
            v3_store(v3_axpy(p, face.area[a], v3_load(f)), f);
        }
        if (terms->values)
            add_stiffness(solid, node, load->entries + (int64_t)i * pairs, width, &face,
                          terms->scale * p, terms->values);
    }
    return volume;
}

double lithe_solid_press(const LitheSolid *solid, const double *p, const double *x,
                         const double *start, const LitheSolidTerms *terms) {
    double energy = 0;
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        const LithePressure *load = &solid->pressures[k];
        // close to the surface: large coordinates do not cost digits
        Vec3 about = v3_load(start + 3 * (int64_t)load->faces[0]);
        energy += p[k] * add_faces(solid, load, x, about, p[k], terms); // (S53)
    }
    return energy;
}

bool lithe_solid_has_potential(const LitheSolid *solid) {
    for (int32_t k = 0; k < solid->pressure_count; k++)
        if (solid->pressures[k].open)
            return false;
    return true;
}
