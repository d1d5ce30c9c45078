// SPDX-License-Identifier: Apache-2.0
// model/build_fields.c - pressure fields of rods, shapes and solids
//
// A thing is compliant where its material has a modulus for patches, else rigid. Rigid round shapes
// are cut so finely that their sagitta is below a hundredth of the half thickness of the thinnest
// compliant thing.

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "body/tree_body.h"
#include "data/thing.h"
#include "model/compile.h"

#include <math.h>

// sagitta of rigid shapes over the half thickness of compliant ones
#define SAGITTA 0.01

// what is said of a thing without a field: a warning, or with patches on a refusal
static LitheStatus without(const LitheScene *scene, const char *kind, const char *name,
                           const char *why, LitheError *error) {
    if (scene->contact.patches == LITHE_PATCHES_ON)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "contact.patches is on, but %s '%s' %s: patches: auto has contacts at "
                          "points there",
                          kind, name, why);
    lithe_log(scene->context, LITHE_LOG_WARNING, "%s '%s' %s: it touches at points, not by patches",
              kind, name, why);
    return LITHE_OK;
}

static LitheStatus build_section(LitheContext *context, LitheRod *rod, LitheError *error) {
    const LitheSectionDef *s = &rod->section;
    int32_t sectors = rod->touch.patch_sectors;
    LitheStatus status = LITHE_OK;
    if (s->kind == LITHE_SECTION_RECTANGLE)
        status = lithe_section_mesh_rectangle(context, s->width, s->height, &rod->patch);
    else if (s->kind == LITHE_SECTION_ELLIPSE)
        status = lithe_section_mesh_ellipse(context, s->width, s->height, sectors, &rod->patch);
    else if (s->radius > 0)
        status =
            lithe_section_mesh_ellipse(context, 2 * s->radius, 2 * s->radius, sectors, &rod->patch);
    return status == LITHE_OK ? status : lithe_fail_memory(error, "the field of a rod");
}

static LitheStatus build_shape(const LitheScene *scene, LitheModel *model, int32_t index,
                               double thinnest, LitheError *error) {
    LitheModelGeom *geom = &model->geoms[index];
    const char *name = model->bodies[geom->body].name;
    double modulus = geom->touch.patch_modulus;
    LitheError cause = {0};
    if (geom->geom.kind == LITHE_GEOM_HALF_SPACE) {
        if (modulus > 0)
            lithe_log(scene->context, LITHE_LOG_WARNING,
                      "body '%s': its half-space is rigid in patches; the modulus of its material "
                      "is not used",
                      name);
        return LITHE_OK;
    }
    if (!lithe_field_allowed(&geom->geom, modulus == 0))
        return modulus > 0 ? without(scene, "body", name,
                                     "has a shape without a pressure field (heightfield, open "
                                     "mesh, cylinder with rounding)",
                                     error)
                           : LITHE_OK;
    int32_t sectors = geom->touch.patch_sectors;
    if (modulus == 0) {
        int32_t finer = lithe_field_sectors(geom->geom.reach, SAGITTA * thinnest);
        sectors = finer > sectors ? finer : sectors;
    }
    LitheStatus status =
        lithe_field_create(scene->context, &geom->geom, modulus, sectors, &geom->field, &cause);
    if (status == LITHE_NOT_SUPPORTED)
        return without(scene, "body", name, cause.text, error);
    return status == LITHE_OK ? status
                              : lithe_build_fail_body(scene, geom->body, status, &cause, error);
}

// half the thickness of the thinnest compliant thing; INFINITY: there is none
static double thinnest_of(const LitheModel *model) {
    double thinnest = INFINITY;
    for (int32_t i = 0; i < model->rod_count; i++)
        if (model->rods[i].touch.patch_modulus > 0)
            thinnest = fmin(thinnest, lithe_rod_half_thickness(&model->rods[i]));
    for (int32_t i = 0; i < model->geom_count; i++)
        if (model->geoms[i].touch.patch_modulus > 0 &&
            model->geoms[i].geom.kind != LITHE_GEOM_HALF_SPACE)
            thinnest = fmin(thinnest, model->geoms[i].size);
    for (int32_t i = 0; i < model->tet_span_count; i++)
        thinnest = fmin(thinnest, model->tet_spans[i].field->depth);
    return thinnest;
}

