// SPDX-License-Identifier: Apache-2.0
// geom/mass.c - volume, centre and inertia of shapes of density 1
//
// All shapes use the second moment S = integral of x x' over the body, from which the inertia about
// the origin is trace(S) 1 - S. A mesh is a sum of signed tetrahedra from one point to its
// triangles:
//   V = sum det(p, q, r)/6,   V c = sum det (p + q + r)/24,
//   S = sum det (p p' + q q' + r r' + m m')/120,  m = p + q + r                          (16)

#include "geom/mass.h"

#include "base/status.h"
#include "geom/hollow.h"

static Mat3 inertia_of(Mat3 s) {
    double trace = s.m[0][0] + s.m[1][1] + s.m[2][2];
    return m3_sub(m3_diag(trace, trace, trace), s);
}

// --- closed forms --------------------------------------------------------------------------------

static Mat3 moment_box(Vec3 half, double volume) {
    return m3_scale(volume / 3, m3_diag(half.x * half.x, half.y * half.y, half.z * half.z));
}

static Mat3 moment_ellipsoid(Vec3 half, double volume) {
    return m3_scale(volume / 5, m3_diag(half.x * half.x, half.y * half.y, half.z * half.z));
}

static void mass_capsule(const LitheGeom *geom, LitheGeomMass *out) {
    Vec3 axis = v3_sub(geom->end[1], geom->end[0]), t = v3_unit(axis);
    double r = geom->radius, l = v3_norm(axis);
    double tube = M_PI * r * r * l, ball = 4.0 / 3 * M_PI * r * r * r;
    // moment along the axis: the tube, and two hemispheres with centres 3r/8 beyond its ends
    double along = tube * l * l / 12 + ball * (r * r / 5 + l * l / 4 + 3.0 / 8 * r * l);
    double across = tube * r * r / 4 + ball * r * r / 5;
    Mat3 s = m3_axpy(along - across, m3_outer(t, t), m3_diag(across, across, across));
    *out = (LitheGeomMass){tube + ball, v3_mix(geom->end[0], geom->end[1], 0.5), inertia_of(s)};
}

// A cylinder with rounded rims: its middle part in closed form, and the discs of radius
// R - round + round cos(a) at the heights h - round + round sin(a) by Gauss' rule in a.
static void mass_rounded(const LitheGeom *geom, LitheGeomMass *out) {
    static const double node[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                   0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                   0.9445750230732326, 0.9894009349916499};
    static const double weight[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                     0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                     0.0622535239386479, 0.0271524594117541};
    double R = geom->radius, round = geom->rounding, h = geom->half.z - round;
    double v = 2 * M_PI * R * R * h, across = v * R * R / 4, along = v * h * h / 3;
    for (int k = 0; k < 16; k++) {
        double a = M_PI / 4 * (1 + (k < 8 ? node[k] : -node[k - 8]));
        double r = R - round + round * cos(a), z = h + round * sin(a);
        double disc = 2 * M_PI * r * r * round * cos(a) * M_PI / 4 * weight[k % 8]; // of both ends
        v += disc;
        across += disc * r * r / 4;
        along += disc * z * z;
    }
    *out = (LitheGeomMass){v, {0, 0, 0}, inertia_of(m3_diag(across, across, along))};
}

// --- sums ----------------------------------------------------------------------------------------

typedef struct Sum {
    double volume;
    Vec3 first;  // integral of x, from the reference point
    Mat3 second; // integral of x x', from the reference point
} Sum;

static void finish(const Sum *sum, Vec3 reference, LitheGeomMass *out) {
    Vec3 c = v3_scale(1 / sum->volume, sum->first);
    out->volume = sum->volume;
    out->centre = v3_add(reference, c);
    out->inertia = inertia_of(m3_axpy(-sum->volume, m3_outer(c, c), sum->second));
}

