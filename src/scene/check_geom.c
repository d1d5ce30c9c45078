// SPDX-License-Identifier: Apache-2.0
// scene/check_geom.c - the limits of the shapes of bodies

#include "geom/geom_keys.h"

#include "base/text.h"
#include "geom/hollow.h"
#include "math/vec3.h"
#include "scene/check.h"

#include <stdio.h>
#include <string.h>

// max number of heights or corners: the structures built from them use 32-bit indices
#define MAX_CELLS 500000000

static void size(LitheCheck *check, LitheVec3 s) {
    if (!(s.x > 0 && s.y > 0 && s.z > 0))
        lithe_check_fail(check, "size", "size is (%.9g, %.9g, %.9g) m, must be > 0", s.x, s.y, s.z);
}

static void points(LitheCheck *check, const LitheGeomDef *g, int32_t min) {
    if (g->point_count < min || !g->points)
        lithe_check_fail(check, "points", "the number of points is %d, must be at least %d",
                         g->points ? g->point_count : 0, min);
    char name[64];
    for (int32_t i = 0; i < g->point_count && check->status == LITHE_OK; i++) {
        if (v3_norm(g->points[i]) < LITHE_LONGEST)
            continue;
        snprintf(name, sizeof name, "points[%d]", i);
        lithe_check_vector(check, name, g->points[i], "m");
    }
}

static void triangles(LitheCheck *check, const LitheGeomDef *g) {
    if (g->triangle_count < 1 || !g->triangles || g->triangle_count > MAX_CELLS)
        lithe_check_fail(check, "triangles", "triangles has %d triangles, must have 1 to %d",
                         g->triangles ? g->triangle_count : 0, MAX_CELLS);
    for (int32_t i = 0; i < g->triangle_count && check->status == LITHE_OK; i++) {
        const int32_t *t = &g->triangles[3 * (int64_t)i];
        for (int k = 0; k < 3; k++)
            if (t[k] < 0 || t[k] >= g->point_count)
                lithe_check_fail(check, "triangles",
                                 "triangles[%d] has point %d, must be from 0 to %d", i, t[k],
                                 g->point_count - 1);
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            lithe_check_fail(check, "triangles", "triangles[%d] is (%d, %d, %d), must differ", i,
                             t[0], t[1], t[2]);
    }
}

// the scale applies to a file, which replaces points
static void mesh(LitheCheck *check, const LitheGeomDef *g) {
    const LitheVec3 s = g->scale;
    bool solid = g->kind == LITHE_GEOM_CONVEX_MESH;
    if (g->path) {
        if (!*g->path)
            lithe_check_fail(check, "path", "path is empty");
        if (lithe_utf8_good(g->path, strlen(g->path)) < strlen(g->path))
            lithe_check_fail(check, "path", "path is not a text in UTF-8");
        if (g->points || g->triangles)
            lithe_check_fail(check, "path", "path and points are both given, one is expected");
        if (s.x == 0 || s.y == 0 || s.z == 0)
            lithe_check_fail(check, "scale", "scale is (%.9g, %.9g, %.9g), must not be 0", s.x, s.y,
                             s.z);
        return;
    }
    if (s.x != 1 || s.y != 1 || s.z != 1)
        lithe_check_fail(check, "scale", "scale is (%.9g, %.9g, %.9g), but needs path", s.x, s.y,
                         s.z);
    points(check, g, solid ? 4 : 3);
    if (!solid && check->status == LITHE_OK)
        triangles(check, g);
}

