// SPDX-License-Identifier: Apache-2.0
// assemble/pair_terms.c - constraints between two places become couplings: their positions or their
// distance, and their frames

#include "assemble/constraint_parts.h"

#include "body/constraint.h"
#include "math/quat.h"

#include <math.h>

// a constraint at the start of the step
typedef struct Tie {
    const LitheConstraint *def;
    LitheSite a, b;
    Vec3 gap;     // position of b minus its required position [m]
    Vec3 turn;    // rotation of b from its required orientation, world axes [rad]
    Vec3 axes[3]; // of frame a; of a weld of an end of a rod, `elastic`, of frame b
    bool elastic;
    LitheWeldEnd weld;
    Vec3 direction;  // from a to b
    double distance; // m
    double length;   // required distance [m]
} Tie;

static Tie tie_at(const LitheAssembly *all, int32_t index) {
    const LitheConstraint *def = &all->model->constraints[index];
    const LitheTie *own = lithe_tie_of(all->state, index);
    Pose a = lithe_constraint_place(all->model, all->state, &def->a);
    Pose b = lithe_constraint_place(all->model, all->state, &def->b);
    bool far = def->places == LITHE_KEEPS_DISTANCE;
    Vec3 offset = far ? v3(0, 0, 0) : v3_load(own->offset);
    Vec3 wanted = v3_add(a.at, q4_rotate(a.rotation, offset));
    Tie tie = {
        .def = def,
        .a = lithe_constraint_site(&def->a, wanted),
        .b = lithe_constraint_site(&def->b, b.at),
        .gap = v3_sub(b.at, wanted),
        .turn = lithe_constraint_turn(all->model, all->state, index, a, b),
        .length = own->length,
    };
    tie.elastic = lithe_weld_end(all->model, all->state, index, &tie.weld);
    Quat axes = tie.elastic ? lithe_weld_axes(def, b) : a.rotation;
    for (int k = 0; k < 3; k++)
        tie.axes[k] = q4_rotate(axes, v3(k == 0, k == 1, k == 2));
    tie.distance = v3_norm(tie.gap);
    Vec3 span = tie.gap;
    if (far && all->plan->a < 1) {
        // a rotating direction is evaluated at the middle of the step, like the rows of bodies
        double time = all->plan->a * all->plan->h;
        span = v3_sub(lithe_constraint_extrapolated(all, &def->b, b.at, time),
                      lithe_constraint_extrapolated(all, &def->a, wanted, time));
    }
    double length = v3_norm(span);
    tie.direction = length > 0 ? v3_scale(1 / length, span) : v3(0, 0, 1);
    return tie;
}

static bool add_part(const LitheAssembly *all, LitheSystem *system, const Tie *tie, int32_t index,
                     int32_t part, int32_t rows, const Vec3 *linear, const Vec3 *angular) {
    return lithe_constraint_add_part(all, system, &tie->a, &tie->b, index, part, rows, linear,
                                     angular);
}

// Static steps: two rows perpendicular to a line under tension, for its geometric stiffness, which
// is tension over length. It may be the only stiffness of something that hangs on the line. Modes
// have the geometric stiffness of all couplings (Q11), which contains that of lines.
static bool add_across(const LitheAssembly *all, LitheSystem *system, const Tie *tie,
                       int32_t index) {
    Vec3 across[2];
    lithe_constraint_across(tie->direction, across);
    return !all->plan->still || system->whole || !(tie->distance > 0) ||
           add_part(all, system, tie, index, LITHE_TIE_PART_ACROSS, 2, across, NULL);
}

static bool add_places(const LitheAssembly *all, LitheSystem *system, const Tie *tie,
                       int32_t index) {
    const Vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (tie->def->places == LITHE_KEEPS_NO_PLACE)
        return true;
    if (tie->def->places == LITHE_KEEPS_OFFSET)
        return add_part(all, system, tie, index, LITHE_TIE_PART_POSITION, 3, world, NULL);
    // positive where a bound is kept
    Vec3 along = tie->def->lower ? tie->direction : v3_neg(tie->direction);
    return add_part(all, system, tie, index, LITHE_TIE_PART_POSITION, 1, &along, NULL) &&
           add_across(all, system, tie, index);
}

