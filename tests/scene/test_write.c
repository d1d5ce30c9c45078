// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_write.c - a scene written and read again is the same to the last bit

#include "scene/scene.h"

#include <unistd.h>

#include "base/memory.h"
#include "test.h"

#define SCENES LITHE_SOURCE_DIR "/tests/scene/scenes/"

// --- equality to the bit -------------------------------------------------------------------------

static bool bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

#define SAME(member) bits(&a->member, &b->member, sizeof a->member)

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_list(const void *a, const void *b, int32_t count, size_t size) {
    return (!a && !b) || (a && b && bits(a, b, (size_t)count * size));
}

static bool same_profile(const LitheProfileDef *a, const LitheProfileDef *b) {
    return SAME(value) && SAME(kind) && SAME(count) && SAME(rate) && SAME(amplitude) &&
           SAME(frequency) && SAME(phase) &&
           same_list(a->times, b->times, a->count, sizeof(double)) &&
           same_list(a->values, b->values, a->count, sizeof(double));
}

static bool same_section(const LitheSectionDef *a, const LitheSectionDef *b) {
    return SAME(kind) && SAME(radius) && SAME(width) && SAME(height) && SAME(EA) && SAME(EI1) &&
           SAME(EI2) && SAME(GJ) && SAME(mass_per_length) && SAME(spin_per_length) &&
           SAME(damping_mass) && SAME(damping_stiffness);
}

static bool same_shape(const LitheShapeDef *a, const LitheShapeDef *b) {
    return SAME(kind) && SAME(from) && SAME(to) && SAME(length) && SAME(radius) && SAME(angle) &&
           SAME(pitch) && SAME(turns) && SAME(point_count) && SAME(closed) && SAME(unknotting) &&
           SAME(rotate) && SAME(at) && same_text(a->path, b->path) && SAME(piece_count) &&
           same_list(a->pieces, b->pieces, a->piece_count, sizeof(LithePathPiece)) &&
           same_list(a->points, b->points, a->point_count, sizeof(LitheVec3));
}

static bool same_material(const LitheMaterialDef *a, const LitheMaterialDef *b) {
    return same_text(a->name, b->name) && SAME(young) && SAME(poisson) && SAME(shear) &&
           SAME(density) && SAME(damping_mass) && SAME(damping_stiffness) && SAME(friction) &&
           SAME(contact_stiffness) && SAME(contact_dissipation);
}

static bool same_rod(const LitheRodDef *a, const LitheRodDef *b) {
    int32_t n = a->node_value_count;
    return same_text(a->name, b->name) && SAME(material) &&
           same_section(&a->section, &b->section) && same_shape(&a->shape, &b->shape) &&
           SAME(nodes) && SAME(clamp_start) && SAME(clamp_end) && SAME(director) && SAME(twist) &&
           SAME(natural) && SAME(natural_curvature1) && SAME(natural_curvature2) &&
           SAME(natural_twist) && SAME(natural_stretch) && SAME(node_value_count) &&
           SAME(edge_value_count) &&
           same_list(a->node_curvature1, b->node_curvature1, n, sizeof(double)) &&
           same_list(a->node_curvature2, b->node_curvature2, n, sizeof(double)) &&
           same_list(a->node_twist, b->node_twist, n, sizeof(double)) &&
           same_list(a->edge_stretch, b->edge_stretch, a->edge_value_count, sizeof(double)) &&
           SAME(velocity) && SAME(spin) && SAME(drag_normal) && SAME(drag_tangent) && SAME(group) &&
           SAME(mask) && SAME(self_contact);
}

static bool same_place(const LithePlace *a, const LithePlace *b) {
    return SAME(thing) && SAME(kind) && SAME(node) && SAME(fraction) && SAME(set);
}

static bool same_drive(const LitheDriveDef *a, const LitheDriveDef *b) {
    return same_text(a->name, b->name) && same_place(&a->place, &b->place) && SAME(kind) &&
           SAME(direction) && SAME(outward) && same_profile(&a->motion, &b->motion) && SAME(axis) &&
           same_profile(&a->turn, &b->turn) && SAME(stiffness) && SAME(damping) && SAME(along_only);
}

