// SPDX-License-Identifier: Apache-2.0
// scene/solid.c - soft solids: default, limits

#include "base/log.h"
#include "math/vec3.h"
#include "scene/copy.h"
#include "scene/objects.h"
#include "scene/solid_mesh.h"

#include <math.h>

// above this ratio linear tetrahedra are much too stiff: they lock
#define LOCKING_POISSON 0.49

LitheSolidDef lithe_solid_def_default(void) {
    return (LitheSolidDef){
        .law = LITHE_SOLID_COROTATED_LAGGED,
        .mesh = {.kind = LITHE_SOLID_MESH_BOX,
                 .size = {0.1, 0.1, 0.1},
                 .angle = M_PI,
                 .scale = 1,
                 .nodes_per_element = 4},
        .quadratic = LITHE_SOLID_BY_SIZE,
        .rotation = {1, 0, 0, 0},
        .acceleration_profile = {.value = 1},
        .group = 1,
        .mask = UINT32_MAX,
        .face_contact = true,
    };
}

bool lithe_copy_solid(LitheContext *context, void *def) {
    LitheSolidDef *solid = def;
    lithe_make_unit(&solid->rotation);
    bool ok = lithe_copy_profile(context, &solid->acceleration_profile);
    return lithe_copy_solid_mesh(context, &solid->mesh) && ok;
}

void lithe_release_solid(LitheContext *context, void *def) {
    lithe_free_profile(context, &((LitheSolidDef *)def)->acceleration_profile);
    lithe_release_solid_mesh(context, &((LitheSolidDef *)def)->mesh);
}

LitheSolidId lithe_scene_add_solid(LitheScene *scene, const LitheSolidDef *def) {
    return (LitheSolidId){lithe_object_add(scene, LITHE_OBJECT_SOLID, def)};
}

// --- limits --------------------------------------------------------------------------------------

static bool is_mooney(LitheSolidLawKind law) {
    return law == LITHE_SOLID_MOONEY_RIVLIN || law == LITHE_SOLID_MOONEY_RIVLIN_ISOCHORIC;
}

// C1, C2 and the bulk modulus: all of them, or none
static void check_constants(LitheCheck *check, const LitheSolidDef *s) {
    bool given = s->c1 != 0 || s->c2 != 0 || s->bulk != 0;
    if (given && !is_mooney(s->law)) {
        lithe_check_fail(check,
                         s->c1 != 0   ? "c1"
                         : s->c2 != 0 ? "c2"
                                      : "bulk",
                         "c1, c2 and bulk belong to Mooney-Rivlin laws; the law is another one");
        return;
    }
    if (!given)
        return;
    lithe_check_number(check, "c1", s->c1, "Pa", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "c2", s->c2, "Pa", LITHE_NOT_NEGATIVE);
    if (s->bulk == 0)
        lithe_check_fail(check, s->c1 != 0 ? "c1" : "c2",
                         "bulk is missing or 0 Pa: give c1, c2 (one of them > 0) and bulk > 0, or "
                         "none of them and young and poisson of the material");
    lithe_check_number(check, "bulk", s->bulk, "Pa", LITHE_POSITIVE);
    if (check->status == LITHE_OK && !(s->c1 + s->c2 > 0))
        lithe_check_fail(
            check, "bulk",
            "bulk is %.9g Pa, but c1 and c2 are missing or 0 Pa: give c1, c2 (one of "
            "them > 0) and bulk, or none of them and young and poisson of the material",
            s->bulk);
}

static double poisson_of_constants(const LitheSolidDef *s) {
    double shear = 2 * (s->c1 + s->c2);
    return (3 * s->bulk - 2 * shear) / (2 * (3 * s->bulk + shear));
}

static void warn_of_locking(const LitheCheck *check, const LitheSolidDef *s, double poisson) {
    if (check->status == LITHE_OK && check->warn && !check->scene->allow_unusual &&
        !lithe_solid_is_quadratic(s) && s->volume == LITHE_SOLID_VOLUME_PLAIN &&
        poisson > LOCKING_POISSON)
        lithe_log(check->scene->context, LITHE_LOG_WARNING,
                  "%s: volume is plain with linear elements and Poisson's ratio %.6g, above %g: it "
                  "will be far too stiff (it locks); volume: mean mends that",
                  check->label, poisson, LOCKING_POISSON);
}

