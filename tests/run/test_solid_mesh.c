// SPDX-License-Identifier: Apache-2.0
// tests/run/test_solid_mesh.c - meshes of soft solids in scenes: bodies, files, surfaces, groups,
// what is refused and where

#include "../../cli/validate/surfaces.h"
#include "geom/tet_files.h"
#include "test.h"

#include "base/memory.h"
#include "data/model.h"
#include "lithe/lithe.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD \
    "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 0.1 s}\n" \
    "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"

static LitheContext *context;
static LitheError error;
static char folder[64], warnings[4000];

static void keep_warning(LitheLogLevel level, const char *text, void *user) {
    (void)user;
    if (level >= LITHE_LOG_INFO)
        snprintf(warnings + strlen(warnings), sizeof warnings - strlen(warnings), "%s\n", text);
}

static void begin(void) {
    LitheContextDef def = lithe_context_def_default();
    def.log = keep_warning;
    warnings[0] = 0;
    error = (LitheError){0};
    context = lithe_context_create(&def);
    snprintf(folder, sizeof folder, "/tmp/lithe-meshes-%d", (int)getpid());
    mkdir(folder, 0700);
}

static void end(void) {
    static const char *const names[] = {"scene.yaml", "a.vtk", "a.msh", "a.obj"};
    char path[128];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static void save(const char *name, const void *bytes, size_t length) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL))
        return;
    CHECK(fwrite(bytes, 1, length, file) == length);
    fclose(file);
}

static LitheModel *compile_scene(const LitheScene *scene) {
    LitheModel *model = NULL;
    LitheState *state = NULL;
    if (lithe_compile(scene, &model, &state, &error) != LITHE_OK)
        return NULL;
    lithe_state_destroy(state);
    return model;
}

/// Loads and compiles a scene with `mesh` as the mesh of its solid, or with this key and value;
/// NULL with `error` set on failure.
static LitheModel *compile(const char *mesh, const char *more) {
    char text[2000], path[128];
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    int n = snprintf(text, sizeof text, HEAD "solids:\n  it:\n    material: m\n    %s%s\n%s",
                     mesh[0] == '{' ? "mesh: " : "", mesh, more);
    save("scene.yaml", text, (size_t)n);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    if (lithe_scene_load(context, path, NULL, 0, &scene, &error) == LITHE_OK)
        model = compile_scene(scene);
    lithe_scene_destroy(scene);
    return model;
}

static void check_body(const char *mesh, double volume, double within, int32_t groups) {
    LitheModel *model = compile(mesh, "");
    if (!CHECK(model != NULL)) {
        printf("  %s\n", error.text);
        return;
    }
    CHECK_NEAR(model->solids[0].volume / volume, 1, within);
    CHECK(model->solids[0].mesh.set_count == groups);
    lithe_model_destroy(model);
}

TEST(bodies_have_their_volume_and_groups) {
    const double pi = M_PI;
    begin();
    check_body("{cylinder: {radius: 5 cm, length: 20 cm, resolution: 1 cm}}", pi * 0.0025 * 0.2,
               1e-5, 3);
    check_body("{tube: {radius: 5 cm, inner: 3 cm, length: 0.1, resolution: 1 cm}}",
               pi * 0.0016 * 0.1, 1e-5, 4);
    check_body("{sphere: {radius: 5 cm, resolution: 1 cm}}", 4 * pi / 3 * 0.000125, 1e-5, 1);
    check_body("{half-sphere: {radius: 5 cm, resolution: 1 cm}}", 2 * pi / 3 * 0.000125, 1e-5, 2);
    check_body("{hollow-sphere: {radius: 5 cm, inner: 4 cm, resolution: 1 cm}}",
               4 * pi / 3 * (0.000125 - 0.000064), 1e-5, 2);
    check_body("{arch: {stones: 5, span: 2, thickness: 0.2, depth: 0.4, resolution: 0.2}}",
               0.5 * pi * (1.44 - 1) * 0.4, 0.01, 11);
    // nearly a can: the folds add less than 1 % of its wall
    const char *bellows = "{bellows: {folds: 2, radius: 5 cm, inner: 4 cm, length: 20 cm, "
                          "thickness: 5 mm, ends: 1 cm, resolution: 2 cm}}";
    check_body(bellows, 2 * pi * 0.045 * 0.005 * 0.18 + 2 * pi * 0.045 * 0.045 * 0.01, 0.01, 4);
    check_body("{finger: {chambers: 3, size: [50 mm, 16 mm, 14 mm], wall: 1.5 mm, floor: 3 mm, "
               "channel: 3 mm, gap: 2 mm, resolution: 3 mm}}",
               1e-9 * (50 * 16 * 14 - 37 * 13 * 9.5 - 10 * 9 - 4 * 16 * 6.5), 1e-5, 5);
    end();
}

