// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_check.c - every wrong value of a scene is refused with its name

#include "scene/scene.h"

#include "base/memory.h"
#include "refused.h"

static const double times[2] = {0, 1}, values[2] = {0, 1};
static double per_node[5], per_edge[4];
static LitheVec3 points[5];

static int warnings;
static char last_warning[1024];

static void count_warning(LitheLogLevel level, const char *text, void *user) {
    (void)user;
    warnings += level == LITHE_LOG_WARNING;
    snprintf(last_warning, sizeof last_warning, "%s", text);
}

// A valid scene, and handles to its values.
typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheMaterialDef *material;
    LitheRodDef *rod;
    LitheHoldDef *hold;
    LitheDriveDef *drive;
    LitheForceDef *force;
    LitheNaturalDriveDef *curl;
    LitheError error;
} World;

static LitheProfileDef table(void) {
    LitheProfileDef profile = lithe_profile_def_default();
    profile.times = times;
    profile.values = values;
    profile.count = 2;
    return profile;
}

static bool world_begin(World *w) {
    for (int i = 0; i < 5; i++) {
        per_node[i] = i;
        points[i] = (LitheVec3){i, 0, 0};
    }
    for (int i = 0; i < 4; i++)
        per_edge[i] = 1;
    *w = (World){0};
    LitheContextDef def = lithe_context_def_default();
    def.log = count_warning;
    w->context = lithe_context_create(&def);
    LitheScene *s = w->scene = lithe_scene_create(w->context);
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "nylon";
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.material = lithe_scene_add_material(s, &material);
    rod.nodes = 5;
    rod.shape.points = points;
    rod.shape.point_count = 5;
    rod.node_curvature1 = rod.node_curvature2 = rod.node_twist = per_node;
    rod.node_value_count = 5;
    rod.edge_stretch = per_edge;
    rod.edge_value_count = 4;
    LitheRodId rope = lithe_scene_add_rod(s, &rod);
    LithePlace start = {.thing = lithe_thing_rod(rope)};
    LithePlace end = {.thing = start.thing, .node = -1};
    LitheHoldDef hold = {.name = "left", .place = start, .bits = LITHE_HOLD_POSITION};
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "pull";
    drive.place = end;
    drive.motion = table();
    drive.direction = (LitheVec3){1, 0, 0};
    LitheForceDef force = lithe_force_def_default();
    force.name = "tip";
    force.place = (LithePlace){.thing = start.thing, .kind = LITHE_PLACE_FRACTION, .fraction = 0.5};
    force.profile = table();
    LitheNaturalDriveDef curl = lithe_natural_drive_def_default();
    curl.name = "curl";
    curl.rod = rope;
    curl.node_curvature1 = curl.node_curvature2 = curl.node_twist = per_node;
    curl.node_value_count = 5;
    curl.edge_stretch = per_edge;
    curl.edge_value_count = 4;
    curl.profile = table();
    if (!lithe_scene_add_hold(s, &hold) || !lithe_scene_add_drive(s, &drive).number ||
        !lithe_scene_add_force(s, &force) || !lithe_scene_add_natural_drive(s, &curl))
        return false;
    w->material = s->materials;
    w->rod = s->rods;
    w->hold = s->holds;
    w->drive = s->drives;
    w->force = s->forces;
    w->curl = s->natural_drives;
    warnings = 0;
    return lithe_scene_check(s, &w->error) == LITHE_OK;
}

