// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_patch_solids.c - soft solids that touch by their pressure fields: force of the
// field, action and reaction, rest under weight, what is refused

#include "data/model.h"
#include "data/state.h"
#include "patch_world.h"

static const double G = 9.80665;

#define HEAD(gravity) \
    "lithe: 1\ntime: {step: 1 ms, end: 1 s}\n" gravity "materials:\n" \
    "  soft: {young: 100 kPa, poisson: 0.3, density: 1000, friction: 0.5," \
    " damping: {stiffness: 5 ms}, contact: {patches: {modulus: 200 kPa}}}\n" \
    "  hard: {young: 1 GPa, poisson: 0.3, density: 1000, friction: 0.5}\n"
#define NO_GRAVITY "gravity: none\n"
#define FLOOR "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
#define BLOCK(at, more) \
    "solids:\n  block: {material: soft, mesh: {box: {size: [0.1, 0.08, 0.06]," \
    " divisions: [6, 6, 4]}}, at: " at more "}\n"

typedef struct Sum {
    LitheVec3 force, moment; // on b, about the origin
    double area;
    int32_t count, points; // contacts of patches, and others
} Sum;

static Sum sum_of(World *w) {
    Sum sum = {0};
    if (!CHECK(lithe_find_contacts(w->model, w->state, 0, w->contacts, &w->error) == LITHE_OK))
        printf("  %s\n", w->error.text);
    for (int32_t i = 0; i < lithe_contact_count(w->contacts); i++) {
        const LitheContact *c = &lithe_contact_data(w->contacts)[i];
        LitheVec3 f = v3_scale(c->force, c->normal);
        sum.force = v3_add(sum.force, f);
        sum.moment = v3_add(sum.moment, v3_cross(c->point, f));
        sum.area += c->area;
        sum.count += c->area > 0;
        sum.points += c->area == 0;
    }
    return sum;
}

// pressure of a field at a point, by search through its tetrahedra; 0 outside
static double pressure_at(const World *w, LitheVec3 x) {
    const LitheTetField *field = &w->model->solids[0].field;
    const double *q = w->state->q + w->model->units[w->model->solids[0].unit].q_at;
    for (int32_t t = 0; t < field->tet_count; t++) {
        const int32_t *node = field->tets + 4 * t;
        LitheVec3 a = v3_load(q + 3 * node[0]), e[3], d = v3_sub(x, a);
        for (int k = 0; k < 3; k++)
            e[k] = v3_sub(v3_load(q + 3 * node[k + 1]), a);
        double det = v3_dot(e[0], v3_cross(e[1], e[2])), p, rest = 1;
        p = 0;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            double l = v3_dot(d, v3_cross(e[(k + 1) % 3], e[(k + 2) % 3])) / det;
            rest -= l;
            inside = inside && l >= 0;
            p += l * field->pressures[node[k + 1]];
        }
        if (inside && rest >= 0)
            return p + rest * field->pressures[node[0]];
    }
    return 0;
}

// the integral of the pressure over the plane z = 0, on a grid
static double integral(const World *w, double half_x, double half_y, LitheVec3 *moment) {
    enum { N = 36 };
    double sum = 0, cell = 4 * half_x * half_y / (N * N);
    *moment = v3(0, 0, 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            LitheVec3 x = v3(half_x * ((2 * i + 1.0) / N - 1), half_y * ((2 * j + 1.0) / N - 1), 0);
            double p = pressure_at(w, x) * cell;
            sum += p;
            *moment = v3_add(*moment, v3_cross(x, v3(0, 0, p)));
        }
    return sum;
}

// upright, and turned about two axes; as built, and sheared with its nodes
LONG_TEST(the_force_of_a_soft_block_on_a_half_space_is_the_integral_of_its_field) {
    const char *more[] = {"", ", rotate: [0.3, 0.2, 0]"};
    for (int i = 0; i < 4; i++) {
        char text[2048];
        World w;
        snprintf(text, sizeof text, HEAD(NO_GRAVITY) FLOOR BLOCK("[0, 0, 22 mm]", "%s"),
                 more[i % 2]);
        FATAL(make(text, &w) == LITHE_OK);
        const LitheSolid *solid = &w.model->solids[0];
        double *q = w.state->q + w.model->units[solid->unit].q_at;
        for (int32_t k = 0; i >= 2 && k < solid->mesh.node_count; k++) {
            q[3 * k] += 0.2 * q[3 * k + 2];
            q[3 * k + 2] += 0.05 * q[3 * k + 1];
        }
        Sum sum = sum_of(&w);
        LitheVec3 moment;
        double force = integral(&w, 0.09, 0.09, &moment);
        // normals point from the floor to the block, or back
        double sign = sum.force.z > 0 ? 1 : -1;
        CHECK(sum.count > 20 && sum.points == 0);
        CHECK_NEAR(sign * sum.force.z / force, 1, 0.01);
        CHECK_NEAR(sign * sum.moment.x / force, moment.x / force, 2e-4);
        CHECK_NEAR(sign * sum.moment.y / force, moment.y / force, 2e-4);
        CHECK_NEAR(hypot(sum.force.x, sum.force.y) / force, 0, 1e-12);
        end(&w);
    }
}

