// SPDX-License-Identifier: Apache-2.0
// tests/body/test_riding.c - bodies that ride on a unit other than a tree

#include "test.h"

#include "advance/world.h"
#include "body/rod.h"
#include "body/tree_body.h"
#include "data/contacts.h"
#include "data/model.h"
#include "data/state.h"

// A rod with a fixed disc beside it; the disc is put on edge 3 of the rod, 2 cm off the centreline.
static World disc_on_rod(void) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1 s}\n"
        "materials: {m: {young: 10 MPa, poisson: 0.4, density: 1000 kg/m^3,\n"
        "                friction: 0, damping: {mass: 10 1/s}, contact: {stiffness: 1e4 N/m}}}\n"
        "rods:\n"
        "  it: {material: m, section: {circle: {radius: 5 mm}}, nodes: 9, clamped: start,\n"
        "       shape: {line: {from: [0, 0, 0], to: [0.4 m, 0, 0]}}}\n"
        "bodies:\n"
        "  disc: {fixed: true, material: m, shape: {sphere: {radius: 1 cm}}}\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -4 cm]}\n"
        "ignore: [[it, disc], [it, floor]]\n");
    if (w.ok) {
        LitheRigidBody *disc = &((LitheModel *)w.model)->bodies[0];
        disc->unit = w.model->rods[0].unit;
        disc->element = 3;
        disc->s = 0.25;
        disc->offset = true;
        disc->frame = (Pose){{1, 0, 0, 0}, {-0.02, 0, 0}};
    }
    return w;
}

static Pose pose_of(const World *w) {
    return lithe_body_place(w->model, w->state, 0);
}

TEST(a_body_that_rides_on_a_rod_moves_with_the_frame_of_its_edge) {
    World w = disc_on_rod();
    world_step(&w, 40);
    if (w.ok) {
        Pose edge = lithe_edge_place(&w.model->rods[0], w.state, 3, 0.25);
        Pose own = pose_of(&w);
        CHECK_NEAR(v3_distance(own.at, edge.at), 0.02, 1e-12);
        // across the rod, along its director m1
        Vec3 m1 = q4_rotate(edge.rotation, v3(1, 0, 0));
        CHECK_NEAR(v3_distance(own.at, v3_axpy(-0.02, m1, edge.at)), 0, 1e-12);
        CHECK(edge.at.z < -1e-3); // it sags
    }
    world_end(&w);
}

TEST(velocity_of_a_riding_body_is_the_derivative_of_its_place) {
    World w = disc_on_rod();
    world_step(&w, 20);
    if (w.ok) {
        double v[6], step = 1e-6;
        lithe_body_velocity(w.model, w.state, (LitheBodyId){1}, v);
        LitheState *ahead = lithe_state_copy(w.state);
        const LitheRod *rod = &w.model->rods[0];
        for (int64_t k = 0; k < 4 * (int64_t)rod->node_count; k++)
            ahead->q[rod->dof_at + k] += step * w.state->v[rod->dof_at + k];
        // directors are transported with the tangents
        for (int32_t i = 0; i < rod->edge_count; i++) {
            LitheRodEdge edge = {0};
            Vec3 a = v3_load(w.state->q + rod->dof_at + 4 * i);
            Vec3 b = v3_load(w.state->q + rod->dof_at + 4 * i + 4);
            Vec3 c = v3_load(ahead->q + rod->dof_at + 4 * i);
            Vec3 d = v3_load(ahead->q + rod->dof_at + 4 * i + 4);
            lithe_rod_edge(c, d, 0, v3_unit(v3_sub(b, a)),
                           v3_load(w.state->own + rod->d1_at + 3 * i), &edge);
            v3_store(edge.d1, ahead->own + rod->d1_at + 3 * i);
        }
        Vec3 before = pose_of(&w).at, after = lithe_body_place(w.model, ahead, 0).at;
        Vec3 rate = v3_scale(1 / step, v3_sub(after, before));
        CHECK(v3_norm(rate) > 1e-3);
        CHECK_NEAR(v3_distance(rate, v3_load(v)), 0, 1e-5 * v3_norm(rate));
        lithe_state_destroy(ahead);
    }
    world_end(&w);
}

TEST(contact_of_a_riding_body_holds_the_rod_up) {
    World w = disc_on_rod();
    world_step(&w, 1500);
    if (w.ok) {
        // the disc lies on the floor and carries the rod, which has no contact itself
        CHECK_NEAR(pose_of(&w).at.z, -0.03, 2e-4);
        CHECK(lithe_work_contact_count(w.work) == 1);
        LitheContactForce force = lithe_work_contact(w.work, 0);
        CHECK(force.normal > 1e-3);
    }
    world_end(&w);
}
