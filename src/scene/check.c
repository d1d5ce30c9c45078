// SPDX-License-Identifier: Apache-2.0
// scene/check.c - the limits of the values of a scene: materials, rods, time, and all objects

#include "scene/objects.h"

#include "base/log.h"
#include "base/text.h"
#include "geom/curve.h"
#include "math/vec3.h"
#include "scene/plan.h"

#include <stdio.h>
#include <string.h>

// degrees of freedom (4 per node) must fit into 32 bits
#define MAX_NODES 100000000
#define MAX_NODES_TOGETHER 500000000
// largest over smallest step: 2 to the power of LITHE_ADAPT_LEVELS
#define MAX_ADAPTION 1099511627776.0
// with more steps, the length of a step would be lost in the rounding of the time
#define MAX_STEPS 1e12

static void select_section(LitheCheck *check, const char *section) {
    snprintf(check->label, sizeof check->label, "%s", section);
    snprintf(check->path, sizeof check->path, "%s", section);
    check->prefix = "";
}

// --- helpers -------------------------------------------------------------------------------------

static bool is_zero(LitheVec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// --- materials and sections ----------------------------------------------------------------------

// Values of a material or a pair. Not checked: a stiffness of 0, which stands for one computed from
// the modulus, and NaN, which stands for the value of the materials of the pair.
static void suspect_contact(LitheCheck *check, double friction, const char *key, double stiffness) {
    if (!isnan(friction))
        lithe_check_suspect(check, "friction", friction, 0, 3, "");
    if (stiffness > 0)
        lithe_check_suspect(check, key, stiffness, 1, 1e12, "N/m");
}

void lithe_check_material(LitheCheck *check, const void *def) {
    const LitheMaterialDef *m = def;
    lithe_check_number(check, "young", m->young, "Pa", LITHE_POSITIVE);
    lithe_check_number(check, "poisson", m->poisson, "", LITHE_ANY);
    if (!(m->poisson > -1 && m->poisson <= 0.5))
        lithe_check_fail(check, "poisson", "poisson is %.9g, must be > -1 and <= 0.5", m->poisson);
    lithe_check_number(check, "shear", m->shear, "Pa", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "density", m->density, "kg/m^3", LITHE_POSITIVE);
    lithe_check_number(check, "damping.mass", m->damping_mass, "1/s", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping.stiffness", m->damping_stiffness, "s", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "friction", m->friction, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "torsional-friction", m->torsional_friction, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "rolling-friction", m->rolling_friction, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "yield", m->yield, "Pa", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "strain-limit", m->strain_limit, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "contact.stiffness", m->contact_stiffness, "N/m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "contact.dissipation", m->contact_dissipation, "s/m",
                       LITHE_NOT_NEGATIVE);
    if (!isnan(m->patch_modulus)) {
        lithe_check_number(check, "contact.patches.modulus", m->patch_modulus, "Pa",
                           LITHE_POSITIVE);
        lithe_check_suspect(check, "contact.patches.modulus", m->patch_modulus, 1e2, 1e10, "Pa");
    }
    lithe_check_number(check, "contact.patches.dissipation", m->patch_dissipation, "s/m",
                       LITHE_NOT_NEGATIVE);
    if (m->patch_sectors != 0 && (m->patch_sectors < 8 || m->patch_sectors > 512))
        lithe_check_fail(check, "contact.patches.sectors",
                         "contact.patches.sectors is %d, must be 8 to 512", (int)m->patch_sectors);
    // moduli from soft gels to beyond diamond; densities from foam to beyond osmium
    lithe_check_suspect(check, "young", m->young, 1e3, 2e12, "Pa");
    lithe_check_suspect(check, "poisson", m->poisson, 0, 0.5, "");
    if (m->yield > 0)
        lithe_check_suspect(check, "yield", m->yield, 1e-6 * m->young, m->young, "Pa");
    lithe_check_suspect(check, "density", m->density, 10, 3e4, "kg/m^3");
    lithe_check_suspect(check, "damping.stiffness", m->damping_stiffness, 0, 10, "s");
    suspect_contact(check, m->friction, "contact.stiffness", m->contact_stiffness);
}

// a material of a pair must exist
static void check_pair_side(LitheCheck *check, const char *key, LitheMaterialId id) {
    if (id.number < 1 || id.number > check->scene->material_count)
        lithe_check_fail(check, key, "%s: there is no material number %d", key, (int)id.number);
}

void lithe_check_material_pair(LitheCheck *check, const void *def) {
    const LitheMaterialPairDef *p = def;
    const struct {
        const char *key;
        double value;
        const char *unit;
    } values[] = {{"friction", p->friction, ""},
                  {"stiffness", p->stiffness, "N/m"},
                  {"dissipation", p->dissipation, "s/m"},
                  {"torsional-friction", p->torsional_friction, "m"},
                  {"rolling-friction", p->rolling_friction, "m"}};
    bool given = false;
    check_pair_side(check, "a", p->a);
    check_pair_side(check, "b", p->b);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (isnan(values[i].value))
            continue;
        given = true;
        bool spring = values[i].unit[0] == 'N';
        lithe_check_number(check, values[i].key, values[i].value, values[i].unit,
                           spring ? LITHE_POSITIVE : LITHE_NOT_NEGATIVE);
    }
    if (!given)
        lithe_check_fail(check, "",
                         "nothing is given: friction, stiffness, dissipation, torsional-friction "
                         "or rolling-friction is required");
    suspect_contact(check, p->friction, "stiffness", p->stiffness);
}

