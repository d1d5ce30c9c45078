// SPDX-License-Identifier: Apache-2.0
// model/suspect.c - warnings of values that are legal, but unusual in combination: sizes, strains,
// masses, times

#include "base/log.h"
#include "body/poke.h"
#include "body/pose_drive.h"
#include "body/rod.h"
#include "data/part.h"
#include "model/compile.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// natural angle at a node that is a corner of the rod [rad], and the part of the compliance of the
// rod that may be missing at its corners
#define CORNER 0.5
#define STIFF_CORNERS 0.01
// GJ over EI below which rods are warned of: 11 degrees at a node
#define SOFT_TWIST 0.01
// half thickness over length above which the laws of rods are not accurate
#define STOUT 0.2
// a larger mesh of a body is probably one in millimetres [m]
#define LARGE_MESH 20.0
// strain at the start above which the laws of rods, which assume small strains, are not accurate
#define STRAINED 0.2
// a larger ratio of masses is often a mistake in units, and makes the linear solve less accurate
#define MASS_RATIO 1e7
// distance from the origin over the shortest edge above which rounding strains elements visibly
#define FAR 1e7
// rounding of elastic forces over the weight of a node above which motion is rounding
#define NOISY 1.0
// acceleration to compare with where there is no gravity [m/s^2]
#define GRAVITY 9.80665

// (J5): nodes where the natural shape turns by an angle are stiffer by 1/cos^4 of half of it
static void suspect_corners(const LitheModel *model, const LitheRod *rod) {
    double length = 0, missing = 0, worst = 0;
    int32_t where = 0;
    for (int32_t k = 0; k < rod->corner_count; k++) {
        const LitheRodCorner *c = &rod->corners[k];
        const double *K = rod->rest_curvature + 2 * (int64_t)c->node;
        double l = 0.5 * (rod->built_length[c->before] * rod->rest_stretch[c->before] +
                          rod->built_length[c->after] * rod->rest_stretch[c->after]);
        double angle = hypot(K[0], K[1]) * l, cosine = cos(fmin(0.5 * angle, 1.5));
        length += l;
        if (angle > CORNER)
            missing += l * (1 - cosine * cosine * cosine * cosine);
        if (angle > worst) {
            worst = angle;
            where = c->node;
        }
    }
    if (missing > STIFF_CORNERS * length && fmax(rod->EI1, rod->EI2) > 0)
        lithe_log(
            model->context, LITHE_LOG_WARNING,
            "rod '%s': its natural shape turns by up to %.3g degrees at a node (node %d), and "
            "such nodes are too stiff in bending: up to %.2g %% of the flexibility of the rod "
            "is missing; take more nodes, or two rods welded end to end where it has a corner",
            rod->name, worst * 180 / M_PI, (int)where, 100 * missing / length);
}

// (J6)
static void suspect_twist(const LitheModel *model, const LitheRod *rod) {
    double least = fmin(rod->EI1, rod->EI2);
    if (!(rod->GJ < SOFT_TWIST * least))
        return;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "rod '%s': GJ is %.3g N m^2, EI %.3g N m^2: where it turns by more than %.3g degrees "
              "at a node, it would twist and lose its stiffness in bending; take more nodes (no GJ "
              "stands for 2/3 of EI)",
              rod->name, rod->GJ, least, 2 * atan(sqrt(rod->GJ / least)) * 180 / M_PI);
}

static void suspect_rod(const LitheModel *model, const LitheRod *rod) {
    suspect_corners(model, rod);
    suspect_twist(model, rod);
    double length = 0, worst = 0;
    int32_t where = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        length += rod->built_length[i];
        double strain = 1 / rod->rest_stretch[i] - 1;
        if (fabs(strain) > fabs(worst)) {
            worst = strain;
            where = i;
        }
    }
    double thick = model->units[rod->unit].thickness;
    if (thick > STOUT * length)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "rod '%s': its section has a half thickness of %.9g m, but it is %.3g m long: "
                  "legal, but unusual (typical: up to %g of the length)",
                  rod->name, thick, length, STOUT);
    if (fabs(worst) > STRAINED)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "rod '%s': edge %d is strained by %.3g %% at the start: legal, but unusual "
                  "(typical: up to %g %%)",
                  rod->name, (int)where, 100 * worst, 100 * STRAINED);
}

