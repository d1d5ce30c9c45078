// SPDX-License-Identifier: Apache-2.0
// tests/law/test_pressure.c - volume behind faces of three and six nodes, and its derivatives

#include "law/pressure.h"

#include "geom/tet_mesh.h"
#include "math/mat3.h"

#include "test.h"

// The surface of one tetrahedron with ten nodes, and of its four corners alone.
enum { NODES = 10, DOFS = 3 * NODES };

typedef struct Body {
    Vec3 x[NODES];
    int32_t width; // nodes of a face
} Body;

static Body body_of(int32_t width, double bend, TestRandom *r) {
    Body b = {.width = width};
    const Vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < NODES; i++) {
        b.x[i] = i < 4 ? corner[i]
                       : v3_mix(corner[lithe_tet_edges[i - 4][0]],
                                corner[lithe_tet_edges[i - 4][1]], 0.5);
        b.x[i] = v3_axpy(
            bend, v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1)), b.x[i]);
    }
    return b;
}

static double volume_of(const Body *b, double *gradient, double *hessian) {
    double volume = 0;
    for (int k = 0; gradient && k < DOFS; k++)
        gradient[k] = 0;
    for (int k = 0; hessian && k < DOFS * DOFS; k++)
        hessian[k] = 0;
    for (int f = 0; f < 4; f++) {
        Vec3 x[LITHE_FACE_NODES];
        LitheFaceTerms terms;
        for (int a = 0; a < b->width; a++)
            x[a] = b->x[lithe_tet_faces[f][a]];
        lithe_face_terms(b->width, x, hessian, &terms);
        volume += terms.volume;
        for (int a = 0; a < b->width; a++) {
            int i = 3 * lithe_tet_faces[f][a];
            if (gradient)
                v3_store(v3_add(terms.area[a], v3_load(gradient + i)), gradient + i);
            for (int c = 0; hessian && c < b->width; c++) {
                int j = 3 * lithe_tet_faces[f][c];
                Vec3 k = terms.skew[a][c];
                const double m[3][3] = {{0, -k.z, k.y}, {k.z, 0, -k.x}, {-k.y, k.x, 0}};
                for (int p = 0; p < 9; p++)
                    hessian[DOFS * (i + p / 3) + j + p % 3] += m[p / 3][p % 3];
            }
        }
    }
    return volume;
}

static Body moved(Body b, const double *by, double step) {
    for (int i = 0; i < NODES; i++)
        b.x[i] = v3_axpy(step, v3_load(by + 3 * i), b.x[i]);
    return b;
}

