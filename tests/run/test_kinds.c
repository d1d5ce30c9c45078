// SPDX-License-Identifier: Apache-2.0
// tests/run/test_kinds.c - what holds for every kind of unit: one list, every claim for each
//
// A new kind is one more row of `kinds`: two things 'it' and 'other' that fly, fall and touch. 'it'
// takes the key `velocity`. A kind that is tied to the world says so: momentum is not kept then.

#include "test.h"

#include "advance/world.h"
#include "body/unit.h"
#include "data/model.h"
#include "data/state.h"
#include "data/thing.h"
#include "record/export.h"
#include "record/recording.h"
#include "record/synthetic.h"

#include <unistd.h>

typedef struct Kind {
    const char *name;   // of the test's output
    const char *things; // 'it' at the origin, 'other' 30 mm above it; %s: more keys of 'it'
    const char *folder; // in a recording
    const char *where;  // column of positions
    const char *floor;  // 30 mm below, as it is written behind the things
    bool tied;          // to the world: not free to fly
    bool body;          // 'other' is a body: things of this kind do not touch each other
    bool vibrates; // from the start: midpoint keeps its energy to second order, not to rounding
} Kind;

#define FLOOR \
    "bodies:\n" \
    "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -3 cm]}\n"

#define BODY_FLOOR \
    "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -3 cm]}\n"