TEST(groups_of_files_can_be_held) {
    static Bytes file;
    LitheTetMesh box = {0};
    begin();
    CHECK(lithe_tet_mesh_box(context, v3(100, 200, 300), (int32_t[3]){1, 2, 1}, &box, NULL) ==
          LITHE_OK);
    write_msh4(&file, &box, LITTLE);
    save("a.msh", file.data, file.length);
    LitheModel *model =
        compile("{file: {path: a.msh, scale: 0.001}}", "holds: {h: {on: it.lid}}\n");
    if (!CHECK(model != NULL))
        printf("  %s\n", error.text);
    if (model) {
        const LitheSolid *solid = &model->solids[0];
        int32_t held = 0;
        for (int32_t i = 0; i < 3 * solid->mesh.node_count; i++)
            held += solid->held[i];
        CHECK(held == 3 * 3);
        CHECK_NEAR(solid->volume, 0.006, 1e-15);
        CHECK(warnings[0] == 0);
    }
    lithe_model_destroy(model);
    // without the scale the size is suspicious
    model = compile("{file: {path: a.msh}}", "");
    CHECK(model != NULL);
    CHECK_TEXT(warnings, "solid 'it': its mesh: it is 100 m x 200 m x 300 m large");
    lithe_model_destroy(model);
    lithe_tet_mesh_destroy(context, &box);
    end();
}

static void write_obj(const Surface *s, double scale) {
    static Bytes file;
    file.length = 0;
    for (int32_t i = 0; i < s->point_count; i++)
        put(&file, "v %.9g %.9g %.9g\n", scale * s->points[i].x, scale * s->points[i].y,
            scale * s->points[i].z);
    for (int32_t i = 0; i < s->triangle_count; i++)
        put(&file, "f %d %d %d\n", s->triangles[3 * i] + 1, s->triangles[3 * i + 1] + 1,
            s->triangles[3 * i + 2] + 1);
    save("a.obj", file.data, file.length);
}

TEST(edges_that_are_rounded_are_reported_with_the_change_of_volume) {
    Surface cube = make_surface(5);
    begin();
    write_obj(&cube, 1000);
    LitheModel *model = compile("{surface: {path: a.obj, scale: 0.001, resolution: 4.7 cm}}", "");
    CHECK_TEXT(warnings, "solid 'it': 12 sharp edges of its surface are rounded");
    CHECK_TEXT(warnings, "its volume changes by -");
    lithe_model_destroy(model);
    surface_free(&cube);
    end();
}

TEST(a_surface_is_filled_and_written_with_the_scene) {
    Surface cube = make_surface(5);
    begin();
    write_obj(&cube, 1000);
    LitheModel *model = compile("{surface: {path: a.obj, scale: 0.001, resolution: 4 cm}}", "");
    if (!CHECK(model != NULL))
        printf("  %s\n", error.text);
    if (model)
        CHECK_NEAR(model->solids[0].volume, 0.008, 2e-5);
    CHECK(!strstr(warnings, "rounded")); // the mesh meets all edges
    // the written scene needs no file and gives the same mesh
    char path[128], *text = NULL, *again = NULL;
    LitheScene *scene = NULL, *copy = NULL;
    LitheModel *other = NULL;
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    CHECK(lithe_scene_load(context, path, NULL, 0, &scene, &error) == LITHE_OK);
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    CHECK(!strstr(text, "a.obj"));
    if (!CHECK(lithe_scene_parse(context, text, strlen(text), "copy.yaml", NULL, NULL, 0, &copy,
                                 &error) == LITHE_OK))
        printf("  %s\n%.600s\n", error.text, text);
    if (copy) {
        CHECK(lithe_scene_write(copy, &again, &error) == LITHE_OK);
        CHECK_TEXT(again, text);
        CHECK((other = compile_scene(copy)) != NULL);
    }
    if (model && other) {
        const LitheTetMesh *a = &model->solids[0].mesh, *b = &other->solids[0].mesh;
        if (CHECK(a->node_count == b->node_count && a->element_count == b->element_count))
            CHECK(memcmp(a->nodes, b->nodes, (size_t)a->node_count * sizeof(Vec3)) == 0);
    }
    lithe_text_free(context, text);
    lithe_text_free(context, again);
    lithe_model_destroy(other);
    lithe_model_destroy(model);
    lithe_scene_destroy(copy);
    lithe_scene_destroy(scene);
    surface_free(&cube);
    end();
}

