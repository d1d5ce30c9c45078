// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_faces.c - contact of the surfaces of soft solids with each other

#include "test.h"

#include "advance/world.h"
#include "collide/collide.h"
#include "data/state.h"

#include <math.h>
#include <string.h>

// of the material below, and the layer of a cube of 0.1 m: two layers in series [Pa], [m]
#define MODULUS 1e5
#define LAYER 0.0005

#define HEAD "lithe: 1\ntime: {step: 20 ms, end: 1 s, scheme: backward-euler}\n"
#define MATERIALS \
    "materials:\n" \
    "  soft: {young: 0.1 MPa, poisson: 0, density: 1000 kg/m^3, friction: %g, damping: " \
    "{stiffness: 50 ms}}\n" \
    "  hard: {young: 1e9 GPa, poisson: 0.3, density: 1000 kg/m^3}\n"

/// The contacts of two solids that press.
typedef struct Push {
    double force;     // sum of their vertical forces [N]
    double overlap;   // mean over their areas [m]
    double stiffness; // sum [N/m]
    double sideways;  // sum of the forces whose normals are not vertical [N]
    int32_t contacts;
} Push;

static Push push_of(const World *w) {
    Push p = {0, 0, 0, 0, 0};
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        if (f.contact.a.thing.kind != LITHE_THING_SOLID ||
            f.contact.b.thing.kind != LITHE_THING_SOLID || !(vector_length(f.force) > 0))
            continue;
        p.force += f.force.z;
        p.sideways += fabs(f.contact.normal.z) < 0.9 ? vector_length(f.force) : 0;
        p.overlap -= f.contact.stiffness * f.contact.gap;
        p.stiffness += f.contact.stiffness;
        p.contacts++;
    }
    p.overlap /= p.stiffness;
    p.force = fabs(p.force);
    return p;
}

/// A cube of 0.1 m and 1 kg on another one on a floor, `aside` off it.
static World stacked(int low, int high, double aside, double turn) {
    World w = world_of(HEAD "gravity: [0, 0, -10 m/s^2]\n" MATERIALS "solids:\n"
                            "  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], "
                            "divisions: [%d, %d, %d]}}, at: [0, 0, 5 cm]}\n"
                            "  high: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], "
                            "divisions: [%d, %d, %d]}}, at: [%g, 0, 15 cm], rotate: [0, 0, %g]}\n"
                            "bodies: {floor: {fixed: true, material: hard, shape: {half-space: "
                            "{}}}}\n",
                       0.5, low, low, low, high, high, high, aside, turn);
    world_step(&w, 60);
    return w;
}

LONG_TEST(a_block_rests_on_a_block_with_the_same_overlap_for_every_mesh) {
    static const int meshes[][2] = {{1, 1}, {1, 2}, {3, 1}, {2, 2}, {3, 2}, {2, 4}};
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
        World w = stacked(meshes[k][0], meshes[k][1], 0, 0);
        if (w.ok) {
            Push p = push_of(&w);
            printf("  %d x %d cells: %.6g N, overlap %.5g m, %.5g N/m, %d contacts\n", meshes[k][0],
                   meshes[k][1], p.force, p.overlap, p.stiffness, (int)p.contacts);
            CHECK_NEAR(p.force, 10, 0.01);
            CHECK_NEAR(p.stiffness, MODULUS / (2 * LAYER) * 0.01, 0.02 * 1e6);
            CHECK_NEAR(p.overlap, 10 / 0.01 * 2 * LAYER / MODULUS, 0.02 * 1e-5);
            CHECK(w.unconverged == 0);
        }
        world_end(&w);
    }
}

LONG_TEST(a_block_that_overhangs_is_not_pushed_sideways) {
    for (int k = 0; k < 2; k++) {
        World w = stacked(3, 2, 0.04, k * 0.3);
        if (w.ok) {
            Push p = push_of(&w);
            printf("  overhang, turned by %g: %.6g N, sideways %.2g N, overlap %.3g m\n", k * 0.3,
                   p.force, p.sideways, p.overlap);
            CHECK_NEAR(p.force, 10, 0.05);
            CHECK(p.sideways < 0.01);
        }
        world_end(&w);
    }
}

