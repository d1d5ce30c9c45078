// SPDX-License-Identifier: Apache-2.0
// cli/check.c - lithe check: validates a scene, prints its scales and recommends a time step
//
// Scales are those of a straight uniform beam with the rod's stiffness, mass, length and end
// conditions:
//     bending period   T = 2 pi / (b^2 sqrt(EI / (m L^4))), b from the ends (3.14 .. 4.73)
//     explicit limit   h < 2 / omega_max: stretching l sqrt(m/EA), bending l^2/2 sqrt(m/EI),
//                      twisting l sqrt(J/GJ), l the shortest edge
// The sag and the period at equilibrium are no estimates: they are computed. Where there is none
// and gravity tightens a rod that is held at both ends or tied, its slowest motion is unknown.

#include "cli/check_group.h"

#include "body/rod.h"
#include "data/model.h"
#include "data/state.h"
#include "run/recorded.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// above this number of nodes the equilibrium is not computed, so that the command stays fast
#define SAG_NODES 20000
// the same for the modes at equilibrium; the first of them may be rigid, such as a free twist
#define MODE_NODES 4000
#define FEW_MODES 8

// --- scales of a rod -----------------------------------------------------------------------------

typedef enum End { FREE, PINNED, CLAMPED } End;

// a naturally straight rod that turns by more at one node is a corner of a polyline, not a curve
#define KINK (M_PI / 3)

typedef struct Scales {
    double length, mass, line; // m, kg, kg/m
    double inside;             // length inside clamps, half an edge each [m]
    double edge;               // shortest edge, m
    double turn;               // largest angle between neighbouring edges as built, rad
    double kink;               // the same where the rod is naturally straight
    int32_t kink_node, kinks;  // where that is; how many nodes turn by more than KINK there
    End start, end;
    const char *start_tie, *end_tie; // names of constraints at the ends; NULL: none
    int64_t held, dofs;              // degrees of freedom, unpadded
    double period;                   // slowest bending, s
    double swing;       // period without bending stiffness, s; 0: it does not hang from one end
    double taut;        // slowest period with the tension as built, s; 0: it is not taut
    double layer;       // in which a belt takes up the bend of what it runs over [m]; 0: no belt
    double axial, bend; // times in which waves cross an edge, s
    double limit;       // of the explicit scheme, s
} Scales;

// Whether both nodes of an edge and its angle are held, `a` being what is held of its first node.
static bool is_clamped(const unsigned char *a) {
    return a[0] && a[1] && a[2] && a[3] && a[4] && a[5] && a[6];
}

static End end_of(const LitheRod *rod, bool last) {
    const unsigned char *a = rod->held + 4 * (int64_t)(last ? rod->node_count - 1 : 0);
    const unsigned char *b = last ? a - 4 : a + 4;
    bool first = a[0] && a[1] && a[2], second = b[0] && b[1] && b[2];
    return first && second ? CLAMPED : first ? PINNED : FREE;
}

// whether a place of a constraint is the start or the end of a rod
static bool is_at_end(const LitheAnchor *anchor, int32_t rod, int32_t nodes, bool last) {
    const LithePlace *place = &anchor->place;
    if (anchor->kind != LITHE_ANCHOR_ROD || place->thing.number != rod + 1)
        return false;
    if (place->kind == LITHE_PLACE_FRACTION)
        return place->fraction == (last ? 1 : 0);
    return place->node + (place->node < 0 ? nodes : 0) == (last ? nodes - 1 : 0);
}