static void check_refused(const char *mesh, const char *message) {
    LitheModel *model = compile(mesh, "");
    CHECK(model == NULL);
    CHECK_TEXT(error.text, message);
    lithe_model_destroy(model);
}

TEST(a_surface_and_its_resolution_are_keys_of_a_solid) {
    Surface cube = make_surface(5);
    begin();
    write_obj(&cube, 1);
    LitheModel *model = compile("surface: a.obj\n    resolution: 4 cm", "");
    if (!CHECK(model != NULL))
        printf("  %s\n", error.text);
    else
        CHECK_NEAR(model->solids[0].volume, 0.008, 2e-5);
    lithe_model_destroy(model);
    check_refused("surface: a.obj", "solids.it: resolution is missing");
    check_refused("law: corotated", "solids.it: one of mesh and surface is expected");
    check_refused("mesh: {sphere: {radius: 1, resolution: 1}}\n    surface: a.obj",
                  "mesh and surface are both given");
    check_refused("mesh: {sphere: {radius: 1, resolution: 1}}\n    resolution: 1 cm",
                  "mesh and resolution are both given");
    surface_free(&cube);
    end();
}

TEST(tetrahedra_of_files_are_written_with_the_scene) {
    static Bytes file;
    LitheTetMesh box = {0}, fine = {0};
    begin();
    CHECK(lithe_tet_mesh_box(context, v3(0.1, 0.2, 0.3), (int32_t[3]){1, 2, 1}, &box, NULL) ==
          LITHE_OK);
    CHECK(lithe_tet_mesh_to_quadratic(context, &box, &fine, NULL) == LITHE_OK);
    write_msh2(&file, &fine, TEXT);
    save("a.msh", file.data, file.length);
    LitheModel *model = compile("{file: {path: a.msh}}", ""), *other = NULL;
    char path[128], *text = NULL;
    LitheScene *scene = NULL, *copy = NULL;
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    CHECK(lithe_scene_load(context, path, NULL, 0, &scene, &error) == LITHE_OK);
    CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    if (!CHECK(lithe_scene_parse(context, text, strlen(text), "copy.yaml", NULL, NULL, 0, &copy,
                                 &error) == LITHE_OK))
        printf("  %s\n%.600s\n", error.text, text);
    CHECK(copy && (other = compile_scene(copy)) != NULL);
    if (model && other) {
        const LitheTetMesh *a = &model->solids[0].mesh, *b = &other->solids[0].mesh;
        CHECK(a->nodes_per_element == 10 && b->nodes_per_element == 10);
        CHECK(a->node_count == fine.node_count && b->node_count == fine.node_count);
        CHECK(memcmp(a->nodes, b->nodes, (size_t)a->node_count * sizeof(Vec3)) == 0);
        CHECK(memcmp(a->elements, b->elements, 40 * (size_t)a->element_count) == 0);
        CHECK(b->set_count == 2 && lithe_tet_mesh_find_set(b, "all of it")->count == b->node_count);
    }
    lithe_text_free(context, text);
    lithe_model_destroy(other);
    lithe_model_destroy(model);
    lithe_scene_destroy(copy);
    lithe_scene_destroy(scene);
    lithe_tet_mesh_destroy(context, &fine);
    lithe_tet_mesh_destroy(context, &box);
    end();
}