// (PF20) depth over the largest depth, 0 on the surface
TEST(the_field_is_the_distance_to_the_surface_at_rest) {
    World w;
    FATAL(make(HEAD(NO_GRAVITY) FLOOR BLOCK("[0, 0, 1]", ""), &w) == LITHE_OK);
    const LitheSolid *solid = &w.model->solids[0];
    CHECK_NEAR(solid->field.depth, 0.03, 1e-12);
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        LitheVec3 x = solid->mesh.nodes[i];
        double d = fmin(fmin(0.05 - fabs(x.x), 0.04 - fabs(x.y)), 0.03 - fabs(x.z - 1));
        CHECK_NEAR(solid->field.pressures[i], 2e5 * d / 0.03, 1e-6);
    }
    end(&w);
}

// what pushes from below, and what it is pushed by
TEST(action_is_reaction_between_a_soft_block_and_all_that_touches_it) {
    const char *other[] = {
        "bodies:\n  ball: {at: [3 mm, 2 mm, -25 mm], material: hard, velocity: [0.1, 0, 0.2],"
        " shape: {sphere: {radius: 30 mm}}}\n",
        "bodies:\n  ball: {at: [3 mm, 2 mm, -25 mm], material: soft, velocity: [0.1, 0, 0.2],"
        " shape: {sphere: {radius: 30 mm}}}\n",
        "bodies:\n  box: {at: [3 mm, 2 mm, -15 mm], material: hard, velocity: [0.1, 0, 0.2],"
        " rotate: [0.1, 0.2, 0], shape: {box: {size: [0.05, 0.06, 0.05]}}}\n",
        "rods:\n  rope: {material: hard, section: {circle: {radius: 10 mm}}, nodes: 9,"
        " velocity: [0, 0, 0.2], shape: {line: {from: [-0.1, 0, -7 mm], to: [0.1, 0, -7 mm]}}}\n",
        "rods:\n  rope: {material: soft, section: {circle: {radius: 10 mm}}, nodes: 9,"
        " velocity: [0, 0, 0.2], shape: {line: {from: [-0.1, 0, -7 mm], to: [0.1, 0, -7 mm]}}}\n"};
    for (int i = 0; i < 6; i++) {
        char text[4096];
        World w;
        snprintf(text, sizeof text, HEAD(NO_GRAVITY) "%s" BLOCK("[0, 0, 29 mm]", "") "%s",
                 i < 5 ? other[i] : "",
                 i < 5 ? ""
                       : "  other: {material: soft, mesh: {box: {size: [0.06, 0.06, 0.06], "
                         "divisions: [4, 4, 4]}}, at: [3 mm, 0, -28 mm], velocity: [0, 0, 0.2]}\n");
        LitheStatus status = make(text, &w);
        if (!CHECK(status == LITHE_OK)) {
            printf("  %d: %s\n", i, w.error.text);
            end(&w);
            continue;
        }
        Sum sum = sum_of(&w);
        CHECK(sum.count > 0 && sum.points == 0 && v3_norm(sum.force) > 0);
        LitheWork *work = lithe_work_create(w.model, 1);
        LitheVec3 before = lithe_momentum(w.model, w.state);
        double most = 0, scale = v3_norm(before);
        LitheVec3 first = v3_load(w.state->v + w.model->units[w.model->solids[0].unit].v_at);
        for (int k = 0; k < 5; k++) {
            LitheReport report;
            if (!CHECK(lithe_step(w.model, w.state, work, &report, &w.error) == LITHE_OK))
                break;
            most = fmax(most, v3_distance(lithe_momentum(w.model, w.state), before));
        }
        // the block moves, and what it gains the other side loses
        LitheVec3 last = v3_load(w.state->v + w.model->units[w.model->solids[0].unit].v_at);
        CHECK(v3_distance(first, last) > 1e-3);
        CHECK_NEAR(most / scale, 0, 1e-9);
        lithe_work_destroy(work);
        end(&w);
    }
}