// The name of the constraint that ties an end of a rod; NULL: none does. Tied to something that
// never moves, the end is held.
static const char *tie_of(const LitheScene *scene, int32_t rod, int32_t nodes, bool last,
                          End *end) {
    for (int32_t i = 0; i < scene->constraint_count; i++) {
        const LitheConstraintDef *def = &scene->constraints[i];
        bool a = is_at_end(&def->a, rod, nodes, last), b = is_at_end(&def->b, rod, nodes, last);
        if (!a && !b)
            continue;
        const LitheAnchor *other = a ? &def->b : &def->a;
        bool still =
            other->kind == LITHE_ANCHOR_WORLD ||
            (other->kind == LITHE_ANCHOR_BODY && scene->bodies[other->body.number - 1].fixed);
        if (still && *end == FREE && def->kind == LITHE_CONSTRAINT_ATTACH)
            *end = PINNED;
        if (still && def->kind == LITHE_CONSTRAINT_WELD)
            *end = CLAMPED;
        return def->name;
    }
    return NULL;
}

// first root b of the frequency equation of a beam with these ends
static double root_of(End a, End b) {
    if (a == CLAMPED && b == CLAMPED)
        return 4.730040745;
    if (a == FREE && b == FREE)
        return 4.730040745;
    if (a == PINNED && b == PINNED)
        return M_PI;
    if ((a == CLAMPED && b == FREE) || (a == FREE && b == CLAMPED))
        return 1.875104069;
    return 3.926602312; // pinned at one end, clamped or free at the other
}

static void find_turns(const LitheRod *rod, const LitheState *state, Scales *s) {
    const double *q = state->q + rod->dof_at;
    for (int32_t i = rod->closed ? 0 : 1; i < rod->edge_count; i++) {
        int32_t before = i > 0 ? i - 1 : rod->node_count - 1;
        int32_t after = rod->ends[i][1];
        Vec3 e = v3_sub(v3_load(q + 4 * i), v3_load(q + 4 * before));
        Vec3 f = v3_sub(v3_load(q + 4 * after), v3_load(q + 4 * i));
        double turn = atan2(v3_norm(v3_cross(e, f)), v3_dot(e, f));
        bool straight = rod->rest_curvature[2 * i] == 0 && rod->rest_curvature[2 * i + 1] == 0;
        s->turn = fmax(s->turn, turn);
        s->kinks += straight && turn > KINK;
        if (straight && turn > s->kink) {
            s->kink = turn;
            s->kink_node = i;
        }
    }
}

static int64_t held_of(const LitheRod *rod) {
    int64_t held = 0;
    for (int32_t i = 0; i < rod->node_count; i++)
        for (int c = 0; c < 4; c++)
            held += rod->held[4 * i + c] && (c < 3 || i < rod->edge_count);
    return held;
}

// Slowest period between two held ends with the tension T as built. Bending and tension add:
// omega^2 = omega_bend^2 + (pi/L)^2 T/m; 0: no tension, or an end is free. `length`: as built.
static double taut_period(const Scales *s, double EA, double length) {
    double strain = length / s->length - 1, bend = 2 * M_PI / s->period;
    if (s->start == FREE || s->end == FREE || !(strain > 1e-9))
        return 0;
    return 2 * M_PI / sqrt(bend * bend + EA * strain / s->line * M_PI * M_PI / (length * length));
}