static bool same_force(const LitheForceDef *a, const LitheForceDef *b) {
    return same_text(a->name, b->name) && same_place(&a->place, &b->place) && SAME(force) &&
           SAME(moment) && same_profile(&a->profile, &b->profile);
}

static bool same_natural_drive(const LitheNaturalDriveDef *a, const LitheNaturalDriveDef *b) {
    int32_t n = a->node_value_count;
    return same_text(a->name, b->name) && SAME(rod) && SAME(curvature1) && SAME(curvature2) &&
           SAME(twist) && SAME(stretch) && SAME(node_value_count) && SAME(edge_value_count) &&
           same_list(a->node_curvature1, b->node_curvature1, n, sizeof(double)) &&
           same_list(a->node_curvature2, b->node_curvature2, n, sizeof(double)) &&
           same_list(a->node_twist, b->node_twist, n, sizeof(double)) &&
           same_list(a->edge_stretch, b->edge_stretch, a->edge_value_count, sizeof(double)) &&
           same_profile(&a->profile, &b->profile);
}

static bool same_geom(const LitheGeomDef *a, const LitheGeomDef *b) {
    int32_t heights = a->rows * a->columns;
    return SAME(kind) && SAME(radius) && SAME(length) && SAME(size) && SAME(point_count) &&
           same_list(a->points, b->points, a->point_count, sizeof(LitheVec3)) &&
           SAME(triangle_count) &&
           same_list(a->triangles, b->triangles, 3 * a->triangle_count, sizeof(int32_t)) &&
           same_text(a->path, b->path) && SAME(scale) && SAME(rows) && SAME(columns) &&
           same_list(a->heights, b->heights, heights, sizeof(double)) && SAME(profile_count) &&
           same_list(a->profile_z, b->profile_z, a->profile_count, sizeof(double)) &&
           same_list(a->profile_r, b->profile_r, a->profile_count, sizeof(double)) && SAME(at) &&
           SAME(rotation) && SAME(material) && SAME(group) && SAME(mask) && SAME(visual) &&
           SAME(colour);
}

static bool same_body(const LitheBodyDef *a, const LitheBodyDef *b) {
    bool same = same_text(a->name, b->name) && SAME(at) && SAME(rotation) && SAME(velocity) &&
                SAME(spin) && SAME(fixed) && SAME(mass) && SAME(centre) && SAME(inertia) &&
                SAME(geom_count);
    for (int32_t i = 0; same && i < a->geom_count; i++)
        same = CHECK(same_geom(&a->geoms[i], &b->geoms[i]));
    return same;
}

static bool same_joint(const LitheJointDef *a, const LitheJointDef *b) {
    return same_text(a->name, b->name) && SAME(kind) && SAME(parent) && SAME(child) &&
           SAME(parent_at) && SAME(parent_rotation) && SAME(child_at) && SAME(child_rotation) &&
           SAME(pitch) && SAME(position) && SAME(velocity) && SAME(limited) && SAME(lower) &&
           SAME(upper) && SAME(stiffness) && SAME(rest) && SAME(damping) && SAME(friction_loss) &&
           SAME(armature) && SAME(effort_limit) && SAME(velocity_limit);
}

static bool same_actuator(const LitheActuatorDef *a, const LitheActuatorDef *b) {
    return same_text(a->name, b->name) && SAME(joint) && SAME(kind) &&
           same_profile(&a->target, &b->target) && SAME(gear) && SAME(stiffness) && SAME(damping) &&
           SAME(effort_limit);
}

static bool same_pose_drive(const LithePoseDriveDef *a, const LithePoseDriveDef *b) {
    return same_text(a->name, b->name) && SAME(body) && SAME(at) && SAME(rotation) && SAME(count) &&
           same_list(a->times, b->times, a->count, sizeof(double)) &&
           same_list(a->positions, b->positions, a->count, sizeof(LitheVec3)) &&
           same_list(a->rotations, b->rotations, a->count, sizeof(LitheQuat)) && SAME(damping) &&
           SAME(posture) && SAME(stiffness) && SAME(joint_damping) && SAME(kind);
}

