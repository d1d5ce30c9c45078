// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid.c - soft solids: elements, masses, holds, loads, contact, refusals

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"
#include "math/svd3.h"

#define MATERIAL \
    "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5}}\n"

static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin",
                                   "mooney-rivlin-isochoric"};
enum { LAWS = sizeof laws / sizeof *laws };

/// A block of 6 x 4 x 3 cm, `more` are further keys of it.
static World block(const char *law, const char *more) {
    return world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n" MATERIAL
                    "solids: {it: {material: m, law: %s, mesh: {box: {size: [6 cm, 4 cm, 3 cm], "
                    "divisions: [3, 2, 1]}}, at: [1 m, -2 m, 0.5 m], rotate: [0.3, 0.2, 0.1]%s}}\n",
                    law, more);
}

static double energy_at(const LitheSolid *solid, const double *x, double *gradient) {
    LitheSolidTerms terms = {.gradient = gradient};
    return lithe_solid_elastic(solid, x, NULL, &terms);
}

/// x = a + B X: the nodes of a solid under one deformation gradient.
static void deform(const LitheSolid *solid, Mat3 B, double *x) {
    for (int64_t i = 0; i < solid->mesh.node_count; i++)
        v3_store(m3_apply(B, solid->mesh.nodes[i]), x + 3 * i);
}

static double wave(int64_t k) {
    return sin(1.7 * (double)k + 0.3);
}

// --- elements ------------------------------------------------------------------------------------

TEST(a_rotated_solid_has_no_energy_and_no_forces) {
    Quat turn = q4_exp(v3(1.1, -0.7, 2.0));
    for (int k = 0; k < 2 * LAWS; k++) {
        World w = block(laws[k / 2], k % 2 ? ", quadratic: true" : "");
        const LitheSolid *solid = w.ok ? &w.model->solids[0] : NULL;
        int64_t dofs = w.ok ? 3 * (int64_t)solid->mesh.node_count : 0;
        double *x = calloc(2 * (size_t)dofs + 1, sizeof *x), *f = x + dofs;
        if (w.ok) {
            deform(solid,
                   m3_columns(q4_rotate(turn, v3(1, 0, 0)), q4_rotate(turn, v3(0, 1, 0)),
                              q4_rotate(turn, v3(0, 0, 1))),
                   x);
            double scale = solid->modulus * solid->volume;
            CHECK_NEAR(energy_at(solid, x, f), 0, 1e-20 * scale);
            for (int64_t i = 0; i < dofs; i++)
                CHECK_NEAR(f[i], 0, 1e-11 * scale);
        }
        free(x);
        world_end(&w);
    }
}

// every node inside is in balance under a uniform deformation, with every law and both elements
TEST(uniform_deformations_are_in_balance_inside) {
    Mat3 B = {{{1.2, 0.1, 0}, {-0.05, 0.9, 0.2}, {0.03, 0, 1.1}}};
    for (int k = 0; k < 2 * LAWS; k++) {
        World w = world_of("lithe: 1\n" MATERIAL
                           "solids: {it: {material: m, law: %s, quadratic: %s, mesh: {box: {size: "
                           "[3 cm, 3 cm, 3 cm], divisions: [3, 3, 3]}}}}\n",
                           laws[k / 2], k % 2 ? "true" : "false");
        const LitheSolid *solid = w.ok ? &w.model->solids[0] : NULL;
        int64_t dofs = w.ok ? 3 * (int64_t)solid->mesh.node_count : 0;
        double *x = calloc(2 * (size_t)dofs + 1, sizeof *x), *f = x + dofs, max = 0;
        if (w.ok) {
            deform(solid, B, x);
            double energy = energy_at(solid, x, f), per_volume = energy / solid->volume;
            for (int64_t i = 0; i < dofs; i++) {
                max = fmax(max, fabs(f[i]));
                if (solid->areas[i / 3] == 0)
                    CHECK_NEAR(f[i], 0, 1e-9);
            }
            CHECK(max > 1); // forces act on the surface
            // its energy is the density of the law times the volume
            Mat3 R = lithe_polar_rotation(&B);
            CHECK_NEAR(per_volume,
                       solid->law->evaluate(&solid->material, &B, &R, NULL, NULL, false),
                       1e-9 * per_volume);
            CHECK_NEAR(solid->volume, 27e-6, 1e-16);
        }
        free(x);
        world_end(&w);
    }
}