// the sides of the blocks overlap as well: by 2 cm, over a strip of 0.01 mm
TEST(sides_of_blocks_that_overlap_near_an_edge_do_not_push) {
    World w = world_of(HEAD MATERIALS
                       "solids:\n"
                       "  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [3, "
                       "3, 3]}}}\n"
                       "  high: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: "
                       "[2, 2, 2]}}, at: [0.08, 0, 0.09999]}\n",
                       0.5);
    LitheContacts *found = lithe_contacts_create(w.context);
    LitheError error;
    if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK)) {
        double up = 0, aside = 0;
        for (int32_t i = 0; i < lithe_contact_count(found); i++) {
            const LitheContact *c = &lithe_contact_data(found)[i];
            up += c->stiffness * -c->gap * fabs(c->normal.z);
            aside += c->stiffness * -c->gap * hypot(c->normal.x, c->normal.y);
        }
        printf("  up %.5g N, sideways %.2g N\n", up, aside);
        CHECK_NEAR(up, MODULUS / (2 * LAYER) * 0.1 * 0.02 * 1e-5, 0.02);
        CHECK(aside < 1e-3 * up);
    }
    lithe_contacts_destroy(found);
    world_end(&w);
}

// (SC31) the nodes of both faces coincide to rounding, which is large so far from the origin
TEST(corners_on_corners_are_carried_by_one_node_each) {
    World w = world_of(HEAD MATERIALS
                       "solids:\n"
                       "  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, "
                       "2, 2]}}, at: [17.3, -5.1, 3.7], rotate: [0.4, 0.3, 0.7]}\n"
                       "  high: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: "
                       "[2, 2, 2]}}, at: [17.3395882364748, -5.12537521665559, 3.7882432434382], "
                       "rotate: [0.4, 0.3, 0.7]}\n",
                       0.5);
    LitheContacts *found = lithe_contacts_create(w.context);
    LitheError error;
    if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK)) {
        CHECK(found->count == 9);
        for (int32_t i = 0; i < found->count; i++)
            for (int side = 0; side < 2; side++) {
                const double *s = found->parts[i].site[side].s;
                CHECK((s[0] == 0 || s[0] == 1) && (s[1] == 0 || s[1] == 1) && s[0] + s[1] <= 1);
            }
    }
    lithe_contacts_destroy(found);
    world_end(&w);
}

// Edges of both faces lie along each other except for rounding. Contacts at their crossings have to
// be where they are seen, else the forces jump between the nodes from step to step.
TEST(blocks_with_coinciding_edges_pass_the_patch_test_in_equilibrium) {
    static const int meshes[][2] = {{2, 2}, {2, 3}, {3, 3}};
    for (int k = 0; k < 9; k++) {
        double pressure = k % 3 == 0 ? 100 : k % 3 == 1 ? 10 : 1;
        const int *cells = meshes[k / 3];
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, end: 1 s}\n" MATERIALS
            "solids:\n"
            "  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, 2]}}, "
            "at: [0, 0, 5 cm]}\n"
            "  high: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, "
            "2]}}, "
            "at: [0, 0, 15 cm]}\n"
            "holds:\n"
            "  foot: {on: low.z-min, hold: z}\n"
            "  low-x: {on: low.x-min, hold: x}\n"
            "  low-y: {on: low.y-min, hold: y}\n"
            "  high-x: {on: high.x-min, hold: x}\n"
            "  high-y: {on: high.y-min, hold: y}\n"
            "pressures: {top: {on: high.z-max, pressure: %g}}\n",
            0.0, cells[0], cells[0], cells[1], cells[1], pressure);
        world_step(&w, 1);
        if (CHECK(w.ok)) {
            double overlap = pressure * 2 * LAYER / MODULUS, worst = 0;
            for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++) {
                LitheContactForce f = lithe_work_contact(w.work, i);
                if (f.normal > 0)
                    worst = fmax(worst, fabs(-f.contact.gap / overlap - 1));
            }
            Push p = push_of(&w);
            printf("  %d on %d cells, %3g Pa: force %.8g N, overlaps off by %.1e, %d contacts\n",
                   cells[1], cells[0], pressure, p.force, worst, (int)p.contacts);
            CHECK_NEAR(p.force, 0.01 * pressure, 1e-6 * pressure);
            CHECK(worst < 1e-2);
        }
        world_end(&w);
    }
}

