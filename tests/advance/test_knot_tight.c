// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_knot_tight.c - a trefoil is pulled tight: contact keeps it a knot
//
// The full runs (unknotting numbers to 4, fine steps, the snap) are `lithe validate
// knot_tightening`.

#include "geom/crossing.h"
#include "geom/knot.h"
#include "world.h"

enum { NODES = 81 };

typedef struct Pulled {
    int32_t crossings, frames, kept; // frames, and those whose determinant is 3
    double depth;                    // deepest overlap over the diameter
    double force;                    // at the end [N]
    int32_t unconverged;
} Pulled;

static void read_points(const World *w, Vec3 *out) {
    const double *q = lithe_rod_q(w->model, w->state, (LitheRodId){1});
    for (int32_t i = 0; i < NODES; i++)
        out[i] = v3(q[4 * i], q[4 * i + 1], q[4 * i + 2]);
}

// a short, thick rope
static World rope(double step, const char *contact) {
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: %g, end: 1 s}\n"
                    "contact: %s\n"
                    "materials:\n"
                    "  rubber: {young: 2 MPa, poisson: 0.5, density: 1000, damping: {mass: 1},\n"
                    "    contact: {stiffness: 1e5, dissipation: 0.01}}\n"
                    "rods:\n"
                    "  rope: {material: rubber, section: {circle: {radius: 3 mm}}, nodes: %d,\n"
                    "    shape: {overhand-knot: {unknotting: 1, length: 0.4}}}\n"
                    "drives:\n"
                    "  left: {on: rope.start, direction: [-1, 0, 0], speed: 0.6,\n"
                    "    stiffness: 1e5, along-only: true}\n"
                    "  right: {on: rope.end, direction: [1, 0, 0], speed: 0.6,\n"
                    "    stiffness: 1e5, along-only: true}\n",
                    step, contact, NODES);
}

static Pulled pull(const char *contact) {
    World w = rope(1e-3, contact);
    Pulled out = {0};
    Vec3 before[NODES], after[NODES];
    for (int step = 0; w.ok && step <= 160; step++) {
        read_points(&w, before);
        if (step % 10 == 0) {
            LitheError error;
            out.frames++;
            out.kept += lithe_knot_determinant(before, NODES, w.context, &error) == 3;
        }
        world_step(&w, 1);
        read_points(&w, after);
        out.crossings += lithe_crossing_curve(before, after, NODES);
        for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++)
            out.depth = fmax(out.depth, -lithe_work_contact(w.work, i).contact.gap / 6e-3);
    }
    out.force = w.ok ? lithe_drive_force(w.model, w.state, (LitheDriveId){2}) : NAN;
    out.unconverged = w.unconverged;
    printf("  crossings %d, determinant 3 in %d of %d, overlap %.3f, pull %.3g N\n", out.crossings,
           out.kept, out.frames, out.depth, out.force);
    world_end(&w);
    return out;
}

// contact alone: no step is cut
LONG_TEST(contact_keeps_a_trefoil_a_trefoil_while_it_is_pulled_tight) {
    Pulled out = pull("{certify: false}");
    CHECK(out.crossings == 0);
    CHECK(out.frames == 17 && out.kept == out.frames);
    CHECK(out.depth > 0.001 && out.depth < 0.1);
    // tight: the pull is above EI/(2 r)^2 = 3.5 N
    CHECK(out.force > 3.5);
    CHECK(out.unconverged == 0);
}

// shows that the test above can fail
TEST(without_contact_the_same_knot_comes_undone_and_both_watches_see_it) {
    Pulled out = pull("{enabled: false}");
    CHECK(out.crossings > 0);
    CHECK(out.kept > 0 && out.kept < out.frames);
}

// contacts that are found only with overlap, at a long step: the certificate has to act
LONG_TEST(steps_cut_in_halves_keep_the_knot_and_leave_no_error_behind) {
    World w = rope(12e-3, "{single: true}");
    int32_t avoided = 0;
    for (int step = 0; w.ok && step < 15; step++) {
        LitheReport report;
        LitheError error = {0};
        w.ok = CHECK(lithe_step(w.model, w.state, w.work, &report, &error) == LITHE_OK);
        CHECK(error.status == LITHE_OK && error.text[0] == '\0');
        avoided += report.crossings_avoided;
    }
    Vec3 points[NODES];
    LitheError error;
    read_points(&w, points);
    CHECK(avoided > 0);
    CHECK(lithe_knot_determinant(points, NODES, w.context, &error) == 3);
    printf("  %d crossings avoided\n", avoided);
    world_end(&w);
}

// Energy [J], stored or dissipated, that the contact takes from a ball of 1 kg that starts 1 um
// above a floor of stiffness 1e7 N/m and comes to rest.
static double taken_by(const char *contact) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
                       "contact: %s\n"
                       "materials: {m: {young: 1 MPa, density: 1000, friction: 0,\n"
                       "  contact: {stiffness: 2e7 N/m, dissipation: 0}}}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                       "  ball: {material: m, shape: {sphere: {radius: 10 cm}}, mass: 1,\n"
                       "    inertia: [0.004, 0.004, 0.004, 0, 0, 0], at: [0, 0, 0.100001]}\n",
                       contact);
    world_step(&w, 200);
    double taken = lithe_energy(w.model, w.state).contact;
    CHECK(w.ok && fabs(body_at(&w, "ball").z - 0.1) < 1e-4);
    world_end(&w);
    return taken;
}

// without a margin a contact begins with an overlap, whose energy nobody has put in
TEST(contacts_without_margin_give_more_energy_than_they_take) {
    double single = taken_by("{single: true}"), own = taken_by("{}");
    printf("  taken %.3g J with single, %.3g J without\n", single, own);
    CHECK(own >= 0 && single < -5 * own);
}