static const Kind kinds[] = {
    {"rods",
     "rods:\n"
     "  it: {material: m, section: {circle: {radius: 5 mm}}, nodes: 9,\n"
     "       shape: {line: {from: [-4 cm, 0, 0], to: [4 cm, 0, 0]}}, %s}\n"
     "  other: {material: m, section: {circle: {radius: 5 mm}}, nodes: 9,\n"
     "          shape: {line: {from: [0, -4 cm, 3 cm], to: [0, 4 cm, 3 cm]}}}\n",
     "rods", "position", FLOOR, false, false, false},
    {"bodies",
     "bodies:\n"
     "  it: {material: m, shape: {sphere: {radius: 1 cm}}, %s}\n"
     "  other: {material: m, shape: {box: {size: [3 cm, 2 cm, 1 cm]}}, at: [2 mm, 1 mm, 3 cm]}\n",
     "bodies", "pose", BODY_FLOOR, false, false, false},
#define ARMS(more) \
    "arms:\n" \
    "  tail: {parent: it, at: [1 cm, 0, 0], rotate: {axis: [0, 1, 0], angle: 90 deg}, lengths: " \
    "[2 " \
    "cm, 2 cm], masses: [2 g, 1 g], radii: [4 mm, 4 mm], stiffness: 20 N/m, disks: 2, " \
    "disk-radius: 5 mm, " more "material: m}\n" \
    "bodies:\n" \
    "  it: {material: m, shape: {sphere: {radius: 1 cm}}, %s}\n" \
    "  other: {material: m, shape: {box: {size: [3 cm, 2 cm, 1 cm]}}, at: [2 mm, 1 mm, 3 cm]}\n"
    // 'it' carries one, with four more bodies
    {"arms", ARMS(""), "bodies", "pose", BODY_FLOOR, false, false, false},
    {"bent damped arms", ARMS("start: [2 mm, 0, -1 mm, 0, -2 mm, 1 mm], damping: 0.05 N s/m, "),
     "bodies", "pose", BODY_FLOOR, false, false, true},
    {"particles",
     "particles:\n"
     "  it: {material: m, radius: 1 cm, positions: [[0, 0, 0], [2.5 cm, 0, 0], [0, 2.5 cm, 0]], "
     "%s}\n"
     "  other: {material: m, radius: 5 mm, positions: [[1 mm, 0, 3 cm], [2.4 cm, 1 mm, 3 cm]]}\n",
     "particles", "position", FLOOR, false, false, false},
#define SOLIDS(more) \
    "solids:\n" \
    "  it: {material: m, mesh: {box: {size: [4 cm, 2 cm, 2 cm], divisions: [2, 1, 1]}}, " more \
    "       %s}\n" \
    "bodies:\n" \
    "  other: {material: m, shape: {box: {size: [3 cm, 2 cm, 1 cm]}}, at: [2 mm, 1 mm, 3 cm]}\n"
    {"two solids",
     "solids:\n"
     "  it: {material: m, mesh: {box: {size: [4 cm, 2 cm, 2 cm], divisions: [2, 1, 1]}},\n"
     "       %s}\n"
     "  other: {material: m, law: neo-hookean, at: [2 mm, 1 mm, 3 cm],\n"
     "          mesh: {box: {size: [3 cm, 2 cm, 1 cm], divisions: [2, 2, 1]}}}\n",
     "solids", "position", FLOOR, false, false, false},
    {"solids and rods",
     "solids:\n"
     "  it: {material: m, mesh: {box: {size: [4 cm, 2 cm, 2 cm], divisions: [2, 1, 1]}},\n"
     "       %s}\n"
     "rods:\n"
     "  other: {material: m, section: {circle: {radius: 5 mm}}, nodes: 9,\n"
     "          shape: {line: {from: [2 mm, -4 cm, 3 cm], to: [0, 4 cm, 3 cm]}}}\n",
     "solids", "position", FLOOR, false, true, false},
    {"solids and particles",
     "solids:\n"
     "  it: {material: m, mesh: {box: {size: [4 cm, 2 cm, 2 cm], divisions: [2, 1, 1]}},\n"
     "       %s}\n"
     "particles:\n"
     "  other: {material: m, radius: 5 mm, positions: [[1 mm, 2 mm, 3 cm], [18 mm, 1 mm, 3 cm]]}\n",
     "solids", "position", FLOOR, false, true, false},
    {"solids", SOLIDS("law: neo-hookean,\n"), "solids", "position", BODY_FLOOR, false, true, false},
    {"lagged solids", SOLIDS("law: corotated-lagged,\n"), "solids", "position", BODY_FLOOR, false,
     true, false},
    {"solids with gas",
     "solids:\n"
     "  it: {material: m, quadratic: false, mesh: {hollow-sphere: {radius: 1.5 cm, inner: 1 cm, "
     "resolution: 1.5 "
     "cm}},\n"
     "       law: neo-hookean, %s}\n"
     "cavities:\n"
     "  air: {on: it.inner, gas: 101.3 kPa, outside: 101.3 kPa}\n"
     "bodies:\n"
     "  other: {material: m, shape: {box: {size: [3 cm, 2 cm, 1 cm]}}, at: [2 mm, 1 mm, 3 cm]}\n",
     "solids", "position", BODY_FLOOR, false, true, false},
    {"consistent solids", SOLIDS("law: mooney-rivlin, mass: consistent,\n"), "solids", "position",
     BODY_FLOOR, false, true, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/// Ends a world; says of which kind it was when something failed since the last one.
static void end(World *w, const Kind *kind) {
    static int seen;
    world_end(w);
    if (test_list.failures > seen)
        printf("  (%s)\n", kind->name);
    seen = test_list.failures;
}

/// `extra` are further keys of the scene, `keys` those of 'it'.
static World world(const Kind *kind, const char *extra, const char *keys) {
    char things[1024];
    // the format is one of the table above
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(things, sizeof things, kind->things, keys);
#pragma GCC diagnostic pop
    return world_of("lithe: 1\n"
                    "materials: {m: {young: 1 MPa, poisson: 0.4, density: 1000 kg/m^3,\n"
                    "                friction: 0.4, contact: {stiffness: 1e4 N/m}}}\n"
                    "%s%s%s",
                    extra, things, kind->floor);
}

/// The unit of 'it'.
static int32_t own_unit(const World *w) {
    return lithe_thing_site(w->model, lithe_thing_find(w->model, "it"), 0, 0, v3(0, 0, 0)).unit;
}

static const char *const falling = "time: {step: 1 ms, end: 50 ms}\nrecord: {every: 1 ms}\n";

// --- conservation --------------------------------------------------------------------------------

TEST(a_collision_keeps_linear_momentum) {
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].tied)
            continue;
        World w = world(&kinds[k],
                        "time: {step: 1 ms, end: 1 s, scheme: midpoint, tolerance: 1e-11}\n"
                        "contact: {tolerance: 1e-11}\ngravity: none\n",
                        "velocity: [0, 0, 1 m/s]");
        LitheVec3 p0 = w.ok ? lithe_momentum(w.model, w.state) : (LitheVec3){0, 0, 0};
        double max = 0;
        for (int i = 0; w.ok && i < 60; i++) {
            world_step(&w, 1);
            max = fmax(max, w.report.deepest);
        }
        if (w.ok) {
            LitheVec3 p = lithe_momentum(w.model, w.state);
            double size = hypot(p0.x, hypot(p0.y, p0.z));
            CHECK(size > 0);
            CHECK_NEAR(p.x, p0.x, 1e-10 * size);
            CHECK_NEAR(p.y, p0.y, 1e-10 * size);
            CHECK_NEAR(p.z, p0.z, 1e-10 * size);
            CHECK(max > 0); // they met
        }
        end(&w, &kinds[k]);
    }
}