// Each pair of materials may be given only once.
void lithe_check_material_pairs(LitheCheck *check) {
    const LitheScene *s = check->scene;
    for (int32_t i = 0; i < s->material_pair_count; i++)
        for (int32_t k = 0; k < i; k++) {
            const LitheMaterialPairDef *p = &s->material_pairs[i], *q = &s->material_pairs[k];
            bool same = (p->a.number == q->a.number && p->b.number == q->b.number) ||
                        (p->a.number == q->b.number && p->b.number == q->a.number);
            if (!same)
                continue;
            lithe_object_select(check, LITHE_OBJECT_MATERIAL_PAIR, i);
            lithe_check_fail(check, "", "'%s' and '%s' are a pair already, in '%s'",
                             s->materials[p->a.number - 1].name, s->materials[p->b.number - 1].name,
                             q->name ? q->name : "an earlier one");
            return;
        }
}

static void section(LitheCheck *check, const LitheSectionDef *s) {
    static const char *const prefixes[] = {"section.circle.", "section.rectangle.",
                                           "section.ellipse.", "section.stiffness."};
    lithe_check_choice(check, "section", (int)s->kind, LITHE_SECTION_STIFFNESS + 1);
    if (check->status != LITHE_OK)
        return;
    bool own = s->kind == LITHE_SECTION_STIFFNESS;
    bool round = own || s->kind == LITHE_SECTION_CIRCLE;
    LitheLimit sides = round ? LITHE_ANY : LITHE_POSITIVE;
    check->prefix = prefixes[s->kind];
    lithe_check_number(check, "radius", s->radius, "m", round ? LITHE_POSITIVE : LITHE_ANY);
    lithe_check_number(check, "width", s->width, "m", sides);
    lithe_check_number(check, "height", s->height, "m", sides);
    lithe_check_number(check, "EA", s->EA, "N", own ? LITHE_POSITIVE : LITHE_ANY);
    lithe_check_number(check, "EI1", s->EI1, "N m^2", own ? LITHE_NOT_NEGATIVE : LITHE_ANY);
    lithe_check_number(check, "EI2", s->EI2, "N m^2", own ? LITHE_NOT_NEGATIVE : LITHE_ANY);
    lithe_check_number(check, "GJ", s->GJ, "N m^2", own ? LITHE_NOT_NEGATIVE : LITHE_ANY);
    lithe_check_number(check, "mass-per-length", s->mass_per_length, "kg/m",
                       own ? LITHE_POSITIVE : LITHE_ANY);
    lithe_check_number(check, "spin-per-length", s->spin_per_length, "kg m",
                       own ? LITHE_NOT_NEGATIVE : LITHE_ANY);
    lithe_check_number(check, "strength", s->strength, "N", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "strain-limit", s->strain_limit, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping.mass", s->damping_mass, "1/s", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping.stiffness", s->damping_stiffness, "s", LITHE_NOT_NEGATIVE);
    // from nanofibres to pipes
    if (round)
        lithe_check_suspect(check, "radius", s->radius, 1e-9, 2, "m");
    if (!round) {
        lithe_check_suspect(check, "width", s->width, 1e-9, 4, "m");
        lithe_check_suspect(check, "height", s->height, 1e-9, 4, "m");
    }
    check->prefix = "";
}