// observed order of E(x + e d) - E(x) - e f.d, which is 2 for a right gradient
TEST(forces_are_gradients_of_the_energy_to_second_order) {
    for (int k = 0; k < 2 * LAWS; k++) {
        World w = block(laws[k / 2], k % 2 ? ", quadratic: true" : "");
        const LitheSolid *solid = w.ok ? &w.model->solids[0] : NULL;
        int64_t dofs = w.ok ? 3 * (int64_t)solid->mesh.node_count : 0;
        double *x = calloc(3 * (size_t)dofs + 1, sizeof *x), *f = x + dofs, *y = f + dofs;
        if (w.ok) {
            double slope = 0, error[2];
            deform(solid, (Mat3){{{1.1, 0.1, 0}, {0, 0.95, 0.1}, {0, 0, 1.05}}}, x);
            double energy = energy_at(solid, x, f);
            for (int64_t i = 0; i < dofs; i++)
                slope += f[i] * wave(i);
            for (int e = 0; e < 2; e++) {
                double step = e ? 1e-5 : 2e-5;
                for (int64_t i = 0; i < dofs; i++)
                    y[i] = x[i] + step * wave(i);
                error[e] = energy_at(solid, y, NULL) - energy - step * slope;
            }
            CHECK_NEAR(error[0] / error[1], 4, 0.1);
        }
        free(x);
        world_end(&w);
    }
}

// (S65) with damping, the lagged law is evaluated by its stiffness; here by its elements as well
TEST(forces_and_energy_of_the_damped_lagged_law_are_those_of_its_elements) {
    for (int k = 0; k < 2; k++) {
        World w = world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
                           "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, "
                           "damping: {stiffness: 5 ms}}}\n"
                           "solids: {it: {material: m, mesh: {box: {size: [6 cm, 4 cm, 3 cm], "
                           "divisions: [3, 2, 1]}}, at: [1 m, -2 m, 0.5 m]%s}}\n",
                           k ? ", quadratic: true" : "");
        const LitheSolid *solid = w.ok ? &w.model->solids[0] : NULL;
        int64_t dofs = w.ok ? 3 * (int64_t)solid->mesh.node_count : 0;
        double *v = calloc(4 * (size_t)dofs + 1, sizeof *v), *x = v + dofs, *f = x + dofs;
        LitheStepPlan plan = {.h = 1e-3, .a = 1, .inverse_a = 1, .c = 1};
        for (int64_t i = 0; i < dofs; i++) {
            w.state->q[i] += 2e-4 * wave(7 * i);
            v[i] = 3 + wave(i);
        }
        if (w.ok && CHECK(lithe_solid_begin(w.model, 0, w.state, &plan, w.work))) {
            const LitheSolidWork *work = lithe_solid_work(w.work, 0);
            LitheSolidTerms terms = {.gradient = f};
            double largest = 0, error = 0;
            lithe_solid_evaluate(w.model, 0, w.work, v, false, false, f + dofs);
            for (int64_t i = 0; i < dofs; i++)
                x[i] = w.state->q[i] + plan.h * v[i];
            double energy = lithe_solid_elastic(solid, x, work->rotations, &terms);
            for (int64_t i = 0; i < dofs; i++) {
                largest = fmax(largest, fabs(f[i]));
                error = fmax(error, fabs(work->gradient[i] - f[i]));
            }
            printf("  forces up to %.3g N, error %.2g N; energy %.6g J, error %.2g J\n", largest,
                   error, energy, work->elastic - energy);
            CHECK(largest > 1 && error < 1e-11 * largest);
            CHECK_NEAR(work->elastic, energy, 1e-11 * energy);
        }
        free(v);
        world_end(&w);
    }
}

// --- masses --------------------------------------------------------------------------------------

TEST(energies_that_share_frames_with_the_next_step_have_the_same_bits) {
    const char *const more[] = {"", ", quadratic: true", ", mass: consistent"};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        World shared = block("corotated-lagged", more[k]), own = block("corotated-lagged", more[k]);
        for (int64_t i = 0; shared.ok && own.ok && i < shared.model->units[0].v_count; i++)
            shared.state->v[i] = own.state->v[i] = wave(i);
        for (int step = 0; step < 6 && shared.ok && own.ok; step++) {
            if (step == 3) // a state that no step has computed
                shared.state->q[1] = own.state->q[1] += 1e-4;
            LitheEnergy a = lithe_energy_with(shared.model, shared.state, 0, shared.work);
            LitheEnergy b = lithe_energy(own.model, own.state);
            CHECK(memcmp(&a, &b, sizeof a) == 0 && (step == 0 || a.elastic > 0));
            world_step(&shared, 1);
            world_step(&own, 1);
            CHECK(lithe_state_hash(shared.state) == lithe_state_hash(own.state));
        }
        CHECK(shared.ok && own.ok);
        world_end(&shared);
        world_end(&own);
    }
}