static void add_triangle(Sum *sum, Vec3 p, Vec3 q, Vec3 r) {
    double det = v3_dot(p, v3_cross(q, r));
    Vec3 m = v3_add(p, v3_add(q, r));
    Mat3 s = m3_add(m3_add(m3_outer(p, p), m3_outer(q, q)), m3_add(m3_outer(r, r), m3_outer(m, m)));
    sum->volume += det / 6; // (16)
    sum->first = v3_axpy(det / 24, m, sum->first);
    sum->second = m3_axpy(det / 120, s, sum->second);
}

static void mass_hull(const LitheHull *hull, LitheGeomMass *out) {
    Sum sum = {0};
    Vec3 reference = hull->points[0];
    for (int32_t i = 0; i < hull->face_count; i++) {
        const int32_t *corner = hull->face_points + hull->face_start[i];
        int32_t count = hull->face_start[i + 1] - hull->face_start[i];
        for (int32_t k = 1; k + 1 < count; k++)
            add_triangle(&sum, v3_sub(hull->points[corner[0]], reference),
                         v3_sub(hull->points[corner[k]], reference),
                         v3_sub(hull->points[corner[k + 1]], reference));
    }
    finish(&sum, reference, out);
}

static LitheStatus mass_mesh(const LitheMesh *mesh, LitheGeomMass *out, LitheError *error) {
    for (int32_t e = 0; e < 3 * mesh->triangle_count; e++)
        if (mesh->neighbours[e] < 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "triangle mesh: triangle %d has no neighbour at its edge from point "
                              "%d to %d: the mesh is not closed and has no volume",
                              e / 3, mesh->triangles[e],
                              mesh->triangles[e - e % 3 + (e % 3 + 1) % 3]);
    Sum sum = {0};
    Vec3 reference = mesh->points[mesh->triangles[0]];
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        add_triangle(&sum, v3_sub(mesh_corner(mesh, i, 0), reference),
                     v3_sub(mesh_corner(mesh, i, 1), reference),
                     v3_sub(mesh_corner(mesh, i, 2), reference));
    if (!(sum.volume > 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "triangle mesh: its volume is %g m^3, must be > 0: are its triangles "
                          "counter-clockwise from outside?",
                          sum.volume);
    finish(&sum, reference, out);
    return LITHE_OK;
}

// A conical frustum (radius r0 to r1, height h, < 0: what is inside of it is hollow): integrals of
// r^2, z r^2, z^2 r^2 and r^4 over the height.
static void add_frustum(Sum *sum, double r0, double r1, double z0, double h) {
    double i0 = h * (r0 * r0 + r0 * r1 + r1 * r1) / 3;
    double i1 = h * h * (r0 * r0 + 2 * r0 * r1 + 3 * r1 * r1) / 12;
    double i2 = h * h * h * (r0 * r0 + 3 * r0 * r1 + 6 * r1 * r1) / 30;
    double r02 = r0 * r0, r12 = r1 * r1;
    double i4 = h * (r02 * r02 + r02 * r0 * r1 + r02 * r12 + r0 * r1 * r12 + r12 * r12) / 5;
    sum->volume += M_PI * i0;
    sum->first.z += M_PI * (z0 * i0 + i1);
    sum->second.m[0][0] += M_PI / 4 * i4;
    sum->second.m[1][1] += M_PI / 4 * i4;
    sum->second.m[2][2] += M_PI * (z0 * z0 * i0 + 2 * z0 * i1 + i2);
}

static void mass_revolution(const LitheGeom *geom, LitheGeomMass *out) {
    Sum sum = {0};
    double base = geom->profile_z[0];
    for (int32_t i = 0; i + 1 < geom->profile_count; i++)
        add_frustum(&sum, geom->profile_r[i], geom->profile_r[i + 1], geom->profile_z[i] - base,
                    geom->profile_z[i + 1] - geom->profile_z[i]);
    finish(&sum, v3(0, 0, base), out);
}

// Gauss' rule for twelfths of the circle: exact to rounding for the powers of sine and cosine here
static const double gauss_node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                     0.9602898564975363};
static const double gauss_weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                       0.1012285362903763};