TEST(closed_faces_have_the_volume_of_the_body_wherever_it_is) {
    TestRandom r = {3};
    for (int32_t width = 3; width <= 6; width += 3) {
        Body b = body_of(width, 0.05, &r);
        LitheTetMesh mesh = {.nodes = b.x,
                             .nodes_per_element = width == 3 ? 4 : 10,
                             .elements = (int32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                             .element_count = 1,
                             .node_count = NODES};
        double exact = lithe_tet_mesh_element_volume(&mesh, 0);
        CHECK_NEAR(volume_of(&b, NULL, NULL), exact, 1e-15);
        for (int i = 0; i < NODES; i++)
            b.x[i] = v3_add(b.x[i], v3(3, -2, 5));
        CHECK_NEAR(volume_of(&b, NULL, NULL), exact, 1e-13);
    }
}

// V(x + e d) - V - e g.d - e^2/2 d'H d falls with e^3, since the terms are exact
TEST(area_vectors_and_their_slopes_are_derivatives_of_the_volume) {
    TestRandom r = {5};
    for (int32_t width = 3; width <= 6; width += 3) {
        Body b = body_of(width, 0.1, &r);
        double g[DOFS], H[DOFS * DOFS], d[DOFS], slope = 0, curve = 0, second[2], third[2];
        double start = volume_of(&b, g, H);
        for (int k = 0; k < DOFS; k++)
            d[k] = test_random(&r, -1, 1);
        for (int k = 0; k < DOFS; k++) {
            slope += g[k] * d[k];
            for (int j = 0; j < DOFS; j++) {
                curve += d[k] * H[DOFS * k + j] * d[j];
                CHECK_NEAR(H[DOFS * k + j], H[DOFS * j + k], 1e-15);
            }
        }
        for (int e = 0; e < 2; e++) {
            double step = e ? 1e-4 : 2e-4;
            Body to = moved(b, d, step);
            second[e] = volume_of(&to, NULL, NULL) - start - step * slope;
            third[e] = second[e] - 0.5 * step * step * curve;
        }
        CHECK_NEAR(log2(fabs(second[0] / second[1])), 2, 0.1);
        CHECK_NEAR(log2(fabs(third[0] / third[1])), 3, 0.02);
    }
}

TEST(pressure_on_a_closed_surface_has_no_force_and_no_torque) {
    TestRandom r = {7};
    for (int32_t width = 3; width <= 6; width += 3) {
        Body b = body_of(width, 0.2, &r);
        double g[DOFS];
        Vec3 force = v3(0, 0, 0), torque = force;
        volume_of(&b, g, NULL);
        for (int i = 0; i < NODES; i++) {
            force = v3_add(force, v3_load(g + 3 * i));
            torque = v3_add(torque, v3_cross(b.x[i], v3_load(g + 3 * i)));
        }
        CHECK_NEAR(v3_norm(force), 0, 1e-15);
        CHECK_NEAR(v3_norm(torque), 0, 1e-15);
    }
}

// a flat face with midpoints: nothing at corners, a third of the area at midpoints
TEST(a_flat_face_of_six_nodes_loads_its_midpoints) {
    const Vec3 x[6] = {{0, 0, 1}, {2, 0, 1}, {0, 3, 1}, {1, 0, 1}, {1, 1.5, 1}, {0, 1.5, 1}};
    LitheFaceTerms terms;
    lithe_face_terms(6, x, false, &terms);
    for (int a = 0; a < 6; a++)
        CHECK_NEAR(v3_distance(terms.area[a], v3(0, 0, a < 3 ? 0 : 1)), 0, 1e-15);
    lithe_face_terms(3, x, false, &terms);
    for (int a = 0; a < 3; a++)
        CHECK_NEAR(v3_distance(terms.area[a], v3(0, 0, 1)), 0, 1e-15);
}

// of one face alone, whose edges can move: [k_ab]x is the symmetric part of dA_a/dx_b
TEST(the_stiffness_of_an_open_face_is_the_symmetric_part_of_the_exact_one) {
    TestRandom r = {9};
    for (int32_t width = 3; width <= 6; width += 3) {
        Body b = body_of(width, 0.1, &r);
        Vec3 x[LITHE_FACE_NODES];
        LitheFaceTerms terms, up, down;
        double exact[18][18];
        for (int a = 0; a < width; a++)
            x[a] = b.x[lithe_tet_faces[0][a]];
        lithe_face_terms(width, x, true, &terms);
        for (int j = 0; j < 3 * width; j++) {
            double *own = &x[j / 3].x + j % 3, keep = *own;
            *own = keep + 0.5; // areas are quadratic: central differences are exact
            lithe_face_terms(width, x, false, &up);
            *own = keep - 0.5;
            lithe_face_terms(width, x, false, &down);
            *own = keep;
            for (int i = 0; i < 3 * width; i++)
                exact[i][j] = (&up.area[i / 3].x)[i % 3] - (&down.area[i / 3].x)[i % 3];
        }
        for (int i = 0; i < 3 * width; i++)
            for (int j = 0; j < 3 * width; j++) {
                Vec3 k = terms.skew[i / 3][j / 3];
                const double m[3][3] = {{0, -k.z, k.y}, {k.z, 0, -k.x}, {-k.y, k.x, 0}};
                CHECK_NEAR(m[i % 3][j % 3], 0.5 * (exact[i][j] + exact[j][i]), 1e-14);
            }
    }
}