/// Energy that a flight of 0.1 s without contact has lost that is not in its accounts [J].
static double fly(const Kind *kind, double step) {
    char time[128];
    snprintf(time, sizeof time,
             "time: {step: %g s, end: 1 s, scheme: midpoint, tolerance: 1e-12}\ngravity: none\n",
             step);
    World w = world(kind, time, "velocity: [0.5 m/s, -0.2 m/s, 0.05 m/s]");
    double lost = NAN;
    if (w.ok) {
        LitheVec3 L0 = lithe_angular_momentum(w.model, w.state);
        LitheVec3 p0 = lithe_momentum(w.model, w.state);
        LitheEnergy a = lithe_energy(w.model, w.state);
        world_step(&w, (int64_t)(0.1 / step + 0.5));
        LitheVec3 L = lithe_angular_momentum(w.model, w.state);
        LitheVec3 p = lithe_momentum(w.model, w.state);
        LitheEnergy b = lithe_energy(w.model, w.state);
        double size = fabs(p0.x) + fabs(p0.z);
        // that of things that vibrate is kept as well as their equations are solved
        CHECK_NEAR(p.z, p0.z, (kind->vibrates ? 1e-10 : 1e-12) * size);
        CHECK_NEAR(L.x, L0.x, 1e-9 * size);
        CHECK_NEAR(L.y, L0.y, 1e-9 * size);
        CHECK(!kind->vibrates || (a.elastic > 0 && b.dissipated > 0));
        lost = a.kinetic + a.elastic - b.kinetic - b.elastic - b.dissipated;
        if (!kind->vibrates)
            CHECK_NEAR(lost, 0, 1e-9 * a.kinetic);
    }
    end(&w, kind);
    return lost;
}

TEST(free_flight_keeps_momentum_angular_momentum_and_energy) {
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].tied)
            continue;
        double lost = fly(&kinds[k], 1e-3);
        if (kinds[k].vibrates) {
            double half = fly(&kinds[k], 0.5e-3), quarter = fly(&kinds[k], 0.25e-3);
            CHECK(fabs(lost) < 5e-8); // of 1 mJ
            CHECK(fabs(half) < fabs(lost) / 3.5 && fabs(quarter) < fabs(half) / 3.5);
        }
    }
}

LONG_TEST(energy_only_falls_where_things_fall_on_a_floor) {
    for (int k = 0; k < KINDS; k++) {
        World w = world(&kinds[k], "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n",
                        "velocity: [0, 0, 0]");
        double last = INFINITY, deepest = 0;
        for (int i = 0; w.ok && i < 200; i++) {
            world_step(&w, 1);
            deepest = fmax(deepest, w.report.deepest);
            LitheEnergy e = lithe_energy(w.model, w.state);
            // the energy taken by normal forces is stored in the contacts, as long as they exist
            double sum = e.kinetic + e.elastic + e.gravity + e.contact;
            CHECK(sum <= last + 1e-9 * fabs(last == INFINITY ? 0 : last) + 1e-12);
            last = sum;
        }
        CHECK(deepest > 0);
        end(&w, &kinds[k]);
    }
}