// The same integrals over an arc of the section, with its radii and heights, and dz along it.
static void add_arc(Sum *sum, const LitheHollowPiece *arc, double base) {
    int parts = (int)ceil(fabs(arc->turn) / (M_PI / 6));
    double half = 0.5 * arc->turn / parts;
    for (int i = 0; i < 8 * parts; i++) {
        double node = i % 8 < 4 ? gauss_node[i % 4] : -gauss_node[i % 4];
        double angle = arc->from + half * (2 * (i / 8) + 1 + node);
        double r = arc->c[0] + arc->radius * cos(angle);
        double z = arc->c[1] + arc->radius * sin(angle) - base;
        double dz = M_PI * arc->radius * cos(angle) * half * gauss_weight[i % 4];
        sum->volume += r * r * dz;
        sum->first.z += r * r * z * dz;
        sum->second.m[0][0] += 0.25 * r * r * r * r * dz;
        sum->second.m[1][1] += 0.25 * r * r * r * r * dz;
        sum->second.m[2][2] += r * r * z * z * dz;
    }
}

static void mass_hollow(const LitheHollow *hollow, LitheGeomMass *out) {
    Sum sum = {0};
    double base = hollow->pieces[0].p[1];
    for (int32_t i = 0; i < hollow->count; i++) {
        const LitheHollowPiece *p = &hollow->pieces[i];
        if (p->radius > 0)
            add_arc(&sum, p, base);
        else
            add_frustum(&sum, p->p[0], p->q[0], p->p[1] - base, p->q[1] - p->p[1]);
    }
    finish(&sum, v3(0, 0, base), out);
}

LitheStatus lithe_geom_mass(const LitheGeom *geom, LitheGeomMass *out, LitheError *error) {
    Vec3 h = geom->half, zero = {0, 0, 0};
    double r = geom->radius, v = geom->exact_volume;
    if (v > 0) {
        Vec3 i = geom->exact_inertia;
        *out = (LitheGeomMass){v, zero, m3_diag(i.x, i.y, i.z)};
        return LITHE_OK;
    }
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
        v = 4.0 / 3 * M_PI * r * r * r;
        *out = (LitheGeomMass){v, zero, inertia_of(moment_ellipsoid(v3(r, r, r), v))};
        return LITHE_OK;
    case LITHE_GEOM_ELLIPSOID:
        v = 4.0 / 3 * M_PI * h.x * h.y * h.z;
        *out = (LitheGeomMass){v, zero, inertia_of(moment_ellipsoid(h, v))};
        return LITHE_OK;
    case LITHE_GEOM_BOX:
        v = 8 * h.x * h.y * h.z;
        *out = (LitheGeomMass){v, zero, inertia_of(moment_box(h, v))};
        return LITHE_OK;
    case LITHE_GEOM_CYLINDER:
        if (geom->rounding > 0) {
            mass_rounded(geom, out);
            return LITHE_OK;
        }
        v = 2 * M_PI * r * r * h.z;
        *out = (LitheGeomMass){
            v, zero, inertia_of(m3_diag(v * r * r / 4, v * r * r / 4, v * h.z * h.z / 3))};
        return LITHE_OK;
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_SEGMENT:
        mass_capsule(geom, out);
        return LITHE_OK;
    case LITHE_GEOM_CONVEX_MESH:
        mass_hull(geom->hull, out);
        return LITHE_OK;
    case LITHE_GEOM_TRIANGLE_MESH:
        if (geom->hollow) {
            mass_hollow(geom->hollow, out);
            return LITHE_OK;
        }
        return mass_mesh(geom->mesh, out, error);
    case LITHE_GEOM_REVOLUTION:
        mass_revolution(geom, out);
        return LITHE_OK;
    }
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: its volume is unbounded, so it has no mass",
                      geom->kind == LITHE_GEOM_HEIGHTFIELD ? "heightfield" : "half-space");
}