static void check_material(LitheCheck *check, const LitheSolidDef *s) {
    const LitheMaterialDef *m = &check->scene->materials[s->material.number - 1];
    bool own = is_mooney(s->law) && s->bulk > 0; // does not use young and poisson
    if (!own && !(m->poisson < 0.5))
        lithe_check_fail(check, "material",
                         "material '%s' has poisson %.9g, must be < 0.5 for a solid%s: nothing is "
                         "exactly incompressible",
                         m->name, m->poisson, m->poisson == 0.5 ? " (0.5 is the default)" : "");
    else if (!own && m->shear > 0 &&
             fabs(m->shear - 0.5 * m->young / (1 + m->poisson)) > 1e-6 * m->shear)
        lithe_check_fail(check, "material",
                         "material '%s' has shear %.9g Pa, but a solid is isotropic: its shear "
                         "modulus is young/(2 (1 + poisson)), %.9g Pa",
                         m->name, m->shear, 0.5 * m->young / (1 + m->poisson));
    warn_of_locking(check, s, own ? poisson_of_constants(s) : m->poisson);
}

void lithe_check_solid(LitheCheck *check, const void *def) {
    const LitheSolidDef *s = def;
    int32_t materials = check->scene->material_count;
    if (s->material.number < 1 || s->material.number > materials)
        lithe_check_fail(check, "material", "material is number %d of %d", s->material.number,
                         materials);
    lithe_check_choice(check, "law", (int)s->law, LITHE_SOLID_LAW_KINDS);
    lithe_check_choice(check, "quadratic", (int)s->quadratic, LITHE_SOLID_BY_SIZE + 1);
    lithe_check_choice(check, "mass", (int)s->mass, LITHE_SOLID_CONSISTENT + 1);
    lithe_check_choice(check, "volume", (int)s->volume, LITHE_SOLID_VOLUME_MEAN + 1);
    lithe_check_choice(check, "rest", (int)s->rest, LITHE_SOLID_REST_LOADED + 1);
    lithe_check_choice(check, "mesh", (int)s->mesh.kind, LITHE_SOLID_MESH_KINDS);
    lithe_check_choice(check, "plane-strain", (int)s->plane_strain, LITHE_AXIS_Z + 1);
    if (s->fine && s->mesh.kind != LITHE_SOLID_MESH_SURFACE)
        lithe_check_fail(check, "fine",
                         "fine is true, but its mesh was not made from a surface: give surface, or "
                         "mesh: {surface: ..}");
    if (s->fine_contact && !s->fine)
        lithe_check_fail(check, "fine-contact",
                         "fine-contact is true, but fine is false: the surface that touches is the "
                         "fine one");
    lithe_check_vector(check, "acceleration", s->acceleration, "m/s^2");
    lithe_check_profile(check, "acceleration-profile", &s->acceleration_profile, "");
    lithe_check_vector(check, "at", s->at, "m");
    lithe_check_quat(check, "rotate", s->rotation);
    lithe_check_vector(check, "velocity", s->velocity, "m/s");
    lithe_check_vector(check, "spin", s->angular_velocity, "rad/s");
    lithe_check_suspect(check, "velocity", v3_norm(s->velocity), 0, 1000, "m/s");
    lithe_check_suspect(check, "spin", v3_norm(s->angular_velocity), 0, 1e4, "rad/s");
    if (check->status != LITHE_OK)
        return;
    check_constants(check, s);
    if (check->status == LITHE_OK)
        lithe_check_solid_mesh(check, &s->mesh);
    check->prefix = "";
}

void lithe_check_solids(LitheCheck *check) {
    for (int32_t i = 0; i < check->scene->solid_count && check->status == LITHE_OK; i++) {
        lithe_object_select(check, LITHE_OBJECT_SOLID, i);
        check_material(check, &check->scene->solids[i]);
    }
}
