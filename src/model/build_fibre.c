// SPDX-License-Identifier: Apache-2.0
// model/build_fibre.c - fibres of solids: their cells, directions and stiffness
//
// Directions at rest, with e the axis, in elements r the unit vector from the axis to the point, on
// faces r their outer normal:
//     (S86)  t = e x r/|e x r|,   u = e in elements, r x t on faces,   a = cos(angle) u +
//     sin(angle) t
// On faces around a hollow, whose normals point to the axis, t has the other sign: a positive angle
// is a right-handed helix.
//     (S87)  c_b = a.grad N_b in elements; on faces p dN_b/du + q dN_b/dv with a = p e1 + q e2,
//            e1 = sum X_b dN_b/du, e2 = sum X_b dN_b/dv
//     (S88)  k = modulus times V fraction in elements; A fraction thickness of a layer; A pi/4
//            diameter^2/spacing of threads

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "math/quat.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// sine of the angle between a direction and what it may not be parallel to
static const double least_sine = 0.01;

// What fibres of a solid are made from.
typedef struct Maker {
    const LitheScene *scene;
    const LitheFibreDef *def;
    Vec3 along, axis, centre; // in the world, as built; unit vectors or 0
    double angle;
    double turns;          // -1 on faces around a hollow, else 1
    unsigned char *marked; // [node_count]
    int32_t *from;         // [families] index of their def
    LitheTetSurface surface;
    LitheSolid *solid;
    LitheError *error;
} Maker;

static bool is_on_faces(const LitheFibreDef *def) {
    return def->thickness > 0 || def->diameter > 0;
}

static LitheStatus fail_at(const Maker *m, const char *key, const char *why, Vec3 x) {
    char path[256];
    snprintf(path, sizeof path, "fibres.%s.%s", m->def->name, key);
    return lithe_scene_fail(m->scene, m->error, path,
                            "fibre '%s': %s at (%.4g, %.4g, %.4g) m of solid '%s': its fibres have "
                            "no direction there",
                            m->def->name, why, x.x, x.y, x.z, m->solid->name);
}

// --- elements ------------------------------------------------------------------------------------

static LitheStatus select_elements(const Maker *m, LitheFibres *out) {
    const LitheTetMesh *mesh = &m->solid->mesh;
    int32_t width = mesh->nodes_per_element, pairs = lithe_solid_pairs(m->solid), in;
    LitheContext *context = m->scene->context;
    out->width = width;
    out->points = m->solid->points;
    out->nodes = lithe_alloc_array(context, (int64_t)mesh->element_count * width, sizeof(int32_t));
    out->entries =
        lithe_alloc_array(context, (int64_t)mesh->element_count * pairs, sizeof(int32_t));
    out->elements = lithe_alloc_array(context, mesh->element_count, sizeof(int32_t));
    if (!out->nodes || !out->entries || !out->elements)
        return lithe_fail_memory(m->error, "fibres");
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (int64_t)e * width;
        for (in = 0; in < width && m->marked[node[in]];)
            in++;
        if (in < width)
            continue;
        int64_t cell = out->cell_count++;
        out->elements[cell] = e;
        memcpy(out->nodes + cell * width, node, (size_t)width * sizeof *node);
        memcpy(out->entries + cell * pairs, m->solid->entries + (int64_t)e * pairs,
               (size_t)pairs * sizeof *out->entries);
    }
    return LITHE_OK;
}

static Vec3 turned(const Maker *m, Vec3 along, Vec3 around) {
    return v3_axpy(sin(m->angle), around, v3_scale(cos(m->angle), along));
}

// (S87) at a point of an element
static LitheStatus fill_element(const Maker *m, LitheFibres *own, int64_t at) {
    const LitheSolid *solid = m->solid;
    int64_t point = (int64_t)own->elements[at / own->points] * own->points + at % own->points;
    const Vec3 *g = solid->gradients + point * own->width;
    Vec3 a = m->along;
    if (v3_norm(m->axis) > 0) {
        Vec3 x = lithe_element_point(&solid->mesh, own->elements[at / own->points], own->points,
                                     (int32_t)(at % own->points));
        Vec3 t = v3_cross(m->axis, v3_sub(x, m->centre));
        if (!(v3_norm(t) > 1e-9 * v3_norm(solid->extent)))
            return fail_at(m, "axis", "an element has a point on the axis,", x);
        a = turned(m, m->axis, v3_unit(t));
    }
    for (int32_t b = 0; b < own->width; b++)
        own->shares[at * own->width + b] = v3_dot(a, g[b]);
    own->stiffness[at] = m->def->modulus * m->def->fraction * solid->volumes[point]; // (S88)
    return LITHE_OK;
}

