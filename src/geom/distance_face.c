// SPDX-License-Identifier: Apache-2.0
// geom/distance_face.c - the flat face of a mesh or a solid of revolution that rests on a plane
//
// The lowest triangle that faces the plane, and all triangles in the same plane, are the face. Its
// corners are its farthest points in LITHE_OVERLAP_MAX directions h_k. It is the whole polygon of
// these corners, without holes and gaps, if
//    area of its triangles = area of the polygon of these corners                     (21)
// and it is used only if nothing else reaches the plane beside it:
//    h_k . x <= max of h_k over the face, for all k, for points below its highest corner  (22)

#include "geom/distance.h"

#include <math.h>

// min cosine of the angle between the normal of a triangle and `down`: below it the triangle does
// not lie flat on the plane
#define FACING 0.998
// allowed differences of areas (21): corners of fine polygons lie between the directions
#define SAME_AREA 0.02
// lengths below this fraction of the size of the face are 0
#define LEVEL 1e-6

enum { DIRECTIONS = LITHE_OVERLAP_MAX };

typedef struct Face {
    const LitheMesh *mesh;
    Vec3 down;                // unit, towards the plane
    Vec3 normal, u, v;        // of the face: its unit normal, and two unit vectors that span it
    double offset, tolerance; // normal . x of its points [m]
    double direction[DIRECTIONS][2], far[DIRECTIONS]; // h_k along u and v, and max of h_k . x
    int32_t corner[DIRECTIONS];                       // farthest point in each direction
} Face;

static void corners_of(const LitheMesh *mesh, int32_t triangle, Vec3 out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = mesh->points[mesh->triangles[3 * (int64_t)triangle + k]];
}

// the lowest triangle that faces the plane; -1: none
static int32_t lowest(const LitheMesh *mesh, Vec3 down) {
    int32_t best = -1;
    double far = -INFINITY;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        Vec3 p[3];
        if (v3_dot(mesh->normals[i], down) < FACING)
            continue;
        corners_of(mesh, i, p);
        double low = (v3_dot(p[0], down) + v3_dot(p[1], down) + v3_dot(p[2], down)) / 3;
        if (low > far) {
            far = low;
            best = i;
        }
    }
    return best;
}

static bool is_in(const Face *face, int32_t triangle) {
    Vec3 p[3];
    if (v3_dot(face->mesh->normals[triangle], face->normal) < 1 - LEVEL)
        return false;
    corners_of(face->mesh, triangle, p);
    return fabs(v3_dot(p[0], face->normal) - face->offset) <= face->tolerance;
}

static double reach(const Face *face, int k, Vec3 x) {
    return face->direction[k][0] * v3_dot(face->u, x) + face->direction[k][1] * v3_dot(face->v, x);
}

// corners of the face, and the area of its triangles
static double measure(Face *face) {
    double area = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        face->direction[k][0] = cos(2 * M_PI * k / DIRECTIONS);
        face->direction[k][1] = sin(2 * M_PI * k / DIRECTIONS);
        face->far[k] = -INFINITY;
    }
    for (int32_t i = 0; i < face->mesh->triangle_count; i++) {
        Vec3 p[3];
        if (!is_in(face, i))
            continue;
        corners_of(face->mesh, i, p);
        area += 0.5 * v3_norm(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
        for (int k = 0; k < DIRECTIONS; k++)
            for (int j = 0; j < 3; j++) {
                double far = reach(face, k, p[j]);
                // of points at the same distance the first
                if (far > face->far[k] + face->tolerance) {
                    face->far[k] = far;
                    face->corner[k] = face->mesh->triangles[3 * (int64_t)i + j];
                }
            }
    }
    return area;
}

// (21)
static double area_of(const Face *face) {
    double area = 0;
    const Vec3 *points = face->mesh->points;
    for (int k = 0; k < DIRECTIONS; k++) {
        Vec3 p = points[face->corner[k]], q = points[face->corner[(k + 1) % DIRECTIONS]];
        area += 0.5 * v3_dot(face->normal, v3_cross(p, q));
    }
    return fabs(area);
}

