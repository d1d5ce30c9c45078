// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_region.c - points in regions, and balls that fill them

#include "geom/region.h"

#include "test.h"

static const LitheRegionDef box = {LITHE_REGION_BOX, {0, 0, 0}, {1, 2, 3}, 0};
static const LitheRegionDef sphere = {LITHE_REGION_SPHERE, {1, 0, 0}, {0, 0, 0}, 0.5};
static const LitheRegionDef plane = {LITHE_REGION_PLANE, {0, 0, 1}, {0, 0, 5}, 0.2};
static const LitheRegionDef tube = {LITHE_REGION_CYLINDER, {0, 0, 0}, {0, 0, 2}, 0.5};

TEST(points_on_the_surface_are_in_and_those_outside_are_not) {
    CHECK(lithe_region_has(&box, v3(1, 2, 3)) && lithe_region_has(&box, v3(0, 0, 0)));
    CHECK(lithe_region_has(&box, v3(0.1 + 0.2 + 0.7, 1, 1)));
    CHECK(!lithe_region_has(&box, v3(1.001, 1, 1)) && !lithe_region_has(&box, v3(0.5, 1, -0.001)));
    CHECK(lithe_region_has(&sphere, v3(1.5, 0, 0)) && lithe_region_has(&sphere, v3(1, 0.3, 0.4)));
    CHECK(!lithe_region_has(&sphere, v3(1, 0.36, 0.36)));
    // half of the thickness to each side, for any length of the normal
    CHECK(lithe_region_has(&plane, v3(77, -5, 1.1)) && lithe_region_has(&plane, v3(0, 0, 0.9)));
    CHECK(!lithe_region_has(&plane, v3(0, 0, 1.101)) && !lithe_region_has(&plane, v3(0, 0, 0.899)));
    CHECK(lithe_region_has(&tube, v3(0.3, 0.4, 0)) && lithe_region_has(&tube, v3(0, -0.5, 2)));
    CHECK(!lithe_region_has(&tube, v3(0.4, 0.4, 1)) && !lithe_region_has(&tube, v3(0, 0, 2.01)));
    LitheRegionDef list = {.kind = LITHE_REGION_LIST};
    CHECK(!lithe_region_has(&list, v3(0, 0, 0)));
}

TEST(invalid_regions_are_refused_with_the_reason) {
    char text[200];
    CHECK(!lithe_region_wrong(&box, text, sizeof text));
    CHECK(!lithe_region_wrong(&sphere, text, sizeof text));
    CHECK(!lithe_region_wrong(&plane, text, sizeof text));
    CHECK(!lithe_region_wrong(&tube, text, sizeof text));
    LitheRegionDef r = box;
    r.a.y = 2.5;
    CHECK(lithe_region_wrong(&r, text, sizeof text));
    CHECK_TEXT(text, "from is 2.5 m along y, must be <= to, 2 m");
    r = box;
    r.b.x = INFINITY;
    CHECK(lithe_region_wrong(&r, text, sizeof text));
    CHECK_TEXT(text, "has values that are not finite");
    r = sphere;
    r.size = 0;
    CHECK(lithe_region_wrong(&r, text, sizeof text));
    CHECK_TEXT(text, "radius is 0 m, must be > 0 and finite");
    r = plane;
    r.b = v3(0, 0, 0);
    CHECK(lithe_region_wrong(&r, text, sizeof text));
    CHECK_TEXT(text, "normal is zero, must have a direction");
    r = tube;
    r.b = r.a;
    CHECK(lithe_region_wrong(&r, text, sizeof text));
    CHECK_TEXT(text, "from and to are the same point");
}

// Smallest distance between any two of `count` points.
static double nearest(const Vec3 *x, int32_t count) {
    double min = INFINITY;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < i; k++)
            min = fmin(min, v3_norm(v3_sub(x[i], x[k])));
    return min;
}

enum { CAPACITY = 4000 };