static bool add_frames(const LitheAssembly *all, LitheSystem *system, const Tie *tie,
                       int32_t index) {
    const Vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const LitheConstraint *def = tie->def;
    if (def->frames == LITHE_KEEPS_NO_FRAME)
        return true;
    if (def->frames == LITHE_KEEPS_FRAME)
        return add_part(all, system, tie, index, LITHE_TIE_PART_FRAME, 3, NULL,
                        tie->elastic ? tie->axes : world);
    return (!(def->bend_stiffness > 0) ||
            add_part(all, system, tie, index, LITHE_TIE_PART_FRAME, 2, NULL, tie->axes)) &&
           (!(def->twist_stiffness > 0) ||
            add_part(all, system, tie, index, LITHE_TIE_PART_TWIST, 1, NULL, tie->axes + 2));
}

bool lithe_pair_assemble(const LitheAssembly *all, LitheSystem *system, int32_t index) {
    Tie tie = tie_at(all, index);
    return add_places(all, system, &tie, index) && add_frames(all, system, &tie, index);
}

// --- laws ----------------------------------------------------------------------------------------

// Positions of the rows against where the constraint requires them; of one bound: negative where
// it is violated.
static void gaps_of(const Tie *tie, const LitheCoupling *c, double g[3]) {
    if (c->side != LITHE_TIE_PART_POSITION) {
        for (int32_t k = 0; k < c->term.rows; k++)
            g[k] = v3_dot(c->angular[k], tie->turn);
    } else if (tie->def->places == LITHE_KEEPS_OFFSET) {
        v3_store(tie->gap, g);
    } else {
        g[0] = tie->def->lower ? tie->distance - tie->length : tie->length - tie->distance;
    }
}

void lithe_pair_gaps(const LitheAssembly *all, const LitheCoupling *c, double g[3]) {
    Tie tie = tie_at(all, c->index);
    gaps_of(&tie, c, g);
}

// (H2): three springs
static void weld_law(const LitheAssembly *all, const LitheSystem *system, const Tie *tie,
                     const double g[3], LitheCoupling *c) {
    LitheTerm rows[3];
    for (int k = 0; k < 3; k++) {
        LitheCompliance compliance = lithe_constraint_compliance(
            all, system, c, tie->weld.stiffness[k], tie->weld.damping[k]);
        lithe_term_hold(&rows[k], 1, all->plan->h, &g[k], NULL, &compliance);
    }
    c->term = rows[0];
    c->term.rows = 3;
    for (int k = 1; k < 3; k++) {
        c->term.vhat[k] = rows[k].vhat[0];
        c->term.G[k] = rows[k].G[0];
    }
}

// the geometric stiffness of a line, tension over length
static void across_law(const LitheAssembly *all, const Tie *tie, LitheCoupling *c) {
    const double g[2] = {0, 0};
    Vec3 force = v3_load(lithe_tie_of(all->state, c->index)->force);
    LitheCompliance turning = {.stiffness =
                                   fmax(0, -v3_dot(force, tie->direction)) / tie->distance};
    lithe_term_hold(&c->term, 2, all->plan->h, g, NULL, &turning);
}

void lithe_pair_law(const LitheAssembly *all, const LitheSystem *system, LitheCoupling *c) {
    Tie tie = tie_at(all, c->index);
    const LitheConstraint *def = tie.def;
    double h = all->plan->h, g[3];
    if (c->side == LITHE_TIE_PART_ACROSS) {
        across_law(all, &tie, c);
        return;
    }
    gaps_of(&tie, c, g);
    for (int32_t k = 0; k < c->term.rows; k++)
        g[k] -= lithe_coupling_lead(all, system, c, k);
    bool turns = c->side != LITHE_TIE_PART_POSITION;
    if (turns && tie.elastic) {
        weld_law(all, system, &tie, g, c);
        return;
    }
    LitheCompliance compliance =
        lithe_constraint_compliance(all, system, c, lithe_constraint_stiffness(def, c->side),
                                    turns ? def->turn_damping : def->damping);
    if (!turns && lithe_constraint_is_one_sided(def))
        lithe_term_limit(&c->term, h, g[0], &compliance);
    else
        lithe_term_hold(&c->term, c->term.rows, h, g, NULL, &compliance);
    lithe_constraint_add_force(all, &compliance, c);
}