// overlaps that a search finds: the deepest, and the sum of forces along z
static double deepest_overlap(const World *w, double *force) {
    LitheContacts *found = lithe_contacts_create(w->context);
    LitheError error;
    double deepest = 0;
    *force = 0;
    if (CHECK(lithe_find_contacts(w->model, w->state, 0, found, &error) == LITHE_OK))
        for (int32_t i = 0; i < lithe_contact_count(found); i++) {
            const LitheContact *c = &lithe_contact_data(found)[i];
            deepest = fmax(deepest, -c->gap);
            *force += c->stiffness * fmax(-c->gap, 0) * fabs(c->normal.z);
        }
    lithe_contacts_destroy(found);
    return deepest;
}

// their slanted faces face each other, too, and each is below the plane of the other one
TEST(tetrahedra_that_are_apart_do_not_touch) {
    World w = world_of(HEAD MATERIALS
                       "solids:\n"
                       "  a: {material: soft, mesh: {tetrahedra: {nodes: [[0, 0, 0], [0.1, 0, 0], "
                       "[0, 0.1, 0], [0, 0, 0.1]], elements: [0, 1, 2, 3]}}, at: [0.01, 0.01, "
                       "0.06]}\n"
                       "  b: {material: soft, mesh: {tetrahedra: {nodes: [[0, 0, 0], [0.1, 0, 0], "
                       "[0, 0.1, 0], [0, 0, -0.1]], elements: [0, 2, 1, 3]}}, at: [0, 0, 0.05]}\n",
                       0.5);
    double force;
    CHECK(deepest_overlap(&w, &force) == 0 && force == 0);
    world_end(&w);
}

// the sides of a block that is turned about the vertical cross those of the block below
TEST(a_turned_block_overlaps_by_what_it_is_deep) {
    World w =
        world_of(HEAD MATERIALS
                 "solids:\n"
                 "  a: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.05], divisions: [2, "
                 "2, 1]}}}\n"
                 "  b: {material: soft, mesh: {box: {size: [0.06, 0.06, 0.03], divisions: [2, "
                 "1, 1]}}, at: [0.03, 0.02, 0.0399], rotate: [0, 0, 0.4]}\n",
                 0.5);
    double force;
    CHECK_NEAR(deepest_overlap(&w, &force), 1e-4, 1e-9);
    world_end(&w);
}

// cells of 5 mm and overlaps of 2 mm: polygons are not wider than the overlap is deep
TEST(a_deep_overlap_of_fine_meshes_pushes_as_one_of_coarse_meshes_does) {
    double force[2];
    for (int k = 0; k < 2; k++) {
        World w = world_of(HEAD MATERIALS
                           "solids:\n"
                           "  low: {material: soft, mesh: {box: {size: [4 cm, 4 cm, 4 cm], "
                           "divisions: [%d, %d, 4]}}}\n"
                           "  high: {material: soft, mesh: {box: {size: [4 cm, 4 cm, 4 cm], "
                           "divisions: [%d, %d, 4]}}, at: [0, 0, 38 mm]}\n",
                           0.5, k ? 8 : 1, k ? 8 : 1, k ? 6 : 1, k ? 6 : 1);
        double deepest = deepest_overlap(&w, &force[k]);
        printf("  %s meshes: %.5g N, %.3g mm deep\n", k ? "fine" : "coarse", force[k],
               1e3 * deepest);
        world_end(&w);
    }
    CHECK_NEAR(force[1] / force[0], 1, 0.1);
}