static Scales scales_of(const LitheScene *scene, const LitheModel *model, const LitheState *state,
                        const LitheRod *rod) {
    Scales s = {.edge = INFINITY, .dofs = 3 * (int64_t)rod->node_count + rod->edge_count};
    const double *q = state->q + rod->dof_at;
    double built = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        double l = rod->built_length[i] * rod->rest_stretch[i];
        // a clamp holds the middle of an edge at an end: half of it lies inside
        bool end = !rod->closed && (i == 0 || i == rod->edge_count - 1);
        double outside = end && is_clamped(rod->held + 4 * (int64_t)i) ? 0.5 : 1;
        built += outside * v3_distance(v3_load(q + 4 * i), v3_load(q + 4 * rod->ends[i][1]));
        s.length += outside * l;
        s.inside += (1 - outside) * l;
        s.edge = fmin(s.edge, l);
    }
    s.mass = model->units[rod->unit].mass;
    s.line = s.mass / s.length; // what is inside clamps has no mass
    s.held = held_of(rod);
    find_turns(rod, state, &s);
    s.turn = s.turn > 1e-9 ? s.turn : 0; // rounding of a straight line
    s.start = rod->closed ? FREE : end_of(rod, false);
    s.end = rod->closed ? FREE : end_of(rod, true);
    if (!rod->closed) {
        int32_t index = (int32_t)(rod - model->rods);
        s.start_tie = tie_of(scene, index, rod->node_count, false, &s.start);
        s.end_tie = tie_of(scene, index, rod->node_count, true, &s.end);
    }

    double soft = fmin(rod->EI1, rod->EI2), stiff = fmax(rod->EI1, rod->EI2);
    double rate = sqrt(soft / s.line);
    if (rod->closed) {
        // ring: omega^2 = EI/(m R^4) n^2 (n^2 - 1)^2/(n^2 + 1), n = 2
        double radius = s.length / (2 * M_PI);
        s.period = 2 * M_PI * radius * radius / (sqrt(36.0 / 5) * rate);
    } else {
        double b = root_of(s.start, s.end) / s.length;
        s.period = 2 * M_PI / (b * b * rate);
    }
    s.taut = taut_period(&s, rod->EA, built);
    double strain = built / s.length - 1;
    if (rod->closed && strain > 1e-6)
        s.layer = sqrt(soft / (rod->EA * strain));
    double g = v3_norm(model->gravity);
    if (g > 0 && !rod->closed && (s.start == FREE) != (s.end == FREE))
        s.swing = 2 * M_PI / (0.5 * 2.404825558 * sqrt(g / s.length));

    s.axial = s.edge * sqrt(s.line / rod->EA);
    s.bend = stiff > 0 ? s.edge * s.edge / M_PI * sqrt(s.line / stiff) : INFINITY;
    s.limit = lithe_rod_explicit_limit(model, rod);
    return s;
}

// --- the equilibrium -----------------------------------------------------------------------------

// every rod must have a node that is held in all directions, otherwise it falls
static bool all_held(const LitheModel *model) {
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        bool held = false;
        for (int32_t i = 0; i < rod->node_count && !held; i++)
            held = rod->held[4 * i] && rod->held[4 * i + 1] && rod->held[4 * i + 2];
        if (!held)
            return false;
    }
    return true;
}

// A rod at equilibrium; NAN if there is none.
typedef struct Rest {
    double sag;    // largest displacement along gravity from the initial shape [m]
    double below;  // largest depth below the line between its ends, both held; else NAN [m]
    double period; // of its slowest mode [s]; 0: unknown
} Rest;

static double period_at_rest(const LitheModel *model, const LitheState *state, LitheWork *work,
                             int32_t rod) {
    double omega[FEW_MODES], period = 0;
    LitheRodId id = {rod + 1};
    if (model->vertex_count > MODE_NODES || 4 * model->rods[rod].node_count < FEW_MODES ||
        lithe_modes(model, state, work, id, FEW_MODES, omega, NULL, NULL) != LITHE_OK)
        return 0;
    for (int k = 0; k < FEW_MODES; k++)
        if (omega[k] > 0)
            period = fmax(period, 2 * M_PI / omega[k]);
    return period;
}

// how deep a curve of nodes hangs below the straight line between its ends
static double depth_below_ends(const double *q, int32_t count, Vec3 down) {
    Vec3 a = v3_load(q), way = v3_sub(v3_load(q + 4 * (int64_t)(count - 1)), a);
    // depth of the line at a horizontal place between the ends
    Vec3 level = v3_axpy(-v3_dot(way, down), down, way);
    double across = v3_dot(level, level), depth = 0;
    for (int32_t i = 0; i < count; i++) {
        Vec3 x = v3_sub(v3_load(q + 4 * (int64_t)i), a);
        double part = across > 0 ? fmin(fmax(v3_dot(x, level) / across, 0), 1) : 0;
        depth = fmax(depth, v3_dot(x, down) - part * v3_dot(way, down));
    }
    return depth;
}