// momentum, and the kinetic energy of a translation, do not depend on how mass is distributed
TEST(all_masses_add_to_density_times_volume) {
    static const char *const masses[] = {"lumped", "consistent"};
    for (int k = 0; k < 4; k++) {
        World w = world_of("lithe: 1\n" MATERIAL
                           "solids: {it: {material: m, quadratic: %s, mass: %s, velocity: [2 m/s, "
                           "0, 0], mesh: {box: {size: [6 cm, 4 cm, 3 cm], divisions: [3, 2, 1]}}}}",
                           k / 2 ? "true" : "false", masses[k % 2]);
        if (w.ok) {
            double mass = 1000 * 72e-6;
            LitheVec3 p = lithe_momentum(w.model, w.state);
            LitheVec3 L = lithe_angular_momentum(w.model, w.state);
            CHECK_NEAR(w.model->units[0].mass, mass, 1e-14);
            CHECK_NEAR(p.x, 2 * mass, 1e-13);
            CHECK_NEAR(p.y + p.z, 0, 1e-13);
            CHECK_NEAR(L.x + L.y + L.z, 0, 1e-13);
            CHECK_NEAR(lithe_energy(w.model, w.state).kinetic, 2 * mass, 1e-13);
        }
        world_end(&w);
    }
}

TEST(a_consistent_mass_gives_the_rotary_inertia_of_the_block) {
    World w = world_of("lithe: 1\n" MATERIAL
                       "solids: {it: {material: m, mass: consistent, spin: [0, 0, 3 rad/s], mesh: "
                       "{box: {size: [6 cm, 4 cm, 3 cm], divisions: [1, 1, 1]}}}}");
    double mass = 1000 * 72e-6, inertia = mass * (0.06 * 0.06 + 0.04 * 0.04) / 12;
    if (w.ok)
        CHECK_NEAR(lithe_angular_momentum(w.model, w.state).z, 3 * inertia, 1e-12 * inertia);
    world_end(&w);
}

// --- holds, loads, contact -----------------------------------------------------------------------

// a bar under its own weight, of Poisson's ratio 0: at the free end rho g l^2/(2 E)
TEST(a_hanging_bar_stretches_as_its_weight_says) {
    for (int k = 0; k < LAWS; k++) {
        World w = world_of("lithe: 1\ntime: {scheme: static, step: 1 s, end: 1 s}\n"
                           "materials: {m: {young: 1e8 Pa, poisson: 0, density: 1000 kg/m^3}}\n"
                           "solids: {it: {material: m, law: %s, mesh: {box: {size: [2 cm, 2 cm, 20 "
                           "cm], divisions: [1, 1, 8]}}}}\n"
                           "holds: {top: {on: it.z-max}}\n",
                           laws[k]);
        world_step(&w, 1);
        if (w.ok) {
            double stretch = 1000 * 9.81 * 0.2 * 0.2 / (2 * 1e8);
            const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
            CHECK(w.unconverged == 0);
            CHECK_NEAR(x[2] + 0.1, -stretch, 0.02 * stretch);
        }
        world_end(&w);
    }
}

// of Poisson's ratio 0: the force is E A e
TEST(a_driven_face_pulls_with_the_force_of_a_bar) {
    for (int k = 0; k < LAWS; k++) {
        World w = world_of("lithe: 1\ngravity: none\n"
                           "time: {scheme: static, step: 0.5 s, end: 1 s}\n"
                           "materials: {m: {young: 1e6 Pa, poisson: 0, density: 1000 kg/m^3}}\n"
                           "solids: {it: {material: m, law: %s, mesh: {box: {size: [2 cm, 2 cm, 20 "
                           "cm], divisions: [1, 1, 8]}}}}\n"
                           "holds: {foot: {on: it.z-min}}\n"
                           "drives: {head: {on: it.z-max, direction: [0, 0, 1], motion: {table: "
                           "[[0 s, 0 m], [1 s, 0.1 mm]]}}}\n",
                           laws[k]);
        world_step(&w, 2);
        if (w.ok) {
            double force = 1e6 * 4e-4 * 1e-4 / 0.2;
            CHECK(w.unconverged == 0);
            CHECK_NEAR(lithe_drive_force(w.model, w.state, (LitheDriveId){1}), force, 2e-3 * force);
            CHECK_NEAR(lithe_drive_position(w.model, w.state, (LitheDriveId){1}), 1e-4, 1e-15);
        }
        world_end(&w);
    }
}