// --- shapes --------------------------------------------------------------------------------------

static void points(LitheCheck *check, const LitheShapeDef *s) {
    int32_t min = s->closed ? 3 : 2;
    if (s->point_count < min || !s->points)
        lithe_check_fail(check, "points", "the number of points is %d, must be at least %d%s",
                         s->points ? s->point_count : 0, min, s->closed ? " when closed" : "");
    char name[64];
    for (int32_t i = 0; i < s->point_count && check->status == LITHE_OK; i++) {
        snprintf(name, sizeof name, "points[%d]", i);
        lithe_check_vector(check, name, s->points[i], "m");
        int32_t before = i > 0 ? i - 1 : s->point_count - 1;
        if ((i > 0 || s->closed) && is_zero(v3_sub(s->points[i], s->points[before])))
            lithe_check_fail(check, name, "points[%d] and points[%d] are the same point", before,
                             i);
    }
}

static void pieces(LitheCheck *check, const LitheShapeDef *s) {
    if (s->piece_count < 1 || !s->pieces)
        lithe_check_fail(check, "pieces", "pieces has no pieces, must have at least 1");
    char name[64];
    for (int32_t i = 0; i < s->piece_count && check->status == LITHE_OK; i++) {
        const LithePathPiece *p = &s->pieces[i];
        bool turns = p->turn != 0;
        snprintf(name, sizeof name, "pieces[%d]", i);
        if (turns == (p->straight != 0))
            lithe_check_fail(check, name, "%s is %s, must be one of them", name,
                             turns ? "straight and a turn" : "neither straight nor a turn");
        snprintf(name, sizeof name, "pieces[%d].straight", i);
        lithe_check_number(check, name, p->straight, "m", LITHE_NOT_NEGATIVE);
        snprintf(name, sizeof name, "pieces[%d].turn", i);
        lithe_check_number(check, name, p->turn, "rad", LITHE_ANY);
        snprintf(name, sizeof name, "pieces[%d].radius", i);
        lithe_check_number(check, name, p->radius, "m", turns ? LITHE_POSITIVE : LITHE_ANY);
        snprintf(name, sizeof name, "pieces[%d].climb", i);
        lithe_check_number(check, name, p->climb, "m", LITHE_ANY);
    }
}