// --- faces ---------------------------------------------------------------------------------------

// the elements behind faces, which are in the order of the surface
static void find_behind(const Maker *m, LitheFibres *out) {
    size_t bytes = (size_t)out->width * sizeof(int32_t);
    int64_t t = 0;
    for (int64_t i = 0; i < out->cell_count; i++) {
        while (memcmp(m->surface.triangles + t * out->width, out->nodes + i * out->width, bytes))
            t++;
        out->behind[i] = m->surface.elements[t++];
    }
}

static LitheStatus select_faces(const Maker *m, LitheFibres *out) {
    int32_t width = m->surface.nodes_per_triangle, pairs = width * (width + 1) / 2;
    LitheContext *context = m->scene->context;
    out->width = width;
    out->points = width == 6 ? 3 : 1;
    LitheStatus status = lithe_faces_select(context, &m->surface, m->marked, &out->nodes,
                                            &out->cell_count, m->error);
    if (status != LITHE_OK)
        return status;
    int32_t *entry = out->entries =
        lithe_alloc_array(context, (int64_t)out->cell_count * pairs, sizeof *out->entries);
    out->behind = lithe_alloc_array(context, out->cell_count, sizeof *out->behind);
    if (!entry || !out->behind)
        return lithe_fail_memory(m->error, "fibres");
    find_behind(m, out);
    for (int32_t i = 0; i < out->cell_count; i++) {
        const int32_t *node = out->nodes + (int64_t)i * width;
        for (int32_t a = 0; a < width; a++)
            for (int32_t b = 0; b <= a; b++) {
                int32_t row = node[a] > node[b] ? node[a] : node[b];
                *entry++ = lithe_block_find(m->solid->pattern, row, node[a] + node[b] - row);
            }
    }
    return LITHE_OK;
}

// slopes of the shape functions along u and v, at one point, or at three near the corners
static void face_slopes(int32_t width, int32_t point, double u[6], double v[6]) {
    static const double du[3] = {-1, 1, 0}, dv[3] = {-1, 0, 1};
    double l[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6};
    l[point] = 2.0 / 3;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        u[a] = (width == 6 ? 4 * l[a] - 1 : 1) * du[a];
        v[a] = (width == 6 ? 4 * l[a] - 1 : 1) * dv[a];
        u[3 + a] = 4 * (l[a] * du[b] + l[b] * du[a]);
        v[3 + a] = 4 * (l[a] * dv[b] + l[b] * dv[a]);
    }
}

// A point of a face at rest.
typedef struct FacePoint {
    double u[6], v[6];
    Vec3 e1, e2;
    Vec3 area; // of the part of the face, outwards [m^2]
} FacePoint;

static FacePoint face_point(const Maker *m, const LitheFibres *own, int64_t at) {
    const int32_t *node = own->nodes + at / own->points * own->width;
    FacePoint p = {.e1 = {0, 0, 0}};
    face_slopes(own->width, (int32_t)(at % own->points), p.u, p.v);
    for (int32_t b = 0; b < own->width; b++) {
        p.e1 = v3_axpy(p.u[b], m->solid->mesh.nodes[node[b]], p.e1);
        p.e2 = v3_axpy(p.v[b], m->solid->mesh.nodes[node[b]], p.e2);
    }
    p.area = v3_scale(0.5 / own->points, v3_cross(p.e1, p.e2));
    return p;
}

// middle of the corners of the face that has a point
static Vec3 middle_of(const Maker *m, const LitheFibres *own, int64_t at) {
    const int32_t *node = own->nodes + at / own->points * own->width;
    const Vec3 *x = m->solid->mesh.nodes;
    return v3_scale(1.0 / 3, v3_add(x[node[0]], v3_add(x[node[1]], x[node[2]])));
}