TEST(bundles_are_of_neighbours_and_of_any_size_with_the_same_contacts) {
    World w = stacked(5, 4, 0.02, 30);
    const int32_t sizes[] = {LITHE_BUNDLE_PARTS, 1, 5, 1000};
    LitheContacts *first = NULL;
    LitheError error = {0};
    for (int k = 0; w.ok && k < 4; k++) {
        LitheContacts *c = lithe_contacts_create(w.context);
        LitheCollideOptions options = {.margin = 1e-3, .step = 0.02, .bundle = sizes[k]};
        CHECK(lithe_collide(w.model, w.state, &options, c, &error) == LITHE_OK);
        CHECK(c->count > 50 && (!first || c->count == first->count));
        for (int32_t i = 0; first && i < c->count && i < first->count; i++) {
            const LitheContact *x = &c->contacts[i], *y = &first->contacts[i];
            CHECK(x->id == y->id && x->gap == y->gap && x->stiffness == y->stiffness &&
                  memcmp(&x->point, &y->point, sizeof x->point) == 0 &&
                  memcmp(&x->normal, &y->normal, sizeof x->normal) == 0);
        }
        if (first)
            lithe_contacts_destroy(c);
        else
            first = c;
    }
    // each triangle is in one slot, and those of a bundle span a part of their cube of 0.1 m
    const LitheFaceSet *set = w.ok ? &w.model->face_sets[0] : NULL;
    int64_t sum = 0;
    double spans = 0;
    for (int32_t i = 0; set && i < set->count; i++) {
        int32_t face = w.model->face_order[set->at + i];
        CHECK(face >= set->at && face < set->at + set->count);
        for (int32_t k = 0; k < i; k++)
            CHECK(face != w.model->face_order[set->at + k]);
    }
    for (int32_t i = 0; first && i < first->bounded_count; i++) {
        const LitheBundle *bundle = &first->bundles[i];
        if (lithe_part_kind(w.model, bundle->first) != LITHE_PART_FACE)
            continue;
        for (int k = 0; k < 3; k++)
            spans += bundle->box.high[k] - bundle->box.low[k];
        sum++;
    }
    printf("  mean of the three extents of a bundle: %.4f m\n", spans / (double)(3 * sum));
    CHECK(sum > 0 && spans / (double)(3 * sum) < 0.055);
    lithe_contacts_destroy(first);
    world_end(&w);
}

/// Displacement along x after a second of a cube on a held plate, both soft, under gravity that is
/// tilted by atan(slope); and what friction allows.
static double slides(double slope, double friction, double *expected) {
    double g = 10 / hypot(1, slope), t = 1;
    World w =
        world_of(HEAD "gravity: [%g, 0, %g]\n" MATERIALS "solids:\n"
                      "  plate: {material: soft, mesh: {box: {size: [2, 0.2, 0.1], divisions: [8, "
                      "2, 1]}}, at: [0.8, 0, -5 cm]}\n"
                      "  cube: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.05], divisions: "
                      "[2, 2, 1]}}, at: [0, 0, 2.5 cm]}\n"
                      "holds: {low: {on: plate.z-min}}\n",
                 g * slope, -g, friction);
    double x = NAN;
    if (w.ok && world_step(&w, 50)) {
        LitheSolidId cube = lithe_solid_find(w.model, "cube");
        const LitheSolid *solid = &w.model->solids[cube.number - 1];
        const double *q = w.state->q + w.model->units[solid->unit].q_at;
        x = 0;
        for (int32_t i = 0; i < solid->mesh.node_count; i++)
            x += (q[3 * i] - solid->mesh.nodes[i].x) / solid->mesh.node_count;
        CHECK(w.unconverged == 0);
    }
    *expected = 0.5 * g * (slope - friction) * t * t;
    world_end(&w);
    return x;
}

TEST(a_soft_block_on_a_soft_incline_sticks_below_the_threshold_and_slides_above) {
    double expected, x = slides(0.45, 0.5, &expected);
    printf("  slope 0.45, friction 0.5: %.4g m\n", x);
    CHECK(fabs(x) < 0.01); // the blocks shear
    double far = slides(0.8, 0.5, &expected);
    printf("  slope 0.8: %.4g m, expected %.4g m\n", far, expected);
    CHECK_NEAR(far, expected, 0.08 * expected);
}

TEST(a_falling_block_bounces_on_a_block_with_less_energy_at_every_step_and_threads_agree) {
    double hash[2] = {0};
    for (int threads = 1; threads <= 2; threads++) {
        World w = world_of("lithe: 1\ntime: {step: 5 ms, end: 1 s, scheme: backward-euler}\n"
                           "gravity: [0, 0, -10 m/s^2]\n" MATERIALS "solids:\n"
                           "  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: "
                           "[3, 3, 3]}}, at: [0, 0, 5 cm]}\n"
                           "  high: {material: soft, mesh: {box: {size: [0.08, 0.08, 0.08], "
                           "divisions: [2, 2, 2]}}, at: [0, 0, 0.2], rotate: [0.5, 0.3, 0]}\n"
                           "holds: {floor: {on: low.z-min}}\n",
                           0.5);
        if (w.ok) {
            lithe_work_destroy(w.work);
            w.work = lithe_work_create(w.model, threads);
            double before = stored(&w), most = 0;
            for (int i = 0; i < 120 && world_step(&w, 1); i++) {
                double now = stored(&w);
                most = fmax(most, now - before);
                before = now;
            }
            printf("  largest gain of a step %.2g J\n", most);
            CHECK(most < 1e-6);
            CHECK(push_of(&w).contacts > 0);
            for (int64_t k = 0; k < w.model->q_count; k++)
                hash[threads - 1] += w.state->q[k] * (double)(k % 97);
        }
        world_end(&w);
    }
    CHECK(hash[0] == hash[1]);
}