static bool same_rigid(const LitheScene *a, const LitheScene *b) {
    bool same = SAME(body_count) && SAME(joint_count) && SAME(actuator_count) &&
                SAME(pose_drive_count) && SAME(ignored_pair_count);
    for (int32_t i = 0; same && i < a->body_count; i++)
        same = CHECK(same_body(&a->bodies[i], &b->bodies[i]));
    for (int32_t i = 0; same && i < a->joint_count; i++)
        same = CHECK(same_joint(&a->joints[i], &b->joints[i]));
    for (int32_t i = 0; same && i < a->actuator_count; i++)
        same = CHECK(same_actuator(&a->actuators[i], &b->actuators[i]));
    for (int32_t i = 0; same && i < a->pose_drive_count; i++)
        same = CHECK(same_pose_drive(&a->pose_drives[i], &b->pose_drives[i]));
    for (int32_t i = 0; same && i < a->ignored_pair_count; i++)
        same = CHECK(same_text(a->ignored_pairs[i].a, b->ignored_pairs[i].a) &&
                     same_text(a->ignored_pairs[i].b, b->ignored_pairs[i].b));
    return same;
}

static bool same_scene(const LitheScene *a, const LitheScene *b) {
    bool same = same_text(a->title, b->title) && SAME(gravity) && SAME(time.step) &&
                SAME(time.end) && SAME(time.scheme) && SAME(time.start) && SAME(time.tolerance) &&
                SAME(time.max_iterations) && SAME(record.every) && SAME(record.also_count) &&
                SAME(material_count) && SAME(rod_count) && SAME(hold_count) && SAME(drive_count) &&
                SAME(force_count) && SAME(natural_drive_count);
    for (int32_t i = 0; same && i < a->record.also_count; i++)
        same = same_text(a->record.also[i], b->record.also[i]);
    for (int32_t i = 0; same && i < a->material_count; i++)
        same = CHECK(same_material(&a->materials[i], &b->materials[i]));
    for (int32_t i = 0; same && i < a->rod_count; i++)
        same = CHECK(same_rod(&a->rods[i], &b->rods[i]));
    for (int32_t i = 0; same && i < a->hold_count; i++)
        same = CHECK(same_text(a->holds[i].name, b->holds[i].name) &&
                     same_place(&a->holds[i].place, &b->holds[i].place) && SAME(holds[i].bits));
    for (int32_t i = 0; same && i < a->drive_count; i++)
        same = CHECK(same_drive(&a->drives[i], &b->drives[i]));
    for (int32_t i = 0; same && i < a->force_count; i++)
        same = CHECK(same_force(&a->forces[i], &b->forces[i]));
    for (int32_t i = 0; same && i < a->natural_drive_count; i++)
        same = CHECK(same_natural_drive(&a->natural_drives[i], &b->natural_drives[i]));
    return same && CHECK(same_rigid(a, b));
}

// Writes, reads, writes: the same scene, the same text. Destroys `scene`.
static void round_trip(LitheContext *context, LitheScene *scene) {
    LitheError error = {0};
    char *first = NULL, *second = NULL;
    LitheScene *again = NULL;
    if (!CHECK(lithe_scene_write(scene, &first, &error) == LITHE_OK))
        printf("  %s\n", error.text);
    if (first && !CHECK(lithe_scene_parse(context, first, strlen(first), "written", SCENES, NULL, 0,
                                          &again, &error) == LITHE_OK))
        printf("  %s\n%s\n", error.text, first);
    if (again) {
        CHECK(same_scene(scene, again));
        CHECK(lithe_scene_write(again, &second, &error) == LITHE_OK);
        CHECK(second && strcmp(first, second) == 0);
    }
    lithe_text_free(context, first);
    lithe_text_free(context, second);
    lithe_scene_destroy(scene);
    lithe_scene_destroy(again);
}

TEST(a_scene_with_every_key_survives_writing_and_reading) {
    static const char *const paths[] = {SCENES "everything.yaml", SCENES "bodies.yaml"};
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    for (int i = 0; i < 2; i++) {
        LitheScene *scene = NULL;
        CHECK(lithe_scene_load(context, paths[i], NULL, 0, &scene, &error) == LITHE_OK);
        FATAL(scene != NULL);
        round_trip(context, scene);
        CHECK(lithe_context_bytes(context) == 0);
    }
    lithe_context_destroy(context);
}