TEST(balls_fill_a_box_densely_without_overlap) {
    static Vec3 x[CAPACITY], again[CAPACITY];
    for (int jitter = 0; jitter <= 1; jitter++) {
        LitheFill fill = {box, 0.07, jitter ? 0.16 : 0.14, jitter, 7, CAPACITY};
        int32_t count = lithe_fill(&fill, NULL);
        FATAL(count > 0 && count < CAPACITY);
        CHECK(lithe_fill(&fill, x) == count);
        CHECK(lithe_fill(&fill, again) == count);
        CHECK(memcmp(x, again, (size_t)count * sizeof *x) == 0);
        CHECK(nearest(x, count) >= 0.14 * (1 - 1e-12));
        for (int32_t i = 0; i < count; i++)
            CHECK(x[i].x >= 0.07 - 1e-9 && x[i].x <= 0.93 + 1e-9 && x[i].y >= 0.07 - 1e-9 &&
                  x[i].y <= 1.93 + 1e-9 && x[i].z >= 0.07 - 1e-9 && x[i].z <= 2.93 + 1e-9);
        // close packing fills 0.7405 of the volume; walls, wider spacing and jitter reduce it
        double share = count * 4.0 / 3 * 3.14159265358979 * 0.07 * 0.07 * 0.07 / 6;
        CHECK(share > (jitter ? 0.35 : 0.55) && share < 0.7405);
        fill.seed = 8;
        lithe_fill(&fill, again);
        CHECK((memcmp(x, again, (size_t)count * sizeof *x) != 0) == (jitter > 0));
    }
}

TEST(balls_stay_inside_a_slanted_cylinder_and_one_that_just_fits_is_included) {
    static Vec3 x[CAPACITY];
    LitheRegionDef slanted = {LITHE_REGION_CYLINDER, {1, 1, 1}, {2, 2, 2}, 0.3};
    LitheFill fill = {slanted, 0.05, 0.1, 0, 0, CAPACITY};
    int32_t count = lithe_fill(&fill, x);
    CHECK(count > 100 && count < CAPACITY);
    Vec3 axis = v3_unit(v3(1, 1, 1));
    for (int32_t i = 0; i < count; i++) {
        Vec3 from = v3_sub(x[i], slanted.a);
        double along = v3_dot(from, axis);
        CHECK(along >= 0.05 - 1e-9 && along <= sqrt(3) - 0.05 + 1e-9);
        CHECK(v3_norm(v3_axpy(-along, axis, from)) <= 0.25 + 1e-9);
    }
    // a ball with the radius of the cylinder is included, a larger one is not
    fill.radius = 0.3;
    fill.spacing = 0.6;
    CHECK(lithe_fill(&fill, x) >= 1);
    fill.radius = 0.301;
    fill.spacing = 0.602;
    CHECK(lithe_fill(&fill, x) == 0);
}

LONG_TEST(a_fill_keeps_the_lowest_balls_and_gives_up_on_lattices_with_too_many_sites) {
    Vec3 x[5];
    LitheFill fill = {box, 0.07, 0.14, 0, 0, 5};
    CHECK(lithe_fill(&fill, x) == 5);
    for (int i = 0; i < 5; i++)
        CHECK(fabs(x[i].z - 0.07) < 1e-12);
    // exactly one ball fits
    LitheFill single = {{LITHE_REGION_BOX, {0, 0, 0}, {0.14, 0.14, 0.14}, 0}, 0.07, 0.14, 0, 0, 5};
    CHECK(lithe_fill(&single, x) == 1);
    LitheFill long_cylinder = {
        {LITHE_REGION_CYLINDER, {0, 0, 0}, {1e9, 1e9, 1e9}, 1}, 0.1, 0.2, 0, 0, 1 << 30};
    CHECK(lithe_fill(&long_cylinder, NULL) == -1);
    // of a vast box only the lowest balls are searched for
    LitheFill vast = {{LITHE_REGION_BOX, {0, 0, 0}, {1e300, 1e300, 1e300}, 0}, 0.1, 0.2, 0, 0, 5};
    CHECK(lithe_fill(&vast, x) == 5);
}