static void shape_values(LitheCheck *check, const LitheShapeDef *s) {
    switch (s->kind) {
    case LITHE_SHAPE_LINE:
        if (is_zero(v3_sub(s->to, s->from)))
            lithe_check_fail(check, "to", "line: from and to are the same point");
        break;
    case LITHE_SHAPE_ARC:
        lithe_check_number(check, "radius", s->radius, "m", LITHE_POSITIVE);
        if (s->angle == 0)
            lithe_check_fail(check, "angle", "arc: angle is 0, must not be 0");
        break;
    case LITHE_SHAPE_RING:
        lithe_check_number(check, "radius", s->radius, "m", LITHE_POSITIVE);
        break;
    case LITHE_SHAPE_HELIX:
        lithe_check_number(check, "radius", s->radius, "m", LITHE_POSITIVE);
        lithe_check_number(check, "turns", s->turns, "", LITHE_POSITIVE);
        break;
    case LITHE_SHAPE_CATENARY: {
        double span = v3_norm(v3_sub(s->to, s->from));
        lithe_check_number(check, "length", s->length, "m", LITHE_POSITIVE);
        if (!(s->length > span))
            lithe_check_fail(check, "length",
                             "catenary: length is %.9g m, must be > %.9g m, the "
                             "distance of its ends",
                             s->length, span);
        break;
    }
    case LITHE_SHAPE_POLYLINE:
    case LITHE_SHAPE_SPLINE:
        points(check, s);
        break;
    case LITHE_SHAPE_FILE:
        if (!s->path || !*s->path)
            lithe_check_fail(check, "path", "file: path is missing");
        break;
    case LITHE_SHAPE_OVERHAND_KNOT:
        lithe_check_number(check, "length", s->length, "m", LITHE_POSITIVE);
        if (s->unknotting < 1)
            lithe_check_fail(check, "unknotting", "unknotting is %d, must be >= 1", s->unknotting);
        break;
    case LITHE_SHAPE_PATH:
        pieces(check, s);
        break;
    }
}

void lithe_check_shape(LitheCheck *check, const LitheShapeDef *s) {
    static const char *const prefixes[] = {
        "shape.line.",          "shape.arc.",      "shape.ring.",   "shape.helix.",
        "shape.catenary.",      "shape.polyline.", "shape.spline.", "shape.file.",
        "shape.overhand-knot.", "shape.path.",
    };
    lithe_check_choice(check, "shape", (int)s->kind, LITHE_SHAPE_PATH + 1);
    if (check->status != LITHE_OK)
        return;
    check->prefix = prefixes[s->kind];
    lithe_check_vector(check, "from", s->from, "m");
    lithe_check_vector(check, "to", s->to, "m");
    lithe_check_number(check, "length", s->length, "m", LITHE_ANY);
    lithe_check_number(check, "radius", s->radius, "m", LITHE_ANY);
    lithe_check_number(check, "angle", s->angle, "rad", LITHE_ANY);
    lithe_check_number(check, "pitch", s->pitch, "m", LITHE_ANY);
    lithe_check_number(check, "turns", s->turns, "", LITHE_ANY);
    lithe_check_vector(check, "rotate", s->rotate, "rad");
    lithe_check_vector(check, "at", s->at, "m");
    if (check->status == LITHE_OK)
        shape_values(check, s);
    check->prefix = "";
}

// --- rods ----------------------------------------------------------------------------------------

bool lithe_rod_def_closed(const LitheRodDef *rod) {
    return lithe_shape_closed(&rod->shape);
}

int32_t lithe_rod_def_node_count(const LitheRodDef *rod) {
    if (rod->nodes != 0)
        return rod->nodes;
    return rod->shape.kind == LITHE_SHAPE_POLYLINE ? rod->shape.point_count : -1;
}

static void node_count(LitheCheck *check, const LitheRodDef *rod) {
    bool of_points = rod->shape.kind == LITHE_SHAPE_POLYLINE || rod->shape.kind == LITHE_SHAPE_FILE;
    bool closed = lithe_rod_def_closed(rod);
    int clamps = rod->clamp_start + rod->clamp_end;
    int32_t min = closed ? 5 : clamps ? 2 + clamps : 2;
    const char *why = closed ? " when closed" : clamps ? " when clamped" : "";
    if (clamps && closed)
        lithe_check_fail(check, "clamped", "clamped is given, but a closed rod has no ends");
    if (rod->nodes == 0 && !of_points)
        lithe_check_fail(check, "nodes", "nodes is 0, which only a polyline or a file may have");
    int32_t nodes = lithe_rod_def_node_count(rod);
    if (nodes == -1 && rod->nodes == 0)
        return; // the number of nodes is only known from the file
    if (nodes < min)
        lithe_check_fail(check, "nodes", "nodes is %d, must be >= %d%s", nodes, min, why);
    if (nodes > MAX_NODES)
        lithe_check_fail(check, "nodes", "nodes is %d, must be <= %d", nodes, MAX_NODES);
}