// whether the normals of the faces point to the axis, by the flux of the places about their centre
static bool is_around_hollow(const Maker *m, const LitheFibres *own) {
    int64_t count = (int64_t)own->cell_count * own->points;
    double whole = 0, flux = 0, size = 0;
    Vec3 centre = v3(0, 0, 0);
    for (int64_t at = 0; at < count; at++) {
        FacePoint p = face_point(m, own, at);
        centre = v3_axpy(v3_norm(p.area), middle_of(m, own, at), centre);
        whole += v3_norm(p.area);
    }
    for (int64_t at = 0; at < count; at++) {
        FacePoint p = face_point(m, own, at);
        Vec3 x = v3_axpy(-1 / whole, centre, middle_of(m, own, at));
        x = v3_axpy(-v3_dot(x, m->axis), m->axis, x);
        flux += v3_dot(x, p.area);
        size += v3_norm(x) * v3_norm(p.area);
    }
    return flux < -1e-6 * size; // flat faces have no flux but rounding
}

static LitheStatus fill_face(const Maker *m, LitheFibres *own, int64_t at) {
    const LitheFibreDef *def = m->def;
    FacePoint p = face_point(m, own, at);
    Vec3 n = v3_unit(p.area), a = v3_axpy(-v3_dot(m->along, n), n, m->along);
    if (v3_norm(m->axis) > 0) {
        Vec3 t = v3_scale(m->turns, v3_cross(m->axis, n));
        if (v3_norm(t) < least_sine)
            return fail_at(m, "axis", "the axis is perpendicular to the face",
                           middle_of(m, own, at));
        t = v3_unit(t);
        a = turned(m, v3_scale(m->turns, v3_cross(n, t)), t); // (S86)
    } else if (v3_norm(a) < least_sine)
        return fail_at(m, "along", "along is perpendicular to the face", middle_of(m, own, at));
    a = v3_unit(a);
    // a = p e1 + q e2
    double aa = v3_dot(p.e1, p.e1), ab = v3_dot(p.e1, p.e2), bb = v3_dot(p.e2, p.e2);
    double ra = v3_dot(a, p.e1), rb = v3_dot(a, p.e2), det = aa * bb - ab * ab;
    for (int32_t b = 0; b < own->width; b++) // (S87)
        own->shares[at * own->width + b] =
            ((bb * ra - ab * rb) * p.u[b] + (aa * rb - ab * ra) * p.v[b]) / det;
    double thickness = def->diameter > 0
                           ? 0.25 * M_PI * def->diameter * def->diameter / def->spacing
                           : def->fraction * def->thickness;
    own->stiffness[at] = def->modulus * thickness * v3_norm(p.area); // (S88)
    return LITHE_OK;
}

// --- all of a solid ------------------------------------------------------------------------------

static LitheStatus fail_empty(const Maker *m, int32_t members) {
    char path[256];
    snprintf(path, sizeof path, "fibres.%s.on", m->def->name);
    bool faces = is_on_faces(m->def);
    return lithe_scene_fail(
        m->scene, m->error, path,
        "fibre '%s': no %s of solid '%s' has all its nodes among the %d of this place%s",
        m->def->name, faces ? "face of the surface" : "element", m->solid->name, members,
        faces ? "" : "; with thickness or diameter fibres lie on its faces");
}

static LitheStatus add_family(Maker *m, int32_t members) {
    LitheContext *context = m->scene->context;
    m->from[m->solid->fibre_count] = (int32_t)(m->def - m->scene->fibres);
    LitheFibres *own = &m->solid->fibres[m->solid->fibre_count++];
    bool faces = is_on_faces(m->def);
    own->slack = m->def->slack;
    LitheStatus status = faces ? select_faces(m, own) : select_elements(m, own);
    if (status == LITHE_OK && own->cell_count == 0)
        status = fail_empty(m, members);
    if (status != LITHE_OK)
        return status;
    int64_t count = (int64_t)own->cell_count * own->points;
    own->shares = lithe_alloc_array(context, count * own->width, sizeof *own->shares);
    own->stiffness = lithe_alloc_array(context, count, sizeof *own->stiffness);
    if (!own->shares || !own->stiffness)
        return lithe_fail_memory(m->error, "fibres");
    m->turns = faces && v3_norm(m->axis) > 0 && is_around_hollow(m, own) ? -1 : 1;
    for (int64_t at = 0; status == LITHE_OK && at < count; at++)
        status = faces ? fill_face(m, own, at) : fill_element(m, own, at);
    return status;
}