// Rounding of the positions of nodes, in an element of modulus E and size e: forces of E eps x e.
static void suspect_stiffness(const LitheModel *model, const LitheSolid *solid, double far) {
    int32_t free = 0;
    double mass = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        const unsigned char *held = solid->held + 3 * (int64_t)i;
        free += !(held[0] && held[1] && held[2]);
        mass += held[0] && held[1] && held[2] ? 0 : solid->mass[i];
    }
    double g = v3_norm(model->gravity) > 0 ? v3_norm(model->gravity) : GRAVITY;
    double size = cbrt(solid->volume / fmax(1, solid->mesh.node_count));
    double noise = solid->modulus * DBL_EPSILON * far * size, weight = free ? mass * g / free : 0;
    if (free > 0 && noise > NOISY * weight)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "solid '%s': its modulus is %.3g Pa, so that rounding of positions alone exerts "
                  "forces of about %.1g N on a node, whose weight is %.1g N (small is below %g of "
                  "it): it may not move, and its results are rounding; a rigid body does not have "
                  "this limit",
                  solid->name, solid->modulus, noise, weight, NOISY);
}

// held nodes are at rest, whatever the velocity of their solid is
static void suspect_velocities(const LitheModel *model, const LitheSolid *solid) {
    int32_t count = 0, first = -1;
    double fastest = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        const double v[3] = {solid->v0[i].x, solid->v0[i].y, solid->v0[i].z};
        double lost = 0;
        for (int c = 0; c < 3; c++)
            if (solid->held[3 * (int64_t)i + c])
                lost = fmax(lost, fabs(v[c]));
        if (!(lost > 0) || (solid->rider_of && solid->rider_of[i] >= 0))
            continue;
        first = count++ == 0 ? i : first;
        fastest = fmax(fastest, lost);
    }
    if (count > 0)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "solid '%s': %d of its nodes, the first is %d, are held or driven and do not "
                  "take its initial velocity (up to %.3g m/s there)",
                  solid->name, (int)count, (int)first, fastest);
}

// A solid far from the origin: nodes are rounded to 1e-16 of their distance, and the differences of
// nodes are the strains of elements.
static void suspect_solid(const LitheModel *model, const LitheSolid *solid) {
    double far = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        far = fmax(far, v3_norm(solid->mesh.nodes[i]));
    if (far > FAR * solid->edge)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "solid '%s': it is %.3g m from the origin, its shortest edge is %.3g m long: "
                  "rounding alone strains its elements by %.1g (small is below %.1g)",
                  solid->name, far, solid->edge, DBL_EPSILON * far / solid->edge,
                  DBL_EPSILON * FAR);
    suspect_stiffness(model, solid, far);
    suspect_velocities(model, solid);
}

static bool meet(const LitheTouch *a, const LitheTouch *b) {
    return (a->group & b->mask) && (b->group & a->mask);
}