// a cantilever whose head is moved across: the vectors of the drive have its scalars as components
TEST(a_drive_of_a_face_has_force_and_torque_as_vectors) {
    World w = world_of("lithe: 1\ngravity: none\n"
                       "time: {scheme: static, step: 0.5 s, end: 1 s}\n" MATERIAL
                       "solids: {it: {material: m, mesh: {box: {size: [2 cm, 2 cm, 10 cm], "
                       "divisions: [2, 2, 6]}}}}\n"
                       "holds: {foot: {on: it.z-min}}\n"
                       "drives: {head: {on: it.z-max, kind: clamp, direction: [1, 0, 0], axis: [0, "
                       "1, 0], motion: {table: [[0 s, 0 m], [1 s, 0.5 mm]]}}}\n");
    LitheReaction by = lithe_drive_reaction(w.model, w.work, (LitheDriveId){1});
    CHECK(by.force.x == 0 && by.torque.z == 0);
    world_step(&w, 2);
    by = lithe_drive_reaction(w.model, w.work, (LitheDriveId){1});
    double f[6];
    v3_store(by.force, f);
    v3_store(by.torque, f + 3);
    double force = lithe_drive_force(w.model, w.state, (LitheDriveId){1});
    CHECK(force > 0 && f[0] == force);
    CHECK_NEAR(f[4], lithe_drive_torque(w.model, w.state, (LitheDriveId){1}), 1e-15);
    // both ends are clamped: equal moments -F l/2, and no force or moment out of the plane
    CHECK_NEAR(f[4], -0.5 * 0.1 * force, 0.02 * 0.05 * force);
    CHECK(fabs(f[1]) < 1e-6 * force && fabs(f[2]) < 0.05 * force && fabs(f[3]) < 1e-6 * force);
    world_end(&w);
}

// F = B everywhere: stress, strain, von Mises stress and equivalent strain are those of the law,
// with both elements and with the mean volume, whose mean is that of every element
TEST(stress_and_strain_of_a_uniform_deformation_are_those_of_the_law) {
    static const char *const more[] = {", volume: plain", ", volume: mean",
                                       ", quadratic: true, volume: plain",
                                       ", quadratic: true, volume: mean"};
    Mat3 B = {{{1.2, 0.1, 0}, {-0.05, 0.9, 0.2}, {0.03, 0, 1.1}}}, R = lithe_polar_rotation(&B), P;
    for (int k = 0; k < 4 * LAWS; k++) {
        World w = block(laws[k / 4], more[k % 4]);
        const LitheSolid *solid = w.ok ? &w.model->solids[0] : NULL;
        int64_t elements = w.ok ? solid->mesh.element_count : 0;
        int64_t nodes = w.ok ? solid->mesh.node_count : 0;
        double *out = calloc((size_t)(6 * elements + nodes) + 1, sizeof *out);
        if (w.ok) {
            LitheSolidId id = {1};
            deform(solid, B, w.state->q);
            solid->law->evaluate(&solid->material, &B, &R, &P, NULL, false);
            Mat3 s = m3_scale(1 / m3_det(B), m3_mul(P, m3_transpose(B)));
            Mat3 e = m3_scale(0.5, m3_sub(m3_mul(m3_transpose(B), B), m3_identity()));
            double mean = (s.m[0][0] + s.m[1][1] + s.m[2][2]) / 3, square = 0;
            double mean_strain = (e.m[0][0] + e.m[1][1] + e.m[2][2]) / 3, strain_square = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    square += pow(s.m[i][j] - (i == j ? mean : 0), 2);
                    strain_square += pow(e.m[i][j] - (i == j ? mean_strain : 0), 2);
                }
            lithe_solid_stress(w.model, w.state, id, out);
            CHECK_NEAR(out[0], s.m[0][0], 1e-6);
            CHECK_NEAR(out[6 * (elements - 1) + 2], s.m[2][2], 1e-6);
            CHECK_NEAR(out[3], 0.5 * (s.m[1][2] + s.m[2][1]), 1e-6);
            lithe_solid_strain(w.model, w.state, id, out);
            CHECK_NEAR(out[1], e.m[1][1], 1e-12);
            CHECK_NEAR(out[5], e.m[0][1], 1e-12);
            lithe_solid_von_mises(w.model, w.state, id, out);
            for (int64_t i = 0; i < nodes; i++)
                CHECK_NEAR(out[i], sqrt(1.5 * square), 1e-6 * sqrt(square));
            lithe_solid_equivalent_strain(w.model, w.state, id, out);
            for (int64_t i = 0; i < nodes; i++)
                CHECK_NEAR(out[i], sqrt(2.0 / 3 * strain_square), 1e-12);
        }
        free(out);
        world_end(&w);
    }
}