static void find_rests(const LitheModel *model, const LitheState *built, Rest *rests) {
    double g = v3_norm(model->gravity);
    for (int32_t r = 0; r < model->rod_count; r++)
        rests[r] = (Rest){NAN, NAN, 0};
    // with constraints or other movable things, the search for the equilibrium may take too long
    // for this command
    if (g == 0 || model->vertex_count > SAG_NODES || !all_held(model) ||
        model->constraint_count > 0 || model->v_count != 4 * (int64_t)model->vertex_count)
        return;
    LitheState *state = lithe_state_copy(built);
    LitheWork *work = lithe_work_create(model, 1);
    if (state && work && lithe_equilibrium(model, state, work, NULL, NULL) == LITHE_OK) {
        Vec3 down = v3_scale(1 / g, model->gravity);
        for (int32_t r = 0; r < model->rod_count; r++) {
            const LitheRod *rod = &model->rods[r];
            rests[r].sag = 0;
            for (int32_t i = 0; i < rod->node_count; i++) {
                int64_t at = rod->dof_at + 4 * (int64_t)i;
                Vec3 displacement = v3_sub(v3_load(state->q + at), v3_load(built->q + at));
                rests[r].sag = fmax(rests[r].sag, v3_dot(displacement, down));
            }
            if (!rod->closed && end_of(rod, false) != FREE && end_of(rod, true) != FREE)
                rests[r].below = depth_below_ends(state->q + rod->dof_at, rod->node_count, down);
            rests[r].period = period_at_rest(model, state, work, r);
        }
    }
    lithe_work_destroy(work);
    lithe_state_destroy(state);
}

// --- printing ------------------------------------------------------------------------------------

static const char *section_text(const LitheSectionDef *section, char *out, size_t size) {
    char a[32], b[32];
    switch (section->kind) {
    case LITHE_SECTION_CIRCLE:
        snprintf(out, size, "circle of radius %s", lithe_cli_nice(section->radius, "m", a));
        break;
    case LITHE_SECTION_RECTANGLE:
    case LITHE_SECTION_ELLIPSE:
        snprintf(out, size, "%s of %s x %s",
                 section->kind == LITHE_SECTION_ELLIPSE ? "ellipse" : "rectangle",
                 lithe_cli_nice(section->width, "m", a), lithe_cli_nice(section->height, "m", b));
        break;
    case LITHE_SECTION_STIFFNESS:
        snprintf(out, size, "stiffness given, radius %s", lithe_cli_nice(section->radius, "m", a));
        break;
    }
    return out;
}

// half the smallest size of the section [m]
static double section_radius(const LitheSectionDef *section) {
    if (section->kind == LITHE_SECTION_RECTANGLE || section->kind == LITHE_SECTION_ELLIPSE)
        return 0.5 * fmin(section->width, section->height);
    return section->radius;
}

// "pinned", "tied by 'knot'", "pinned by 'hook'"
static const char *end_text(End end, const char *tie, char *out, size_t size) {
    static const char *const ends[] = {"free", "pinned", "clamped"};
    if (tie)
        snprintf(out, size, "%s by '%.60s'", end == FREE ? "tied" : ends[end], tie);
    else
        snprintf(out, size, "%s", ends[end]);
    return out;
}

// constraints at the ends may have other names in rods that are equal otherwise
static void put_ends(LitheCliGroups *all, const Scales *s) {
    char start[96], end[96];
    lithe_cli_put(all, "  %-26s %lld, %lld held", "degrees of freedom", (long long)s->dofs,
                  (long long)s->held);
    lithe_cli_put_key(all, "%d %d %d %d", s->start, s->end, s->start_tie != NULL,
                      s->end_tie != NULL);
    lithe_cli_put_own(all, "; start %s, end %s",
                      end_text(s->start, s->start_tie, start, sizeof start),
                      end_text(s->end, s->end_tie, end, sizeof end));
    lithe_cli_put(all, "\n");
}

