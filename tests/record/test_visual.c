// SPDX-License-Identifier: Apache-2.0
// tests/record/test_visual.c - shapes that are only drawn, and colours: read, recorded, drawn

#include "test.h"

#include "data/model.h"
#include "lithe/lithe.h"
#include "record/export.h"
#include "record/picture_bodies.h"
#include "record/recording.h"
#include "record/synthetic.h"
#include "scene/scene.h"

#define HEAD \
    "lithe: 1\n" \
    "time: {step: 2 ms, end: 20 ms}\n" \
    "materials: {wood: {young: 10 GPa, poisson: 0.3, density: 700 kg/m^3}}\n" \
    "record: {every: 10 ms}\n" \
    "bodies:\n" \
    "  floor: {shape: {half-space: {}}, fixed: true, at: [0, 0, -0.06], material: wood}\n"

// a mesh of two triangles that share an edge in the same direction: nothing could touch it
#define CRATE(more) \
    "  crate: {colour: navy, material: wood, velocity: [1, 0, 0], shapes: [" \
    "{box: {size: [0.1, 0.1, 0.1]}, colour: red}" more "]}\n"
#define MESH \
    ", {mesh: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0]], " \
    "triangles: [[0, 1, 2], [0, 1, 3], [0, 1, 4]]}, visual: true, colour: '#4080ff'}" \
    ", {sphere: {radius: 3}, visual: true, colour: [0.25, 0.5, 0.75]}" \
    ", {sphere: {radius: 3}, visual: true}"

typedef struct Run {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheError error;
} Run;

static LitheStatus begin(Run *r, const char *text) {
    *r = (Run){.context = lithe_context_create(NULL)};
    LitheStatus status = lithe_scene_parse(r->context, text, strlen(text), "a.yaml", NULL, NULL, 0,
                                           &r->scene, &r->error);
    if (status == LITHE_OK)
        status = lithe_compile(r->scene, &r->model, &r->state, &r->error);
    return status;
}

static void end(Run *r) {
    lithe_state_destroy(r->state);
    lithe_model_destroy(r->model);
    lithe_scene_destroy(r->scene);
    CHECK(lithe_context_bytes(r->context) == 0);
    lithe_context_destroy(r->context);
}

static bool step(Run *r, int32_t count) {
    LitheWork *work = lithe_work_create(r->model, 1);
    bool fine = work != NULL;
    for (int32_t i = 0; fine && i < count; i++)
        fine = lithe_step(r->model, r->state, work, NULL, &r->error) == LITHE_OK;
    lithe_work_destroy(work);
    return fine;
}

TEST(visual_shapes_change_no_bit_of_the_motion) {
    Run plain, drawn;
    FATAL(begin(&plain, HEAD CRATE("")) == LITHE_OK);
    FATAL(begin(&drawn, HEAD CRATE(MESH)) == LITHE_OK);
    CHECK(drawn.model->geom_count == 2 && drawn.model->visual_count == 3);
    // the triangle without area is not kept
    CHECK(drawn.model->visuals[0].triangle_count == 2);
    FATAL(step(&plain, 10) && step(&drawn, 10));
    CHECK(lithe_state_hash(plain.state) == lithe_state_hash(drawn.state));
    end(&plain);
    end(&drawn);
}

TEST(a_recording_keeps_colours_and_what_is_visual_and_pictures_draw_it) {
    Run r;
    FATAL(begin(&r, HEAD CRATE(MESH)) == LITHE_OK);
    TestFolder folder = test_folder();
    char path[256];
    LitheRunDef def = lithe_run_def_default();
    def.out = test_path(&folder, "a.h5", path);
    LitheSummary summary;
    LitheRecording *recording = NULL;
    FATAL(lithe_run(r.scene, &def, &summary, &r.error) == LITHE_OK);
    FATAL(lithe_recording_open(r.context, path, &recording, &r.error) == LITHE_OK);
    FATAL(recording->body_count == 2);
    const LitheRecordingBody *crate = &recording->bodies[1];
    if (strcmp(crate->name, "crate") != 0)
        crate = &recording->bodies[0];
    int32_t b = (int32_t)(crate - recording->bodies);
    CHECK(crate->shape_count == 4 && crate->visual_count == 3);
    CHECK(!lithe_recording_visual(recording, b, 0) && lithe_recording_visual(recording, b, 1));
    const LitheColumn *red = lithe_recording_shape(recording, b, 0, "colour");
    FATAL(red && red->values && red->count == 3);
    CHECK(red->values[0] == 1 && red->values[1] == 0 && red->values[2] == 0);

    // the box that touches is not drawn; shapes without a colour have that of the body
    LithePictureBodies bodies = {.context = r.context};
    FATAL(lithe_picture_bodies(recording, 0, &bodies, &r.error) == LITHE_OK);
    FATAL(bodies.mesh_count == 1 && bodies.sphere_count == 2 && bodies.plane_count == 1);
    CHECK_NEAR(bodies.meshes[0].colour.r, 64 / 255.0, 1e-12);
    CHECK_NEAR(bodies.meshes[0].colour.b, 1, 1e-12);
    CHECK_NEAR(bodies.spheres[0].colour.g, 0.5, 1e-12);
    CHECK_NEAR(bodies.spheres[1].colour.b, 128 / 255.0, 1e-12);
    CHECK(bodies.spheres[1].colour.r == 0);
    lithe_picture_bodies_release(&bodies);
    lithe_recording_close(recording);
    test_folder_remove(&folder);
    end(&r);
}

static const struct {
    const char *text, *message;
} refused[] = {
    {HEAD "  a: {shape: {sphere: {radius: 1}}, colour: purpel, fixed: true}\n",
     "'purpel' is not known here; did you mean purple?"},
    {HEAD "  a: {shape: {sphere: {radius: 1}}, colour: '#12345', fixed: true}\n", "'#12345'"},
    {HEAD "  a: {shape: {sphere: {radius: 1}}, colour: [0, 2, 0], fixed: true}\n",
     "number 2 of the colour is 2, must be 0 to 1"},
    {HEAD "  a: {shape: {sphere: {radius: 1}, visual: true, material: wood}, fixed: true}\n",
     "material is given, but the shape is visual: it is only drawn"},
    {HEAD "  a: {shape: {sphere: {radius: 1}, visual: true}, material: wood}\n", "has no mass"},
};

TEST(wrong_colours_and_visual_shapes_with_mass_are_refused) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Run r;
        CHECK(begin(&r, refused[i].text) == LITHE_BAD_INPUT);
        CHECK_TEXT(r.error.text, refused[i].message);
        end(&r);
    }
}