// a bar that hangs from the world by the four nodes of its upper face
TEST(nodes_can_be_attached) {
    World w =
        world_of("lithe: 1\ntime: {scheme: backward-euler, step: 5 ms, end: 1 s}\n"
                 "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, damping: "
                 "{stiffness: 20 ms}}}\n"
                 "solids: {it: {material: m, mesh: {box: {size: [2 cm, 2 cm, 4 cm], "
                 "divisions: [1, 1, 2]}}}}\n"
                 "constraints:\n"
                 "  a: {kind: attach, a: {on: world, at: [-1 cm, -1 cm, 2 cm]}, b: 'it[8]'}\n"
                 "  b: {kind: attach, a: {on: world, at: [1 cm, -1 cm, 2 cm]}, b: 'it[9]'}\n"
                 "  c: {kind: attach, a: {on: world, at: [-1 cm, 1 cm, 2 cm]}, b: 'it[10]'}\n"
                 "  d: {kind: attach, a: {on: world, at: [1 cm, 1 cm, 2 cm]}, b: 'it[-1]'}\n");
    world_step(&w, 200);
    if (w.ok) {
        const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        const double *v = lithe_solid_velocity(w.model, w.state, (LitheSolidId){1});
        CHECK(w.unconverged == 0);
        CHECK_NEAR(x[3 * 8 + 2], 0.02, 1e-6);
        CHECK_NEAR(x[2], -0.02, 1e-4); // it stretched, by some micrometres
        CHECK(x[2] < -0.02 - 1e-6 && fabs(v[2]) < 1e-4);
    }
    world_end(&w);
}

// a column that is twisted slowly: the work of the drive is stored, with every mass and scheme
LONG_TEST(the_work_of_a_drive_is_in_the_accounts) {
    static const char *const schemes[] = {"midpoint", "tr-bdf2"};
    static const char *const masses[] = {"lumped", "consistent"};
    for (int k = 0; k < 4; k++) {
        World w =
            world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n"
                     "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, "
                     "damping: {mass: 10 1/s, stiffness: 1 ms}}}\n"
                     "solids: {it: {material: m, mass: %s, mesh: {box: {size: [4 cm, 4 cm, 12 "
                     "cm], divisions: [2, 2, 6]}}}}\n"
                     "holds: {foot: {on: it.z-min}}\n"
                     "drives: {head: {on: it.z-max, kind: clamp, axis: [0, 0, 1], turn: "
                     "{table: [[0 s, 0 deg], [0.2 s, 60 deg]], kind: smooth}}}\n",
                     schemes[k / 2], masses[k % 2]);
        world_step(&w, 200);
        if (w.ok) {
            LitheEnergy e = lithe_energy(w.model, w.state);
            CHECK(w.unconverged == 0);
            CHECK(e.elastic > 0.01 && e.dissipated > 0);
            if (!CHECK_NEAR(e.kinetic + e.elastic + e.dissipated - e.work, 0, 2e-3 * e.elastic))
                printf("  %s %s\n", schemes[k / 2], masses[k % 2]);
            CHECK_NEAR(lithe_drive_torque(w.model, w.state, (LitheDriveId){1}) * 0.5 * M_PI / 3,
                       e.elastic, 0.1 * e.elastic);
        }
        world_end(&w);
    }
}