TEST(wrong_meshes_are_refused_with_file_and_line) {
    static Bytes file;
    Surface cube = make_surface(5);
    LitheTetMesh box = {0};
    begin();
    check_refused("{cylinder: {radius: 5 cm, length: 20 cm, resolution: 0}}",
                  "scene.yaml:8:64: solid 'it': resolution is 0 m, must be > 0");
    check_refused("{sphere: {radius: -1, resolution: 1 cm}}", "radius is -1 m, must be > 0");
    check_refused("{tube: {radius: 5 cm, inner: 6 cm, length: 1, resolution: 1 cm}}",
                  "scene.yaml:8:5: solid 'it': mesh of a tube: inner is 0.06 m");
    check_refused("{file: {path: none.msh}}", "none.msh");
    check_refused("{file: {path: scene.yaml}}",
                  "tetrahedra are read from .vtk, .msh, .node and .ele files only");
    check_refused("{surface: {resolution: 1 cm}}", "solid 'it': 0 nodes, must be 4 to");
    check_refused("{tetrahedra: {nodes: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], elements: [0,1,2,4]}}",
                  "elements has node 4 at place 3, must be 0 to 3");
    check_refused("{tetrahedra: {nodes: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], elements: [0,1,2]}}",
                  "elements has 3 numbers, must be 4 for each");
    check_refused("{tetrahedra: {nodes: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], elements: [0,1,2,3]}}",
                  "scene.yaml:8:5: solid 'it': tetrahedral mesh: 1 of 1 elements are flat");
    check_refused("{tetrahedra: {nodes: [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[9,0,0]], elements: "
                  "[0,1,2,3]}}",
                  "1 nodes belong to no element, the first is node 4");
    cube.triangle_count--;
    write_obj(&cube, 1);
    check_refused("{surface: {path: a.obj, resolution: 4 cm}}",
                  "scene.yaml:8:5: solid 'it': mesh of a surface: it has holes: 3 edges");
    CHECK(lithe_tet_mesh_box(context, v3(0.1, 0.2, 0.3), (int32_t[3]){1, 2, 1}, &box, NULL) ==
          LITHE_OK);
    int32_t keep = box.elements[1];
    box.elements[1] = box.elements[2];
    box.elements[2] = keep;
    write_vtk(&file, &box, 3, TEXT);
    save("a.vtk", file.data, file.length);
    check_refused("{file: {path: a.vtk}}", "1 of 10 elements are inverted");
    save("a.vtk", file.data, file.length / 2);
    check_refused("{file: {path: a.vtk}}", "a.vtk:");
    lithe_tet_mesh_destroy(context, &box);
    surface_free(&cube);
    end();
}

TEST(defs_of_c_programs_may_name_files_or_give_lists) {
    static Bytes file;
    LitheTetMesh box = {0};
    char path[128];
    begin();
    CHECK(lithe_tet_mesh_box(context, v3(0.1, 0.2, 0.3), (int32_t[3]){1, 2, 1}, &box, NULL) ==
          LITHE_OK);
    write_vtk(&file, &box, 5, BIG);
    save("a.vtk", file.data, file.length);
    snprintf(path, sizeof path, "%s/a.vtk", folder);
    for (int kind = 0; kind < 2; kind++) {
        LitheScene *scene = lithe_scene_create(context);
        LitheMaterialDef material = lithe_material_def_default();
        LitheSolidDef def = lithe_solid_def_default();
        LitheModel *model = NULL;
        char *text = NULL;
        material.name = "m";
        material.young = 1e6;
        material.poisson = 0.3;
        material.density = 1000;
        def.name = "it";
        def.material = lithe_scene_add_material(scene, &material);
        def.mesh.kind = kind ? LITHE_SOLID_MESH_TETRAHEDRA : LITHE_SOLID_MESH_FILE;
        if (kind) {
            def.mesh.nodes = box.nodes;
            def.mesh.node_count = box.node_count;
            def.mesh.elements = box.elements;
            def.mesh.element_numbers = 4 * box.element_count;
        } else {
            def.mesh.path = path;
        }
        CHECK(lithe_scene_add_solid(scene, &def).number == 1);
        model = compile_scene(scene);
        if (!CHECK(model != NULL))
            printf("  %s\n", error.text);
        CHECK(model && model->solids[0].mesh.element_count == box.element_count);
        CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK);
        CHECK_TEXT(text, "tetrahedra:");
        lithe_text_free(context, text);
        lithe_model_destroy(model);
        lithe_scene_destroy(scene);
    }
    lithe_tet_mesh_destroy(context, &box);
    end();
}