// Some contacts have no ellipses. Under imc and spt capsules of the larger half-axis stand for
// them, at soft surfaces those of the smaller one. A pressure field has the true section.
void lithe_warn_of_ellipses(const LitheModel *model) {
    for (int32_t i = 0; lithe_can_touch(model) && i < model->rod_count; i++) {
        const LitheRod *rod = &model->rods[i];
        double larger = 0.5 * fmax(rod->section.width, rod->section.height);
        double smaller = lithe_rod_half_thickness(rod);
        if (rod->section.kind != LITHE_SECTION_ELLIPSE || !(smaller < larger) ||
            (model->patches && rod->touch.patch_modulus > 0))
            continue;
        if (rod->section.radius > 0)
            lithe_log(
                model->context, LITHE_LOG_WARNING,
                "rod '%s': its elliptic section touches as a circle with its larger half-axis "
                "of %.3g m, too thick by %.3g m across the smaller one (it touches as an "
                "ellipse with contact.model convex)",
                rod->name, larger, larger - smaller);
        else if (model->face_count > 0)
            lithe_log(model->context, LITHE_LOG_WARNING,
                      "rod '%s': its elliptic section touches soft surfaces as a circle with its "
                      "smaller half-axis of %.3g m, too thin by %.3g m across the larger one (it "
                      "touches as an ellipse where its material has contact.patches.modulus)",
                      rod->name, smaller, larger - smaller);
    }
}

// A patch needs a pressure field on one side at least.
void lithe_warn_of_rigid_pairs(const LitheModel *model) {
    const LitheModelGeom *first[2] = {NULL, NULL};
    int64_t count = 0;
    bool on = model->patches && model->contact.patches == LITHE_PATCHES_ON;
    for (int32_t g = 0; on && g < model->geom_count; g++)
        for (int32_t h = 0; h < g; h++) {
            const LitheModelGeom *a = &model->geoms[h], *b = &model->geoms[g];
            if (a->body == b->body || a->touch.patch_modulus > 0 || b->touch.patch_modulus > 0 ||
                (model->bodies[a->body].unit < 0 && model->bodies[b->body].unit < 0) ||
                !meet(&a->touch, &b->touch) ||
                lithe_is_ignored(model, (LitheThing){LITHE_THING_BODY, a->body + 1},
                                 (LitheThing){LITHE_THING_BODY, b->body + 1}))
                continue;
            if (count++ == 0) {
                first[0] = a;
                first[1] = b;
            }
        }
    if (count > 0)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "contact.patches is on, but bodies '%s' and '%s'%s are both rigid: they touch at "
                  "points (contact.patches.modulus in one of their materials makes a patch)",
                  model->bodies[first[0]->body].name, model->bodies[first[1]->body].name,
                  count > 1 ? ", among others," : "");
}

// Shapes that are not convex touch nodes only: those that are smaller than the triangles of a
// surface along two directions pass between them. Plates, which are thin along one, do so only with
// their edges. Convex shapes touch triangles, and steps are certified for them (SC32).
void lithe_warn_of_small_shapes(const LitheModel *model) {
    for (int32_t i = 0; model->contact.enabled && i < model->solid_count; i++) {
        const LitheSolid *solid = &model->solids[i];
        double edge = solid->longest_edge, least = INFINITY;
        const char *name = NULL;
        int32_t count = 0;
        for (int32_t g = 0; g < model->geom_count; g++) {
            const LitheModelGeom *geom = &model->geoms[g];
            const LithePose here = place_identity();
            Vec3 low, high;
            if (lithe_geom_is_convex(&geom->geom) || geom->geom.kind == LITHE_GEOM_HALF_SPACE ||
                geom->geom.kind == LITHE_GEOM_HEIGHTFIELD || !meet(&solid->touch, &geom->touch) ||
                lithe_is_ignored(model, (LitheThing){LITHE_THING_SOLID, i + 1},
                                 (LitheThing){LITHE_THING_BODY, geom->body + 1}))
                continue;
            lithe_geom_bounds(&geom->geom, &here, NULL, &low, &high);
            Vec3 size = v3_sub(high, low);
            // the second smallest of the three
            double width = fmax(fmin(size.x, size.y), fmin(fmax(size.x, size.y), size.z));
            if (!(width < edge))
                continue;
            count++;
            if (width < least) {
                least = width;
                name = model->bodies[geom->body].name;
            }
        }
        if (count > 0)
            lithe_log(model->context, LITHE_LOG_WARNING,
                      "solid '%s': '%s' is %.3g m wide and not convex, but the edges of the "
                      "surface are up "
                      "to %.3g m long: it touches nodes only and can pass between them%s (smaller "
                      "elements help; ignore or disjoint group and mask silence this)",
                      solid->name, name, least, edge, count > 1 ? "; so can other shapes" : "");
    }
}