TEST(a_block_at_rest_presses_with_its_weight_and_friction_holds_it) {
    World w = world_of("lithe: 1\ngravity: [1 m/s^2, 0, -9.81 m/s^2]\n"
                       "time: {step: 5 ms, end: 1 s, scheme: backward-euler}\n"
                       "materials: {m: {young: 0.1 MPa, poisson: 0.3, density: 1000 kg/m^3, "
                       "friction: 0.5, damping: {stiffness: 10 ms}}}\n"
                       "solids: {it: {material: m, mesh: {box: {size: [6 cm, 4 cm, 4 cm], "
                       "divisions: [3, 2, 2]}}, at: [0, 0, 2 cm]}}\n"
                       "bodies: {floor: {fixed: true, material: m, shape: {half-space: {}}}}\n");
    world_step(&w, 200);
    if (w.ok) {
        double mass = 1000 * 96e-6, down = 0, along = 0, speed = 0;
        for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++) {
            LitheContactForce f = lithe_work_contact(w.work, i);
            down += f.force.z;
            along += f.force.x;
        }
        const double *v = lithe_solid_velocity(w.model, w.state, (LitheSolidId){1});
        for (int32_t i = 0; i < 3 * lithe_solid_node_count(w.model, (LitheSolidId){1}); i++)
            speed = fmax(speed, fabs(v[i]));
        CHECK_NEAR(fabs(down), 9.81 * mass, 1e-3 * mass);
        CHECK_NEAR(fabs(along), mass, 1e-3 * mass);
        CHECK(speed < 1e-5);
    }
    world_end(&w);
}

// --- refusals ------------------------------------------------------------------------------------

#define BOX "mesh: {box: {size: [1, 1, 1], divisions: [1, 1, 1]}}"

TEST(wrong_solids_are_refused_with_the_reason) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"materials: {m: {young: 1 MPa, poisson: 0.5, density: 1}}\nsolids: {a: {material: m, " BOX
         "}}",
         "solid 'a': material 'm' has poisson 0.5, must be < 0.5"},
        {"solids: {a: {material: m, mesh: {box: {size: [1, 0, 1], divisions: [1, 1, 1]}}}}",
         "solid 'a': size is 0 m along y, must be > 0"},
        {"solids: {a: {material: m, mesh: {box: {size: [1, 1, 1], divisions: [1, 1.5, 1]}}}}",
         "divisions are 1.5 along y, must be a whole number >= 1"},
        {"solids: {a: {material: m, mesh: {box: {size: [1, 1, 1], divisions: [1e3, 1e3, 1e3]}}}}",
         "nodes, the max is 10000000"},
        {"solids: {a: {material: m, c1: 1 kPa, " BOX "}}", "c1, c2 and bulk belong to"},
        {"solids: {a: {material: m, law: mooney-rivlin, c1: 1 kPa, " BOX "}}",
         "bulk is missing or 0 Pa: give c1, c2"},
        {"solids: {a: {material: m, " BOX "}}\nholds: {h: {on: a.top}}",
         "hold 'h': solid 'a' has no group 'top' with nodes; it has x-min, x-max"},
        {"solids: {a: {material: m, " BOX "}}\nholds: {h: {on: 'a[8]'}}",
         "hold 'h': node 8 does not exist, 'a' has nodes 0 to 7"},
        {"solids: {a: {material: m, " BOX "}}\nholds: {h: {on: a.x-min, hold: clamp}}",
         "'a' is a solid, whose points have x, y, z and position"},
        {"solids: {a: {material: m, " BOX "}}\nholds: {h: {on: 'a[0'}}",
         "'a[0' is no place: a is a solid"},
        {"solids: {a: {material: m, " BOX "}}\ndrives: {d: {on: a.x-min, kind: twist}}",
         "drive 'd': kind is twist, but the drive is on a solid"},
        {"solids: {a: {material: m, " BOX "}}\ndrives: {d: {on: a.x-min, kind: clamp, turn: 1}}",
         "drive 'd': axis is missing or zero"},
        {"solids: {a: {material: m, " BOX "}}\nholds: {h: {on: a.y-min}}\n"
         "drives: {d: {on: a.x-min, direction: [1, 0, 0], motion: 1 mm}}",
         "drive 'd': node 0 of 'a' is already held or driven by another object"},
        {"solids: {a: {material: m, " BOX "}}\n"
         "constraints: {c: {kind: attach, a: {on: world, at: [1, 0, 0]}, b: a}}",
         "constraint 'c': b: the point (1, 0, 0) m is outside of solid 'a', "},
        {"solids: {a: {material: m, " BOX "}}\n"
         "constraints: {c: {kind: attach, a: {on: a, at: [0, 0, 7]}, b: world}}",
         "constraint 'c': a: the point (0, 0, 7) m is outside of solid 'a', "},
        {"solids: {a: {material: m, " BOX "}, b: {material: m, " BOX ", at: [3, 0, 0]}}\n"
         "constraints: {c: {kind: attach, a: a, b: b}}",
         "a and b are both solids without a place: at is missing"},
        {"solids: {a: {material: m, " BOX "}}\n"
         "constraints: {c: {kind: weld, a: world, b: a}}",
         "kind is weld, but b is a point of a solid, which has no frame"},
        {"solids: {a: {material: m, " BOX "}}\n"
         "constraints: {c: {kind: attach, a: world, b: a.x-min}}",
         "b is the group 'x-min' of a solid: kind weld joins it to a body"},
        {"solids: {a: {material: m, " BOX "}}\n"
         "constraints: {c: {kind: attach, a: world, b: 'a[9]'}}",
         "node 9"},
        {"solids: {a: {material: m, " BOX "}}\n"
         "constraints: {c: {kind: weld, a: world, b: 'a[1]'}}",
         "kind is weld, but b is a node of a solid, which has no frame"},
        {"solids: {a: {material: m, " BOX "}}\nholds: {h: {on: 'b[0]'}}",
         "no rod or solid named 'b'"},
        {"contact: {model: imc}\nsolids: {a: {material: m, " BOX "}}",
         "model is imc, which supports rods only, not solid 'a'; convex supports it"},
        {"solids: {a: {material: m, mesh: {tetrahedra: {nodes: [[0, 0, 0], [1, 0, 0], [0, 1, 0], "
         "[0, 0, 1]], elements: [0, 1, 2, 3], groups: [foot, foot], group-sizes: [1, 1], "
         "group-nodes: [0, 1]}}}}",
         "solid 'a': groups 0 and 1 are both named 'foot'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        bool own = strncmp(wrong[k].text, "materials", 9) == 0;
        world_refused(wrong[k].message, "lithe: 1\n%s%s\n",
                      own ? "" : "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1}}\n",
                      wrong[k].text);
    }
}