static void heightfield(LitheCheck *check, const LitheGeomDef *g) {
    if (!(g->size.x > 0 && g->size.y > 0))
        lithe_check_fail(check, "size", "size is (%.9g, %.9g) m, must be > 0", g->size.x,
                         g->size.y);
    if (g->rows < 2 || g->columns < 2 || !g->heights)
        lithe_check_fail(check, "heights", "heights has %d rows of %d, must have at least 2 of 2",
                         g->heights ? g->rows : 0, g->heights ? g->columns : 0);
    int64_t count = (int64_t)g->rows * g->columns;
    if (count > MAX_CELLS)
        lithe_check_fail(check, "heights", "heights has %lld values, must have at most %d",
                         (long long)count, MAX_CELLS);
    for (int64_t i = 0; check->status == LITHE_OK && i < count; i++)
        if (!(fabs(g->heights[i]) < LITHE_LONGEST))
            lithe_check_fail(check, "heights", "heights[%lld][%lld] is %g m, must be %s",
                             (long long)(i / g->columns), (long long)(i % g->columns),
                             g->heights[i], isfinite(g->heights[i]) ? "below 1e+100 m" : "finite");
}

// of a wall, a closed section or rounded corners
static void hollow(LitheCheck *check, const LitheGeomDef *g) {
    LitheError error = {0};
    if (check->status == LITHE_OK &&
        lithe_hollow_check(check->scene->context, g, &error) != LITHE_OK)
        lithe_check_fail(check, "outline", "%s", error.text);
}

static void revolution(LitheCheck *check, const LitheGeomDef *g) {
    const double *z = g->profile_z, *r = g->profile_r;
    lithe_check_number(check, "thickness", g->thickness, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "rounding", g->rounding, "m", LITHE_NOT_NEGATIVE);
    if (g->profile_count < 2 || !z || !r)
        lithe_check_fail(check, "outline",
                         "the number of points of outline is %d, must be at least 2",
                         z && r ? g->profile_count : 0);
    double widest = 0;
    bool free = check->status == LITHE_OK && lithe_hollow_is(g);
    for (int32_t i = 0; check->status == LITHE_OK && i < g->profile_count; i++) {
        if (!isfinite(z[i]) || !isfinite(r[i]) || r[i] < 0)
            lithe_check_fail(check, "outline",
                             "outline[%d] is (%.9g, %.9g) m, must be finite with a radius >= 0", i,
                             z[i], r[i]);
        else if (i > 0 && !free && !(z[i] > z[i - 1]))
            lithe_check_fail(check, "outline",
                             "outline[%d] is at z = %.9g m, must be above %.9g m, or there is a "
                             "thickness, or the outline ends where it begins",
                             i, z[i], z[i - 1]);
        else if (!(fmax(fabs(z[i]), r[i]) < LITHE_LONGEST))
            lithe_check_fail(check, "outline", "outline[%d] is (%g, %g) m, must be below %g m", i,
                             z[i], r[i], LITHE_LONGEST);
        widest = fmax(widest, r[i]);
    }
    if (widest == 0)
        lithe_check_fail(check, "outline", "outline has only radii of 0, one must be > 0");
    if (free)
        hollow(check, g);
}

static void hole(LitheCheck *check, double radius, double limit, const char *name) {
    lithe_check_number(check, "hole", radius, "m", LITHE_POSITIVE);
    if (!(radius < limit))
        lithe_check_fail(check, "hole", "hole has the radius %.9g m, must be < %s, %.9g m", radius,
                         name, limit);
}

static void rounding(LitheCheck *check, const LitheGeomDef *g) {
    lithe_check_number(check, "rounding", g->rounding, "m", LITHE_NOT_NEGATIVE);
    if (g->rounding > 0.5 * g->length * (1 + 1e-12) ||
        (g->rounding > 0 && g->rounding >= g->radius))
        lithe_check_fail(check, "rounding",
                         "rounding is %.9g m, must be at most half of the length, %.9g m, and "
                         "below the radius, %.9g m",
                         g->rounding, 0.5 * g->length, g->radius);
}