LONG_TEST(motion_does_not_depend_on_where_it_takes_place) {
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].tied)
            continue;
        LitheVec3 p[2];
        for (int far = 0; far < 2; far++) {
            World w = world(&kinds[k], falling, "velocity: [0, 0, 0.5 m/s]");
            for (int32_t u = 0; w.ok && far && u < w.model->unit_count; u++) {
                const LitheUnit *unit = &w.model->units[u];
                // positions come first in a node, and in a free joint
                int64_t stride = unit->point_count > 0 ? unit->node_size : unit->q_count;
                for (int64_t at = 0; at < unit->q_count; at += stride) {
                    w.state->q[unit->q_at + at] += 3;
                    w.state->q[unit->q_at + at + 1] -= 2;
                }
            }
            world_step(&w, 50);
            p[far] = w.ok ? lithe_momentum(w.model, w.state) : (LitheVec3){0, 0, 0};
            end(&w, &kinds[k]);
        }
        double size = fabs(p[0].z);
        CHECK(size > 0);
        CHECK_NEAR(p[1].x, p[0].x, 1e-7 * size);
        CHECK_NEAR(p[1].z, p[0].z, 1e-7 * size);
    }
}

// --- schemes -------------------------------------------------------------------------------------

TEST(every_scheme_steps_and_converges) {
    static const char *const times[] = {
        "time: {step: 1 ms, end: 1 s}\n",
        "time: {step: 1 ms, end: 1 s, scheme: midpoint}\n",
        "time: {step: 1 ms, end: 1 s, scheme: tr-bdf2}\n",
        "time: {step: 10 us, end: 1 s, scheme: symplectic-euler}\n",
        "time: {step: {adaptive: {max: 2 ms, min: 10 us}}, end: 1 s}\n",
    };
    for (int k = 0; k < KINDS; k++)
        for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
            World w = world(&kinds[k], times[t], "velocity: [0, 0, 0.5 m/s]");
            world_step(&w, 60);
            if (!CHECK(w.ok && w.unconverged == 0))
                printf("  %s: %s", kinds[k].name, times[t]);
            end(&w, &kinds[k]);
        }
}

// energy that is neither stored nor in the accounts was lost by the scheme: midpoint loses none
static double unaccounted(const Kind *kind, double step) {
    char time[128];
    snprintf(time, sizeof time, "time: {step: %g s, end: 1 s, scheme: midpoint}\n", step);
    World w = world(kind, time, "velocity: [0.1 m/s, 0, 0]");
    double part = NAN; // of the kinetic energy
    if (w.ok) {
        LitheEnergy a = lithe_energy(w.model, w.state);
        world_step(&w, (int64_t)(0.04 / step + 0.5));
        LitheEnergy b = lithe_energy(w.model, w.state);
        double before = a.kinetic + a.elastic + a.gravity;
        double after = b.kinetic + b.elastic + b.gravity + b.dissipated + b.friction + b.contact +
                       b.constraints - b.work;
        CHECK(b.kinetic > a.kinetic);
        part = (after - before) / b.kinetic;
    }
    end(&w, kind);
    return part;
}

TEST(energy_accounts_close_with_midpoint) {
    for (int k = 0; k < KINDS; k++) {
        double part = unaccounted(&kinds[k], 0.2e-3);
        if (kinds[k].vibrates) {
            double half = unaccounted(&kinds[k], 0.1e-3);
            CHECK(fabs(part) < 1e-5 && fabs(half) < fabs(part) / 3.5);
        } else if (!CHECK_NEAR(part, 0, 1e-6))
            printf("  %s\n", kinds[k].name);
    }
}