static LitheStatus add(Maker *m, const LitheMembers *members, Vec3 at, Quat rotation) {
    const LitheFibreDef *def = m->def;
    LitheStatus status = LITHE_OK;
    m->along = v3_norm(def->along) > 0 ? q4_rotate(rotation, v3_unit(def->along)) : v3(0, 0, 0);
    m->axis = v3_norm(def->axis) > 0 ? q4_rotate(rotation, v3_unit(def->axis)) : v3(0, 0, 0);
    m->centre = v3_add(at, q4_rotate(rotation, def->centre));
    memset(m->marked, 0, (size_t)m->solid->mesh.node_count);
    for (int32_t i = 0; i < members->count; i++)
        m->marked[members->list[i]] = 1;
    for (int family = 0; status == LITHE_OK && family <= def->crossed; family++) {
        m->angle = family ? -def->angle : def->angle;
        status = add_family(m, members->count);
    }
    return status;
}

// Sums over all families. Squared frequencies are at most the largest sum of a row of M^-1 K
// (Gershgorin), which at rest has the blocks sum k c_b c_d a a'/m_b.
static bool measure(LitheContext *context, LitheSolid *solid) {
    double *row = lithe_alloc_array(context, solid->mesh.node_count, sizeof *row);
    for (int32_t k = 0; row && k < solid->fibre_count; k++) {
        const LitheFibres *own = &solid->fibres[k];
        for (int64_t at = 0; at < (int64_t)own->cell_count * own->points; at++) {
            const int32_t *node = own->nodes + at / own->points * own->width;
            const double *share = own->shares + at * own->width;
            double sum = 0;
            for (int32_t b = 0; b < own->width; b++)
                sum += fabs(share[b]);
            for (int32_t b = 0; b < own->width; b++)
                row[node[b]] += own->stiffness[at] * fabs(share[b]) * sum / solid->mass[node[b]];
            solid->fibre_stiffness += own->stiffness[at];
        }
    }
    for (int32_t i = 0; row && i < solid->mesh.node_count; i++)
        solid->fibre_omega2 = fmax(solid->fibre_omega2, row[i]);
    lithe_free(context, row);
    return row != NULL;
}

// --- amounts -------------------------------------------------------------------------------------

// names and fractions of the fibres that fill an element, and their sum
static double sum_fractions(const Maker *m, int32_t element, char *text, size_t size) {
    double sum = 0;
    size_t used = 0;
    for (int32_t k = 0; k < m->solid->fibre_count; k++) {
        const LitheFibreDef *def = &m->scene->fibres[m->from[k]];
        if (lithe_fibres_cell(&m->solid->fibres[k], element) < 0)
            continue;
        sum += def->fraction;
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s'%s' %.9g", used > 0 ? " + " : "",
                                     def->name, def->fraction);
    }
    return sum;
}

// fibres in an element do not take more room than it has
static LitheStatus check_sums(const Maker *m) {
    const LitheTetMesh *mesh = &m->solid->mesh;
    for (int32_t e = 0; m->solid->fibre_count > 1 && e < mesh->element_count; e++) {
        char text[400], path[256];
        double sum = sum_fractions(m, e, text, sizeof text);
        if (sum <= 1 + 1e-9) // rounding of a sum that is 1
            continue;
        int32_t last = m->solid->fibre_count - 1;
        while (lithe_fibres_cell(&m->solid->fibres[last], e) < 0)
            last--;
        Vec3 x = lithe_element_point(mesh, e, 1, 0);
        snprintf(path, sizeof path, "fibres.%s.fraction", m->scene->fibres[m->from[last]].name);
        return lithe_scene_fail(m->scene, m->error, path,
                                "the fractions of the fibres at (%.4g, %.4g, %.4g) m of solid '%s' "
                                "add up to %.9g, must be <= 1: %s (each family of crossed ones "
                                "counts)",
                                x.x, x.y, x.z, m->solid->name, sum, text);
    }
    return LITHE_OK;
}