// times that one message lists
enum { LISTED = 4 };

static void tell_corners(const LitheModel *model, const LithePoseDrive *drive) {
    char times[120] = "";
    int32_t count = 0;
    for (int32_t i = 0; i < drive->count; i++) {
        if (!lithe_pose_path_jumps(drive, i))
            continue;
        size_t used = strlen(times);
        if (count++ < LISTED)
            snprintf(times + used, sizeof times - used, "%s%.6g", used ? ", " : "",
                     drive->times[i]);
    }
    if (count > 0)
        lithe_log(
            model->context, LITHE_LOG_INFO,
            "pose drive '%s': its velocity jumps at t = %s%s s, corners of its path: the "
            "exact drive exerts a large effort there for one step; 'kind: smooth' is at rest in "
            "every pose, more poses round the corners%s",
            drive->name, times, count > LISTED ? " .." : "",
            drive->ik.joint_count > 0 ? ", or give the drive a stiffness and joint-damping" : "");
}

// shapes that were given as points
static void suspect_mesh(const LitheModel *model, const LitheModelGeom *shape) {
    const LitheGeom *geom = &shape->geom;
    bool mesh = geom->kind == LITHE_GEOM_TRIANGLE_MESH || geom->kind == LITHE_GEOM_CONVEX_MESH;
    Vec3 size = v3_sub(geom->high, geom->low);
    if (!mesh || geom->exact || geom->section_corners > 0 ||
        !(fmax(size.x, fmax(size.y, size.z)) > LARGE_MESH))
        return;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "body '%s': its mesh is %.4g m x %.4g m x %.4g m large: if the file is in "
              "millimetres, write scale: 0.001",
              model->bodies[shape->body].name, size.x, size.y, size.z);
}

// the unit that limits the step of symplectic Euler most
static void suspect_step(const LitheModel *model) {
    const LitheUnit *stiffest = NULL;
    double limit = lithe_explicit_limit(model, &stiffest);
    if (stiffest && model->time.step > limit)
        lithe_log(
            model->context, LITHE_LOG_WARNING,
            "time.step is %.3g s, and symplectic Euler is stable up to a step of about %.3g s "
            "here, by %s '%s': results are doubtful; use %.2g s or an implicit scheme",
            model->time.step, limit, lithe_unit_kinds[stiffest->kind]->kind, stiffest->name,
            0.8 * limit);
}

void lithe_warn_of_suspects(const LitheModel *model) {
    if (model->time.scheme == LITHE_SCHEME_SYMPLECTIC)
        suspect_step(model);
    for (int32_t i = 0; i < model->geom_count; i++)
        suspect_mesh(model, &model->geoms[i]);
    for (int32_t i = 0; i < model->pose_drive_count; i++)
        if (model->time.scheme != LITHE_SCHEME_STATIC)
            tell_corners(model, lithe_pose_drive_at(model, i));
    for (int32_t r = 0; r < model->rod_count; r++)
        suspect_rod(model, &model->rods[r]);
    for (int32_t i = 0; i < model->solid_count; i++)
        suspect_solid(model, &model->solids[i]);
    const LitheUnit *light = NULL, *heavy = NULL;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        if (!(unit->mass > 0))
            continue;
        light = !light || unit->mass < light->mass ? unit : light;
        heavy = !heavy || unit->mass > heavy->mass ? unit : heavy;
    }
    if (light && heavy->mass > MASS_RATIO * light->mass)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "'%s' has a mass of %.3g kg and '%s' one of %.3g kg: legal, but unusual "
                  "(typical: up to %g times)",
                  light->name, light->mass, heavy->name, heavy->mass, MASS_RATIO);
}