TEST(loading_and_compiling_survive_any_lack_of_memory) {
    static Bytes file;
    LitheTetMesh box = {0};
    begin();
    CHECK(lithe_tet_mesh_box(context, v3(0.1, 0.2, 0.3), (int32_t[3]){1, 1, 1}, &box, NULL) ==
          LITHE_OK);
    write_msh2(&file, &box, TEXT);
    save("a.msh", file.data, file.length);
    int64_t bytes = (int64_t)lithe_context_bytes(context), n = 1;
    LitheModel *model = NULL;
    // a few steps at a time: there are hundreds of allocations
    for (; n < 3000 && !model; n += 1 + n / 60) {
        lithe_context_fail_at(context, n);
        model = compile("{file: {path: a.msh}}", "");
        lithe_context_fail_at(context, 0);
        if (!model) {
            CHECK(error.status == LITHE_NO_MEMORY);
            CHECK((int64_t)lithe_context_bytes(context) == bytes);
        }
    }
    CHECK(model != NULL);
    CHECK(n > 100);
    lithe_model_destroy(model);
    lithe_tet_mesh_destroy(context, &box);
    end();
}

TEST(a_size_out_of_range_is_named) {
    begin();
    LitheModel *model = compile("{box: {size: [1e200, 1e200, 1e200], divisions: [1, 1, 1]}}", "");
    CHECK(model == NULL);
    CHECK_TEXT(error.text, "has a volume that is not finite: its size is out of range");
    lithe_model_destroy(model);
    end();
}

TEST(held_nodes_that_drop_the_velocity_of_their_solid_are_counted) {
    const char *box = "{box: {size: [1 cm, 1 cm, 1 cm], divisions: [1, 1, 1]}}\n    velocity: [%s]";
    char mesh[200];
    begin();
    snprintf(mesh, sizeof mesh, box, "2, 0, 0");
    LitheModel *model = compile(mesh, "holds: {h: {on: it.x-min}}\n");
    CHECK(model != NULL);
    CHECK_TEXT(warnings, "solid 'it': 4 of its nodes, the first is 0, are held or driven and do "
                         "not take its initial velocity (up to 2 m/s there)");
    lithe_model_destroy(model);
    warnings[0] = 0;
    snprintf(mesh, sizeof mesh, box, "0, 0, 0");
    model = compile(mesh, "holds: {h: {on: it.x-min}}\n");
    CHECK(model != NULL && warnings[0] == 0);
    lithe_model_destroy(model);
    end();
}

TEST(a_modulus_whose_rounding_outweighs_a_node_is_warned_of) {
    for (int k = 0; k < 2; k++) {
        char text[400];
        LitheScene *scene = NULL;
        begin();
        int n = snprintf(text, sizeof text,
                         "lithe: 1\ntime: {step: 1 ms, end: 0.1 s}\n"
                         "materials: {m: {young: %s, poisson: 0.3, density: 1000 kg/m^3}}\n"
                         "solids: {it: {material: m, mesh: {box: {size: [10 cm, 10 cm, 10 cm], "
                         "divisions: [2, 2, 2]}}}}\n",
                         k ? "1e20 Pa" : "1e15 Pa");
        CHECK(lithe_scene_parse(context, text, (size_t)n, "scene", NULL, NULL, 0, &scene, &error) ==
              LITHE_OK);
        LitheModel *model = scene ? compile_scene(scene) : NULL;
        CHECK(model != NULL);
        CHECK((strstr(warnings, "it may not move, and its results are rounding") != NULL) == k);
        lithe_model_destroy(model);
        lithe_scene_destroy(scene);
        end();
    }
}