static void put_rod(LitheCliGroups *all, const LitheRod *rod, const Scales *s, Rest rest) {
    char a[32], b[32], section[128];
    lithe_cli_put_own(all, "\nrod '%s'", rod->name);
    lithe_cli_put(all, "%s\n", rod->closed ? ", closed" : "");
    lithe_cli_put(all, "  %-26s %d nodes, %d edges of %s or more\n", "mesh", rod->node_count,
                  rod->edge_count, lithe_cli_nice(s->edge, "m", a));
    lithe_cli_put(all, "  %-26s %s\n", "section",
                  section_text(&rod->section, section, sizeof section));
    lithe_cli_put(all, "  %-26s %s, %.4g kg", "length, mass", lithe_cli_nice(s->length, "m", a),
                  s->mass);
    if (s->inside > 0)
        lithe_cli_put(all, "; %s more inside the clamp%s", lithe_cli_nice(s->inside, "m", a),
                      s->start == CLAMPED && s->end == CLAMPED ? "s" : "");
    lithe_cli_put(all, "\n");
    lithe_cli_put(all, "  %-26s %.4g N\n", "EA", rod->EA);
    if (rod->EI1 == rod->EI2)
        lithe_cli_put(all, "  %-26s %.4g N m^2\n", "EI", rod->EI1);
    else
        lithe_cli_put(all, "  %-26s %.4g N m^2 towards m1, %.4g N m^2 towards m2\n", "EI", rod->EI1,
                      rod->EI2);
    lithe_cli_put(all, "  %-26s %.4g N m^2\n", "GJ", rod->GJ);
    if (rod->closed)
        lithe_cli_put(all, "  %-26s %lld, %lld held\n", "degrees of freedom", (long long)s->dofs,
                      (long long)s->held);
    else
        put_ends(all, s);
    lithe_cli_put(all, "  %-26s %s\n", "slowest bending period", lithe_cli_nice(s->period, "s", a));
    if (s->taut > 0)
        lithe_cli_put(all, "  %-26s %s\n", "the same with its tension",
                      lithe_cli_nice(s->taut, "s", a));
    if (s->layer > 0)
        lithe_cli_put(all, "  %-26s %s, with its tension as built\n", "bending layer",
                      lithe_cli_nice(s->layer, "m", a));
    if (s->swing > 0)
        lithe_cli_put(all, "  %-26s %s\n", "period without stiffness",
                      lithe_cli_nice(s->swing, "s", a));
    lithe_cli_put(all, "  %-26s stretching %s, bending %s\n", "waves cross an edge in",
                  lithe_cli_nice(s->axial, "s", a), lithe_cli_nice(s->bend, "s", b));
    lithe_cli_put(all, "  %-26s %s\n", "explicit step limit", lithe_cli_nice(s->limit, "s", a));
    if (isfinite(rest.sag))
        lithe_cli_put(all, "  %-26s %s below the shape as built%s%s%s\n", "sag at equilibrium",
                      lithe_cli_nice(rest.sag, "m", a), isfinite(rest.below) ? ", " : "",
                      isfinite(rest.below) ? lithe_cli_nice(rest.below, "m", b) : "",
                      isfinite(rest.below) ? " below the line between its ends" : "");
    if (rest.period > 0)
        lithe_cli_put(all, "  %-26s %s\n", "slowest period there",
                      lithe_cli_nice(rest.period, "s", a));
    lithe_cli_put(all, "  %-26s %.3g\n", "edge length over radius",
                  s->edge / section_radius(&rod->section));
    lithe_cli_put(all, "  %-26s %.3g degrees as built\n", "largest turn at a node",
                  s->turn * 180 / M_PI);
    if (s->kinks > 0)
        lithe_cli_put(
            all,
            "  note: kink%s of up to %.3g degrees at %d node%s (node %d), where the rod is "
            "naturally straight: it springs open. More nodes along a spline or arc bend it "
            "smoothly; `natural: shape` keeps the corners\n",
            s->kinks == 1 ? "" : "s", s->kink * 180 / M_PI, (int)s->kinks, s->kinks == 1 ? "" : "s",
            (int)s->kink_node);
    else if (s->turn > M_PI / 6)
        lithe_cli_put(
            all,
            "  note: more than 30 degrees a node is coarse: more nodes follow the curve better\n");
    if (s->edge > s->layer && s->layer > 0)
        lithe_cli_put(all,
                      "  warning: edges are longer than the bending layer, sqrt(EI/T): tensions in "
                      "wraps round\n  other things come out too large; %.0f nodes resolve it\n",
                      ceil(s->length / s->layer));
    if (s->edge < 0.5 * section_radius(&rod->section))
        lithe_cli_put(
            all, "  note: edges are much shorter than the rod is thick: fewer nodes would do\n");
}