static void world_end(World *w) {
    lithe_scene_destroy(w->scene);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

TEST(default_scene_passes_without_a_warning) {
    World w;
    FATAL(world_begin(&w));
    CHECK(warnings == 0);
    world_end(&w);
}

TEST(nan_and_infinity_are_refused_in_every_field) {
    World w;
    FATAL(world_begin(&w));
    LitheScene *s = w.scene;
    LitheShapeDef *shape = &w.rod->shape;
    LitheSectionDef *section = &w.rod->section;
    LitheProfileDef *motion = &w.drive->motion, *turn = &w.drive->turn;
    struct {
        double *place;
        const char *part;
    } fields[] = {
        {&s->gravity.x, "gravity"},
        {&s->gravity.y, "gravity"},
        {&s->gravity.z, "gravity"},
        {&s->time.step, "time: step"},
        {&s->time.end, "time: end"},
        {&s->time.tolerance, "time: tolerance"},
        {&s->record.every, "record: every"},
        {&w.material->young, "material 'nylon': young"},
        {&w.material->poisson, "material 'nylon': poisson"},
        {&w.material->shear, "material 'nylon': shear"},
        {&w.material->density, "material 'nylon': density"},
        {&w.material->damping_mass, "material 'nylon': damping.mass"},
        {&w.material->damping_stiffness, "material 'nylon': damping.stiffness"},
        {&section->radius, "rod 'rope': radius"},
        {&section->width, "rod 'rope': width"},
        {&section->height, "rod 'rope': height"},
        {&section->EA, "rod 'rope': EA"},
        {&section->EI1, "rod 'rope': EI1"},
        {&section->EI2, "rod 'rope': EI2"},
        {&section->GJ, "rod 'rope': GJ"},
        {&section->mass_per_length, "rod 'rope': mass-per-length"},
        {&section->spin_per_length, "rod 'rope': spin-per-length"},
        {&section->damping_mass, "rod 'rope': damping.mass"},
        {&section->damping_stiffness, "rod 'rope': damping.stiffness"},
        {&shape->from.x, "rod 'rope': from"},
        {&shape->to.y, "rod 'rope': to"},
        {&shape->length, "rod 'rope': length"},
        {&shape->radius, "rod 'rope': radius"},
        {&shape->angle, "rod 'rope': angle"},
        {&shape->pitch, "rod 'rope': pitch"},
        {&shape->turns, "rod 'rope': turns"},
        {&shape->rotate.z, "rod 'rope': rotate"},
        {&shape->at.z, "rod 'rope': at"},
        {&w.rod->director.x, "rod 'rope': director"},
        {&w.rod->twist, "rod 'rope': twist"},
        {&w.rod->natural_curvature1, "rod 'rope': curvature"},
        {&w.rod->natural_curvature2, "rod 'rope': curvature"},
        {&w.rod->natural_twist, "rod 'rope': twist"},
        {&w.rod->natural_stretch, "rod 'rope': stretch"},
        {(double *)&w.rod->node_curvature1[1], "rod 'rope': node-curvature1[1]"},
        {(double *)&w.rod->node_curvature2[2], "rod 'rope': node-curvature2[2]"},
        {(double *)&w.rod->node_twist[4], "rod 'rope': node-twist[4]"},
        {(double *)&w.rod->edge_stretch[3], "rod 'rope': edge-stretch[3]"},
        {&w.rod->velocity.y, "rod 'rope': velocity"},
        {&w.rod->spin.y, "rod 'rope': spin"},
        {&w.rod->drag_normal, "rod 'rope': drag.normal"},
        {&w.rod->drag_tangent, "rod 'rope': drag.tangent"},
        {&w.hold->place.fraction, "hold 'left': on"},
        {&w.drive->direction.x, "drive 'pull': direction"},
        {&w.drive->axis.x, "drive 'pull': axis"},
        {&w.drive->stiffness, "drive 'pull': stiffness"},
        {&w.drive->damping, "drive 'pull': damping"},
        {&motion->value, "drive 'pull': value"},
        {&motion->rate, "drive 'pull': rate"},
        {&motion->amplitude, "drive 'pull': amplitude"},
        {&motion->frequency, "drive 'pull': frequency"},
        {&motion->phase, "drive 'pull': phase"},
        {(double *)&motion->times[1], "drive 'pull': table[1]"},
        {(double *)&motion->values[0], "drive 'pull': table[0]"},
        {&turn->value, "drive 'pull': value"},
        {&w.force->force.x, "force 'tip': force"},
        {&w.force->moment.z, "force 'tip': moment"},
        {&w.force->profile.rate, "force 'tip': rate"},
        {&w.curl->curvature1, "natural drive 'curl': curvature"},
        {&w.curl->curvature2, "natural drive 'curl': curvature"},
        {&w.curl->twist, "natural drive 'curl': twist"},
        {&w.curl->stretch, "natural drive 'curl': stretch"},
        {(double *)&w.curl->node_curvature1[1], "natural drive 'curl': node-curvature1[1]"},
        {(double *)&w.curl->node_curvature2[1], "natural drive 'curl': node-curvature2[1]"},
        {(double *)&w.curl->node_twist[1], "natural drive 'curl': node-twist[1]"},
        {(double *)&w.curl->edge_stretch[1], "natural drive 'curl': edge-stretch[1]"},
        {&w.curl->profile.value, "natural drive 'curl': value"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        REFUSE(fields[i].place, NAN, fields[i].part);
        REFUSE(fields[i].place, INFINITY, fields[i].part);
        REFUSE(fields[i].place, -INFINITY, fields[i].part);
    }
    world_end(&w);
}

TEST(values_out_of_range_are_named_with_limit_and_value) {
    World w;
    FATAL(world_begin(&w));
    LitheScene *s = w.scene;
    REFUSE(&w.rod->section.radius, -0.002, "rod 'rope': radius is -0.002 m, must be > 0");
    REFUSE(&w.rod->section.radius, 0, "radius is 0 m, must be > 0");
    REFUSE(&w.material->young, 0, "material 'nylon': young is 0 Pa, must be > 0");
    REFUSE(&w.material->density, -1, "density is -1 kg/m^3, must be > 0");
    REFUSE(&w.material->poisson, -1, "poisson is -1, must be > -1 and <= 0.5");
    REFUSE(&w.material->poisson, 0.51, "poisson is 0.51");
    REFUSE(&w.material->shear, -1, "shear is -1 Pa, must be >= 0");
    REFUSE(&w.material->damping_mass, -1, "damping.mass is -1 1/s, must be >= 0");
    REFUSE(&s->time.step, 0, "time: step is 0 s, must be > 0");
    REFUSE(&s->time.end, -1, "time: end is -1 s, must be > 0");
    REFUSE(&s->time.step, 1e-13, "must be <= 1e+12");
    REFUSE(&s->time.min_step, -1, "time: step.adaptive.min is -1 s, must be > 0");
    REFUSE(&s->time.min_step, 1, "step.adaptive.min is 1 s, must be <= max, 0.001 s");
    REFUSE(&s->time.step_tolerance, -1, "step.adaptive.tolerance is -1 m, must be >= 0");
    REFUSE(&s->time.tolerance, 0, "tolerance is 0, must be > 0");
    REFUSE_VALUE(s->time.max_iterations, 0, "max-iterations is 0, must be >= 1");
    REFUSE(&s->record.every, -1, "every is -1 s, must be >= 0");
    REFUSE(&w.rod->natural_stretch, 0, "stretch is 0, must be > 0");
    REFUSE((double *)&w.rod->edge_stretch[2], 0, "edge-stretch[2] is 0, must be > 0");
    REFUSE(&w.rod->drag_normal, -1, "drag.normal is -1 Pa s, must be >= 0");
    REFUSE(&w.drive->stiffness, -1, "stiffness is -1 N/m, must be >= 0");
    REFUSE(&w.force->place.fraction, 1.5, "force 'tip': on is at 1.5 of rod 'rope'");
    REFUSE(&w.curl->stretch, -1, "stretch is -1");
    REFUSE((double *)&w.force->profile.times[1], 0, "table[1] is at 0 s, must be after 0 s");
    world_end(&w);
}

TEST(sections_check_what_they_use) {
    World w;
    FATAL(world_begin(&w));
    LitheSectionDef *section = &w.rod->section;
    section->kind = LITHE_SECTION_RECTANGLE;
    section->width = section->height = 1e-3;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&section->width, 0, "width is 0 m, must be > 0");
    REFUSE(&section->height, -1, "height is -1 m, must be > 0");
    *section = (LitheSectionDef){
        .kind = LITHE_SECTION_STIFFNESS, .radius = 1e-3, .EA = 1, .mass_per_length = 1};
    w.rod->material.number = 0;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&section->EA, 0, "EA is 0 N, must be > 0");
    REFUSE(&section->EI1, -1, "EI1 is -1 N m^2, must be >= 0");
    REFUSE(&section->EI2, -1, "EI2 is -1 N m^2, must be >= 0");
    REFUSE(&section->GJ, -1, "GJ is -1 N m^2, must be >= 0");
    REFUSE(&section->mass_per_length, 0, "mass-per-length is 0 kg/m, must be > 0");
    REFUSE(&section->radius, 0, "radius is 0 m, must be > 0");
    REFUSE_VALUE(section->kind, LITHE_SECTION_CIRCLE, "material is missing");
    w.rod->material.number = 1;
    REFUSE_VALUE(section->kind, (LitheSectionKind)17, "section is 17");
    world_end(&w);
}