static double rest_force(const char *scheme, const char *mesh, World *w) {
    char text[2048];
    snprintf(text, sizeof text,
             "lithe: 1\ntime: {step: 2 ms, end: 1 s, scheme: %s}\nmaterials:\n"
             "  soft: {young: 100 kPa, poisson: 0.3, density: 1000, friction: 0.5,"
             " damping: {stiffness: 20 ms}, contact: {patches: {modulus: 200 kPa}}}\n"
             "  hard: {young: 1 GPa, poisson: 0.3, density: 1000, friction: 0.5}\n" FLOOR
             "solids:\n  block: {material: soft, mesh: {box: {size: [0.1, 0.08, 0.06],"
             " divisions: [4, 4, 2]}}%s, at: [0, 0, 29.9 mm], velocity: [0.02, 0, 0]}\n",
             scheme, mesh);
    if (!CHECK(make(text, w) == LITHE_OK)) {
        printf("  %s\n", w->error.text);
        return 0;
    }
    LitheWork *work = lithe_work_create(w->model, 1);
    double sum = 0;
    for (int k = 0; k < 90; k++) {
        LitheReport report;
        if (!CHECK(lithe_step(w->model, w->state, work, &report, &w->error) == LITHE_OK))
            break;
    }
    sum = fabs(sum_of(w).force.z);
    lithe_work_destroy(work);
    return sum / (1000 * 0.1 * 0.08 * 0.06 * G);
}

LONG_TEST(a_soft_block_rests_on_its_patch_with_its_weight) {
    const char *cases[][2] = {
        {"backward-euler", ""}, {"tr-bdf2", ""}, {"backward-euler", ", quadratic: true"}};
    for (int i = 0; i < 3; i++) {
        World w;
        CHECK_NEAR(rest_force(cases[i][0], cases[i][1], &w), 1, 0.01);
        Sum sum = sum_of(&w);
        CHECK(sum.points == 0);
        double speed = 0;
        for (int64_t k = 0; k < w.model->v_count; k++)
            speed = fmax(speed, fabs(w.state->v[k]));
        CHECK(speed < 1e-3);
        end(&w);
    }
}

static void steps(World *w, LitheWork *work, int count) {
    for (int i = 0; i < count; i++) {
        LitheReport report;
        if (!CHECK(lithe_step(w->model, w->state, work, &report, &w->error) == LITHE_OK)) {
            printf("  %s\n", w->error.text);
            return;
        }
    }
}

// a block that slides on another one: patches come and go
LONG_TEST(patches_of_solids_have_the_same_bits_for_1_and_2_threads_and_a_step_allocates_nothing) {
    const char *text = HEAD("") FLOOR BLOCK(
        "[0, 0, 29.5 mm]",
        "") "  top: {material: soft, mesh: {box: {size: [0.05, 0.05, 0.05], divisions: [4, 4, 4]}},"
            " at: [5 mm, 0, 84 mm], rotate: [0.05, 0.03, 0], velocity: [0.2, 0.1, 0]}\n";
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        World w;
        FATAL(make(text, &w) == LITHE_OK);
        LitheState *start = lithe_state_copy(w.state);
        LitheWork *work = lithe_work_create(w.model, k + 1);
        steps(&w, work, 6);
        hash[k] = lithe_state_hash(w.state);
        CHECK(sum_of(&w).count > 0);
        lithe_state_set(w.state, lithe_state_data(start));
        lithe_context_fail_at(w.context, 1);
        steps(&w, work, 6);
        lithe_context_fail_at(w.context, 0);
        CHECK(lithe_state_hash(w.state) == hash[k]);
        lithe_state_destroy(start);
        lithe_work_destroy(work);
        end(&w);
    }
    CHECK(hash[0] == hash[1]);
}

TEST(a_soft_solid_without_a_field_is_reported_by_name_and_refused_on_request) {
    // one cell across: no node inside
    const char *thin = "solids:\n  plate: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.01],"
                       " divisions: [6, 6, 1]}}, at: [0, 0, 5 mm]}\n";
    char text[2048];
    World w;
    snprintf(text, sizeof text, HEAD("") FLOOR "%s", thin);
    FATAL(make(text, &w) == LITHE_OK);
    CHECK_TEXT(warnings, "solid 'plate' has no node inside of its surface: its pressure field is "
                         "zero: it touches at points, not by patches");
    end(&w);
    snprintf(text, sizeof text, HEAD("contact: {patches: on}\n") FLOOR "%s", thin);
    CHECK(make(text, &w) != LITHE_OK);
    CHECK_TEXT(w.error.text, "contact.patches is on, but solid 'plate' has no node inside");
    end(&w);
    snprintf(text, sizeof text,
             HEAD("contact: {patches: on}\n") FLOOR
             "  ball: {at: [0, 0, 1], material: soft, shape: {sphere: {radius: 1 cm}}}\n"
             "solids:\n  block: {material: hard, mesh: {box: {size: [0.1, 0.1, 0.1],"
             " divisions: [4, 4, 4]}}, at: [0, 0, 0.1]}\n");
    CHECK(make(text, &w) != LITHE_OK);
    CHECK_TEXT(w.error.text, "solid 'block' has no contact.patches.modulus in its material");
    end(&w);
}