// (22): no point beside the face is below its highest corner
static bool stands_alone(const Face *face) {
    const LitheMesh *mesh = face->mesh;
    double high = INFINITY;
    for (int k = 0; k < DIRECTIONS; k++)
        high = fmin(high, v3_dot(face->down, mesh->points[face->corner[k]]));
    for (int32_t i = 0; i < mesh->point_count; i++) {
        if (!(v3_dot(face->down, mesh->points[i]) > high + face->tolerance))
            continue;
        for (int k = 0; k < DIRECTIONS; k++)
            if (reach(face, k, mesh->points[i]) > face->far[k] + 2 * face->tolerance)
                return false;
    }
    return true;
}

// centre and means of the triangles of the face
static void integrate(const Face *face, double area, LitheFaceArea *out) {
    Vec3 p[3], c = {0, 0, 0};
    for (int32_t i = 0; i < face->mesh->triangle_count; i++)
        if (is_in(face, i)) {
            corners_of(face->mesh, i, p);
            double part = 0.5 * v3_norm(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]))) / area;
            c = v3_axpy(part / 3, v3_add(p[0], v3_add(p[1], p[2])), c);
        }
    out->centre = c;
    for (int32_t i = 0; i < face->mesh->triangle_count; i++) {
        double x[3][2];
        if (!is_in(face, i))
            continue;
        corners_of(face->mesh, i, p);
        for (int k = 0; k < 3; k++) {
            x[k][0] = v3_dot(v3_sub(p[k], c), face->u);
            x[k][1] = v3_dot(v3_sub(p[k], c), face->v);
        }
        lithe_face_add(out, x);
    }
}

static Face face_of(const LitheMesh *mesh, int32_t base) {
    Vec3 p[3], n = mesh->normals[base];
    corners_of(mesh, base, p);
    Vec3 u = v3_unit(v3_cross(fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0), n));
    double size = fmax(v3_distance(p[0], p[1]), v3_distance(p[0], p[2]));
    return (Face){.mesh = mesh,
                  .normal = n,
                  .u = u,
                  .v = v3_cross(n, u),
                  .offset = v3_dot(p[0], n),
                  .tolerance = LEVEL * size};
}

void lithe_mesh_face_visit(const LitheMesh *mesh, int32_t triangle, LitheFaceFn *visit,
                           void *user) {
    Face face = face_of(mesh, triangle);
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        if (is_in(&face, i)) {
            Vec3 p[3];
            corners_of(mesh, i, p);
            visit(p, user);
        }
}

int lithe_mesh_face(const LitheMesh *mesh, Vec3 down, int32_t out[LITHE_OVERLAP_MAX],
                    LitheFaceArea *own) {
    *own = (LitheFaceArea){0};
    int32_t base = lowest(mesh, down);
    if (base < 0)
        return 0;
    Face face = face_of(mesh, base);
    face.down = down;
    own->mesh = mesh;
    own->triangle = base;
    double area = measure(&face);
    if (!stands_alone(&face))
        return 0;
    if (fabs(area_of(&face) - area) > SAME_AREA * area) // (21)
        integrate(&face, area, own);
    int count = 0;
    for (int k = 0; k < DIRECTIONS; k++)
        if (k == 0 || (face.corner[k] != face.corner[k - 1] && face.corner[k] != out[0]))
            out[count++] = face.corner[k];
    return count;
}

int32_t lithe_profile_cap(const LitheGeom *geom, Vec3 down) {
    int32_t last = geom->profile_count - 1, end = down.z < 0 ? 0 : last;
    double slope = sqrt(fmax(0, 1 - down.z * down.z)), radius = geom->profile_r[end];
    // height of the highest point of the end face: no wider part of the profile may be lower
    double high = -down.z * geom->profile_z[end] + slope * radius;
    if (fabs(down.z) < FACING || !(radius > 0))
        return -1;
    for (int32_t i = 0; i <= last; i++)
        if (geom->profile_r[i] > radius * (1 + LEVEL) &&
            -down.z * geom->profile_z[i] - slope * geom->profile_r[i] < high)
            return -1;
    return end == 0 ? 0 : last - 1;
}