static void natural(LitheCheck *check, const LitheRodDef *rod) {
    int32_t nodes = lithe_rod_def_node_count(rod);
    int32_t edges = nodes < 0 ? -1 : nodes - !lithe_rod_def_closed(rod);
    check->prefix = "natural.";
    lithe_check_choice(check, "from", (int)rod->natural, LITHE_NATURAL_AS_SHAPED + 1);
    lithe_check_number(check, "curvature", rod->natural_curvature1, "1/m", LITHE_ANY);
    lithe_check_number(check, "curvature", rod->natural_curvature2, "1/m", LITHE_ANY);
    lithe_check_number(check, "twist", rod->natural_twist, "rad/m", LITHE_ANY);
    lithe_check_number(check, "stretch", rod->natural_stretch, "", LITHE_POSITIVE);
    int32_t count = rod->node_value_count;
    lithe_check_array(check, "node-curvature1", rod->node_curvature1, count, nodes, "nodes", "1/m",
                      LITHE_ANY);
    lithe_check_array(check, "node-curvature2", rod->node_curvature2, count, nodes, "nodes", "1/m",
                      LITHE_ANY);
    lithe_check_array(check, "node-twist", rod->node_twist, count, nodes, "nodes", "rad/m",
                      LITHE_ANY);
    lithe_check_array(check, "edge-stretch", rod->edge_stretch, rod->edge_value_count, edges,
                      "edges", "", LITHE_POSITIVE);
    lithe_check_suspect(check, "stretch", rod->natural_stretch, 0.5, 2, "");
    check->prefix = "";
}

void lithe_check_rod(LitheCheck *check, const void *def) {
    const LitheRodDef *r = def;
    int32_t materials = check->scene->material_count;
    if (r->material.number < 0 || r->material.number > materials)
        lithe_check_fail(check, "material", "material is number %d of %d", r->material.number,
                         materials);
    if (r->material.number == 0 && r->section.kind != LITHE_SECTION_STIFFNESS)
        lithe_check_fail(check, "", "material is missing (only section stiffness needs none)");
    section(check, &r->section);
    lithe_check_shape(check, &r->shape);
    node_count(check, r);
    lithe_check_direction(check, "director", r->director);
    lithe_check_number(check, "twist", r->twist, "rad", LITHE_ANY);
    natural(check, r);
    lithe_check_vector(check, "velocity", r->velocity, "m/s");
    lithe_check_vector(check, "spin", r->spin, "rad/s");
    lithe_check_number(check, "drag.normal", r->drag_normal, "Pa s", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "drag.tangent", r->drag_tangent, "Pa s", LITHE_NOT_NEGATIVE);
    lithe_check_suspect(check, "velocity", v3_norm(r->velocity), 0, 1000, "m/s");
}

void lithe_check_rods(LitheCheck *check) {
    int64_t together = 0;
    for (int32_t i = 0; i < check->scene->rod_count && check->status == LITHE_OK; i++) {
        together += lithe_rod_def_node_count(&check->scene->rods[i]);
        if (together <= MAX_NODES_TOGETHER)
            continue;
        lithe_object_select(check, LITHE_OBJECT_ROD, i);
        lithe_check_fail(check, "nodes", "with this rod all rods have %lld nodes, must be <= %d",
                         (long long)together, MAX_NODES_TOGETHER);
    }
}

// --- time, gravity, recording --------------------------------------------------------------------