static LitheQuat random_turn(TestRandom *random) {
    LitheQuat q = {test_random(random, -1, 1), test_random(random, -1, 1),
                   test_random(random, -1, 1), test_random(random, -1, 1)};
    double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (LitheQuat){s * q.w, s * q.x, s * q.y, s * q.z};
}

TEST(awkward_poses_keep_their_bits) {
    LitheContext *context = lithe_context_create(NULL);
    TestRandom random = {11};
    for (int round = 0; round < 200; round++) {
        LitheScene *scene = lithe_scene_create(context);
        LitheGeomDef geom = lithe_geom_def_default();
        geom.radius = exp(test_random(&random, -200, 200));
        geom.rotation = random_turn(&random);
        geom.group = (uint32_t)test_random_bits(&random);
        geom.mask = (uint32_t)test_random_bits(&random);
        LitheBodyDef body = lithe_body_def_default();
        body.name = "robot/1st-link";
        body.geoms = &geom;
        body.geom_count = 1;
        body.at = (LitheVec3){-0.0, 5e-324, test_random(&random, -1, 1) / 3};
        body.rotation = random_turn(&random);
        body.mass = test_random(&random, 0.1, 1);
        for (int i = 0; i < 3; i++)
            body.inertia[i] = test_random(&random, 1, 1.5);
        body.inertia[4] = -0.0;
        LitheJointDef joint = lithe_joint_def_default();
        joint.name = "j";
        joint.child = lithe_scene_add_body(scene, &body);
        joint.child_rotation = random_turn(&random);
        joint.parent_rotation = random_turn(&random);
        joint.child_at.y = test_random(&random, -1, 1);
        joint.armature = test_random(&random, 0, 1);
        // a frame that only adds its name
        LitheBodyDef frame = lithe_body_def_default();
        frame.name = "frame";
        LitheJointDef weld = lithe_joint_def_default();
        weld.name = "weld";
        weld.kind = LITHE_JOINT_WELD;
        weld.parent = joint.child;
        weld.child = lithe_scene_add_body(scene, &frame);
        lithe_scene_add_joint(scene, &joint);
        lithe_scene_add_joint(scene, &weld);
        round_trip(context, scene);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(awkward_numbers_keep_their_bits) {
    LitheContext *context = lithe_context_create(NULL);
    TestRandom random = {7};
    for (int round = 0; round < 200; round++) {
        LitheScene *scene = lithe_scene_create(context);
        LitheMaterialDef material = lithe_material_def_default();
        material.name = "m";
        material.young = exp(test_random(&random, -600, 200));
        LitheRodDef rod = lithe_rod_def_default();
        rod.name = "r";
        rod.material = lithe_scene_add_material(scene, &material);
        rod.velocity = (LitheVec3){-0.0, 5e-324, test_random(&random, -1, 1) / 3};
        rod.twist = test_random(&random, -1e9, 1e9);
        rod.shape.rotate = (LitheVec3){test_random(&random, -3, 3), 1.0 / 3, 0.1};
        rod.natural_stretch = nextafter(1, round % 2 ? 2 : 0);
        rod.drag_normal = rod.drag_tangent = test_random(&random, 0, 1);
        lithe_scene_add_rod(scene, &rod);
        lithe_scene_set_gravity(scene, (LitheVec3){-0.0, 1.3407807929942596e154, 0.1 + 0.2});
        round_trip(context, scene);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(titles_survive_whatever_they_say) {
    static const char *const titles[] = {
        "",
        "plain",
        "a: b # c",
        "\"quoted\" 'too'",
        "back\\slash",
        "a\nb\t",
        "\x01\x7f\x1b[m",
        "\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80",
        "- [x, {y",
        "  spaced  ",
        "none",
        "\xef\xbb\xbf",
        "\xc2\x85\xe2\x80\xa8",
    };
    LitheContext *context = lithe_context_create(NULL);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        LitheScene *scene = lithe_scene_create(context);
        lithe_scene_set_title(scene, titles[i]);
        round_trip(context, scene);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_title_that_is_no_text_is_refused) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheError error = {0};
    char *text = NULL;
    lithe_scene_set_title(scene, "\xff");
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "title is not a text in UTF-8");
    CHECK(text == NULL);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

TEST(a_wrong_scene_is_not_written) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheError error = {0};
    char *text = NULL;
    scene->time.step = NAN;
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "time: step is");
    CHECK(text == NULL);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

LONG_TEST(a_scene_too_long_to_be_read_again_is_refused_when_written) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheError error = {0};
    size_t length = (size_t)65 << 20;
    char *title = malloc(length + 1), *text = NULL;
    FATAL(scene && title);
    memset(title, 'x', length);
    title[length] = '\0';
    CHECK(lithe_scene_set_title(scene, title));
    free(title);
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_NOT_SUPPORTED);
    CHECK_TEXT(error.text, "67108864 could be read again");
    CHECK(text == NULL);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(points_of_a_file_are_written_out) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "m";
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "r";
    rod.material = lithe_scene_add_material(scene, &material);
    rod.nodes = 0;
    rod.shape.kind = LITHE_SHAPE_FILE;
    rod.shape.path = SCENES "points.txt";
    lithe_scene_add_rod(scene, &rod);
    LitheError error = {0};
    char *text = NULL;
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    CHECK_TEXT(text, "- [0.2, 0.05, 0]");
    CHECK(text && !strstr(text, "points.txt"));
    lithe_text_free(context, text);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_mesh_of_a_file_is_written_out) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_TRIANGLE_MESH;
    geom.path = SCENES "hand.stl";
    geom.scale = (LitheVec3){0.5, 0.5, 0.5};
    LitheBodyDef body = lithe_body_def_default();
    body.name = "b";
    body.fixed = true;
    body.geoms = &geom;
    body.geom_count = 1;
    lithe_scene_add_body(scene, &body);
    size_t before = lithe_context_bytes(context);
    LitheError error = {0};
    char *text = NULL;
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    CHECK_TEXT(text, "- [0, 5, 0]");
    CHECK_TEXT(text, "- [2, 1, 3]\n");
    CHECK(text && !strstr(text, "hand.stl") && !strstr(text, "scale"));
    lithe_text_free(context, text);
    text = NULL;

    // a missing file is reported
    ((char *)scene->bodies[0].geoms[0].path)[1] = '-';
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "hand.stl");
    CHECK(text == NULL && lithe_context_bytes(context) == before);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// what a recording keeps of a scene, so that a run can be continued