// the matrix of the step is the derivative of its residual
TEST(matrices_are_derivatives_of_residuals) {
    for (int k = 0; k < KINDS; k++) {
        World w = world(&kinds[k], "time: {step: 1 ms, end: 1 s}\n", "velocity: [0.1 m/s, 0, 0]");
        world_step(&w, 3);
        int32_t unit = w.ok ? own_unit(&w) : 0;
        const LitheUnitOps *ops = w.ok ? lithe_unit_ops(w.model, unit) : NULL;
        LitheStepPlan plan = {
            .time = w.ok ? w.state->clock[0] : 0, .h = 1e-3, .a = 1, .inverse_a = 1, .c = 1};
        // kinds with a solver of their own linearise at the start of the step alone
        if (ops && !ops->free && CHECK(ops->begin(w.model, unit, w.state, &plan, w.work))) {
            LitheUnitWork *own = &w.work->units[unit];
            int64_t n = own->dof_count;
            double *x = calloc(3 * (size_t)n, sizeof *x), *low = x + n, *high = low + n;
            for (int64_t c = 0; c < n; c += 1 + n / 7) {
                if (own->held[c])
                    continue;
                // A x of one column, by solving: A \ (dr/dw e) is e
                double step = 1e-6;
                memcpy(x, own->w, (size_t)n * sizeof *x);
                x[c] = own->w[c] - step;
                ops->evaluate(w.model, unit, w.work, x, false, false, low);
                x[c] = own->w[c] + step;
                ops->evaluate(w.model, unit, w.work, x, false, false, high);
                ops->evaluate(w.model, unit, w.work, own->w, true, false, own->r);
                CHECK(ops->factor(w.model, unit, w.work));
                for (int64_t i = 0; i < n; i++)
                    x[i] = own->held[i] ? 0 : (high[i] - low[i]) / (2 * step);
                ops->solve(w.model, unit, w.work, x);
                for (int64_t i = 0; i < n; i++)
                    CHECK_NEAR(x[i], i == c, 1e-5);
            }
            free(x);
        }
        end(&w, &kinds[k]);
    }
}

// --- bits ----------------------------------------------------------------------------------------

TEST(states_are_equal_for_every_thread_count_with_work_dropped_and_after_a_restart) {
    for (int k = 0; k < KINDS; k++) {
        uint64_t hash[4];
        for (int way = 0; way < 4; way++) {
            World w = world(&kinds[k], falling, "velocity: [0, 0, 0.5 m/s]");
            if (w.ok && way == 1) {
                lithe_work_destroy(w.work);
                w.work = lithe_work_create(w.model, 2);
            }
            for (int i = 0; w.ok && i < 40; i++) {
                world_step(&w, 1);
                if (way == 2) {
                    lithe_work_destroy(w.work);
                    w.work = lithe_work_create(w.model, 1);
                }
                if (way == 3 && i == 20) { // saved, and put back into a fresh state
                    int64_t size = lithe_state_size(w.state);
                    double *saved = malloc((size_t)size * sizeof(double));
                    memcpy(saved, lithe_state_data(w.state), (size_t)size * sizeof(double));
                    world_step(&w, 5);
                    CHECK(
                        lithe_state_set_layout(w.model, LITHE_STATE_LAYOUT, saved, size, w.state));
                    free(saved);
                }
            }
            hash[way] = w.ok ? lithe_state_hash(w.state) : 0;
            end(&w, &kinds[k]);
        }
        CHECK(hash[0] != 0 && hash[1] == hash[0] && hash[2] == hash[0] && hash[3] == hash[0]);
    }
}

TEST(a_step_allocates_nothing_after_warm_up) {
    for (int k = 0; k < KINDS; k++) {
        World w = world(&kinds[k], falling, "velocity: [0, 0, 0.5 m/s]");
        LitheState *start = w.ok ? lithe_state_copy(w.state) : NULL;
        world_step(&w, 40);
        if (w.ok) {
            lithe_state_set(w.state, lithe_state_data(start));
            lithe_context_fail_at(w.context, 1);
            world_step(&w, 40);
            lithe_context_fail_at(w.context, 0);
        }
        lithe_state_destroy(start);
        end(&w, &kinds[k]);
    }
}