static void adaptive_values(LitheCheck *check, const LitheTimeDef *t) {
    const char *outer = check->prefix;
    check->prefix = "step.adaptive.";
    if (!(t->min_step >= 0))
        lithe_check_fail(check, "min", "step.adaptive.min is %.9g s, must be > 0", t->min_step);
    if (!(t->step_tolerance >= 0) || !isfinite(t->step_tolerance))
        lithe_check_fail(check, "tolerance", "step.adaptive.tolerance is %.9g m, must be >= 0",
                         t->step_tolerance);
    if (t->min_step > t->step)
        lithe_check_fail(check, "min", "step.adaptive.min is %.9g s, must be <= max, %.9g s",
                         t->min_step, t->step);
    if (t->min_step > 0 && t->step / t->min_step > MAX_ADAPTION)
        lithe_check_fail(check, "min", "step.adaptive: max/min is %.3g, must be <= %.3g",
                         t->step / t->min_step, MAX_ADAPTION);
    bool implicit = t->scheme == LITHE_SCHEME_BACKWARD_EULER ||
                    t->scheme == LITHE_SCHEME_MIDPOINT || t->scheme == LITHE_SCHEME_TR_BDF2 ||
                    t->scheme == LITHE_SCHEME_AUTO;
    check->prefix = outer;
    if (t->min_step > 0 && !implicit)
        lithe_check_fail(
            check, "scheme",
            "scheme must be backward-euler, midpoint or tr-bdf2 where the step is adaptive");
}

// a run that simulates more than this part of its time beyond its end warns
#define BEYOND_END 0.1

// Steps are whole: the last one goes beyond an end that is not a multiple of them.
static void warn_of_end(const LitheCheck *check, const LitheTimeDef *t) {
    if (check->status != LITHE_OK || !check->warn || check->scene->allow_unusual || t->min_step > 0)
        return;
    double reached = ceil(t->end / t->step * (1 - 1e-9)) * t->step;
    if (reached > (1 + BEYOND_END) * t->end)
        lithe_log(check->scene->context, LITHE_LOG_WARNING,
                  "%s: end %.9g s is not a whole number of steps of %.9g s: a run ends at %.9g s",
                  check->label, t->end, t->step, reached);
}

static void time_values(LitheCheck *check, const LitheTimeDef *t) {
    select_section(check, "time");
    lithe_check_number(check, "step", t->step, "s", LITHE_POSITIVE);
    lithe_check_number(check, "end", t->end, "s", LITHE_POSITIVE);
    lithe_check_number(check, "tolerance", t->tolerance, "", LITHE_POSITIVE);
    lithe_check_choice(check, "scheme", (int)t->scheme, LITHE_SCHEME_COUNT);
    lithe_check_choice(check, "start", (int)t->start, LITHE_START_EQUILIBRIUM + 1);
    if (t->max_iterations < 1)
        lithe_check_fail(check, "max-iterations", "max-iterations is %d, must be >= 1",
                         t->max_iterations);
    if (t->max_unconverged < 0)
        lithe_check_fail(check, "max-unconverged", "max-unconverged is %d, must be >= 0",
                         t->max_unconverged);
    if (t->max_work < 0)
        lithe_check_fail(check, "max-work", "max-work is %d, must be >= 0", t->max_work);
    lithe_check_number(check, "max-energy-gain", t->max_energy_gain, "", LITHE_NOT_NEGATIVE);
    lithe_check_choice(check, "follow", (int)t->follow, LITHE_FOLLOW_ARC_LENGTH + 1);
    lithe_check_number(check, "arc", t->arc, "m", LITHE_NOT_NEGATIVE);
    if (t->follow == LITHE_FOLLOW_ARC_LENGTH && t->scheme != LITHE_SCHEME_STATIC)
        lithe_check_fail(check, "follow", "follow: arc-length needs scheme: static");
    if (t->arc > 0 && t->follow != LITHE_FOLLOW_ARC_LENGTH)
        lithe_check_fail(check, "arc", "arc is %.9g m, needs follow: arc-length", t->arc);
    double min = t->min_step > 0 ? t->min_step : t->step;
    if (!(t->end / min <= MAX_STEPS))
        lithe_check_fail(check, "step", "end/step is %.3g steps, must be <= %g", t->end / min,
                         MAX_STEPS);
    adaptive_values(check, t);
    lithe_check_suspect(check, "step", t->step, 1e-9, fmin(10, t->end), "s");
    warn_of_end(check, t);
    lithe_check_suspect(check, "tolerance", t->tolerance, 1e-14, 1e-2, "");
}