TEST(shapes_check_what_they_use) {
    World w;
    FATAL(world_begin(&w));
    LitheShapeDef *shape = &w.rod->shape;
    REFUSE(&shape->to.x, 0, "from and to are the same point");
    shape->kind = LITHE_SHAPE_ARC;
    shape->radius = shape->angle = 1;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&shape->radius, 0, "radius is 0 m, must be > 0");
    REFUSE(&shape->angle, 0, "angle is 0");
    shape->kind = LITHE_SHAPE_HELIX;
    shape->turns = 2;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&shape->turns, 0, "turns is 0, must be > 0");
    shape->kind = LITHE_SHAPE_CATENARY;
    shape->length = 1.1;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&shape->length, 1, "length is 1 m, must be > 1 m");
    shape->kind = LITHE_SHAPE_OVERHAND_KNOT;
    shape->unknotting = 1;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE_VALUE(shape->unknotting, 0, "unknotting is 0, must be >= 1");
    shape->kind = LITHE_SHAPE_POLYLINE;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE((double *)&shape->points[2].x, 1, "points[1] and points[2] are the same point");
    REFUSE((double *)&shape->points[2].y, NAN, "points[2]");
    REFUSE_VALUE(shape->point_count, 1, "the number of points is 1, must be at least 2");
    shape->kind = LITHE_SHAPE_FILE;
    REFUSE_VALUE(shape->path, NULL, "path is missing");
    REFUSE_VALUE(shape->kind, (LitheShapeKind)99, "shape is 99");
    world_end(&w);
}

