// SPDX-License-Identifier: Apache-2.0
// scene/fibre.c - fibres in solids: default, limits

#include "math/vec3.h"
#include "scene/objects.h"

#include <math.h>

LitheFibreDef lithe_fibre_def_default(void) {
    return (LitheFibreDef){.place = {.kind = LITHE_PLACE_GROUP}, .fraction = 1};
}

bool lithe_scene_add_fibre(LitheScene *scene, const LitheFibreDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_FIBRE, def) > 0;
}

// how much fibre there is: a share of elements or of a layer, or threads at a distance
static void check_amount(LitheCheck *check, const LitheFibreDef *f) {
    lithe_check_number(check, "modulus", f->modulus, "Pa", LITHE_POSITIVE);
    lithe_check_suspect(check, "modulus", f->modulus, 1e3, 1e12, "Pa");
    lithe_check_number(check, "fraction", f->fraction, "", LITHE_POSITIVE);
    lithe_check_number(check, "thickness", f->thickness, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "diameter", f->diameter, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "spacing", f->spacing, "m", LITHE_NOT_NEGATIVE);
    if (check->status != LITHE_OK)
        return;
    if (f->fraction > 1)
        lithe_check_fail(check, "fraction", "fraction is %.9g, must be <= 1", f->fraction);
    else if (f->diameter > 0 && f->thickness > 0)
        lithe_check_fail(check, "thickness",
                         "thickness and diameter are both given: faces have a layer of fibres, or "
                         "threads at a spacing");
    else if (f->diameter > 0 && f->fraction != 1)
        lithe_check_fail(check, "fraction",
                         "fraction and diameter are both given: the spacing of threads says how "
                         "many there are");
    else if (f->diameter > 0 && !(f->spacing > 0))
        lithe_check_fail(check, "diameter",
                         "diameter is given without spacing, the distance of neighbouring threads");
    else if (f->spacing > 0 && !(f->diameter > 0))
        lithe_check_fail(check, "spacing", "spacing is given without the diameter of the threads");
    else if (f->spacing < f->diameter)
        lithe_check_fail(check, "spacing",
                         "spacing is %.9g m, must be >= diameter, %.9g m: threads side by side",
                         f->spacing, f->diameter);
}

static void check_direction(LitheCheck *check, const LitheFibreDef *f) {
    bool along = v3_norm(f->along) > 0, axis = v3_norm(f->axis) > 0;
    lithe_check_direction(check, "along", f->along);
    lithe_check_direction(check, "axis", f->axis);
    lithe_check_vector(check, "centre", f->centre, "m");
    lithe_check_number(check, "angle", f->angle, "rad", LITHE_ANY);
    if (check->status != LITHE_OK)
        return;
    double degrees = f->angle * 180 / M_PI;
    if (along && axis)
        lithe_check_fail(check, "axis", "along and axis are both given: fibres have one direction");
    else if (!along && !axis)
        lithe_check_fail(check, "",
                         "no direction is given: along, or axis with the angle to it, is needed");
    else if (!axis && (f->angle != 0 || f->crossed))
        lithe_check_fail(check, f->angle != 0 ? "angle" : "crossed",
                         "%s needs axis: fibres along a direction do not wind",
                         f->angle != 0 ? "angle" : "crossed");
    else if (fabs(degrees) > 90 + 1e-9)
        lithe_check_fail(check, "angle", "angle is %.9g deg, must be from -90 to 90 deg", degrees);
    else if (f->crossed && (fabs(degrees) < 1e-9 || fabs(degrees) > 90 - 1e-9))
        lithe_check_fail(check, "crossed",
                         "crossed is true, but with an angle of %.9g deg both families are one",
                         degrees);
    else if (v3_norm(f->centre) > 0 && (!axis || f->thickness > 0 || f->diameter > 0))
        lithe_check_fail(check, "centre",
                         "centre is given, but only fibres that wind in elements have one: on "
                         "faces their normals say what lies around the axis");
}

void lithe_check_fibre(LitheCheck *check, const void *def) {
    const LitheFibreDef *f = def;
    lithe_check_part(check, &f->place);
    if (check->status == LITHE_OK)
        check_amount(check, f);
    if (check->status == LITHE_OK)
        check_direction(check, f);
}