static LitheStatus report_points(const LitheScene *scene, const LitheModel *model,
                                 LitheError *error) {
    LitheStatus status = LITHE_OK;
    bool on = scene->contact.patches == LITHE_PATCHES_ON;
    for (int32_t i = 0; i < model->particles_count && status == LITHE_OK; i++)
        if (on || model->particles[i].touch.patch_modulus > 0)
            status = without(scene, "particles", model->particles[i].name, "have no pressure field",
                             error);
    return status;
}

// its points and triangles leave to its tetrahedra what these touch
static void mark_field(LitheModel *model, LitheThing thing) {
    for (int32_t i = 0; i < model->ball_set_count; i++)
        model->ball_sets[i].has_field |= model->ball_sets[i].thing.kind == thing.kind &&
                                         model->ball_sets[i].thing.number == thing.number;
    for (int32_t i = 0; i < model->face_set_count; i++)
        model->face_sets[i].has_field |= model->face_sets[i].thing.kind == thing.kind &&
                                         model->face_sets[i].thing.number == thing.number;
}

static LitheStatus build_solids(const LitheScene *scene, LitheModel *model, LitheError *error) {
    LitheStatus status = LITHE_OK;
    model->tet_spans =
        lithe_alloc_array(scene->context, model->solid_count, sizeof *model->tet_spans);
    if (!model->tet_spans)
        return lithe_fail_memory(error, "the fields of solids");
    for (int32_t i = 0; i < model->solid_count && status == LITHE_OK; i++) {
        LitheSolid *solid = &model->solids[i];
        const char *why = "has no contact.patches.modulus in its material";
        bool wanted = solid->touch.patch_modulus > 0;
        if (wanted)
            status = lithe_build_solid_field(scene->context, solid, &why, error);
        if (status == LITHE_OK && why && (wanted || scene->contact.patches == LITHE_PATCHES_ON))
            status = without(scene, "solid", solid->name, why, error);
        if (status != LITHE_OK || why)
            continue;
        LitheThing thing = {LITHE_THING_SOLID, i + 1};
        model->tet_spans[model->tet_span_count++] =
            (LitheTetSpan){thing, solid->unit, model->tet_count, &solid->field, &solid->touch};
        model->tet_count += solid->field.tet_count;
        mark_field(model, thing);
    }
    return status;
}

// Materials for patches in a model that has none: all contacts are points, and stiff.
static void report_model(const LitheScene *scene) {
    const LitheContactDef *contact = &scene->contact;
    if (!contact->enabled || contact->patches != LITHE_PATCHES_AUTO ||
        contact->model == LITHE_CONTACT_CONVEX)
        return;
    for (int32_t i = 0; i < scene->material_count; i++)
        if (scene->materials[i].patch_modulus > 0) {
            lithe_log(scene->context, LITHE_LOG_WARNING,
                      "material '%s' has contact.patches.modulus, but contact.model %s has no "
                      "patches: its things touch at points; contact.patches: off says so",
                      scene->materials[i].name, lithe_contact_model_info(contact->model)->name);
            return;
        }
}

// (PF25) what backward Euler does to patches
static void report_scheme(const LitheScene *scene, const LitheModel *model) {
    if (scene->time.scheme == LITHE_SCHEME_AUTO && scene->rod_count > 0)
        lithe_log(scene->context, LITHE_LOG_INFO,
                  "time.scheme auto is backward-euler with contact patches and rods, which damps "
                  "bouncing; tr-bdf2 follows motion with second order");
    else if (scene->time.scheme == LITHE_SCHEME_BACKWARD_EULER && model->tet_span_count > 0)
        lithe_log(
            scene->context, LITHE_LOG_INFO,
            "with time.scheme backward-euler solids with contact patches bounce less, and "
            "resist rolling at a speed v as with an arm of step times v; tr-bdf2 does neither");
}