// elements of robot files that are not supported
static void print_notes(const LitheScene *scene) {
    if (lithe_scene_note_count(scene) > 0)
        printf("\nnotes:\n");
    for (int32_t i = 0; i < lithe_scene_note_count(scene); i++)
        printf("  %s\n", lithe_scene_note(scene, i));
}

// The period of the slowest motion; 0: unknown, because gravity tightens the rod and no equilibrium
// was found.
static double slowest_of(const LitheModel *model, const Scales *s, Rest rest) {
    if (rest.period > 0)
        return rest.period;
    if (s->taut > 0)
        return s->taut;
    bool tied = s->start_tie || s->end_tie, held = s->start != FREE && s->end != FREE;
    if (v3_norm(model->gravity) > 0 && (tied || held))
        return 0;
    // a pinned rod swings at any stiffness; a clamped rod without bending stiffness hangs and
    // swings
    bool pinned = s->start == PINNED || s->end == PINNED;
    return s->swing == 0 ? s->period : pinned ? s->swing : fmin(s->swing, s->period);
}

// prints the table of each rod, equal ones once; finds the slowest motion and the smallest limit of
// all rods
static void print_rods(const LitheScene *scene, const LitheModel *model, const LitheState *state,
                       const Rest *rests, LitheCliTimes *times) {
    LitheCliGroups all = {.one = "rod", .many = "rods"};
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        Scales s = scales_of(scene, model, state, rod);
        put_rod(&all, rod, &s, rests[r]);
        lithe_cli_group(&all, rod->name);
        double slow = slowest_of(model, &s, rests[r]);
        times->period = fmax(times->period, slow);
        if (slow == 0 && !times->unknown)
            times->unknown = rod->name;
        times->limit = fmin(times->limit, s.limit);
        times->axial = fmin(times->axial, s.axial);
    }
    lithe_cli_groups_end(&all);
}

// --- degrees of freedom --------------------------------------------------------------------------

// the last node of an open rod has a twist that is no degree of freedom
static int64_t rod_held(const LitheModel *model, int32_t index, int64_t *dofs) {
    const LitheRod *rod = &model->rods[index];
    *dofs -= rod->node_count - rod->edge_count;
    return held_of(rod);
}

static int64_t tree_held(const LitheModel *model, int32_t index, int64_t *dofs) {
    const LitheTree *tree = &model->trees[index];
    int64_t held = 0;
    (void)dofs;
    for (int32_t k = 0; k < tree->actuator_count; k++)
        held += tree->actuators[k].drive.kind == LITHE_ACTUATOR_PRESCRIBED;
    // a pose drive moves joints, or all of a free body
    for (int32_t k = 0; k < tree->pose_drive_count; k++) {
        int32_t joints = tree->pose_drives[k].ik.joint_count;
        if (tree->pose_drives[k].stiffness == 0)
            held += joints > 0 ? joints : 6;
    }
    return held;
}

static int64_t particles_held(const LitheModel *model, int32_t index, int64_t *dofs) {
    (void)dofs;
    return lithe_cli_particles_held(model, index);
}