LONG_TEST(a_soft_ball_thrown_at_a_soft_wall_comes_back) {
    for (int speed = 1; speed <= 10; speed *= 3) {
        World w =
            world_of("lithe: 1\ntime: {step: 5 ms, end: 1 s}\ngravity: none\n" MATERIALS "solids:\n"
                     "  wall: {material: soft, mesh: {box: {size: [0.2, 0.2, 0.1], divisions: "
                     "[4, 4, 2]}}}\n"
                     "  ball: {material: soft, quadratic: false, mesh: {sphere: {radius: 3 cm, "
                     "resolution: 1.5 "
                     "cm}}, at: [0, 0, 0.12], velocity: [0, 0, -%d]}\n"
                     "holds: {low: {on: wall.z-min}}\n",
                     0.5, speed);
        if (w.ok && world_step(&w, 60)) {
            const LitheSolid *solid = &w.model->solids[1];
            const double *q = w.state->q + w.model->units[solid->unit].q_at;
            const double *v = w.state->v + w.model->units[solid->unit].v_at;
            double lowest = INFINITY, up = 0;
            for (int32_t i = 0; i < solid->mesh.node_count; i++) {
                lowest = fmin(lowest, q[3 * i + 2]);
                up += v[3 * i + 2] / solid->mesh.node_count;
            }
            printf("  %d m/s: back with %.3g m/s, lowest node at %.3g m\n", speed, up, lowest);
            CHECK(lowest > 0.05 && up > 0);
        }
        world_end(&w);
    }
}

static double mean_height(const World *w, int32_t index) {
    int32_t count = lithe_solid_node_count(w->model, (LitheSolidId){index + 1});
    const double *x = lithe_solid_position(w->model, w->state, (LitheSolidId){index + 1});
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += x[3 * i + 2];
    return sum / count;
}

// A corner or a crossing of edges is deeper than the polygon of triangles around it: by the room
// there alone it lost its contact from 1 % of the polygon on, and fell freely for a centimetre.
TEST(edges_that_cross_and_corners_keep_their_contact_as_they_press_in) {
    static const struct {
        const char *below, *above;
    } cases[] = {
        {"at: [0, 0, 70.71068 mm], rotate: {axis: [1, 0, 0], angle: 45 deg}",
         "at: [0, 0, 212.13203 mm], rotate: {axis: [0, 1, 0], angle: 45 deg}"},
        {"at: [0, 0, 50 mm]",
         "at: [8 mm, 4 mm, 186.60254 mm], rotate: {axis: [1, -1, 0], angle: 54.735610317 deg}"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        World w = world_of(
            "lithe: 1\ntime: {scheme: backward-euler, step: 2 ms, end: 1 s}\n"
            "materials: {m: {young: 500 kPa, poisson: 0.3, density: 1000 kg/m^3, friction: 1, "
            "damping: {stiffness: 2 ms}}}\n"
            "solids:\n"
            "  a: {material: m, law: neo-hookean, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: "
            "[3, 3, 3]}}, %s}\n"
            "  b: {material: m, law: neo-hookean, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: "
            "[3, 3, 3]}}, %s}\n"
            "holds: {left: {on: a.x-min}, right: {on: a.x-max}}\n",
            cases[k].below, cases[k].above);
        double start = w.ok ? mean_height(&w, 1) : 0, sunk = 0;
        for (int i = 0; i < 50 && world_step(&w, 1); i++)
            sunk = fmax(sunk, start - mean_height(&w, 1));
        printf("  case %zu: sinks by %.3g mm\n", k, 1e3 * sunk);
        CHECK(sunk > 0 && sunk < 3e-3);
        world_end(&w);
    }
}