// a round thing that lies along a line
typedef struct Line {
    LitheThing thing;
    double radius, thickness; // half the size across the floor, and of the field [m]
    double length, mass;      // of the line [m]; kg
    double modulus;           // Pa
    int32_t sectors;
} Line;

// (PF41) what lies under its weight on the corners of its polygon, which are higher than its field
// is pressed
static void report_corners(const LitheScene *scene, const LitheModel *model, const Line *line) {
    double weight = line->mass * v3_norm(model->gravity) / line->length;
    double slope = line->modulus / line->thickness;
    double depth = pow(0.75 * weight / (slope * sqrt(2 * line->radius)), 2 / 3.0);
    double height = line->radius * (lithe_polygon_radius(line->sectors) - 1);
    if (!(weight > 0) || depth >= height)
        return;
    lithe_log(scene->context, LITHE_LOG_INFO,
              "%s '%s': under its weight it lies %.2g m deep in its pressure field, on corners of "
              "%d sectors that are %.2g m high: it stands too high by up to that, and does not "
              "roll freely; a modulus of %.2g Pa is soft enough",
              lithe_thing_word(line->thing.kind), lithe_thing_name(model, line->thing), depth,
              (int)line->sectors, height, line->modulus * pow(depth / height, 1.5));
}

static void report_rods(const LitheScene *scene, const LitheModel *model) {
    for (int32_t i = 0; i < model->rod_count; i++) {
        const LitheRod *rod = &model->rods[i];
        double half = lithe_rod_half_thickness(rod), length = 0;
        for (int32_t k = 0; k < rod->edge_count; k++)
            length += rod->built_length[k];
        Line line = {{LITHE_THING_ROD, i + 1},
                     half,
                     half,
                     length,
                     model->units[rod->unit].mass,
                     rod->touch.patch_modulus,
                     rod->touch.patch_sectors};
        if (line.modulus > 0 && rod->section.kind != LITHE_SECTION_RECTANGLE)
            report_corners(scene, model, &line);
    }
}

// tori, whose fields are those of their meshes
static void report_rings(const LitheScene *scene, const LitheModel *model) {
    for (int32_t i = 0; i < model->geom_count; i++) {
        const LitheModelGeom *geom = &model->geoms[i];
        const LitheRigidBody *body = &model->bodies[geom->body];
        bool torus = geom->geom.exact == LITHE_GEOM_TORUS && geom->field && body->unit >= 0;
        if (!torus || !(geom->field->modulus > 0))
            continue;
        const LitheTree *tree = lithe_body_tree(model, geom->body);
        Line line = {{LITHE_THING_BODY, geom->body + 1},
                     geom->geom.section,
                     geom->size,
                     2 * M_PI * geom->geom.radius,
                     tree->rigid.links[body->element].mass,
                     geom->field->modulus,
                     geom->geom.section_corners};
        report_corners(scene, model, &line);
    }
}

LitheStatus lithe_build_fields(const LitheScene *scene, LitheModel *model, LitheError *error) {
    report_model(scene);
    if (!lithe_scene_has_patches(scene))
        return LITHE_OK;
    LitheStatus status = report_points(scene, model, error);
    if (status == LITHE_OK)
        status = build_solids(scene, model, error);
    double thinnest = thinnest_of(model);
    if (status != LITHE_OK || thinnest == INFINITY)
        return status;
    model->patches = true;
    for (int32_t i = 0; i < model->rod_count && status == LITHE_OK; i++)
        status = build_section(scene->context, &model->rods[i], error);
    for (int32_t i = 0; i < model->geom_count && status == LITHE_OK; i++)
        status = build_shape(scene, model, i, thinnest, error);
    report_scheme(scene, model);
    if (status == LITHE_OK) {
        report_rods(scene, model);
        report_rings(scene, model);
    }
    return status;
}