TEST(node_counts_follow_ends_and_closure) {
    World w;
    FATAL(world_begin(&w));
    LitheRodDef *rod = w.rod;
    REFUSE_VALUE(rod->nodes, 1, "nodes is 1, must be >= 2");
    REFUSE_VALUE(rod->nodes, -3, "nodes is -3, must be >= 2");
    REFUSE_VALUE(rod->nodes, 0, "nodes is 0");
    REFUSE_VALUE(rod->nodes, 200000000, "must be <= 100000000");
    REFUSE_VALUE(rod->nodes, 6, "node-curvature1 has 5 values, the rod has 6 nodes");
    REFUSE_VALUE(rod->edge_value_count, 3, "edge-stretch has 3 values, the rod has 4 edges");
    w.scene->hold_count = w.scene->drive_count = 0;
    rod->clamp_start = true;
    REFUSE_VALUE(rod->nodes, 2, "nodes is 2, must be >= 3 when clamped");
    rod->clamp_end = true;
    REFUSE_VALUE(rod->nodes, 3, "nodes is 3, must be >= 4 when clamped");
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    rod->shape.kind = LITHE_SHAPE_RING;
    rod->shape.radius = 1;
    REFUSE_VALUE(rod->nodes, 7, "a closed rod has no ends");
    rod->clamp_start = rod->clamp_end = false;
    REFUSE_VALUE(rod->nodes, 4, "nodes is 4, must be >= 5 when closed");
    REFUSE_VALUE(rod->nodes, 5, "edge-stretch has 4 values, the rod has 5 edges");
    w.scene->hold_count = w.scene->drive_count = 1;
    world_end(&w);
}

TEST(unknown_ids_and_places_are_refused) {
    World w;
    FATAL(world_begin(&w));
    REFUSE_VALUE(w.rod->material.number, 2, "rod 'rope': material is number 2 of 1");
    REFUSE_VALUE(w.rod->material.number, -1, "material is number -1");
    REFUSE_VALUE(w.hold->place.thing.number, 0, "hold 'left': on is rod number 0 of 1");
    REFUSE_VALUE(w.hold->place.node, 5, "on is node 5 of rod 'rope', must be from -5 to 4");
    REFUSE_VALUE(w.hold->place.node, -6, "on is node -6 of rod 'rope'");
    REFUSE_VALUE(w.hold->place.kind, (LithePlaceKind)7, "on is 7");
    REFUSE_VALUE(w.drive->place.thing.number, 9, "drive 'pull': on is rod number 9 of 1");
    REFUSE_VALUE(w.curl->rod.number, 2, "natural drive 'curl': rod is number 2 of 1");
    REFUSE_VALUE(w.hold->bits, 0u, "hold is 0");
    REFUSE_VALUE(w.hold->bits, 64u, "hold is 64");
    world_end(&w);
}

TEST(names_must_be_good_and_differ) {
    World w;
    FATAL(world_begin(&w));
    REFUSE_VALUE(w.rod->name, NULL, "rod 1: has no name");
    REFUSE_VALUE(w.rod->name, "a.b", "rod 'a.b': a name has letters");
    REFUSE_VALUE(w.rod->name, "1a", "a name has letters");
    REFUSE_VALUE(w.rod->name, "", "a name has letters");
    REFUSE_VALUE(w.drive->name, "rope", "drive 'rope': the name is already taken by rod 1");
    LitheMaterialDef twin = *w.material;
    FATAL(lithe_scene_add_material(w.scene, &twin).number == 2);
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "material 'nylon': the name is already taken by material 1");
    world_end(&w);
}