// --- what goes wrong -----------------------------------------------------------------------------

TEST(a_number_that_is_not_finite_stops_with_the_state_as_it_was) {
    for (int k = 0; k < KINDS; k++) {
        World w = world(&kinds[k], falling, "velocity: [0, 0, 0]");
        if (w.ok) {
            LitheError error = {0};
            w.state->v[w.model->units[own_unit(&w)].v_at + 2] = NAN;
            uint64_t before = lithe_state_hash(w.state);
            CHECK(lithe_step(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
            CHECK_TEXT(error.text, "it");
            CHECK(lithe_state_hash(w.state) == before);
        }
        end(&w, &kinds[k]);
    }
}

// --- recording and export ------------------------------------------------------------------------

LONG_TEST(a_recording_holds_the_motion_and_is_exported) {
    for (int k = 0; k < KINDS; k++) {
        World w = world(&kinds[k], falling, "velocity: [0, 0, 0.5 m/s]");
        TestFolder folder = test_folder();
        char out[256], csv[256], vtk[256], png[256];
        LitheRunDef def = lithe_run_def_default();
        LitheSummary summary;
        LitheError error = {0};
        def.out = test_path(&folder, "a.h5", out);
        LitheRecording *recording = NULL;
        bool ok = w.ok && CHECK(lithe_run(w.scene, &def, &summary, &error) == LITHE_OK) &&
                  CHECK(lithe_recording_open(w.context, out, &recording, &error) == LITHE_OK);
        if (!ok)
            printf("  %s: %s\n", kinds[k].name, error.text);
        if (ok) {
            world_step(&w, 50);
            const LitheColumn *column =
                lithe_recording_column(recording, kinds[k].folder, "it", kinds[k].where);
            double values[600];
            ok = CHECK(column && column->count <= 600) &&
                 CHECK(lithe_recording_read(recording, column, recording->frame_count - 1, 1,
                                            values, &error) == LITHE_OK);
            // the first three numbers are the position of the first point
            for (int c = 0; ok && c < 3; c++)
                CHECK_NEAR(values[c], w.state->q[w.model->units[own_unit(&w)].q_at + c], 1e-12);
            LithePictureOptions options = lithe_picture_options_default();
            options.width = 160;
            options.height = 100;
            options.quick = true;
            CHECK(lithe_export_csv(recording, test_path(&folder, "a.csv", csv), NULL, 0, &error) ==
                  LITHE_OK);
            CHECK(lithe_export_vtk(recording, test_path(&folder, "a.pvd", vtk), &error) ==
                  LITHE_OK);
            CHECK(lithe_export_picture(recording, 10, test_path(&folder, "a.png", png), &options,
                                       &error) == LITHE_OK);
        }
        lithe_recording_close(recording);
        test_folder_remove(&folder);
        end(&w, &kinds[k]);
    }
}

// --- names ---------------------------------------------------------------------------------------

TEST(things_are_found_by_name_and_number) {
    for (int k = 0; k < KINDS; k++) {
        World w = world(&kinds[k], falling, "velocity: [0, 0, 0]");
        const char *name = kinds[k].body ? "it" : "other";
        LitheThing thing = w.ok ? lithe_thing_find(w.model, name) : (LitheThing){0};
        if (w.ok) {
            CHECK(thing.number >= (kinds[k].body ? 1 : 2) && lithe_thing_count(w.model) >= 3);
            CHECK(lithe_thing_at(w.model, lithe_thing_number(w.model, thing)).number ==
                  thing.number);
            CHECK(strcmp(lithe_thing_name(w.model, thing), name) == 0);
            CHECK(strcmp(lithe_thing_word(thing.kind), kinds[k].folder) == 0 ||
                  strncmp(lithe_thing_word(thing.kind), kinds[k].folder, 3) == 0);
            CHECK(lithe_thing_find(w.model, "nobody").number == 0);
        }
        end(&w, &kinds[k]);
    }
}