TEST(a_mesh_of_tetrahedra_without_groups_is_written_and_read_again) {
    static const char scene_text[] =
        "lithe: 1\n"
        "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids: {it: {material: m, mesh: {file: {path: tetrahedron.vtk}}}}\n";
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL, *again = NULL;
    LitheError error = {0};
    char *text = NULL;
    CHECK(lithe_scene_parse(context, scene_text, strlen(scene_text), "scene", SCENES, NULL, 0,
                            &scene, &error) == LITHE_OK);
    CHECK(scene && lithe_scene_write(scene, &text, &error) == LITHE_OK);
    CHECK_TEXT(text, "elements: [0, 1, 2, 3]");
    if (!CHECK(text && lithe_scene_parse(context, text, strlen(text), "written", SCENES, NULL, 0,
                                         &again, &error) == LITHE_OK))
        printf("  %s\n%s\n", error.text, text);
    lithe_text_free(context, text);
    lithe_scene_destroy(scene);
    lithe_scene_destroy(again);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_of_a_write_leaves_nothing_behind) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheError error = {0};
    CHECK(lithe_scene_load(context, SCENES "bodies.yaml", NULL, 0, &scene, &error) == LITHE_OK);
    FATAL(scene != NULL);
    size_t before = lithe_context_bytes(context);
    int n = 1;
    for (; n < 100; n++) {
        char *text = NULL;
        lithe_context_fail_at(context, n);
        LitheStatus status = lithe_scene_write(scene, &text, &error);
        lithe_context_fail_at(context, 0);
        lithe_text_free(context, text);
        CHECK(lithe_context_bytes(context) == before);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_NO_MEMORY && text == NULL);
    }
    CHECK(n > 3 && n < 100);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}