LitheStatus lithe_build_fibres(const LitheScene *scene, const LitheSolidDef *def,
                               LitheMembers *members, LitheSolid *solid, LitheError *error) {
    LitheContext *context = scene->context;
    if (scene->fibre_count == 0)
        return LITHE_OK;
    Maker m = {.scene = scene, .solid = solid, .error = error};
    LitheStatus status = lithe_tet_mesh_surface(context, &solid->mesh, &m.surface, error);
    m.marked = lithe_alloc_array(context, solid->mesh.node_count, 1);
    solid->fibres =
        lithe_alloc_array(context, 2 * (int64_t)scene->fibre_count, sizeof *solid->fibres);
    m.from = lithe_alloc_array(context, 2 * (int64_t)scene->fibre_count, sizeof *m.from);
    if (status == LITHE_OK && (!m.marked || !m.from || !solid->fibres))
        status = lithe_fail_memory(error, "fibres");
    for (int32_t k = 0; status == LITHE_OK && k < scene->fibre_count; k++) {
        m.def = &scene->fibres[k];
        status = lithe_members_find(scene, &m.def->place, "fibre", m.def->name, members, error);
        if (status == LITHE_OK && members->count > 0)
            status = add(&m, members, def->at, def->rotation);
    }
    if (status == LITHE_OK)
        status = check_sums(&m);
    if (status == LITHE_OK && !measure(context, solid))
        status = lithe_fail_memory(error, "fibres");
    lithe_free(context, m.marked);
    lithe_free(context, m.from);
    lithe_tet_surface_destroy(context, &m.surface);
    return status;
}

// place of a point of a cell at rest if its edges were straight
static Vec3 cell_point(const LitheSolid *solid, const LitheFibres *own, int64_t at) {
    const int32_t *node = own->nodes + at / own->points * own->width;
    int32_t corners = own->elements ? 4 : 3, p = (int32_t)(at % own->points);
    double far = own->points == 1 ? 1.0 / corners
                 : own->elements  ? 0.13819660112501051518
                                  : 1.0 / 6;
    Vec3 x = v3(0, 0, 0);
    for (int32_t a = 0; a < corners; a++)
        x = v3_axpy(a == p ? 1 - (corners - 1) * far : far, solid->mesh.nodes[node[a]], x);
    return x;
}

LitheStatus lithe_build_fibre_fits(LitheContext *context, LitheSolid *solid, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t k = 0; status == LITHE_OK && k < solid->fibre_count; k++) {
        LitheFibres *own = &solid->fibres[k];
        int64_t count = (int64_t)own->cell_count * own->points;
        Vec3 *places = lithe_alloc_array(context, count, sizeof *places);
        if (!places)
            return lithe_fail_memory(error, "fibres");
        for (int64_t at = 0; at < count; at++)
            places[at] = cell_point(solid, own, at);
        LitheFitCells cells = {.count = own->cell_count,
                               .width = own->width,
                               .corners = own->elements ? 4 : 3,
                               .points = own->points,
                               .nodes = own->nodes,
                               .places = places,
                               .at = solid->mesh.nodes,
                               .node_count = solid->mesh.node_count};
        status = lithe_build_fits(context, &cells, &own->fits, error);
        lithe_free(context, places);
    }
    return status;
}

void lithe_fibres_free(LitheContext *context, LitheSolid *solid) {
    for (int32_t i = 0; i < solid->fibre_count; i++) {
        LitheFibres *own = &solid->fibres[i];
        void *blocks[] = {own->nodes,  own->entries, own->elements,
                          own->behind, own->shares,  own->stiffness};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
            lithe_free(context, blocks[k]);
        lithe_fits_free(context, &own->fits);
    }
    lithe_free(context, solid->fibres);
}
