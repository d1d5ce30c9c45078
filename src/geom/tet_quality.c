// SPDX-License-Identifier: Apache-2.0
// geom/tet_quality.c - angles, shape and folds of tetrahedra, and the notes about a mesh

#include "geom/tet_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define DEGREES (180 / M_PI)

// Elements below these limits make the matrix badly conditioned and small steps necessary.
#define POOR_ANGLE 5.0        // [deg]
#define POOR_WIDE_ANGLE 170.0 // [deg]

// Typical soft bodies: a file in millimetres reads as one of tens to hundreds of metres.
#define LARGE_BODY 20.0 // [m]
#define SMALL_BODY 1e-4 // [m]

static double volume6(const Vec3 *x) {
    return v3_dot(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])), v3_sub(x[3], x[0]));
}

double lithe_tet_quality(const Vec3 *x) {
    double sum = 0, v = volume6(x) / 2;
    for (int e = 0; e < 6; e++) {
        Vec3 d = v3_sub(x[lithe_tet_edges[e][1]], x[lithe_tet_edges[e][0]]);
        sum += v3_dot(d, d);
    }
    return v > 0 && sum > 0 ? 12 * cbrt(v * v) / sum : 0;
}

void lithe_tet_dihedrals(const Vec3 *x, double angle[6]) {
    // edge e lies in the two faces that are opposite to the corners of the opposite edge
    static const int8_t faces[6][2] = {{2, 3}, {0, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}};
    Vec3 n[4];
    for (int f = 0; f < 4; f++) {
        const int8_t *k = lithe_tet_faces[f];
        n[f] = v3_cross(v3_sub(x[k[1]], x[k[0]]), v3_sub(x[k[2]], x[k[0]]));
    }
    for (int e = 0; e < 6; e++) {
        Vec3 a = n[faces[e][0]], b = n[faces[e][1]];
        angle[e] = atan2(v3_norm(v3_cross(a, b)), -v3_dot(a, b));
    }
}

double lithe_tet_fold(const Vec3 *x) {
    double smallest = INFINITY, straight = volume6(x);
    for (int p = 0; p < 11; p++) {
        double l[4] = {0, 0, 0, 0};
        if (p < 4) {
            l[p] = 1;
        } else if (p < 10) {
            l[lithe_tet_edges[p - 4][0]] = l[lithe_tet_edges[p - 4][1]] = 0.5;
        } else {
            l[0] = l[1] = l[2] = l[3] = 0.25;
        }
        smallest = fmin(smallest, lithe_tet_quadratic_det(x, l) / straight);
    }
    return smallest;
}

void lithe_tet_mesh_turn(LitheTetMesh *mesh) {
    static const int8_t swaps[3][2] = {{1, 2}, {4, 6}, {8, 9}};
    int pairs = mesh->nodes_per_element == 10 ? 3 : 1;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        int32_t *node = mesh->elements + (size_t)e * (size_t)mesh->nodes_per_element;
        for (int p = 0; p < pairs; p++) {
            int32_t keep = node[swaps[p][0]];
            node[swaps[p][0]] = node[swaps[p][1]];
            node[swaps[p][1]] = keep;
        }
    }
}

void lithe_tet_mesh_angles(const LitheTetMesh *mesh, LitheTetReport *r) {
    r->min_angle = INFINITY;
    r->max_angle = 0;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (size_t)e * (size_t)mesh->nodes_per_element;
        Vec3 x[4];
        double angle[6];
        for (int a = 0; a < 4; a++)
            x[a] = mesh->nodes[node[a]];
        lithe_tet_dihedrals(x, angle);
        for (int k = 0; k < 6; k++) {
            if (angle[k] < r->min_angle) {
                r->min_angle = angle[k];
                r->min_angle_at = e;
            }
            if (angle[k] > r->max_angle) {
                r->max_angle = angle[k];
                r->max_angle_at = e;
            }
        }
    }
}

// --- notes ---------------------------------------------------------------------------------------

