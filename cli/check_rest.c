// SPDX-License-Identifier: Apache-2.0
// cli/check_rest.c - lithe check: overlap of rods and bodies that rest under their weight
//
//     depth at rest    m g/(n k): k of a contact with the first fixed thing that can be touched, or
//                      with the first other thing if there is none; n is the number of points that
//                      carry the weight: the nodes of a rod; 1 (sphere, ellipsoid), 2 (capsule) or
//                      3 for a body. A solid on a solid: m g/(k A), with the stiffness per area k
//                      and the area A of the mean section across its smallest extent. By pressure
//                      fields of slope g (1/g = t/E summed over both, t the half thickness): m g/(g
//                      A) on a face, sqrt(m g/(pi R g)) of a sphere, (3 m g/(4 g L sqrt(2
//                      R)))^(2/3) of a cylinder on its side, and of a capsule the root of m g = 4/3
//                      g L d sqrt(2 R d) + pi R g d^2

#include "cli/cli.h"

#include "collide/collide.h"
#include "data/thing.h"
#include "geom/mass.h"

#include <math.h>
#include <stdlib.h>

typedef struct Rest {
    int32_t part;   // first part of the thing
    double mass;    // kg
    double size;    // half the thickness [m]
    int32_t points; // that carry it
} Rest;

static int32_t points_of(const LitheGeom *geom) {
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
    case LITHE_GEOM_ELLIPSOID:
        return 1;
    case LITHE_GEOM_CAPSULE:
        return 2;
    default:
        return 3;
    }
}

// Whether this is the first part of a free thing that can rest on others; fills its mass and size.
static bool rest_of(const LitheModel *model, const LitheContacts *c, int32_t part, Rest *out) {
    if (part > 0 && c->things[part] == c->things[part - 1])
        return false; // the thing was considered with its first part
    LitheThing thing = lithe_thing_at(model, c->things[part]);
    LitheSite site = lithe_thing_site(model, thing, 0, 0, v3(0, 0, 0));
    if (site.unit < 0)
        return false;
    const LitheUnit *unit = &model->units[site.unit];
    double half = lithe_thing_half_thickness(model, thing, 0);
    *out = (Rest){part, unit->mass, half, 1};
    if (lithe_part_kind(model, part) == LITHE_PART_SHAPE) {
        const LitheModelGeom *geom = &model->geoms[part - lithe_part_at(model, LITHE_PART_SHAPE)];
        out->size = geom->size;
        out->points = points_of(&geom->geom);
        // a body that joints hold does not lie on anything
        return unit->v_count == 6 && geom->size < INFINITY && unit->mass > 0;
    }
    if (lithe_part_kind(model, part) == LITHE_PART_BALL)
        return false; // lithe_cli_check_particles
    out->points = lithe_thing_point_count(model, thing);
    return half > 0;
}

static bool may_touch(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b) {
    return lithe_parts_may_touch(model, c, a < b ? a : b, a < b ? b : a);
}

// The first fixed part that this part can touch; if there is none, the first part of another thing;
// -1: there is none either.
static int32_t partner_of(const LitheModel *model, const LitheContacts *c, int32_t part) {
    int32_t first = lithe_part_at(model, LITHE_PART_SHAPE);
    for (int32_t i = 0; i < model->geom_count; i++)
        if (model->bodies[model->geoms[i].body].unit < 0 && may_touch(model, c, part, first + i))
            return first + i;
    for (int32_t i = 0; i < c->part_count; i++)
        if (c->things[i] != c->things[part] && may_touch(model, c, part, i))
            return i;
    return -1;
}

static const LitheGeom *geom_of(const LitheModel *model, int32_t part) {
    if (lithe_part_kind(model, part) != LITHE_PART_SHAPE)
        return NULL;
    return &model->geoms[part - lithe_part_at(model, LITHE_PART_SHAPE)].geom;
}

// whether the shape can rest on a flat face
static bool has_faces(const LitheGeom *geom) {
    return geom->kind != LITHE_GEOM_SPHERE && geom->kind != LITHE_GEOM_ELLIPSOID &&
           geom->kind != LITHE_GEOM_CAPSULE;
}

// whether the shape can rest on a face or on a line
static bool has_line(const LitheGeom *geom) {
    return geom && (has_faces(geom) || geom->kind == LITHE_GEOM_CAPSULE);
}