TEST(recorded_quantities_name_a_rod_or_drive) {
    World w;
    FATAL(world_begin(&w));
    const char *const good[] = {"rope.moment", "pull.force"}, *const bad[] = {"lace.moment"},
                      *const odd[] = {"rope"};
    LitheRecordDef record = {.every = 1, .also = good, .also_count = 2};
    CHECK(lithe_scene_set_record(w.scene, &record));
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_OK);
    record = (LitheRecordDef){.every = 1, .also = bad, .also_count = 1};
    CHECK(lithe_scene_set_record(w.scene, &record));
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(
        w.error.text,
        "record: also: 'lace.moment' is not the name of a rod, particles, solid, drive, body, "
        "cavity, joint, actuator, pose drive or knot of the scene");
    record.also = odd;
    CHECK(lithe_scene_set_record(w.scene, &record));
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "'rope' is not NAME.QUANTITY");
    world_end(&w);
}

TEST(drives_refuse_what_cannot_work) {
    World w;
    FATAL(world_begin(&w));
    LitheDriveDef *d = w.drive;
    REFUSE(&d->direction.x, 0, "drive 'pull': direction is missing or zero");
    REFUSE(&d->direction.x, 1e200, "direction is (1e+200, 0, 0), its length must be finite");
    REFUSE(&d->direction.x, 1e-200, "direction is (1e-200, 0, 0), its length must be at least");
    REFUSE_VALUE(d->along_only, true, "along-only is set, but needs stiffness > 0");
    REFUSE(&d->damping, 1, "damping is 1, but needs stiffness > 0");
    REFUSE_VALUE(d->outward, true, "direction is both outward and a vector");
    REFUSE_VALUE(d->kind, LITHE_DRIVE_TWIST, "takes no motion");
    REFUSE(&d->turn.rate, 1, "takes no turn");
    REFUSE(&d->axis.x, 1, "only kind clamp takes one");
    d->kind = LITHE_DRIVE_CLAMP;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&d->stiffness, 5, "stiffness is 5, must be 0 for kind clamp");
    d->kind = LITHE_DRIVE_POSITION;
    d->direction.x = 0;
    d->outward = true;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE_VALUE(d->place.node, 2, "only the ends of an open rod");
    world_end(&w);
}

TEST(one_degree_of_freedom_has_one_master) {
    World w;
    FATAL(world_begin(&w));
    LitheHoldDef hold = *w.hold;
    hold.name = "second";
    hold.place.node = -1;
    hold.bits = LITHE_HOLD_Y;
    FATAL(lithe_scene_add_hold(w.scene, &hold));
    LitheHoldDef *second = &w.scene->holds[1];
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text,
               "drive 'pull': position of node 4 of rod 'rope' is already prescribed by "
               "hold 'second'");
    second->bits = LITHE_HOLD_TWIST; // sits on the last edge
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    second->place.node = 0;
    second->bits = LITHE_HOLD_X | LITHE_HOLD_TWIST;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text,
               "hold 'second': position of node 0 of rod 'rope' is already prescribed by "
               "hold 'left'");
    second->place.node = 3;
    second->bits = LITHE_HOLD_CLAMP; // takes nodes 3 and 4
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "node 4");
    w.rod->clamp_start = true;
    second->place.node = 2;
    second->bits = LITHE_HOLD_X;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text,
               "hold 'left': position of node 0 of rod 'rope' is already prescribed by "
               "rod 'rope' (clamped)");
    w.rod->clamp_start = false;
    // a spring may act where one direction is held, not where all are
    second->place.node = -1;
    w.drive->stiffness = 10;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    second->bits = LITHE_HOLD_POSITION;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_BAD_INPUT);
    world_end(&w);
}

TEST(suspicious_values_pass_with_a_warning) {
    World w;
    FATAL(world_begin(&w));
    w.material->young = 1e20;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    CHECK(warnings == 1);
    CHECK_TEXT(last_warning, "material 'nylon': young is 1e+20 Pa");
    w.scene->time.step = 1e3;
    w.scene->time.end = 1e4;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    CHECK(warnings == 3);
    world_end(&w);
}

TEST(check_reports_lack_of_memory) {
    World w;
    FATAL(world_begin(&w));
    for (int n = 1; n <= 2; n++) {
        lithe_context_fail_at(w.context, n);
        CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_NO_MEMORY);
        lithe_context_fail_at(w.context, 0);
    }
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_OK);
    world_end(&w);
}