static void kind_values(LitheCheck *check, const LitheGeomDef *g) {
    switch (g->kind) {
    case LITHE_GEOM_HALF_SPACE:
        break;
    case LITHE_GEOM_SPHERE:
        lithe_check_number(check, "radius", g->radius, "m", LITHE_POSITIVE);
        break;
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_CYLINDER:
        lithe_check_number(check, "radius", g->radius, "m", LITHE_POSITIVE);
        lithe_check_number(check, "length", g->length, "m", LITHE_POSITIVE);
        if (g->kind == LITHE_GEOM_CYLINDER)
            rounding(check, g);
        break;
    case LITHE_GEOM_BOX:
    case LITHE_GEOM_ELLIPSOID:
        size(check, g->size);
        break;
    case LITHE_GEOM_CONVEX_MESH:
    case LITHE_GEOM_TRIANGLE_MESH:
        mesh(check, g);
        break;
    case LITHE_GEOM_HEIGHTFIELD:
        heightfield(check, g);
        break;
    case LITHE_GEOM_REVOLUTION:
        revolution(check, g);
        break;
    case LITHE_GEOM_TUBE:
        lithe_check_number(check, "radius", g->radius, "m", LITHE_POSITIVE);
        lithe_check_number(check, "length", g->length, "m", LITHE_POSITIVE);
        hole(check, g->hole, g->radius, "radius");
        break;
    case LITHE_GEOM_TORUS:
        lithe_check_number(check, "radius", g->radius, "m", LITHE_POSITIVE);
        lithe_check_number(check, "section", g->section_radius, "m", LITHE_POSITIVE);
        if (!(g->section_radius < g->radius))
            lithe_check_fail(check, "section", "section is %.9g m, must be < radius, %.9g m",
                             g->section_radius, g->radius);
        break;
    case LITHE_GEOM_PLATE:
        size(check, g->size);
        hole(check, g->hole, 0.5 * fmin(g->size.x, g->size.y), "half the smaller edge");
        break;
    case LITHE_GEOM_ELLIPTIC_CYLINDER:
        size(check, g->size);
        break;
    }
}

void lithe_check_geom(LitheCheck *check, const LitheGeomDef *g) {
    lithe_check_choice(check, "shape", (int)g->kind, LITHE_GEOM_KINDS);
    lithe_check_vector(check, "at", g->at, "m");
    lithe_check_quat(check, "rotate", g->rotation);
    int32_t materials = check->scene->material_count;
    if (g->material.number < 0 || g->material.number > materials)
        lithe_check_fail(check, "material", "material is number %d of %d", g->material.number,
                         materials);
    if (g->visual && g->material.number != 0)
        lithe_check_fail(check, "material",
                         "material is given, but the shape is visual: it is only drawn");
    const double colour[] = {g->colour.x, g->colour.y, g->colour.z};
    for (int i = 0; i < 3 && !(colour[0] < 0); i++)
        if (!(colour[i] >= 0 && colour[i] <= 1))
            lithe_check_fail(check, "colour", "colour[%d] is %.9g, must be 0 to 1", i, colour[i]);
    if (check->status != LITHE_OK)
        return;
    const char *outer = check->prefix;
    char prefix[128];
    snprintf(prefix, sizeof prefix, "%.60s%s.", outer, lithe_geom_keys[g->kind]);
    check->prefix = prefix;
    lithe_check_number(check, "radius", g->radius, "m", LITHE_ANY);
    lithe_check_number(check, "length", g->length, "m", LITHE_ANY);
    lithe_check_vector(check, "size", g->size, "m");
    lithe_check_vector(check, "scale", g->scale, "");
    // warns about lengths that were probably given in a wrong unit
    if (g->radius > 0)
        lithe_check_suspect(check, "radius", g->radius, 1e-7, 50, "m");
    if (g->length > 0)
        lithe_check_suspect(check, "length", g->length, 1e-7, 1000, "m");
    const double sides[] = {g->size.x, g->size.y, g->size.z};
    for (int i = 0; i < 3; i++)
        if (sides[i] > 0)
            lithe_check_suspect(check, "size", sides[i], 1e-7, 1000, "m");
    if (check->status == LITHE_OK)
        kind_values(check, g);
    check->prefix = outer;
}