// Whether flat faces touch over their area, not only at corners: convex pairs, and on half-spaces
// and boxes.
static bool faces_are_whole(const LitheModel *model, int32_t part, int32_t partner) {
    const LitheGeom *a = geom_of(model, part), *b = geom_of(model, partner);
    if (!a || !b || !has_faces(a) || !has_faces(b))
        return true;
    if (model->contact.faces == LITHE_FACES_CORNERS)
        return false;
    if (b->kind == LITHE_GEOM_HALF_SPACE)
        return true;
    bool box = a->kind == LITHE_GEOM_BOX || b->kind == LITHE_GEOM_BOX;
    return (lithe_geom_is_convex(a) || box) && (lithe_geom_is_convex(b) || box);
}

// Whether the points of a face or line that turns share its load evenly: under other laws each
// opens a gap as fast as it slides, under lcp rigid points share it in any way.
static bool load_is_even(const LitheModel *model) {
    return model->contact.model == LITHE_CONTACT_CONVEX &&
           model->contact.law == LITHE_FRICTION_LAGGED;
}

static const LitheSurface *surface_of(const LitheModel *model, const LitheContacts *c,
                                      int32_t part) {
    return model->face_sets[lithe_part_face(model, c, part)->set].surface;
}

// a solid that lies flat on another one
static void print_solid(const LitheModel *model, const LitheContacts *c, const Rest *rest,
                        int32_t partner) {
    const LithePartOps *ops = lithe_part_ops(model, rest->part);
    const LitheSurface *own = surface_of(model, c, rest->part);
    LitheContact contact = {0};
    char text[32];
    lithe_combine_surfaces(model, ops->touch(model, c, rest->part), own,
                           ops->touch(model, c, partner), surface_of(model, c, partner), &contact);
    double depth = rest->mass * v3_norm(model->gravity) / (contact.stiffness * own->whole);
    printf("  %-26s '%s' would sink by %s if it lay flat on '%s' (%.3g m^2 of %.3g N/m^3)\n",
           "at rest", lithe_thing_name(model, lithe_thing_at(model, c->things[rest->part])),
           lithe_cli_nice(depth, "m", text),
           lithe_thing_name(model, lithe_thing_at(model, c->things[partner])), own->whole,
           contact.stiffness);
}

// depth in the field of a shape at a pressure of 1 Pa [m/Pa]; -1: it has none
static double yield_of(const LitheModel *model, int32_t part) {
    if (lithe_part_kind(model, part) != LITHE_PART_SHAPE)
        return -1;
    const LitheModelGeom *geom = &model->geoms[part - lithe_part_at(model, LITHE_PART_SHAPE)];
    if (geom->geom.kind == LITHE_GEOM_HALF_SPACE)
        return 0;
    return !geom->field ? -1 : geom->field->modulus > 0 ? geom->size / geom->field->modulus : 0;
}

// Depth of a line of the length L whose ends are halves of a ball, or flat, under a force: the
// pressure at x across it is that of the depth d - x^2/(2 R).
static double line_depth(double radius, double length, bool balls, double slope, double force) {
    double line = 4 / 3.0 * length * sqrt(2 * radius) * slope, ball = balls ? M_PI * radius : 0;
    double low = 0, high = pow(force / line, 2 / 3.0); // of the line alone
    while (high - low > 1e-9 * high) {
        double d = 0.5 * (low + high);
        *(line * d * sqrt(d) + ball * slope * d * d < force ? &low : &high) = d;
    }
    return high;
}