TEST(contact_has_the_stiffness_of_the_constants_of_the_law) {
    World w = world_of("lithe: 1\n" MATERIAL
                       "solids: {a: {material: m, law: mooney-rivlin-isochoric, c1: 30 MPa, c2: 20 "
                       "MPa, bulk: 400 MPa, " BOX "}}\n");
    if (w.ok) { // shear modulus 100 MPa
        double young = 9 * 400.0 * 100 / (3 * 400 + 100) * 1e6;
        double poisson = (3 * 400.0 - 2 * 100) / (2 * (3 * 400 + 100));
        CHECK_NEAR(w.model->solids[0].touch.modulus, young / (1 - poisson * poisson),
                   1e-12 * young);
    }
    world_end(&w);
}

TEST(a_solid_is_written_and_read_back_the_same) {
    World w =
        world_of("lithe: 1\n" MATERIAL
                 "solids: {a: {material: m, law: mooney-rivlin, c1: 1 kPa, c2: 2 kPa, bulk: "
                 "1 MPa, quadratic: true, mass: consistent, at: [1, 2, 3], " BOX "}}\n"
                 "sets: {low: {of: a, list: [0, 1]}}\n"
                 "holds: {h: {on: a.x-min}, k: {on: 'a[3]', hold: x}, l: {on: low, hold: z}}");
    char *text = NULL, *again = NULL;
    LitheError error = {0};
    LitheScene *second = NULL;
    if (w.ok && CHECK(lithe_scene_write(w.scene, &text, &error) == LITHE_OK) &&
        CHECK(lithe_scene_parse(w.context, text, strlen(text), "again", NULL, NULL, 0, &second,
                                &error) == LITHE_OK) &&
        CHECK(lithe_scene_write(second, &again, &error) == LITHE_OK)) {
        CHECK(strcmp(text, again) == 0);
        CHECK_TEXT(text, "on: a.x-min");
        CHECK_TEXT(text, "on: a[3]");
    }
    lithe_free(w.context, text);
    lithe_free(w.context, again);
    lithe_scene_destroy(second);
    world_end(&w);
}