static int64_t solid_held(const LitheModel *model, int32_t index, int64_t *dofs) {
    (void)dofs;
    return lithe_cli_solid_held(model, index);
}

static void print_dofs(const LitheModel *model) {
    static int64_t (*const held_by[])(const LitheModel *, int32_t, int64_t *) = {
        [LITHE_UNIT_ROD] = rod_held,
        [LITHE_UNIT_TREE] = tree_held,
        [LITHE_UNIT_PARTICLES] = particles_held,
        [LITHE_UNIT_SOLID] = solid_held,
    };
    _Static_assert(sizeof held_by / sizeof *held_by == LITHE_UNIT_KINDS, "a row for every kind");
    int64_t dofs = 0, held = 0;
    double mass = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        dofs += unit->v_count;
        held += held_by[unit->kind](model, unit->index, &dofs);
        mass += unit->mass;
    }
    printf("\ndegrees of freedom: %lld free, %lld held or driven\n", (long long)(dofs - held),
           (long long)held);
    if (model->unit_count > 1)
        printf("mass of all that moves: %.4g kg\n", mass);
}

// --- all of it -----------------------------------------------------------------------------------

static int print_all(const LitheScene *scene, const char *path, LitheError *error) {
    LitheModel *model = NULL;
    LitheState *state = NULL;
    if (lithe_compile(scene, &model, &state, error) != LITHE_OK)
        return lithe_cli_failed(error);
    Rest *rests = calloc((size_t)model->rod_count + 1, sizeof *rests);
    int code = LITHE_EXIT_DONE;
    if (lithe_recorded_check(scene, model, state, error) != LITHE_OK ||
        lithe_cli_check_start(model, state, error) != LITHE_OK) {
        code = lithe_cli_failed(error);
    } else if (rests) {
        LitheCliTimes times = {.limit = INFINITY, .axial = INFINITY};
        find_rests(model, state, rests);
        printf("%s: valid%s%s\n", path, scene->title ? ": " : "", scene->title ? scene->title : "");
        print_rods(scene, model, state, rests, &times);
        lithe_cli_check_particles(model);
        lithe_cli_check_solids(model);
        lithe_cli_check_bodies(scene, model, state);
        if (!lithe_cli_check_ties(scene, model, state, error))
            code = lithe_cli_failed(error);
        print_dofs(model);
        // scales exist for rods only; the slowest motion of other things is a mode
        if (model->unit_count > model->rod_count)
            times.period = fmax(times.period, lithe_cli_slowest_mode(model, state));
        lithe_cli_check_step(model, &times);
        lithe_cli_check_rotation(model, state);
        print_notes(scene);
    }
    free(rests);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return code;
}

// --- the command ---------------------------------------------------------------------------------

typedef struct Options {
    const char *scene;
    const char **sets;
    int32_t set_count;
} Options;

static const struct argp_option options[] = {
    {"set", 's', "PATH=VALUE", 0, "change a value of the scene; may be repeated", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case 's':
        lithe_cli_check_set(state, text);
        o->sets[o->set_count++] = text;
        return 0;
    case ARGP_KEY_ARG:
        lithe_cli_one(state, "scene", text, &o->scene);
        return 0;
    case ARGP_KEY_END:
        if (!o->scene)
            argp_error(state, "no scene is given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_check(int argc, char **argv) {
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "SCENE",
                              .doc = "Validate a scene; print its scales and recommend a step.\v"
                                     "Example:\n  lithe check scenes/cantilever.yaml\n"};
    Options o = {.sets = calloc((size_t)argc, sizeof(char *))};
    if (!o.sets) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);

    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    LitheScene *scene = NULL;
    int code;
    if (lithe_scene_load(context, o.scene, o.sets, o.set_count, &scene, &error) != LITHE_OK)
        code = lithe_cli_failed(&error);
    else
        code = print_all(scene, o.scene, &error);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    free(o.sets);
    return code;
}