// a body on its pressure field, or on that of what it lies on; false: they touch at points
static bool print_field(const LitheModel *model, const LitheContacts *c, const Rest *rest,
                        int32_t partner) {
    double own = yield_of(model, rest->part), other = yield_of(model, partner);
    if (own < 0 || other < 0 || !(own + other > 0))
        return false;
    const LitheGeom *geom = geom_of(model, rest->part);
    double slope = 1 / (own + other), force = rest->mass * v3_norm(model->gravity), depth;
    const char *how = "flat ";
    char text[32];
    bool cylinder = geom->kind == LITHE_GEOM_CYLINDER && geom->half.z > geom->radius;
    bool capsule = geom->kind == LITHE_GEOM_CAPSULE;
    if (capsule || cylinder) {
        double length = capsule ? v3_distance(geom->end[0], geom->end[1]) : 2 * geom->half.z;
        how = "on its side ";
        depth = line_depth(geom->radius, length, capsule, slope, force);
    } else if (geom->kind == LITHE_GEOM_SPHERE) {
        how = "";
        depth = sqrt(force / (M_PI * geom->radius * slope));
    } else {
        LitheGeomMass mass;
        if (lithe_geom_mass(geom, &mass, NULL) != LITHE_OK)
            return false;
        depth = force * 2 * rest->size / (slope * mass.volume);
    }
    printf("  %-26s '%s' would sink by %s if it lay %son '%s' (pressure field of %.3g Pa/m)\n",
           "at rest", lithe_thing_name(model, lithe_thing_at(model, c->things[rest->part])),
           lithe_cli_nice(depth, "m", text), how,
           lithe_thing_name(model, lithe_thing_at(model, c->things[partner])), slope);
    return true;
}

static void print_rest(const LitheModel *model, const LitheContacts *c, const Rest *rest) {
    const LithePartOps *a = lithe_part_ops(model, rest->part);
    int32_t partner = partner_of(model, c, rest->part);
    if (partner < 0)
        return;
    bool solid = lithe_part_kind(model, rest->part) == LITHE_PART_FACE;
    if (print_field(model, c, rest, partner))
        return;
    if (solid && lithe_part_kind(model, partner) == LITHE_PART_FACE)
        print_solid(model, c, rest, partner);
    // stiffness of other contacts of solids depends on the area that touches
    if (solid || lithe_part_kind(model, partner) == LITHE_PART_FACE)
        return;
    const LithePartOps *b = lithe_part_ops(model, partner);
    LitheContact contact = {0};
    lithe_combine(model, a->touch(model, c, rest->part), a->size(model, c, rest->part),
                  b->touch(model, c, partner), b->size(model, c, partner), &contact);
    double force = rest->mass * v3_norm(model->gravity) / rest->points;
    double depth = force / contact.stiffness, part = depth / (2 * rest->size);
    const char *name = lithe_thing_name(model, lithe_thing_at(model, c->things[rest->part]));
    char text[32], on[160];
    snprintf(on, sizeof on, "'%.100s'",
             lithe_thing_name(model, lithe_thing_at(model, c->things[partner])));
    printf("  %-26s '%s' would sink by %s if it lay on %s (%d %s of %.3g N/m)\n", "at rest", name,
           lithe_cli_nice(depth, "m", text), on, rest->points,
           rest->points == 1 ? "contact" : "contacts", contact.stiffness);
    if (!faces_are_whole(model, rest->part, partner))
        printf(
            "  note: flat faces of '%s' touch %s at their corners only: friction against turning "
            "on\n  them is 1.5 times (disc) to 2 times, resistance to rocking up to 3 times that "
            "of the whole face\n",
            name, on);
    else if (!load_is_even(model) && has_line(geom_of(model, rest->part)) &&
             has_line(geom_of(model, partner)))
        printf("  note: with this contact model or law of friction the load of a face or line of "
               "'%s' is not\n  even while it turns on %s: friction against turning is up to 1.5 "
               "times (face) to 3 times\n  (line) that of an even one\n",
               name, on);
    if (part > LITHE_CLI_DEEP_REST)
        lithe_cli_complain(
            "warning: '%s' would sink by %s if it lay on %s, %.2g %% of its thickness (small "
            "is below %.2g %%): set a contact stiffness of at least %.2g N/m for the "
            "pair, or leave it out for the automatic value",
            name, text, on, 100 * part, 100 * LITHE_CLI_DEEP_REST,
            contact.stiffness * part / LITHE_CLI_DEEP_REST);
}

void lithe_cli_check_rest(const LitheModel *model, const LitheState *state) {
    LitheContacts *c = lithe_contacts_create(model->context);
    LitheCollideOptions options = {0};
    LitheCliFold fold = {0};
    if (v3_norm(model->gravity) > 0 && c && lithe_collide_proxies(model, state, &options, c))
        for (int32_t part = 0; part < c->part_count; part++) {
            Rest rest;
            if (rest_of(model, c, part, &rest) &&
                !lithe_cli_fold(&fold,
                                lithe_thing_name(model, lithe_thing_at(model, c->things[part]))))
                print_rest(model, c, &rest);
        }
    lithe_contacts_destroy(c);
}