static void record(LitheCheck *check, const LitheRecordDef *r) {
    select_section(check, "record");
    lithe_check_number(check, "every", r->every, "s", LITHE_NOT_NEGATIVE);
}

// Notes the mistake of the last check, if there is one, so that the next object is checked, too.
// False when there is no more to check.
static bool note_mistake(LitheCheck *check) {
    if (check->status == LITHE_NO_MEMORY)
        return false;
    if (check->status != LITHE_OK)
        lithe_mistakes_add(&check->mistakes, check->error);
    check->status = LITHE_OK;
    return check->mistakes.count < LITHE_MISTAKES_MAX;
}

static bool is_unread(const LitheUnread *unread, LitheObjectKind kind, int32_t index) {
    for (int32_t i = 0; unread && i < unread->count; i++)
        if (unread->objects[i].kind == (int32_t)kind && unread->objects[i].index == index)
            return true;
    return false;
}

// Checks each object of a kind, then all objects of the kind together.
static void objects(LitheCheck *check, LitheObjectKind kind, const LitheUnread *unread) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    int32_t count = row->check ? lithe_object_count(check->scene, kind) : 0;
    for (int32_t i = 0; i < count && note_mistake(check); i++) {
        if (is_unread(unread, kind, i))
            continue;
        lithe_object_select(check, kind, i);
        row->check(check, lithe_object(check->scene, kind, i));
    }
    // what objects are to each other is checked once each is right
    if (row->check_all && note_mistake(check) && check->mistakes.count == 0)
        row->check_all(check);
}

static void check_all(LitheCheck *check, const LitheScene *scene) {
    snprintf(check->label, sizeof check->label, "scene");
    if (scene->title && lithe_utf8_good(scene->title, strlen(scene->title)) < strlen(scene->title))
        lithe_check_fail(check, "title", "title is not a text in UTF-8");
    lithe_check_vector(check, "gravity", scene->gravity, "m/s^2");
    lithe_check_suspect(check, "gravity", v3_norm(scene->gravity), 0, 30, "m/s^2");
    note_mistake(check);
    time_values(check, &scene->time);
    note_mistake(check);
    lithe_check_contact(check);
    note_mistake(check);
    record(check, &scene->record);
    note_mistake(check);
    lithe_check_names(check);
    for (int k = 0; k < LITHE_OBJECT_KINDS && note_mistake(check); k++)
        objects(check, (LitheObjectKind)k, NULL);
    note_mistake(check);
    lithe_check_plan(check);
    note_mistake(check);
}

LitheStatus lithe_scene_check_values(const LitheScene *scene, bool warn, LitheError *error) {
    LitheError one = {0};
    LitheCheck check = {
        .scene = scene, .error = &one, .mistakes = {.error = error}, .warn = warn, .prefix = ""};
    check_all(&check, scene);
    if (check.status != LITHE_OK && error)
        *error = one;
    return check.status != LITHE_OK ? check.status : lithe_mistakes_end(&check.mistakes);
}

LitheStatus lithe_scene_check_read(const LitheScene *scene, const LitheUnread *unread,
                                   LitheMistakes *mistakes) {
    LitheError one = {0};
    LitheCheck check = {.scene = scene, .error = &one, .mistakes = *mistakes, .prefix = ""};
    for (int k = 0; k < LITHE_OBJECT_KINDS && note_mistake(&check); k++)
        objects(&check, (LitheObjectKind)k, unread);
    note_mistake(&check);
    *mistakes = check.mistakes;
    if (check.status != LITHE_OK && mistakes->error)
        *mistakes->error = one;
    return check.status;
}

LitheStatus lithe_scene_check(const LitheScene *scene, LitheError *error) {
    return lithe_scene_check_values(scene, true, error);
}
