// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_dae.c - any bytes as the COLLADA mesh of a robot: a message, or triangles of
// finite points

#include "fuzz_robot.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/lithe-fuzz-XXXXXX", mesh[64], robot[64];

static void remove_files(void) {
    unlink(mesh);
    rmdir(folder);
}

static void make_folder(void) {
    demand(mkdtemp(folder) != NULL, "folder", folder);
    snprintf(mesh, sizeof mesh, "%s/a.dae", folder);
    snprintf(robot, sizeof robot, "%s/r.urdf", folder);
    atexit(remove_files);
}

static void check_mesh(const LitheGeomDef *geom) {
    demand(geom->triangle_count > 0 && geom->point_count > 0, "mesh", "empty");
    for (int32_t i = 0; i < geom->point_count; i++)
        demand(v3_finite(geom->points[i]), "mesh", "a point is not finite");
    for (int32_t i = 0; i < 3 * geom->triangle_count; i++)
        demand(geom->triangles[i] >= 0 && geom->triangles[i] < geom->point_count, "mesh", "index");
}

// whole when it is touched, a part for each colour when it is drawn
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char text[] =
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
        "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry><mesh filename='a.dae'/>"
        "</geometry></visual><collision><geometry><mesh filename='a.dae'/></geometry></collision>"
        "</link></robot>";
    if (!mesh[0])
        make_folder();
    FILE *file = fopen(mesh, "wb");
    demand(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "file", mesh);
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheError error = {0};
    LitheRobotDef def = lithe_robot_def_default();
    def.name = "r";
    def.format = LITHE_ROBOT_URDF;
    LitheStatus status =
        lithe_import_parse(scene, &def, text, sizeof text - 1, robot, folder, &error);
    if (status == LITHE_OK) {
        check_bodies(scene);
        for (int32_t i = 0; i < scene->body_count; i++)
            for (int32_t k = 0; k < scene->bodies[i].geom_count; k++)
                check_mesh(&scene->bodies[i].geoms[k]);
    } else {
        demand(error.text[0] && status == LITHE_BAD_INPUT, "message", error.text);
        demand(scene->body_count == 0, "scene", "changed");
    }
    lithe_scene_destroy(scene);
    demand(lithe_context_bytes(context) == 0, "memory", "left over");
    lithe_context_destroy(context);
    return 0;
}