typedef struct Notes {
    char (*text)[LITHE_TET_NOTE];
    int32_t count;
} Notes;

LITHE_PRINTF(2, 3) static void add_note(Notes *notes, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notes->text[notes->count++], LITHE_TET_NOTE, format, arguments);
    va_end(arguments);
}

static void note_nodes(const LitheTetMesh *mesh, const LitheTetReport *r, Notes *notes) {
    if (r->unused_count) {
        Vec3 x = mesh->nodes[r->unused];
        add_note(notes,
                 "%d nodes belong to no element, the first is node %" PRId64 " at (%g, %g, %g) m",
                 r->unused_count, lithe_tet_mesh_label(mesh, r->unused), x.x, x.y, x.z);
    }
    if (r->duplicate_count) {
        Vec3 x = mesh->nodes[r->duplicate[0]];
        add_note(notes,
                 "%d pairs of nodes are at the same place, the first are the nodes %" PRId64
                 " and %" PRId64 " at (%g, %g, %g) m: the body is not connected there",
                 r->duplicate_count, lithe_tet_mesh_label(mesh, r->duplicate[0]),
                 lithe_tet_mesh_label(mesh, r->duplicate[1]), x.x, x.y, x.z);
    }
    if (r->hinge_count) {
        Vec3 x = mesh->nodes[r->hinge[0]];
        add_note(notes,
                 "%d edges have more than two triangles of the surface, the first is that of "
                 "the nodes %" PRId64 " and %" PRId64
                 " at (%g, %g, %g) m: the body hangs together by an edge there",
                 r->hinge_count, lithe_tet_mesh_label(mesh, r->hinge[0]),
                 lithe_tet_mesh_label(mesh, r->hinge[1]), x.x, x.y, x.z);
    }
}

static void note_angles(const LitheTetMesh *mesh, const LitheTetReport *r, Notes *notes) {
    bool small = r->min_angle * DEGREES < POOR_ANGLE;
    if (!small && !(r->max_angle * DEGREES > POOR_WIDE_ANGLE))
        return;
    int32_t e = small ? r->min_angle_at : r->max_angle_at;
    Vec3 x = mesh->nodes[mesh->elements[(size_t)e * (size_t)mesh->nodes_per_element]];
    add_note(notes,
             "dihedral angles are %.3g to %.4g degrees, the worst is in element %d at (%g, %g, %g) "
             "m; %g to %g are good enough",
             r->min_angle * DEGREES, r->max_angle * DEGREES, e, x.x, x.y, x.z, POOR_ANGLE,
             POOR_WIDE_ANGLE);
}

bool lithe_tet_angle_note(const LitheTetMesh *mesh, const LitheTetReport *report,
                          char text[LITHE_TET_NOTES][LITHE_TET_NOTE]) {
    Notes notes = {text, 0};
    note_angles(mesh, report, &notes);
    return notes.count > 0;
}

int32_t lithe_tet_report_notes(const LitheTetMesh *mesh, const LitheTetReport *report,
                               char text[LITHE_TET_NOTES][LITHE_TET_NOTE]) {
    Notes notes = {text, 0};
    const LitheTetReport *r = report;
    if (r->turned)
        add_note(&notes, "all elements are mirrored: they were turned round");
    if (r->part_count > 1)
        add_note(&notes, "it has %d parts that share no node", r->part_count);
    note_nodes(mesh, r, &notes);
    Vec3 size = v3_sub(r->high, r->low);
    double largest = fmax(size.x, fmax(size.y, size.z));
    if (largest > LARGE_BODY)
        add_note(&notes,
                 "it is %.4g m x %.4g m x %.4g m large: if the file is in millimetres, write "
                 "scale: 0.001",
                 size.x, size.y, size.z);
    if (largest < SMALL_BODY)
        add_note(&notes,
                 "it is %.4g m x %.4g m x %.4g m large: legal, but unusual; `scale` "
                 "multiplies the coordinates",
                 size.x, size.y, size.z);
    note_angles(mesh, r, &notes);
    return notes.count;
}
